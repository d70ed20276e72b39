//! What an arbiter orders, and who carries it out.

use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color};

use super::{Effect, Event, Facet, Play};
use crate::incident::{IncidentId, Kind};
use crate::ledger::{AlreadyWithdrawn, Given, Reason, Withdrawal};
use crate::orders::{NotGiven, Order, PenaltyGiven, PenaltyWithdrawn, Refusal};
use crate::score::Passage;

impl Play {
    /// An arbiter's order.
    ///
    /// # Errors
    /// When it cannot be carried out; nothing has changed then.
    pub(super) fn order(
        &mut self,
        now: Moment,
        order: Order,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.step.sets_position = matches!(order, Order::SetPosition { .. });
        match order {
            Order::SetPosition { .. } | Order::SetResult(None)
                if self.game.course.is_adjourned() =>
            {
                return Err(Refusal::Adjourned);
            }
            Order::Acknowledge { incident, by } => self.acknowledge(incident, by, out)?,
            Order::Rule { incident, ruling, by } => self.rule(now, incident, (ruling, by), out)?,
            Order::SetPosition { position, mode } => self.set_position(now, *position, mode, out),
            Order::SetResult(Some(ending)) => self.end(now, ending, out),
            Order::SetResult(None) => self.resume(now, out),
            Order::SetNextResult(ending) => self.end_next(now, ending, out)?,
            Order::PenaltyGiven(penalty) => self.give_penalty(now, penalty, out)?,
            Order::PenaltyWithdrawn(it) => self.withdraw_penalty(now, it, out)?,
            Order::Undo { act, by } => self.undo(now, act, by, out)?,
            Order::WrongClaim(side) => self.game.ordered.wrong_claim = Some(side),
            Order::Adjourn(sealing) => self.adjourn(now, sealing, out)?,
            Order::ResumePlay(absent) => self.resume_play(now, absent, out)?,
            Order::TakeBack { plies, of } => self.take_back(now, (plies, of), out)?,
            Order::CorrectScore { passage, of } => self.correct_score(now, (&passage, of), out)?,
            Order::SetTime(times) => self.set_time(now, times, out)?,
            Order::Grant(grant) => self.grant(now, grant, out)?,
            Order::ScoreShown(side) => self.show_score(side, out)?,
            Order::ColoursReversed(reversed) => self.colours_reversed(now, reversed, out)?,
            Order::Flip => {
                self.board.surface.turn();
                self.restart_turns();
                let turned = [Facet::Board, Facet::Clock, Facet::Device];
                out.extend(turned.map(Effect::Changed));
                self.look(now, out);
            }
        }
        Ok(())
    }

    /// A penalty was given to this player; the alerts about it are closed by a ruling.
    pub(super) fn give_penalty(
        &mut self,
        now: Moment,
        penalty: PenaltyGiven,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let PenaltyGiven { side, seconds, by, incident, clock } = penalty;
        incident.map_or(Ok(()), |incident| self.may_be_given(side, incident))?;
        if let Some(times) = clock {
            self.set_time(now, times, out)?;
        }
        self.ledger.give(side, Given { at: now, seconds, by, incident, withdrawn: None });
        // The score does not contain it. A score that is published anew would reveal the penalty.
        out.push(Effect::Changed(Facet::Ledger));
        Ok(())
    }

    /// Whether something may be given for this incident, which concerns `side`: once, and while
    /// nobody has dismissed it.
    pub(super) fn may_be_given(&self, side: Color, incident: IncidentId) -> Result<(), Refusal> {
        let open = self.docket.all().find(|it| it.id == incident);
        let known = open.is_some() || self.ledger.has(incident);
        match open.and_then(|it| it.side) {
            _ if self.is_of_earlier_game(incident) => Err(Refusal::Penalty(NotGiven::EarlierGame)),
            _ if self.ledger.given_for(incident).is_some() => {
                Err(Refusal::Penalty(NotGiven::Already))
            }
            _ if !known => Err(Refusal::Penalty(NotGiven::Closed)),
            Some(concerned) if concerned != side => Err(Refusal::Penalty(NotGiven::OtherPlayer)),
            _ => Ok(()),
        }
    }

    /// A penalty that was given counts no more; it stays in the ledger.
    pub(super) fn withdraw_penalty(
        &mut self,
        now: Moment,
        PenaltyWithdrawn { side, number, reason, by }: PenaltyWithdrawn,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let withdrawal = Withdrawal { at: now, by, reason: Reason::Said(reason) };
        let withdrawn = self.ledger.withdraw(side, number, withdrawal);
        let withdrawn = withdrawn.ok_or(Refusal::Penalty(NotGiven::NoSuchPenalty))?;
        withdrawn.map_err(|AlreadyWithdrawn| Refusal::Penalty(NotGiven::WithdrawnAlready))?;
        out.push(Effect::Changed(Facet::Ledger));
        Ok(())
    }

    pub(super) fn take_back(
        &mut self,
        now: Moment,
        (plies, of): (usize, Option<usize>),
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.in_play()?;
        if of.is_some_and(|of| of != self.game.score.plies().len()) {
            return Err(Refusal::MovedOn);
        }
        let stands = self.game.score.plies().len().checked_sub(plies).filter(|_| plies > 0);
        let stands = stands.ok_or(Refusal::TooFewMoves)?;
        self.game.score.take_back_to(stands);
        self.restart_from(now, stands, out);
        if !self.agrees() {
            // Until the pieces are put back, what stands there is no move.
            self.game.ordered.taken_back = Some(self.board.surface.board().clone());
            self.game.ordered.returning = Some(stands);
            self.go_adrift(now, out);
        }
        self.look(now, out);
        Ok(())
    }

    /// What stands on a scoresheet is put into the score, and the rest is played again.
    pub(super) fn correct_score(
        &mut self,
        now: Moment,
        (passage, of): (&Passage, usize),
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.in_play()?;
        if of != self.game.score.plies().len() {
            return Err(Refusal::MovedOn);
        }
        let nothing = passage.replaces == 0 && passage.moves.is_empty();
        if nothing || passage.after.saturating_add(passage.replaces) > of {
            return Err(Refusal::TooFewMoves);
        }
        let corrected = self.game.score.corrected(now, passage);
        self.game.score = corrected.map_err(Refusal::Unplayable)?;
        self.restart_from(now, passage.after, out);
        if !self.agrees() {
            // Until the pieces stand as it says, what stands there is no move.
            self.game.ordered.taken_back = Some(self.board.surface.board().clone());
            self.go_adrift(now, out);
        }
        self.look(now, out);
        Ok(())
    }

    pub(super) fn set_time(
        &mut self,
        now: Moment,
        times: ByColor<FaceTime>,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        if self.correct_sheet(times) {
            return Ok(());
        }
        self.in_play()?;
        if self.clocks.lost() || self.clocks.state().is_none() {
            return Err(Refusal::NoClock);
        }
        if self.clocks.stopped() {
            self.game.ordered.expect_times(times, 0);
            return Ok(());
        }
        let adjusted = self.docket.of_kind(Kind::ClockAdjusted).ok_or(Refusal::ClockRuns)?;
        let seen = self.docket.get_mut(adjusted).and_then(|it| it.facts.clocks);
        self.close(adjusted, out);
        self.hold_against(now, (times, 0), seen, out);
        Ok(())
    }

    /// An arbiter says that the game goes on.
    pub(super) fn resume(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.game.kings.no_sign_before = now;
        self.goes_on_from_here();
        self.game.reopen();
        self.tell(Event::Result, out);
        self.changed_game(out);
        self.look(now, out);
    }

    /// An arbiter has said so: whatever the board shows.
    pub(super) fn goes_on_from_here(&mut self) {
        self.game.ordered.goes_on_at = Some(self.game.score.plies().len());
    }

    /// The program failed at this table and has set it back to before the input it failed on.
    pub(super) fn faulted(&mut self, now: Moment, again: bool, out: &mut Vec<Effect>) {
        if again {
            self.game.course.fail();
        }
        self.raise_fault(now, again, out);
        for facet in [Facet::Board, Facet::Clock, Facet::Device] {
            out.push(Effect::Changed(facet));
        }
        self.changed_game(out);
        self.refresh_phase(out);
    }
}
