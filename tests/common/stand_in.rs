//! A stand-in for a server of other people that is posted to: Lichess, or a service that wakes
//! tablets. It answers pushes as the specification of the API of Lichess says, unless a test wants
//! something else of it.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

use super::{PATIENCE, Watched};

/// What was posted.
#[derive(Clone, Debug)]
pub struct Posted {
    pub path: String,
    /// Everything before the empty line, names in small letters.
    pub head: String,
    pub body: String,
    pub at: Instant,
}

impl Posted {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(it, _)| *it == name).map(|(_, value)| value)
    }

    /// The games of a push.
    pub fn games(&self) -> Vec<&str> {
        self.body.split("\n\n[").filter(|it| it.contains("Event \"")).collect()
    }
}

/// What it does with a request instead of what is usual.
#[derive(Clone, Debug)]
pub enum Doing {
    /// Answers this.
    Answers(u16, &'static str, String),
    /// Says nothing, for so long.
    IsSilent(Duration),
    /// Breaks off in the middle.
    BreaksOff,
    /// Refuses the games in which this stands.
    Refuses(&'static str, &'static str),
}

#[derive(Default)]
struct State {
    posted: Vec<Posted>,
    planned: VecDeque<Doing>,
}

pub struct StandIn {
    pub address: SocketAddr,
    state: Arc<Watched<State>>,
}

trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

impl StandIn {
    pub fn open() -> Self {
        Self::serve(None)
    }

    /// The same with TLS.
    pub fn encrypted((certificate, key): (&Path, &Path)) -> Self {
        let chain = CertificateDer::pem_file_iter(certificate).expect("a file");
        let chain = chain.map(|it| it.expect("a certificate")).collect();
        let key = PrivateKeyDer::from_pem_file(key).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider);
        let config = config.with_safe_default_protocol_versions().expect("versions");
        let config = config.with_no_client_auth().with_single_cert(chain, key).expect("a pair");
        Self::serve(Some(Arc::new(config)))
    }

    fn serve(tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(Watched::<State>::default());
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (tls, shared) = (tls.clone(), Arc::clone(&shared));
                thread::spawn(move || converse(stream, tls, &shared));
            }
        });
        Self { address, state }
    }

    /// The next requests are treated like this, one after the other.
    pub fn plan(&self, doings: impl IntoIterator<Item = Doing>) {
        self.state.change(|state| state.planned.extend(doings));
    }

    /// What was posted so far.
    pub fn posted(&self) -> Vec<Posted> {
        self.state.look(|state| state.posted.clone())
    }

    /// The first request after the ones before it that is as wanted, now or soon.
    pub fn wait(&self, what: &str, after: usize, wanted: impl Fn(&Posted) -> bool) -> Posted {
        let find = |state: &State| state.posted.iter().skip(after).find(|it| wanted(it)).cloned();
        let found = self.state.wait(PATIENCE, find);
        found.unwrap_or_else(|| panic!("{what} was never posted: {:#?}", self.posted()))
    }
}

fn converse(stream: TcpStream, tls: Option<Arc<ServerConfig>>, state: &Watched<State>) {
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let mut stream: Box<dyn Stream> = match tls {
        None => Box::new(stream),
        Some(tls) => {
            let connection = ServerConnection::new(tls).expect("a server");
            Box::new(StreamOwned::new(connection, stream))
        }
    };
    while let Some(posted) = request(&mut stream) {
        let doing = state.change(|state| {
            state.posted.push(posted.clone());
            state.planned.pop_front()
        });
        let answered = match doing {
            None => answer(&mut stream, 200, "", &taken(&posted, None)),
            Some(Doing::Refuses(what, why)) => {
                answer(&mut stream, 200, "", &taken(&posted, Some((what, why))))
            }
            Some(Doing::Answers(status, more, body)) => answer(&mut stream, status, more, &body),
            Some(Doing::IsSilent(time)) => {
                thread::sleep(time);
                return;
            }
            Some(Doing::BreaksOff) => {
                let _ =
                    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"games\"");
                return;
            }
        };
        if answered.is_err() {
            return;
        }
    }
}

fn answer(stream: &mut impl Write, status: u16, more: &str, body: &str) -> std::io::Result<()> {
    let kind = "Content-Type: application/json";
    let length = body.len();
    let head = format!("HTTP/1.1 {status} So\r\n{kind}\r\nContent-Length: {length}\r\n{more}\r\n");
    stream.write_all(format!("{head}{body}").as_bytes())?;
    stream.flush()
}

fn request(stream: &mut impl Read) -> Option<Posted> {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 64 * 1024]);
    loop {
        let read = stream.read(&mut chunk).ok().filter(|it| *it > 0)?;
        bytes.extend_from_slice(&chunk[..read]);
        let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let length = head.lines().filter_map(|line| line.split_once(": "));
        let mut length = length.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let length = length.next().map_or(0, |(_, it)| it.parse().expect("a length"));
        if bytes.len() < end + 4 + length {
            continue;
        }
        let path = head.split(' ').nth(1)?.to_owned();
        let body = String::from_utf8_lossy(&bytes[end + 4..]).into_owned();
        return Some(Posted { path, head, body, at: Instant::now() });
    }
}

/// As `BroadcastPgnPush` has it: every game at its place, with its tags, and how many moves it has
/// or why it is refused.
fn taken(posted: &Posted, refused: Option<(&str, &str)>) -> String {
    let games = posted.games().into_iter().map(|game| {
        let tags = game.lines().filter_map(|line| {
            let (name, value) =
                line.trim_start_matches('[').strip_suffix("\"]")?.split_once(" \"")?;
            Some((name.to_owned(), Value::from(value)))
        });
        let tags: serde_json::Map<_, _> = tags.collect();
        match refused.filter(|(what, _)| game.contains(what)) {
            Some((_, why)) => json!({"tags": {}, "error": why}),
            None => json!({"tags": tags, "moves": game.matches("%emt").count()}),
        }
    });
    json!({"games": games.collect::<Vec<_>>()}).to_string()
}
