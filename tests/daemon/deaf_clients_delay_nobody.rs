//! Clients that subscribe to everything and never read: others are told in time, and the daemon
//! does not grow.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::common::{Feed, House, PATIENCE};

/// Moves to make: their scores, told anew after each, are more than any socket holds.
const PLIES: usize = 320;
/// What the daemon may hold then: what it told one client is 10 MB, what it keeps for a deaf one
/// less.
const MEMORY: u64 = 80 << 20;

/// Connects, subscribes to everything, hears that it is so, and never reads again.
fn deaf(address: SocketAddr, version: u8, qos: u8) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let properties: &[u8] = if version == 5 { &[0] } else { &[] };
    let name = format!("deaf{version}{qos}");
    let id = [&[0, u8::try_from(name.len()).unwrap()], name.as_bytes()].concat();
    let head = [&[0, 4], &b"MQTT"[..], &[version, 2, 0, 60]].concat();
    stream.write_all(&packet(0x10, &[&head, properties, &id].concat())).unwrap();
    let mut connack = vec![0; 2];
    stream.read_exact(&mut connack).unwrap();
    assert_eq!(connack[0], 0x20);
    let mut rest = vec![0; usize::from(connack[1])];
    stream.read_exact(&mut rest).unwrap();
    assert_eq!(rest[1], 0, "refused");
    let filter = b"adoubed/v1/#";
    let filter = [&[0, u8::try_from(filter.len()).unwrap()], &filter[..], &[qos]].concat();
    stream.write_all(&packet(0x82, &[&[0, 1], properties, &filter].concat())).unwrap();
    stream
}

fn packet(kind: u8, body: &[u8]) -> Vec<u8> {
    [&[kind, u8::try_from(body.len()).unwrap()], body].concat()
}

#[test]
fn clients_that_never_read_delay_nobody() {
    let mut house = House::new();
    let (mut board, daemon, feed) = crate::at_a_board(&mut house);
    let deaf =
        [(4, 0), (4, 1), (5, 0), (5, 1)].map(|(version, qos)| deaf(daemon.feed(), version, qos));
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(PLIES);
    let mut slowest = Duration::ZERO;
    for (ply, san) in (1..).zip(moves) {
        board.play(san);
        let made = Instant::now();
        feed.topic("table/1/position", san, |it| it["ply"] == ply);
        feed.topic("table/1/game", san, |it| it["moves"].as_array().map(Vec::len) == Some(ply));
        slowest = slowest.max(made.elapsed());
    }
    let bytes: usize = feed.look(|heard| heard.messages.iter().map(|it| it.payload.len()).sum());
    println!("slowest of {PLIES} moves: {slowest:?}; {} kB told to each", bytes / 1000);
    let memory = daemon.memory();
    println!("the daemon has {} MB", memory >> 20);
    assert!(memory < MEMORY, "{memory} bytes");
    let late = Feed::guest(daemon.feed());
    late.topic("table/1/position", "the last move", |it| it["ply"] == PLIES);
    drop(deaf);
}
