//! Questions of mate that a table cannot answer at once: asked, answered, and what was told is
//! revised.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::Doors as _;
use crate::common::{Record, play_with};
use eboard::Moment;
use shakmaty::{Color, KnownOutcome};
use witness::laws::flag::Consequence;
use witness::unwinnable::{Effort, Mate, Verdict, analyse};
use witness::{Effect, Incident, Settings};
use words::InWords as _;

/// White's king is shut in behind his own pawns for good, and nobody can mate: published among
/// positions that are composed to be hard (CHA, test vector). Two thousand positions do not tell.
const WALLED_IN: &str = "# fen: 1k6/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1\n";

fn play(script: &str) -> Record {
    let settings = Settings { control: "300".parse().ok(), ..Settings::default() };
    play_with(&format!("# time_control: 300\n{WALLED_IN} {script}"), settings)
}

/// Somebody looks at every question for long enough; everything that is raised then.
fn answer_all(record: &mut Record) -> Vec<Incident> {
    let mut out = Vec::new();
    let first = |record: &Record| record.table.questions().next().cloned();
    while let Some(question) = first(record) {
        let verdict = analyse(&question.position, question.winner, Effort(100_000));
        assert_eq!(verdict, Verdict::Unwinnable, "{question:?}");
        record.table.answer(
            Moment::from_micros(90_000_000),
            question.number,
            Mate::Impossible,
            &mut out,
        );
    }
    let raised = out.into_iter().filter_map(|effect| match effect {
        Effect::Raised(incident) => Some(*incident),
        _ => None,
    });
    raised.collect()
}

fn asked(record: &Record) -> Vec<Color> {
    let asked = record.effects.iter().filter_map(|(_, effect)| match effect {
        Effect::Asked(question) => Some(question.winner),
        _ => None,
    });
    asked.collect()
}

#[test]
fn a_dead_position_is_reported_when_the_answer_comes() {
    let mut record = play("b8^ b7v | +2");
    assert_eq!(record.kinds(), [""; 0]);
    assert_eq!(asked(&record), [Color::White], "the other side is asked about if need be");
    let raised = answer_all(&mut record);
    let kinds = raised.iter().map(|it| (it.kind.name(), &*it.article, it.move_number));
    assert_eq!(kinds.collect::<Vec<_>>(), [("dead_position", "5.2.2", 1)]);
}

#[test]
fn a_position_that_was_left_meanwhile_is_reported_of_no_more() {
    let mut record = play("b8^ b7v | +2");
    let question = record.table.questions().next().cloned().unwrap();
    let mut out = Vec::new();
    record.table.answer(Moment::from_micros(90_000_000), question.number, Mate::Possible, &mut out);
    record.table.answer(
        Moment::from_micros(90_000_000),
        question.number,
        Mate::Impossible,
        &mut out,
    );
    assert_eq!(record.table.questions().count(), 0, "one answer is enough");
    assert!(out.is_empty(), "{out:?}");
}

#[test]
fn a_fallen_flag_is_undetermined_until_the_answer_comes() {
    let mut record = play("b8^ b7v | +2 flag:w +3");
    let consequence = |it: &Incident| it.facts.consequence;
    let flag = record.raised().into_iter().rfind(|it| it.kind.name() == "flag_fall").cloned();
    assert_eq!(flag.as_ref().and_then(consequence), Some(Consequence::Undetermined));
    assert_eq!(flag.unwrap().names().len(), 2, "an arbiter judges which of them");
    let raised = answer_all(&mut record);
    let flag = raised.iter().find(|it| it.kind.name() == "flag_fall").unwrap();
    assert_eq!(consequence(flag), Some(Consequence::Draw));
    assert!(flag.advice.iter().any(|it| it.en().contains("the game is drawn (6.9)")), "{flag:?}");
    assert!(flag.advice.iter().all(|it| !it.en().contains("undetermined")), "{flag:?}");
}

#[test]
fn who_does_not_find_out_changes_nothing() {
    let mut record = play("b8^ b7v | +2 flag:w +3");
    let mut out = Vec::new();
    let numbers: Vec<_> = record.table.questions().map(|it| it.number).collect();
    for number in numbers {
        record.table.answer(Moment::from_micros(90_000_000), number, Mate::Undetermined, &mut out);
    }
    assert!(out.is_empty(), "{out:?}");
    assert_eq!(record.table.questions().count(), 0);
}

#[test]
fn a_second_illegal_move_draws_when_the_answer_comes() {
    let fault = "b8^ b6v | +1 ~ b6^ b8v +1 |w ! +1";
    let mut record = play(&format!("{fault} {fault}"));
    let last = |it: &Incident| it.advice.last().unwrap().en();
    let second = record.raised().into_iter().rfind(|it| it.facts.offence == Some(2)).cloned();
    assert_eq!(
        second.as_ref().map(last).unwrap(),
        "Illegal move no. 2 of Black: the game is lost."
    );
    let lost = KnownOutcome::Decisive { winner: Color::White };
    assert_eq!(second.unwrap().names(), [lost]);
    let raised = answer_all(&mut record);
    let second = raised.iter().rfind(|it| it.facts.offence == Some(2)).unwrap();
    assert_eq!(
        last(second),
        "Illegal move no. 2 of Black: the game is drawn, the opponent cannot mate."
    );
    assert_eq!(second.names(), [KnownOutcome::Draw]);
    let first =
        raised.iter().chain(record.raised()).find(|it| it.facts.offence == Some(1)).unwrap();
    assert_eq!(first.names(), [], "time is given for it");
    assert!(record.table.faults(Color::Black).iter().all(|(_, _, fault)| fault.drawn));
}
