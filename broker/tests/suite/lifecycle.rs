//! Beginning and end: ports, farewells, and what is left behind.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and tell")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::client::{Client, Door, Login, WAYS};
use crate::common::{ARBITER, DAEMON, House, PATIENCE};
use adoubed_broker::{Access, Broker, Settings};
use tokio::net::{TcpSocket, TcpStream};

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
    println!("shutdown with six clients: {:?}", begun.elapsed());
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

/// From one address, and from as many as there are seats.
#[tokio::test]
async fn no_stranger_and_no_user_takes_the_seat_of_its_own_process() {
    let house = House::open().await;
    let inside = (Door::Inside, 5);
    let mut daemon = Client::connect(&house, inside, Login::user(DAEMON, "daemon")).await;
    let mut users = Vec::new();
    for number in 0..300 {
        let login = Login::user(ARBITER, &format!("arbiter {number}"));
        users.extend(Client::try_connect(&house, (Door::Tcp, 5), &login).await);
    }
    assert_eq!(users.len(), 256, "every seat of a user is taken");
    let mut strangers = Vec::new();
    for number in 0..=255 {
        strangers.push(from(house.tcp, [127, 0, 1, number]).await);
    }
    let door = house.broker.door();
    crate::common::until("all have a seat", async || door.figures().await.clients >= 513).await;
    daemon.ping().await;
    let another = Client::try_connect(&house, inside, &Login::user(DAEMON, "another")).await;
    assert!(another.is_ok(), "there is a seat left for this process");
    drop((users, strangers));
    house.close().await;
}

/// A connection from this address of this machine that says nothing.
async fn from(broker: SocketAddr, address: [u8; 4]) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((address, 0))).unwrap();
    socket.connect(broker).await.unwrap()
}

#[tokio::test]
async fn an_id_that_somebody_holds_is_the_hosts_all_the_same() {
    let house = House::open().await;
    for way in WAYS {
        let mut thief = Client::connect(&house, way, Login::user(ARBITER, "taken").kept()).await;
        let daemon = Client::connect(&house, (Door::Inside, 5), Login::user(DAEMON, "taken")).await;
        assert!(thief.message_or_end().await.is_none(), "{way:?}: he is sent away");
        daemon.leave().await;
        let thief = Client::connect(&house, way, Login::user(ARBITER, "taken").kept()).await;
        thief.leave().await;
        let daemon = Client::connect(&house, (Door::Inside, 5), Login::user(DAEMON, "taken")).await;
        assert!(!daemon.present, "{way:?}: his session is not the host's");
        daemon.leave().await;
    }
    house.close().await;
}

/// Both write, and neither reads for a while.
#[tokio::test]
async fn two_ends_that_both_write_do_not_stand_still() {
    let house = House::open().await;
    for way in [(Door::Tcp, 5), (Door::Inside, 5)] {
        let mut daemon = Client::connect(&house, way, Login::user(DAEMON, "daemon")).await;
        daemon.subscribe("adoubed/v1/request/#", 1).await;
        let mut arbiter =
            Client::connect(&house, (Door::Tcp, 5), Login::user(ARBITER, "arbiter")).await;
        for number in 0..100 {
            let topic = format!("adoubed/v1/request/{number}");
            arbiter.publish(&topic, &"r".repeat(4000), 1, false).await;
        }
        for number in 0..200 {
            daemon.send_publish(&format!("said/{number}"), &"s".repeat(8000), 1).await;
        }
        daemon.answers(0x40, 200).await;
        for number in 0..100 {
            let topic = format!("adoubed/v1/request/{number}");
            assert_eq!(daemon.message().await.topic, topic, "{way:?}");
        }
        daemon.leave().await;
        arbiter.leave().await;
    }
    house.close().await;
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
