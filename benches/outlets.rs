//! What leaves the hall besides the feed, and how soon: from the put that completes a knight's
//! move to a client of LiveChess, to the PGN file, and to the server that games are pushed to, in
//! halls of 100 and 300 boards in blitz tempo; and what each of these, and the delayed copy, costs
//! beside a daemon without any in the same hall.
//!
//! `cargo bench -p adoubed --bench outlets`; `-- --boards N` for one hall, `-- --seconds N` each.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

mod common;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use common::{Daemon, Hall, Home, Spread, Table, busy, in_earnest, number_after};
use futures_util::{SinkExt as _, StreamExt as _};
use pgn_reader::{Reader, SanPlus, Visitor};
use serde_json::{Value, json};
use tokio::runtime::Builder;

/// Boards in a hall.
const HALLS: [u32; 2] = [100, 300];
const SECONDS: u64 = 60;
/// Boards are found and set up after this, and clients have asked for all of them.
const SETTLING: Duration = Duration::from_secs(20);
/// What comes before counts for nothing.
const WARMING_UP: Duration = Duration::from_secs(10);
/// How late the delayed copy is here, in seconds. An hour's delay would take an hour to measure.
const DELAY_S: u64 = 30;
/// The shortest that a daemon takes.
const DELAY_MIN_S: u64 = 5;
const COLUMNS: [&str; 9] = [
    "boards",
    "outlet",
    "seen",
    "p50 ms",
    "p99 ms",
    "max ms",
    "% of a core",
    "more than none",
    "memory, MiB",
];

/// Every game begins with it.
const EVENT: &str = "[Event ";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outlet {
    None,
    LiveChess,
    Folder,
    Lichess,
    Delay,
}

impl Outlet {
    const ALL: [Self; 5] = [Self::None, Self::LiveChess, Self::Folder, Self::Lichess, Self::Delay];

    const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::LiveChess => "a LiveChess client of all boards",
            Self::Folder => "the PGN file of the table",
            Self::Lichess => "the push server",
            Self::Delay => "the delayed copy, 30 s",
        }
    }
}

fn main() {
    let (boards, seconds) = (number_after("--boards"), number_after("--seconds"));
    let time = if in_earnest() { seconds.unwrap_or(SECONDS) } else { 2 };
    let small = [4];
    let halls: &[u32] = if in_earnest() { &HALLS } else { &small };
    let mut table = Table::new(&COLUMNS);
    println!("load of the machine before: {}", busy());
    for size in halls {
        if boards.is_some_and(|boards| boards != u64::from(*size)) {
            continue;
        }
        let mut idle = None;
        for outlet in Outlet::ALL {
            let share = watch(*size, outlet, Duration::from_secs(time), idle, &mut table);
            idle = idle.or(Some(share));
        }
    }
    println!("load of the machine after: {}", busy());
    table.print("From the put to those outside of the hall");
}

fn delay_s() -> u64 {
    if in_earnest() { DELAY_S } else { DELAY_MIN_S }
}

/// Gives what the daemon took of a core.
fn watch(boards: u32, outlet: Outlet, time: Duration, idle: Option<f64>, table: &mut Table) -> f64 {
    let ledger = Arc::new(Mutex::new(Ledger::default()));
    let puts_of = Arc::clone(&ledger);
    let hall = Hall::open(boards, move |touch| {
        // A client of boards may be told what stands there after the next touch instead: all of
        // them are kept for it, or such a put would count as unknown until the next knight's move.
        let knight = touch.knight.is_some();
        if knight || outlet == Outlet::LiveChess {
            let puts = &mut locked(&puts_of).puts;
            let of_table = puts.entry(touch.table).or_default();
            let placement = touch.placement.to_string();
            of_table.push(Put { ply: touch.ply, placement, at: touch.at, knight });
        }
    });
    let home = Home::new(&hall.lines());
    let server = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = server.local_addr().expect("an address");
    home.add(&sections(outlet, address, home.place()));
    let folder = home.place().join("live");
    if outlet == Outlet::Lichess {
        serve(server, &ledger);
    } else {
        drop(server);
    }
    let daemon = Daemon::at(home);
    let round = hall.live();
    thread::sleep(if in_earnest() { SETTLING } else { Duration::from_secs(4) });
    match outlet {
        Outlet::LiveChess => follow(address, boards, &ledger),
        Outlet::Folder => look(folder, boards, &ledger),
        Outlet::Delay => hear(&daemon, &ledger),
        Outlet::None | Outlet::Lichess => {}
    }
    round.begin();
    thread::sleep(WARMING_UP);
    if outlet == Outlet::Delay {
        // By then the copy plays as well.
        thread::sleep(Duration::from_secs(delay_s()));
    }
    let (from, used) = (Instant::now(), daemon.processor());
    thread::sleep(time);
    let share = (daemon.processor() - used).as_secs_f64() / from.elapsed().as_secs_f64() * 100.0;
    let memory = daemon.memory();
    let took = std::mem::take(&mut locked(&ledger).took).into_iter();
    let took = Spread::of(&took.filter(|it| it.0 >= from).map(|it| it.1).collect::<Vec<_>>());
    let ms = |seconds: f64| format!("{:.1}", seconds * 1e3);
    let mut row = vec![boards.to_string(), outlet.name().to_owned(), took.count.to_string()];
    row.extend([took.p50, took.p99, took.max].map(ms));
    row.push(format!("{share:.1}"));
    row.push(idle.map_or_else(String::new, |idle| format!("{:.1}", share - idle)));
    row.push(format!("{}", memory / 1024));
    table.row(row);
    share
}

fn sections(outlet: Outlet, address: SocketAddr, place: &Path) -> String {
    let token = place.join("token");
    std::fs::write(&token, "secret").expect("a file");
    let (token, folder) = (token.display(), place.join("live"));
    match outlet {
        Outlet::None => String::new(),
        Outlet::LiveChess => format!("[livechess]\nlisten = \"{address}\"\n"),
        Outlet::Folder => format!("[pgn]\ndirectory = \"{}\"\n", folder.display()),
        Outlet::Lichess => format!(
            "[lichess]\nround = \"abcdefgh\"\ntoken_file = \"{token}\"\n\
             url = \"http://{address}\"\n"
        ),
        Outlet::Delay => format!("[public]\ndelay_s = {}\n", delay_s()),
    }
}

/// What was put, and how long it took until somebody outside knew.
#[derive(Default)]
struct Ledger {
    /// Knights' moves, and other touches, that nobody outside knows yet, oldest first.
    puts: BTreeMap<u32, Vec<Put>>,
    /// When each became known, and how long that had taken.
    took: Vec<(Instant, Duration)>,
}

struct Put {
    ply: usize,
    placement: String,
    at: Instant,
    /// It completes a knight's move.
    knight: bool,
}

impl Ledger {
    /// Everything of a table up to the last of these is known now.
    fn known(&mut self, table: u32, came: Instant, is: impl Fn(&Put) -> bool) {
        let Some(puts) = self.puts.get_mut(&table) else { return };
        if let Some(last) = puts.iter().rposition(is) {
            let known = puts.drain(..=last).filter(|put| put.knight);
            self.took.extend(known.map(|put| (came, came - put.at)));
        }
    }
}

fn locked(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A client that follows every board. A placement that was overtaken by the next before it was
/// told is known by that one.
fn follow(address: SocketAddr, boards: u32, ledger: &Arc<Mutex<Ledger>>) {
    let ledger = Arc::clone(ledger);
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    thread::spawn(move || {
        runtime.block_on(async {
            let stream = tokio::net::TcpStream::connect(address).await.expect("a door");
            let url = format!("ws://{address}/api/v1.0");
            let socket = tokio_tungstenite::client_async(url, stream).await.expect("a socket").0;
            let (mut say, mut hear) = socket.split();
            for table in 1..=boards {
                let feed = json!({"feed": "eboardevent", "id": table,
                                  "param": {"serialnr": format!("{:05}", 10_000 + table)}});
                let call = json!({"id": table, "call": "subscribe", "param": feed});
                say.send(call.to_string().into()).await.expect("a client");
            }
            while let Some(Ok(message)) = hear.next().await {
                let came = Instant::now();
                let Ok(text) = message.into_text() else { continue };
                let Ok(message) = serde_json::from_str::<Value>(&text) else { continue };
                let board = message["param"]["board"].as_str();
                let table = message["id"].as_u64().and_then(|it| u32::try_from(it).ok());
                if let (Some(board), Some(table)) = (board, table) {
                    locked(&ledger).known(table, came, |put| put.placement == board);
                }
            }
        });
    });
}

/// Hears the topics of the delayed copy.
fn hear(daemon: &Daemon, ledger: &Arc<Mutex<Ledger>>) {
    let ledger = Arc::clone(ledger);
    let filters = ["adoubed/v1/public/table/+/position"];
    common::listen(daemon.feed, &daemon.arbiter(), &filters, move |topic, payload, came| {
        let table = topic.split('/').nth(4).and_then(|it| it.parse().ok());
        let message: Value = serde_json::from_slice(payload).unwrap_or_default();
        let plies = message["ply"].as_u64().and_then(|it| usize::try_from(it).ok());
        if let (Some(table), Some(plies)) = (table, plies) {
            locked(&ledger).known(table, came, |put| put.ply <= plies);
        }
    });
}

/// Looks at the files of all tables every few milliseconds; a file that is another one is read.
fn look(folder: PathBuf, boards: u32, ledger: &Arc<Mutex<Ledger>>) {
    let ledger = Arc::downgrade(ledger);
    let mut seen = BTreeMap::new();
    thread::spawn(move || {
        while let Some(ledger) = ledger.upgrade() {
            for table in 1..=boards {
                let path = folder.join(format!("round-1/game-{table}.pgn"));
                let changed = std::fs::metadata(&path).and_then(|it| it.modified()).ok();
                if changed.is_some() && seen.insert(table, changed) != Some(changed) {
                    let came = Instant::now();
                    let plies = plies(&std::fs::read(&path).unwrap_or_default());
                    locked(&ledger).known(table, came, |put| put.ply <= plies);
                }
            }
            drop(ledger);
            thread::sleep(Duration::from_millis(5));
        }
    });
}

/// Takes whatever is pushed, as Lichess does.
fn serve(listener: TcpListener, ledger: &Arc<Mutex<Ledger>>) {
    let ledger = Arc::clone(ledger);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let ledger = Arc::clone(&ledger);
            thread::spawn(move || converse(stream, &ledger));
        }
    });
}

fn converse(mut stream: TcpStream, ledger: &Mutex<Ledger>) {
    while let Some(body) = request(&mut stream) {
        let came = Instant::now();
        let between = format!("\n\n{EVENT}");
        let games = body.trim_start_matches(EVENT).split(&between);
        let games: Vec<_> = games.map(|game| format!("{EVENT}{game}")).collect();
        let taken: Vec<_> = games.iter().map(|_| json!({"tags": {}, "moves": 0})).collect();
        let answer = json!({"games": taken}).to_string();
        let length = answer.len();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
        if stream.write_all(format!("{head}{answer}").as_bytes()).is_err() {
            return;
        }
        for game in games {
            let table = game.split_once("[Board \"").and_then(|it| it.1.split_once('"'));
            let Some(table) = table.and_then(|it| it.0.parse().ok()) else { continue };
            let plies = plies(game.as_bytes());
            locked(ledger).known(table, came, |put| put.ply <= plies);
        }
    }
}

fn request(stream: &mut TcpStream) -> Option<String> {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 256 * 1024]);
    loop {
        let read = stream.read(&mut chunk).ok().filter(|it| *it > 0)?;
        bytes.extend_from_slice(&chunk[..read]);
        let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.and_then(|it| it.parse().ok()).unwrap_or_default();
        if bytes.len() >= end + 4 + length {
            return Some(String::from_utf8_lossy(&bytes[end + 4..]).into_owned());
        }
    }
}

/// How many moves a game in PGN has.
fn plies(text: &[u8]) -> usize {
    let mut reader = Reader::new(text);
    reader.read_game(&mut Counter).ok().flatten().unwrap_or_default()
}

struct Counter;

impl Visitor for Counter {
    type Tags = ();
    type Movetext = usize;
    type Output = usize;

    fn begin_tags(&mut self) -> ControlFlow<usize, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<usize, usize> {
        ControlFlow::Continue(0)
    }

    fn san(&mut self, count: &mut usize, _: SanPlus) -> ControlFlow<usize> {
        *count += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, count: usize) -> usize {
        count
    }
}
