//! Whatever ends the daemon, the next one stands where it stood, and then looks at the boards.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{
    Board, Daemon, Face, Feed, Game, Heard, House, LONG_GAME_TIME, Seed, Step, adoubed, finish,
    long_game, skipped,
};

/// What a daemon says that has not read the whole journal.
const FROM_CHECKPOINT: &str = "went on from a checkpoint";
/// How often the daemon is killed.
const KILLS: usize = 4;
/// How often it is tried where the disk is too slow for what is to be seen.
const TRIES: usize = 3;

fn take(board: &mut Board, step: &Step) {
    match step {
        Step::Hand(gesture) => board.gestures(vec![*gesture]),
        Step::Press(seconds) => board.press(*seconds),
    }
}

/// What a game's moves say that must never be taken back.
fn moves(game: &Value) -> Vec<(String, String, Option<u64>)> {
    let moves = game["moves"].as_array().cloned().unwrap_or_default();
    let word = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let of_move = |it: &Value| {
        let completed = it["status"] == "completed";
        (word(&it["uci"]), word(&it["status"]), it["clk_ms"].as_u64().filter(|_| completed))
    };
    moves.iter().map(of_move).collect()
}

#[test]
fn killed_at_random_moments_the_next_daemon_goes_on_with_the_same_score() {
    kill_at_random_moments("killed at random moments", 0);
}

/// So often that there is one between any two kills.
#[test]
fn killed_at_random_moments_between_checkpoints_it_goes_on_with_the_same_score() {
    kill_at_random_moments("killed between checkpoints", 10);
}

/// Where the disk was too slow at a kill nothing is promised, and the daemon has said so: then it
/// is tried again, with other moments.
fn kill_at_random_moments(name: &str, checkpoint_records: u32) {
    if !(0..TRIES).any(|_| killed_with_its_record_kept(name, checkpoint_records)) {
        skipped(name, "the disk of the journal was too slow each time");
    }
}

/// Whether everything was on the disk at every kill.
fn killed_with_its_record_kept(name: &str, checkpoint_records: u32) -> bool {
    let mut seed = Seed::draw(name);
    let mut house = House::new();
    house.put("journal", "checkpoint_records", &checkpoint_records.to_string());
    house.table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    let (steps, game) = long_game();
    let moments: BTreeSet<_> = (0..KILLS).map(|_| seed.below(steps.len())).collect();

    let mut daemon = Daemon::start(&house);
    let mut feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    let mut checkpoints_used = 0;
    for (index, step) in steps.iter().enumerate() {
        let heard = feed.look(touches);
        take(&mut board, step);
        if moments.contains(&index) {
            // The moment itself is what is drawn: between nothing and all having been done.
            std::thread::sleep(Duration::from_micros(seed.below(6000) as u64));
            let Some(next) = killed(daemon, &feed, &house) else { return false };
            (daemon, feed) = next;
            checkpoints_used += daemon.said(FROM_CHECKPOINT);
            surveyed(&feed, &board);
        } else {
            feed.wait(&format!("step {index}"), |it| (touches(it) > heard).then_some(()));
        }
    }
    let over = feed.topic("table/1/game", "mate", |it| it["result"] == "1-0");
    assert_eq!(over["termination"], "checkmate");
    assert_scored(&over, &game);
    assert_eq!(daemon.stop(), Some(0));
    assert_replayed(&house, &game);
    assert_eq!(checkpoints_used > 0, checkpoint_records > 0, "{checkpoints_used} were used");
    true
}

/// Kills the daemon and starts another; nothing that anybody has heard of is gone. None where the
/// daemon had said that its disk was behind.
fn killed(daemon: Daemon, feed: &Feed, house: &House) -> Option<(Daemon, Feed)> {
    let mut before = moves(&feed.now("table/1/game"));
    let last = daemon.kill();
    let (late, kept) = (last.matches("does not answer").count(), last.matches("answers again"));
    if late > kept.count() {
        return None;
    }
    if feed.end().is_none() {
        feed.wait("the end of the connection", |heard| heard.ended.clone());
        before = moves(&feed.now("table/1/game"));
    }
    let begun = Instant::now();
    let daemon = Daemon::again(house);
    let feed = Feed::guest(daemon.feed());
    let after = feed.topic("table/1/game", "the score", |_| true);
    println!("back after {:?} with {} plies", begun.elapsed(), before.len());
    let after = moves(&after);
    assert!(after.len() >= before.len(), "{before:?} became {after:?}");
    for (ply, (before, after)) in before.iter().zip(&after).enumerate() {
        let same = before == after || (before.1 == "released" && before.0 == after.0);
        assert!(same, "ply {}: {before:?} became {after:?}", ply + 1);
    }
    Some((daemon, feed))
}

/// How many lifts, puts and presses a client has heard of.
fn touches(heard: &Heard) -> usize {
    let events = heard.messages.iter().filter(|it| it.topic.ends_with("/event"));
    let kinds = ["lift", "put", "replace", "press"];
    events.filter(|it| kinds.iter().any(|kind| it.json()["type"] == *kind)).count()
}

/// The board has been asked what stands there now, and then what its clock shows.
fn surveyed(feed: &Feed, board: &Board) {
    let remembered = feed.topic("table/1/clock", "a reading", |_| true)["sampled_at"].clone();
    let shown = [board.face.white_s * 1000, board.face.black_s * 1000];
    // A reading of before is told anew with a time of day that may differ by a millisecond.
    feed.topic("table/1/device", "the board", |it| it["state"] == "online");
    feed.topic("table/1/clock", "a new reading", |it| {
        it["sampled_at"] != remembered && json!([it["white_ms"], it["black_ms"]]) == json!(shown)
    });
    assert_eq!(feed.now("table/1/board")["placement"], board.placement().to_string());
}

/// Move by move as it was played, each completed with the time the clock showed. Of one that was
/// worked out, because it was made while nobody watched, the time may not be known.
fn assert_scored(game_told: &Value, game: &Game) {
    let mut published = moves(game_told);
    let expected = game.uci().into_iter().zip(0u64..).map(|(uci, ply)| {
        let clock = (u64::from(LONG_GAME_TIME) - 1 - ply / 2) * 1000;
        (uci, "completed".to_owned(), Some(clock))
    });
    let mut expected: Vec<_> = expected.collect();
    let plies = game_told["moves"].as_array().into_iter().flatten();
    for ((ply, published), expected) in plies.zip(&published).zip(&mut expected) {
        if ply["confidence"] == "inferred" && published.2.is_none() {
            expected.2 = None;
        }
    }
    // Mate ends the game before the clock is pressed.
    assert_eq!(expected.pop().map(|it| it.0), published.pop().map(|it| it.0));
    let other: Vec<_> =
        published.iter().zip(&expected).filter(|(published, it)| published != it).collect();
    assert!(other.is_empty() && published.len() == expected.len(), "{other:?} in {published:?}");
}

/// The journal says the same to whoever replays it, every time.
fn assert_replayed(house: &House, game: &Game) {
    let segments = house.segments();
    let path = segments.last().unwrap().display().to_string();
    let replay = || finish(&mut adoubed(["replay", "--json", &path]));
    let outcome = replay();
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let last: Value = serde_json::from_str(outcome.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&last["type"], &last["table"]), (&json!("score"), &json!(1)));
    assert_eq!(last["uci"], game.uci().join(" "));
    assert_eq!(last["result"], "1-0");
    assert_eq!(replay(), outcome, "a replay that differs from the last one");
}

#[test]
fn an_open_alert_is_still_open_after_a_kill_and_a_closed_one_closed() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"").table(2, "driver = \"dgt\"");
    let mut boards = [1, 2].map(|it| Board::dgt(&house.line(&it.to_string()), &it.to_string()));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    for (table, board) in (1..).zip(&mut boards) {
        arbiter.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
        board.start_clock();
        board.lift("g1");
        board.put("g3", 'N');
        board.press(178);
    }
    let first = arbiter.topic("alert/1-1-1", "open", |it| it["state"] == "open");
    arbiter.topic("alert/2-1-1", "open", |it| it["state"] == "open");
    assert_eq!(arbiter.ask("acknowledge", json!({"alert": "1-1-1"}))["status"], "ok");
    let ruling = json!({"alert": "2-1-1", "ruling": "dismissed"});
    assert_eq!(arbiter.ask("rule", ruling.clone())["status"], "ok");
    daemon.kill();

    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    let kept = arbiter.topic("alert/1-1-1", "acknowledged", |it| it["state"] == "acknowledged");
    for key in ["kind", "text", "evidence", "facts", "advice", "by"] {
        let expected = if key == "by" { &json!("arbiter") } else { &first[key] };
        assert_eq!(without_times(&kept[key]), without_times(expected), "{key}");
    }
    assert_eq!(arbiter.ask("rule", ruling)["status"], "error", "it was closed before");
    let closed = "adoubed/v1/alert/2-1-1";
    let gone = arbiter.look(|heard| heard.latest(closed).is_none_or(|it| it.payload.is_empty()));
    assert!(gone, "a closed alert is back");
    assert_eq!(arbiter.ask("rule", json!({"alert": "1-1-1", "ruling": "upheld"}))["status"], "ok");
}

/// Two moves each in a minute, then half a minute more: what was written down of it is still there
/// after a kill, and goes on.
#[test]
fn the_time_sheet_is_kept_and_goes_on() {
    const SHEET: &str = "arbiter/time_sheet/1";
    let rows = |it: &Value| it["rows"].as_array().cloned().unwrap_or_default();
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"\ntime_control = \"2/60+5:30+5\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    board.show(Face { white_s: 65, black_s: 65, ..board.face });
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    for (ply, (san, left)) in (1..).zip([("e4", 69), ("e5", 69), ("Nf3", 103), ("Nc6", 103)]) {
        board.play_and_press(san, left);
        let pressed = |it: &Value| it["ply"] == ply && it["status"] == "completed";
        arbiter.topic("table/1/position", san, pressed);
    }
    let written = rows(&arbiter.topic(SHEET, "a period each", |it| rows(it).len() == 2));
    let published: Vec<_> = written.iter().map(|row| (&row["cause"], &row["white_ms"])).collect();
    assert_eq!(published, [(&json!("period"), &json!(103_000)); 2]);
    daemon.kill();

    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    let kept = rows(&arbiter.topic(SHEET, "the rows", |it| rows(it).len() == 2));
    assert_eq!(without_times(&json!(kept)), without_times(&json!(written)));
    let drawn = json!({"table": 1, "result": "1/2-1/2"});
    assert_eq!(arbiter.ask("set_result", drawn)["status"], "ok");
    let more = rows(&arbiter.topic(SHEET, "the result", |it| rows(it).len() == 3));
    assert_eq!((&more[2]["cause"], &more[2]["white_moves"]), (&json!("result"), &json!(2)));
    daemon.kill();
}

/// Times of day are worked out anew after a restart: they may differ by milliseconds.
fn without_times(value: &Value) -> String {
    let text = value.to_string();
    let is_time = |part: &&str| part.len() == 24 && part.ends_with('Z');
    text.split('"').filter(|part| !is_time(part)).collect::<Vec<_>>().join("\"")
}

#[test]
fn asked_to_end_it_takes_its_leave_and_the_next_one_goes_on() {
    let mut house = House::new();
    let (mut board, daemon, feed) = crate::at_a_board(&mut house);
    board.start_clock();
    board.play_and_press("e4", 178);
    feed.topic("table/1/position", "a move", |it| it["status"] == "completed");
    assert_eq!(daemon.stop(), Some(0));
    let state = feed.topic("bridge/state", "offline", |it| it["state"] == "offline");
    let online = &feed.all("bridge/state")[0];
    assert_eq!((&online["state"], &online["boot"]), (&json!("online"), &state["boot"]));

    let daemon = Daemon::again(&house);
    let feed = Feed::guest(daemon.feed());
    let game = feed.topic("table/1/game", "the move", |it| it["moves"][0]["clk_ms"] == 178_000);
    assert_eq!(game["moves"].as_array().map(Vec::len), Some(1));
    let state = feed.topic("bridge/state", "online", |it| it["state"] == "online");
    assert_ne!(state["boot"], online["boot"]);
}

/// A game with one move in it, and nobody who watches any more.
fn one_move(house: &mut House) -> Board {
    house.table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(house);
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    board.play_and_press("e4", 178);
    feed.topic("table/1/position", "a move", |it| it["status"] == "completed");
    daemon.kill();
    board
}

/// The game is there and goes on.
fn assert_goes_on(house: &House, board: &mut Board, san: &str) {
    let daemon = Daemon::again(house);
    let feed = Feed::guest(daemon.feed());
    let plies = board.game.plies();
    let remembered = |it: &Value| it["moves"].as_array().map(Vec::len) == Some(plies);
    feed.topic("table/1/game", "the game so far", remembered);
    surveyed(&feed, board);
    board.play_and_press(san, 170);
    let position = feed.topic("table/1/position", san, |it| it["ply"] == plies + 1);
    assert_eq!(position["fen"], board.game.fen());
    feed.topic("table/1/position", san, |it| it["status"] == "completed");
    daemon.kill();
}

#[test]
fn a_torn_record_is_cut_and_everything_before_it_kept() {
    let mut house = House::new();
    let mut board = one_move(&mut house);
    let mut seed = Seed::draw("a torn record");
    for san in ["e5", "Nf3"] {
        let path = house.segments().pop().unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(seed.bytes(300));
        fs::write(&path, bytes).unwrap();
        assert_goes_on(&house, &mut board, san);
    }
    assert_eq!(board.game.plies(), 3);
}

/// The journal has a file for each day; a game may go on over midnight.
#[test]
fn a_game_goes_on_over_midnight() {
    let mut house = House::new();
    let mut board = one_move(&mut house);
    let today = house.segments().pop().unwrap();
    fs::rename(&today, today.with_file_name("journal-2020-01-01.log")).unwrap();
    for san in ["e5", "Nf3"] {
        assert_goes_on(&house, &mut board, san);
    }
    assert_eq!(house.segments().len(), 2);
}
