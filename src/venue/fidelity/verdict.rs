//! A score compared with the truth: every ply, the result, and the accusations.

use std::collections::BTreeSet;

use rehearsal::Truth;
use shakmaty::{Chess, Color, Outcome, Position};
use witness::{Award, Confidence, Effect, Event, Gap, Incident, Kind, Phase, Table};

use super::round::Round;
use super::{Fitting, Outage, Telling, telling};
use crate::works::Act;

/// The outcome of one ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Right, and never announced as another move.
    AtOnce,
    /// Right, after another move was announced first.
    Revised,
    /// Right, and marked as inferred.
    Inferred,
    /// Wrong, missing or too much, and covered by a doubt that stands in the end.
    InDoubt,
    /// Wrong, missing or too much, and not covered.
    SilentlyWrong,
}

/// The number of plies of each class.
pub type Classes = [usize; Class::ALL.len()];

/// The outcome of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The true result.
    Right,
    /// Another result or none, and a doubt stands.
    InDoubt,
    /// Another result or none, without a doubt.
    #[default]
    Wrong,
}

/// What the program marked in the end as not certain, and how much of it was wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Plies of score and game that a doubt covers, and those of them that are wrong, missing or
    /// too much.
    pub doubted: (usize, usize),
    /// Other plies of the score that are marked as inferred, and those of them that are wrong.
    pub inferred: (usize, usize),
    /// Plies without a mark, and those of them that are wrong, missing or too much.
    pub plain: (usize, usize),
}

impl Marks {
    fn count(&mut self, doubted: bool, inferred: bool, right: bool) {
        let counted = match (doubted, inferred) {
            (true, _) => &mut self.doubted,
            (false, true) => &mut self.inferred,
            (false, false) => &mut self.plain,
        };
        counted.0 += 1;
        counted.1 += usize::from(!right);
    }
}

/// The outcome of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether score and result are true.
    pub exact: bool,
    /// Whether the moves are true, whatever the result is.
    pub moves_exact: bool,
    /// Whether a doubt stands in the end, whether or not the score is true.
    pub doubted: bool,
    /// The plies by class.
    pub plies: Classes,
    /// What was marked as not certain.
    pub marks: Marks,
    /// The outcome of the result.
    pub ending: Ending,
    /// Whether the last move of the score is wrong, while the one before it is right.
    pub damaged_last: bool,
    /// Alerts about illegal moves that were not made.
    pub accused: usize,
    /// How many lines of moves the sightings leave, if that was asked.
    pub fitting: Fitting,
    /// What was lost in an outage, if there was one.
    pub outage: Option<Outage>,
    /// When each true move was told.
    pub announced: Vec<Telling>,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 5] =
        [Self::AtOnce, Self::Revised, Self::Inferred, Self::InDoubt, Self::SilentlyWrong];
}

impl Verdict {
    /// The number of plies of a class.
    #[must_use]
    pub fn count(&self, class: Class) -> usize {
        self.plies.get(class as usize).copied().unwrap_or_default()
    }
}

pub(super) fn of(round: &Round) -> Verdict {
    let Some(table) = round.table() else { return Verdict::default() };
    let score = score(table);
    let mut made = round.expected(table.score().mode());
    let late = round.truth.late && score.len() > round.truth.plies;
    made.truncate(round.truth.plies + usize::from(late));
    let doubted_from = doubted_from(table);
    let told_wrong = told_wrong(round, &made);
    let (mut plies, mut marks) = (Classes::default(), Marks::default());
    for index in 0..made.len().max(score.len()) {
        let class = match (score.get(index), made.get(index)) {
            (Some(ply), Some(truth)) if ply == truth => right(table, index, &told_wrong),
            _ if doubted_from.is_some_and(|from| index >= from) => Class::InDoubt,
            _ => Class::SilentlyWrong,
        };
        if let Some(count) = plies.get_mut(class as usize) {
            *count += 1;
        }
        let right = !matches!(class, Class::InDoubt | Class::SilentlyWrong);
        let doubted = doubted_from.is_some_and(|from| index >= from);
        marks.count(doubted, is_inferred(table, index), right);
    }
    let right = score == made;
    let ending = match table.score().ending().map(|it| it.outcome) == award(round.truth) {
        true => Ending::Right,
        false if doubted_from.is_some() || awaits_ruling(table, round) => Ending::InDoubt,
        false => Ending::Wrong,
    };
    let before = made.len().saturating_sub(1);
    Verdict {
        moves_exact: right,
        exact: right && ending == Ending::Right,
        doubted: doubted_from.is_some(),
        plies,
        marks,
        ending,
        damaged_last: !right && made.get(..before) == score.get(..before),
        accused: round.acts.iter().filter(|act| accuses(act, round)).count(),
        fitting: Fitting::Uncounted,
        outage: None,
        announced: telling::of(round, &made),
    }
}

/// The moves of the score in UCI notation, with the illegal moves that stand.
pub(super) fn score(table: &Table) -> Vec<String> {
    let (score, mut moves) = (table.score(), Vec::new());
    for index in 0..=score.plies().len() {
        let broken = score.breaks().iter().filter(|broken| broken.at == index);
        moves.extend(broken.filter_map(|broken| match broken.gap {
            Gap::Illegal { from, to } => Some(format!("{from}{to}")),
            Gap::Passed | Gap::Missing => None,
        }));
        moves.extend(score.plies().get(index).map(|ply| ply.uci.clone()));
    }
    moves
}

/// The true result, if there is one.
pub(super) fn award(truth: Truth) -> Option<Award> {
    match truth.outcome {
        Outcome::Known(outcome) => Some(Award::Known(outcome)),
        Outcome::Unknown => None,
    }
}

fn is_inferred(table: &Table, index: usize) -> bool {
    let ply = table.score().plies().get(index);
    ply.is_some_and(|ply| ply.confidence == Confidence::Inferred)
}

fn right(table: &Table, index: usize, told_wrong: &BTreeSet<usize>) -> Class {
    if is_inferred(table, index) {
        Class::Inferred
    } else if told_wrong.contains(&index) {
        Class::Revised
    } else {
        Class::AtOnce
    }
}

/// The first ply that a doubt covers, if one stands in the end. It follows the last position on
/// which the alert says that score and board agreed. If the score lacks that position, or the table
/// is adrift without an alert, a doubt covers only what the score lacks.
fn doubted_from(table: &Table) -> Option<usize> {
    let open = table.incidents().find(|incident| incident.kind == Kind::PositionToCheck);
    let plies = table.score().plies().len();
    let Some(open) = open else { return (table.phase() == Phase::Adrift).then_some(plies) };
    let is = |position: &Chess| open.facts.position == *position;
    let score = table.score();
    let agreed = |ply: &usize| {
        // Where the score breaks, the positions before and after the break differ.
        let before = ply.checked_sub(1).and_then(|last| score.plies().get(last));
        is(score.position_at(*ply)) || before.is_some_and(|ply| is(&ply.after))
    };
    Some((0..=plies).rev().find(agreed).unwrap_or(plies))
}

/// Whether the game ended with a mate or stalemate that breached Article 4, and an open alert says
/// so. Then only an arbiter can decide the result (5.1.1, 5.2.1).
fn awaits_ruling(table: &Table, round: &Round) -> bool {
    let Some(last) = table.score().plies().len().checked_sub(1) else { return false };
    let done = round.performance.done.iter().filter(|(ply, _)| *ply == last);
    let kinds: Vec<_> = done.flat_map(|(_, habit)| habit.may_be_told()).collect();
    let number = u32::from(table.score().position_at(last).fullmoves());
    let mut about_it = table.incidents().filter(|it| it.move_number == number);
    table.awaits_ruling() && about_it.any(|it| kinds.contains(&&it.kind.name()))
}

/// The plies for which another move was announced at some time.
fn told_wrong(round: &Round, made: &[String]) -> BTreeSet<usize> {
    let plies = round.acts.iter().filter_map(|act| match act {
        Act::Table(_, _, Effect::Event(Event::Released { index, ply })) => Some((*index, &ply.uci)),
        _ => None,
    });
    plies.filter(|(index, uci)| made.get(*index) != Some(*uci)).map(|(index, _)| index).collect()
}

/// Whether an alert accuses somebody falsely. A doubt that grows old calls the arbiter too, but it
/// counts as doubt.
pub(super) fn accuses(act: &Act, round: &Round) -> bool {
    let Act::Table(_, _, Effect::Raised(incident)) = act else { return false };
    matches!(incident.kind, Kind::IllegalMove | Kind::PawnNotPromoted) && !is_true(incident, round)
}

/// Whether the move of the incident, or a neighbour, was really made as the incident says.
fn is_true(incident: &Incident, round: &Round) -> bool {
    let full = usize::try_from(incident.move_number).unwrap_or_default().saturating_sub(1);
    let ply = full * 2 + usize::from(incident.side == Some(Color::Black));
    let stood = round.game.irregular.is_some_and(|irregular| irregular.abs_diff(ply) <= 1);
    let name = incident.kind.name();
    let mut done = round.performance.done.iter();
    stood || done.any(|(at, it)| at.abs_diff(ply) <= 1 && it.may_be_told().contains(&name))
}
