//! Strangers who ask for the same page again and again on connections that they keep: how long an
//! honest tablet waits for its page meanwhile, how late a table's message is, and what the daemon
//! takes of the machine. Everybody has an address of his own; strangers have eight, and what the
//! others leave of the processor (`nice`).
//!
//! `cargo bench -p adoubed --bench doors`; `-- --boards N`, `-- --connections N`, `-- --seconds N`
//! for each page. `ADOUBED_BEFORE=<program>` measures another build.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use common::{Daemon, Hall, Home, Spread, Table, busy, in_earnest, listen, number_after};
use socket2::{Domain, Socket, Type};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;

const BOARDS: u32 = 64;
const CONNECTIONS: u32 = 64;
const SECONDS: u64 = 20;
const ADDRESSES: u32 = 8;
/// What is asked for: the page of arbiters, what costs the daemon most to answer, and connections
/// that are given up once they are open.
const PAGES: [&str; 6] =
    ["/arbiter", "/metrics", "/pgn/games.pgn", "/api/v1.0/eboards", "/mqtt", "/"];
/// What this program is besides: the strangers.
const STRANGERS: &str = "--strangers";
/// Between two visits of the tablet.
const VISITS: Duration = Duration::from_millis(250);
const PATIENCE: Duration = Duration::from_secs(30);

type Lateness = Arc<Mutex<Vec<Duration>>>;

fn main() {
    if std::env::args().any(|it| it == STRANGERS) {
        let words: Vec<_> = std::env::args().skip_while(|it| it != STRANGERS).collect();
        return mean_ill(&words[1..]);
    }
    let quick = !in_earnest();
    let boards = number_after("--boards").unwrap_or(if quick { 2 } else { BOARDS.into() });
    let connections = number_after("--connections").unwrap_or(CONNECTIONS.into());
    let seconds = number_after("--seconds").unwrap_or(if quick { 1 } else { SECONDS });
    let lasts = Duration::from_secs(seconds);
    println!("load of the machine before: {}", busy());
    let (daemon, late) = open(u32::try_from(boards).expect("a small number"));
    let columns =
        ["they ask for", "answers/s", "core, %", "tablet p50, max ms", "table p50, p99, max ms"];
    let mut table = Table::new(&columns);
    table.row(row("nothing", &daemon, &late, lasts, None));
    let pages = if quick { &PAGES[..2] } else { &PAGES[..] };
    for page in pages {
        let door = if page.starts_with("/api") { daemon.livechess } else { Some(daemon.pages) };
        let strangers = let_in(door.expect("a door"), page, connections);
        table.row(row(page, &daemon, &late, lasts, Some(strangers)));
    }
    println!("load of the machine after: {}", busy());
    table.print(&format!("{connections} connections of strangers, {boards} boards"));
}

/// A hall whose boards are playing, and how late each touch of a piece is told.
fn open(boards: u32) -> (Daemon, Lateness) {
    let waiting = Arc::new(Mutex::new(BTreeMap::<u32, (Instant, String)>::new()));
    let (touched, late) = (Arc::clone(&waiting), Lateness::default());
    let hall = Hall::open(boards, move |touch| {
        let placement = format!("\"placement\":\"{}\"", touch.placement);
        let mut waiting = touched.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.insert(touch.table, (touch.at, placement));
    });
    let home = Home::new(&hall.lines());
    home.also("[livechess]\nlisten = \"127.0.0.1:0\"\n");
    let daemon = Daemon::at(home);
    let heard = Arc::clone(&late);
    let login = daemon.arbiter();
    let ready = Arc::new(Mutex::new(0));
    let set_up = Arc::clone(&ready);
    let topics = ["adoubed/v1/table/+/board", "adoubed/v1/table/+/position"];
    listen(daemon.feed, &login, &topics, move |topic, payload, came| {
        let text = String::from_utf8_lossy(payload);
        if text.contains("\"phase\":\"ready\"") {
            *set_up.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        }
        let Some(Ok(table)) = topic.rsplit('/').nth(1).map(str::parse) else { return };
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.get(&table).is_some_and(|(_, placement)| text.contains(placement))
            && let Some((touched, _)) = waiting.remove(&table)
        {
            heard.lock().unwrap_or_else(PoisonError::into_inner).push(came - touched);
        }
    });
    let round = hall.live();
    let deadline = Instant::now() + PATIENCE * 4;
    while *ready.lock().unwrap_or_else(PoisonError::into_inner) < boards {
        assert!(Instant::now() < deadline, "the boards are not set up");
        thread::sleep(Duration::from_millis(50));
    }
    round.begin();
    // The round lasts as long as it is held.
    std::mem::forget(round);
    thread::sleep(Duration::from_secs(5));
    (daemon, late)
}

/// What an honest tablet, the tables and the machine see of so many seconds.
fn row(
    name: &str,
    daemon: &Daemon,
    late: &Lateness,
    lasts: Duration,
    strangers: Option<Child>,
) -> Vec<String> {
    // They have to come in first.
    thread::sleep(Duration::from_secs(1));
    late.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let (begun, processor) = (Instant::now(), daemon.processor());
    let mut loads = Vec::new();
    while begun.elapsed() < lasts {
        let visit = Instant::now();
        load(daemon.pages);
        loads.push(visit.elapsed());
        thread::sleep(VISITS);
    }
    let core = (daemon.processor() - processor).as_secs_f64() / begun.elapsed().as_secs_f64();
    let late = late.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let answers = strangers.map_or_else(|| "0".to_owned(), answers);
    let ms = |seconds: f64| format!("{:.1}", seconds * 1e3);
    let (loads, late) = (Spread::of(&loads), Spread::of(&late));
    vec![
        name.to_owned(),
        answers,
        format!("{:.0}", core * 100.0),
        [loads.p50, loads.max].map(ms).join(", "),
        [late.p50, late.p99, late.max].map(ms).join(", "),
    ]
}

/// The arbiters' page and what it is made of, as a tablet elsewhere loads it for the first time.
fn load(pages: SocketAddr) {
    let from = SocketAddr::from(([127, 0, 9, 9], 0));
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    socket.bind(&from.into()).expect("an address of this machine");
    socket.connect(&pages.into()).expect("a seat");
    let mut stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream.set_nodelay(true).expect("a socket");
    let page = get(&mut stream, "/arbiter");
    let page = String::from_utf8_lossy(&page);
    let parts = page.split('"').filter(|it| it.starts_with("/assets/"));
    parts.for_each(|part| drop(get(&mut stream, part)));
}

fn get(stream: &mut TcpStream, path: &str) -> Vec<u8> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: hall\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("a request");
    let mut reader = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line).expect("an answer") > 2 {
        if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().expect("a number");
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    body
}

fn let_in(door: SocketAddr, page: &str, connections: u64) -> Child {
    let mut command = Command::new("nice");
    command.arg("-n19").arg(std::env::current_exe().expect("this program")).arg(STRANGERS);
    command.args([door.to_string(), page.to_owned(), connections.to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("nice, of coreutils")
}

/// Tells the strangers to go; how many answers they were given in a second.
fn answers(mut strangers: Child) -> String {
    drop(strangers.stdin.take());
    let mut output = String::new();
    let said = strangers.stdout.take().expect("a pipe").read_to_string(&mut output);
    said.and_then(|_| strangers.wait()).expect("they go");
    output.trim().to_owned()
}

/// Asks until there is nothing more to be read from whoever has started it.
fn mean_ill(words: &[String]) {
    let [door, page, connections] = words else { return };
    let (door, page) = (door.parse::<SocketAddr>().expect("an address"), page.clone());
    let count = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    for number in 0..connections.parse::<u32>().expect("a number") {
        let from = IpAddr::V4(Ipv4Addr::from(0x7f00_0100 + 1 + number % ADDRESSES));
        let (page, count) = (page.clone(), Arc::clone(&count));
        runtime.spawn(async move {
            loop {
                if ask(door, from, &page, &count).await.is_err() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        });
    }
    let begun = Instant::now();
    let _ = std::io::stdin().read_to_string(&mut String::new());
    let count = count.load(std::sync::atomic::Ordering::Relaxed);
    println!(
        "{:.0}",
        f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / begun.elapsed().as_secs_f64()
    );
    std::process::exit(0);
}

async fn ask(
    door: SocketAddr,
    from: IpAddr,
    page: &str,
    count: &std::sync::atomic::AtomicU64,
) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind((from, 0).into())?;
    let mut stream = socket.connect(door).await?;
    stream.set_nodelay(true)?;
    let feed = page == "/mqtt";
    let more = if feed {
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mqtt\r\n"
    } else {
        "Accept-Encoding: gzip\r\n"
    };
    let request = format!("GET {page} HTTP/1.1\r\nHost: hall\r\n{more}\r\n");
    let mut buffer = vec![0; 1 << 16];
    loop {
        stream.write_all(request.as_bytes()).await?;
        let mut read = stream.read(&mut buffer).await?;
        let head = String::from_utf8_lossy(&buffer[..read]).to_ascii_lowercase();
        let Some(end) = head.find("\r\n\r\n") else { return Err(std::io::ErrorKind::Other.into()) };
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if feed {
            return Ok(());
        }
        let length = head.split("content-length: ").nth(1).and_then(|it| it.lines().next());
        let length = length.and_then(|it| it.parse::<usize>().ok()).unwrap_or(0);
        while read < end + 4 + length {
            match stream.read(&mut buffer).await? {
                0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                more => read += more,
            }
        }
    }
}
