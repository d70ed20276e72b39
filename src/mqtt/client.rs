//! The client that publishes, at the embedded or an external broker. It sends the snapshot and
//! receives requests. After each new connection it sends everything retained again.

mod connection;
pub mod follower;
mod probe;
mod search;

use std::sync::Arc;
use std::time::Duration;

use adoubed_broker::SENDER_PROPERTY;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::{Notify, mpsc, watch};

use self::connection::{Answer, Arrived, Connection, Heard, Outgoing, Sender};
use self::search::Search;
use super::payload;
use super::refused::Why;
use super::snapshot::{Message, Retains, Snapshot};
use super::speaker::{Speaker, Spoken};
use super::topic::{self, Topic};
use crate::config;
use crate::net::link::Link;
use crate::pairings::is_plain;
use crate::tasks::Tasks;

/// The wait before a new connection to the broker.
const RETRY: Duration = Duration::from_millis(500);
/// The longest response topic, in bytes.
const RESPONSE_TOPIC_MAX: usize = 255;

/// How the client reaches a broker.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The addresses of the broker.
    pub link: Arc<Link>,
    /// The version of MQTT to speak with it.
    pub version: config::Version,
    /// User name and password; none: anonymous.
    pub login: Option<(String, String)>,
    /// The base of all topics.
    pub base: String,
    /// This run of the daemon.
    pub speaker: Speaker,
    /// Whether it speaks for the hall: its last will says that it is gone.
    pub speaks: bool,
    /// Whether the broker itself says who sent a request, so that it cannot be forged.
    pub names_senders: bool,
    /// Whether to clear the delayed copy of an earlier run, because there is none now.
    pub sweeps: bool,
}

/// A request as it arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct Incoming {
    /// The verb.
    pub verb: String,
    /// The payload.
    pub payload: Vec<u8>,
    /// The sender's user name, if the broker reports it.
    pub user: Option<String>,
    /// Where to send the answer besides the usual topic.
    pub response_topic: Option<String>,
    /// The correlation data, which the answer repeats.
    pub correlation: Option<Vec<u8>>,
}

/// What becomes of a client.
pub struct Watches {
    /// Whether it is subscribed to requests.
    pub listens: watch::Receiver<bool>,
    /// The machine that speaks for the hall now instead of this one, since that one cannot hear it.
    pub superseded: watch::Receiver<Option<String>>,
    /// Whether it has taken leave of the broker, after the last message of a closed snapshot.
    pub left: watch::Receiver<bool>,
}

/// Publishes and receives requests until the tasks end.
pub fn start(
    reach: Reach,
    snapshot: Arc<Snapshot>,
    requests: mpsc::Sender<Incoming>,
    tasks: &mut Tasks,
) -> Watches {
    let search = Search::new(&reach);
    let (sender, connection) = connection::open(&reach, search.version(), search.reached());
    let (senders, sender) = watch::channel(sender);
    // A client that sees our messages may send a request, so nothing is published before the
    // subscription holds.
    let (listening, listens) = watch::channel(false);
    let (other, superseded) = watch::channel(None);
    let (leaving, left) = watch::channel(false);
    let publisher = publish(
        sender,
        reach.base.clone(),
        Arc::clone(&snapshot),
        (listens.clone(), superseded.clone()),
    );
    let seen = Arc::default();
    let client =
        Client { reach, snapshot, requests, listening, other, leaving, senders, search, seen };
    tasks.spawn("the client of the broker", client.run(connection));
    tasks.spawn("the publisher", publisher);
    Watches { listens, superseded, left }
}

/// The half that hears. It waits only for the network.
struct Client {
    reach: Reach,
    snapshot: Arc<Snapshot>,
    requests: mpsc::Sender<Incoming>,
    /// Whether it is subscribed to requests.
    listening: watch::Sender<bool>,
    /// The machine that speaks instead of this one.
    other: watch::Sender<Option<String>>,
    /// Whether it has taken leave.
    leaving: watch::Sender<bool>,
    /// The half that sends: another one with each version.
    senders: watch::Sender<Sender>,
    search: Search,
    /// Wakes the probe when the broker has sent its message back.
    seen: Arc<Notify>,
}

impl Client {
    async fn run(mut self, mut connection: Connection) {
        let mut answered = 0;
        loop {
            match connection.next().await {
                Ok(Heard::Connected) => {
                    self.search.found();
                    answered = 0;
                    self.connected();
                }
                Ok(Heard::Subscribed) => {
                    answered += 1;
                    if answered < self.filters().len() {
                        continue;
                    }
                    if !self.listening.send_replace(true) && !self.reach.names_senders {
                        self.probes();
                    }
                }
                Ok(Heard::Arrived(arrived)) => self.arrived(arrived),
                Ok(Heard::Acknowledged) => self.snapshot.acknowledged(),
                Ok(Heard::Left) => {
                    self.leaving.send_replace(true);
                    // Nobody connects again: the daemon ends, and this task with it.
                    return std::future::pending().await;
                }
                Ok(Heard::Other) => {}
                Err(trouble) => {
                    self.snapshot.away();
                    if self.search.look_again(&trouble) {
                        connection = self.open();
                    }
                    if self.search.rests() {
                        tokio::time::sleep(RETRY).await;
                    }
                }
            }
        }
    }

    fn connected(&self) {
        self.listening.send_replace(false);
        let filters = self.filters();
        // The channel may still be full of messages of the last connection. It drains by itself.
        let sender = self.senders.borrow().clone();
        let (snapshot, base) = (Arc::clone(&self.snapshot), self.reach.base.clone());
        self.snapshot.again();
        tokio::spawn(async move {
            for filter in filters {
                if let Some(why) = sender.reads(filter.clone()).await {
                    note(&snapshot, (&filter, true), why, &base);
                }
            }
        });
    }

    /// What it subscribes to. Who speaks for the hall comes first: nothing is said before that is
    /// known.
    fn filters(&self) -> Vec<String> {
        let Reach { base, sweeps, .. } = &self.reach;
        let several = self.reach.speaker.machine.is_some();
        let spoken = several.then(|| Topic::BridgeState.under(base));
        let left = sweeps.then(|| topic::public(base));
        spoken.into_iter().chain([topic::requests(base)]).chain(left).collect()
    }

    /// Another machine may have begun to speak for the hall while this one could not be heard.
    fn spoken(&self, payload: &[u8]) {
        let own = &self.reach.speaker;
        match Spoken::read(payload) {
            Some(it) if it.online && it.speaker.boot == own.boot => {}
            Some(it) if it.supersedes(own) => {
                self.other.send_replace(Some(it.speaker.name().to_owned()));
            }
            // What an earlier connection has left, or a machine that has stepped back, or somebody
            // has cleared it: other machines would take this one for gone.
            _ => self.snapshot.say_again(&Topic::BridgeState, payload),
        }
    }

    /// Asks a broker that is not our own whether it does what screens need.
    fn probes(&self) {
        let (sender, seen) = (self.senders.borrow().clone(), Arc::clone(&self.seen));
        let (link, snapshot) = (Arc::clone(&self.reach.link), Arc::clone(&self.snapshot));
        let (base, reached) = (self.reach.base.clone(), self.search.reached().clone());
        tokio::spawn(async move {
            let connection = reached.count();
            let Ok(retains) = probe::run(&sender, &base, &seen).await else { return };
            // After a new connection another probe is under way.
            if reached.count() != connection || !snapshot.counts().connected {
                return;
            }
            snapshot.probed(retains);
            if retains == Retains::No {
                tracing::warn!(
                    "the broker at {} sends no retained messages to filters with wildcards: a \
                     screen that comes late shows a table only when something happens there; \
                     docs/brokers.md names brokers that do",
                    link.address()
                );
            }
        });
    }

    fn arrived(&self, arrived: Arrived) {
        let several = self.reach.speaker.machine.is_some();
        if several && arrived.topic == Topic::BridgeState.under(&self.reach.base) {
            self.spoken(&arrived.payload);
        } else if let Some(left) = left_over(&self.reach, &arrived) {
            self.snapshot.publish(left, Vec::new());
        } else if probe::is_kept(&self.reach.base, &arrived) {
            self.seen.notify_one();
        } else if let Some(incoming) = incoming(&self.reach, arrived) {
            // If the channel is full the request is dropped. A flood of requests must not slow the
            // feed.
            let _ = self.requests.try_send(incoming);
        }
    }

    /// Another connection, in the version of MQTT that is tried now.
    fn open(&self) -> Connection {
        let (sender, connection) =
            connection::open(&self.reach, self.search.version(), self.search.reached());
        self.senders.send_replace(sender);
        connection
    }
}

/// Notes that the broker refuses a topic. The first one of a connection is a line of the log, since
/// such a broker refuses many.
fn note(snapshot: &Snapshot, (topic, for_guests): (&str, bool), why: Why, base: &str) {
    if snapshot.refused().note(topic, why, for_guests) {
        let remedy = why.remedy(base);
        tracing::warn!("the broker refuses {topic}: {why}; {remedy}; /healthz lists all of them");
    }
}

async fn publish(
    sender: watch::Receiver<Sender>,
    base: String,
    snapshot: Arc<Snapshot>,
    (mut listens, superseded): (watch::Receiver<bool>, watch::Receiver<Option<String>>),
) {
    // No more than the client has under way: what is answered is taken out before anything else is
    // sent.
    let mut sent = FuturesUnordered::new();
    // The sender is gone only when the client is, and then the daemon ends too.
    while listens.wait_for(|listening| *listening).await.is_ok() {
        let message = tokio::select! {
            biased;
            Some(((topic, for_guests), answer)) = sent.next(), if !sent.is_empty() => {
                let topic: String = topic;
                match answer {
                    Answer::Taken => snapshot.refused().taken(&topic),
                    Answer::Refused(why) => note(&snapshot, (&topic, for_guests), why, &base),
                    Answer::Lost => {}
                }
                continue;
            }
            message = snapshot.next() => message,
        };
        let Some(message) = message else {
            // Leaving may overtake messages that the client has not sent yet, and drops them.
            while sent.next().await.is_some() {}
            let client = sender.borrow().clone();
            if let Err(error) = client.leave().await {
                tracing::warn!("the broker was not told that the daemon ends: {error}");
            }
            return std::future::pending().await;
        };
        // Another machine speaks. This one says nothing more, until it is ended.
        if superseded.borrow().is_some() {
            continue;
        }
        let (for_guests, message) = outgoing(message, &base);
        let topic = message.topic.clone();
        let client = sender.borrow().clone();
        match client.publish(message).await {
            Ok(fate) => sent.push(async move { ((topic, for_guests), fate.known().await) }),
            Err(error) => {
                // A message that cannot be sent is skipped. If the client is gone, its poller has
                // ended, and the daemon ends too.
                tracing::warn!("a message was not published: {error}");
                tokio::task::yield_now().await;
            }
        }
    }
}

/// A message for the broker, and whether guests may know of its topic.
fn outgoing(message: Message, base: &str) -> (bool, Outgoing) {
    match message {
        Message::Ours(topic, payload) => {
            let (retain, for_guests) = (topic.retained(), topic.for_guests());
            let topic = topic.under(base);
            (for_guests, Outgoing { topic, payload, retain, correlation: None })
        }
        Message::Reply(reply) => {
            let (topic, payload, correlation) = (reply.topic, reply.payload, reply.correlation);
            (false, Outgoing { topic, payload, retain: false, correlation })
        }
    }
}

/// The topic of a delayed copy that an earlier run left at the broker. Readers would take its old
/// game for the current one.
fn left_over(reach: &Reach, message: &Arrived) -> Option<Topic> {
    let old = reach.sweeps && message.retain && !message.payload.is_empty();
    topic::read_public(&reach.base, &message.topic).filter(|_| old)
}

fn incoming(reach: &Reach, message: Arrived) -> Option<Incoming> {
    // The verb goes into a line of the log.
    let verb = topic::verb(&reach.base, &message.topic).filter(|verb| is_plain(verb))?.to_owned();
    if message.retain {
        // A retained request would be carried out again at every connection.
        tracing::warn!("a retained request to {verb} was ignored: publish it without retain");
        return None;
    }
    let user = message.properties.into_iter().find(|(name, _)| name == SENDER_PROPERTY);
    let can_be_answered = |topic: &String| can_be_answered(&reach.base, topic);
    Some(Incoming {
        verb,
        payload: message.payload,
        user: user.map(|(_, user)| user).filter(|_| reach.names_senders),
        response_topic: message.response_topic.filter(can_be_answered),
        correlation: message.correlation,
    })
}

/// Whether answers may go to this topic. Elsewhere an arbiter could write, with the daemon's
/// rights, what screens take for the state of a table.
fn can_be_answered(base: &str, topic: &str) -> bool {
    let place = topic::response_place(base, topic);
    topic.len() <= RESPONSE_TOPIC_MAX && place && !topic.contains(['+', '#', '\0'])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::net::link::Address;

    fn reach(names_senders: bool) -> Reach {
        let hall = Address::read("mqtt://hall").unwrap();
        let link = Arc::new(Link::new(hall, Vec::new(), Path::new("")).unwrap());
        let (base, speaker) = ("adoubed".to_owned(), Speaker::alone("1".to_owned()));
        let version = config::Version::Auto;
        let (login, sweeps) = (None, false);
        Reach { link, version, login, base, speaker, speaks: true, names_senders, sweeps }
    }

    fn request(retain: bool, response_topic: &str) -> Arrived {
        Arrived {
            topic: "adoubed/v1/request/flip".to_owned(),
            payload: b"{}".to_vec(),
            retain,
            response_topic: Some(response_topic.to_owned()),
            properties: vec![(SENDER_PROPERTY.to_owned(), "Claire".to_owned())],
            ..Arrived::default()
        }
    }

    #[test]
    fn a_retained_request_is_none() {
        assert_eq!(incoming(&reach(true), request(true, "here")), None);
        assert_eq!(incoming(&reach(true), request(false, "here")).unwrap().verb, "flip");
    }

    #[test]
    fn what_is_asked_for_is_one_line_of_the_log() {
        let mut forged = request(false, "here");
        forged.topic = "adoubed/v1/request/flip\nWARN".into();
        assert_eq!(incoming(&reach(true), forged), None);
    }

    #[test]
    fn only_the_embedded_broker_is_believed_who_asks() {
        let user = |names| incoming(&reach(names), request(false, "here")).unwrap().user;
        assert_eq!(user(true).as_deref(), Some("Claire"));
        assert_eq!(user(false), None);
    }

    #[test]
    fn an_answer_goes_to_topics_only() {
        let mine = |rest: &str| format!("adoubed/v1/response/{rest}");
        let long = mine(&"x".repeat(256));
        let table = "adoubed/v1/table/1/board";
        for bad in ["", &mine("+/b"), "#", &mine("a\0"), &long, table, "elsewhere", &mine("")] {
            let incoming = incoming(&reach(true), request(false, bad)).unwrap();
            assert_eq!(incoming.response_topic, None, "{bad:?}");
        }
        let good = mine("tablet/7");
        let incoming = incoming(&reach(true), request(false, &good)).unwrap();
        assert_eq!(incoming.response_topic.as_deref(), Some(good.as_str()));
    }
}
