//! An illegal move and a fallen flag that are both open: which of them is to be ruled on first. An
//! illegal move that was completed before takes the position and the times back (7.1, 7.5); after a
//! flag that somebody had observed or claimed there is nothing to complete (6.8).

use eboard::Moment;
use shakmaty::Color;

use super::{Effect, Play};
use crate::incident::{Advice, Gravity, Incident, IncidentId, Kind, Ruling, State};
use crate::laws::late_flag;

/// What counts as an illegal move (7.5).
const ILLEGAL: [Kind; 3] = [Kind::IllegalMove, Kind::PawnNotPromoted, Kind::PressedWithoutMove];

fn is_fall(it: &Incident) -> bool {
    let flag = matches!(it.kind, Kind::FlagFall | Kind::BothFlags);
    flag && it.gravity > Gravity::Note && it.state != State::Lapsed
}

impl Play {
    /// An illegal move on which nobody has ruled.
    pub(super) fn open_illegal(&self) -> Option<&Incident> {
        self.all_illegal().next()
    }

    /// All of them.
    pub(super) fn all_illegal(&self) -> impl Iterator<Item = &Incident> {
        let open = |it: &&Incident| ILLEGAL.contains(&it.kind) && it.state != State::Lapsed;
        self.open_in_game().filter(open).filter(|it| it.gravity > Gravity::Note)
    }

    /// What the alert about a fall says of it.
    pub(super) fn to_rule_on_first(&self, illegal: Option<(Kind, Option<Color>)>) -> Vec<Advice> {
        let said = illegal.and_then(|(kind, side)| Some((kind, side?)));
        let said = said
            .map(|(kind, by)| late_flag::after_irregular(kind, by, self.settings.edition).to_vec());
        said.unwrap_or_default()
    }

    /// An illegal move was told that was pressed for then, and a flag may have been told before it.
    pub(super) fn hold_against_flag(
        &mut self,
        illegal: IncidentId,
        pressed: Moment,
        out: &mut Vec<Effect>,
    ) {
        let Some(fall) = self.open_in_game().find(|it| is_fall(it)) else { return };
        let (id, side, seen) = (fall.id, fall.side, fall.facts.between.map(|(_, seen)| seen));
        let told = self.docket.all().find(|it| it.id == illegal).map(|it| (it.kind, it.side));
        let (changed, advice) = match seen.is_some_and(|seen| pressed <= seen) {
            true => (id, self.to_rule_on_first(told)),
            false => (illegal, vec![late_flag::flag_was_first(side)]),
        };
        let Some(incident) = self.docket.get_mut(changed) else { return };
        if changed == id {
            incident.facts.consequence = None;
        }
        incident.advice.splice(0..0, advice);
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    /// Somebody has ruled on an illegal move that came before a flag.
    pub(super) fn rule_before_flag(
        &mut self,
        now: Moment,
        (kind, by): (Kind, Option<Color>),
        ruling: Ruling,
        out: &mut Vec<Effect>,
    ) {
        let Some(by) = by.filter(|_| ILLEGAL.contains(&kind)) else { return };
        let said = late_flag::after_irregular(kind, by, self.settings.edition);
        let told = |it: &&Incident| is_fall(it) && it.advice.starts_with(&said);
        let Some(id) = self.open_in_game().find(told).map(|it| it.id) else { return };
        if let Some(fall) = self.docket.get_mut(id).filter(|_| ruling == Ruling::Upheld) {
            fall.advice = vec![late_flag::irregular_upheld(kind, by, self.settings.edition)];
            return out.push(Effect::Raised(Box::new(fall.clone())));
        }
        self.tell_flags_anew(now, out);
    }

    /// What had made them mean nothing is dismissed.
    pub(super) fn tell_flags_anew(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.close_kind(Kind::FlagFall, out);
        self.close_kind(Kind::BothFlags, out);
        let falls: Vec<_> = self.clocks.flags().copied().collect();
        falls.into_iter().for_each(|fall| self.flag_fell(now, fall, out));
    }
}
