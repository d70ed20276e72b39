//! Results that are announced, withheld and withdrawn: by the kings in the centre, by mate, by an
//! arbiter (Articles 5.1.1, 8.7, 9.6).

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::Doors as _;
use crate::common::{Record, play, play_through, play_with};
use eboard::{ClockFace, Moment, Sighting};
use shakmaty::{Color, KnownOutcome};
use witness::{
    Edition, Effect, EndedBy, Ending, Event, Gravity, Incident, Kind, NextRound, Order,
    PenaltyGiven, Phase, Refusal, Ruling, Settings,
};
use words::InWords as _;

/// Both kings may go to the centre by one move.
const KINGS: &str = "# fen: 8/7p/3k4/8/8/4K3/7P/8 w - - 0 1\n+2 h2^ h3v | +2 h7^ h6v |";
/// Black touches his knight and mates with the queen.
const TOUCHED: &str = "f2^ f3v | e7^ e5v | g2^ g4v | +2 b8^ b8v +1 d8^ h4v +3";

const WHITE_WINS: KnownOutcome = KnownOutcome::Decisive { winner: Color::White };

fn after(script: &str) -> Record {
    play(&format!("{KINGS} {script}"))
}

fn result(record: &Record) -> (&'static str, Option<&'static str>) {
    let score = record.table.score();
    (score.result(), score.withdrawn().map(|it| it.ending.outcome.as_str()))
}

/// Without any clock.
fn clockless(script: &str) -> Record {
    let script = script.replace('|', "");
    let heard = |sighting| match sighting {
        Sighting::Clock(_) | Sighting::ClockLost => Vec::new(),
        _ => vec![sighting],
    };
    play_through(&script, Settings::default(), heard)
}

fn order(record: &mut Record, order: Order) -> Vec<Effect> {
    let (mut out, at) = (Vec::new(), Moment::from_micros(600_000_000));
    let mut due = Vec::new();
    while let Some((at, _)) = record.table.deadline().filter(|(due, _)| *due <= at) {
        record.table.due(at, &mut due);
    }
    record.table.order(at, order, &mut out).unwrap();
    out
}

fn open(record: &Record, kind: Kind) -> Incident {
    record.table.incidents().find(|it| it.kind == kind).unwrap().clone()
}

fn rule(record: &mut Record, kind: Kind, ruling: Ruling) {
    let incident = open(record, kind).id;
    order(record, Order::Rule { incident, ruling, by: "Ann".to_owned() });
}

#[test]
fn both_kings_are_a_sign_without_a_clock_and_one_beside_the_other_is_none() {
    let both = clockless(&format!("{KINGS} +3 e3^ e4v +1 d6^ d5v +16"));
    assert_eq!((result(&both), both.moves().as_str()), (("1-0", None), "h2h3 h7h6"));
    let stands = "# fen: 8/7p/8/3k4/8/4K3/7P/8 w - - 0 1\n+2 h2^ h3v +2 h7^ h6v";
    let one = clockless(&format!("{stands} +3 e3^ e4v +20"));
    assert_eq!((result(&one), one.kinds()), (("*", None), vec!["position_to_check"]));
    let right = clockless(&format!("{stands} +3 e3^ e4v +3 e4^ f4v +5"));
    assert_eq!((result(&right), right.moves().as_str()), (("*", None), "h2h3 h7h6 e3f4"));
    assert_eq!(right.kinds(), [""; 0]);
}

#[test]
fn without_a_clock_a_king_that_comes_from_afar_is_a_sign_and_stays_one() {
    let far = "# fen: 8/7p/8/3k4/8/8/7P/6K1 w - - 0 1\n+2 h2^ h3v +2 h7^ h6v +3 g1^ e4v +6";
    let record = clockless(far);
    assert_eq!((result(&record), record.moves().as_str()), (("1-0", None), "h2h3 h7h6"));
    let back = clockless(&format!("{far} e4^ g1v +4 g1^ f2v +4"));
    assert_eq!((result(&back), back.moves().as_str()), (("1-0", None), "h2h3 h7h6"));
    // Where its clock counts it may be an illegal move like any other.
    let counts = play(&far.replace("h3v", "h3v |").replace("h6v", "h6v |"));
    assert_eq!(result(&counts), ("*", None));
}

/// The king that came from b1 might have captured the pawn on b2, and be in a hand since.
#[test]
fn where_no_pieces_are_seen_nothing_is_withdrawn_that_nobody_has_touched() {
    let fen = "N3Bb2/1p4r1/2pk2b1/p1n2pPp/P2P1p1P/RP2P3/1pR5/1K6 b - - 1 38";
    let shown = "d6^ +0.2 d5v +0.9 d4x +0.6 b1^ +0.3 d4v +60";
    let record = play(&format!("# sensing: occupancy\n# fen: {fen}\n+3 {shown}"));
    assert_eq!(result(&record), ("1/2-1/2", None));
}

#[test]
fn without_a_clock_one_king_that_is_put_back_withdraws_the_sign() {
    let record = clockless(&format!("{KINGS} +3 e3^ e4v +1 d6^ d5v +17 d5^ c6v +4 e4^ f4v +3"));
    assert_eq!(result(&record), ("*", Some("1-0")));
    assert_eq!(record.moves(), "h2h3 h7h6 e3e4 d6c6 e4f4");
    // Both are put back and moves are tried: that is of no game.
    let tried = "d5^ d6v +1 e4^ e3v +2 e3^ f3v +2 d6^ e5v +4";
    let record = clockless(&format!("{KINGS} +3 e3^ e4v +1 d6^ d5v +17 {tried}"));
    assert_eq!((result(&record), record.moves().as_str()), (("1-0", None), "h2h3 h7h6"));
}

#[test]
fn a_sign_from_half_a_minute_ago_is_withdrawn_by_the_clock_and_the_moves_are_there() {
    let shown = "~ +2 e3^ e4v +1 d6^ d5v +30 d5^ d6v +1 e4^ e3v +2 ! +3 e3^ f3v | +2 d6^ e5v | +2";
    let record = after(shown);
    assert_eq!(
        (result(&record), record.moves().as_str()),
        (("*", Some("1-0")), "h2h3 h7h6 e3f3 d6e5")
    );
    assert_eq!(record.table.phase(), Phase::InPlay);
    assert_eq!(record.kinds(), ["result_mismatch"]);
    let results =
        record.effects.iter().filter(|(_, it)| matches!(it, Effect::Event(Event::Result)));
    assert_eq!(results.count(), 2, "the result and that it is none");
    assert!(record.table.score().rev() > 0, "whoever has read the score reads it anew");
    // The next sign is one again.
    let record = after(&format!("{shown} ~ +2 f3^ e4v +1 e5^ d5v +4"));
    assert_eq!(result(&record), ("1-0", None));
    assert_eq!(record.table.incidents().count(), 0, "there is another result");
}

/// White has won, and the last position is put up again, to try this and that.
const TRIED: &str = "+2 e3^ e4v +1 d6^ d5v +5 d5^ d6v +1 e4^ e3v +2 e3^ f3v +2 d6^ d5v";

/// As the square that was left last is told, the clock is read twice: as this says, and as it is.
fn with_a_reading_of(harm: impl Fn(&mut ClockFace), script: &str) -> Record {
    let (mut shown, mut lifted) = (None, 0);
    play_through(&format!("{KINGS} {script}"), Settings::default(), |sighting| {
        match sighting {
            Sighting::Clock(face) => shown = Some(face),
            Sighting::Square { piece: None, .. } => lifted += 1,
            _ => {}
        }
        // Two moves, the kings there and back again, and the first move that is tried.
        let Some(face) = shown.filter(|_| lifted == 7 && std::mem::take(&mut lifted) > 0) else {
            return vec![sighting];
        };
        let mut damaged = face;
        harm(&mut damaged);
        vec![sighting, Sighting::Clock(damaged), Sighting::Clock(face)]
    })
}

#[test]
fn neither_moves_that_are_tried_out_nor_a_damaged_report_of_the_clock_withdraw_a_result() {
    let script = format!("~ {TRIED} +6");
    let runs = |face: &mut ClockFace| face.running = !face.running;
    let goes_over = |face: &mut ClockFace| face.lever = face.lever.other();
    for record in [with_a_reading_of(runs, &script), with_a_reading_of(goes_over, &script)] {
        assert_eq!(result(&record), ("1-0", None));
        assert_eq!(record.moves(), "h2h3 h7h6");
    }
    let record = after(&script);
    assert_eq!(result(&record), ("1-0", None), "both kings were put back");
    let record = after(&format!("{script} ! +3 f3^ f4v | +3"));
    assert_eq!(result(&record), ("*", Some("1-0")), "it goes on, and is pressed");
}

#[test]
fn a_game_that_goes_on_after_a_sign_is_followed_to_its_next_moves_over_a_restart() {
    let record = after("~ +2 e3^ e4v +1 d6^ d5v +4 d5^ d6v +1 e4^ e3v +2");
    let kept = bincode::encode_to_vec(&record.table, bincode::config::standard()).unwrap();
    let (table, _): (witness::Table, _) =
        bincode::decode_from_slice(&kept, bincode::config::standard()).unwrap();
    let again = bincode::encode_to_vec(&table, bincode::config::standard()).unwrap();
    assert_eq!(kept, again);
    assert_eq!(table.deadline(), record.table.deadline());
}

#[test]
fn kings_that_leave_for_the_next_game_withdraw_nothing() {
    let home = "e1^ e4v +1 e8^ d5v";
    let game = "# time_control: 300\n+2 e2^ e3v | e7^ e6v | ~ +2";
    let set_up = "+4 d5^ e8v e4^ e1v e3^ e2v e6^ e7v +5";
    let record = play_with(&format!("{game} {home} {set_up}"), crate::common::desk::under("300"));
    assert_eq!((record.table.game_number().get(), record.table.phase()), (2, Phase::Ready));
    assert_eq!(record.kinds(), [""; 0]);
    let games = record.effects.iter().find_map(|(_, it)| match it {
        Effect::Event(Event::NewGame(Some(before))) => Some(before.result()),
        _ => None,
    });
    assert_eq!(games, Some("1-0"));
}

#[test]
fn an_arbiter_says_that_the_game_goes_on_or_how_it_ended() {
    let signed = "~ +2 e3^ e4v +1 d6^ d5v +4";
    let mut record = after(signed);
    order(&mut record, Order::SetResult(None));
    assert_eq!((result(&record), record.moves().as_str()), (("*", Some("1-0")), "h2h3 h7h6"));
    // The kings that still stand there have had their say.
    order(&mut record, Order::Flip);
    order(&mut record, Order::Flip);
    assert_eq!(result(&record), ("*", Some("1-0")));

    // What an arbiter has entered no clock takes back.
    let mut record = after(signed);
    let lost = Ending {
        outcome: KnownOutcome::Decisive { winner: Color::Black }.into(),
        reason: EndedBy::Arbiter,
    };
    order(&mut record, Order::SetResult(Some(lost)));
    assert_eq!(result(&record), ("0-1", None));

    // And it stands against one that was withdrawn.
    let mut record = after(&format!("{signed} d5^ d6v +1 e4^ e3v +2 ! +3 e3^ f3v | +2"));
    assert_eq!(result(&record), ("*", Some("1-0")));
    let won = Ending { outcome: WHITE_WINS.into(), reason: EndedBy::Arbiter };
    order(&mut record, Order::SetResult(Some(won)));
    assert_eq!(result(&record), ("1-0", None));
    assert_eq!(record.table.incidents().count(), 0);
}

/// The clock is stopped when the flag is down; the mate is shown a minute later.
fn mate_after_a_flag() -> Record {
    let settings = crate::common::desk::under("300");
    let shown = "+3 f2^ f3v | e7^ e5v | g2^ g4v | +2 flag:b +2 ~ +60 d8^ h4v +5";
    play_with(&format!("# time_control: 300\n{shown}"), settings)
}

#[test]
fn a_ruling_on_a_flag_decides_whether_the_mate_after_it_is_the_result() {
    let mut record = mate_after_a_flag();
    assert_eq!(result(&record), ("*", None));
    rule(&mut record, Kind::FlagFall, Ruling::Upheld);
    assert_eq!(result(&record), ("*", None), "the arbiter enters what follows from the flag");
    let mut record = mate_after_a_flag();
    rule(&mut record, Kind::FlagFall, Ruling::Dismissed);
    assert_eq!(result(&record), ("0-1", None));
}

#[test]
fn a_ruling_on_an_illegal_move_decides_what_the_flag_after_it_means() {
    let illegal = || {
        let settings = crate::common::desk::under("300");
        play_with("# time_control: 300\n+3 e2^ e4v | e7^ e4v | +1 flag:w +5", settings)
    };
    let says = |record: &Record, words: &str| {
        open(record, Kind::FlagFall).advice.iter().any(|it| it.en().contains(words))
    };
    let record = illegal();
    assert!(says(&record, "Rule on that first"));
    assert_eq!(open(&record, Kind::FlagFall).facts.consequence, None);
    let mut record = illegal();
    rule(&mut record, Kind::IllegalMove, Ruling::Dismissed);
    assert!(says(&record, "The game is lost") && !says(&record, "Rule on that first"));
    assert_eq!(
        open(&record, Kind::FlagFall).facts.consequence.map(witness::laws::flag::Consequence::name),
        Some("loss")
    );
    let mut record = illegal();
    rule(&mut record, Kind::IllegalMove, Ruling::Upheld);
    assert!(says(&record, "was upheld") && !says(&record, "The game is lost"));
}

#[test]
fn a_flag_that_is_ruled_out_leaves_the_kings_their_say() {
    let kings = "+3 e2^ e4v | e7^ e5v | g2^ g4v | +2 flag:b +2 ~ +5 e1^ d4v e8^ e5x e5v +10";
    let settings = crate::common::desk::under("300");
    let mut record = play_with(&format!("# time_control: 300\n{kings}"), settings);
    assert_eq!(result(&record), ("*", None));
    rule(&mut record, Kind::FlagFall, Ruling::Dismissed);
    let rested = Moment::from_micros(610_000_000);
    while let Some((at, _)) = record.table.deadline().filter(|(at, _)| *at <= rested) {
        record.table.due(at, &mut Vec::new());
    }
    assert_eq!(result(&record), ("0-1", None));
}

#[test]
fn a_ruling_on_moves_made_while_the_clock_stood_decides_on_their_mate() {
    let shown = "+3 f2^ f3v | e7^ e5v | g2^ g4v | +2 ~ +20 d8^ h4v +3";
    let ruled = |ruling| {
        let mut record = play(shown);
        assert_eq!(result(&record), ("*", None));
        rule(&mut record, Kind::PositionToCheck, ruling);
        result(&record)
    };
    assert_eq!(ruled(Ruling::Upheld), ("*", None), "they are none of the game");
    assert_eq!(ruled(Ruling::Dismissed), ("0-1", None));
}

#[test]
fn without_a_clock_play_that_goes_on_after_kings_or_mate_is_the_game() {
    let home = "+3 e3^ e4v +1 d6^ d5v +17 d5^ d6v +1 e4^ e3v +2";
    let white = ["e3f3", "f3f2", "f2e2", "e2e1", "e1d1", "d1c1", "c1b1", "b1a1"];
    let black = ["d6c6", "c6b6", "b6a6", "a6a7", "a7b7", "b7c7", "c7d7", "d7e7"];
    let moves = white.into_iter().zip(black).flat_map(|(one, other)| [one, other]);
    let moves: Vec<_> = moves.collect();
    let hands = |moves: &[&str]| {
        let hand = |it: &&str| format!(" +2 {}^ {}v", &it[..2], &it[2..]);
        moves.iter().map(hand).collect::<String>()
    };
    let record = clockless(&format!("{KINGS} {home}{} +4", hands(&moves)));
    assert_eq!(result(&record), ("*", Some("1-0")));
    assert_eq!(record.moves(), format!("h2h3 h7h6 {}", moves.join(" ")));
    assert_eq!(record.kinds(), ["result_mismatch"], "nobody has touched anything to move it");
    let tried = clockless(&format!("{KINGS} {home}{} +4", hands(&moves[..15])));
    assert_eq!(result(&tried), ("1-0", None), "they look at it together");
    let stalemate = "# fen: 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\n+2 f1^ f7v +3";
    let record = clockless(&format!("{stalemate} f7^ f2v +2 h8^ g8v +3 f2^ f3v +3"));
    assert_eq!(result(&record), ("*", Some("1/2-1/2")));
    assert_eq!(record.moves(), "f1f2 h8g8 f2f3");
    let tried = clockless(&format!("{stalemate} f7^ f2v +2 h8^ g8v +3"));
    assert_eq!(result(&tried), ("1/2-1/2", None));
}

#[test]
fn a_mate_that_an_arbiter_takes_back_is_none_any_more() {
    let mut record = play("+3 f2^ f3v | e7^ e5v | g2^ g4v | +2 d8^ h4v +5");
    assert_eq!(result(&record), ("0-1", None));
    let out = order(&mut record, Order::SetResult(None));
    assert_eq!(result(&record), ("*", Some("0-1")));
    assert!(!out.iter().any(|it| matches!(it, Effect::Raised(_))), "he knows");
    order(&mut record, Order::Flip);
    order(&mut record, Order::Flip);
    assert_eq!(result(&record), ("*", Some("0-1")), "he has said so of this mate");
}

#[test]
fn an_order_that_is_refused_changes_nothing() {
    let mut record = after("~ +2 e3^ e4v +1 d6^ d5v +4");
    let kept = |table: &witness::Table| {
        bincode::encode_to_vec(table, bincode::config::standard()).unwrap()
    };
    let before = kept(&record.table);
    let given = Order::PenaltyGiven(PenaltyGiven {
        side: Color::White,
        seconds: 120,
        by: "Ann".to_owned(),
        incident: None,
        clock: None,
    });
    let unknown = witness::IncidentId { game: witness::GameNo::new(9), number: 9 };
    let at = Moment::from_micros(60_000_000);
    let rule = Order::Rule { incident: unknown, ruling: Ruling::Upheld, by: "Ann".to_owned() };
    assert!(record.table.order(at, rule, &mut Vec::new()).is_err());
    assert!(before == kept(&record.table));
    record.table.order(at, given, &mut Vec::new()).unwrap();
    assert!(before != kept(&record.table), "and one that is carried out does");
}

fn forfeit(record: &mut Record) {
    let lost = Ending { outcome: WHITE_WINS.into(), reason: EndedBy::Arbiter };
    order(record, Order::SetResult(Some(lost)));
}

/// The results with which other games began.
fn over<'a>(effects: impl IntoIterator<Item = &'a Effect>) -> Vec<&'static str> {
    let before = |it: &'a Effect| match it {
        Effect::Event(Event::NewGame(before)) => before.as_ref().map(|it| it.result()),
        _ => None,
    };
    effects.into_iter().filter_map(before).collect()
}

#[test]
fn a_forfeit_stands_until_another_game_is_played_and_is_reported_with_it() {
    let straightened = "+2 result:1-0 +3 a2^ a2v +4 h7^ h7v +8";
    let record = play(straightened);
    assert_eq!((result(&record), record.table.game_number().get()), (("1-0", None), 1));
    let record = play(&format!("{straightened} e2^ e4v +5"));
    assert_eq!((result(&record), record.table.game_number().get()), (("*", None), 2));
    assert_eq!((record.moves().as_str(), record.table.phase()), ("e2e4", Phase::InPlay));
    assert_eq!(over(record.effects.iter().map(|(_, it)| it)), ["1-0"]);
}

#[test]
fn a_forfeit_that_an_arbiter_takes_back_is_the_game_that_is_played() {
    let mut record = play("+1");
    forfeit(&mut record);
    order(&mut record, Order::SetResult(None));
    let out = lift_and_put(&mut record, 660);
    assert_eq!((result(&record), record.table.game_number().get()), (("*", None), 1));
    assert_eq!((record.table.phase(), over(&out)), (Phase::InPlay, Vec::new()));
}

/// White's pawn on a2, at this second, and what follows from it.
fn lift_and_put(record: &mut Record, second: u64) -> Vec<Effect> {
    let (mut out, at) = (Vec::new(), |s: u64| Moment::from_micros(s * 1_000_000));
    let square = eboard::Square::at(0, 1).unwrap();
    for (second, piece) in [(second, None), (second + 1, Some(eboard::Piece::WhitePawn))] {
        record.table.sight(at(second), Sighting::Square { square, piece }, &mut out);
    }
    while let Some((due, _)) = record.table.deadline().filter(|it| it.0 <= at(second + 20)) {
        record.table.due(due, &mut out);
    }
    out
}

#[test]
fn a_forfeit_gives_way_to_a_round_that_is_announced() {
    let round = |next| witness::Round { next: NextRound::Said(next), ..witness::Round::default() };
    let mut record = play("+1");
    record.table.announce(Moment::from_micros(9_000_000), round(None), &mut Vec::new());
    forfeit(&mut record);
    let at = Moment::from_micros(601_000_000);
    record.table.announce(at, round(None), &mut Vec::new());
    assert_eq!(over(&lift_and_put(&mut record, 610)), [""; 0], "that was known before");
    assert_eq!(result(&record), ("1-0", None));
    record.table.announce(at, round(Some(at)), &mut Vec::new());
    assert_eq!(over(&lift_and_put(&mut record, 640)), ["1-0"]);
    assert_eq!((result(&record), record.table.phase()), (("*", None), Phase::Ready));
}

#[test]
fn the_next_game_may_have_a_result_before_it_begins() {
    let won = Ending { outcome: WHITE_WINS.into(), reason: EndedBy::Forfeit };
    let next = || Order::SetNextResult(won);
    let mut record = play("+3 f2^ f3v | e7^ e5v | g2^ g4v | +3");
    let at = Moment::from_micros(60_000_000);
    let refused = record.table.order(at, next(), &mut Vec::new());
    assert_eq!(refused, Err(Refusal::NoResultYet));

    let mut record = play("+3 f2^ f3v | e7^ e5v | g2^ g4v | +2 d8^ h4v +5");
    record.table.line(at, false, &mut Vec::new());
    let out = order(&mut record, next());
    assert!(out.iter().any(|it| matches!(it, Effect::NextRound)));
    assert_eq!((over(&out), result(&record)), (vec!["0-1"], ("1-0", None)));
    assert_eq!((record.table.game_number().get(), record.table.phase()), (2, Phase::Ended));
    assert!(record.table.score().plies().is_empty());

    // It stands when the board is there again with its pieces set up, until a game is played.
    let (mut out, back) = (Vec::new(), |s: u64| Moment::from_micros(s * 1_000_000));
    record.table.line(back(610), true, &mut out);
    record.table.sight(back(611), Sighting::Position(eboard::Placement::starting()), &mut out);
    out.extend(lift_and_put(&mut record, 640));
    assert_eq!((result(&record), record.table.game_number().get()), (("1-0", None), 2));
    assert_eq!(over(&out), [""; 0]);
}

#[test]
fn a_ruling_on_how_a_mate_was_made_decides_whether_it_is_the_result() {
    let mut record = play(TOUCHED);
    assert_eq!(result(&record), ("*", None));
    rule(&mut record, Kind::TouchedNotMoved, Ruling::Dismissed);
    assert_eq!((result(&record), record.table.phase()), (("0-1", None), Phase::Ended));
    let mut record = play(TOUCHED);
    rule(&mut record, Kind::TouchedNotMoved, Ruling::Upheld);
    assert_eq!(result(&record), ("*", None));
    assert_ne!(record.table.phase(), Phase::Ended);
    // The knight has to move: the queen goes back and it does.
    let record = play(&format!("{TOUCHED} h4^ d8v +1 b8^ c6v | +2"));
    assert_eq!((result(&record), record.moves().as_str()), (("*", None), "f2f3 e7e5 g2g4 b8c6"));
    assert_eq!(record.table.incidents().filter(|it| it.gravity > Gravity::Look).count(), 0);
}

#[test]
fn in_2005_a_lawful_mate_is_the_result_whatever_was_touched() {
    let settings = Settings { edition: Edition::Y2005, ..Settings::default() };
    let record = play_with(TOUCHED, settings);
    assert_eq!(result(&record), ("0-1", None));
    assert_eq!(open(&record, Kind::TouchedNotMoved).side, Some(Color::Black));
}

#[test]
fn what_is_opened_about_a_mate_calls_for_no_press_and_no_lever() {
    let record = play(&format!("{TOUCHED} +90"));
    assert_eq!(record.kinds(), [""; 0], "White has no move, and Black nothing to press for");
    // Whatever White touches, he has no move to touch it for (4.8).
    let record = play(&format!("{TOUCHED} e1^ +1 e1v +3"));
    assert_eq!(result(&record), ("*", None));
    assert_eq!(open(&record, Kind::TouchedNotMoved).state, witness::State::Open);
}

#[test]
fn a_flag_that_fell_after_an_end_counts_when_that_end_is_dismissed() {
    let fen = "# time_control: 300\n# fen: 8/8/4k1r1/8/8/4K3/7R/8 w - - 149 100";
    let mut record = play(&format!("{fen}\n+2 h2^ h3v +2 flag:w +3"));
    assert_eq!(open(&record, Kind::FlagFall).gravity, Gravity::Note);
    rule(&mut record, Kind::SeventyFive, Ruling::Dismissed);
    let fall = open(&record, Kind::FlagFall);
    assert_eq!((fall.gravity, fall.side), (Gravity::Summon, Some(Color::White)));
    let mut record = play(&format!("{fen}\n+2 h2^ h3v +2 flag:w +3"));
    rule(&mut record, Kind::SeventyFive, Ruling::Upheld);
    assert_eq!(open(&record, Kind::FlagFall).gravity, Gravity::Note);
}

#[test]
fn a_mate_is_made_known_with_the_pieces_set_up_and_the_alert_stays() {
    let record = play(&format!("{TOUCHED} +2 ~ f3^ f2v e5^ e7v g4^ g2v h4^ d8v +5"));
    let before = record.effects.iter().find_map(|(_, it)| match it {
        Effect::Event(Event::NewGame(Some(before))) => Some(before.result()),
        _ => None,
    });
    assert_eq!((before, record.table.game_number().get()), (Some("0-1"), 2));
    assert_eq!(open(&record, Kind::TouchedNotMoved).side, Some(Color::Black));
}

/// Nobody waits for the clock.
#[test]
fn kings_that_come_as_the_clock_is_stopped_are_a_sign() {
    for script in ["~ +0.3 e3^ e4v +0.3 d6^ d5v +5", "~ e3^ e4v +0.3 d6^ d5v +5"] {
        let record = after(&format!("+3 {script}"));
        assert_eq!(
            (result(&record), record.moves().as_str()),
            (("1-0", None), "h2h3 h7h6"),
            "{script}"
        );
    }
}

/// Where a board that sees no pieces has a clock beside it, a mate that is changed and pressed for
/// is none, as on boards that see them.
#[test]
fn a_mate_that_is_changed_is_withdrawn_at_the_press_where_no_pieces_are_seen() {
    const SCHOLARS: &str = "e2^ e4v | e7^ e5v | d1^ h5v | b8^ c6v | f1^ c4v | g8^ f6v |";
    let fools = "+3 f2^ f3v | +2 e7^ e5v | +2 g2^ g4v | +2 d8^ h4v".to_owned();
    let taken = "# fen: r5k1/5ppp/8/8/8/8/6PP/R5K1 w - - 0 1\n+5 a8x a1^ a8v".to_owned();
    let scholars = format!("+3 {SCHOLARS} +2 f7x h5^ f7v");
    let cases = [
        (fools, "0-1", ["h4^ g5v |", "h4^ d8v +1 b8^ c6v |", "+2 h4^ e7v +1 |"]),
        (taken, "1-0", ["a8^ a1v a8=r +1 a1^ a7v |", "a8^ a7v a8=r |", "a8^ a6v +4 a8=r |"]),
        (scholars, "1-0", ["f7^ f5v f7=p |", "f7^ g5v f7=p +4 |", "+4 f7^ f3v f7=p |"]),
    ];
    for (mated, outcome, changes) in cases {
        for (changed, after) in changes.iter().flat_map(|it| [(it, 1), (it, 6)]) {
            let script = format!("# sensing: occupancy\n{mated} +{after} {changed} +2");
            let record = play(&script);
            let (now, before) = result(&record);
            assert_eq!(now, "*", "{script}: {:?}", record.moves());
            assert!(before.is_none_or(|it| it == outcome), "{script}");
        }
    }
}
