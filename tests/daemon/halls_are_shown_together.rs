//! Several daemons at one broker are shown by the pages of a machine that has no boards. Each stays
//! the owner of its own tables: what is asked of one is not asked of another.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use serde_json::json;

use super::pages_and_feed_behind_one_port::assert_topic;
use crate::common::{Board, Daemon, Feed, House, Mosquitto, RUNTIME, adoubed, finish, get, post};

/// A hall with one table.
fn hall(base: &str, broker: SocketAddr) -> (House, Board, Daemon) {
    let mut house = House::new();
    house.set("mqtt", "broker", "external").set("mqtt", "base", base);
    house.set("mqtt", "url", &format!("mqtt://{broker}"));
    house.table(1, "driver = \"dgt\"");
    let board = Board::dgt(&house.line("1"), "26015");
    let daemon = Daemon::start(&house);
    (house, board, daemon)
}

/// What such pages are told, with these halls.
fn pages(broker: SocketAddr, halls: &str) -> String {
    format!(
        "[event]\nname = \"Open de Liège\"\n[mqtt]\nbroker = \"external\"\n\
         url = \"mqtt://{broker}\"\n[web]\nlisten = \"127.0.0.1:0\"\nhalls = {halls}\n"
    )
}

fn serve(config: &Path) -> Daemon {
    Daemon::by(adoubed(["serve", "--config", &config.display().to_string()]).current_dir("/"))
}

#[test]
fn pages_without_boards_show_both_halls_and_each_hears_its_own_orders() {
    let house = House::new();
    let Some(mut mosquitto) = Mosquitto::open("several halls", house.path()) else { return };
    let [(_house, mut board, _a), (house_b, _board, b)] =
        ["liege/a", "liege/b"].map(|base| hall(base, mosquitto.address));
    let config = house.path().join("serve.toml");
    fs::write(&config, pages(mosquitto.address, "[\"liege/a\", \"liege/b\"]")).unwrap();
    let screen = serve(&config);

    let about = get(screen.pages, "/config.json").json();
    let hall = |base: &str, name: &str| json!({"base": base, "name": name, "pages": ""});
    assert_eq!(about["halls"], json!([hall("liege/a", "A"), hall("liege/b", "B")]));
    assert_eq!(about["event"], "Open de Liège");
    for path in ["/", "/kiosk", "/table/A-1", "/embed/B-1", "/arbiter", "/setup"] {
        assert_eq!(get(screen.pages, path).status, 200, "{path}");
    }
    // There is no record that any of these could be made from.
    for path in ["/metrics", "/pgn/games.pgn", "/plugged.json"] {
        assert_eq!(get(screen.pages, path).status, 404, "{path}");
    }
    assert_eq!(post(screen.pages, "/arbiter/decisions", "{}").status, 404);
    let login = r#"{"name": "Claire", "password": "whatever the broker says to it"}"#;
    assert_eq!(post(screen.pages, "/arbiter/session", login).status, 200, "the broker decides");

    let feeds = ["liege/a", "liege/b"].map(|base| Feed::of(base, mosquitto.address));
    for feed in &feeds {
        feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    }
    for topic in ["liege/a/v1/table/1/position", "liege/b/v1/table/1/position"] {
        for version in [4, 5] {
            RUNTIME.block_on(assert_topic(screen.pages, version, topic));
        }
    }

    board.play("e4");
    let [a, of_b] = &feeds;
    a.topic("table/1/position", "a move in A", |it| it["ply"] == 1);
    let answer = of_b.ask("set_result", json!({"table": 1, "result": "1-0"}));
    assert_eq!(answer["status"], "ok", "{answer}");
    of_b.topic("table/1/game", "the result of B", |it| it["result"] == "1-0");
    assert_eq!(a.now("table/1/game")["result"], "*", "A was asked too");
    assert_eq!(of_b.now("table/1/position")["ply"], 0, "B has moved with A");

    // The other one is gone: its last will says so to whoever comes.
    b.kill();
    of_b.topic("bridge/state", "the last will", |it| it["state"] == "offline");
    let late = Feed::of("liege/b", mosquitto.address);
    late.topic("bridge/state", "the last will, retained", |it| it["state"] == "offline");
    assert_eq!(a.now("bridge/state")["state"], "online");
    let _b = Daemon::again(&house_b);
    of_b.topic("bridge/state", "back again", |it| it["state"] == "online");

    assert_eq!(get(screen.pages, "/healthz").text(), "ok\nbroker: connected\n");
    mosquitto.close();
    assert_eq!(get(screen.pages, "/healthz").text(), "degraded\nbroker: away\n");
    screen.logged("no broker at");
    mosquitto.forget(house.path());
    assert_eq!(get(screen.pages, "/healthz").text(), "ok\nbroker: connected\n");
    assert_eq!(screen.stop(), Some(0));
}

#[test]
fn the_halls_that_are_shown_can_be_others_without_a_restart() {
    let house = House::new();
    let Some(mosquitto) = Mosquitto::open("other halls", house.path()) else { return };
    let config = house.path().join("serve.toml");
    let written = |halls: &str| fs::write(&config, pages(mosquitto.address, halls)).unwrap();
    written("\"liege/+\"");
    let screen = serve(&config);
    let bases = || get(screen.pages, "/config.json").json()["halls"].clone();
    assert_eq!(bases()[0]["base"], "liege/+");
    written("[\"liege/a\", \"namur/a\"]");
    screen.hang_up();
    let complaint = screen.logged("the old configuration stays");
    assert!(complaint.contains("serve.toml:8: halls: two halls would have the name A"));
    assert_eq!(bases()[0]["base"], "liege/+");
    written("[\"liege/a\", { base = \"namur/a\", name = \"N\", pages = \"http://10.0.0.2/\" }]");
    screen.hang_up();
    screen.logged("the configuration was read again");
    let namur = json!({"base": "namur/a", "name": "N", "pages": "http://10.0.0.2"});
    assert_eq!(bases()[1], namur);
}

#[test]
fn what_only_a_daemon_with_boards_can_do_is_refused_with_file_line_key_and_remedy() {
    let house = House::new();
    let config = house.path().join("serve.toml");
    let nowhere = SocketAddr::from(([127, 0, 0, 1], 1));
    let good = pages(nowhere, "[\"liege/a\", \"liege/b\"]");
    for (text, place, remedy) in [
        (format!("{good}[[table]]\nnumber = 1\nport = \"/a\"\n"), ":9: table: ", "`adoubed run`"),
        (format!("{good}[journal]\nflush_ms = 200\n"), ":9: journal: ", "take it out"),
        (good.replace("halls", "#halls"), ":6: halls: ", "write halls = ["),
        (good.replace("broker = \"external\"", ""), ":8: halls: ", "broker = \"external\""),
    ] {
        fs::write(&config, text).unwrap();
        let file = config.display().to_string();
        let outcome = finish(adoubed(["serve", "--config", &file]).current_dir(house.path()));
        assert_eq!(outcome.code, Some(78), "{}", outcome.stderr);
        let said = &outcome.stderr;
        assert!(said.contains(&format!("{file}{place}")), "{said} is not at {place}");
        assert!(said.contains(remedy), "{said}");
    }
    fs::write(&config, &good).unwrap();
    let file = config.display().to_string();
    let outcome = finish(adoubed(["run", "--config", &file]).current_dir(house.path()));
    assert_eq!(outcome.code, Some(78), "{outcome:?}");
    let place = format!("{file}:8: halls: ");
    assert!(outcome.stderr.contains(&place) && outcome.stderr.contains("`adoubed serve`"));
    let outcome = finish(&mut adoubed(["check", &config.display().to_string()]));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("hall B at liege/b: its tables are B-1, B-2, …"));
}
