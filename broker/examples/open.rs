//! A broker without rules, for conformance suites and benchmarks: everybody is let in and may do
//! everything. `cargo run -p adoubed-broker --example open -- 127.0.0.1:1883`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool of the command line")]

use std::net::{IpAddr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;

use adoubed_broker::{Access, Broker, Door, Principal, Settings};
use axum::Router;
use axum::extract::{ConnectInfo, WebSocketUpgrade};
use axum::routing::get;

struct Everybody;

impl Access for Everybody {
    fn authenticate(&self, _: IpAddr, _: Option<&str>, _: Option<&[u8]>) -> Option<Principal> {
        Some(Principal::User("anybody".to_owned()))
    }

    fn may_publish(&self, _: &Principal, _: &str) -> bool {
        true
    }

    /// The suites want one filter that is refused.
    fn may_subscribe(&self, _: &Principal, filter: &str) -> bool {
        filter != "test/nosubscribe"
    }

    fn may_read(&self, _: &Principal, _: &str) -> bool {
        true
    }

    fn is_host(&self, _: &Principal) -> bool {
        false
    }
}

async fn pages(door: Door, listen: SocketAddr) -> std::io::Result<()> {
    let answer = move |upgrade: WebSocketUpgrade, ConnectInfo(peer): ConnectInfo<SocketAddr>| {
        let door = door.clone();
        async move { door.upgrade(upgrade, peer) }
    };
    let listener = tokio::net::TcpListener::bind(listen).await?;
    println!("MQTT over WebSocket: ws://{}/mqtt", listener.local_addr()?);
    let router = Router::new().route("/mqtt", get(answer));
    axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>()).await
}

#[tokio::main]
async fn main() -> ExitCode {
    let listen = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let listen = listen.unwrap_or(SocketAddr::from(([127, 0, 0, 1], 1883)));
    let broker = match Broker::start(Settings {
        listen,
        access: Arc::new(Everybody),
        guests: 1,
        guests_per_address: 1,
    })
    .await
    {
        Ok(broker) => broker,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("MQTT over TCP: {}", broker.local_addr());
    let web = SocketAddr::new(listen.ip(), 0);
    if let Err(error) = pages(broker.door(), web).await {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
