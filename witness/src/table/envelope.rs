//! The envelope of a game that is resumed (Guideline I.7 to I.11). Until the arbiter has made the
//! sealed move on the board the score says that its player has the move, and the clock that the
//! opponent has: both are right. The same is so of a reply that is sealed in its turn because the
//! first player has not come. Who has not arrived is known by it: nobody opens an envelope before.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Board, Color, Position};

use super::alerts::Saying;
use super::{Effect, Event, Phase, Play};
use crate::adjournment::Absent;
use crate::incident::{Facts, Gravity, Kind};
use crate::laws::{attendance, sealed};
use crate::score::Status;

/// Whoever has the move only now may think so long before it means anything.
const THINKS: Duration = Duration::from_secs(60);

/// A game whose play is resumed, from the first time that counts to the first sign of both players.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Envelope {
    sealed_by: Color,
    /// Half moves before the sealed one.
    before: usize,
    /// When a time counted again.
    since: Moment,
    /// Whom the arbiter has named; none: nobody has said.
    absent: Option<Absent>,
    /// When the reply was given sealed, with the clock: as long as it is in its envelope.
    reply: Option<Moment>,
    /// Who had sealed has pressed, or has touched a piece in his turn.
    arrived: bool,
    /// Whose default time was told.
    late: Option<Color>,
}

impl Envelope {
    pub fn new(sealed_by: Color, before: usize, since: Moment, absent: Option<Absent>) -> Self {
        Self { sealed_by, before, since, absent, reply: None, arrived: false, late: None }
    }

    fn may_be_absent(&self, side: Color) -> bool {
        self.absent.is_none_or(|absent| absent.is(side))
    }
}

impl Play {
    /// Whose envelope waits to be opened, with the number of the move in it: the sealed one, or a
    /// sealed reply.
    #[must_use]
    pub fn envelope(&self) -> Option<(Color, u32)> {
        let waits =
            |by| (self.score.position().turn() == by).then(|| (by, self.score.move_number()));
        if let Some(adjourned) = self.adjournment() {
            return waits(adjourned.sealed_by);
        }
        if let Some((sealed_by, before)) = self.sealed_before() {
            return waits(sealed_by).filter(|_| self.score.plies().len() == before);
        }
        let envelope = self.envelope.as_ref()?;
        match self.made_since(envelope) {
            0 => waits(envelope.sealed_by),
            1 => waits(!envelope.sealed_by).filter(|_| envelope.reply.is_some()),
            _ => None,
        }
    }

    /// Half moves since the position on the sheet.
    fn made_since(&self, envelope: &Envelope) -> usize {
        self.score.plies().len().saturating_sub(envelope.before)
    }

    /// Whether this time counts because a move is in its envelope, and not by mistake (I.9.2,
    /// I.9.3).
    pub(super) fn counts_for_envelope(&self, counting: Color) -> bool {
        self.envelope.is_some() && self.envelope().is_some_and(|(by, _)| by != counting)
    }

    /// Whether this half move, from 0, came out of an envelope: an arbiter makes it, with both
    /// times standing or not.
    pub(super) fn is_from_envelope(&self, index: usize) -> bool {
        self.envelope
            .as_ref()
            .is_some_and(|it| index == it.before || index == it.before + 1 && it.reply.is_some())
    }

    /// Follows what is made on the board, and who gives a sign.
    pub(super) fn note_envelope(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(envelope) = &self.envelope else { return };
        let (sealed_by, reply) = (envelope.sealed_by, envelope.reply.is_some());
        let (made, before) = (self.made_since(envelope), envelope.before);
        let signs = |side: Color| {
            self.step.has(|it| match it {
                Event::Pressed(by) => *by == side,
                Event::Touched(it) if made >= 2 => {
                    it.lifted.or(it.put).is_some_and(|piece| piece.color == side)
                }
                _ => false,
            })
        };
        let arrived = signs(sealed_by);
        if self.score.ending().is_some() || made >= 3 {
            return self.close_envelope(out);
        }
        let counting = self.clocks.state().filter(|_| !self.clocks.lost());
        let counting = counting.and_then(|state| state.running);
        match made {
            1 if counting == Some(!sealed_by)
                && self.complete_unpressed(now, sealed_by, before, out) =>
            {
                self.clocks.count_press(sealed_by);
            }
            2 if reply => {
                self.complete_unpressed(now, !sealed_by, before + 1, out);
                self.count_as_pressed(!sealed_by);
                return self.close_envelope(out);
            }
            _ => {}
        }
        if let Some(envelope) = self.envelope.as_mut().filter(|_| arrived) {
            // He is there; if he presses he gives the clock back, and no reply waits.
            envelope.arrived = true;
            if envelope.reply.take().is_some() {
                self.changed_game(out);
            }
        }
    }

    fn close_envelope(&mut self, out: &mut Vec<Effect>) {
        self.envelope = None;
        self.close_kind(Kind::SealedReply, out);
    }

    /// A move that an arbiter has made for this player: no press is owed for it. Whether it was not
    /// completed yet.
    fn complete_unpressed(
        &mut self,
        now: Moment,
        by: Color,
        index: usize,
        out: &mut Vec<Effect>,
    ) -> bool {
        let released = |it: &crate::score::Ply| it.status == Status::Released;
        self.score.plies().get(index).is_some_and(released) && self.complete(now, by, out)
    }

    /// A press without a move by the player who replies to the sealed one, while nobody has seen
    /// the other: he may have sealed his reply (I.9.3). Whether it was told so.
    pub(super) fn is_sealed_reply(
        &mut self,
        now: Moment,
        by: Color,
        picture: &Board,
        out: &mut Vec<Effect>,
    ) -> bool {
        let Some(envelope) = &self.envelope else { return false };
        let sealed_by = envelope.sealed_by;
        let made = self.made_since(envelope) == 1 && self.score.owed() == 0;
        let away = !envelope.arrived && envelope.may_be_absent(sealed_by);
        if by == sealed_by || !made || !away || envelope.reply.is_some() {
            return false;
        }
        let known = envelope.absent.is_some();
        if let Some(envelope) = &mut self.envelope {
            envelope.reply = Some(now);
        }
        let (kind, edition) = (Kind::SealedReply, self.settings.edition);
        let gravity = if known { Gravity::Note } else { self.settings.gravity(kind) };
        let text = sealed::reply(by, known);
        let advice = sealed::reply_advice(by, known, edition);
        let facts = Facts { surface: Some(picture.to_string()), ..self.facts() };
        self.raise_as(now, Saying { kind, side: Some(by), text, facts, advice }, gravity, out);
        self.changed_game(out);
        true
    }

    /// I.10: when the default time is over for somebody who has not come to the resumption.
    pub(super) fn late_at(&self) -> Option<(Color, Moment)> {
        let envelope = self.envelope.as_ref().filter(|it| it.late.is_none())?;
        let limit = self.settings.default_time;
        if limit.is_zero() || !matches!(self.phase, Phase::InPlay | Phase::Paused) {
            return None;
        }
        let (since, replies) = (envelope.since + limit, !envelope.sealed_by);
        let made = self.made_since(envelope);
        let (side, at) = match (made, envelope.reply) {
            (0, _) => (replies, since),
            (1, Some(at)) => (envelope.sealed_by, since.max(at + THINKS)),
            (2, _) if !envelope.arrived => {
                let reply = self.score.plies().get(envelope.before + 1)?;
                (envelope.sealed_by, since.max(reply.released + THINKS))
            }
            _ => return None,
        };
        envelope.may_be_absent(side).then_some((side, at))
    }

    pub(super) fn late_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some((side, _)) = self.late_at().filter(|(_, at)| *at <= now) else { return };
        let Some(envelope) = &mut self.envelope else { return };
        envelope.late = Some(side);
        let (since, opened) = (envelope.since, side == envelope.sealed_by);
        let shown = self.clocks.state().map(|state| state.times);
        self.note_shown(now, shown);
        let text = attendance::late_for_resumption(side, opened, now.since(since));
        let advice = attendance::late_for_resumption_advice(self.settings.edition);
        let facts = Facts { since: Some(since), ..self.facts() };
        let kind = Kind::DefaultTime;
        self.raise(now, Saying { kind, side: Some(side), text, facts, advice }, out);
    }
}
