//! A hall in play, as far as a broker knows: tables whose topics change all the time, a screen
//! that measures how late it hears of it, and a late comer who wants to know all that is true.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::client::{Client, Door, Login, publish};
use super::{DAEMON, House, Reached};

/// What a table publishes in turn: its topic, its bytes, whether it is retained.
const VIEWS: [(&str, usize, bool); 6] = [
    ("clock", 300, true),
    ("position", 300, true),
    ("event", 200, false),
    ("clock", 300, true),
    ("game", 12_000, true),
    ("event", 200, false),
];

/// The newest version of every retained topic.
pub type Truth = BTreeMap<String, Vec<u8>>;

/// Publishes so many messages a second for so long. Each says when it was made.
pub async fn play(
    reached: Reached,
    tables: usize,
    (rate, lasts): (u32, Duration),
    begun: Instant,
) -> Truth {
    let mut daemon = Client::reach(reached, (Door::Tcp, 4), &Login::user(DAEMON, "daemon")).await;
    let mut truth = Truth::new();
    let mut turn = tokio::time::interval(Duration::from_secs(1) / rate);
    for number in 0.. {
        turn.tick().await;
        if begun.elapsed() > lasts {
            break;
        }
        let (view, bytes, retain) = VIEWS[number / tables % VIEWS.len()];
        let topic = format!("adoubed/v1/table/{}/{view}", number % tables + 1);
        let mut payload = format!("{:016}", begun.elapsed().as_micros()).into_bytes();
        payload.resize(bytes, b'x');
        daemon.send(&publish(4, &topic, &payload, 0, retain, 0)).await;
        if retain {
            truth.insert(topic, payload);
        }
        if number % 5000 == 0 {
            daemon.ping().await;
        }
    }
    daemon.ping().await;
    truth
}

/// Watches all tables for so long. Gives how late each message was, sorted.
pub async fn watch(reached: Reached, door: Door, lasts: Duration, begun: Instant) -> Vec<Duration> {
    let mut screen =
        Client::reach(reached, (door, 5), &Login::guest(&format!("screen by {door:?}"))).await;
    screen.subscribe("adoubed/v1/table/#", 0).await;
    let mut late = Vec::new();
    let mut pinged = Instant::now();
    while begun.elapsed() < lasts {
        let Ok(message) = tokio::time::timeout(Duration::from_secs(5), screen.message()).await
        else {
            break;
        };
        if !message.retain {
            let made = std::str::from_utf8(&message.payload[..16]).unwrap().parse().unwrap();
            late.push(begun.elapsed().saturating_sub(Duration::from_micros(made)));
        }
        if pinged.elapsed() > Duration::from_secs(20) {
            screen.ping().await;
            pinged = Instant::now();
        }
    }
    late.sort_unstable();
    late
}

/// What a guest who comes now is sent.
pub async fn heard(reached: Reached, topics: usize) -> Truth {
    let mut late = Client::reach(reached, (Door::Tcp, 4), &Login::guest("late")).await;
    late.subscribe("adoubed/v1/table/#", 1).await;
    let mut truth = Truth::new();
    while truth.len() < topics {
        let message = late.message().await;
        truth.insert(message.topic, message.payload);
    }
    truth
}

/// The value below which so many of a hundred are.
pub fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted.get(sorted.len() * percent / 100).or(sorted.last()).copied().unwrap_or_default()
}

impl House {
    /// Where it is, for who is not in it.
    pub fn reached(&self) -> Reached {
        Reached { tcp: self.tcp, web: self.web }
    }
}
