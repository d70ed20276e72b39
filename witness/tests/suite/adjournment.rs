//! Adjournment and resumption (Guideline I): the sheet, what is refused, what is not as on it, and
//! the game that goes on.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::Doors as _;
use crate::common::{Record, play, play_with};
use eboard::{ClockFace, Dial, FaceTime, Moment, Side, Sighting, Square};
use shakmaty::{Color, KnownOutcome};
use witness::{Effect, EndedBy, Ending, Kind, Order, Phase, Refusal, Sealing, Settings, Table};
use words::InWords as _;

const GAME: &str = "e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v |";

fn adjourned() -> Record {
    play(&format!("{GAME} ~ +2 adjourn +1"))
}

fn face(white: u32, black: u32, running: Option<Side>) -> Sighting {
    let dial = |seconds| Dial { time: FaceTime::from_hms(0, 0, seconds), ..Dial::default() };
    Sighting::Clock(ClockFace {
        left: dial(white),
        right: dial(black),
        lever: running.unwrap_or(Side::Left),
        running: running.is_some(),
        low_battery: false,
    })
}

fn refusal(table: &mut Table, order: Order) -> Refusal {
    table.order(Moment::from_micros(90_000_000), order, &mut Vec::new()).unwrap_err()
}

#[test]
fn the_sheet_says_what_the_envelope_has_to_say() {
    let control = "5400+30".parse().unwrap();
    let settings = Settings { control: Some(control), ..Settings::default() };
    let script = format!("# time_control: 5400+30\n +10 {GAME} ~ +2 adjourn +1");
    let record = play_with(&script, settings);
    let sheet = record.table.adjournment().unwrap();
    assert_eq!((sheet.sealed_by, sheet.move_number()), (Color::White, 3));
    // Each has had 5400 s and three times 30 s; White spent 10 + 0.4 + 1.2 s, 0.4 + 0.4 + 1.2 s
    // and 0.4 s until the clock was stopped, Black twice 2 s.
    let (left, used) = (sheet.left.unwrap(), sheet.used.unwrap());
    for side in Color::ALL {
        assert_eq!(left.get(side).as_ms() + used.get(side).as_ms(), 5_490_000, "{side}");
    }
    assert_eq!(
        (used.white.to_string(), used.black.to_string()),
        ("0:00:14".into(), "0:00:04".into())
    );
    assert_eq!(record.table.phase(), Phase::Paused);
    assert_eq!(record.kinds(), [""; 0]);
}

#[test]
fn what_cannot_be_adjourned_or_resumed_is_refused() {
    let mut none = play("~").table;
    assert_eq!(refusal(&mut none, Order::Adjourn(Sealing::default())), Refusal::NotInPlay);
    assert_eq!(refusal(&mut none, Order::ResumePlay(None)), Refusal::NotAdjourned);
    let mut played = play(GAME).table;
    let black = Sealing { sealed_by: Some(Color::Black), ..Sealing::default() };
    assert_eq!(refusal(&mut played, Order::Adjourn(black)), Refusal::HasNotTheMove);
    let mut away = adjourned().table;
    assert_eq!(refusal(&mut away, Order::Adjourn(Sealing::default())), Refusal::Adjourned);
    assert_eq!(refusal(&mut away, Order::SetResult(None)), Refusal::Adjourned);
    assert!(away.adjournment().is_some());
}

#[test]
fn a_game_that_is_resigned_before_its_resumption_is_over() {
    let mut table = adjourned().table;
    let winner = KnownOutcome::Decisive { winner: Color::Black };
    let ending = Ending { outcome: winner.into(), reason: EndedBy::Arbiter };
    let (at, mut out) = (Moment::from_micros(90_000_000), Vec::new());
    table.order(at, Order::SetResult(Some(ending)), &mut out).unwrap();
    assert_eq!((table.phase(), table.score().result()), (Phase::Ended, "0-1"));
    assert!(table.adjournment().is_none());
}

#[test]
fn the_board_may_be_cleared_and_the_clock_used_for_another_game() {
    let mut table = adjourned().table;
    let before = table.adjournment().unwrap().left;
    let mut out = Vec::new();
    let second = |s: u64| Moment::from_micros(s * 1_000_000);
    table.sight(second(100), Sighting::Position(eboard::Placement::EMPTY), &mut out);
    for (at, reading) in [
        (110, face(5, 5, Some(Side::Left))),
        (115, face(0, 5, Some(Side::Left))),
        (120, face(0, 5, Some(Side::Right))),
        (130, face(0, 0, None)),
    ] {
        table.sight(second(at), reading, &mut out);
        table.due(second(at), &mut out);
    }
    table.sight(second(140), Sighting::Position(eboard::Placement::starting()), &mut out);
    table.line(second(140), false, &mut out);
    table.due(second(4000), &mut out);
    assert!(!out.iter().any(|it| matches!(it, Effect::Raised(_))), "{out:?}");
    assert_eq!((table.phase(), table.game_number().get()), (Phase::Paused, 1));
    assert_eq!(table.score().plies().len(), 4);
    assert_eq!(table.adjournment().unwrap().left, before);
    assert_eq!(table.deadline(), None);
}

#[test]
fn what_is_not_as_on_the_sheet_is_reported_square_by_square_and_time_by_time() {
    let control = "900".parse().unwrap();
    let settings = Settings { control: Some(control), ..Settings::default() };
    let script = format!("# time_control: 900\n{GAME} ~ +2 adjourn +1 e4x e5x +1");
    let mut record = play_with(&script, settings);
    let left = record.table.adjournment().unwrap().left.unwrap();
    let (white, black) = (left.white.as_ms() / 1000, left.black.as_ms() / 1000);
    let second = |s: u64| Moment::from_micros(s * 1_000_000);
    let mut out = Vec::new();
    record.table.sight(second(60), face(white - 60, black, None), &mut out);
    record.table.order(second(61), Order::ResumePlay(None), &mut out).unwrap();
    let found = record.table.differences();
    let en = format!(
        "Not as on the adjournment sheet: square e4: white pawn missing; square e5: black pawn \
         missing; White’s clock {} instead of {}.",
        FaceTime::from_ms((white - 60) * 1000),
        left.white
    );
    assert_eq!(found.text().en(), en);
    let fr = found.text().fr();
    assert!(fr.contains("case e4\u{a0}: manque pion blanc\u{a0}; "), "{fr}");
    let open: Vec<_> = record.table.incidents().map(|it| (it.kind, it.text.en())).collect();
    assert_eq!(open, [(Kind::ResumptionDiffers, en)]);

    // One thing after the other is put right; each time the alert says what is left.
    let square = |name: &str| Square::all().find(|it| it.to_string() == name).unwrap();
    let put = |name: &str, piece| Sighting::Square { square: square(name), piece: Some(piece) };
    record.table.sight(second(70), put("e4", eboard::Piece::WhitePawn), &mut out);
    assert_eq!(record.table.differences().squares.len(), 1);
    record.table.sight(second(71), put("e5", eboard::Piece::BlackPawn), &mut out);
    assert_eq!(record.table.differences().squares, []);
    assert_eq!(record.table.incidents().count(), 1, "the time is still wrong");
    record.table.sight(second(80), face(white, black, None), &mut out);
    assert!(record.table.differences().is_empty());
    assert_eq!(record.table.incidents().count(), 0);
}

#[test]
fn the_game_goes_on_in_the_same_score_and_the_sealed_move_is_completed_by_the_clock() {
    let record = play(&format!(
        "{GAME} ~ +2 adjourn +60 f3x e1x +60 e1=K f3=N +5 resume +10 f1^ b5v +3 |w ! +5 a7^ a6v | \
         b5^ a4v | +3"
    ));
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4");
    let completed = record.table.score().plies().iter().filter(|ply| ply.completed.is_some());
    assert_eq!(completed.count(), 7);
    assert_eq!((record.kinds(), record.table.game_number().get()), (vec![], 1));
}

#[test]
fn a_clock_that_is_started_on_a_wrong_position_leaves_the_alert_open() {
    let record = play(&format!("{GAME} ~ +2 adjourn +9 e4x a5=R +9 resume +9 ! +20"));
    let kinds = record.kinds();
    assert_eq!(kinds, ["resumption_differs", "position_to_check"]);
    assert!(record.table.incidents().any(|it| it.kind == Kind::ResumptionDiffers));
}

#[test]
fn a_time_that_counts_when_it_is_heard_again_is_that_of_the_game() {
    let mut record = play(&format!("{GAME} +2 adjourn +1"));
    let left = record.table.adjournment().unwrap().left.unwrap();
    let (white, black) = (left.white.as_ms() / 1000, left.black.as_ms() / 1000);
    let second = |s: u32| Moment::from_micros(u64::from(60 + s) * 1_000_000);
    let mut out = Vec::new();
    record.table.sight(second(0), Sighting::ClockLost, &mut out);
    record.table.order(second(0), Order::ResumePlay(None), &mut out).unwrap();
    for s in 1..10 {
        record.table.sight(second(s), face(white - s, black, Some(Side::Left)), &mut out);
    }
    let differs =
        |it: &&Effect| matches!(it, Effect::Raised(it) if it.kind == Kind::ResumptionDiffers);
    assert_eq!(out.iter().filter(differs).count(), 1, "as long as it was not heard");
    assert_eq!(record.table.phase(), Phase::InPlay);
}

/// Somebody adjourns a game by mistake, or the clock is forgotten: a time counts all along.
#[test]
fn where_the_clock_was_never_stopped_play_goes_on_with_the_order() {
    let script =
        "# time_control: 300+3\n e2^ e4v | e7^ e5v | adjourn +3 resume +1 g1^ f3v | b8^ c6v |";
    let record = play(script);
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6");
    assert_eq!(record.table.phase(), Phase::InPlay);
    assert_eq!(record.kinds(), [""; 0]);
    // What the clock betrays is told again.
    let wrong = play(&format!("{script} +2 f1^ b5v +45"));
    assert_eq!(wrong.kinds(), ["wrong_clock_running"]);
    assert!(record.table.differences().is_empty(), "nothing is to be put right any more");
}
