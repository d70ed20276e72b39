//! Hundreds of connections that are no MQTT and packets that claim to be huge: the broker goes
//! on and its memory stays. Alone in its file because it measures the whole process.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and tell")]

mod common;

use common::client::{Client, Door, Login, WAYS};
use common::{DAEMON, House, resident_bytes, until};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

/// The same noise on every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.to_be_bytes()[0]
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// A CONNECT of 256 MB, as far as the broker lets us.
async fn pour(house: &House) -> usize {
    let mut socket = TcpStream::connect(house.tcp).await.unwrap();
    let mut sent = 0;
    let mut piece = vec![0x10, 0xff, 0xff, 0xff, 0x7f];
    while sent < 256 << 20 && socket.write_all(&piece).await.is_ok() {
        sent += piece.len();
        piece = vec![0; 64 * 1024];
    }
    sent
}

/// WebSockets with a message that is never whole: a megabyte of it, as far as the broker lets us.
async fn leave_unfinished(house: &House, count: usize) -> Vec<TcpStream> {
    let mut sockets = Vec::new();
    let first = [&[0x02, 0xfe, 0x40, 0x00, 0, 0, 0, 0][..], &[0; 0x4000]].concat();
    let next = [&[0x00, 0xfe, 0x40, 0x00, 0, 0, 0, 0][..], &[0; 0x4000]].concat();
    for _ in 0..count {
        let mut socket = TcpStream::connect(house.web).await.unwrap();
        let request = b"GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\
            Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n\
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        socket.write_all(request).await.unwrap();
        let mut sent = socket.write_all(&first).await;
        for _ in 0..62 {
            if sent.is_ok() {
                sent = socket.write_all(&next).await;
            }
        }
        sockets.push(socket);
    }
    sockets
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbage_changes_nothing() {
    let house = House::open().await;
    let mut daemon = Client::connect(&house, (Door::Tcp, 5), Login::user(DAEMON, "daemon")).await;
    daemon.subscribe("still/#", 1).await;
    let before = resident_bytes();

    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    for number in 0..600 {
        let mut socket = TcpStream::connect(house.tcp).await.unwrap();
        let mut bytes = noise.bytes(1 + number % 300);
        if number % 2 == 0 {
            let start = Login::guest("garbage").packet(if number % 4 == 0 { 4 } else { 5 });
            let kept = start.len() - number % start.len();
            bytes = [&start[..kept], &bytes].concat();
        }
        // It may hang up before all is said.
        let _ = socket.write_all(&bytes).await;
    }
    let sent = pour(&house).await;
    println!("of a CONNECT of 256 MB {sent} bytes were taken");
    assert!(sent < 16 << 20);

    for way in WAYS {
        let mut guest = Client::connect(&house, way, Login::guest("big")).await;
        guest.send(&[0x30, 0xff, 0xff, 0xff, 0x7f]).await;
        assert!(guest.message_or_end().await.is_none(), "{way:?}");
        let mut user = Client::connect(&house, way, Login::user(DAEMON, "big")).await;
        // What comes by WebSocket is whole before anybody knows whose it is.
        let most = if way.0 == Door::WebSocket { 30_000 } else { 1_000_000 };
        user.publish("big", &"x".repeat(most), 1, false).await;
        user.send(&[0x30, 0xff, 0xff, 0xff, 0x7f]).await;
        assert!(user.message_or_end().await.is_none(), "{way:?}");
    }

    let unfinished = leave_unfinished(&house, 100).await;
    let grown = resident_bytes().saturating_sub(before);
    println!("{} KiB, with unfinished messages", grown / 1024);
    assert!(grown < 32 << 20, "grown by {grown} bytes");
    drop(unfinished);

    daemon.publish("still/alive", "yes", 1, false).await;
    assert_eq!(daemon.message().await.payload, b"yes");
    let door = house.broker.door();
    until("the noise has gone", async || door.figures().await.clients == 1).await;
    let grown = resident_bytes().saturating_sub(before);
    println!("memory grew by {} KiB", grown / 1024);
    assert!(grown < 32 << 20, "grown by {grown} bytes");
    house.close().await;
}

#[tokio::test]
async fn websocket_garbage_changes_nothing() {
    let house = House::open().await;
    let mut noise = Noise(42);
    for number in 0..200 {
        let mut socket = TcpStream::connect(house.web).await.unwrap();
        let mut request = b"GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\
            Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n\
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            .to_vec();
        request.extend(noise.bytes(number % 100));
        socket.write_all(&request).await.unwrap();
        let mut answer = [0; 12];
        socket.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 101");
    }
    let mut guest = Client::connect(&house, (Door::WebSocket, 5), Login::guest("sane")).await;
    guest.ping().await;
    guest.leave().await;
    let door = house.broker.door();
    until("the noise has gone", async || door.figures().await.clients == 0).await;
    house.close().await;
}

/// Whether whoever sends this as often is answered a ping in the end.
async fn is_heard_after(house: &House, frame: Message, times: u32) -> bool {
    let mut socket = common::client::websocket(house).await;
    let start = Login::guest("pings").packet(5);
    socket.send(Message::Binary(start.into())).await.unwrap();
    for _ in 0..times {
        // It may be sent away before all is said.
        if socket.send(frame.clone()).await.is_err() {
            return false;
        }
    }
    let last = Message::Binary(vec![0xc0, 0].into());
    let answered = async {
        socket.send(last).await.ok()?;
        while let Some(Ok(message)) = socket.next().await {
            if matches!(&message, Message::Binary(bytes) if bytes[..] == [0xd0, 0]) {
                return Some(());
            }
        }
        None
    };
    answered.await.is_some()
}

#[tokio::test]
async fn a_websocket_that_says_nothing_again_and_again_is_closed() {
    let house = House::open().await;
    for frame in [Message::Ping(Vec::new().into()), Message::Binary(Vec::new().into())] {
        assert!(is_heard_after(&house, frame.clone(), 50).await, "{frame:?}: as browsers do");
        assert!(!is_heard_after(&house, frame.clone(), 5000).await, "{frame:?}");
    }
    house.close().await;
}
