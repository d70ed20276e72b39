//! Packets of both versions, read into one form and written from it. The bytes are the business
//! of `mqtt-protocol-core`; here stands what that library lets pass and the standard does not.

use std::sync::Arc;

use mqtt_protocol_core::mqtt::ArcPayload;
use mqtt_protocol_core::mqtt::packet::{
    DecodeResult, Property, Qos, RetainHandling, SubEntry, VariableByteInteger, v3_1_1, v5_0,
};
use mqtt_protocol_core::mqtt::result_code::{
    DisconnectReasonCode as Reason, MqttError, PubrecReasonCode,
};

use crate::filter;

/// The version a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    V3,
    V5,
}

/// What a client sends once it is connected.
#[derive(Debug)]
pub(crate) enum Inbound {
    Publish(Publish),
    Puback(u16),
    /// Refused: the delivery ends with it.
    Pubrec {
        id: u16,
        refused: bool,
    },
    Pubrel(u16),
    Pubcomp(u16),
    Subscribe(Subscribe),
    Unsubscribe {
        id: u16,
        filters: Vec<String>,
    },
    Ping,
    /// `with_will`: the will is to be published all the same.
    Disconnect {
        with_will: bool,
        expiry: Option<u32>,
    },
}

#[derive(Debug)]
pub(crate) struct Publish {
    /// Empty: an alias stands for it.
    pub topic: String,
    pub alias: Option<u16>,
    pub payload: ArcPayload,
    pub qos: Qos,
    pub id: u16,
    pub retain: bool,
    /// Seconds until it is out of date.
    pub expiry: Option<u32>,
    /// The other properties, as they came.
    pub properties: Vec<Property>,
}

#[derive(Debug)]
pub(crate) struct Subscribe {
    pub id: u16,
    pub identifier: Option<u32>,
    pub filters: Vec<Wish>,
}

/// A filter and how its messages are wanted.
#[derive(Debug)]
pub(crate) struct Wish {
    pub filter: String,
    pub qos: Qos,
    pub no_local: bool,
    pub retain_as_published: bool,
    pub handling: RetainHandling,
}

/// The length of the packet that begins here, its header's length first. Nothing yet: `None`.
pub(crate) fn lengths(bytes: &[u8]) -> Result<Option<(usize, usize)>, Reason> {
    let Some((_, rest)) = bytes.split_first() else { return Ok(None) };
    match VariableByteInteger::decode_stream(rest) {
        DecodeResult::Ok(length, used) => {
            let body = usize::try_from(length.to_u32()).unwrap_or(usize::MAX);
            Ok(Some((1 + used, body.saturating_add(1 + used))))
        }
        DecodeResult::Incomplete => Ok(None),
        DecodeResult::Err(_) => Err(Reason::MalformedPacket),
    }
}

/// Whether a packet that begins so acknowledges something.
pub(crate) fn acknowledges(first: u8) -> bool {
    matches!(first >> 4, 4 | 5 | 7)
}

/// Reads a packet that is no CONNECT.
pub(crate) fn decode(version: Version, first: u8, body: &[u8]) -> Result<Inbound, Reason> {
    check_flags(first)?;
    let inbound = match (first >> 4, version) {
        (4..=7, Version::V3) if body.len() != 2 => return Err(Reason::MalformedPacket),
        (3, _) => Inbound::Publish(publish(version, first & 0xf, body)?),
        (4, Version::V3) => Inbound::Puback(whole(v3_1_1::Puback::parse, body)?.packet_id()),
        (4, Version::V5) => Inbound::Puback(whole(v5_0::Puback::parse, body)?.packet_id()),
        (5, Version::V3) => {
            let id = whole(v3_1_1::Pubrec::parse, body)?.packet_id();
            Inbound::Pubrec { id, refused: false }
        }
        (5, Version::V5) => {
            let pubrec = whole(v5_0::Pubrec::parse, body)?;
            let refused = pubrec.reason_code().is_some_and(|code| {
                !matches!(code, PubrecReasonCode::Success | PubrecReasonCode::NoMatchingSubscribers)
            });
            Inbound::Pubrec { id: pubrec.packet_id(), refused }
        }
        (6, Version::V3) => Inbound::Pubrel(whole(v3_1_1::Pubrel::parse, body)?.packet_id()),
        (6, Version::V5) => Inbound::Pubrel(whole(v5_0::Pubrel::parse, body)?.packet_id()),
        (7, Version::V3) => Inbound::Pubcomp(whole(v3_1_1::Pubcomp::parse, body)?.packet_id()),
        (7, Version::V5) => Inbound::Pubcomp(whole(v5_0::Pubcomp::parse, body)?.packet_id()),
        (8, _) => Inbound::Subscribe(subscribe(version, body)?),
        (10, _) => unsubscribe(version, body)?,
        (12, _) if body.is_empty() => Inbound::Ping,
        (12, _) => return Err(Reason::MalformedPacket),
        (14, _) => disconnect(version, body)?,
        _ => return Err(Reason::ProtocolError),
    };
    match id(&inbound) {
        Some(0) => Err(Reason::MalformedPacket),
        _ => Ok(inbound),
    }
}

/// The lower half of the first byte is fixed for all packets but PUBLISH.
fn check_flags(first: u8) -> Result<(), Reason> {
    let fixed = match first >> 4 {
        // A message that is sent once is not sent again.
        3 if first & 0b0110 == 0 && first & 0b1000 != 0 => return Err(Reason::MalformedPacket),
        3 => return Ok(()),
        6 | 8 | 10 => 0b0010,
        _ => 0,
    };
    if first & 0xf == fixed { Ok(()) } else { Err(Reason::MalformedPacket) }
}

fn id(inbound: &Inbound) -> Option<u16> {
    match inbound {
        Inbound::Publish(publish) if publish.qos == Qos::AtMostOnce => None,
        Inbound::Publish(Publish { id, .. })
        | Inbound::Subscribe(Subscribe { id, .. })
        | Inbound::Puback(id)
        | Inbound::Pubrec { id, .. }
        | Inbound::Pubrel(id)
        | Inbound::Pubcomp(id)
        | Inbound::Unsubscribe { id, .. } => Some(*id),
        Inbound::Ping | Inbound::Disconnect { .. } => None,
    }
}

/// Reads a body to its end.
pub(crate) fn whole<T>(
    parse: impl FnOnce(&[u8]) -> Result<(T, usize), MqttError>,
    body: &[u8],
) -> Result<T, Reason> {
    match parse(body) {
        Ok((packet, used)) if used == body.len() => Ok(packet),
        Ok(_) => Err(Reason::MalformedPacket),
        Err(error) => Err(reason(error)),
    }
}

fn reason(error: MqttError) -> Reason {
    match error.into() {
        Reason::UnspecifiedError => Reason::MalformedPacket,
        reason => reason,
    }
}

/// Text of MQTT has no NUL.
pub(crate) fn text(text: &str) -> Result<String, Reason> {
    if text.contains('\0') { Err(Reason::MalformedPacket) } else { Ok(text.to_owned()) }
}

fn publish(version: Version, flags: u8, body: &[u8]) -> Result<Publish, Reason> {
    let body: Arc<[u8]> = body.into();
    let mut publish = match version {
        Version::V3 => {
            let (it, _) = v3_1_1::Publish::parse(flags, body).map_err(reason)?;
            Publish {
                topic: text(it.topic_name())?,
                alias: None,
                payload: it.payload().clone(),
                qos: it.qos(),
                id: it.packet_id().unwrap_or(0),
                retain: it.retain(),
                expiry: None,
                properties: Vec::new(),
            }
        }
        Version::V5 => {
            let (it, _) = v5_0::Publish::parse(flags, body).map_err(reason)?;
            Publish {
                topic: text(it.topic_name())?,
                alias: None,
                payload: it.payload().clone(),
                qos: it.qos(),
                id: it.packet_id().unwrap_or(0),
                retain: it.retain(),
                expiry: None,
                properties: it.props().clone(),
            }
        }
    };
    sort_properties(&mut publish)?;
    if publish.topic.contains(['+', '#']) {
        return Err(Reason::TopicNameInvalid);
    }
    if publish.topic.is_empty() && publish.alias.is_none() {
        return Err(Reason::ProtocolError);
    }
    Ok(publish)
}

/// Takes out the properties that are for us.
fn sort_properties(publish: &mut Publish) -> Result<(), Reason> {
    let mut passed = Vec::new();
    for property in std::mem::take(&mut publish.properties) {
        check_property(&property)?;
        match property {
            Property::TopicAlias(alias) => publish.alias = Some(alias.val()),
            Property::MessageExpiryInterval(seconds) => publish.expiry = Some(seconds.val()),
            Property::SubscriptionIdentifier(_) => return Err(Reason::ProtocolError),
            property => passed.push(property),
        }
    }
    publish.properties = passed;
    Ok(())
}

/// Texts in properties of a message.
pub(crate) fn check_property(property: &Property) -> Result<(), Reason> {
    match property {
        Property::ContentType(it) => text(it.val()).map(drop),
        Property::UserProperty(it) => text(it.key()).and(text(it.val())).map(drop),
        Property::ResponseTopic(it) if filter::is_topic(it.val()) => text(it.val()).map(drop),
        Property::ResponseTopic(_) => Err(Reason::ProtocolError),
        _ => Ok(()),
    }
}

fn subscribe(version: Version, body: &[u8]) -> Result<Subscribe, Reason> {
    let (id, entries, properties) = match version {
        Version::V3 => {
            let it = whole(v3_1_1::Subscribe::parse, body)?;
            let plain = |entry: &SubEntry| {
                let options = entry.sub_opts();
                !options.nl() && !options.rap() && options.rh() == RetainHandling::SendRetained
            };
            if !it.entries().iter().all(plain) {
                return Err(Reason::MalformedPacket);
            }
            (it.packet_id(), it.entries().clone(), Vec::new())
        }
        Version::V5 => {
            let it = whole(v5_0::Subscribe::parse, body)?;
            (it.packet_id(), it.entries().clone(), it.props().clone())
        }
    };
    let mut identifier = None;
    for property in &properties {
        check_property(property)?;
        if let Property::SubscriptionIdentifier(it) = property
            && (it.val() == 0 || identifier.replace(it.val()).is_some())
        {
            return Err(Reason::ProtocolError);
        }
    }
    let filters = entries.iter().map(wish).collect::<Result<_, _>>()?;
    Ok(Subscribe { id, identifier, filters })
}

fn wish(entry: &SubEntry) -> Result<Wish, Reason> {
    let options = entry.sub_opts();
    let filter = text(entry.topic_filter())?;
    if options.nl() && filter.starts_with("$share/") {
        return Err(Reason::ProtocolError);
    }
    Ok(Wish {
        filter,
        qos: options.qos(),
        no_local: options.nl(),
        retain_as_published: options.rap(),
        handling: options.rh(),
    })
}

fn unsubscribe(version: Version, body: &[u8]) -> Result<Inbound, Reason> {
    let (id, entries): (u16, Vec<String>) = match version {
        Version::V3 => {
            let it = whole(v3_1_1::Unsubscribe::parse, body)?;
            (it.packet_id(), it.entries().iter().map(|it| it.as_str().to_owned()).collect())
        }
        Version::V5 => {
            let it = whole(v5_0::Unsubscribe::parse, body)?;
            (it.packet_id(), it.entries().iter().map(|it| it.as_str().to_owned()).collect())
        }
    };
    let filters = entries.iter().map(|it| text(it)).collect::<Result<_, _>>()?;
    Ok(Inbound::Unsubscribe { id, filters })
}

fn disconnect(version: Version, body: &[u8]) -> Result<Inbound, Reason> {
    if version == Version::V3 {
        return match body {
            [] => Ok(Inbound::Disconnect { with_will: false, expiry: None }),
            _ => Err(Reason::MalformedPacket),
        };
    }
    let it = whole(v5_0::Disconnect::parse, body)?;
    let with_will = !matches!(it.reason_code(), None | Some(Reason::NormalDisconnection));
    let expiry = it.props().iter().flatten().find_map(|property| match property {
        Property::SessionExpiryInterval(seconds) => Some(seconds.val()),
        _ => None,
    });
    Ok(Inbound::Disconnect { with_will, expiry })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn v5(first: u8, body: &[u8]) -> Result<Inbound, Reason> {
        decode(Version::V5, first, body)
    }

    #[test]
    fn lengths_are_found_as_they_come() {
        assert_eq!(lengths(&[]), Ok(None));
        assert_eq!(lengths(&[0x30]), Ok(None));
        assert_eq!(lengths(&[0x30, 0x80]), Ok(None));
        assert_eq!(lengths(&[0x30, 0x80, 1]), Ok(Some((3, 131))));
        assert_eq!(lengths(&[0xc0, 0]), Ok(Some((2, 2))));
        assert_eq!(lengths(&[0x30, 0x80, 0x80, 0x80, 0x80]), Err(Reason::MalformedPacket));
    }

    #[test]
    fn what_the_standard_forbids_is_malformed() {
        for (first, body) in [
            (0x36, &[0, 1, b'a', 0, 1, 0][..]),   // QoS 3
            (0x38, &[0, 1, b'a', 0]),             // sent again at QoS 0
            (0x32, &[0, 1, b'a', 0, 0, 0]),       // packet id 0
            (0x30, &[0, 1, 0, 0]),                // NUL in the topic
            (0x30, &[0, 1, 0xff, 0]),             // no UTF-8
            (0x30, &[0, 9, b'a']),                // shorter than it says
            (0x80, &[0, 1, 0, 0, 1, b'a', 0]),    // reserved flags
            (0x82, &[0, 0, 0, 0, 1, b'a', 0]),    // packet id 0
            (0x82, &[0, 1, 0, 0, 1, b'a', 3]),    // QoS 3
            (0x82, &[0, 1, 0, 0, 1, b'a', 0x40]), // reserved options
            (0x82, &[0, 1, 0, 0, 1, b'a', 0x30]), // retain handling 3
            (0xa0, &[0, 1, 0, 0, 1, b'a']),
            (0xa2, &[0, 0, 0, 0, 1, b'a']),
            (0x40, &[0, 0]),
            (0x42, &[0, 1]),
            (0x60, &[0, 1]),
            (0x50, &[0]),
            (0xc1, &[]),
            (0xc0, &[0]),
            (0xe1, &[]),
            (0xe0, &[0xff]),
        ] {
            let outcome = v5(first, body).map(|_| ());
            assert_eq!(outcome, Err(Reason::MalformedPacket), "{first:x} {body:x?}");
        }
    }

    #[test]
    fn what_breaks_the_protocol_is_said_so() {
        for (first, body) in [
            (0x30, &[0, 0, 0][..]),                              // neither topic nor alias
            (0x30, &[0, 1, b'a', 2, 0x0b, 1]),                   // identifier from a client
            (0x30, &[0, 1, b'a', 5, 0x11, 0, 0, 0, 1]),          // of CONNECT
            (0x30, &[0, 1, b'a', 4, 1, 0, 1, 0]),                // twice
            (0x30, &[0, 1, b'a', 4, 8, 0, 1, b'#']),             // answers go to topics
            (0x82, &[0, 1, 2, 0x0b, 0, 0, 1, b'a', 0]),          // identifier 0
            (0x82, &[0, 1, 4, 0x0b, 1, 0x0b, 2, 0, 1, b'a', 0]), // two identifiers
            (0x82, &[0, 1, 0]),                                  // no filter
            (0xa2, &[0, 1, 0]),
            (0x20, &[0, 0, 0]),
            (0xd0, &[]),
            (0x00, &[]),
        ] {
            let outcome = v5(first, body).map(|_| ());
            assert_eq!(outcome, Err(Reason::ProtocolError), "{first:x} {body:x?}");
        }
        assert_eq!(v5(0x30, &[0, 1, b'#', 0]).map(|_| ()), Err(Reason::TopicNameInvalid));
    }

    #[test]
    fn version_3_has_no_options_and_no_reasons() {
        let v3 = |first, body: &[u8]| decode(Version::V3, first, body).map(|_| ());
        assert_eq!(v3(0x82, &[0, 1, 0, 1, b'a', 4]), Err(Reason::MalformedPacket));
        assert_eq!(v3(0xe0, &[0]), Err(Reason::MalformedPacket));
        assert_eq!(v3(0x40, &[0, 1, 0]), Err(Reason::MalformedPacket));
        assert_eq!(v3(0x82, &[0, 1, 0, 1, b'a', 2]), Ok(()));
    }

    #[test]
    fn a_message_is_read_with_its_properties() {
        let body = [0, 1, b'a', 0, 7, 10, 2, 0, 0, 0, 9, 1, 1, 0x23, 0, 3, b'x'];
        let Ok(Inbound::Publish(publish)) = v5(0x33, &body) else { panic!("a message") };
        assert_eq!((publish.topic.as_str(), publish.id, publish.retain), ("a", 7, true));
        assert_eq!((publish.alias, publish.expiry), (Some(3), Some(9)));
        assert_eq!(publish.properties.len(), 1, "the format of the payload is passed on");
        assert_eq!(publish.payload.as_slice(), b"x");
    }

    proptest! {
        #[test]
        fn no_packet_makes_it_panic(
            first in any::<u8>(),
            body in proptest::collection::vec(any::<u8>(), 0..80),
        ) {
            for version in [Version::V3, Version::V5] {
                let _ = decode(version, first, &body);
            }
        }
    }
}
