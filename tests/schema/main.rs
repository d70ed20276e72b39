//! What is published is what `docs/schema/v1` describes: payloads of real games, made by the works
//! of the daemon from the bytes of a virtual board, judged by the committed schemas.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod examples;
mod judge;
mod room;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use adoubed::config::Config;
use adoubed::entry::{Delay, Entry, LineId, Plan, TableEntry, Watch};
use adoubed::languages::Languages;
use adoubed::lines::virtual_line;
use adoubed::mqtt::payload::Stamp;
use adoubed::mqtt::payload::{self, BridgeInfo, EventInfo};
use adoubed::mqtt::speaker::{Machine, Speaker};
use adoubed::requests;
use adoubed::requests::Request;
use adoubed::time::{Anchor, WallTime};
use adoubed::troubles::Troubles;
use adoubed::works::Works;
use eboard::{FaceTime, Moment, Side};
use judge::{Judge, spoiled};
use room::{Published, Room};
use serde_json::{Value, json};
use witness::{Input, LineNo, Part, ShortOfTime, TableNo};

const AT: &str = "2026-11-20T14:00:00.000Z";

#[test]
fn every_payload_satisfies_its_schema() {
    let judge = Judge::new();
    let published = &*EVERYTHING;
    let seen: BTreeSet<_> = published.iter().map(|(name, _)| *name).collect();
    assert_eq!(Vec::from_iter(seen), judge.names());
    for (name, payload) in published {
        assert_eq!(judge.faults(name, payload), [""; 0], "{payload:#}");
    }
}

/// Otherwise the test above would prove little.
#[test]
fn the_games_show_every_kind_of_event_alert_and_phase() {
    let (judge, published) = (Judge::new(), &*EVERYTHING);
    let all = |name: &str, pointer: &str| -> BTreeSet<String> {
        judge.choices(name, pointer).into_iter().collect()
    };
    let seen = |name: &str, key: &str| -> BTreeSet<String> {
        let payloads = published.iter().filter(|(it, _)| *it == name);
        payloads.filter_map(|(_, payload)| payload[key].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(seen("event", "type"), all("event", "/properties/type/enum"));
    assert_eq!(seen("alert", "kind"), all("alert", "/properties/kind/enum"));
    assert_eq!(seen("position", "phase"), all("position", "/$defs/phase/enum"));
    assert_eq!(seen("response", "status"), all("response", "/properties/status/enum"));
    let states = ["absent", "online", "silent", "unidentified"].map(str::to_owned);
    assert_eq!(seen("device", "state"), BTreeSet::from(states));
}

#[test]
fn a_schema_notices_what_is_missing_senseless_or_unknown() {
    let judge = Judge::new();
    for (name, payload) in largest(&EVERYTHING) {
        for (place, without, spoiled) in spoiled(payload) {
            if !may_be_anything(name, &place, without) {
                let faults = judge.faults(name, &spoiled);
                assert!(!faults.is_empty(), "{name}{place}, left out: {without}");
            }
        }
        let mut more = payload.clone();
        more["surplus"] = json!(1);
        assert!(!judge.faults(name, &more).is_empty(), "{name} hides an unknown key");
    }
}

#[test]
fn the_examples_in_the_docs_satisfy_the_schemas() {
    let judge = Judge::new();
    let examples = examples::of_topics();
    for name in judge.names() {
        let title = judge.title(name);
        let example = examples.get(title).unwrap_or_else(|| panic!("no example of {title}"));
        assert_eq!(judge.faults(name, example), [""; 0], "{title}");
    }
    assert_eq!(examples.len(), judge.names().len(), "{:?}", examples.keys());
}

#[test]
fn the_requests_in_the_docs_are_understood() {
    let examples = examples::of_requests();
    assert_eq!(examples.len(), requests::VERBS.len(), "{examples:?}");
    for (verb, body) in examples {
        let request = Request::read(&verb, body, "Ann");
        request.asked().unwrap_or_else(|error| panic!("{verb}: {error}"));
    }
}

/// What the schemas leave open on purpose.
fn may_be_anything(name: &str, place: &str, left_out: bool) -> bool {
    match (name, place) {
        ("response", "/transaction" | "/data") => !left_out,
        ("response", _) => place.starts_with("/data/"),
        ("bridge-state", "/machine" | "/term") => left_out,
        ("event", "/clk_ms") => left_out,
        ("event" | "position" | "game", "/withdrawn") => left_out,
        ("position", "/adrift_since") => left_out,
        // A request in the words of the contract.
        ("ledger", _) => place.contains("/body/"),
        _ => false,
    }
}

/// Of each name the payload that says most.
fn largest(published: &[Published]) -> BTreeMap<&'static str, &Value> {
    let mut largest = BTreeMap::new();
    for (name, payload) in published {
        let length = payload.to_string().len();
        let known = largest.entry(*name).or_insert((length, payload));
        if length > known.0 {
            *known = (length, payload);
        }
    }
    largest.into_iter().map(|(name, (_, payload))| (name, payload)).collect()
}

/// Made once: several tests look at it.
static EVERYTHING: LazyLock<Vec<Published>> = LazyLock::new(everything);

fn everything() -> Vec<Published> {
    let mut published = bridge();
    published.extend(public());
    published.extend(["chesslink", "tabutronic"].into_iter().flat_map(a_board_without_a_table));
    published.extend(a_game_with_an_illegal_move());
    published.extend(a_flag_and_a_signalled_result());
    published.extend(a_pawn_left_on_the_last_rank());
    published.extend(how_the_players_sit());
    published.extend(pieces_knocked_over());
    published.extend(the_scenarios_of_the_laws());
    published.extend(presses_left_out());
    published.push(short_of_time());
    published.push(what_takes_two(witness::Kind::NeighbourPressed));
    published.push(what_takes_two(witness::Kind::BoardsDiffer));
    published.push(what_takes_two(witness::Kind::PlayerTwice));
    published.push(what_takes_two(witness::Kind::NoBoard));
    published.push(what_takes_two(witness::Kind::NoPairing));
    published.extend(two_boards());
    published.extend(a_clock_with_every_fault());
    published.extend(a_period_that_ends());
    published.extend(results_that_do_not_fit());
    published.extend(an_adjourned_game());
    published
}

fn an_adjourned_game() -> Vec<Published> {
    let mut room = Room::under("5400+30");
    room.play("# time_control: 5400+30\n e2^ e4v | e7^ e5v | ~ +2");
    let body = json!({"table": 1, "draw_offer": "black", "resumption": "10:00", "place": "Hall"});
    room.ask("adjourn", body);
    room.wait(1);
    // The next script sets the pieces up anew.
    room.play("~ +2");
    room.ask("resume", json!({"table": 1}));
    room.published
}

fn results_that_do_not_fit() -> Vec<Published> {
    let mut room = Room::new();
    room.play("f2^ f3v | e7^ e5v | g2^ g4v | d8^ h4v +3");
    room.ask("set_result", json!({"table": 1, "result": "1-0"}));
    let mut early = Room::new();
    early.play("e2^ e4v | e7^ e5v |");
    early.ask("set_result", json!({"table": 1, "result": "1/2-1/2"}));
    room.published.into_iter().chain(early.published).collect()
}

fn the_scenarios_of_the_laws() -> Vec<Published> {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws");
    let scripts = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let is_script = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "gestures");
    let mut scripts: Vec<_> = scripts.filter(is_script).collect();
    scripts.sort();
    let at_the_first_table = |path: &std::path::PathBuf| {
        let script = std::fs::read_to_string(path).unwrap();
        a_scenario(script.split("\n# table: ").next().unwrap())
    };
    scripts.iter().flat_map(at_the_first_table).collect()
}

/// The alerts of one script, and what was told live.
fn a_scenario(script: &str) -> Vec<Published> {
    let unsupervised = script.contains("# supervision: inadequate");
    let rate = if unsupervised { "blitz".to_owned() } else { String::new() };
    let script_played = rehearsal::parse(script).unwrap_or_else(|error| panic!("{error}"));
    let time_control = match script.contains("# time_control: ") {
        true => script_played.header().time_control.to_string(),
        false => String::new(),
    };
    let quickplay_finish = script_played.header().quickplay_finish;
    let default_time_s = script_played.header().default_time_s.into();
    let own = Watch { unsupervised, rate, time_control, ..Watch::default() };
    let watch = Watch { quickplay_finish, default_time_s, ..own };
    let mut room = Room::watched(watch);
    if let Some(fen) = script.lines().find_map(|line| line.strip_prefix("# fen: ")) {
        room.play(&format!("# fen: {fen}\n +1"));
        room.ask("set_position", json!({"table": 1, "fen": fen}));
    }
    room.play(script);
    room.published.into_iter().filter(|(name, _)| ["alert", "event"].contains(name)).collect()
}

fn a_game_with_an_illegal_move() -> Vec<Published> {
    let mut room = Room::new();
    // The slide of the bishop is seen on its way: the move is revised.
    room.play("e2^ e4v | d7^ d5v | f1>e2 +2 e2>b5 | c7^ c6v | e4^ d5v | g8^ g4v | +2");
    let alert = room.last_alert();
    room.ask("acknowledge", json!({"alert": alert}));
    room.ask("rule", json!({"alert": alert, "ruling": "upheld"}));
    room.ask("rule", json!({"alert": alert, "ruling": "upheld"}));
    let given = json!({"table": 1, "side": "black", "seconds": 120, "alert": alert});
    room.ask("penalty_given", given);
    room.ask("penalty_given", json!({"table": 1, "side": "black", "seconds": 60}));
    let withdrawal = json!({"table": 1, "side": "black", "given": 2, "reason": "said twice"});
    room.ask("penalty_withdrawn", withdrawal);
    room.ask("set_result", json!({"table": 1, "result": "1-0"}));
    room.ask("dance", Value::Null);
    room.unplug();
    room.published
}

fn a_flag_and_a_signalled_result() -> Vec<Published> {
    let mut room = Room::new();
    room.play(
        "# time_control: 300+2\n e2^ e4v | e7^ e5v | e1^ e2v | e8^ e7v | ~ +2 ! +5 flag:w +5 ~ \
         e4x e5x e2^ e4v e7^ d5v +4",
    );
    room.published
}

fn a_pawn_left_on_the_last_rank() -> Vec<Published> {
    let mut room = Room::new();
    let fen = "8/P3k3/8/8/8/8/4K3/8 w - - 0 1";
    room.play(&format!("# fen: {fen}\n +1"));
    room.ask("set_position", json!({"table": 1, "fen": fen}));
    room.play(&format!("# fen: {fen}\n a7^ a8v | +2"));
    room.published
}

fn how_the_players_sit() -> Vec<Published> {
    let mut room = Room::new();
    let turned = "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1";
    room.play(&format!("# fen: {turned}\n+6"));
    room.play("e2^ e4v | +2");
    room.ask("set_pairing", json!({"table": 1, "colours_reversed": true}));
    room.published
}

fn pieces_knocked_over() -> Vec<Published> {
    let mut room = Room::new();
    room.play("e2^ e4v | a7^ b7^ a6v:p b6v:p h7^ h5v +6");
    room.published
}

/// What takes two tables, or two boards.
fn what_takes_two(kind: witness::Kind) -> Published {
    let anchor =
        Anchor { moment: Moment::ZERO, wall: WallTime::from_micros(1_795_269_600_000_000) };
    let languages = Languages::default();
    let stamp = Stamp { seq: 9, moment: Moment::ZERO, anchor: &anchor, languages: &languages };
    let text = || witness::say::clock_lost();
    let incident = witness::Incident {
        id: witness::IncidentId { game: witness::GameNo::new(1), number: 2 },
        kind,
        article: witness::laws::editions::article(kind, witness::Edition::Y2023).into(),
        edition: witness::Edition::Y2023,
        side: None,
        move_number: 4,
        gravity: witness::Gravity::Look,
        state: witness::State::Open,
        revision: 1,
        opened: Moment::ZERO,
        text: text(),
        facts: witness::Facts {
            tables: [6, 9].map(TableNo::new).to_vec(),
            ..witness::Facts::default()
        },
        evidence: Vec::new(),
        advice: vec![text()],
    };
    let alert = payload::json(&payload::alert(
        stamp,
        TableNo::new(7),
        &incident,
        payload::AlertGame { earlier: true, ..payload::AlertGame::default() },
    ));
    ("alert", serde_json::from_slice(&alert).unwrap())
}

/// A table with two boards of which both have been seen.
fn two_boards() -> Vec<Published> {
    let anchor =
        Anchor { moment: Moment::ZERO, wall: WallTime::from_micros(1_795_269_600_000_000) };
    let languages = Languages::default();
    let stamp = Stamp { seq: 9, moment: Moment::ZERO, anchor: &anchor, languages: &languages };
    let settings = witness::Settings {
        second_board: Some(shakmaty::Color::Black),
        ..witness::Settings::default()
    };
    let (mut table, mut out) = (witness::Table::new(settings), Vec::new());
    let mut enter = |input| table.handle(Moment::ZERO, input, &mut out).unwrap();
    for board in [witness::Which::First, witness::Which::Second] {
        let start = eboard::Sighting::Position(eboard::Placement::starting());
        enter(Input::Line(Part::Board(board), true));
        enter(Input::Seen(Part::Board(board), start));
    }
    let device = payload::json(&payload::device(stamp, &table, |_| None));
    let board = payload::json(&payload::board(stamp, &table));
    let value = |bytes: Vec<u8>| serde_json::from_slice(&bytes).unwrap();
    vec![("device", value(device)), ("board", value(board))]
}

/// It is on another line than the one that is configured.
fn a_board_without_a_table(driver: &'static str) -> Vec<Published> {
    let anchor =
        Anchor { moment: Moment::ZERO, wall: WallTime::from_micros(1_795_269_600_000_000) };
    let languages = Languages::default();
    let stamp = Stamp { seq: 9, moment: Moment::ZERO, anchor: &anchor, languages: &languages };
    let tables = vec![TableEntry::at(TableNo::new(7), "/dev/there", driver, &Watch::default())];
    let plan = Entry::Planned(Box::new(Plan { tables, ..Plan::default() }));
    let line = Entry::Opened(LineNo::new(1), LineId::at("/dev/here"));
    let script = rehearsal::parse("+1").unwrap();
    let driver = catalog::find(driver).unwrap();
    let heard = virtual_line::heard(driver, script.play(), script.end(), LineNo::new(1));
    let heard = heard.into_iter().map(|(_, entry)| entry);
    let mut works = Works::new(vec![driver]);
    for entry in [plan, line].into_iter().chain(heard) {
        works.enter(works.now(), &entry, &mut Vec::new());
    }
    let list = payload::json(&payload::unseated(stamp, &works, &works.apart()));
    let list: Value = serde_json::from_slice(&list).unwrap();
    assert_eq!(list["boards"].as_array().map(Vec::len), Some(1), "{list}");
    vec![("unseated", list)].into_iter().chain(set_up(stamp, &works)).collect()
}

/// What organizers are shown of that board, and of its king in the air.
fn set_up(stamp: Stamp<'_>, works: &Works) -> [Published; 3] {
    let (config, troubles) = (Config::default(), Troubles::default());
    let boards = payload::setup_boards(stamp, (works, &works.apart()), (&config, &troubles));
    let boards: Value = serde_json::from_slice(&payload::json(&boards)).unwrap();
    assert_eq!(boards["boards"].as_array().map(Vec::len), Some(1), "{boards}");
    let king = eboard::Square::all().next().unwrap();
    let lift =
        payload::setup_lift(stamp, works, witness::Seat::only(LineNo::new(1)), king).unwrap();
    let lift = serde_json::from_slice(&payload::json(&lift)).unwrap();
    let mut config = Config::default();
    config.event.time_control = "5400+30".to_owned();
    let event = payload::setup_event(stamp, works, &config);
    let event = serde_json::from_slice(&payload::json(&event)).unwrap();
    [("setup_boards", boards), ("setup_lift", lift), ("setup_event", event)]
}

fn short_of_time() -> Published {
    let anchor =
        Anchor { moment: Moment::ZERO, wall: WallTime::from_micros(1_795_269_600_000_000) };
    let languages = Languages::default();
    let stamp = Stamp { seq: 9, moment: Moment::ZERO, anchor: &anchor, languages: &languages };
    let player = ShortOfTime {
        table: TableNo::new(7),
        side: shakmaty::Color::White,
        left: FaceTime::from_hms(0, 1, 30),
        moves_to_make: Some(3),
        per_move: FaceTime::from_hms(0, 0, 30),
        counting: true,
        flag_due: Some(Moment::from_micros(90_000_000)),
        need_not_write: true,
        two_minutes: false,
    };
    let list = payload::json(&payload::watch_list(stamp, &[player]));
    ("watch-list", serde_json::from_slice(&list).unwrap())
}

fn presses_left_out() -> Vec<Published> {
    let mut room = Room::under("300");
    room.play("# time_control: 300+2\n e2^ e4v +2 e7^ e5v +2 g1^ f3v | b8^ c6v +40 | +3 ~ +12");
    room.published
}

/// An odd number of seconds on White's side stands for a low battery.
fn a_clock_with_every_fault() -> Vec<Published> {
    let (white, black) = (Some(Side::Left), Some(Side::Right));
    let mut room = Room::under("7200");
    room.clock(0, 7200, 7200, None);
    room.clock(1, 7200, 7200, white);
    room.play("~ e2^ e4v +2");
    room.clock(1, 300, 300, None);
    room.clock(1, 300, 300, white);
    room.clock(1, 299, 300, white);
    room.clock(1, 298, 300, black);
    room.clock(1, 298, 200, black);
    room.clock(1, 298, 199, black);
    room.clock(2, 2, 2, white);
    room.clock(4, 0, 0, black);
    room.unplug_clock();
    room.wait(15);
    room.unplug();
    room.wait(15);
    room.published
}

fn a_period_that_ends() -> Vec<Published> {
    let mut room = Room::under("1/20:1800");
    room.clock(0, 20, 20, None);
    room.clock(1, 20, 20, Some(Side::Left));
    room.play("~ e2^ e4v +2");
    room.clock(1, 18, 20, Some(Side::Left));
    room.clock(1, 1817, 20, Some(Side::Right));
    room.published
}

/// Screens go on showing them, marked as not of now.
#[test]
fn a_clock_that_is_not_heard_leaves_its_last_times() {
    let last = |room: &Room| {
        let clock = room.published.iter().rev().find(|(schema, _)| *schema == "clock");
        let (_, clock) = clock.unwrap();
        json!([clock["white_ms"], clock["black_ms"], clock["running"], clock["current"]])
    };
    let mut room = Room::under("300");
    room.clock(0, 300, 300, None);
    room.clock(1, 300, 300, Some(Side::Left));
    room.clock(1, 299, 300, Some(Side::Left));
    assert_eq!(last(&room), json!([299_000, 300_000, "white", true]));
    room.unplug_clock();
    assert_eq!(last(&room), json!([299_000, 300_000, null, false]));
    room.clock(30, 269, 300, Some(Side::Left));
    assert_eq!(last(&room), json!([269_000, 300_000, "white", true]));
    room.unplug();
    assert_eq!(last(&room), json!([269_000, 300_000, null, false]));
}

/// What is told of a board and of the daemon outside of the hall.
fn public() -> Vec<Published> {
    let delay = Delay { delay_s: 900, delay_moves: 3, ..Delay::default() };
    let infos = bridge().into_iter().filter(|(name, _)| *name == "bridge-info");
    let info = infos.map(|(_, info)| {
        let info = payload::public_info(info.to_string().as_bytes(), &delay).unwrap();
        ("public-info", serde_json::from_slice(&payload::json(&info)).unwrap())
    });
    let device = json!({"v": 1, "seq": 9, "at": AT, "state": "online", "serial": "26015"});
    let device = payload::public_device(device.to_string().as_bytes()).unwrap();
    let device = payload::with_seq(&payload::json(&device), 12);
    info.chain([("public-device", serde_json::from_slice(&device).unwrap())]).collect()
}

fn bridge() -> Vec<Published> {
    let info = |tables: Vec<TableNo>, journal| BridgeInfo {
        v: payload::VERSION,
        seq: 9,
        at: AT.to_owned(),
        version: env!("CARGO_PKG_VERSION"),
        event: EventInfo { laws: "2023".to_owned(), ..EventInfo::default() },
        tables,
        schemas: "docs/schema/v1",
        journal,
        uptime_s: 0,
    };
    let speaker = Speaker::alone("0123".to_owned());
    let machine = Some(Machine { name: "spare".to_owned(), term: 2 });
    let of_several = Speaker { machine, ..speaker.clone() };
    let state = |online, seq| speaker.state(online, seq, AT.to_owned());
    let spare = of_several.state(true, payload::SEQ_OF_CLAIM, AT.to_owned());
    let value = |bytes: Vec<u8>| serde_json::from_slice(&bytes).unwrap();
    vec![
        ("bridge-state", value(payload::json(&state(true, 0)))),
        ("bridge-state", value(payload::json(&state(false, payload::SEQ_OF_LEAVE)))),
        ("bridge-state", value(payload::json(&spare))),
        ("bridge-info", value(payload::json(&info(Vec::new(), "kept")))),
        ("bridge-info", value(payload::json(&info([1, 7].map(TableNo::new).to_vec(), "failed")))),
    ]
}
