//! Hundreds of guests who mean ill, and a hall that must not notice. The short form of
//! `benches/hostile.rs`; alone in its file because it measures the whole process.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and tell")]

mod common;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use common::client::{Client, Door, Login};
use common::hall::{heard, percentile, play, watch};
use common::{ARBITER, House, hostile, resident_bytes, until};

const TABLES: usize = 40;
const LASTS: Duration = Duration::from_secs(8);
/// Queues of these guests would be some gigabytes by then.
const GROWN_MAX: usize = 192 << 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guests_who_mean_ill_cost_the_hall_nothing() {
    let house = House::open().await;
    let (reached, before, begun) = (house.reached(), resident_bytes(), Instant::now());
    let tally = hostile::begin(house.tcp, 400, 4, &hostile::Manner::ALL);
    let played = tokio::spawn(play(reached, TABLES, (400, LASTS), begun));
    let screen = tokio::spawn(watch(reached, Door::WebSocket, LASTS, begun));
    tokio::time::sleep(LASTS / 2).await;

    // Whoever has a name has a seat.
    let mut arbiter = Client::connect(&house, (Door::Tcp, 5), Login::user(ARBITER, "tablet")).await;
    arbiter.ping().await;
    let door = house.broker.door();
    let figures = door.figures().await;
    println!("{figures:?}");
    assert!(figures.guests_bytes <= 128 << 20);
    assert!(figures.clients > 200, "they are there: {figures:?}");

    let truth = played.await.unwrap();
    let late = screen.await.unwrap();
    let grown = resident_bytes().saturating_sub(before);
    let (median, worst) = (percentile(&late, 50), percentile(&late, 99));
    println!("{} messages, p50 {median:?}, p99 {worst:?}; {} MiB", late.len(), grown >> 20);
    assert!(late.len() > 1000 && worst < Duration::from_secs(5), "{worst:?}");
    assert!(grown < GROWN_MAX, "grown by {grown} bytes");
    assert_eq!(heard(reached, truth.len()).await, truth, "what is true now, and nothing else");

    tally.over.store(true, Ordering::Relaxed);
    drop(arbiter);
    until("all have left", async || door.figures().await.clients == 0).await;
    assert_eq!(door.figures().await.guests_bytes, 0, "and hold nothing");
    house.close().await;
}
