//! A fresh hall is set up over the feed: kings are lifted, tables are named, and the file that
//! comes of it is read by the next start. Nobody touches the file, and nothing is restarted.

use std::fs;
use std::time::Instant;

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Feed, House, Reply, adoubed, password_hash, post};

pub fn hall() -> House {
    let mut house = House::new();
    house.any_line();
    house.put("web.arbiters", "Ann", &password_hash("Ann", "ann"));
    house.put("web.organizers", "Olga", &password_hash("Olga", "olga"));
    house
}

pub fn organizer(daemon: &Daemon) -> Feed {
    Feed::open(daemon.feed(), Some(("Olga".into(), "olga".into())))
}

/// What is known of the hall once so many boards have answered.
pub fn boards(feed: &Feed, count: usize) -> Value {
    feed.topic("setup/boards", "every board has answered", |it| {
        let boards = it["boards"].as_array();
        let answered = |it: &&Value| !it["driver"].is_null();
        boards.is_some_and(|all| all.iter().filter(answered).count() == count)
    })
}

/// Lifts the king of a board and waits until it is heard.
fn lift(feed: &Feed, board: &mut Board) -> Value {
    let heard = feed.all("setup/lift").len();
    board.lift("e1");
    let lift = feed.wait("a lifted king", |it| {
        let lifts = it.messages.iter().filter(|message| message.topic.ends_with("/setup/lift"));
        lifts.skip(heard).map(|message| message.json()).next()
    });
    board.put("e1", 'K');
    lift
}

pub fn seat(table: usize, lift: &Value) -> Value {
    json!({"change": "seat", "table": table, "line": lift["line"], "station": lift["station"]})
}

pub fn accepted(answer: &Value) -> String {
    assert_eq!(answer["status"], "ok", "{answer}");
    answer["data"]["revision"].as_str().expect("a revision").to_owned()
}

pub fn refused(answer: &Value, why: &str) {
    assert_eq!(answer["status"], "error", "{answer}");
    assert!(answer["error"].as_str().unwrap_or_default().contains(why), "{answer}");
}

#[test]
fn forty_boards_are_seated_by_their_kings_without_a_file_and_without_a_restart() {
    const BOARDS: usize = 40;
    let house = hall();
    // Two makers in turn: with a number and without one. Two boards have the same number.
    let mut there: Vec<_> = (0..BOARDS)
        .map(|nth| {
            let line = house.line(&format!("usb-{nth:02}"));
            match nth % 3 {
                0 => Board::dgt(&line, &(26_000 + nth.max(3)).to_string()),
                1 => Board::chesslink(&line),
                _ => Board::tabutronic(&line),
            }
        })
        .collect();
    let daemon = Daemon::start(&house);
    let feed = organizer(&daemon);
    boards(&feed, BOARDS);
    let ready = |feed: &Feed, table: usize| {
        feed.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
    };
    (1..=BOARDS).for_each(|table| ready(&feed, table));
    let begun = Instant::now();
    let mut revision = None;
    // They stand in the hall otherwise than they are plugged in.
    for (table, nth) in (1..).zip((0..BOARDS).rev()) {
        let lift = lift(&feed, &mut there[nth]);
        let changes = json!({"changes": [seat(table, &lift)], "revision": revision});
        revision = Some(accepted(&feed.ask("configure", changes)));
    }
    println!("forty boards were seated in {:?}", begun.elapsed());
    let published = feed.topic("setup/boards", "everybody sits", |it| {
        let tables = it["tables"].as_array();
        tables.is_some_and(|all| all.len() == BOARDS && all.iter().all(|it| it["board"] == true))
    });
    for board in published["boards"].as_array().unwrap() {
        let line = board["line"].as_str().unwrap();
        let nth: usize = line.rsplit_once('-').unwrap().1.parse().unwrap();
        assert_eq!(board["table"], BOARDS - nth, "{board}");
        let twin = ["00", "03"].iter().any(|it| line.ends_with(it));
        assert_eq!(board["text"].is_object(), twin, "{board}");
    }
    let text = fs::read_to_string(house.config()).unwrap();
    // No serial number tells the twins apart.
    assert!(!text.contains("26003"), "{text}");
    assert_eq!(text.matches("serial = ").count(), 12, "{text}");
    let checked = std::process::Command::new(env!("CARGO_BIN_EXE_adoubed"))
        .args(["check", &house.config().display().to_string()])
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));

    // The next start knows everybody, and a move is seen at the right table.
    daemon.kill();
    let daemon = Daemon::again(&house);
    let feed = organizer(&daemon);
    (1..=BOARDS).for_each(|table| ready(&feed, table));
    there[7].play("e4");
    let fen = there[7].game.fen();
    feed.topic(&format!("table/{}/position", BOARDS - 7), "e4", |it| it["fen"] == fen);
}

#[test]
fn a_board_with_a_number_that_another_one_has_already_changes_how_that_one_is_known() {
    let house = hall();
    let first = house.line("usb-a");
    let mut one = Board::dgt(&first, "26001");
    let daemon = Daemon::start(&house);
    let feed = organizer(&daemon);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    let lifted = lift(&feed, &mut one);
    accepted(&feed.ask("configure", json!({"changes": [seat(1, &lifted)]})));
    let text = fs::read_to_string(house.config()).unwrap();
    assert!(text.contains("serial = \"26001\""), "alone it is known by its number: {text}");

    let mut other = Board::dgt(&house.line("usb-b"), "26001");
    feed.topic("arbiter/unseated", "its squares", |it| it["boards"][0]["placement"].is_string());
    let lifted = lift(&feed, &mut other);
    assert!(lifted["line"].as_str().unwrap().ends_with("usb-b"), "{lifted}");
    accepted(&feed.ask("configure", json!({"changes": [seat(2, &lifted)]})));
    let published = feed.topic("setup/boards", "both sit", |it| {
        let tables = it["tables"].as_array();
        tables.is_some_and(|all| all.len() == 2 && all.iter().all(|it| it["board"] == true))
    });
    for (line, table) in [("usb-a", 1), ("usb-b", 2)] {
        let boards = published["boards"].as_array().unwrap();
        let board = boards.iter().find(|it| it["line"].as_str().unwrap().ends_with(line)).unwrap();
        assert_eq!(board["table"], table, "{published}");
        let why = board["text"]["en"].as_str().unwrap_or_default();
        assert!(why.contains("the same number 26001"), "{published}");
    }
    let text = fs::read_to_string(house.config()).unwrap();
    assert!(!text.contains("serial ="), "the number tells nobody apart any more: {text}");
}

#[test]
fn a_line_on_which_nobody_answers_is_listed_with_what_to_do() {
    let house = hall();
    let _dumb = Board::stranger(&house.line("usb-a"));
    let daemon = Daemon::start(&house);
    let published = organizer(&daemon).topic("setup/boards", "the line", |it| {
        it["boards"].as_array().is_some_and(|all| all.len() == 1)
    });
    let line = &published["boards"][0];
    assert_eq!((&line["driver"], &line["table"]), (&Value::Null, &Value::Null));
    for language in ["en", "fr"] {
        assert!(!line["text"][language].as_str().unwrap_or_default().is_empty(), "{line}");
    }
    assert!(line["text"]["en"].as_str().unwrap().contains("switch the board on"), "{line}");
}

#[test]
fn an_arbiter_and_a_guest_neither_see_nor_change_it() {
    let house = hall();
    let _board = Board::dgt(&house.line("usb-a"), "26003");
    let daemon = Daemon::start(&house);
    let olga = organizer(&daemon);
    boards(&olga, 1);
    let ann = Feed::open(daemon.feed(), Some(("Ann".into(), "ann".into())));
    let guest = Feed::guest(daemon.feed());
    let before = fs::read_to_string(house.config()).unwrap();
    let change = json!({"changes": [{"change": "set", "key": "name", "value": "Ann's"}]});
    for feed in [&ann, &guest] {
        feed.publish("request/configure", &change, None);
    }
    let name = |name: &str| json!({"changes": [{"change": "set", "key": "name", "value": name}]});
    accepted(&olga.ask("configure", name("Olga's")));
    olga.topic("bridge/info", "the new name", |it| it["event"]["name"] == "Olga's");
    let after = fs::read_to_string(house.config()).unwrap();
    assert!(after.contains("Olga's") && !after.contains("Ann's"), "{after}");
    assert!(!before.contains("[event]") && after.contains("[event]"));
    for feed in [&ann, &guest] {
        let heard = feed.look(|it| it.latest.keys().any(|topic| topic.contains("/setup/")));
        assert!(!heard);
    }
    accepted(&olga.ask("configure", name("Open")));
    daemon.stop();
    // The record says who asked for what.
    let record =
        house.segments().iter().map(|it| fs::read(it).unwrap()).collect::<Vec<_>>().concat();
    let record = String::from_utf8_lossy(&record).into_owned();
    assert!(record.contains("Olga") && record.contains("configure"));
}

#[test]
fn another_hand_in_the_file_a_game_in_play_and_nonsense_are_refused_in_words() {
    let mut house = hall();
    let mut boards_there = [("usb-a", "26003"), ("usb-b", "26004")]
        .map(|(line, serial)| Board::dgt(&house.line(line), serial));
    house.numbered(1, "26003").numbered(2, "26004");
    let daemon = Daemon::start(&house);
    let feed = organizer(&daemon);
    let published = boards(&feed, 2);
    let seen = published["revision"].as_str().unwrap().to_owned();
    let ask = |revision: &str, change: Value| {
        feed.ask("configure", json!({"changes": [change], "revision": revision}))
    };

    // Somebody edits the file, and does not tell the daemon.
    let by_hand = fs::read_to_string(house.config()).unwrap() + "# the stage\n";
    fs::write(house.config(), &by_hand).unwrap();
    let swap = json!({"change": "swap", "tables": [1, 2]});
    refused(&ask(&seen, swap.clone()), "somebody else has changed");
    assert_eq!(fs::read_to_string(house.config()).unwrap(), by_hand);
    let published = feed.topic("setup/boards", "the file as it is", |it| it["revision"] != seen);
    let seen = published["revision"].as_str().unwrap().to_owned();

    for (change, why) in [
        (json!({"change": "set", "key": "time_control", "value": "90m"}), "time_control"),
        (json!({"change": "seat", "table": 3, "serial": "26003"}), "serial"),
        (json!({"change": "seat", "table": 3, "line": "/dev/nowhere"}), "no board answers"),
        (json!({"change": "set", "key": "listen", "value": ""}), "listen"),
        (json!({"change": "paint"}), "change"),
    ] {
        refused(&ask(&seen, change), why);
    }
    assert_eq!(fs::read_to_string(house.config()).unwrap(), by_hand);

    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    boards_there[0].start_clock();
    boards_there[0].play("e4");
    let fen = boards_there[0].game.fen();
    feed.topic("table/1/position", "e4", |it| it["fen"] == fen);
    refused(&ask(&seen, swap.clone()), "a game is in play at table 1");
    let body = json!({"changes": [swap], "revision": seen, "disturb": true});
    accepted(&feed.ask("configure", body));
    feed.topic("table/2/device", "the other board", |it| it["serial"] == "26003");
    assert!(fs::read_to_string(house.config()).unwrap().contains("# the stage"));
}

fn account(daemon: &Daemon, code: &str, name: &str, password: &str) -> Reply {
    let body = json!({"code": code, "name": name, "password": password});
    post(daemon.pages, "/setup/account", &body.to_string())
}

#[test]
fn the_first_organizer_comes_with_the_code_of_the_machine_and_nobody_after_him() {
    let house = House::new();
    let daemon = Daemon::start(&house);
    let line = daemon.logged("to set up this hall: http://");
    let code = line.rsplit_once("code ").unwrap().1.to_owned();
    let state = house.journal().display().to_string();
    let shown = adoubed(["setup-code", "--directory", &state]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&shown.stdout).trim(), code);
    // Whoever sits at the machine decides about games while nobody is named, and sets nothing up.
    let here = daemon.arbiter();
    here.publish("request/configure", &json!({"changes": []}), None);

    assert_eq!(account(&daemon, "ABCDE-FGHJK", "Olga", "a long password").status, 401);
    let long = "a long password";
    for (name, password) in [("Olga", "short"), ("", long), ("a\nb", long)] {
        assert_eq!(account(&daemon, &code, name, password).status, 400, "{name} {password}");
    }
    let made = account(&daemon, &code.to_lowercase(), "Olga", "a long password");
    assert_eq!(made.status, 200, "{}", made.text());
    assert_eq!(
        (&made.json()["arbiter"], &made.json()["organizer"]),
        (&json!("Olga"), &json!(true))
    );
    here.wait("the end of the sessions of this machine", |heard| heard.ended.clone());
    let word = |key: &str| made.json()[key].as_str().unwrap().to_owned();
    let feed = Feed::open(daemon.feed(), Some((word("username"), word("password"))));
    let set = json!({"changes": [{"change": "set", "key": "round", "value": "1"}]});
    accepted(&feed.ask("configure", set));

    assert_eq!(account(&daemon, &code, "Eve", "another password").status, 403);
    let text = fs::read_to_string(house.config()).unwrap();
    assert!(text.contains("Olga = \"$argon2id$") && !text.contains("a long password"), "{text}");
    daemon.stop();
    let record =
        house.segments().iter().map(|it| fs::read(it).unwrap()).collect::<Vec<_>>().concat();
    let record = String::from_utf8_lossy(&record).into_owned();
    for secret in ["$argon2id", "a long password", &code] {
        assert!(!record.contains(secret), "{secret} is in the record");
    }
    assert!(!house.journal().join("setup-code").exists());
    let daemon = Daemon::again(&house);
    assert_eq!(daemon.said("to set up this hall"), 0);
    let login = json!({"name": "Olga", "password": "a long password"}).to_string();
    assert_eq!(post(daemon.pages, "/arbiter/session", &login).json()["organizer"], true);
}
