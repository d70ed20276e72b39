//! A client in MQTT 3.1.1.

use std::sync::Arc;

use rumqttc_next_v4::{
    AsyncClient, ConnectReturnCode, ConnectionError, Event, EventLoop, LastWill, MqttOptions,
    Outgoing as Sent, Packet, Publish, PublishNotice, PublishOptions, QoS,
};

use super::{
    Answer, Arrived, Heard, IN_FLIGHT, KEEP_ALIVE_S, Outgoing, PACKET_MAX, Reach, Reached, Trouble,
    client_id, connect, will,
};

pub struct Connection(EventLoop);

#[derive(Clone)]
pub struct Sender(AsyncClient);

pub(super) fn open(reach: &Reach, reached: &Reached) -> (Sender, Connection) {
    let (client, events) =
        AsyncClient::builder(options(reach, reached)).capacity(IN_FLIGHT).build();
    (Sender(client), Connection(events))
}

fn options(reach: &Reach, reached: &Reached) -> MqttOptions {
    let address = reach.link.address();
    let mut options = MqttOptions::new(client_id(reach), (address.host.as_str(), address.port));
    let (link, reached) = (Arc::clone(&reach.link), reached.clone());
    options.set_socket_connector(move |_, _| connect(Arc::clone(&link), reached.clone()));
    options.set_keep_alive(KEEP_ALIVE_S);
    options.set_max_packet_size(PACKET_MAX as usize, PACKET_MAX as usize);
    if let Some((topic, payload)) = will(reach) {
        options.set_last_will(LastWill::new(topic, payload, QoS::AtLeastOnce, true));
    }
    if let Some((user, password)) = &reach.login {
        options.set_credentials(user, password.clone());
    }
    options
}

impl Connection {
    pub(super) async fn next(&mut self) -> Result<Heard, Trouble> {
        match self.0.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(_))) => Ok(Heard::Connected),
            Ok(Event::Incoming(Packet::SubAck(_))) => Ok(Heard::Subscribed),
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                Ok(arrived(publish).map_or(Heard::Other, Heard::Arrived))
            }
            Ok(Event::Incoming(Packet::PubAck(_))) => Ok(Heard::Acknowledged),
            Ok(Event::Outgoing(Sent::Disconnect)) => Ok(Heard::Left),
            Ok(_) => Ok(Heard::Other),
            Err(error) => Err(trouble(&error)),
        }
    }
}

impl Sender {
    pub(super) async fn subscribe(&self, filter: String) -> Result<(), String> {
        self.0.subscribe(filter, QoS::AtLeastOnce).await.map_err(|error| error.to_string())
    }

    pub(super) async fn unsubscribe(&self, filter: String) -> Result<(), String> {
        self.0.unsubscribe(filter).await.map_err(|error| error.to_string())
    }

    pub(super) async fn publish(&self, message: Outgoing) -> Result<Fate, String> {
        let Outgoing { topic, payload, retain, .. } = message;
        let options = PublishOptions::at_least_once().retain(retain);
        let notice = self.0.publish_tracked(topic, payload, options).await;
        notice.map(Fate).map_err(|error| error.to_string())
    }

    pub(super) async fn leave(&self) -> Result<(), String> {
        self.0.disconnect().await.map_err(|error| error.to_string())
    }
}

/// What will become of a message. In this version a broker cannot say that it refuses.
pub struct Fate(PublishNotice);

impl Fate {
    pub(super) async fn known(self) -> Answer {
        match self.0.wait_completion_async().await {
            Ok(()) => Answer::Taken,
            Err(_) => Answer::Lost,
        }
    }
}

fn arrived(publish: Publish) -> Option<Arrived> {
    let topic = String::from_utf8(publish.topic.into()).ok()?;
    let (payload, retain) = (publish.payload.into(), publish.retain);
    Some(Arrived { topic, payload, retain, ..Arrived::default() })
}

fn trouble(error: &ConnectionError) -> Trouble {
    let understood = match error {
        ConnectionError::ConnectionRefused(code) => {
            !matches!(code, ConnectReturnCode::RefusedProtocolVersion)
        }
        _ => false,
    };
    Trouble { text: error.to_string(), understood }
}
