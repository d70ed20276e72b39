//! What is meant for arbiters reaches nobody without a name: not by any filter, not what is
//! retained, live, queued while he was away, or resumed; heard with other people's clients.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::common::{Board, Daemon, Feed, House, Judge, PATIENCE, RUNTIME, judges, one_table};

/// The beginnings of topics guests may read.
const OPEN: [&str; 3] = ["adoubed/v1/bridge/", "adoubed/v1/public/", "adoubed/v1/table/"];
/// What arbiters are told must be among what was said meanwhile, or nothing is proven.
const SAID: [&str; 7] = [
    "adoubed/v1/alert/1-1-1",
    "adoubed/v1/arbiter/ledger/1",
    "adoubed/v1/arbiter/unseated",
    "adoubed/v1/arbiter/watch_list",
    "adoubed/v1/request/penalty_given",
    "adoubed/v1/response/penalty_given",
    "adoubed/v1/response/mine",
];
/// Filters of somebody who wants just that.
const CURIOUS: [&str; 8] = [
    "adoubed/v1/alert/#",
    "adoubed/v1/arbiter/#",
    "adoubed/v1/arbiter/watch_list",
    "adoubed/v1/request/#",
    "adoubed/v1/response/#",
    "+/+/alert/+",
    "adoubed/+/arbiter/+",
    "$share/screens/adoubed/v1/alert/#",
];

/// An illegal move, what arbiters say to it, and last a result that everybody may see.
fn play(arbiter: &Feed, board: &mut Board) {
    board.start_clock();
    board.lift("g1");
    board.put("g3", 'N');
    board.press(178);
    let alert = arbiter.topic("alert/1-1-1", "open", |it| it["state"] == "open");
    arbiter.ask("acknowledge", json!({"alert": alert["id"]}));
    arbiter.ask("penalty_given", json!({"alert": alert["id"]}));
    let mine = Some(("adoubed/v1/response/mine", &b"1"[..]));
    arbiter.publish("request/acknowledge", &json!({"alert": "9-9-9"}), mine);
    arbiter.wait("an answer", |heard| heard.latest("adoubed/v1/response/mine").map(|_| ()));
    arbiter.ask("set_result", json!({"table": 1, "result": "1-0"}));
    let heard: BTreeSet<_> = arbiter.look(|heard| heard.latest.keys().cloned().collect());
    assert!(SAID.iter().all(|topic| heard.contains(*topic)), "{heard:?}");
}

/// Everything it was told it may read; the last is the result.
fn assert_blind(judge: &Judge, what: &str) {
    judge.wait(what, |shown| {
        let mut games = shown.iter().filter(|it| it.topic == "adoubed/v1/table/1/game");
        games.any(|it| json_of(&it.payload)["result"] == "1-0").then_some(())
    });
    for shown in judge.heard() {
        let open = OPEN.iter().any(|topic| shown.topic.starts_with(topic));
        assert!(open, "{what}, -V {} -q {}: {}", judge.version, judge.qos, shown.topic);
    }
}

fn json_of(payload: &[u8]) -> Value {
    serde_json::from_slice(payload).unwrap_or_default()
}

/// A guest whose session outlives its connection.
fn kept(address: SocketAddr, version: &'static str) -> Judge {
    let id = format!("kept-{version}");
    let mut more = vec!["-c", "-i", &id];
    if version == "5" {
        more.extend(["-x", "600"]);
    }
    Judge::call(address, "adoubed/v1/#", version, 1, &more)
}

#[test]
fn a_guest_hears_tables_only_whatever_he_asks_for() {
    let mut house = House::new();
    let (mut board, daemon, arbiter) = one_table(&mut house, "");
    let live = judges("guests and alerts", daemon.feed(), "#");
    let subscribed = |judge: &Judge| judge.wait("a topic", |shown| shown.first().map(|_| ()));
    live.iter().for_each(subscribed);
    let versions: &[&str] = if live.is_empty() { &[] } else { &["311", "5"] };
    for version in versions {
        subscribed(&kept(daemon.feed(), version));
    }
    let curious: Vec<_> = versions
        .iter()
        .flat_map(|version| CURIOUS.map(|filter| (version, filter)))
        .map(|(version, filter)| Judge::call(daemon.feed(), filter, version, 1, &[]))
        .collect();

    play(&arbiter, &mut board);
    live.iter().for_each(|judge| assert_blind(judge, "live"));
    for judge in judges("guests and retained alerts", daemon.feed(), "adoubed/#") {
        assert_blind(&judge, "retained");
    }
    for version in versions {
        assert_blind(&kept(daemon.feed(), version), "queued and resumed");
    }
    for version in [4, 5] {
        RUNTIME.block_on(assert_blind_page(&daemon, version));
    }
    for judge in curious {
        assert!(judge.heard().is_empty(), "-V {}: {:?}", judge.version, judge.heard());
    }
    let guest = Feed::guest(daemon.feed());
    guest.topic("table/1/game", "the result", |it| it["result"] == "1-0");
    let heard: Vec<_> = guest.look(|heard| heard.latest.keys().cloned().collect());
    assert!(heard.iter().all(|it| OPEN.iter().any(|open| it.starts_with(open))), "{heard:?}");
}

/// A page that asks for everything without a name: no byte of it names what is not for guests.
async fn assert_blind_page(daemon: &Daemon, version: u8) {
    let mut request = format!("ws://{}/mqtt", daemon.pages).into_client_request().unwrap();
    request.headers_mut().insert("Sec-WebSocket-Protocol", "mqtt".parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    let properties: &[u8] = if version == 5 { &[0] } else { &[] };
    let connect =
        [&[0, 4], &b"MQTT"[..], &[version, 2, 0, 60], properties, &[0, 4], b"page"].concat();
    let subscribe = [&[0, 1], properties, &[0, 1], b"#", &[0]].concat();
    for (kind, body) in [(0x10, connect), (0x82, subscribe)] {
        let packet = [&[kind, u8::try_from(body.len()).unwrap()], &body[..]].concat();
        socket.send(Message::Binary(packet.into())).await.unwrap();
    }
    let mut heard = Vec::new();
    let contains = |heard: &[u8], text: &str| {
        heard.windows(text.len()).any(|window| window == text.as_bytes())
    };
    let listening = async {
        while !contains(&heard, "\"result\":\"1-0\"") {
            match socket.next().await {
                Some(Ok(Message::Binary(bytes))) => heard.extend(bytes),
                Some(Ok(_)) => {}
                other => panic!("{other:?}"),
            }
        }
    };
    tokio::time::timeout(PATIENCE, listening).await.expect("the result");
    for topic in ["v1/alert/", "v1/arbiter/", "v1/request/", "v1/response/"] {
        assert!(!contains(&heard, topic), "version {version}: {topic}");
    }
}
