//! The client that publishes, at the embedded or an external broker. It sends the snapshot and
//! receives requests. After each new connection it sends everything retained again.

use std::sync::Arc;
use std::time::Duration;

use adoubed_broker::SENDER_PROPERTY;
use rumqttc_next::{
    AsyncClient, Event, EventLoop, LastWill, MqttOptions, Packet, PubAckReason, Publish,
    PublishOptions, PublishProperties, QoS,
};
use tokio::sync::{mpsc, watch};

use super::payload::{self, BridgeState};
use super::snapshot::{Message, Snapshot};
use super::topic::{self, Topic};
use crate::net::link::Link;
use crate::pairings::is_plain;
use crate::tasks::Tasks;

/// The most messages that are given to the client and not yet written. Others wait in the snapshot,
/// where newer versions replace them.
const IN_FLIGHT: usize = 64;
/// The keep-alive of MQTT, in seconds.
const KEEP_ALIVE_S: u16 = 10;
/// The wait before a new connection to the broker.
const RETRY: Duration = Duration::from_millis(500);
/// The longest packet. No request is as long.
const PACKET_MAX: u32 = 1 << 20;
/// The longest response topic, in bytes.
const RESPONSE_TOPIC_MAX: usize = 255;

/// How the client reaches a broker.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The address of the broker.
    pub link: Arc<Link>,
    /// User name and password; none: anonymous.
    pub login: Option<(String, String)>,
    /// The base of all topics.
    pub base: String,
    /// The id of this run of the daemon.
    pub boot: String,
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

/// Publishes and receives requests until the tasks end. Returns a watch that says whether it is
/// subscribed to requests.
pub fn start(
    reach: Reach,
    snapshot: Arc<Snapshot>,
    requests: mpsc::Sender<Incoming>,
    tasks: &mut Tasks,
) -> watch::Receiver<bool> {
    let (client, events) = AsyncClient::builder(options(&reach)).capacity(IN_FLIGHT).build();
    let base = reach.base.clone();
    // A client that sees our messages may send a request, so nothing is published before the
    // subscription holds.
    let (listening, listens) = watch::channel(false);
    let told = Channels { requests, listening };
    let heard = poll(events, client.clone(), reach, Arc::clone(&snapshot), told);
    tasks.spawn("the client of the broker", heard);
    tasks.spawn("the publisher", publish(client, base, snapshot, listens.clone()));
    listens
}

/// The channels to which the client reports.
struct Channels {
    requests: mpsc::Sender<Incoming>,
    /// Whether it is subscribed to requests.
    listening: watch::Sender<bool>,
}

fn options(reach: &Reach) -> MqttOptions {
    let id = format!("adoubed-{}", reach.boot);
    let address = reach.link.address();
    let mut options = MqttOptions::new(id, (address.host.as_str(), address.port));
    let link = Arc::clone(&reach.link);
    options.set_socket_connector(move |_, _| {
        let link = Arc::clone(&link);
        async move { link.open().await }
    });
    options.set_keep_alive(KEEP_ALIVE_S);
    options.set_max_packet_size(Some(PACKET_MAX));
    options.set_last_will(will(reach));
    if let Some((user, password)) = &reach.login {
        options.set_credentials(user, password.clone());
    }
    options
}

/// The last will. Its `at` is the time of the connection, because the time of its publication is
/// unknown.
fn will(reach: &Reach) -> LastWill {
    let at = crate::time::wall_now().rfc3339();
    let state = BridgeState::new(false, payload::SEQ_OF_LEAVE, at, &reach.boot);
    let topic = Topic::BridgeState.under(&reach.base);
    LastWill::new(topic, payload::json(&state), QoS::AtLeastOnce, true, None)
}

/// Handles the broker's packets. It waits only for the network.
async fn poll(
    mut events: EventLoop,
    client: AsyncClient,
    reach: Reach,
    snapshot: Arc<Snapshot>,
    told: Channels,
) {
    let (mut away, mut refused) = (false, false);
    loop {
        match events.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(_))) => {
                tracing::info!("connected to the broker at {}", reach.link.address());
                (away, refused) = (false, false);
                told.listening.send_replace(false);
                let requests = Some(topic::requests(&reach.base));
                let left = reach.sweeps.then(|| topic::public(&reach.base));
                // The channel may still be full of messages of the last connection. It drains by
                // itself.
                let subscriber = client.clone();
                tokio::spawn(async move {
                    for filter in requests.into_iter().chain(left) {
                        let _ = subscriber.subscribe(filter, QoS::AtLeastOnce).await;
                    }
                });
                snapshot.again();
            }
            Ok(Event::Incoming(Packet::SubAck(_))) => {
                told.listening.send_replace(true);
            }
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                if let Some(left) = left_over(&reach, &publish) {
                    snapshot.publish(left, Vec::new());
                } else if let Some(incoming) = incoming(&reach, publish) {
                    // If the channel is full the request is dropped. A flood of requests must not
                    // slow the feed.
                    let _ = told.requests.try_send(incoming);
                }
            }
            Ok(Event::Incoming(Packet::PubAck(answer))) => {
                if is_refusal(answer.reason) && !refused {
                    // Warns once per connection: such a broker refuses every message.
                    refused = true;
                    tracing::error!("the broker refuses what we publish: {:?}", answer.reason);
                }
                snapshot.acknowledged();
            }
            Ok(_) => {}
            Err(error) => {
                if !away {
                    tracing::warn!("no broker at {}: {error}", reach.link.address());
                }
                away = true;
                snapshot.away();
                tokio::time::sleep(RETRY).await;
            }
        }
    }
}

const fn is_refusal(reason: PubAckReason) -> bool {
    !matches!(reason, PubAckReason::Success | PubAckReason::NoMatchingSubscribers)
}

async fn publish(
    client: AsyncClient,
    base: String,
    snapshot: Arc<Snapshot>,
    mut listens: watch::Receiver<bool>,
) {
    // The sender is gone only when the client is, and then the daemon ends too.
    while listens.wait_for(|listening| *listening).await.is_ok() {
        let options = PublishOptions::at_least_once();
        let sent = match snapshot.next().await {
            Message::Ours(topic, payload) => {
                let options = options.retain(topic.retained());
                client.publish(topic.under(&base), payload, options).await
            }
            Message::Reply(reply) => {
                let properties = PublishProperties {
                    correlation_data: reply.correlation.map(Into::into),
                    ..PublishProperties::default()
                };
                client.publish(reply.topic, reply.payload, options.properties(properties)).await
            }
        };
        if let Err(error) = sent {
            // A message that cannot be sent is skipped. If the client is gone, its poller has
            // ended, and the daemon ends too.
            tracing::warn!("a message was not published: {error}");
            tokio::task::yield_now().await;
        }
    }
}

/// The topic of a delayed copy that an earlier run left at the broker. Readers would take its old
/// game for the current one.
fn left_over(reach: &Reach, publish: &Publish) -> Option<Topic> {
    let topic = std::str::from_utf8(&publish.topic).ok()?;
    let old = reach.sweeps && publish.retain && !publish.payload.is_empty();
    topic::read_public(&reach.base, topic).filter(|_| old)
}

fn incoming(reach: &Reach, publish: Publish) -> Option<Incoming> {
    let topic = std::str::from_utf8(&publish.topic).ok()?;
    // The verb goes into a line of the log.
    let verb = topic::verb(&reach.base, topic).filter(|verb| is_plain(verb))?.to_owned();
    if publish.retain {
        // A retained request would be carried out again at every connection.
        tracing::warn!("a retained request to {verb} was ignored: publish it without retain");
        return None;
    }
    let properties = publish.properties.unwrap_or_default();
    let user = properties.user_properties.into_iter().find(|(name, _)| name == SENDER_PROPERTY);
    Some(Incoming {
        verb,
        payload: publish.payload.to_vec(),
        user: user.map(|(_, user)| user).filter(|_| reach.names_senders),
        response_topic: properties
            .response_topic
            .filter(|topic| can_be_answered(&reach.base, topic)),
        correlation: properties.correlation_data.map(|data| data.to_vec()),
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
    use super::*;

    fn reach(names_senders: bool) -> Reach {
        let link = Arc::new(Link::open_to_all("hall".to_owned(), 1883));
        let (base, boot) = ("adoubed".to_owned(), "1".to_owned());
        Reach { link, login: None, base, boot, names_senders, sweeps: false }
    }

    fn request(retain: bool, response_topic: &str) -> Publish {
        let properties = PublishProperties {
            response_topic: Some(response_topic.to_owned()),
            user_properties: vec![(SENDER_PROPERTY.to_owned(), "Claire".to_owned())],
            ..PublishProperties::default()
        };
        let topic = "adoubed/v1/request/flip";
        let mut publish = Publish::new(topic, QoS::AtLeastOnce, "{}", Some(properties));
        publish.retain = retain;
        publish
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
