//! The envelope of a game that is resumed (Guideline I.7 to I.11). Until the arbiter has made the
//! sealed move on the board the score says that its player has the move, and the clock that the
//! opponent has: both are right. The same is so of a reply that is sealed in its turn because the
//! first player has not come. Who has not arrived is known by it: nobody opens an envelope before.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Color, Position};

use super::{Phase, Play};
use crate::adjournment::Absent;
use crate::laws::sealed::{self, Sealed};
use crate::orders::Refusal;
use crate::table::tolerances::THINKS;

/// A game whose play is resumed, from the first time that counts to the first sign of both players.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Envelope {
    pub(super) sealed_by: Color,
    /// Half moves before the sealed one.
    pub(super) before: usize,
    /// When a time counted again.
    pub(super) since: Moment,
    /// Whom the arbiter has named; none: nobody has said.
    pub(super) absent: Option<Absent>,
    /// When the reply was given sealed, with the clock: as long as it is in its envelope.
    pub(super) reply: Option<Moment>,
    /// Who had sealed has pressed, or has touched a piece in his turn.
    pub(super) arrived: bool,
    /// The player whose default time was reported.
    pub(super) late: Option<Color>,
}

impl Envelope {
    pub fn new(sealed_by: Color, before: usize, since: Moment, absent: Option<Absent>) -> Self {
        Self { sealed_by, before, since, absent, reply: None, arrived: false, late: None }
    }

    pub(super) fn may_be_absent(&self, side: Color) -> bool {
        self.absent.is_none_or(|absent| absent.is(side))
    }
}

impl Play {
    /// Whose envelope waits to be opened, with the number of the move in it: the sealed one, or a
    /// sealed reply.
    #[must_use]
    pub fn envelope(&self) -> Option<(Color, u32)> {
        let waits = |by| {
            (self.game.score.position().turn() == by).then(|| (by, self.game.score.move_number()))
        };
        if let Some(adjourned) = self.adjournment() {
            return waits(adjourned.sealed_by);
        }
        if let Some((sealed_by, before)) = self.sealed_before() {
            return waits(sealed_by).filter(|_| self.game.score.plies().len() == before);
        }
        let envelope = self.game.pause.envelope.as_ref()?;
        match self.made_since(envelope) {
            0 => waits(envelope.sealed_by),
            1 => waits(!envelope.sealed_by).filter(|_| envelope.reply.is_some()),
            _ => None,
        }
    }

    /// Half moves since the position on the sheet.
    pub(super) fn made_since(&self, envelope: &Envelope) -> usize {
        self.game.score.plies().len().saturating_sub(envelope.before)
    }

    /// Whether this time counts because a move is in its envelope, and not by mistake (I.9.2,
    /// I.9.3).
    pub(super) fn counts_for_envelope(&self, counting: Color) -> bool {
        self.game.pause.envelope.is_some() && self.envelope().is_some_and(|(by, _)| by != counting)
    }

    /// Whether this half move, from 0, came out of an envelope: an arbiter makes it, with both
    /// times standing or not.
    pub(super) fn is_from_envelope(&self, index: usize) -> bool {
        self.game
            .pause
            .envelope
            .as_ref()
            .is_some_and(|it| index == it.before || index == it.before + 1 && it.reply.is_some())
    }

    /// I.10: when the default time is over for somebody who has not come to the resumption.
    pub(super) fn late_at(&self) -> Option<(Color, Moment)> {
        let envelope = self.game.pause.envelope.as_ref().filter(|it| it.late.is_none())?;
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
                let reply = self.game.score.plies().get(envelope.before + 1)?;
                (envelope.sealed_by, since.max(reply.released + THINKS))
            }
            _ => return None,
        };
        envelope.may_be_absent(side).then_some((side, at))
    }

    /// What is written in the envelope that waits: is it one legal move (I.8)?
    ///
    /// # Errors
    /// Where no envelope waits.
    pub fn sealed_move(&self, written: &str) -> Result<Sealed, Refusal> {
        self.envelope().ok_or(Refusal::NoEnvelope)?;
        Ok(sealed::check(self.game.score.position(), written, self.settings.edition))
    }
}
