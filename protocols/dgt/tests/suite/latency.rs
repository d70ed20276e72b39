//! How long a piece put on a board of a bus takes to be seen. The figures stand in the wire sheet;
//! the bounds here are those the daemon may count on.

use std::time::Duration;

use eboard::{Change, ClockFace, Dial, FaceTime, Side, Sighting, Square, Station};

use crate::bus_bench::BusBench;

/// Ten minutes of moves: on every board a piece is put every ten seconds or so, and the clock is
/// pressed after it.
const MOVES: u64 = 60;

struct Latency {
    median: Duration,
    p99: Duration,
    worst: Duration,
}

/// Numbers that are the same in every run and spread evenly.
struct Chance(u64);

impl Chance {
    fn below(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

fn measure(boards: u16) -> Latency {
    let mut bench = BusBench::ready(boards);
    let stations = bench.stations();
    let mut chance = Chance(u64::from(boards));
    let mut face = ClockFace {
        left: Dial { time: FaceTime::from_hms(1, 30, 0), ..Dial::default() },
        right: Dial { time: FaceTime::from_hms(1, 30, 0), ..Dial::default() },
        running: true,
        lever: Side::Left,
        low_battery: false,
    };
    for station in &stations {
        bench.change(*station, Change::Clock(Some(face)));
    }
    let mut puts: Vec<(u64, Station)> = Vec::new();
    for station in &stations {
        puts.extend((0..MOVES).map(|turn| (turn * 10_000 + chance.below(10_000), *station)));
    }
    puts.sort_unstable();
    let begin = bench.now;
    let mut spans = Vec::new();
    let mut open: Vec<(Station, Square, eboard::Moment)> = Vec::new();
    for (ms, station) in puts {
        let at = begin + Duration::from_millis(ms);
        bench.run(at.since(bench.now));
        settle(&mut bench, &mut open, &mut spans);
        let square = Square::new((16 + chance.below(32)) as u8).expect("below 64");
        let piece = eboard::Piece::ALL[chance.below(12) as usize];
        bench.change(station, Change::Square { square, piece: None });
        bench.run(Duration::from_millis(1));
        bench.change(station, Change::Square { square, piece: Some(piece) });
        open.push((station, square, bench.now));
        face.lever = face.lever.other();
        bench.change(station, Change::Clock(Some(face)));
    }
    bench.run(Duration::from_secs(20));
    settle(&mut bench, &mut open, &mut spans);
    assert!(open.is_empty(), "{open:?} were never seen");
    assert_eq!(spans.len() as u64, MOVES * u64::from(boards));
    spans.sort_unstable();
    let at = |part: usize| spans[(spans.len() - 1) * part / 1000];
    Latency { median: at(500), p99: at(990), worst: at(1000) }
}

/// Takes what has been seen off what is open.
fn settle(
    bench: &mut BusBench,
    open: &mut Vec<(Station, Square, eboard::Moment)>,
    spans: &mut Vec<Duration>,
) {
    open.retain(|(station, wanted, since)| {
        let seen = bench.seen.iter().find(|(at, it, sighting)| {
            let put = match sighting {
                Sighting::Square { square, piece } => square == wanted && piece.is_some(),
                Sighting::Position(placement) => placement[*wanted].is_some(),
                _ => false,
            };
            put && it == station && at >= since
        });
        spans.extend(seen.map(|(at, ..)| at.since(*since)));
        seen.is_none()
    });
    bench.forget();
}

#[test]
fn a_put_is_seen_as_fast_as_the_wire_sheet_says() {
    for (boards, median_ms, p99_ms, worst_ms) in
        [(8, 250, 1000, 1500), (16, 300, 1500, 2000), (32, 600, 2000, 3000)]
    {
        let Latency { median, p99, worst } = measure(boards);
        println!("{boards} boards: p50 {median:?}, p99 {p99:?}, worst {worst:?}");
        let ms = Duration::from_millis;
        assert!(median <= ms(median_ms), "{boards} boards: p50 {median:?}");
        assert!(p99 <= ms(p99_ms), "{boards} boards: p99 {p99:?}");
        assert!(worst <= ms(worst_ms), "{boards} boards: worst {worst:?}");
    }
}
