//! What waits for one client's socket: a few packets, and the rest of one long payload, which is
//! written from where it is. Packets are put into words here, in the client's version.

use std::sync::Arc;

use mqtt_protocol_core::mqtt::ArcPayload;
use mqtt_protocol_core::mqtt::packet::{
    GenericPacketTrait, MessageExpiryInterval, Property, Qos, SubscriptionIdentifier, UserProperty,
    v3_1_1, v5_0,
};
use mqtt_protocol_core::mqtt::result_code::{
    ConnectReasonCode, ConnectReturnCode, DisconnectReasonCode, MqttError, PubackReasonCode,
    PubrecReasonCode, SubackReasonCode, SubackReturnCode, UnsubackReasonCode,
};
use tokio::time::Instant;

use crate::access::SENDER_PROPERTY;
use crate::codec::Version;
use crate::limits::{COPIED_BYTES, OUTBOUND_BYTES};
use crate::message::Message;

/// A message on its way to one client.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub message: Arc<Message>,
    pub qos: Qos,
    pub id: Option<u16>,
    pub retain: bool,
    pub again: bool,
    pub identifiers: Vec<u32>,
}

/// One client's outgoing bytes.
pub(crate) struct Outbox {
    version: Version,
    /// The longest packet the client takes.
    maximum_packet: usize,
    /// Whether it is told who sent a message.
    names_senders: bool,
    head: Vec<u8>,
    sent: usize,
    /// A payload behind the head, and how much of it is gone.
    tail: Option<(ArcPayload, usize)>,
}

impl Outbox {
    pub(crate) fn new(version: Version, maximum_packet: Option<u32>, names_senders: bool) -> Self {
        let maximum_packet = maximum_packet.and_then(|bytes| usize::try_from(bytes).ok());
        Self {
            version,
            maximum_packet: maximum_packet.unwrap_or(usize::MAX),
            names_senders,
            head: Vec::new(),
            sent: 0,
            tail: None,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.head.is_empty() && self.tail.is_none()
    }

    /// Whether another packet may be put in.
    pub(crate) fn has_room(&self) -> bool {
        self.tail.is_none() && self.head.len() < OUTBOUND_BYTES
    }

    /// What is held of memory for this client alone, or may be.
    pub(crate) fn bytes(&self) -> usize {
        self.tail.as_ref().map_or(0, |(payload, _)| payload.len())
    }

    /// What is to be written next.
    pub(crate) fn front(&self) -> &[u8] {
        if self.sent < self.head.len() {
            return self.head.get(self.sent..).unwrap_or_default();
        }
        let (payload, sent) =
            self.tail.as_ref().map_or((&[][..], 0), |(payload, sent)| (payload.as_slice(), *sent));
        payload.get(sent..).unwrap_or_default()
    }

    /// So many bytes were written.
    pub(crate) fn advance(&mut self, count: usize) {
        if self.sent < self.head.len() {
            self.sent += count;
        } else if let Some((payload, sent)) = &mut self.tail {
            *sent += count;
            if *sent >= payload.len() {
                self.tail = None;
            }
        }
        if self.sent >= self.head.len() && self.tail.is_none() {
            (self.sent, self.head) = (0, Vec::new());
        }
    }

    /// A message. False: it is longer than the client takes.
    pub(crate) fn publish(&mut self, delivery: &Delivery, now: Instant) -> bool {
        let Delivery { message, qos, id, retain, again, .. } = delivery;
        match self.version {
            Version::V3 => {
                let packet = v3_1_1::Publish::builder().topic_name(&*message.topic);
                let packet = packet.map(|it| it.qos(*qos).retain(*retain).dup(*again));
                let packet = packet.map(|it| it.packet_id(*id).payload(message.payload.clone()));
                self.put(packet.and_then(|it| it.build()), &message.payload)
            }
            Version::V5 => {
                let packet = v5_0::Publish::builder().topic_name(&*message.topic);
                let packet = packet.map(|it| it.qos(*qos).retain(*retain).dup(*again));
                let packet = packet.map(|it| it.packet_id(*id).payload(message.payload.clone()));
                let packet = packet.map(|it| it.props(self.properties(delivery, now)));
                self.put(packet.and_then(|it| it.build()), &message.payload)
            }
        }
    }

    fn properties(&self, delivery: &Delivery, now: Instant) -> Vec<Property> {
        let message = &delivery.message;
        let mut properties = message.properties.clone();
        if let Some(at) = message.expires {
            let left = u32::try_from(at.saturating_duration_since(now).as_secs());
            let left = MessageExpiryInterval::new(left.unwrap_or(u32::MAX));
            properties.extend(left.ok().map(Property::MessageExpiryInterval));
        }
        for identifier in &delivery.identifiers {
            let identifier = SubscriptionIdentifier::new(*identifier);
            properties.extend(identifier.ok().map(Property::SubscriptionIdentifier));
        }
        if self.names_senders {
            properties.retain(|property| {
                !matches!(property, Property::UserProperty(it) if it.key() == SENDER_PROPERTY)
            });
            if let Some(sender) = &message.sender {
                let sender = UserProperty::new(SENDER_PROPERTY, &**sender);
                properties.extend(sender.ok().map(Property::UserProperty));
            }
        }
        properties
    }

    /// A packet with this payload, if the client takes one so long.
    fn put<P>(&mut self, packet: Result<P, MqttError>, payload: &ArcPayload) -> bool
    where
        P: GenericPacketTrait,
    {
        let packet = packet.ok().filter(|packet| packet.size() <= self.maximum_packet);
        let Some(packet) = packet else { return false };
        let buffers = packet.to_buffers();
        // The payload is the last, if there is any.
        let long = payload.len() > COPIED_BYTES;
        let copied = if long { buffers.len().saturating_sub(1) } else { buffers.len() };
        for buffer in buffers.iter().take(copied) {
            self.head.extend_from_slice(buffer);
        }
        if long {
            self.tail = Some((payload.clone(), 0));
        }
        true
    }

    pub(crate) fn puback(&mut self, id: u16, code: PubackReasonCode) {
        match self.version {
            Version::V3 => self.append(v3_1_1::Puback::builder().packet_id(id).build()),
            Version::V5 => {
                let packet = v5_0::Puback::builder().packet_id(id);
                // Where nothing is said, success is meant.
                self.append(match code {
                    PubackReasonCode::Success => packet.build(),
                    code => packet.reason_code(code).build(),
                });
            }
        }
    }

    pub(crate) fn pubrec(&mut self, id: u16, code: PubrecReasonCode) {
        match self.version {
            Version::V3 => self.append(v3_1_1::Pubrec::builder().packet_id(id).build()),
            Version::V5 => {
                let packet = v5_0::Pubrec::builder().packet_id(id);
                self.append(match code {
                    PubrecReasonCode::Success => packet.build(),
                    code => packet.reason_code(code).build(),
                });
            }
        }
    }

    pub(crate) fn pubrel(&mut self, id: u16) {
        match self.version {
            Version::V3 => self.append(v3_1_1::Pubrel::builder().packet_id(id).build()),
            Version::V5 => self.append(v5_0::Pubrel::builder().packet_id(id).build()),
        }
    }

    pub(crate) fn pubcomp(&mut self, id: u16) {
        match self.version {
            Version::V3 => self.append(v3_1_1::Pubcomp::builder().packet_id(id).build()),
            Version::V5 => self.append(v5_0::Pubcomp::builder().packet_id(id).build()),
        }
    }

    pub(crate) fn suback(&mut self, id: u16, codes: Vec<SubackReasonCode>) {
        match self.version {
            Version::V3 => {
                let plain = |code: SubackReasonCode| {
                    SubackReturnCode::try_from(code as u8).unwrap_or(SubackReturnCode::Failure)
                };
                let codes = codes.into_iter().map(plain).collect();
                self.append(v3_1_1::Suback::builder().packet_id(id).return_codes(codes).build());
            }
            Version::V5 => {
                self.append(v5_0::Suback::builder().packet_id(id).reason_codes(codes).build());
            }
        }
    }

    pub(crate) fn unsuback(&mut self, id: u16, codes: Vec<UnsubackReasonCode>) {
        match self.version {
            Version::V3 => self.append(v3_1_1::Unsuback::builder().packet_id(id).build()),
            Version::V5 => {
                self.append(v5_0::Unsuback::builder().packet_id(id).reason_codes(codes).build());
            }
        }
    }

    pub(crate) fn pingresp(&mut self) {
        self.append(Ok(v5_0::Pingresp::new()));
    }

    /// 3.1.1 has no words for it.
    pub(crate) fn disconnect(&mut self, reason: DisconnectReasonCode) {
        if self.version == Version::V5 {
            self.append(v5_0::Disconnect::builder().reason_code(reason).build());
        }
    }

    pub(crate) fn connack(&mut self, present: bool, properties: Vec<Property>) {
        match self.version {
            Version::V3 => {
                let packet = v3_1_1::Connack::builder().session_present(present);
                self.append(packet.return_code(ConnectReturnCode::Accepted).build());
            }
            Version::V5 => {
                let packet = v5_0::Connack::builder().session_present(present);
                let packet = packet.reason_code(ConnectReasonCode::Success).props(properties);
                self.append(packet.build());
            }
        }
    }

    fn append(&mut self, packet: Result<impl GenericPacketTrait, MqttError>) {
        match packet {
            Ok(packet) => self.head.extend(packet.to_continuous_buffer()),
            // What we put together is sound; a packet that is not cannot be sent.
            Err(error) => tracing::error!(%error, "an answer could not be written"),
        }
    }
}

/// The answer to a client that is not let in.
pub(crate) fn refusal(version: Version, code: ConnectReasonCode) -> Vec<u8> {
    let packet = match version {
        Version::V3 => {
            let code = match code {
                ConnectReasonCode::UnsupportedProtocolVersion => {
                    ConnectReturnCode::UnacceptableProtocolVersion
                }
                ConnectReasonCode::ClientIdentifierNotValid => {
                    ConnectReturnCode::IdentifierRejected
                }
                ConnectReasonCode::BadUserNameOrPassword => {
                    ConnectReturnCode::BadUserNameOrPassword
                }
                ConnectReasonCode::NotAuthorized => ConnectReturnCode::NotAuthorized,
                _ => ConnectReturnCode::ServerUnavailable,
            };
            let packet = v3_1_1::Connack::builder().session_present(false).return_code(code);
            packet.build().map(|it| it.to_continuous_buffer())
        }
        Version::V5 => {
            let packet = v5_0::Connack::builder().session_present(false).reason_code(code);
            packet.build().map(|it| it.to_continuous_buffer())
        }
    };
    packet.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mqtt_protocol_core::mqtt::IntoPayload;

    use super::*;

    fn delivery(payload: &[u8], expires: Option<Instant>) -> Delivery {
        let message = Message {
            topic: "a".into(),
            payload: payload.into_payload(),
            properties: vec![UserProperty::new("k", "v").unwrap().into()],
            qos: Qos::AtLeastOnce,
            retain: true,
            expires,
            origin: "daemon".into(),
            sender: Some("Ann".into()),
            of_host: false,
        };
        let message = Arc::new(message);
        let (qos, id) = (Qos::AtLeastOnce, Some(7));
        Delivery { message, qos, id, retain: true, again: false, identifiers: vec![5, 200] }
    }

    fn written(outbox: &mut Outbox) -> Vec<u8> {
        let mut bytes = Vec::new();
        while !outbox.is_empty() {
            let front = outbox.front().to_vec();
            let taken = front.len().min(1000);
            bytes.extend_from_slice(&front[..taken]);
            outbox.advance(taken);
        }
        bytes
    }

    #[test]
    fn a_message_has_its_properties_and_the_client_s_identifiers() {
        let now = Instant::now();
        let delivery = delivery(b"x", Some(now + Duration::from_millis(9500)));
        let mut outbox = Outbox::new(Version::V5, None, false);
        assert!(outbox.publish(&delivery, now));
        let expected = [
            &[0x33, 24, 0, 1, b'a', 0, 7, 17][..],
            &[0x26, 0, 1, b'k', 0, 1, b'v', 2, 0, 0, 0, 9, 0x0b, 5, 0x0b, 0xc8, 1],
            b"x",
        ];
        assert_eq!(written(&mut outbox), expected.concat());
        let mut outbox = Outbox::new(Version::V3, None, true);
        assert!(outbox.publish(&delivery, now));
        assert_eq!(written(&mut outbox), [0x33, 6, 0, 1, b'a', 0, 7, b'x']);
    }

    #[test]
    fn senders_are_named_to_those_who_are_to_know_and_cannot_be_forged() {
        let holds = |outbox: &mut Outbox, text: &str| {
            let bytes = written(outbox);
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        };
        let mut delivery = delivery(b"x", None);
        let forged = UserProperty::new(SENDER_PROPERTY, "Bob").unwrap().into();
        Arc::get_mut(&mut delivery.message).unwrap().properties.push(forged);
        let mut outbox = Outbox::new(Version::V5, None, true);
        outbox.publish(&delivery, Instant::now());
        let bytes = written(&mut outbox);
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("Ann") && !text.contains("Bob"));
        let mut outbox = Outbox::new(Version::V5, None, false);
        outbox.publish(&delivery, Instant::now());
        assert!(!holds(&mut outbox, "Ann"));
    }

    #[test]
    fn a_long_payload_is_written_from_where_it_is() {
        let payload = vec![b'x'; 100_000];
        let delivery = delivery(&payload, None);
        let mut outbox = Outbox::new(Version::V3, None, false);
        assert!(outbox.publish(&delivery, Instant::now()));
        assert!(!outbox.has_room() && outbox.head.len() < 20);
        assert_eq!(outbox.bytes(), payload.len());
        let bytes = written(&mut outbox);
        assert!(bytes.ends_with(&payload) && bytes.len() == payload.len() + 9);
        assert!(outbox.has_room() && outbox.bytes() == 0);
    }

    #[test]
    fn a_client_gets_no_packet_longer_than_it_takes() {
        let delivery = delivery(&[b'x'; 100], None);
        let mut outbox = Outbox::new(Version::V5, Some(100), false);
        assert!(!outbox.publish(&delivery, Instant::now()) && outbox.is_empty());
        let mut outbox = Outbox::new(Version::V5, Some(140), false);
        assert!(outbox.publish(&delivery, Instant::now()));
    }
}
