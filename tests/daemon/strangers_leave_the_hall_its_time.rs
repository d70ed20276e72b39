//! Whoever asks the pages again and again has a bounded share of the processor, however many
//! connections and addresses he has; an honest tablet is served beside him, and this machine is not
//! slowed. Passwords that are guessed are not all checked, and fill no log.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use socket2::{Domain, Socket, Type};

use crate::common::{Daemon, House, PATIENCE, get, password_hash};

/// How long strangers ask.
const LASTS: Duration = Duration::from_secs(4);
/// The longest that a tablet may wait for the pages.
const SLOWEST: Duration = Duration::from_secs(5);
/// What all of them together may have of it, in percent of a core, and what the daemon itself needs
/// to accept them and to look after an empty hall.
const SHARE: u32 = 50 + 20;
const CONNECTIONS: u8 = 48;

/// A connection from an address of its own, `127.0.7.…`.
fn from(last: u8, door: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from(([127, 0, 7, last], 0)).into()).unwrap();
    socket.connect(&door.into()).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// One request on a connection that is kept, as another machine names this one.
fn ask(stream: &mut TcpStream, what: &str, body: &str) -> std::io::Result<(u16, usize)> {
    let length = body.len();
    let head = format!("{what} HTTP/1.1\r\nHost: hall\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(format!("{head}{body}").as_bytes())?;
    let mut reader = BufReader::new(stream);
    let (mut line, mut status, mut length) = (String::new(), 0, 0);
    while reader.read_line(&mut line)? > 2 {
        if status == 0 {
            status = line.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(1);
        } else if let Some(heard) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = heard.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    reader.read_exact(&mut vec![0; length])?;
    Ok((status, length))
}

/// Strangers who ask for a page until they are told to stop; how often they were answered.
struct Strangers {
    over: Arc<AtomicBool>,
    answers: Arc<AtomicU64>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Strangers {
    fn at(door: SocketAddr, what: &'static str) -> Self {
        let (over, answers) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let threads = (0..CONNECTIONS).map(|number| {
            let (over, answers) = (Arc::clone(&over), Arc::clone(&answers));
            thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    let mut stream = from(number % 6 + 1, door);
                    while !over.load(Ordering::Relaxed) && ask(&mut stream, what, "").is_ok() {
                        answers.fetch_add(1, Ordering::Relaxed);
                    }
                }
            })
        });
        let threads = threads.collect();
        Self { over, answers, threads }
    }

    fn go(self) -> u64 {
        self.over.store(true, Ordering::Relaxed);
        self.threads.into_iter().for_each(|it| it.join().unwrap());
        self.answers.load(Ordering::Relaxed)
    }
}

#[test]
fn strangers_have_a_share_of_a_core_and_an_honest_tablet_its_page() {
    let mut house = House::new();
    house.set("livechess", "listen", "127.0.0.1:0").table(1, "driver = \"dgt\"");
    let daemon = Daemon::start(&house);
    let said = daemon.logged("LiveChess clients at ws://");
    let livechess = said.split_once("ws://").and_then(|(_, it)| it.split('/').next()).unwrap();
    let doors = [
        (daemon.pages, "GET /metrics"),
        (daemon.pages, "GET /arbiter"),
        (livechess.parse().unwrap(), "GET /api/v1.0/eboards"),
    ];
    for (door, what) in doors {
        let strangers = Strangers::at(door, what);
        let (begun, before) = (Instant::now(), daemon.processor());
        let (mut loads, mut slowest) = (0u32, Duration::ZERO);
        while begun.elapsed() < LASTS {
            let visit = Instant::now();
            let mut tablet = from(99, daemon.pages);
            for path in ["GET /arbiter", "GET /assets/arbiter.css", "GET /config.json"] {
                assert_eq!(ask(&mut tablet, path, "").unwrap().0, 200, "{path}");
            }
            slowest = slowest.max(visit.elapsed());
            loads += 1;
            assert_eq!(get(daemon.pages, "/healthz").status, 200);
            thread::sleep(Duration::from_millis(100));
        }
        let (used, lasted) = (daemon.processor() - before, begun.elapsed());
        let answers = strangers.go();
        println!("{what}: {used:?} of {lasted:?}, {answers} answers, {loads} loads, {slowest:?}");
        assert!(answers > 0, "they are served, in their time");
        assert!(used * 100 < lasted * SHARE, "{what}: {used:?} of {lasted:?}");
        assert!(slowest < SLOWEST, "{what}: the tablet waited for {slowest:?}");
    }
}

#[test]
fn passwords_that_are_guessed_are_counted_and_told_once() {
    let mut house = House::new();
    house.put("web.arbiters", "Ann", &password_hash("Ann", "ann"));
    let daemon = Daemon::start(&house);
    let guess = |last: u8, password: &str| {
        let login = format!("{{\"name\":\"Ann\",\"password\":\"{password}\"}}");
        ask(&mut from(last, daemon.pages), "POST /arbiter/session", &login).unwrap().0
    };
    let guesses = 12;
    for number in 0..guesses {
        assert_eq!(guess(number % 4 + 1, "wrong"), 401);
    }
    assert_eq!(guess(99, "ann"), 200, "an arbiter elsewhere is let in");
    assert_eq!(daemon.said("refused"), 1, "{}", daemon.words());
    let figures = get(daemon.pages, "/metrics").text();
    assert!(figures.contains(&format!("adoubed_logins_refused_total {guesses}\n")), "{figures}");
}

/// Whoever waits for his turn is asked again whether he may have one.
#[test]
fn of_passwords_that_are_guessed_at_once_a_few_are_checked() {
    const GUESSES: usize = 100;
    let mut house = House::new();
    house.put("web.arbiters", "Ann", &password_hash("Ann", "ann"));
    let daemon = Daemon::start(&house);
    let login = |password: &str| format!("{{\"name\":\"Ann\",\"password\":\"{password}\"}}");
    let guess = |last: u8, password: &str| {
        let mut stream = from(last, daemon.pages);
        ask(&mut stream, "POST /arbiter/session", &login(password)).unwrap().0
    };
    let begun = Instant::now();
    let statuses: Vec<u16> = thread::scope(|scope| {
        let guesses: Vec<_> = (0..GUESSES).map(|_| scope.spawn(|| guess(1, "wrong"))).collect();
        assert_eq!(guess(99, "ann"), 200, "an arbiter elsewhere is let in meanwhile");
        guesses.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let of = |status: u16| statuses.iter().filter(|it| **it == status).count();
    // Five are free, and after each further one he waits for a second at least.
    let most = 6 + usize::try_from(begun.elapsed().as_secs()).unwrap();
    assert!(of(401) <= most, "{} of {GUESSES} were checked", of(401));
    assert_eq!(of(401) + of(429), GUESSES, "{statuses:?}");
}
