//! One client of a broker, in version 5 or 3.1.1 of MQTT. What differs between them stays here.

mod limit;
mod v3;
mod v5;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Reach, payload};
use crate::config;
use crate::mqtt::refused::Why;
use crate::mqtt::topic::Topic;
use crate::net::link::{Link, Stream};

/// The most messages that are given to the client and not yet written. Others wait in the snapshot,
/// where newer versions replace them.
const IN_FLIGHT: usize = 64;
/// The keep-alive of MQTT, in seconds.
const KEEP_ALIVE_S: u16 = 10;
/// The longest packet. No request is as long.
const PACKET_MAX: u32 = 1 << 20;

/// A version of MQTT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Five,
    Three,
}

impl Version {
    /// The version to begin with.
    pub(super) const fn first(of: config::Version) -> Self {
        match of {
            config::Version::Auto | config::Version::Five => Self::Five,
            config::Version::Three => Self::Three,
        }
    }

    /// The other one.
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Five => Self::Three,
            Self::Three => Self::Five,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Five => "MQTT 5",
            Self::Three => "MQTT 3.1.1",
        }
    }
}

/// What came from the broker.
#[derive(Debug, PartialEq)]
pub(super) enum Heard {
    /// The broker lets this client in.
    Connected,
    /// The broker has answered a subscription.
    Subscribed,
    /// A message.
    Arrived(Arrived),
    /// The broker has answered a message of ours.
    Acknowledged,
    /// The broker was told that this client goes: it will not publish the last will.
    Left,
    /// Nothing of interest here.
    Other,
}

/// A message from the broker. In 3.1.1 it is topic and payload alone.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Arrived {
    pub topic: String,
    pub payload: Vec<u8>,
    pub retain: bool,
    pub response_topic: Option<String>,
    pub correlation: Option<Vec<u8>>,
    /// The properties that are no part of the standard.
    pub properties: Vec<(String, String)>,
}

/// A message for the broker.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub topic: String,
    pub payload: Vec<u8>,
    pub retain: bool,
    /// Left out in 3.1.1.
    pub correlation: Option<Vec<u8>>,
}

/// What became of a message.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// The broker has taken it.
    Taken,
    /// The broker has refused it.
    Refused(Why),
    /// The connection ended before.
    Lost,
}

/// Why there is no connection.
#[derive(Debug)]
pub(super) struct Trouble {
    pub text: String,
    /// Whether the broker has refused in words of this version: it speaks it.
    pub understood: bool,
}

/// How often a broker's address was reached, with or without a broker there.
#[derive(Clone, Debug, Default)]
pub(super) struct Reached(Arc<AtomicU64>);

impl Reached {
    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Connects to the current address.
async fn connect(link: Arc<Link>, reached: Reached) -> io::Result<Box<dyn Stream>> {
    let stream = link.open().await?;
    reached.0.fetch_add(1, Ordering::Relaxed);
    Ok(stream)
}

/// The half that waits for the network.
pub(super) enum Connection {
    Five(Box<v5::Connection>),
    Three(Box<v3::Connection>),
}

/// The half that sends.
#[derive(Clone)]
pub(super) enum Sender {
    Five(v5::Sender),
    Three(v3::Sender),
}

/// A client that connects when it is first waited for, and again after each trouble.
pub(super) fn open(reach: &Reach, version: Version, reached: &Reached) -> (Sender, Connection) {
    match version {
        Version::Five => {
            let (sender, connection) = v5::open(reach, reached);
            (Sender::Five(sender), Connection::Five(Box::new(connection)))
        }
        Version::Three => {
            let (sender, connection) = v3::open(reach, reached);
            (Sender::Three(sender), Connection::Three(Box::new(connection)))
        }
    }
}

impl Connection {
    /// Waits for what comes next.
    pub(super) async fn next(&mut self) -> Result<Heard, Trouble> {
        match self {
            Self::Five(it) => it.next().await,
            Self::Three(it) => it.next().await,
        }
    }
}

impl Sender {
    /// Subscribes at QoS 1.
    pub(super) async fn subscribe(&self, filter: String) -> Result<(), String> {
        match self {
            Self::Five(it) => it.subscribe(filter).await,
            Self::Three(it) => it.subscribe(filter).await,
        }
    }

    /// Gives up a subscription.
    pub(super) async fn unsubscribe(&self, filter: String) -> Result<(), String> {
        match self {
            Self::Five(it) => it.unsubscribe(filter).await,
            Self::Three(it) => it.unsubscribe(filter).await,
        }
    }

    /// Subscribes at QoS 1, and waits for the answer. Returns why it is a refusal.
    pub(super) async fn reads(&self, filter: String) -> Option<Why> {
        match self {
            Self::Five(it) => it.reads(filter).await,
            Self::Three(it) => {
                let _ = it.subscribe(filter).await;
                None
            }
        }
    }

    /// Publishes at QoS 1. What becomes of it is known later.
    pub(super) async fn publish(&self, message: Outgoing) -> Result<Fate, String> {
        match self {
            Self::Five(it) => it.publish(message).await.map(Fate::Five),
            Self::Three(it) => it.publish(message).await.map(Fate::Three),
        }
    }

    /// Takes leave of the broker.
    pub(super) async fn leave(&self) -> Result<(), String> {
        match self {
            Self::Five(it) => it.leave().await,
            Self::Three(it) => it.leave().await,
        }
    }
}

/// What will become of a message.
pub(super) enum Fate {
    Five(v5::Fate),
    Three(v3::Fate),
}

impl Fate {
    /// Waits until the broker has answered, or is gone.
    pub(super) async fn known(self) -> Answer {
        match self {
            Self::Five(it) => it.known().await,
            Self::Three(it) => it.known().await,
        }
    }
}

fn client_id(reach: &Reach) -> String {
    let waits = if reach.speaks { "" } else { "-waits" };
    format!("adoubed-{}{waits}", reach.speaker.boot)
}

/// Topic and payload of the last will; none for a machine that does not speak. Its `at` is the time
/// of the connection, because the time of its publication is unknown.
fn will(reach: &Reach) -> Option<(String, Vec<u8>)> {
    let at = crate::time::wall_now().rfc3339();
    let state = reach.speaker.state(false, payload::SEQ_OF_LEAVE, at);
    reach.speaks.then(|| (Topic::BridgeState.under(&reach.base), payload::json(&state)))
}
