//! Both kings have rested in the centre: the players' result.

use eboard::Moment;
use shakmaty::{KnownOutcome, Position, Square};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::detail::Detail;
use crate::ending::{EndedBy, Ending};
use crate::incident::{Facts, Incident, IncidentId, Kind};
use crate::laws::results;
use crate::picture::Picture;
use crate::signal;
use crate::tolerances::{BOTH_KINGS, CARRY, HALF_SIGNAL, SCAN_AND_LINE};
use crate::topic::Topic;

impl Play {
    /// Both kings have rested in the centre.
    pub(super) fn kings_rest(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.game.kings.signal_at = None;
        if self.is_apart {
            return;
        }
        match self.game.score.ending() {
            None => self.signalled(now, out),
            Some(ending) => self.signalled_after(now, ending, out),
        }
    }

    /// There was a result before.
    pub(super) fn signalled_after(&mut self, now: Moment, ending: Ending, out: &mut Vec<Effect>) {
        let Some(sign) = self.sign_shown() else { return };
        if ending.outcome == sign.outcome {
            let by_kings = |it: &&Incident| it.facts.detail == Some(Detail::Kings);
            let open = self.open_in_game().find(by_kings).map(|it| it.id);
            return open.into_iter().for_each(|id| self.close(id, out));
        }
        if !self.game.course.kings_say_another() {
            return;
        }
        self.close_kind(Kind::ResultMismatch, out);
        let text = results::signed_otherwise(ending.outcome, sign.outcome);
        let shown = Some(sign.outcome.into());
        let facts = Facts { detail: Some(Detail::Kings), shown, ..self.facts() };
        let advice = vec![results::signed_otherwise_advice(ending.outcome)];
        let kind = Kind::ResultMismatch;
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }

    /// Both kings have rested in the centre: the players' result. Their trips there are no moves.
    pub(super) fn signalled(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let picture = self.board.surface.picture();
        let Some((asked, shown, _)) = self.sign_rests(&picture) else { return };
        let signed = signal::outcome(shown.kings);
        if let Some(flag) = self.flag_before(now).filter(|it| !self.flag_means(*it, signed)) {
            return self.tell_signed_after_flag(flag, signed, out);
        }
        if self.game.reading.tracker.as_ref().is_some_and(|it| it.is_sign_unsure(asked)) {
            self.doubt_the_result(now, out);
            return self.keep_asking();
        }
        let parting = self.parting(shown.into());
        if let Some(kings) = self.game.reading.tracker.as_mut().and_then(|it| it.end_by_sign(asked))
        {
            self.signalled_blindly(now, kings, out);
            self.step.parting = parting;
            return;
        }
        let Some(sign) = signal::sign(picture.board()) else { return };
        let arrivals = sign.kings.map(|king| picture.stirred(king));
        let (first, second) = (arrivals[0].min(arrivals[1]), arrivals[0].max(arrivals[1]));
        let Some(tracker) = &mut self.game.reading.tracker else { return };
        let mut unsure = tracker.lost().is_some_and(|lost| lost.from + CARRY < first);
        let stopped = self.game.clock.stopped.filter(|&at| at < second);
        let end = stopped.map_or(second, |at| (at + SCAN_AND_LINE).min(second));
        let end = match (tracker.stood_before(end), stopped) {
            (Some(stood), Some(stopped)) if stood.trip && !stood.pressed && stood.at > stopped => {
                stopped
            }
            // It stood as after a move: the first of the two trips, or the last move of the game.
            (Some(stood), None) if stood.at == first && !stood.pressed => {
                let between = second.since(first);
                unsure |= between >= BOTH_KINGS && between < HALF_SIGNAL;
                if between < BOTH_KINGS { first } else { second }
            }
            _ => end,
        };
        if tracker.end_before(end) {
            self.adopt(now, out);
        }
        let outcome = sign.outcome.into();
        self.end(now, Ending { outcome, reason: EndedBy::Signalled }, out);
        let differing = picture.differing(self.game.score.position().board());
        let beside = signal::beside(self.game.score.position().board(), differing);
        self.step.parting = parting;
        if unsure || self.game.away.reopened || beside.any() {
            self.doubt_the_end(now, out);
        }
    }

    /// Whether both players have put the kings for what this flag means: whose it was has lost
    /// (6.9), where the opponent can mate.
    pub(super) fn flag_means(&self, flag: IncidentId, signed: KnownOutcome) -> bool {
        let Some(incident) = self.docket.all().find(|it| it.id == flag) else { return false };
        let winner = incident.side.map(|side| !side).filter(|_| incident.kind == Kind::FlagFall);
        winner.is_some_and(|winner| {
            let wins = signed == KnownOutcome::Decisive { winner };
            wins && !self.game.score.position().has_insufficient_material(winner)
        })
    }

    /// A flag had fallen, and nobody has ruled on it: kings that say otherwise decide nothing.
    pub(super) fn tell_signed_after_flag(
        &mut self,
        flag: IncidentId,
        signed: KnownOutcome,
        out: &mut Vec<Effect>,
    ) {
        let advice = results::signed_after_flag(signed);
        let Some(incident) = self.docket.get_mut(flag) else { return };
        if incident.advise(Topic::SignedAfterFlag(signed.winner()), advice) {
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }

    /// On a blind board the kings' sign may be what explains that nothing goes on.
    pub(super) fn look_for_held_sign(
        &mut self,
        now: Moment,
        picture: &Picture,
        out: &mut Vec<Effect>,
    ) {
        let Some(tracker) =
            self.game.reading.tracker.as_ref().filter(|_| self.board.surface.is_blind())
        else {
            return;
        };
        if self.game.kings.signal_at.is_some() || self.game.score.ending().is_some() {
            return;
        }
        let may_be_signed = tracker.may_be_signed();
        self.look_for_sign(now, picture);
        if self.game.kings.signal_at.is_none() && may_be_signed {
            self.doubt_the_result(now, out);
        }
    }

    /// The same where no pieces are seen.
    fn signalled_blindly(&mut self, now: Moment, kings: [Square; 2], out: &mut Vec<Effect>) {
        self.adopt(now, out);
        let outcome = signal::outcome(kings).into();
        self.end(now, Ending { outcome, reason: EndedBy::Signalled }, out);
    }
}
