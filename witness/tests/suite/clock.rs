//! What the clock of a table betrays, each beside what looks like it and must stay silent.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use crate::common::Doors as _;
use crate::common::desk::{B, Desk, OPENING, W, kinds, played, under};
use eboard::{FaceTime, FlagMark, Moment, Sighting};
use witness::laws::flag::Consequence;
use witness::{Detail, Effect, Gravity, Incident, Kind, Order, Ruling, Settings};
use words::InWords as _;

/// Each alert once, however often it was raised anew.
fn alerts(raised: Vec<&Incident>) -> Vec<&'static str> {
    let mut record: Vec<_> = Vec::new();
    for it in raised {
        if !record.iter().any(|(id, _)| *id == it.id) {
            record.push((it.id, it.kind.name()));
        }
    }
    record.into_iter().map(|(_, kind)| kind).collect()
}

#[test]
fn a_clock_set_as_the_event_says_is_no_alert() {
    for control in ["5400+30", "300+3", "300", "60"] {
        assert_eq!(kinds(control, control, OPENING), [""; 0], "{control}");
    }
}

#[test]
fn a_clock_started_with_other_times_is_one_alert_that_grows_when_the_increment_shows() {
    let record = played("300", "180+2", OPENING);
    assert_eq!(alerts(record.raised()), ["clock_setting"]);
    let [incident, grown] = record.raised()[..] else { panic!("{:?}", record.kinds()) };
    let said = |it: &Incident| it.advice.iter().any(|it| it.en().contains("gives 2 s"));
    assert!(!said(incident) && said(grown), "{:?}", grown.advice);
    assert_eq!((&*incident.article, incident.gravity), ("6.10.2", Gravity::Look));
    assert!(incident.text.en().contains("White −0:01:58"), "{}", incident.text.en());
    let expected = incident.facts.expected.unwrap();
    assert_eq!(expected.white, FaceTime::from_hms(0, 5, 0));
}

#[test]
fn an_increment_that_is_not_the_events_is_reported_after_two_presses() {
    // The start looks alike: 5:03.
    assert_eq!(kinds("303", "300+3", "e2^ e4v |"), [""; 0], "one press proves nothing");
    let record = played("303", "300+3", OPENING);
    assert_eq!(record.kinds(), ["clock_setting"]);
    assert!(record.raised()[0].text.en().contains("gives 3 s"), "{}", record.raised()[0].text.en());
}

/// In French, where what a clock does and what it should do are not the same words.
fn does_and_should(clock: &str, control: &str) -> String {
    let does = match clock {
        "5400+30" => "donne 30 s",
        // Two turns of the same length do not tell it from an increment.
        "5400+b30" => "donne 20 s ou rend le temps utilisé (Bronstein)",
        _ => "attend avant de décompter (délai)",
    };
    let should = match control {
        "5400+30" => "donner 30 s",
        "5400+b30" => "rendre le temps utilisé, jusqu’à 30 s (Bronstein)",
        _ => "attendre 30 s avant de décompter (délai)",
    };
    format!("À chaque appui la pendule {does}\u{a0}; elle devrait {should}.")
}

/// The example of the commentary: 90 minutes and 30 seconds; the first move takes 20 s, and the
/// clock shows 90:40, 90:30 or 90:00.
#[test]
fn the_mode_is_reported_from_what_a_press_brings() {
    let (fischer, bronstein, delay) = ("5400+30", "5400+b30", "5400+d30");
    for (clock, start, after) in
        [(fischer, 5430, 5440), (bronstein, 5430, 5430), (delay, 5400, 5400)]
    {
        for control in [fischer, bronstein, delay] {
            let mut desk = Desk::new(control);
            desk.shows(start, start, None);
            let spent = |passed: u32| if clock == delay { 0 } else { passed };
            (0..20).for_each(|it| {
                desk.shows(start - spent(it), start, W);
            });
            desk.shows(after, start, B);
            (1..20).for_each(|it| {
                desk.shows(after, start - spent(it), B);
            });
            desk.shows(after, after, W);
            let expected: &[_] = if control == clock { &[] } else { &["clock_setting"] };
            assert_eq!(alerts(desk.raised()), expected, "{clock} where {control} is played");
            let raised = desk.raised().into_iter();
            for record in raised.filter(|it| it.facts.detail == Some(Detail::Mode)) {
                assert_eq!(record.text.fr(), does_and_should(clock, control));
            }
        }
    }
}

/// The second period brings its time and 20 s less, as move 3 has 30 s already; then 10 s.
#[test]
fn each_period_has_its_own_increment() {
    let control = "2/60+30:40+10";
    let script = "e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v | f1^ b5v | a7^ a6v | b5^ a4v | g8^ f6v |";
    let record = played(control, control, script);
    assert_eq!(record.kinds(), [""; 0]);
    let state = record.table.clocks().state().unwrap();
    assert_eq!(state.periods, shakmaty::ByColor { white: 2, black: 2 });
    // Four moves of 2 s: 90 s, two times 30 s, 20 s for the period, two times 10 s.
    assert_eq!(state.times.black, FaceTime::from_hms(0, 3, 2));
    let same_again = played(control, "2/60+30:40+30", script);
    assert_eq!(same_again.kinds(), ["clock_setting"]);
    let said = &same_again.raised()[0].text.en();
    assert!(said.contains("gives 30 s") && said.contains("10 s"), "{said}");
}

/// As long as every turn takes longer than the three seconds both bring the same.
#[test]
fn what_bronstein_and_an_increment_have_in_common_accuses_nobody() {
    let long = "+4 e2^ e4v | +4 e7^ e5v | +4 g1^ f3v | +4 b8^ c6v |";
    let quick = |(from, to): (&str, &str)| format!("+0.1 {from}^ +0.3 {to}v +0.1 | ");
    let moves =
        [("f1", "b5"), ("a7", "a6"), ("b5", "a4"), ("g8", "f6"), ("a4", "b3"), ("b7", "b5")];
    let short: String = moves.map(quick).concat();
    for (control, clock) in [("300+3", "300+b3"), ("300+b3", "300+3")] {
        assert_eq!(kinds(control, clock, long), [""; 0], "{clock}");
        assert_eq!(kinds(control, clock, &format!("{long} {short}")), ["clock_setting"], "{clock}");
    }
}

#[test]
fn a_move_without_a_press_is_reported_when_the_player_moves_again() {
    let record = played("300+3", "300+3", "e2^ e4v +2 e7^ e5v +2 g1^ f3v | b8^ c6v |");
    assert_eq!(record.kinds(), ["missed_press"]);
    let incident = record.raised()[0];
    assert_eq!((incident.side, &*incident.article), (W, "6.2.1.2"));
    let missing = incident.facts.presses_missing.unwrap();
    assert_eq!((missing.white, missing.black), (1, 1), "Black's answer had no press either");
    assert!(incident.advice[1].en().contains("White 3 s"), "{:?}", incident.advice);
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6");
}

#[test]
fn an_answer_before_the_press_is_no_missed_press() {
    for script in [
        "e2^ e4v +0.2 e7^ e5v +0.3 | +0.5 | g1^ f3v | b8^ c6v |",
        "e2^ e4v | e7^ +3 e5v +4 | g1^ f3v |",
        "e2^ e4v +0 | e7^ e5v +0 | g1^ f3v +0 | b8^ c6v +0 |",
    ] {
        assert_eq!(kinds("300+3", "300+3", script), [""; 0], "{script}");
    }
}

#[test]
fn a_press_that_may_have_been_missed_by_us_is_not_reported() {
    // The readings between the moves are lost.
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None).shows(300, 300, W);
    desk.moves("e2", "e4", eboard::Piece::WhitePawn).wait(3.0);
    desk.moves("e7", "e5", eboard::Piece::BlackPawn).wait(3.0);
    desk.shows(297, 297, W).moves("g1", "f3", eboard::Piece::WhiteKnight).wait(3.0);
    assert_eq!(desk.table.score().plies().len(), 3);
    assert_eq!(desk.kinds(), [""; 0]);
}

/// White answers at once, and both presses fall into one report that is lost: the clock tells the
/// same again before a second has passed.
#[test]
fn a_reading_that_is_reported_again_too_soon_shows_two_presses() {
    let record = |again: bool| {
        let mut desk = Desk::new("300");
        desk.shows(300, 300, None).shows(300, 300, W).shows(299, 300, W);
        desk.moves("e2", "e4", eboard::Piece::WhitePawn).shows(298, 300, B);
        desk.shows(298, 299, B).shows(298, 298, B);
        desk.moves("e7", "e5", eboard::Piece::BlackPawn).wait(0.2);
        desk.moves("g1", "f3", eboard::Piece::WhiteKnight).wait(0.1);
        if again {
            desk.reads(298, 298, B, FlagMark::None);
        }
        desk.wait(0.05).reads(298, 297, B, FlagMark::None).shows(298, 296, B);
        desk.moves("b8", "c6", eboard::Piece::BlackKnight).wait(0.4);
        desk.reads(298, 296, W, FlagMark::None);
        desk.shows(297, 296, W).shows(296, 296, W).shows(295, 296, W);
        assert_eq!(desk.table.score().plies().len(), 4);
        desk.kinds()
    };
    assert_eq!(record(true), [""; 0]);
    assert_eq!(record(false), ["missed_press"]);
}

#[test]
fn a_move_whose_piece_is_in_the_air_again_has_completed_none_yet() {
    // White answers before the press; Black's pawn goes one square, and two seconds later back.
    let opening = "e2^ e4v | e7^ e5v +0.8 d2^ d4v +0.4 h7^ +0.06 h6v";
    let back = format!("{opening} +1.8 h6^ +1.0 h7v +0.4 | +0.2 | +0.4 f7^ +0.3 f6v | +4");
    assert_eq!(kinds("300", "300", &back), [""; 0]);
    let stays = format!("{opening} +4 | +4 b1^ c3v | +4");
    assert_eq!(kinds("300", "300", &stays), ["missed_press"]);
}

#[test]
fn a_clock_that_runs_for_the_wrong_player_is_reported_and_takes_it_back() {
    let record = played("300+3", "300+3", "e2^ e4v +40 | +2");
    assert_eq!(record.kinds(), ["wrong_clock_running"]);
    assert!(record.raised()[0].text.en().contains("has not pressed"));
    assert_eq!(record.table.incidents().count(), 0, "the press has settled it");
    assert_eq!(kinds("300+3", "300+3", "e2^ e4v +20 | e7^ e5v |"), [""; 0]);
    // Black's clock was started again by mistake: White has the move and has nothing to press.
    let record = played("300+3", "300+3", "e2^ e4v | e7^ e5v | +1 | +15");
    assert!(record.kinds().contains(&"wrong_clock_running"), "{:?}", record.kinds());
}

#[test]
fn a_clock_that_stands_calls_somebody() {
    let record = played("300+3", "300+3", &format!("{OPENING} ~ +12"));
    assert_eq!(record.kinds(), ["clock_stopped"]);
    assert_eq!(record.raised()[0].gravity, Gravity::Summon);
    let record = played("300+3", "300+3", &format!("{OPENING} ~ +12 ! +2"));
    assert_eq!(record.table.incidents().count(), 0, "it went on");
    for script in [
        format!("{OPENING} ~ +8 ! +2"),
        // The players' result.
        format!("{OPENING} ~ +6 e1^ d4v e8^ e5v +12"),
        // Somebody has been called already.
        "e2^ e5v | ~ +30".to_owned(),
    ] {
        assert!(!kinds("300+3", "300+3", &script).contains(&"clock_stopped"), "{script}");
    }
}

#[test]
fn times_changed_while_the_clock_stood_are_noted() {
    let mut desk = Desk::started("300", 300);
    desk.shows(296, 300, None).shows(296, 420, None).shows(296, 420, W).counts(295, 420, 3);
    assert_eq!(desk.kinds(), ["clock_adjusted"]);
    let incident = desk.raised()[0];
    assert_eq!(incident.gravity, Gravity::Note);
    assert!(incident.text.en().contains("Black +0:02:00"), "{}", incident.text.en());
    let mut desk = Desk::started("300", 300);
    desk.shows(296, 300, None).wait(60.0);
    desk.shows(296, 300, W).counts(295, 300, 3);
    assert_eq!(desk.kinds(), [""; 0]);
}

#[test]
fn a_penalty_that_is_given_is_recognised() {
    let mut desk = Desk::new("5400+30");
    desk.shows(5430, 5430, None).shows(5430, 5430, W);
    desk.moves("e2", "e5", eboard::Piece::WhitePawn);
    desk.shows(5458, 5430, B).wait(1.0);
    desk.shows(5458, 5429, None).shows(5458, 5549, None).shows(5458, 5549, W);
    assert_eq!(desk.kinds(), ["illegal_move", "clock_adjusted"]);
    assert!(desk.raised()[1].advice[0].en().contains("+0:02:00 to Black"));
}

#[test]
fn a_penalty_given_to_the_times_before_the_press_is_recognised() {
    let advice = |white: u32, black: u32| {
        let mut desk = Desk::new("5400+30");
        desk.shows(5430, 5430, None).shows(5430, 5430, W).shows(5427, 5430, W);
        desk.moves("e2", "e5", eboard::Piece::WhitePawn);
        desk.shows(5456, 5430, B).wait(6.0);
        desk.shows(5456, 5423, None).shows(white, black, None).shows(white, black, W);
        assert_eq!(desk.kinds(), ["illegal_move", "clock_adjusted"]);
        desk.raised()[1].advice.iter().map(|it| it.en()).collect::<Vec<_>>()
    };
    assert_eq!(advice(5427, 5550), ["+0:02:00 to Black: the penalty that was due."]);
    assert_eq!(advice(5427, 5490), [""; 0], "a minute is not what was due");
}

#[test]
fn a_clock_on_which_both_times_count_is_at_fault() {
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None);
    (0..10).for_each(|it| {
        desk.shows(300 - it, 300 - it, W);
    });
    assert_eq!(desk.kinds(), ["clock_fault"]);
    let incident = desk.raised()[0];
    let record = "Both times count at once: Black’s does not stop: White 0:04:54, Black 0:04:54.";
    assert_eq!((incident.text.en(), incident.side), (record.to_owned(), B));
    assert!(incident.advice[0].en().contains("Black 0:05:00"), "{:?}", incident.advice);
}

#[test]
fn a_running_clock_that_stands_still_or_jumps_is_at_fault() {
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None);
    (0..35).for_each(|_| {
        desk.shows(300, 300, W);
    });
    assert_eq!(desk.kinds(), ["clock_fault"]);
    // One that has been seen to count from the beginning of a turn waits for nothing.
    let mut desk = Desk::new("7200");
    desk.shows(7200, 7200, None).counts(7200, 7200, 5).moves("e2", "e4", eboard::Piece::WhitePawn);
    desk.shows(7195, 7200, B).shows(7195, 7199, B).shows(7195, 7198, B);
    desk.moves("e7", "e5", eboard::Piece::BlackPawn);
    (0..25).for_each(|_| {
        desk.shows(7195, 7198, W);
    });
    assert_eq!(desk.kinds(), ["clock_fault"]);
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None).counts(300, 300, 5).counts(200, 300, 5);
    assert_eq!(desk.kinds(), ["clock_fault"]);
    assert!(desk.raised()[0].text.en().starts_with("White’s time has jumped"));
    // One reading that is gone with the next is a disturbance of the line.
    let mut desk = Desk::new("300");
    desk.shows(300, 300, None).counts(300, 300, 5).shows(200, 300, W).counts(293, 300, 5);
    assert_eq!(desk.kinds(), [""; 0]);
    // A delay shows nothing for as long.
    let mut desk = Desk::new("300+d15");
    desk.shows(300, 300, None);
    (0..25).for_each(|_| {
        desk.shows(300, 300, W);
    });
    assert_eq!(desk.kinds(), [""; 0]);
}

#[test]
fn a_clock_that_is_fast_is_reported_after_a_quarter_of_an_hour() {
    let fast = |permille: u32| {
        let mut desk = Desk::new("7200");
        desk.shows(7200, 7200, None);
        for turn in 0..60_u32 {
            // Before this turn each has used up as many halves of a minute as he has moved.
            let at = |turns: u32, seconds: u32| 7200 - (turns * 30 + seconds) * permille / 1000;
            for second in 0..30 {
                match turn % 2 {
                    0 => desk.shows(at(turn / 2, second), at(turn / 2, 0), W),
                    _ => desk.shows(at(turn / 2 + 1, 0), at(turn / 2, second), B),
                };
            }
        }
        desk.kinds()
    };
    assert_eq!(fast(1000), [""; 0]);
    assert_eq!(fast(1100), ["clock_fault"]);
}

#[test]
fn short_of_time_in_a_standard_game_is_a_note_and_in_blitz_nothing() {
    let mut desk = Desk::new("40/7200:1800");
    desk.shows(7200, 7200, None).shows(7200, 7200, W).wait(6898.0);
    desk.shows(301, 7200, W).counts(300, 7200, 3);
    assert_eq!(desk.kinds(), ["time_trouble"]);
    assert!(desk.raised()[0].text.en().contains("0:04:59 for 40 more moves"));
    assert_eq!(kinds("180+2", "180+2", OPENING), [""; 0]);
}

#[test]
fn short_of_time_is_said_with_what_is_left_to_do() {
    let texts = |control: &str, white: u32| {
        let mut desk = Desk::new(control);
        desk.shows(5400, 5400, None).shows(5400, 5400, W);
        desk.moves("e2", "e4", eboard::Piece::WhitePawn).shows(5398, 5400, B);
        desk.shows(5398, 5399, None).shows(white, 5399, None).shows(white, 5399, B);
        let raised = desk.raised().into_iter();
        let record = raised.filter(|it| it.kind == Kind::TimeTrouble);
        record.map(|it| it.text.en()).collect::<Vec<_>>()
    };
    let made = "White has 0:04:50 in this period, and has made its moves.";
    assert_eq!(texts("1/5400:1800", 290), [made]);
    assert_eq!(texts("2/5400:1800", 290), ["White has 0:04:50 for one more move."]);
    assert_eq!(texts("3/5400:1800", 290), ["White has 0:04:50 for 2 more moves."]);
    assert_eq!(texts("5400", 290), ["White has 0:04:50 for all remaining moves."]);
    assert_eq!(texts("5400", 0), [""; 0], "nothing is left");
}

#[test]
fn what_is_gone_for_long_is_reported_and_comes_back() {
    let mut desk = Desk::new("300+3");
    desk.shows(303, 303, None).shows(303, 303, W);
    desk.moves("e2", "e4", eboard::Piece::WhitePawn).wait(1.0);
    desk.sight(Sighting::ClockLost);
    desk.wait(8.0);
    assert_eq!(desk.kinds(), [""; 0]);
    desk.wait(8.0);
    assert_eq!(desk.kinds(), ["clock_lost"]);
    desk.sight(Sighting::Silent);
    desk.wait(15.0);
    assert_eq!(desk.kinds(), ["clock_lost", "board_lost"]);
    desk.shows(280, 303, W);
    assert_eq!(desk.table.incidents().count(), 0);
}

#[test]
fn the_watch_list_puts_first_who_has_least_for_each_move() {
    // Three moves still to make in two minutes; all the rest in a minute and a half.
    let mut counted = Desk::new("4/7200:1800");
    counted.shows(7200, 7200, None).shows(7200, 7200, W).wait(7000.0);
    counted.moves("e2", "e4", eboard::Piece::WhitePawn).shows(120, 7200, B);
    let announced = Settings { quickplay_finish: true, ..under("7200") };
    let mut sudden = Desk::under(announced);
    sudden.shows(7200, 7200, None).shows(7200, 7200, W).wait(7000.0);
    sudden.shows(90, 7200, W);
    let mut calm = Desk::new("5400+30");
    calm.shows(5430, 5430, None).shows(5430, 5430, W).wait(7000.0);
    calm.shows(200, 5430, W);
    let tables = [&counted.table, &sudden.table, &calm.table];
    let now = sudden.now + Duration::from_secs(10);
    let list = witness::watch_list(now, (1..).map(witness::TableNo::new).zip(tables));
    let record: Vec<_> = list.iter().map(|it| (it.table.get(), it.left.as_ms() / 1000)).collect();
    assert_eq!(record, [(2, 80), (1, 120)], "a player with 30 s a move has to write");
    assert_eq!((list[0].moves_to_make, list[1].moves_to_make), (None, Some(3)));
    assert_eq!((list[0].per_move.as_ms(), list[1].per_move.as_ms()), (4000, 40_000));
    assert!(list[0].two_minutes && list[0].need_not_write && list[0].counting);
    assert!(!list[1].two_minutes && !list[1].counting, "not the last period, nor his move");
    assert_eq!(list[0].flag_due, Some(sudden.now + Duration::from_secs(90)));
}

/// What was reported about a move that is revised is withdrawn, unless it is true of the new one.
#[test]
fn a_missed_press_is_withdrawn_when_its_moves_are() {
    let script = "+3 e2^ e4v +2 e7^ e5v +2 g1^ f3v | b8^ c6v | +3";
    let after = |plies: usize| {
        let mut record = played("300+3", "300+3", script);
        assert_eq!(record.kinds(), ["missed_press"]);
        let (now, mut out) = (Moment::ZERO + Duration::from_secs(60), Vec::new());
        record.table.order(now, Order::TakeBack { plies, of: None }, &mut out).unwrap();
        record.table.due(now + Duration::from_secs(3), &mut out);
        let closed =
            |it: &Effect| matches!(it, Effect::Closed(it, None) if it.kind == Kind::MissedPress);
        out.iter().any(closed)
    };
    // Black's last move is another matter; White's second one is what the alert rests on.
    assert!(!after(1) && after(2));
}

/// A clock that is away goes on in our own time, with what the moves bring.
#[test]
fn the_times_are_reckoned_to_which_a_clock_is_to_be_set_that_is_lost() {
    let mut desk = Desk::started("300+3", 303);
    desk.moves("e2", "e4", eboard::Piece::WhitePawn).shows(303, 303, B);
    desk.sight(Sighting::ClockLost);
    desk.wait(12.0);
    let reckoned = |desk: &Desk| {
        let lost = desk.raised().into_iter().rev().find(|it| it.kind == Kind::ClockLost);
        let facts = lost.unwrap().facts.clone();
        facts.expected.map(|it| (it.white.as_ms() / 1000, it.black.as_ms() / 1000))
    };
    // Reported after 10 s, all of them Black's.
    assert_eq!(reckoned(&desk), Some((303, 293)));
    let advice = desk.raised().last().unwrap().advice[1].en();
    assert!(advice.contains("White 0:05:03, Black 0:04:53"), "{advice}");
    // Black's move brings him 3 s, and White's time counts.
    desk.wait(8.0);
    desk.moves("e7", "e5", eboard::Piece::BlackPawn).wait(60.0);
    let (white, black) = reckoned(&desk).unwrap();
    assert!((285..=286).contains(&black) && (240..=275).contains(&white), "{white} {black}");
    desk.shows(250, 286, W);
    assert!(desk.table.incidents().all(|it| it.kind != Kind::ClockLost));
}

/// An arbiter has ruled on it: the table is not woken to reckon on.
#[test]
fn nothing_is_reckoned_for_a_lost_clock_that_was_ruled_on() {
    let mut desk = Desk::started("300+3", 303);
    desk.moves("e2", "e4", eboard::Piece::WhitePawn).shows(303, 303, B);
    desk.sight(Sighting::ClockLost);
    let incident = desk.wait(12.0).raised().last().unwrap().id;
    let rule = Order::Rule { incident, ruling: Ruling::Noted, by: "Ann".to_owned() };
    let (until, mut out) = (desk.now + Duration::from_secs(120), Vec::new());
    desk.table.order(desk.now, rule, &mut out).unwrap();
    for _ in 0..100 {
        let Some((at, _)) = desk.table.deadline().filter(|(at, _)| *at <= until) else { return };
        desk.table.due(at, &mut out);
    }
    panic!("{:?}", desk.table.deadline());
}

/// A clock first seen after the first press: one press shows whose half is whose.
#[test]
fn halves_that_were_only_supposed_are_put_right_at_the_first_press() {
    let mut desk = Desk::new("300+3");
    // White sits at the right half.
    desk.moves("e2", "e4", eboard::Piece::WhitePawn).wait(1.5);
    desk.shows(303, 299, B).shows(303, 298, B);
    desk.shows(303, 300, W);
    assert_eq!(desk.table.clocks().state().unwrap().running, B);
    assert_eq!(desk.table.score().plies()[0].status, witness::Status::Completed);
}

/// Other kinds of clocks show what they count in more ways than one: nothing is predicted.
#[test]
fn byo_yomi_hourglass_and_counting_up_raise_no_nonsense() {
    let (pawn, reply) = (eboard::Piece::WhitePawn, eboard::Piece::BlackPawn);
    // What one spends the other gains.
    let mut desk = Desk::new("*60");
    desk.shows(60, 60, None);
    (0..20).for_each(|spent| {
        desk.shows(60 - spent, 60 + spent, W);
    });
    desk.moves("e2", "e4", pawn).wait(1.0);
    (0..30).for_each(|spent| {
        desk.shows(41 + spent, 79 - spent, B);
    });
    assert_eq!(desk.kinds(), [""; 0], "hourglass");
    // After the main time a minute for each move, or ten minutes for 25 moves.
    for (control, period) in [("20+5x60", 60), ("20+25/600", 600)] {
        let mut desk = Desk::new(control);
        desk.shows(20, 20, None).counts(20, 20, 19).counts(period, 20, 10);
        desk.moves("e2", "e4", pawn).shows(period, 20, B).moves("e7", "e5", reply);
        desk.shows(period, 19, W).counts(period - 1, 19, 30);
        assert_eq!(desk.kinds(), [""; 0], "{control}");
        // Zero may be the end of one period of several.
        desk.counts(period - 32, 19, period - 33).shows(0, 19, W);
        let fall =
            desk.raised().last().map(|it| (it.kind, it.facts.consequence.map(Consequence::name)));
        assert_eq!(fall, Some((Kind::FlagFall, None)), "{control}");
    }
    // Nobody is timed, and the clock counts up.
    let mut desk = Desk::new("-");
    desk.shows(0, 0, None);
    (0..40).for_each(|passed| {
        desk.shows(passed, 0, W);
    });
    desk.moves("e2", "e4", pawn).wait(1.0);
    (0..40).for_each(|passed| {
        desk.shows(40, passed, B);
    });
    assert_eq!(desk.kinds(), [""; 0], "counting up");
}

#[test]
fn increments_of_presses_that_nobody_heard_are_no_jump() {
    // White's press and Black's, a second later, are lost with one report.
    let mut desk = Desk::new("5400+30");
    desk.shows(5430, 5430, None).counts(5430, 5430, 20).wait(1.0);
    desk.shows(5439, 5459, W).counts(5438, 5459, 10);
    assert_eq!(desk.kinds(), [""; 0]);
    // What no press can have brought is one.
    let mut desk = Desk::new("5400+30");
    desk.shows(5430, 5430, None).counts(5430, 5430, 20).wait(1.0);
    desk.shows(5439, 5489, W).counts(5438, 5489, 3);
    assert_eq!(desk.kinds(), ["clock_fault"]);
}

#[test]
fn of_two_times_that_rise_and_fall_the_one_has_jumped_that_no_increment_explains() {
    let mut desk = Desk::started("300+30", 330);
    desk.moves("e2", "e4", eboard::Piece::WhitePawn);
    desk.shows(325, 150, W).shows(355, 150, B).shows(355, 149, B).shows(355, 148, B);
    let faults = desk.raised().into_iter().filter(|it| it.kind == Kind::ClockFault);
    let sides: Vec<_> = faults.map(|it| it.side).collect();
    assert_eq!(sides, [B]);
}

/// What a daemon that is started again does to a table: its line is closed and opened anew, and
/// the board tells what stands there.
fn started_again(desk: &mut Desk) {
    let mut out = Vec::new();
    desk.table.line(desk.now, false, &mut out);
    desk.wait(3.0);
    desk.table.line(desk.now, true, &mut out);
    let mut placement = eboard::Placement::starting();
    let square = |file, rank| eboard::Square::at(file, rank).unwrap();
    placement[square(4, 1)] = None;
    placement[square(4, 3)] = Some(eboard::Piece::WhitePawn);
    desk.sight(Sighting::Position(placement));
}

#[test]
fn what_another_clock_is_to_be_set_to_is_known_after_a_restart() {
    let mut desk = Desk::started("300", 300);
    desk.moves("e2", "e4", eboard::Piece::WhitePawn).shows(296, 300, B).shows(296, 299, B);
    let read = desk.now;
    desk.sight(Sighting::ClockLost);
    desk.wait(12.0);
    let lost = |desk: &Desk| {
        let raised = desk.raised().into_iter().filter(|it| it.kind == Kind::ClockLost);
        raised.map(|it| it.facts.expected.unwrap().black.as_ms()).collect::<Vec<_>>()
    };
    assert_eq!(lost(&desk), [289_000], "ten seconds later");
    started_again(&mut desk);
    desk.sight(Sighting::ClockLost);
    desk.wait(45.0);
    let record = lost(&desk);
    let passed = u32::try_from(desk.now.since(read).as_secs()).unwrap();
    assert!(record.len() > 1, "reckoned anew: {record:?}");
    let off = record.last().unwrap().abs_diff((299 - passed) * 1000);
    assert!(off <= 30_000, "{record:?} after {passed} s");
}

#[test]
fn the_times_that_an_arbiter_sets_are_known_after_a_restart() {
    let after = |record: bool| {
        let mut desk = Desk::started("300", 300);
        desk.moves("e2", "e4", eboard::Piece::WhitePawn).shows(296, 300, B).shows(296, 300, None);
        let seconds = |s: u32| FaceTime::from_ms(s * 1000);
        let times = shakmaty::ByColor { white: seconds(296), black: seconds(420) };
        if record {
            desk.table.order(desk.now, Order::SetTime(times), &mut Vec::new()).unwrap();
        }
        started_again(&mut desk);
        desk.shows(296, 300, None).shows(296, 420, None).shows(296, 420, B).shows(296, 419, B);
        desk.kinds()
    };
    assert_eq!(after(true), [""; 0], "as was said");
    assert_eq!(after(false), ["clock_adjusted"]);
}
