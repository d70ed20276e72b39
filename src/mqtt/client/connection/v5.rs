//! A client in MQTT 5.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rumqttc_next::{
    AsyncClient, ConnectReturnCode, ConnectionError, DisconnectReasonCode, Event, EventLoop,
    LastWill, MqttOptions, Outgoing as Sent, Packet, Publish, PublishNotice, PublishOptions,
    PublishProperties, QoS, StateError,
};

use rumqttc_next::Error as MalformedAnswer;

use super::limit::{Limit, UnderWay};
use super::{
    Answer, Arrived, Heard, IN_FLIGHT, KEEP_ALIVE_S, Outgoing, PACKET_MAX, Reach, Reached, Trouble,
    client_id, connect, will,
};
use crate::mqtt::refused::Why;

pub struct Connection {
    events: EventLoop,
    retains: Arc<AtomicBool>,
    limit: Arc<Limit>,
}

#[derive(Clone)]
pub struct Sender {
    client: AsyncClient,
    /// Whether the broker takes retained messages. One that does not cuts whoever sends them.
    retains: Arc<AtomicBool>,
    /// The longest message that it takes. Longer ones are not sent: it cuts whoever sends them.
    limit: Arc<Limit>,
}

/// Why a broker has ended a connection, or refuses a message: it was too long.
const TOO_LONG: u8 = DisconnectReasonCode::PacketTooLarge as u8;

pub(super) fn open(reach: &Reach, reached: &Reached) -> (Sender, Connection) {
    let (client, events) =
        AsyncClient::builder(options(reach, reached)).capacity(IN_FLIGHT).build();
    let retains = Arc::new(AtomicBool::new(true));
    let limit = Arc::<Limit>::default();
    let sender = Sender { client, retains: Arc::clone(&retains), limit: Arc::clone(&limit) };
    (sender, Connection { events, retains, limit })
}

fn options(reach: &Reach, reached: &Reached) -> MqttOptions {
    let address = reach.link.address();
    let mut options = MqttOptions::new(client_id(reach), (address.host.as_str(), address.port));
    let (link, reached) = (Arc::clone(&reach.link), reached.clone());
    options.set_socket_connector(move |_, _| connect(Arc::clone(&link), reached.clone()));
    options.set_keep_alive(KEEP_ALIVE_S);
    options.set_max_packet_size(Some(PACKET_MAX));
    if let Some((topic, payload)) = will(reach) {
        options.set_last_will(LastWill::new(topic, payload, QoS::AtLeastOnce, true, None));
    }
    if let Some((user, password)) = &reach.login {
        options.set_credentials(user, password.clone());
    }
    options
}

impl Connection {
    pub(super) async fn next(&mut self) -> Result<Heard, Trouble> {
        match self.events.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(answer))) => {
                let said = answer.properties.as_ref();
                let refused = said.is_some_and(|it| it.retain_available == Some(0));
                self.retains.store(!refused, Ordering::Relaxed);
                self.limit.connected(said.and_then(|it| it.max_packet_size));
                Ok(Heard::Connected)
            }
            Ok(Event::Incoming(Packet::SubAck(_))) => Ok(Heard::Subscribed),
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                Ok(arrived(publish).map_or(Heard::Other, Heard::Arrived))
            }
            Ok(Event::Incoming(Packet::PubAck(_))) => Ok(Heard::Acknowledged),
            Ok(Event::Outgoing(Sent::Disconnect)) => Ok(Heard::Left),
            Ok(_) => Ok(Heard::Other),
            Err(error) => {
                self.limit.ended(is_too_long(&error));
                Err(trouble(&error))
            }
        }
    }
}

impl Sender {
    pub(super) async fn subscribe(&self, filter: String) -> Result<(), String> {
        self.client.subscribe(filter, QoS::AtLeastOnce).await.map_err(|error| error.to_string())
    }

    pub(super) async fn unsubscribe(&self, filter: String) -> Result<(), String> {
        self.client.unsubscribe(filter).await.map_err(|error| error.to_string())
    }

    pub(super) async fn publish(&self, message: Outgoing) -> Result<Fate, String> {
        let Outgoing { topic, payload, retain, correlation } = message;
        let more = correlation.as_ref().map_or(0, Vec::len);
        let under_way = match self.limit.admit(&topic, payload.len() + more) {
            Ok(under_way) => under_way,
            Err(limit) => return Ok(Fate::Refused(Why::TooLong(limit))),
        };
        let retain = retain && self.retains.load(Ordering::Relaxed);
        let options = PublishOptions::at_least_once().retain(retain);
        let options = match correlation {
            None => options,
            Some(data) => options.properties(PublishProperties {
                correlation_data: Some(data.into()),
                ..PublishProperties::default()
            }),
        };
        let notice = self.client.publish_tracked(topic, payload, options).await;
        notice.map(|it| Fate::Open(it, under_way)).map_err(|error| error.to_string())
    }

    pub(super) async fn leave(&self) -> Result<(), String> {
        self.client.disconnect().await.map_err(|error| error.to_string())
    }

    pub(super) async fn reads(&self, filter: String) -> Option<Why> {
        let notice = self.client.subscribe_tracked(filter, QoS::AtLeastOnce).await.ok()?;
        notice.wait_completion_async().await.err().as_ref().and_then(Why::of_reading)
    }
}

/// What will become of a message.
pub enum Fate {
    /// The broker has not answered yet.
    Open(PublishNotice, UnderWay),
    /// It was not sent, because the broker would not take it.
    Refused(Why),
}

impl Fate {
    pub(super) async fn known(self) -> Answer {
        let (notice, _under_way) = match self {
            Self::Open(notice, under_way) => (notice, under_way),
            Self::Refused(why) => return Answer::Refused(why),
        };
        match notice.wait_completion_async().await {
            Ok(()) => Answer::Taken,
            Err(error) => Why::of(&error).map_or(Answer::Lost, Answer::Refused),
        }
    }
}

/// Whether a message was longer than the broker takes. Some say it in an answer to that message,
/// where the standard has no such reason.
fn is_too_long(error: &ConnectionError) -> bool {
    let ConnectionError::MqttState(error) = error else { return false };
    match error {
        StateError::Deserialization(
            MalformedAnswer::InvalidReason(code) | MalformedAnswer::InvalidConnectReturnCode(code),
        ) => *code == TOO_LONG,
        StateError::ServerDisconnect { reason_code, .. } => *reason_code as u8 == TOO_LONG,
        StateError::OutgoingPacketTooLarge { .. } => true,
        _ => false,
    }
}

fn arrived(publish: Publish) -> Option<Arrived> {
    let topic = String::from_utf8(publish.topic.into()).ok()?;
    let properties = publish.properties.unwrap_or_default();
    Some(Arrived {
        topic,
        payload: publish.payload.into(),
        retain: publish.retain,
        response_topic: properties.response_topic,
        correlation: properties.correlation_data.map(Into::into),
        properties: properties.user_properties,
    })
}

fn trouble(error: &ConnectionError) -> Trouble {
    let understood = match error {
        ConnectionError::ConnectionRefused(code) => !matches!(
            code,
            ConnectReturnCode::RefusedProtocolVersion
                | ConnectReturnCode::UnsupportedProtocolVersion
        ),
        _ => false,
    };
    let who = match error {
        ConnectionError::ConnectionRefused(
            ConnectReturnCode::BadUserNamePassword | ConnectReturnCode::NotAuthorized,
        ) => "; [mqtt] username and password_file say who we are there",
        _ => "",
    };
    Trouble { text: format!("{error}{who}"), understood }
}
