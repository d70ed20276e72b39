//! Two thousand five hundred guests who mean ill, for minutes, against a broker of its own process
//! with the file descriptors of the shipped unit: what it holds of memory, and how late an honest
//! screen hears of the tables.
//!
//! `cargo bench -p adoubed-broker --bench hostile`; `-- --seconds N`, `-- --guests N`;
//! `-- --asking`: all of them subscribe in a loop, from 160 addresses.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "its table is its purpose")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::client::Door;
use common::hall::{heard, percentile, play, watch};
use common::hostile::Manner;
use common::{House, Reached, hostile};

/// As in the daemon.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const TABLES: usize = 300;
const RATE: u32 = 600;
const ADDRESSES: u8 = 40;
const ADDRESSES_OF_ASKING: u8 = 160;
/// What the log may hold of messages that are not retained, and what that costs.
const LOG_MIB: u64 = 32;
/// What this program is besides: the broker, or the guests at the address behind the word.
const BROKER: &str = "--broker";
const GUESTS: &str = "--ill";
/// How they mean ill.
const ASKING: &str = "--asking";

fn word(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn is_given(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

fn number(name: &str) -> Option<u64> {
    word(name)?.parse().ok()
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    if is_given(BROKER) {
        return runtime.block_on(serve());
    }
    if let Some(broker) = word(GUESTS) {
        let guests = number("--guests").expect("how many");
        return runtime.block_on(mean_ill(broker.parse().unwrap(), guests.try_into().unwrap()));
    }
    let earnest = is_given("--bench");
    let seconds = number("--seconds").unwrap_or(if earnest { 600 } else { 3 });
    let guests = number("--guests").unwrap_or(if earnest { 2500 } else { 20 });
    let guests = usize::try_from(guests).unwrap();
    runtime.block_on(attack(guests, Duration::from_secs(seconds)));
}

/// A broker until somebody ends it.
async fn serve() {
    let house = House::open().await;
    println!("{} {}", house.tcp, house.web);
    std::future::pending::<()>().await;
}

/// The guests until they are told to end; then what became of them.
async fn mean_ill(broker: SocketAddr, guests: usize) {
    let tally = match is_given(ASKING) {
        true => hostile::begin(broker, guests, ADDRESSES_OF_ASKING, &[Manner::Asking]),
        false => hostile::begin(broker, guests, ADDRESSES, &Manner::ALL),
    };
    let stop = tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new()));
    stop.await.unwrap().unwrap();
    println!("{tally:?}");
}

/// In a hall they are other machines: here they have what the broker and the screens leave.
fn let_in(broker: SocketAddr, guests: usize) -> Child {
    let mut command = Command::new("nice");
    command.arg("-n19").arg(std::env::current_exe().unwrap());
    command.arg(GUESTS).arg(broker.to_string()).arg("--guests").arg(guests.to_string());
    command.args(is_given(ASKING).then_some(ASKING));
    command.stdin(Stdio::piped()).spawn().expect("nice, of coreutils")
}

fn start() -> (Child, Reached) {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new("prlimit");
    command.arg("--nofile=4096:4096").arg(program).arg(BROKER).stdout(Stdio::piped());
    let mut child = command.spawn().expect("prlimit, of util-linux");
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (tcp, web) = line.trim().split_once(' ').unwrap();
    (child, Reached { tcp: tcp.parse().unwrap(), web: web.parse().unwrap() })
}

fn of_status(child: &Child, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with(key)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

/// Seconds of processor time.
fn busy(child: &Child) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks = |index: usize| fields[index].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / 100.0
}

/// Watches on a thread of its own: what is measured is the broker, and not the attackers here.
fn apart(
    reached: Reached,
    door: Door,
    lasts: Duration,
    begun: Instant,
) -> std::thread::JoinHandle<Vec<Duration>> {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(watch(reached, door, lasts, begun))
    })
}

async fn attack(guests: usize, lasts: Duration) {
    let (mut child, reached) = start();
    let begun = Instant::now();
    let played = tokio::spawn(play(reached, TABLES, (RATE, lasts), begun));
    let calm = tokio::spawn(watch(reached, Door::WebSocket, lasts / 10, begun));
    let calm = calm.await.unwrap();
    let memory = of_status(&child, "VmRSS:");
    let mut ill = let_in(reached.tcp, guests);
    let screens = [Door::WebSocket, Door::Tcp].map(|door| apart(reached, door, lasts, begun));
    let truth = played.await.unwrap();
    let [screen, tool] = screens;
    let (screen, tool) = (screen.join().unwrap(), tool.join().unwrap());
    println!("{guests} guests, {} s, {RATE} messages a second", lasts.as_secs());
    for (name, late) in [("before them", calm), ("WebSocket", screen), ("TCP", tool)] {
        let [half, most] = [50, 99].map(|percent| percentile(&late, percent));
        println!(
            "{name}: {} messages, p50 {half:?}, p99 {most:?}, max {:?}",
            late.len(),
            late.last()
        );
    }
    println!("MiB before them {memory}, at most {}", of_status(&child, "VmHWM:"));
    println!("processor: {:.0} % of a core", 100.0 * busy(&child) / begun.elapsed().as_secs_f64());
    let whole = heard(reached, truth.len()).await == truth;
    println!("every retained topic is right: {whole}");
    drop(ill.stdin.take());
    ill.wait().unwrap();
    let after = given_back(&child).await;
    println!("MiB after them, each five seconds {after:?}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(whole);
    // The log has filled meanwhile: a few bytes of each message are not retained.
    let left = after.last().copied().unwrap_or_default();
    assert!(left <= memory + LOG_MIB, "{left} MiB are held, {memory} before they came");
}

/// What the broker holds when they have gone, each five seconds.
async fn given_back(child: &Child) -> Vec<u64> {
    let mut readings = Vec::new();
    for _ in 0..6 {
        tokio::time::sleep(Duration::from_secs(5)).await;
        readings.push(of_status(child, "VmRSS:"));
    }
    readings
}
