//! An illegal move and a fallen flag that are both open: which of them is to be ruled on first. An
//! illegal move that was completed before takes the position and the times back (7.1, 7.5); after a
//! flag that somebody had observed or claimed there is nothing to complete (6.8).

use eboard::Moment;
use shakmaty::Color;

use super::{Effect, Play};
use crate::incident::{Advice, Gravity, Incident, IncidentId, Kind, State};
use crate::laws::flag::{self, Consequence, OnTheBoard};
use crate::laws::late_flag;
use crate::topic::Topic;

/// What counts as an illegal move (7.5).
pub(super) const ILLEGAL: [Kind; 3] =
    [Kind::IllegalMove, Kind::PawnNotPromoted, Kind::PressedWithoutMove];

pub(super) fn is_fall(it: &Incident) -> bool {
    let flag = matches!(it.kind, Kind::FlagFall | Kind::BothFlags);
    flag && it.gravity > Gravity::Note && it.state != State::Lapsed
}

impl Play {
    /// What the alert about a fall says of it.
    pub(super) fn to_rule_on_first(&self, illegal: Option<(Kind, Option<Color>)>) -> Vec<Advice> {
        let said = illegal.and_then(|(kind, side)| Some((kind, side?)));
        let said = said
            .map(|(kind, by)| late_flag::after_irregular(kind, by, self.settings.edition).to_vec());
        said.unwrap_or_default()
    }

    /// An illegal move is reported whose press came then. A flag may have been reported before it.
    pub(super) fn hold_against_flag(
        &mut self,
        illegal: IncidentId,
        pressed: Moment,
        out: &mut Vec<Effect>,
    ) {
        let Some(fall) = self.open_in_game().find(|it| is_fall(it)) else { return };
        let (id, side, seen) = (fall.id, fall.side, fall.facts.between.map(|(_, seen)| seen));
        let irregular = self.docket.all().find(|it| it.id == illegal).map(|it| (it.kind, it.side));
        let (changed, advice) = match seen.is_some_and(|seen| pressed <= seen) {
            true => (id, self.to_rule_on_first(irregular)),
            false => (illegal, vec![late_flag::flag_was_first(side)]),
        };
        let Some(incident) = self.docket.get_mut(changed) else { return };
        if changed == id {
            incident.facts.consequence = None;
        }
        incident.advice.splice(0..0, advice);
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    /// The game ended on the board although a flag was down: as long as nobody had observed or
    /// claimed the fall, the flag had not fallen (6.8).
    pub(super) fn ended_after_flag(
        &mut self,
        on_the_board: OnTheBoard,
        ply: usize,
        out: &mut Vec<Effect>,
    ) {
        let made = self.made_at(ply);
        let passed = Some(Consequence::PeriodPassed);
        let fall = |it: &&Incident| it.kind == Kind::FlagFall && it.facts.consequence != passed;
        let fall = self.open_in_game().find(fall).map(|it| it.id);
        let Some((id, made)) = fall.zip(made) else { return };
        self.questions.forget_flag(id);
        let Some(incident) = self.docket.get_mut(id) else { return };
        let between = incident.facts.between;
        if between.is_some_and(|(above, _)| above.is_some_and(|above| made < above)) {
            // It was only believed later than the flag: the game was over.
            return self.close(id, out);
        }
        let seen = between.map_or(incident.opened, |(_, seen)| seen);
        incident.facts.consequence = None;
        // It may be his first one that has ended it.
        let unmoved = |side| Topic::WithoutAMove(side);
        incident.advice.retain(|it| !Color::ALL.iter().any(|side| it.is_about(unmoved(*side))));
        incident.advice.splice(0..0, flag::ended_after(on_the_board, made, seen));
        out.push(Effect::Raised(Box::new(incident.clone())));
    }
}
