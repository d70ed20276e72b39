//! What is tried for half an hour each, and so only when asked for (docs/hardening.md): kills at 20
//! boards, a line that is plugged ten thousand times, an upgrade in mid-round.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{
    Board, Daemon, Face, Feed, Game, Gesture, House, Seed, adoubed, alone, finish,
};

/// A long game without captures of pieces that decide it: Carlsen – Karjakin, New York 2016, the
/// first game of the match.
const GAME: &str = "d4 Nf6 Bg5 d5 e3 c5 Bxf6 gxf6 dxc5 Nc6 Bb5 e6 c4 dxc4 Nd2 Bxc5 Ngf3 O-O O-O \
                    Na5 Rc1 Be7 Qc2 Bd7 Bxd7 Qxd7 Qc3 Qd5 Nxc4 Nxc4 Qxc4 Qxc4 Rxc4 Rfc8 Rfc1 Rxc4 \
                    Rxc4 Rd8 g3 Rd7 Kf1 f5 Ke2 Bf6 b3 Kf8 h3 h6 Ne1 Ke7 Nd3 Kd6 f4 h5 a4 a5";
const TIME: u32 = 7200;

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
}

enum Step {
    Hand(Gesture),
    /// How many seconds are left, and how many plies have been made.
    Press(u32, usize),
}

fn steps() -> (Vec<Step>, Game) {
    let mut game = Game::default();
    let mut steps = Vec::new();
    for (ply, san) in (0..).zip(GAME.split_whitespace()) {
        steps.extend(game.play(san).into_iter().map(Step::Hand));
        steps.push(Step::Press(TIME - 1 - ply / 2, game.plies()));
    }
    (steps, game)
}

fn take(board: &mut Board, step: &Step) {
    match step {
        Step::Hand(gesture) => board.gestures(vec![*gesture]),
        Step::Press(seconds, _) => board.press(*seconds),
    }
}

/// The moves of a table that were completed, which must never be taken back.
fn completed(feed: &Feed, table: usize) -> Vec<String> {
    let game = feed.topic(&format!("table/{table}/game"), "the score", |_| true);
    let moves = game["moves"].as_array().cloned().unwrap_or_default();
    let moves = moves.iter().take_while(|it| it["status"] == "completed");
    moves.map(|it| it["uci"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Every daemon sees what stands at its tables and what the clocks show, and knows the move once it
/// was pressed for: nobody plays as fast as a program.
fn followed(feed: &Feed, boards: &[Board], step: &Step) {
    for (table, board) in (1..).zip(boards) {
        surveyed(feed, table, board);
        if let Step::Press(_, plies) = step {
            // A press that nobody heard shows when the clock is heard again.
            feed.topic(&format!("table/{table}/position"), "the move", |it| it["ply"] == *plies);
        }
    }
}

fn surveyed(feed: &Feed, table: usize, board: &Board) {
    let placement = board.placement().to_string();
    feed.topic(&format!("table/{table}/device"), "online", |it| it["state"] == "online");
    feed.topic(&format!("table/{table}/board"), "its squares", |it| it["placement"] == placement);
    let shown = json!([board.face.white_s * 1000, board.face.black_s * 1000]);
    feed.topic(&format!("table/{table}/clock"), "its clock", |it| {
        json!([it["white_ms"], it["black_ms"]]) == shown
    });
}

/// After a start the daemon remembers all that, and says so: it is to have asked anew.
fn surveyed_anew(feed: &Feed, boards: &[Board]) {
    for (table, board) in (1..).zip(boards) {
        feed.topic(&format!("table/{table}/clock"), "a new reading", |it| it["current"] == true);
        surveyed(feed, table, board);
    }
}

fn hall(boards: usize, house: &mut House) -> Vec<Board> {
    (1..=boards)
        .map(|table| {
            house.table(u32::try_from(table).unwrap(), "driver = \"dgt\"");
            let mut board = Board::dgt(&house.line(&table.to_string()), &table.to_string());
            board.show(Face { white_s: TIME, black_s: TIME, ..board.face });
            board
        })
        .collect()
}

fn begin(feed: &Feed, boards: &mut [Board]) {
    for (table, board) in (1..).zip(boards) {
        feed.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
        board.start_clock();
    }
}

/// Kills at random moments while hands move at all tables. Nothing that was heard as completed is
/// ever taken back, and in the end every score is the game that was played.
#[test]
#[ignore = "half an hour: ADOUBED_KILLS=500 cargo test --test daemon -- --ignored twenty_boards"]
fn twenty_boards_are_killed_at_random_moments() {
    let (kills, boards) = (number("ADOUBED_KILLS", 500), number("ADOUBED_BOARDS", 20));
    let mut seed = Seed::draw("kills");
    let (steps, game) = steps();
    let mut done = 0;
    let mut slowest = Duration::ZERO;
    while done < kills {
        let mut house = House::new();
        house.put("journal", "checkpoint_records", &[0, 200][seed.below(2)].to_string());
        let mut boards = hall(boards, &mut house);
        let mut daemon = Daemon::start(&house);
        let mut feed = Feed::guest(daemon.feed());
        begin(&feed, &mut boards);
        for step in &steps {
            boards.iter_mut().for_each(|board| take(board, step));
            if done < kills && seed.below(3) > 0 {
                std::thread::sleep(Duration::from_micros(seed.below(60_000) as u64));
                let before: Vec<_> = (1..=boards.len()).map(|it| completed(&feed, it)).collect();
                daemon.kill();
                let begun = Instant::now();
                daemon = Daemon::again(&house);
                slowest = slowest.max(begun.elapsed());
                feed = Feed::guest(daemon.feed());
                done += 1;
                for (table, before) in (1..).zip(&before) {
                    let after = completed(&feed, table);
                    assert!(
                        after.starts_with(before),
                        "table {table}: {before:?} is now {after:?}"
                    );
                }
                surveyed_anew(&feed, &boards);
            }
            followed(&feed, &boards, step);
        }
        for table in 1..=boards.len() {
            let position = |it: &Value| it["fen"] == game.fen();
            feed.topic(&format!("table/{table}/position"), "the last position", position);
            assert_eq!(completed(&feed, table), game.uci(), "table {table}");
        }
        assert_eq!(daemon.stop(), Some(0));
        let segment = house.segments().remove(0).display().to_string();
        let verified = finish(&mut adoubed(["verify", &segment]));
        assert_eq!(verified.code, Some(0), "{verified:?}");
        println!("{done} kills, the slowest start took {slowest:?}");
    }
}

/// A cable that goes in and out all evening, with moves in between, costs neither descriptors nor
/// memory.
#[test]
#[ignore = "an hour: ADOUBED_CYCLES=10000 cargo test --test daemon -- --ignored plugged"]
fn a_line_is_plugged_ten_thousand_times() {
    let cycles = number("ADOUBED_CYCLES", 10_000);
    let settled = cycles / 10;
    let mut house = House::new();
    let (mut board, daemon, feed) = crate::at_a_board(&mut house);
    board.start_clock();
    let descriptors =
        |daemon: &Daemon| std::fs::read_dir(format!("/proc/{}/fd", daemon.id())).unwrap().count();
    let mut first = (descriptors(&daemon), daemon.memory());
    for cycle in 0..cycles {
        board.unplug();
        feed.topic("table/1/device", "absent", |it| it["state"] == "absent");
        board.plug(&house.line("1"));
        feed.topic("table/1/device", "online", |it| it["state"] == "online");
        if cycle % 100 == 0 {
            let there = board.placement().to_string();
            board.lift("a2");
            feed.topic("table/1/board", "a lift", |it| it["placement"] != there);
            board.put("a2", 'P');
            feed.topic("table/1/board", "put back", |it| it["placement"] == there);
        }
        if cycle == settled {
            first = (descriptors(&daemon), daemon.memory());
        }
    }
    let last = (descriptors(&daemon), daemon.memory());
    println!("{cycles} cycles: {first:?} descriptors and bytes after {settled}, {last:?} now");
    assert!(last.0 <= first.0 + 2, "{first:?} became {last:?}");
    assert!(last.1 < first.1 + first.1 / 10 + (4 << 20), "{first:?} became {last:?}");
    board.play_and_press("e4", TIME - 1);
    feed.topic("table/1/position", "a move", |it| it["fen"] == board.game.fen());
}

/// The program of before plays half the round, today's the other half, with the same state.
#[test]
#[ignore = "ADOUBED_BEFORE=<program of before> cargo test --test daemon -- --ignored upgrade"]
fn an_upgrade_in_mid_round_goes_on() {
    let before = std::env::var("ADOUBED_BEFORE").expect("the program of before");
    for killed in [false, true] {
        let mut house = House::new();
        let mut boards = hall(4, &mut house);
        house.put("journal", "checkpoint_records", "50").write();
        let config = house.config().display().to_string();
        let old = Daemon::by(alone(&before).args(["run", "--config", &config]));
        let feed = Feed::guest(old.feed());
        begin(&feed, &mut boards);
        let (steps, game) = steps();
        let (first, then) = steps.split_at(steps.len() / 2);
        let play = |feed: &Feed, boards: &mut [Board], steps: &[Step]| {
            for step in steps {
                boards.iter_mut().for_each(|board| take(board, step));
                followed(feed, boards, step);
            }
        };
        play(&feed, &mut boards, first);
        let scores: Vec<_> = (1..=4).map(|table| completed(&feed, table)).collect();
        if killed {
            old.kill();
        } else {
            assert_eq!(old.stop(), Some(0));
        }
        let new = Daemon::again(&house);
        let feed = Feed::guest(new.feed());
        for (table, score) in (1..).zip(&scores) {
            assert!(!score.is_empty() && completed(&feed, table) == *score, "table {table}");
        }
        surveyed_anew(&feed, &boards);
        play(&feed, &mut boards, then);
        for table in 1..=4 {
            let position = |it: &Value| it["fen"] == game.fen();
            feed.topic(&format!("table/{table}/position"), "the last position", position);
            assert_eq!(completed(&feed, table), game.uci(), "table {table}");
        }
    }
}
