//! The doors stay free: for half requests, idle connections, too many connections, and requests
//! that are nearly right.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Instant;

use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
use tokio::net::{TcpSocket, TcpStream};

use super::*;
use crate::mutation;

const WHOLE: &[u8] = b"GET / HTTP/1.1\r\nHost: hall\r\n\r\n";

/// A door with this many seats, and a page behind it.
async fn open(seats: usize) -> (SocketAddr, Seats) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seats = Seats::new(seats, seats);
    let router = Router::new().route("/", get(async || "here"));
    tokio::spawn(serve(Open::new(listener, seats.clone(), Arc::default()), router));
    (address, seats)
}

async fn from(last: u8, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)), 0).into()).unwrap();
    socket.connect(to).await.unwrap()
}

/// Sends a request and reads one answer.
async fn asks(stream: &mut TcpStream) -> bool {
    let mut answer = [0; 1024];
    let asked = stream.write_all(WHOLE).await.is_ok();
    let read = timeout(ANSWER, stream.read(&mut answer)).await.unwrap();
    asked && read.is_ok_and(|count| answer[..count].ends_with(b"here"))
}

/// How long it takes until an idle connection is cut.
async fn cut(mut stream: TcpStream) -> Duration {
    let begun = Instant::now();
    let mut rest = Vec::new();
    let ended = timeout(3 * HEADER, stream.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "it is never cut");
    begun.elapsed()
}

#[tokio::test]
async fn half_a_header_and_an_idle_connection_are_cut_and_others_served() {
    let (address, seats) = open(8).await;
    let mut half = from(1, address).await;
    half.write_all(&WHOLE[..20]).await.unwrap();
    let mut idle = from(1, address).await;
    assert!(asks(&mut idle).await);
    let silent = from(1, address).await;
    let mut other = from(1, address).await;
    for _ in 0..3 {
        assert!(asks(&mut other).await, "one connection serves many requests");
    }
    drop(other);
    let begun = Instant::now();
    let after = tokio::join!(cut(half), cut(idle), cut(silent));
    let most = begun.elapsed();
    assert!(most >= HEADER - Duration::from_secs(1) && most < 2 * HEADER, "{after:?}");
    while seats.taken() > 0 {
        sleep(Duration::from_millis(5)).await;
        assert!(begun.elapsed() < 3 * HEADER, "{} seats are never free again", seats.taken());
    }
}

#[tokio::test]
async fn a_header_without_end_is_refused() {
    let (address, _) = open(8).await;
    let mut endless = from(1, address).await;
    let line = format!("X-Long: {}\r\n", "x".repeat(1000));
    let mut sent = WHOLE[..WHOLE.len() - 2].to_vec();
    (0..2 * HEADER_BYTES / line.len()).for_each(|_| sent.extend(line.bytes()));
    let _ = endless.write_all(&sent).await;
    let mut answer = Vec::new();
    let begun = Instant::now();
    let _ = timeout(HEADER, endless.read_to_end(&mut answer)).await.unwrap();
    assert!(!answer.ends_with(b"here") && begun.elapsed() < HEADER / 2);
}

#[tokio::test]
async fn when_all_seats_are_taken_the_address_with_most_gives_one() {
    let (address, seats) = open(3).await;
    let mut sitting = Vec::new();
    for _ in 0..3 {
        let mut stream = from(1, address).await;
        assert!(asks(&mut stream).await);
        sitting.push(stream);
    }
    let mut same = from(1, address).await;
    assert!(!asks(&mut same).await, "an address takes nothing from itself");
    let mut other = from(2, address).await;
    assert!(asks(&mut other).await, "another address is let in");
    let mut oldest = sitting.remove(0);
    assert!(!asks(&mut oldest).await, "the oldest seat was given away");
    for stream in &mut sitting {
        assert!(asks(stream).await, "the others stay");
    }
    assert_eq!((seats.taken(), seats.refused()), (3, 1));
}

#[tokio::test]
async fn whoever_takes_nothing_of_an_answer_is_given_up() {
    let (ours, theirs) = duplex(16);
    let mut socket = Patient::new(ours, Duration::from_millis(100));
    let written = timeout(ANSWER, socket.write_all(&[0; 1000])).await.expect("it is given up");
    assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
    drop(theirs);
}

#[tokio::test]
async fn whoever_takes_an_answer_slowly_gets_it_whole() {
    let patience = Duration::from_secs(1);
    let (ours, mut theirs) = duplex(16);
    let mut socket = Patient::new(ours, patience);
    let begun = Instant::now();
    let written = tokio::spawn(async move { socket.write_all(&[0; 1000]).await });
    let mut taken = 0;
    while taken < 1000 {
        taken += theirs.read(&mut [0; 16]).await.unwrap();
        sleep(patience / 40).await;
    }
    assert!(written.await.unwrap().is_ok() && begun.elapsed() > patience);
}

/// Requests of browsers, broadcasters and clients of LiveChess.
const REQUESTS: [&str; 6] = [
    "GET /pgn/table/7.pgn?since=1&x=%20 HTTP/1.1\r\nHost: hall\r\n\
     Accept-Encoding: gzip;q=0.5, *\r\n\
     If-None-Match: W/\"0123456789abcdef01234567-gz\", *\r\nConnection: close\r\n\r\n",
    "GET /api/v1.0/round/00000000-0000-5000-8000-000000000000/1 HTTP/1.1\r\n\
     Host: [::1]:1982\r\n\r\n",
    "POST /arbiter/session HTTP/1.1\r\nHost: localhost:8380\r\nOrigin: http://localhost:8380\r\n\
     Content-Length: 30\r\n\r\n{\"name\":\"Ann\",\"password\":\"a\"}",
    "GET /mqtt HTTP/1.1\r\nHost: hall\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
     Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
     Sec-WebSocket-Protocol: mqtt\r\n\r\n\x02\x03abc",
    "GET /trust/en HTTP/1.0\r\nHost: hall.local:8380\r\nAccept-Language: fr;q=0.8, en\r\n\
     X-Forwarded-For: 10.0.0.7\r\nCookie: a=b; c=d\r\n\r\n",
    "POST /x HTTP/1.1\r\nHost: hall\r\n\
     Transfer-Encoding: chunked\r\n\r\n4;a=b\r\nbody\r\n0\r\n\r\n",
];

/// The parsers of requests at our doors: path, host, origin and body.
#[test]
fn requests_that_are_nearly_right_are_answered() {
    let answer = async |FromHere(here): FromHere, request: Request| {
        let own = is_own_page(request.headers());
        let path = request.uri().to_string();
        let body = axum::body::to_bytes(request.into_body(), 1 << 20).await;
        format!("{path} {here} {own} {}", body.map_or(0, |it| it.len()))
    };
    let router = Router::new()
        .route(
            "/pgn/table/{file}",
            get(async |axum::extract::Path(file): axum::extract::Path<String>| file),
        )
        .fallback(answer);
    let peer = Peer::new(SocketAddr::from(([127, 0, 0, 1], 9)), false);
    let visitor = Arc::<Usher>::default().meet(peer.address.ip()).unwrap();
    let router = router.layer(axum::middleware::from_fn(in_time));
    let router = router.layer(Extension(visitor)).layer(Extension(ConnectInfo(peer)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let corpus = REQUESTS.map(|it| it.as_bytes().to_vec());
    let mut answered = 0u64;
    mutation::fuzz("requests at a door", &corpus, |input| {
        runtime.block_on(async {
            let (ours, mut theirs) = duplex(64 * 1024);
            theirs.write_all(input).await.unwrap();
            theirs.shutdown().await.unwrap();
            let service = TowerToHyperService::new(router.clone());
            let served = http1::Builder::new()
                .timer(TokioTimer::new())
                .max_buf_size(HEADER_BYTES)
                .serve_connection(TokioIo::new(ours), service);
            // The result does not matter.
            let _ = served.await;
            let mut answer = Vec::new();
            let _ = theirs.read_to_end(&mut answer).await;
            answered += u64::from(answer.starts_with(b"HTTP/1.1 200"));
        });
    });
    assert!(answered > 0);
}
