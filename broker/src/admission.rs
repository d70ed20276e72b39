//! The first packet of a connection. It serves nobody.

use std::io;

use mqtt_protocol_core::mqtt::ArcPayload;
use mqtt_protocol_core::mqtt::IntoPayload;
use mqtt_protocol_core::mqtt::packet::{Property, Qos, v3_1_1, v5_0};
use mqtt_protocol_core::mqtt::result_code::{
    ConnectReasonCode as Code, DisconnectReasonCode as Reason,
};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::codec::{self, Version};
use crate::filter;
use crate::limits::{INBOUND_BYTES, STRANGER_PACKET_BYTES};

const CONNECT: u8 = 0x10;

/// What a client asks for.
#[derive(Debug)]
pub(crate) struct Connect {
    pub version: Version,
    pub client_id: String,
    pub clean: bool,
    /// Seconds; 0: never to be cut for its silence.
    pub keep_alive: u16,
    /// Seconds its session is to outlive the connection.
    pub expiry: u32,
    /// Messages of QoS 1 and 2 it takes at a time.
    pub receive_maximum: u16,
    /// The longest packet it takes, in bytes.
    pub maximum_packet: Option<u32>,
    /// It wants to prove who it is in a way of its own.
    pub authenticates: bool,
    pub user: Option<String>,
    pub password: Option<Vec<u8>>,
    pub will: Option<Will>,
    /// What it sent after the packet without waiting.
    pub rest: Vec<u8>,
}

/// What is to be published for a client that vanishes.
#[derive(Clone, Debug)]
pub(crate) struct Will {
    pub topic: String,
    pub payload: ArcPayload,
    pub qos: Qos,
    pub retain: bool,
    /// Seconds.
    pub delay: u32,
    pub expiry: Option<u32>,
    pub properties: Vec<Property>,
}

/// A CONNECT that is no good, and how to answer it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub version: Version,
    pub code: Code,
}

/// Why there is no client.
#[derive(Debug)]
pub(crate) enum Unread {
    /// Nothing that could be answered.
    NoClient(io::Error),
    Refused(Refusal),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::NoClient(error)
    }
}

/// Reads the first packet; an error unless it is a CONNECT.
pub(crate) async fn read_connect(socket: &mut (impl AsyncRead + Unpin)) -> Result<Connect, Unread> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut space = [0; INBOUND_BYTES];
    loop {
        let count = socket.read(&mut space).await?;
        if count == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        bytes.extend_from_slice(space.get(..count).unwrap_or_default());
        if bytes.first() != Some(&CONNECT) {
            return Err(invalid("the first packet is no CONNECT").into());
        }
        let lengths = codec::lengths(&bytes);
        let lengths = lengths.map_err(|_| invalid("a CONNECT of impossible length"))?;
        match lengths {
            Some((_, length)) if length > STRANGER_PACKET_BYTES => {
                return Err(invalid("a CONNECT of impossible length").into());
            }
            Some((header, length)) if bytes.len() >= length => {
                let rest = bytes.split_off(length);
                let connect = decode(bytes.get(header..).unwrap_or_default())?;
                return Ok(Connect { rest, ..connect });
            }
            _ => {}
        }
    }
}

fn invalid(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

fn decode(body: &[u8]) -> Result<Connect, Unread> {
    let refuse = |version, code| Err(Unread::Refused(Refusal { version, code }));
    // The name and the level of the protocol stand first in every version.
    let version = match body.first_chunk::<7>() {
        Some([0, 4, b'M', b'Q', b'T', b'T', 4]) => Version::V3,
        Some([0, 4, b'M', b'Q', b'T', b'T', 5]) => Version::V5,
        Some([0, 4, b'M', b'Q', b'T', b'T', _] | [0, 6, b'M', b'Q', b'I', b's', b'd']) => {
            return refuse(Version::V3, Code::UnsupportedProtocolVersion);
        }
        _ => return Err(invalid("another protocol").into()),
    };
    let read = match (check_flags(body), version) {
        (Err(reason), _) => Err(reason),
        (Ok(()), Version::V3) => codec::whole(v3_1_1::Connect::parse, body).and_then(of_version_3),
        (Ok(()), Version::V5) => codec::whole(v5_0::Connect::parse, body).and_then(of_version_5),
    };
    match read {
        Ok(connect) if connect.authenticates => refuse(version, Code::BadAuthenticationMethod),
        Ok(connect) => Ok(connect),
        // 3.1.1 has no words for it.
        Err(_) if version == Version::V3 => Err(invalid("a malformed CONNECT").into()),
        Err(Reason::ProtocolError) => refuse(version, Code::ProtocolError),
        Err(Reason::TopicNameInvalid) => refuse(version, Code::TopicNameInvalid),
        Err(_) => refuse(version, Code::MalformedPacket),
    }
}

/// Reserved bits, and a will that is none.
fn check_flags(body: &[u8]) -> Result<(), Reason> {
    let flags = body.get(7).copied().unwrap_or(1);
    let will = flags & 0b0000_0100 != 0;
    let good =
        flags & 1 == 0 && (will || flags & 0b0011_1000 == 0) && flags & 0b0001_1000 != 0b0001_1000;
    if good { Ok(()) } else { Err(Reason::MalformedPacket) }
}

fn of_version_3(it: v3_1_1::Connect) -> Result<Connect, Reason> {
    let (qos, retain) = (it.will_qos(), it.will_retain());
    let will = it.will_topic().map(|topic| will(topic, it.will_payload(), qos, retain));
    let connect = Connect {
        version: Version::V3,
        client_id: codec::text(it.client_id())?,
        clean: it.clean_session(),
        keep_alive: it.keep_alive(),
        expiry: if it.clean_session() { 0 } else { u32::MAX },
        receive_maximum: u16::MAX,
        maximum_packet: None,
        authenticates: false,
        user: it.user_name().map(codec::text).transpose()?,
        password: it.password().map(<[u8]>::to_vec),
        will,
        rest: Vec::new(),
    };
    checked(connect)
}

fn of_version_5(it: v5_0::Connect) -> Result<Connect, Reason> {
    let (qos, retain) = (it.will_qos(), it.will_retain());
    let will = it.will_topic().map(|topic| Will {
        properties: it.will_props().clone(),
        ..will(topic, it.will_payload(), qos, retain)
    });
    let mut connect = Connect {
        version: Version::V5,
        client_id: codec::text(it.client_id())?,
        clean: it.clean_start(),
        keep_alive: it.keep_alive(),
        expiry: 0,
        receive_maximum: u16::MAX,
        maximum_packet: None,
        authenticates: false,
        user: it.user_name().map(codec::text).transpose()?,
        password: it.password().map(<[u8]>::to_vec),
        will,
        rest: Vec::new(),
    };
    for property in it.props() {
        codec::check_property(property)?;
        match property {
            Property::SessionExpiryInterval(it) => connect.expiry = it.val(),
            Property::ReceiveMaximum(it) if it.val() == 0 => return Err(Reason::ProtocolError),
            Property::ReceiveMaximum(it) => connect.receive_maximum = it.val(),
            Property::MaximumPacketSize(it) if it.val() == 0 => return Err(Reason::ProtocolError),
            Property::MaximumPacketSize(it) => connect.maximum_packet = Some(it.val()),
            Property::AuthenticationMethod(_) => connect.authenticates = true,
            Property::AuthenticationData(_) if !connect.authenticates => {
                return Err(Reason::ProtocolError);
            }
            _ => {}
        }
    }
    checked(connect)
}

/// As both versions have it.
fn will(topic: &str, payload: Option<&[u8]>, qos: Qos, retain: bool) -> Will {
    Will {
        topic: topic.to_owned(),
        payload: payload.unwrap_or_default().into_payload(),
        qos,
        retain,
        delay: 0,
        expiry: None,
        properties: Vec::new(),
    }
}

fn checked(mut connect: Connect) -> Result<Connect, Reason> {
    let Some(will) = &mut connect.will else { return Ok(connect) };
    codec::text(&will.topic)?;
    if !filter::is_topic(&will.topic) {
        return Err(Reason::TopicNameInvalid);
    }
    let mut passed = Vec::new();
    for property in std::mem::take(&mut will.properties) {
        codec::check_property(&property)?;
        match property {
            Property::WillDelayInterval(it) => will.delay = it.val(),
            Property::MessageExpiryInterval(it) => will.expiry = Some(it.val()),
            property => passed.push(property),
        }
    }
    will.properties = passed;
    Ok(connect)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3.1.1, clean session, keep-alive 60 s, client id "a".
    const PLAIN: [u8; 15] = [0x10, 13, 0, 4, b'M', b'Q', b'T', b'T', 4, 2, 0, 60, 0, 1, b'a'];

    #[tokio::test]
    async fn a_connect_is_read_and_what_follows_it_kept() {
        let stream = [PLAIN.as_slice(), &[0xc0, 0]].concat();
        let connect = read_connect(&mut stream.as_slice()).await.unwrap();
        assert_eq!((connect.client_id.as_str(), connect.keep_alive), ("a", 60));
        assert_eq!((connect.version, connect.clean, connect.expiry), (Version::V3, true, 0));
        assert_eq!(connect.rest, [0xc0, 0]);
    }

    #[tokio::test]
    async fn a_connect_may_come_in_pieces() {
        let (mut client, mut server) = tokio::io::duplex(3);
        let writer = tokio::spawn(async move {
            tokio::io::AsyncWriteExt::write_all(&mut client, &PLAIN).await.unwrap();
        });
        assert_eq!(read_connect(&mut server).await.unwrap().client_id, "a");
        writer.await.unwrap();
    }

    #[tokio::test]
    async fn anything_else_is_refused_at_once() {
        for bytes in [
            b"GET / HTTP/1.1\r\n".as_slice(),
            &[0xc0, 0],
            &[0x10, 0xff, 0xff, 0xff, 0x7f],
            &[0x10, 0x80, 0x80, 0x80, 0x80, 0x80],
            &[0x10, 0],
            &[0x10, 3, 0, 9, b'M'],
            &PLAIN[..10],
            &[],
        ] {
            let outcome = read_connect(&mut &*bytes).await;
            assert!(matches!(outcome, Err(Unread::NoClient(_))), "{bytes:x?}");
        }
    }

    fn v5(flags: u8, properties: &[u8], payload: &[u8]) -> Vec<u8> {
        let mut body = vec![0, 4, b'M', b'Q', b'T', b'T', 5, flags, 0, 60];
        body.push(u8::try_from(properties.len()).unwrap());
        body.extend(properties);
        body.extend(payload);
        body
    }

    fn code(body: &[u8]) -> Option<Code> {
        match decode(body) {
            Err(Unread::Refused(refusal)) => Some(refusal.code),
            _ => None,
        }
    }

    #[test]
    fn what_version_5_forbids_is_answered_in_its_words() {
        let id = &[0, 1, b'a'][..];
        for (body, expected) in [
            (v5(3, &[], id), Code::MalformedPacket),    // reserved bit
            (v5(0x0a, &[], id), Code::MalformedPacket), // QoS of no will
            (v5(0x1e, &[], id), Code::MalformedPacket), // will of QoS 3
            (v5(2, &[], &[0, 1, 0]), Code::MalformedPacket), // NUL
            (v5(2, &[], &[0, 1, b'a', 9]), Code::MalformedPacket), // goes on
            (v5(2, &[0x21, 0, 0], id), Code::ProtocolError), // Receive Maximum 0
            (v5(2, &[0x27, 0, 0, 0, 0], id), Code::ProtocolError), // packets of 0 bytes
            (v5(2, &[0x21, 0, 1, 0x21, 0, 1], id), Code::ProtocolError),
            (v5(2, &[0x0b, 1], id), Code::ProtocolError), // of SUBSCRIBE
            (v5(2, &[0x15, 0, 1, b'x'], id), Code::BadAuthenticationMethod),
            (v5(6, &[], &[0, 1, b'a', 0, 0, 1, b'#', 0, 0]), Code::TopicNameInvalid),
        ] {
            assert_eq!(code(&body), Some(expected), "{body:x?}");
        }
        assert!(decode(&v5(2, &[], id)).is_ok());
        let other = [0, 4, b'M', b'Q', b'T', b'T', 6, 2, 0, 0, 0, 0, 1, b'a'];
        assert_eq!(code(&other), Some(Code::UnsupportedProtocolVersion));
        let old = [0, 6, b'M', b'Q', b'I', b's', b'd', b'p', 3, 2, 0, 60, 0, 1, b'a'];
        assert_eq!(code(&old), Some(Code::UnsupportedProtocolVersion));
    }

    #[test]
    fn a_will_is_read_with_its_properties() {
        let properties = [10, 0x18, 0, 0, 0, 5, 2, 0, 0, 0, 9];
        let payload = [&[0, 1, b'a'][..], &properties, &[0, 1, b't', 0, 1, b'x']].concat();
        let will = decode(&v5(0x2e, &[], &payload)).unwrap().will.unwrap();
        assert_eq!((will.topic.as_str(), will.payload.as_slice()), ("t", b"x".as_slice()));
        assert_eq!((will.qos, will.retain), (Qos::AtLeastOnce, true));
        assert_eq!((will.delay, will.expiry, will.properties.len()), (5, Some(9), 0));
    }
}
