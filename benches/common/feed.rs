//! Plain clients of the feed over MQTT 5 at QoS 1, each on a thread of its own, so that one does
//! not wait for the work of another.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::{Filter, Packet};
use rumqttc::v5::{AsyncClient, Event, EventLoop, MqttOptions};
use tokio::runtime::Builder;

use super::daemon::Login;

/// How long the broker may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// Messages that may wait for the client: more than are sent at once.
const WAITING: usize = 256;

/// Hears everything that goes to these filters, until the broker is gone.
pub fn listen(
    address: SocketAddr,
    login: &Login,
    filters: &[&str],
    mut hear: impl FnMut(&str, &[u8], Instant) + Send + 'static,
) {
    let (client, events) = AsyncClient::new(options(address, login), WAITING);
    let at_least_once = |filter: &&str| Filter::new((*filter).to_owned(), QoS::AtLeastOnce);
    let filters: Vec<_> = filters.iter().map(at_least_once).collect();
    client.try_subscribe_many(filters).expect("room for a request");
    let (tell, answers) = mpsc::channel();
    live(events, move |event| {
        // The last client must live as long as its loop.
        let _kept = &client;
        match event {
            Event::Incoming(Packet::SubAck(_)) => drop(tell.send(())),
            Event::Incoming(Packet::Publish(message)) => {
                let came = Instant::now();
                hear(std::str::from_utf8(&message.topic).unwrap_or(""), &message.payload, came);
            }
            _ => {}
        }
    });
    answers.recv_timeout(PATIENCE).expect("the broker takes a subscription");
}

/// A client that publishes and does nothing else.
pub struct Bare(AsyncClient);

impl Bare {
    /// Connects one.
    pub fn connect(address: SocketAddr, login: &Login) -> Self {
        let (client, events) = AsyncClient::new(options(address, login), WAITING);
        let (tell, answers) = mpsc::channel();
        live(events, move |event| {
            if matches!(event, Event::Incoming(Packet::ConnAck(_))) {
                let _ = tell.send(());
            }
        });
        answers.recv_timeout(PATIENCE).expect("the broker takes a client");
        Self(client)
    }

    /// Publishes a retained message, as the daemon does.
    pub fn publish(&self, topic: &str, payload: Vec<u8>) {
        self.0.try_publish(topic, QoS::AtLeastOnce, true, payload).expect("room for a message");
    }

    /// Asks for something, as an arbiter does.
    pub fn ask(&self, topic: &str, payload: Vec<u8>) {
        // While the client is behind, the alert stays.
        let _ = self.0.try_publish(topic, QoS::AtLeastOnce, false, payload);
    }
}

fn options(address: SocketAddr, login: &Login) -> MqttOptions {
    static CLIENTS: AtomicU32 = AtomicU32::new(0);
    let id = format!("bench-{}", CLIENTS.fetch_add(1, Ordering::Relaxed));
    let mut options = MqttOptions::new(id, address.ip().to_string(), address.port());
    options.set_keep_alive(Duration::from_secs(30)).set_max_packet_size(Some(1 << 22));
    options.set_credentials(login.0.clone(), login.1.clone());
    options
}

fn live(mut events: EventLoop, mut happens: impl FnMut(Event) + Send + 'static) {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    thread::spawn(move || {
        runtime.block_on(async {
            while let Ok(event) = events.poll().await {
                happens(event);
            }
        });
    });
}
