//! What is reported about a fallen flag, each beside what looks like it and must stay silent.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use crate::common::Doors as _;
use crate::common::desk::{B, Desk, W, played, under};
use crate::common::{Record, play_with};
use eboard::{FaceTime, FlagMark, Moment, Sighting};
use shakmaty::{Color, KnownOutcome};
use witness::{Edition, Effect, EndedBy, Ending, Event, Gravity, Kind, Order, Ruling, Settings};
use words::InWords as _;

#[test]
fn a_flag_is_judged_by_moves_required_and_moves_made() {
    let (control, mut desk) = ("1/60:1800", Desk::new("1/60:1800"));
    desk.shows(60, 60, None).counts(60, 60, 59).marked(0, 60, None, FlagMark::Final);
    let incident = desk.raised()[0];
    assert_eq!((incident.kind, incident.gravity), (Kind::FlagFall, Gravity::Summon), "{control}");
    assert_eq!(
        incident.facts.consequence.map(witness::laws::flag::Consequence::name),
        Some("loss")
    );
    assert_eq!(incident.facts.grade, Some(FlagMark::Final));
    assert_eq!((incident.facts.moves_completed, incident.facts.moves_required), (Some(0), Some(1)));
}

#[test]
fn of_moves_is_said_only_what_was_asked_for() {
    let fallen = |control: &str, script: &str| {
        let record = played(control, control, script);
        let mut raised = record.raised().into_iter();
        let fall = raised.rfind(|it| it.kind == Kind::FlagFall).unwrap();
        fall.advice.iter().map(|it| it.en()).collect::<Vec<_>>()
    };
    let lost = "The game is lost: the opponent can still mate by a series of legal moves (6.9).";
    // Blitz: nothing about moves.
    assert_eq!(fallen("20", "e2^ e4v | e7^ e5v | +30")[0], lost);
    let passed = fallen("20:60", "e2^ e4v | e7^ e5v | +25");
    let none = "No number of moves is asked for in this period: the next one begins.";
    assert_eq!(passed[0], none);
    let two = "White had to complete 2 moves; the board counts 1 (6.4).";
    let more = "One more stands on the board, made and not pressed for: it is not completed (6.2).";
    let unpressed = fallen("2/20:60", "e2^ e4v | e7^ e5v | g1^ f3v +30");
    assert_eq!(unpressed[..3], [two, more, lost]);
    assert_eq!(fallen("2/20:60", "e2^ e4v | e7^ e5v | +30")[..2], [two, lost]);
    // The time control is not known. The arbiter knows whether a number is asked for.
    let script = "# time_control: 20\ne2^ e4v | e7^ e5v | +30";
    let unknown = play_with(script, Settings::default());
    let asked = &unknown.raised().last().unwrap().advice[0].en();
    assert!(asked.starts_with("Check at once whether White has completed"), "{asked}");
}

#[test]
fn a_first_move_that_mates_just_after_the_fall_is_a_move() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let said = |after: &str| {
        let script = format!("# time_control: 20\n# fen: {fen}\n{after}");
        let record = play_with(&script, Settings::default());
        let fall = record.raised().into_iter().rfind(|it| it.kind == Kind::FlagFall).unwrap();
        fall.advice.iter().any(|it| it.en().contains("White has made no move"))
    };
    assert!(said("+30"));
    assert!(!said("+20.1 a1^ a8v +9"));
}

#[test]
fn a_fall_that_nobody_heard_for_long_says_within_what_time_it_fell() {
    let text = |quiet: f64| {
        let mut desk = Desk::new("10");
        desk.shows(10, 10, None).counts(10, 10, 8).wait(quiet);
        desk.marked(0, 10, None, FlagMark::Final);
        let fall = desk.raised()[0].clone();
        assert!(
            fall.advice.iter().any(|it| it.en().contains("blocked at zero")),
            "{:?}",
            fall.advice
        );
        fall.text.en()
    };
    assert_eq!(
        text(38.5),
        "White’s flag has fallen, some time in the last 40 s; the opponent has 0:00:10."
    );
    assert_eq!(
        text(1.6),
        "White’s flag has fallen, some time in the last 3 s; the opponent has 0:00:10."
    );
    assert_eq!(text(1.0), "White’s flag has fallen; the opponent has 0:00:10.");
}

#[test]
fn a_flag_and_a_mate_after_it_know_of_each_other() {
    let mates = |before: &str| {
        let record =
            played("20", "20", &format!("f2^ f3v | e7^ e5v | g2^ g4v | {before} d8^ h4v +5"));
        let raised = record.raised().into_iter().rev();
        let mut fall = raised.filter(|it| it.kind == Kind::FlagFall).cloned();
        (fall.next(), record.table.score().result())
    };
    let (fall, result) = mates("+30");
    let fall = fall.unwrap();
    assert_eq!(
        (fall.facts.consequence.map(witness::laws::flag::Consequence::name), result),
        (None, "*"),
        "the arbiter must say"
    );
    assert!(fall.advice[0].en().starts_with("Checkmate on the board"), "{:?}", fall.advice);
    assert!(fall.advice.iter().any(|it| it.en().contains("The game is lost")), "{:?}", fall.advice);
    assert_eq!(mates("+1"), (None, "0-1"), "mate came first");
}

#[test]
fn a_period_that_passes_is_no_alarm_and_no_false_zero() {
    let mut desk = Desk::at_the_end_of_a_period();
    desk.marked(0, 58, W, FlagMark::Passed);
    let shown = desk.table.clocks().state().unwrap();
    assert_eq!(shown.times.white, FaceTime::from_hms(0, 30, 0), "not a false zero");
    desk.shows(1800, 1858, W).counts(1799, 1858, 5);
    let state = desk.table.clocks().state().unwrap();
    assert_eq!((state.periods.white, state.periods.black), (2, 2));
    let raised = desk.raised();
    let record: Vec<_> = raised
        .iter()
        .map(|it| {
            (it.kind, it.gravity, it.facts.consequence.map(witness::laws::flag::Consequence::name))
        })
        .collect();
    assert_eq!(record, [(Kind::FlagFall, Gravity::Note, Some("period_passed"))]);
    let periods = desk.effects.iter();
    let periods = periods.filter(|(_, it)| matches!(it, Effect::Event(Event::Period(_))));
    assert_eq!(periods.count(), 2);
}

#[test]
fn a_flag_of_a_period_that_has_passed_is_down_no_more() {
    let mut desk = Desk::at_the_end_of_a_period();
    desk.marked(0, 58, W, FlagMark::Passed);
    assert_eq!(desk.table.clocks().state().unwrap().flag, None, "the next period's time is shown");
    // The clock shows its sign for minutes yet.
    desk.marked(1800, 1858, W, FlagMark::Passed);
    assert_eq!(desk.table.clocks().state().unwrap().flag, None);
    desk.marked(1799, 2, B, FlagMark::Passed).marked(1799, 1, B, FlagMark::Passed);
    desk.marked(1799, 0, B, FlagMark::Passed);
    assert_eq!(desk.table.clocks().state().unwrap().flag, B);
    let raised = desk.raised();
    let fall = raised.iter().rev().find(|it| it.kind == Kind::FlagFall).unwrap();
    assert_eq!(fall.side, B);
    let first = fall.advice.iter().find(|it| it.en().contains("flag fell first"));
    assert_eq!(first, None, "nobody's flag is down beside it");
}

#[test]
fn a_period_that_does_not_begin_calls_somebody() {
    let mut desk = Desk::at_the_end_of_a_period();
    (0..6).for_each(|_| {
        desk.marked(0, 58, W, FlagMark::Passed);
    });
    assert_eq!(desk.kinds(), ["flag_fall", "clock_setting"]);
    assert_eq!(desk.raised()[1].gravity, Gravity::Summon);
    let state = desk.table.clocks().state().unwrap();
    assert_eq!(state.times.white, FaceTime::ZERO, "what stays zero is no passage");
}

/// Both times reach zero between two readings in the first of two periods; the alert.
fn both_down(edition: Edition) -> witness::Incident {
    let mut desk = Desk::under(Settings { edition, ..under("2/300:300") });
    desk.shows(300, 300, None).shows(299, 300, W).shows(2, 2, W).wait(5.0);
    desk.shows(0, 0, B);
    let raised = desk.raised();
    raised.into_iter().find(|it| it.kind == Kind::BothFlags).unwrap().clone()
}

#[test]
fn both_flags_before_the_last_period_are_judged_by_the_moves_and_by_the_edition() {
    let said = |edition| {
        let incident = both_down(edition);
        assert_eq!(incident.gravity, Gravity::Summon);
        let advice = incident.advice.iter().map(|it| it.en()).collect::<Vec<_>>();
        (incident.article.to_string(), advice.join(" "))
    };
    // 6.11.a of 2014: play goes on.
    let (article, advice) = said(Edition::Y2014);
    assert_eq!(article, "6.11");
    assert!(
        advice.contains("Black had to complete 2 moves; the board counts 0 (6.4)."),
        "{advice}"
    );
    assert!(advice.contains("Another period follows."), "{advice}");
    // 2018: blitz, so the clock's own sign.
    let (article, advice) = said(Edition::Y2018);
    assert_eq!(article, "6.4");
    assert!(advice.contains("not for blitz (III.2.1)"), "{advice}");
    assert!(!advice.contains("goes on"), "{advice}");
}

#[test]
fn a_period_with_another_time_than_the_events_is_reported() {
    let mut desk = Desk::at_the_end_of_a_period();
    desk.shows(900, 958, W).counts(899, 958, 3);
    assert_eq!(desk.kinds(), ["clock_setting", "flag_fall"]);
    assert_eq!(desk.raised()[1].gravity, Gravity::Note, "the moves were made");
    assert!(desk.raised()[0].text.en().contains("instead of 0:30:00"));
}

#[test]
fn which_flag_fell_first_is_kept_and_what_is_not_known_is_said() {
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None).shows(299, 300, W).counts(2, 2, 1);
    desk.marked(0, 2, W, FlagMark::Passed).marked(0, 1, B, FlagMark::Passed);
    desk.marked(0, 0, B, FlagMark::Passed);
    let sides: Vec<_> = desk.raised().iter().map(|it| (it.kind, it.side)).collect();
    assert_eq!(sides[0].0, Kind::ClockFault, "the test's own jump, of both times");
    assert_eq!(sides[1..], [(Kind::FlagFall, W), (Kind::FlagFall, B)]);
    assert_eq!(desk.table.clocks().flags().next().map(|fall| fall.side), W);
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None).shows(299, 300, W).shows(2, 2, W).wait(5.0);
    desk.shows(0, 0, B);
    assert_eq!(desk.kinds(), ["both_flags"]);
}

#[test]
fn no_flag_falls_on_a_clock_that_is_set_lost_or_only_due() {
    let mut desk = Desk::started("300", 300);
    desk.shows(296, 300, None).shows(0, 300, None).shows(0, 0, None).shows(120, 120, None);
    desk.sight(Sighting::ClockLost);
    desk.wait(400.0);
    assert!(!desk.kinds().contains(&"flag_fall"), "{:?}", desk.kinds());
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None).shows(299, 300, W).counts(5, 300, 1);
    let due = desk.table.clocks().state().unwrap().flag_due.unwrap();
    assert_eq!(due, desk.now + Duration::from_secs(4));
    desk.wait(60.0);
    assert!(!desk.kinds().contains(&"flag_fall"), "no reading has told it");
}

#[test]
fn a_flag_is_due_when_the_delay_and_the_time_are_over() {
    let due = |control: &str| {
        let mut desk = Desk::new(control);
        desk.shows(60, 60, None).shows(60, 60, W);
        let begun = desk.now;
        let mut due = || {
            let at = desk.shows(60, 60, W).table.clocks().state().unwrap().flag_due.unwrap();
            at.since(begun).as_secs()
        };
        [due(), due(), due()]
    };
    assert_eq!(due("60+d10"), [70, 70, 70]);
    assert_eq!(due("60+d2"), [62, 62, 63], "what waits longer than it should counts from now");
    assert_eq!(due("60"), [61, 62, 63], "as it stands still");
}

/// Everything in it that a report of a fallen flag has.
fn damaged(desk: &mut Desk) -> &mut Desk {
    desk.shows(300, 300, None).counts(300, 300, 6).marked(0, 300, None, FlagMark::Final)
}

#[test]
fn a_flag_that_the_reading_before_rules_out_is_one_damaged_report() {
    for (white, sign) in [(0, FlagMark::Final), (0, FlagMark::None), (292, FlagMark::Passed)] {
        let mut desk = Desk::new("300");
        desk.shows(300, 300, None).counts(300, 300, 6).marked(white, 300, None, sign);
        let shown = desk.table.clocks().state().unwrap();
        assert_eq!((shown.times.white, shown.flag), (FaceTime::from_hms(0, 4, 54), None));
        desk.counts(292, 300, 20);
        assert_eq!(desk.kinds(), [""; 0], "{white} {sign:?}");
        let stopped = desk
            .effects
            .iter()
            .any(|(_, it)| matches!(it, Effect::Event(Event::Phase(witness::Phase::Paused))));
        assert!(!stopped, "nor was it stopped");
    }
}

#[test]
fn a_flag_that_is_read_again_has_fallen_whatever_was_read_before() {
    let mut desk = Desk::new("300");
    let fell = damaged(&mut desk).now;
    assert_eq!(desk.kinds(), [""; 0]);
    desk.marked(0, 300, None, FlagMark::Final);
    assert_eq!(desk.kinds(), ["flag_fall"]);
    let facts = &desk.raised()[0].facts;
    let (above, zero) = facts.between.unwrap();
    assert!(above.is_some_and(|above| above < fell) && zero == fell, "{above:?} {zero:?}");
    assert_eq!(facts.grade, Some(FlagMark::Final));
}

#[test]
fn a_clock_that_says_nothing_else_is_blocked_by_its_flag() {
    let mut desk = Desk::new("300");
    damaged(&mut desk).wait(1.4);
    assert_eq!(desk.kinds(), [""; 0]);
    desk.wait(0.2);
    assert_eq!(desk.kinds(), ["flag_fall"]);
    // Silence of a line that is gone confirms nothing.
    let mut desk = Desk::new("300");
    damaged(&mut desk);
    desk.table.line(desk.now, false, &mut Vec::new());
    desk.wait(60.0);
    assert!(!desk.kinds().contains(&"flag_fall"), "{:?}", desk.kinds());
    let mut desk = Desk::new("300");
    damaged(&mut desk).sight(Sighting::ClockLost);
    desk.wait(60.0);
    assert!(!desk.kinds().contains(&"flag_fall"), "{:?}", desk.kinds());
}

#[test]
fn after_a_silence_in_which_the_time_can_have_run_out_a_flag_is_believed_at_once() {
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None).counts(300, 300, 6).wait(292.0);
    desk.marked(0, 300, None, FlagMark::Final);
    assert_eq!(desk.kinds(), ["flag_fall"]);
}

#[test]
fn of_both_flags_it_is_said_within_what_time_each_fell() {
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None).shows(299, 300, W).shows(2, 2, W).wait(5.0);
    desk.shows(0, 0, B);
    let incident = desk.raised().into_iter().find(|it| it.kind == Kind::BothFlags).unwrap();
    let said = &incident.advice[0].en();
    assert_eq!(said, "White’s fell in the last 6 s before that reading, Black’s in the last 6 s.");
    let (above, zero) = incident.facts.between.unwrap();
    assert_eq!(above.map(|above| zero.since(above)), Some(Duration::from_secs(6)));
    let falls = incident.facts.falls.unwrap();
    assert_eq!((falls.white, falls.black), ((above, zero), (above, zero)));
    // White's four seconds cannot have passed in the one since: that reading was held up.
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None).shows(299, 300, W).shows(5, 1, W).shows(4, 1, W);
    desk.shows(0, 0, B);
    let incident = desk.raised().into_iter().find(|it| it.kind == Kind::BothFlags).unwrap();
    let falls = incident.facts.falls.unwrap();
    assert!(falls.white.0 < falls.black.0 && falls.white.1 == falls.black.1, "{falls:?}");
    assert_eq!(incident.facts.between, Some(falls.white), "the wider one");
}

#[test]
fn a_loss_that_was_upheld_waits_a_minute_for_its_result() {
    let after = |ruling: Ruling, result: Option<KnownOutcome>| {
        let mut record = played("20", "20", "e2^ e4v | e7^ e5v | +30 ~ +5");
        let fall = record.table.incidents().find(|it| it.kind == Kind::FlagFall).unwrap();
        let (incident, by) = (fall.id, "Ann".to_owned());
        let white_lost = [KnownOutcome::Decisive { winner: Color::Black }];
        assert_eq!(fall.names(), white_lost);
        let mut out = Vec::new();
        let at = Moment::from_micros(100_000_000);
        record.table.order(at, Order::Rule { incident, ruling, by }, &mut out).unwrap();
        assert_eq!(record.table.score().result(), "*", "nothing is entered by itself");
        if let Some(outcome) = result {
            let ending = Ending { outcome: outcome.into(), reason: EndedBy::Arbiter };
            record.table.order(at, Order::SetResult(Some(ending)), &mut out).unwrap();
        }
        let missing = |seconds: u64, record: &mut Record, out: &mut Vec<Effect>| {
            let until = at + Duration::from_secs(seconds);
            while let Some((due, _)) = record.table.deadline().filter(|(due, _)| *due <= until) {
                record.table.due(due, out);
            }
            let missing = record.table.incidents().find(|it| it.kind == Kind::NoResult);
            missing.map(|it| it.advice[0].en())
        };
        assert_eq!(missing(55, &mut record, &mut out), None, "he is on his way");
        missing(65, &mut record, &mut out)
    };
    let upheld = "What ends this game was upheld, and its result is still missing.";
    assert_eq!(after(Ruling::Upheld, None).as_deref(), Some(upheld));
    assert_eq!(after(Ruling::Dismissed, None), None);
    let black_wins = KnownOutcome::Decisive { winner: Color::Black };
    assert_eq!(after(Ruling::Upheld, Some(black_wins)), None);
}
