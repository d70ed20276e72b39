//! Beginning and end: ports, farewells, and what is left behind.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and tell")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::client::{Client, Login, WAYS};
use crate::common::{DAEMON, House, PATIENCE};
use adoubed_broker::{Access, Broker, Settings};
use tokio::net::TcpStream;

async fn second(house: &House, listen: SocketAddr) -> Result<Broker, adoubed_broker::StartError> {
    let access: Arc<dyn Access> = house.hall.clone();
    Broker::start(Settings { listen, access, guests: 2500, guests_per_address: 128 }).await
}

#[tokio::test]
async fn a_port_in_use_is_named() {
    let house = House::open().await;
    let error = second(&house, house.tcp).await.err().expect("the port is taken");
    let text = error.to_string();
    assert!(text.starts_with(&format!("listen for MQTT on {}: ", house.tcp)), "{text}");
    assert!(text.contains("in use"), "{text}");
    house.close().await;
}

#[tokio::test]
async fn port_0_gives_each_broker_its_own() {
    let house = House::open().await;
    let other = second(&house, SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    assert_ne!(other.local_addr().port(), 0);
    assert_ne!(other.local_addr(), house.tcp);
    TcpStream::connect(other.local_addr()).await.unwrap();
    other.shutdown().await;
    house.close().await;
}

#[tokio::test]
async fn shutdown_takes_leave_and_frees_the_port() {
    let house = House::open().await;
    let mut clients = Vec::new();
    for way in WAYS {
        let login = Login::user(DAEMON, &format!("{way:?}"));
        clients.push((way, Client::connect(&house, way, login).await));
    }
    let idle = TcpStream::connect(house.tcp).await.unwrap();
    let (tcp, hall, door) = (house.tcp, house.hall.clone(), house.broker.door());
    let begun = Instant::now();
    house.close().await;
    println!("shutdown with four clients: {:?}", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(1), "someone was waited for");
    for ((_, version), mut client) in clients {
        let farewell = client.packet().await;
        assert_eq!(farewell.is_some(), version == 5, "only version 5 has words for it");
        if let Some(packet) = farewell {
            assert_eq!(packet[..3], [0xe0, packet[1], 0x8b], "server shutting down");
            assert_eq!(client.packet().await, None);
        }
    }
    drop(idle);
    assert_eq!(door.figures().await.clients, 0);
    assert!(TcpStream::connect(tcp).await.is_err());
    let access: Arc<dyn Access> = hall;
    Broker::start(Settings { listen: tcp, access, guests: 2500, guests_per_address: 128 })
        .await
        .unwrap()
        .shutdown()
        .await;
}

#[tokio::test]
async fn a_dropped_broker_cuts_its_clients() {
    let house = House::open().await;
    let mut clients = Vec::new();
    for way in WAYS {
        clients.push(Client::connect(&house, way, Login::guest(&format!("{way:?}"))).await);
    }
    let tcp = house.tcp;
    drop(house);
    for mut client in clients {
        assert!(tokio::time::timeout(PATIENCE, client.message_or_end()).await.unwrap().is_none());
    }
    crate::common::until("the port is free", async || TcpStream::connect(tcp).await.is_err()).await;
}
