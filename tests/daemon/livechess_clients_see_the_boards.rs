//! Programs written for DGT LiveChess see our boards: what they ask is answered in their words,
//! many at once, and none of them holds up a table.

use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::common::{Board, Daemon, Feed, House, PATIENCE, RUNTIME, get};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/// The board's own number.
const SERIAL: &str = "23946";
/// Clients at once.
const MANY: usize = 50;

/// A board at table 1, with its pieces set up, and a daemon that serves clients of LiveChess.
fn hall(house: &mut House) -> (Board, Daemon, SocketAddr) {
    house.set("livechess", "listen", "127.0.0.1:0");
    house.set("event", "name", "Open de Liège").set("event", "round", "2");
    house.table(1, "driver = \"dgt\"\nwhite = \"Doe, Jane\"\nblack = \"Roe, Max\"");
    let board = Board::dgt(&house.line("1"), SERIAL);
    let daemon = Daemon::start(house);
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    let address = door(&daemon);
    (board, daemon, address)
}

fn door(daemon: &Daemon) -> SocketAddr {
    let line = daemon.logged("LiveChess clients at ws://");
    let (_, address) = line.split_once("ws://").unwrap();
    address.strip_suffix("/api/v1.0").unwrap().parse().unwrap()
}

struct Client(WebSocketStream<TcpStream>);

impl Client {
    fn connect(address: SocketAddr) -> Self {
        RUNTIME.block_on(async {
            let stream = TcpStream::connect(address).await.unwrap();
            let url = format!("ws://{address}/api/v1.0");
            Self(tokio_tungstenite::client_async(url, stream).await.unwrap().0)
        })
    }

    fn send(&mut self, message: impl Into<Message>) {
        RUNTIME.block_on(self.0.send(message.into())).unwrap();
    }

    /// The next message of which this is true.
    fn until(&mut self, what: &str, good: impl Fn(&Value) -> bool) -> Value {
        let listening = async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text))) => {
                        let message: Value = serde_json::from_str(&text).unwrap();
                        if good(&message) {
                            return message;
                        }
                    }
                    Some(Ok(_)) => {}
                    other => panic!("{what}: {other:?}"),
                }
            }
        };
        let found = RUNTIME.block_on(async { tokio::time::timeout(PATIENCE, listening).await });
        found.unwrap_or_else(|_| panic!("never told: {what}"))
    }

    fn call(&mut self, call: Value) -> Value {
        self.send(call.to_string());
        self.until("an answer", |it| it["response"] != "feed" && it["id"] == call["id"])
    }

    fn subscribe(&mut self) {
        let param = json!({"feed": "eboardevent", "id": 1, "param": {"serialnr": SERIAL}});
        let answer = self.call(json!({"id": 2, "call": "subscribe", "param": param}));
        assert_eq!((&answer["response"], &answer["param"]), (&json!("call"), &Value::Null));
    }

    fn set_up(&mut self) {
        let fen = json!({"fen": format!("{START} w KQkq - 0 1")});
        let param = json!({"id": 1, "method": "setup", "param": fen});
        let answer = self.call(json!({"id": 3, "call": "call", "param": param}));
        assert_eq!(answer["response"], "call", "{answer}");
    }

    fn moves(&mut self, moves: &[&str]) -> Value {
        let played =
            |it: &Value| it["param"]["san"] == json!(moves) && it["param"]["match"] == true;
        self.until(&moves.join(" "), |it| it["response"] == "feed" && played(it))
    }
}

/// Waits until the board is heard and its pieces stand.
fn ready(address: SocketAddr) -> Client {
    let (mut client, begun) = (Client::connect(address), Instant::now());
    loop {
        let answer = client.call(json!({"id": 1, "call": "eboards"}));
        let board = &answer["param"][0];
        if board["serialnr"] == SERIAL && board["board"] == START {
            return client;
        }
        assert!(begun.elapsed() < PATIENCE, "{answer}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_client_finds_the_board_and_follows_its_game() {
    let mut house = House::new();
    let (mut board, _daemon, address) = hall(&mut house);
    let mut client = ready(address);
    let answer = client.call(json!({"id": "1", "call": "eboards", "param": null}));
    let heard = &answer["param"][0];
    assert_eq!((&heard["state"], &heard["flipped"]), (&json!("ACTIVE"), &json!(false)));
    assert_eq!(heard["source"], house.line("1").to_str().unwrap());
    client.subscribe();
    let first = client.until("the first event", |it| it["response"] == "feed");
    assert_eq!((&first["id"], &first["param"]["board"]), (&json!(1), &json!(START)));
    assert_eq!(first["param"]["san"], Value::Null, "nothing was set up");
    client.set_up();
    client.moves(&[]);
    board.start_clock();
    board.play_and_press("e4", 178);
    let heard = client.moves(&["e4"]);
    assert_eq!(heard["param"]["board"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    board.play_and_press("e5", 175);
    client.moves(&["e4", "e5"]);
    let clock = client.until("the clock", |it| it["param"]["clock"]["black"] == 175);
    assert_eq!(clock["param"]["clock"]["run"], true, "White's clock runs: {clock}");
    board.play_and_press("Nf3", 170);
    client.moves(&["e4", "e5", "Nf3"]);
    let gone = client.call(json!({"id": 9, "call": "unsubscribe", "param": {"id": 1}}));
    assert_eq!(gone["response"], "call", "{gone}");
}

#[test]
fn the_event_is_there_over_http_and_its_names_outlive_a_restart() {
    let mut house = House::new();
    let (mut board, daemon, address) = hall(&mut house);
    drop(ready(address));
    board.start_clock();
    board.play_and_press("d4", 178);
    let heard = |address: SocketAddr, path: &str| {
        let reply = get(address, &format!("/api/v1.0/{path}"));
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    };
    // The uuids of the tournament and of the game, and the score once it is this.
    let names = |address: SocketAddr, san: &str| {
        let tournaments = heard(address, "tournaments");
        assert_eq!(tournaments[0]["description"], "Open de Liège");
        let tournament = tournaments[0]["uuid"].as_str().unwrap().to_owned();
        let whole = heard(address, &format!("tournament/{tournament}"));
        assert_eq!((&whole["rounds"], &whole["eboards"]), (&json!(2), &json!([SERIAL])));
        let round = heard(address, &format!("round/{tournament}/1"));
        assert_eq!(round["pairings"][0]["white"]["lname"], "Doe");
        let game = round["pairings"][0]["uuid"].as_str().unwrap().to_owned();
        let begun = Instant::now();
        loop {
            let score = heard(address, &format!("game/{game}"));
            let last = score["moves"].as_array().and_then(|it| it.last()?.as_str());
            if last.is_some_and(|it| it.starts_with(&format!("{san} "))) {
                return (tournament, game, score);
            }
            assert!(begun.elapsed() < PATIENCE, "{score}");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    let before = names(address, "d4");
    assert_eq!(get(address, "/api/v1.0/tournament/nothing").status, 404);
    assert_eq!(get(address, &format!("/api/v1.0/round/{}/2", before.0)).status, 404);
    daemon.kill();
    let daemon = Daemon::again(&house);
    let address = door(&daemon);
    drop(ready_again(address));
    board.play_and_press("d5", 175);
    let after = names(address, "d5");
    assert_eq!((&before.0, &before.1), (&after.0, &after.1));
    let moves = [&before.2, &after.2].map(|it| it["moves"].as_array().unwrap().len());
    assert_eq!(moves, [1, 2]);
}

/// Waits until the board is heard again.
fn ready_again(address: SocketAddr) -> Client {
    let (mut client, begun) = (Client::connect(address), Instant::now());
    loop {
        let answer = client.call(json!({"id": 1, "call": "eboards"}));
        if answer["param"][0]["serialnr"] == SERIAL && answer["param"][0]["state"] == "ACTIVE" {
            return client;
        }
        assert!(begun.elapsed() < PATIENCE, "{answer}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Subscribes a hundred times and never reads: what it is told fills every buffer on the way.
fn deaf(address: SocketAddr) -> Client {
    let mut client = RUNTIME.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let stream = socket.connect(address).await.unwrap();
        let url = format!("ws://{address}/api/v1.0");
        Client(tokio_tungstenite::client_async(url, stream).await.unwrap().0)
    });
    for id in 0..100 {
        let param = json!({"feed": "eboardevent", "id": id, "param": {"serialnr": SERIAL}});
        client.send(json!({"id": id, "call": "subscribe", "param": param}).to_string());
    }
    client
}

#[test]
fn fifty_clients_hear_every_move_also_beside_one_that_never_reads() {
    let mut house = House::new();
    let (mut board, daemon, address) = hall(&mut house);
    let first = ready(address);
    let deaf = deaf(address);
    let mut clients: Vec<_> = (1..MANY).map(|_| Client::connect(address)).collect();
    clients.push(first);
    for client in &mut clients {
        client.subscribe();
        client.set_up();
    }
    board.start_clock();
    let (mut played, mut slowest) = (Vec::new(), Duration::ZERO);
    for (san, seconds) in [("Nf3", 178), ("Nf6", 178), ("Ng1", 176), ("Ng8", 176), ("e4", 174)] {
        board.play_and_press(san, seconds);
        let made = Instant::now();
        played.push(san);
        clients.iter_mut().for_each(|client| drop(client.moves(&played)));
        slowest = slowest.max(made.elapsed());
    }
    println!("slowest of {} moves to {MANY} clients: {slowest:?}", played.len());
    let health = get(daemon.pages, "/healthz").text();
    let heard = format!(": {address}, clients: {}", MANY + 1);
    let works = |line: &&str| line.starts_with("livechess: works since ") && line.ends_with(&heard);
    assert!(health.lines().any(|line| works(&line)), "{health}");
    assert!(daemon.memory() < 80 << 20, "{} bytes", daemon.memory());
    drop((deaf, clients));
    let begun = Instant::now();
    while !get(daemon.pages, "/metrics").text().contains("adoubed_livechess_clients 0\n") {
        assert!(begun.elapsed() < PATIENCE, "clients that have gone are still counted");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_client_has_all_boards_of_a_large_hall_at_once() {
    let mut house = House::new();
    let (_board, _daemon, address) = hall(&mut house);
    let mut client = ready(address);
    let (boards, begun) = (300, Instant::now());
    for id in 1..=boards {
        let param = json!({"feed": "eboardevent", "id": id, "param": {"serialnr": SERIAL}});
        client.send(json!({"id": id, "call": "subscribe", "param": param}).to_string());
    }
    let feed = |it: &Value| it["response"] == "feed" && it["id"] == boards;
    client.until("the feed of the last board", feed);
    // At fifty calls a second it would be five.
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[test]
fn clients_that_talk_nonsense_disturb_nobody() {
    let mut house = House::new();
    let (mut board, daemon, address) = hall(&mut house);
    let mut client = ready(address);
    client.subscribe();
    client.set_up();
    // One that sends bytes, words and too much.
    let mut noisy = Client::connect(address);
    for text in ["ping", "", "{", "{\"call\":\"subscribe\"}", "\u{0}"] {
        noisy.send(text);
        noisy.until(text, |it| it["response"] == "error" && it["id"].is_null());
    }
    noisy.send(Message::Binary(vec![0xff; 100].into()));
    noisy.until("bytes", |it| it["response"] == "error");
    noisy.send(Message::Ping(vec![7; 100].into()));
    let answer = noisy.call(json!({"id": 5, "call": "eboards"}));
    assert_eq!(answer["param"][0]["serialnr"], SERIAL, "still served: {answer}");
    let huge = Message::Text("x".repeat(1 << 20).into());
    let ended = RUNTIME.block_on(async {
        // It may be cut while it still talks.
        let _ = noisy.0.send(huge).await;
        let gone = async { while let Some(Ok(_)) = noisy.0.next().await {} };
        tokio::time::timeout(PATIENCE, gone).await
    });
    assert!(ended.is_ok(), "a message of a megabyte is not taken");
    // One that goes in the middle of a frame, one that says no WebSocket at all, one that asks
    // without end.
    let mut cut = Client::connect(address);
    let mut half = Client::connect(address);
    let mut greedy = Client::connect(address);
    RUNTIME.block_on(async {
        cut.0.get_mut().write_all(&[0x81, 0xfe, 0x10, 0x00, 1, 2, 3, 4, 5]).await.unwrap();
        half.0.get_mut().write_all(&[0xff; 64]).await.unwrap();
    });
    drop((cut, half));
    let mut ask = |calls: u32| {
        let begun = Instant::now();
        for id in 0..calls {
            let answer = greedy.call(json!({"id": id, "call": "eboards"}));
            assert_eq!(answer["response"], "call");
        }
        begun.elapsed()
    };
    ask(512);
    assert!(ask(150) > Duration::from_secs(1), "150 answers are two seconds' worth");
    board.start_clock();
    board.play_and_press("e4", 178);
    client.moves(&["e4"]);
    let figures = get(daemon.pages, "/metrics").text();
    assert!(figures.contains("adoubed_livechess_refused_total 6\n"), "{figures}");
}

#[test]
fn an_address_that_another_program_has_is_taken_when_it_is_free() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    let mut house = House::new();
    house.set("livechess", "listen", &address.to_string()).table(1, "driver = \"dgt\"");
    let _board = Board::dgt(&house.line("1"), SERIAL);
    let daemon = Daemon::start(&house);
    let said = daemon.logged("LiveChess clients cannot be served");
    assert!(said.contains("WARN") && said.contains("[livechess] listen"), "{said}");
    let health = get(daemon.pages, "/healthz").text();
    assert!(
        health.starts_with("degraded\n") && health.contains("\nlivechess: fails since "),
        "{health}"
    );
    let figures = get(daemon.pages, "/metrics").text();
    assert!(figures.contains("adoubed_outlet_up{outlet=\"livechess\"} 0\n"), "{figures}");
    drop(other);
    assert_eq!(door(&daemon), address);
    drop(ready(address));
    assert!(get(daemon.pages, "/healthz").text().starts_with("ok\n"));
}
