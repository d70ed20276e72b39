//! A client that shows every packet: MQTT 3.1.1 and 5 spoken byte by byte over TCP, by WebSocket
//! or in memory.
//! It checks nothing of what it is told, and is no library.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Bytes, Message as Frame};

use super::{House, PATIENCE, Reached};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    Tcp,
    WebSocket,
    /// That of a client in the broker's own process.
    Inside,
}

/// Each door with each version.
pub const WAYS: [(Door, u8); 6] = [
    (Door::Tcp, 4),
    (Door::Tcp, 5),
    (Door::WebSocket, 4),
    (Door::WebSocket, 5),
    (Door::Inside, 4),
    (Door::Inside, 5),
];

#[derive(Clone)]
pub struct Login {
    pub id: String,
    pub user: Option<(&'static str, &'static str)>,
    pub clean: bool,
    pub keep_alive: u16,
    /// Version 5 only, in seconds.
    pub expiry: Option<u32>,
    /// Topic, payload, retained.
    pub will: Option<(&'static str, &'static str, bool)>,
    /// Version 5 only, in seconds.
    pub will_delay: Option<u8>,
    /// Version 5 only: more properties of CONNECT.
    pub properties: Vec<u8>,
}

impl Login {
    pub fn guest(id: &str) -> Self {
        Self {
            id: id.into(),
            user: None,
            clean: true,
            keep_alive: 60,
            expiry: None,
            will: None,
            will_delay: None,
            properties: Vec::new(),
        }
    }

    pub fn user(user: (&'static str, &'static str), id: &str) -> Self {
        Self { user: Some(user), ..Self::guest(id) }
    }

    /// With a session that outlives the connection.
    pub fn kept(self) -> Self {
        Self { clean: false, expiry: Some(600), ..self }
    }

    pub fn packet(&self, version: u8) -> Vec<u8> {
        let mut body = vec![0, 4, b'M', b'Q', b'T', b'T', version, self.flags()];
        body.extend(self.keep_alive.to_be_bytes());
        if version == 5 {
            let mut properties = self.properties.clone();
            if let Some(seconds) = self.expiry {
                properties.extend([&[0x11][..], &seconds.to_be_bytes()].concat());
            }
            body.push(u8::try_from(properties.len()).unwrap());
            body.extend(properties);
        }
        string(&mut body, self.id.as_bytes());
        if let Some((topic, payload, _)) = self.will {
            match self.will_delay {
                Some(seconds) => body.extend([5, 0x18, 0, 0, 0, seconds]),
                None if version == 5 => body.push(0),
                None => {}
            }
            string(&mut body, topic.as_bytes());
            string(&mut body, payload.as_bytes());
        }
        if let Some((user, password)) = self.user {
            string(&mut body, user.as_bytes());
            string(&mut body, password.as_bytes());
        }
        packet(0x10, &body)
    }

    fn flags(&self) -> u8 {
        let user = if self.user.is_some() { 0xc0 } else { 0 };
        let will = self.will.map_or(0, |(_, _, retain)| if retain { 0x24 } else { 0x04 });
        user | will | u8::from(self.clean) << 1
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub topic: String,
    pub payload: Vec<u8>,
    pub qos: u8,
    pub retain: bool,
    pub properties: Vec<u8>,
    pub id: u16,
}

enum Link {
    Tcp(TcpStream),
    WebSocket(Box<WebSocketStream<TcpStream>>),
    Inside(DuplexStream),
}

pub struct Client {
    link: Link,
    version: u8,
    /// The session was there before.
    pub present: bool,
    /// The whole packet.
    pub connack: Vec<u8>,
    /// Answer QoS 1 and 2 messages.
    pub acknowledges: bool,
    unread: Vec<u8>,
    messages: VecDeque<Message>,
    last_id: u16,
}

impl Client {
    pub async fn connect(house: &House, (door, version): (Door, u8), login: Login) -> Self {
        let refused = |code| panic!("{} refused with {code:#x}", login.id);
        Self::try_connect(house, (door, version), &login).await.unwrap_or_else(refused)
    }

    pub async fn reach(reached: Reached, way: (Door, u8), login: &Login) -> Self {
        let refused = |code| panic!("{} refused with {code:#x}", login.id);
        Self::try_reach(reached, way, login).await.unwrap_or_else(refused)
    }

    /// The error is the code in CONNACK.
    pub async fn try_connect(house: &House, way: (Door, u8), login: &Login) -> Result<Self, u8> {
        match way {
            (Door::Inside, version) => {
                let link = Link::Inside(house.broker.door().inside());
                Self::log_in(link, version, login).await
            }
            way => Self::try_reach(house.reached(), way, login).await,
        }
    }

    async fn try_reach(
        reached: Reached,
        (door, version): (Door, u8),
        login: &Login,
    ) -> Result<Self, u8> {
        let link = match door {
            Door::Tcp => Link::Tcp(connected(reached.tcp).await),
            Door::WebSocket => Link::WebSocket(Box::new(upgraded(reached.web).await)),
            Door::Inside => panic!("only whoever has the broker can connect inside"),
        };
        Self::log_in(link, version, login).await
    }

    async fn log_in(link: Link, version: u8, login: &Login) -> Result<Self, u8> {
        let mut client = Self {
            link,
            version,
            present: false,
            connack: Vec::new(),
            acknowledges: true,
            unread: Vec::new(),
            messages: VecDeque::new(),
            last_id: 0,
        };
        client.send(&login.packet(version)).await;
        let connack = client.packet().await.expect("a CONNACK");
        assert_eq!(connack[0], 0x20, "{connack:x?}");
        client.present = body(&connack)[0] == 1;
        client.connack = connack;
        match body(&client.connack)[1] {
            0 => Ok(client),
            code => Err(code),
        }
    }

    /// Returns the code in SUBACK; retained messages come after or before.
    pub async fn subscribe(&mut self, filter: &str, qos: u8) -> u8 {
        let id = self.begin_subscribe(filter, qos).await;
        let suback = self.answer(0x90, id).await;
        *suback.last().unwrap()
    }

    pub async fn begin_subscribe(&mut self, filter: &str, qos: u8) -> u16 {
        let id = self.next_id();
        let mut body = self.begin(id);
        string(&mut body, filter.as_bytes());
        body.push(qos);
        self.send(&packet(0x82, &body)).await;
        id
    }

    pub async fn unsubscribe(&mut self, filter: &str) {
        let id = self.next_id();
        let mut body = self.begin(id);
        string(&mut body, filter.as_bytes());
        self.send(&packet(0xa2, &body)).await;
        self.answer(0xb0, id).await;
    }

    /// Publishes and waits for the end of it; returns the last reason code, 0 in 3.1.1.
    pub async fn publish(&mut self, topic: &str, payload: &str, qos: u8, retain: bool) -> u8 {
        let id = self.next_id();
        self.send(&publish(self.version, topic, payload.as_bytes(), qos, retain, id)).await;
        let reason = |answer: Vec<u8>| body(&answer).get(2).copied().unwrap_or(0);
        match qos {
            0 => 0,
            1 => reason(self.answer(0x40, id).await),
            _ => {
                let received = reason(self.answer(0x50, id).await);
                if received < 0x80 {
                    self.send(&packet(0x62, &id.to_be_bytes())).await;
                    self.answer(0x70, id).await;
                }
                received
            }
        }
    }

    /// Publishes, and reads no answer.
    pub async fn send_publish(&mut self, topic: &str, payload: &str, qos: u8) {
        let id = self.next_id();
        self.send(&publish(self.version, topic, payload.as_bytes(), qos, false, id)).await;
    }

    /// Reads until so many packets of a kind have come. Messages among them are kept.
    pub async fn answers(&mut self, kind: u8, count: usize) {
        let mut left = count;
        while left > 0 {
            let packet = self.packet().await.expect("an answer");
            match packet[0] == kind {
                true => left -= 1,
                false => self.take(&packet).await,
            }
        }
    }

    /// The next message, acknowledged.
    pub async fn message(&mut self) -> Message {
        self.message_or_end().await.expect("the connection goes on")
    }

    pub async fn message_or_end(&mut self) -> Option<Message> {
        while self.messages.is_empty() {
            let packet = self.packet().await?;
            self.take(&packet).await;
        }
        self.messages.pop_front()
    }

    /// Messages up to and without the one on `topic`.
    pub async fn messages_before(&mut self, topic: &str) -> Vec<Message> {
        let mut messages = Vec::new();
        loop {
            let message = self.message().await;
            if message.topic == topic {
                return messages;
            }
            messages.push(message);
        }
    }

    pub async fn ping(&mut self) {
        self.send(&[0xc0, 0]).await;
        self.answer(0xd0, 0).await;
    }

    /// Leaves as one should.
    pub async fn leave(mut self) {
        self.send(&[0xe0, 0]).await;
        while self.message_or_end().await.is_some() {}
    }

    /// The next packet, or `None` when the broker has closed the connection.
    pub async fn packet(&mut self) -> Option<Vec<u8>> {
        timeout(PATIENCE, self.read_packet()).await.expect("the broker answers in time")
    }

    pub async fn send(&mut self, bytes: &[u8]) {
        match &mut self.link {
            Link::Tcp(socket) => socket.write_all(bytes).await.unwrap(),
            Link::Inside(stream) => stream.write_all(bytes).await.unwrap(),
            Link::WebSocket(socket) => {
                socket.send(Frame::Binary(Bytes::copy_from_slice(bytes))).await.unwrap();
            }
        }
    }

    fn next_id(&mut self) -> u16 {
        self.last_id += 1;
        self.last_id
    }

    fn begin(&self, id: u16) -> Vec<u8> {
        let mut body = id.to_be_bytes().to_vec();
        if self.version == 5 {
            body.push(0);
        }
        body
    }

    async fn answer(&mut self, kind: u8, id: u16) -> Vec<u8> {
        loop {
            let packet = self.packet().await.expect("an answer");
            if packet[0] == kind && (kind == 0xd0 || body(&packet)[..2] == id.to_be_bytes()) {
                return packet;
            }
            self.take(&packet).await;
        }
    }

    async fn take(&mut self, packet: &[u8]) {
        match packet[0] >> 4 {
            3 => {
                let message = self.read_message(packet);
                if self.acknowledges && message.qos > 0 {
                    let kind = if message.qos == 1 { 0x40 } else { 0x50 };
                    self.send(&super::client::packet(kind, &message.id.to_be_bytes())).await;
                }
                self.messages.push_back(message);
            }
            6 => {
                let id = body(packet)[..2].to_vec();
                self.send(&super::client::packet(0x70, &id)).await;
            }
            14 => {}
            _ => panic!("unexpected {packet:x?}"),
        }
    }

    fn read_message(&self, packet: &[u8]) -> Message {
        let (qos, body) = (packet[0] >> 1 & 3, body(packet));
        let (topic, mut rest) =
            body[2..].split_at(usize::from(body[0]) << 8 | usize::from(body[1]));
        let mut id = 0;
        if qos > 0 {
            id = u16::from_be_bytes([rest[0], rest[1]]);
            rest = &rest[2..];
        }
        let mut properties = Vec::new();
        if self.version == 5 {
            assert!(rest[0] < 128, "more properties than this client can read");
            properties = rest[1..=usize::from(rest[0])].to_vec();
            rest = &rest[1 + properties.len()..];
        }
        let topic = String::from_utf8(topic.to_vec()).unwrap();
        let retain = packet[0] & 1 == 1;
        Message { topic, payload: rest.to_vec(), qos, retain, properties, id }
    }

    async fn read_packet(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(length) = packet_length(&self.unread) {
                let rest = self.unread.split_off(length);
                return Some(std::mem::replace(&mut self.unread, rest));
            }
            match &mut self.link {
                Link::Tcp(socket) => match socket.read_buf(&mut self.unread).await {
                    Ok(0) | Err(_) => return None,
                    Ok(_) => {}
                },
                Link::Inside(stream) => match stream.read_buf(&mut self.unread).await {
                    Ok(0) | Err(_) => return None,
                    Ok(_) => {}
                },
                Link::WebSocket(socket) => match socket.next().await {
                    Some(Ok(Frame::Binary(bytes))) => self.unread.extend(bytes),
                    Some(Ok(Frame::Close(_)) | Err(_)) | None => return None,
                    Some(Ok(_)) => {}
                },
            }
        }
    }
}

/// An upgraded connection that has not said anything.
pub async fn websocket(house: &House) -> WebSocketStream<TcpStream> {
    upgraded(house.web).await
}

/// As a screen or a daemon does it: else each of its packets waits until the one before it was
/// confirmed, 40 ms where nothing else is said.
async fn connected(address: SocketAddr) -> TcpStream {
    let socket = TcpStream::connect(address).await.unwrap();
    socket.set_nodelay(true).unwrap();
    socket
}

async fn upgraded(web: SocketAddr) -> WebSocketStream<TcpStream> {
    let mut request = format!("ws://{web}/mqtt").into_client_request().unwrap();
    request.headers_mut().insert("Sec-WebSocket-Protocol", "mqtt".parse().unwrap());
    let socket = connected(web).await;
    let opening = tokio_tungstenite::client_async(request, socket);
    let (socket, response) =
        timeout(Duration::from_secs(10), opening).await.expect("upgraded in time").unwrap();
    assert_eq!(response.headers()["Sec-WebSocket-Protocol"], "mqtt");
    socket
}

pub fn publish(v: u8, topic: &str, payload: &[u8], qos: u8, retain: bool, id: u16) -> Vec<u8> {
    let mut body = Vec::new();
    string(&mut body, topic.as_bytes());
    if qos > 0 {
        body.extend(id.to_be_bytes());
    }
    if v == 5 {
        body.push(0);
    }
    body.extend(payload);
    packet(0x30 | qos << 1 | u8::from(retain), &body)
}

pub fn packet(first: u8, body: &[u8]) -> Vec<u8> {
    let mut packet = vec![first];
    let mut left = body.len();
    loop {
        let low = u8::try_from(left % 128).unwrap();
        left /= 128;
        packet.push(low | if left > 0 { 0x80 } else { 0 });
        if left == 0 {
            break;
        }
    }
    packet.extend(body);
    packet
}

pub fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(u16::try_from(bytes.len()).unwrap().to_be_bytes());
    out.extend(bytes);
}

fn header_length(bytes: &[u8]) -> Option<usize> {
    Some(2 + bytes.iter().skip(1).position(|byte| byte & 0x80 == 0)?)
}

fn body(packet: &[u8]) -> &[u8] {
    &packet[header_length(packet).unwrap()..]
}

fn packet_length(bytes: &[u8]) -> Option<usize> {
    let header = header_length(bytes)?;
    let length = bytes[1..header].iter().rev();
    let length = length.fold(0, |sum, byte| sum << 7 | usize::from(byte & 0x7f));
    (bytes.len() >= header + length).then_some(header + length)
}
