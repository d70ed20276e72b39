//! A long evening: 300 boards play game after game, guests come and go, an arbiter rules on every
//! alert, and the memory of the daemon is read every minute. It may grow while everybody arrives,
//! and must then stay as it is.
//!
//! `cargo bench -p adoubed --bench soak`; `-- --minutes N`, `-- --boards N`, `-- --guests N`,
//! `-- --speed N` times as fast as life; `-- --arbiter 0`: nobody rules.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

mod common;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use adoubed::lines::far_end::{FarEnd, Pty};
use adoubed::time::Clock;
use adoubed::venue::tables::VirtualTable;
use common::{Bare, Daemon, Table, busy, in_earnest, listen, number_after};
use eboard::Moment;
use rehearsal::{Manner, Mishap, Pace, Stage, TimeControl};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

const BOARDS: u64 = 300;
const GUESTS: u64 = 100;
const MINUTES: u64 = 60;
/// Until then the hall fills, and memory may grow.
const ARRIVAL: u64 = 10;
/// Games are played so many times as fast as life, so that an hour sees several rounds.
const SPEED: u64 = 2;
/// How long an arbiter takes for an alert.
const REFLECTION: Duration = Duration::from_secs(20);
/// No guest stays longer: below the 60 s after which he would have to give a sign of life.
const STAY_MAX_MS: u64 = 50_000;

fn main() {
    let (minutes, boards, guests) = match in_earnest() {
        true => (number_after("--minutes"), number_after("--boards"), number_after("--guests")),
        false => (Some(0), Some(4), Some(4)),
    };
    let minutes = minutes.unwrap_or(MINUTES);
    let speed = Duration::from_secs(number_after("--speed").unwrap_or(SPEED)).as_secs_f64();
    println!("load of the machine before: {}", busy());
    let (boards_runtime, guests_runtime) = (runtime(), runtime());
    let lines = play(&boards_runtime, boards.unwrap_or(BOARDS), speed);
    let lines: Vec<_> = lines.iter().map(PathBuf::as_path).collect();
    let daemon = Daemon::start(&lines);
    if number_after("--arbiter") != Some(0) {
        rule(&daemon);
    }
    let served = Arc::new(AtomicU64::new(0));
    for number in 0..guests.unwrap_or(GUESTS) {
        guests_runtime.spawn(come_and_go(daemon.feed, number, Arc::clone(&served)));
    }

    let columns = ["memory, MiB", "descriptors", "retained", "checkpoint, KiB", "guests served"];
    let columns = ["minute"].into_iter().chain(columns).collect::<Vec<_>>();
    let mut table = Table::new(&columns);
    let mut readings = Vec::new();
    for minute in 1..=minutes.max(1) {
        thread::sleep(Duration::from_secs(if minutes == 0 { 2 } else { 60 }));
        let row = [
            daemon.memory() / 1024,
            daemon.descriptors(),
            daemon.retained(),
            daemon.checkpoint() / 1024,
            served.load(Ordering::Relaxed),
        ];
        println!("minute {minute}: {row:?}");
        readings.push(row[0]);
        table.row([minute].into_iter().chain(row).map(|it| it.to_string()).collect());
    }
    println!("load of the machine after: {}", busy());
    table.print("A long evening");
    let settled = usize::try_from(ARRIVAL.min(minutes.max(1)) - 1).expect("a small number");
    let (first, most, last) =
        (readings[settled], readings[settled..].iter().max(), readings.last());
    println!("MiB after {ARRIVAL} minutes {first}, at most then {most:?}, at the end {last:?}");
}

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime")
}

/// So many boards, each playing one game after the other; their lines.
fn play(runtime: &Runtime, boards: u64, speed: f64) -> Vec<PathBuf> {
    let games = rehearsal::famous();
    let clock = Clock::starting_at(Moment::ZERO);
    let _entered = runtime.enter();
    (0..boards)
        .map(|number| {
            let pty = Pty::open(None).expect("a pseudo-terminal");
            let line = pty.path().to_owned();
            let mut board = (dgt::DRIVER.emulate)();
            board.set_serials(&[&format!("{:05}", 20_000 + number)]);
            let (games, mut round) = (games.clone(), 0u64);
            let stages = move |now: Moment| {
                let at = now + Duration::from_secs(if round == 0 { 8 } else { 5 });
                round += 1;
                let index = usize::try_from(round * boards + number).ok()? % games.len();
                let pace = Pace::times(speed);
                let control = TimeControl::new(300, 3);
                // Every other table has mishaps, for alerts are kept too.
                let mishaps = if number % 2 == 0 { Mishap::ALL.to_vec() } else { Vec::new() };
                let manner = Manner { control, mishaps, ..Manner::default() }.at(pace);
                let performance =
                    rehearsal::perform(games.get(index)?, &manner, number << 32 | round);
                Some(Stage::of(at, performance, rehearsal::Clock::new(control), pace))
            };
            runtime.spawn(VirtualTable::new(FarEnd::Pty(pty), board, clock).live(stages));
            line
        })
        .collect()
}

/// An arbiter who rules on every alert some seconds after it was raised.
fn rule(daemon: &Daemon) {
    let login = daemon.arbiter();
    let desk = Bare::connect(daemon.feed, &login);
    let (tell, alerts) = mpsc::channel::<(Instant, String)>();
    listen(daemon.feed, &login, &["adoubed/v1/alert/+"], move |topic, payload, at| {
        if let Some(alert) = topic.rsplit('/').next().filter(|_| !payload.is_empty()) {
            let _ = tell.send((at, alert.to_owned()));
        }
    });
    thread::spawn(move || {
        for (at, alert) in alerts {
            thread::sleep((at + REFLECTION).saturating_duration_since(Instant::now()));
            let ruling = serde_json::json!({"alert": alert, "ruling": "dismissed"});
            desk.ask("adoubed/v1/request/rule", ruling.to_string().into_bytes());
        }
    });
}

/// A guest after the other, each for some seconds; every fourth reads nothing.
async fn come_and_go(feed: SocketAddr, number: u64, served: Arc<AtomicU64>) {
    for visit in 0.. {
        let dice = number.wrapping_mul(7919).wrapping_add(visit * 104_729);
        let stay = Duration::from_millis(dice * 31 % STAY_MAX_MS + 1);
        let reads = !(number + visit).is_multiple_of(4);
        let _ = tokio::time::timeout(stay, attend(feed, &format!("soak-{number}"), reads)).await;
        served.fetch_add(1, Ordering::Relaxed);
    }
}

/// Connects with MQTT 3.1.1 and asks for everything.
async fn attend(feed: SocketAddr, id: &str, reads: bool) -> std::io::Result<()> {
    let short = |length: usize| u8::try_from(length).expect("short words");
    let mut words = vec![0x10, short(12 + id.len()), 0, 4];
    words.extend(b"MQTT\x04\x02\x00\x3c\x00");
    words.push(short(id.len()));
    words.extend(id.bytes());
    words.extend(b"\x82\x06\x00\x01\x00\x01#\x00");
    let mut stream = TcpStream::connect(feed).await?;
    stream.write_all(&words).await?;
    let mut buffer = vec![0; 1 << 16];
    while reads && stream.read(&mut buffer).await? > 0 {}
    std::future::pending().await
}
