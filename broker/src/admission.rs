//! The first packet of a connection: reads it, finds out who is there, and lets the library know.
//! It serves nobody.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use mqtt5::broker::auth::{AuthProvider, AuthResult};
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::packet::{FixedHeader, MqttPacket, PacketType};
use mqtt5::protocol::v5::reason_codes::ReasonCode;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::access::{Access, Principal};
use crate::frames::{self, Frames};
use crate::limits::STRANGER_PACKET_BYTES;

const CONNECT: u8 = 0x10;

/// A CONNECT packet and the bytes it came in.
pub(crate) struct Connect {
    pub packet: ConnectPacket,
    /// The packet and whatever the client sent after it without waiting.
    pub bytes: Vec<u8>,
}

/// Reads the first packet; an error unless it is a CONNECT.
pub(crate) async fn read_connect(socket: &mut (impl AsyncRead + Unpin)) -> io::Result<Connect> {
    let mut frames = Frames::new(STRANGER_PACKET_BYTES);
    let mut bytes: Vec<u8> = Vec::new();
    let mut space = [0; 1024];
    loop {
        let count = socket.read(&mut space).await?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let fresh = space.get(..count).unwrap_or_default();
        let earlier = bytes.len();
        bytes.extend_from_slice(fresh);
        if bytes.first() != Some(&CONNECT) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the first packet is no CONNECT",
            ));
        }
        let step = frames.step(fresh).map_err(|_| invalid("a CONNECT of impossible length"))?;
        if step.ended {
            let packet = decode(bytes.get(..earlier + step.used).unwrap_or_default())?;
            return Ok(Connect { packet, bytes });
        }
    }
}

fn decode(packet: &[u8]) -> io::Result<ConnectPacket> {
    let mut body = frames::body(packet).unwrap_or_default();
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
    let header = FixedHeader::new(PacketType::Connect, 0, length);
    ConnectPacket::decode_body(&mut body, &header).map_err(invalid)
}

fn invalid(error: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

/// Whether a client wants its session kept when the connection ends.
pub(crate) fn wants_session_kept(connect: &ConnectPacket) -> bool {
    if connect.protocol_version >= 5 {
        connect.properties.get_session_expiry_interval().is_some_and(|seconds| seconds > 0)
    } else {
        !connect.clean_start
    }
}

/// What was found out about a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Admitted(Principal),
    /// Wrong user or password, or a guest where none are wanted.
    Unknown,
    /// The client id belongs to another user's session.
    IdTaken,
}

impl Verdict {
    /// The user's name, of one who was let in with one.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Admitted(who) => who.name(),
            Self::Unknown | Self::IdTaken => None,
        }
    }
}

/// One connection's rights, in the form the library asks for them.
pub(crate) struct Rights {
    pub access: Arc<dyn Access>,
    pub verdict: Verdict,
}

impl Rights {
    fn ask(&self, question: impl FnOnce(&dyn Access, &Principal) -> bool) -> bool {
        match &self.verdict {
            Verdict::Admitted(who) => question(&*self.access, who),
            Verdict::Unknown | Verdict::IdTaken => false,
        }
    }

    fn result(&self) -> AuthResult {
        match &self.verdict {
            Verdict::Admitted(Principal::User(name)) => AuthResult::success_with_user(name),
            Verdict::Admitted(Principal::Guest) => AuthResult::success(),
            Verdict::Unknown => AuthResult::fail(ReasonCode::BadUsernameOrPassword),
            Verdict::IdTaken => AuthResult::fail(ReasonCode::ClientIdentifierNotValid),
        }
    }
}

type Answer<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl AuthProvider for Rights {
    fn authenticate<'a>(
        &'a self,
        _: &'a ConnectPacket,
        _: SocketAddr,
    ) -> Answer<'a, mqtt5::Result<AuthResult>> {
        Box::pin(async { Ok(self.result()) })
    }

    fn authorize_publish<'a>(
        &'a self,
        _: &str,
        _: Option<&'a str>,
        topic: &'a str,
    ) -> Answer<'a, bool> {
        Box::pin(async move { self.ask(|access, who| access.may_publish(who, topic)) })
    }

    fn authorize_subscribe<'a>(
        &'a self,
        _: &str,
        _: Option<&'a str>,
        filter: &'a str,
    ) -> Answer<'a, bool> {
        let shared = filter.starts_with("$share/");
        Box::pin(
            async move { !shared && self.ask(|access, who| access.may_subscribe(who, filter)) },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3.1.1, clean session, keep-alive 60 s, client id "a".
    const PLAIN: [u8; 15] = [0x10, 13, 0, 4, b'M', b'Q', b'T', b'T', 4, 2, 0, 60, 0, 1, b'a'];

    #[tokio::test]
    async fn a_connect_is_read_with_what_follows_it() {
        let stream = [PLAIN.as_slice(), &[0xc0, 0]].concat();
        let connect = read_connect(&mut stream.as_slice()).await.unwrap();
        assert_eq!(connect.packet.client_id, "a");
        assert_eq!((connect.packet.protocol_version, connect.packet.keep_alive), (4, 60));
        assert_eq!(connect.bytes, stream);
        assert!(!wants_session_kept(&connect.packet));
    }

    #[tokio::test]
    async fn a_connect_may_come_in_pieces() {
        let (mut client, mut server) = tokio::io::duplex(3);
        let writer = tokio::spawn(async move {
            tokio::io::AsyncWriteExt::write_all(&mut client, &PLAIN).await.unwrap();
        });
        assert_eq!(read_connect(&mut server).await.unwrap().bytes, PLAIN);
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
            assert!(read_connect(&mut &*bytes).await.is_err(), "{bytes:x?}");
        }
    }
}
