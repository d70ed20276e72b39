//! What is made on the board out of an envelope, and who gives a sign.

use eboard::Moment;
use shakmaty::{Board, Color};

use super::alerts::Saying;
use super::{Effect, Event, Play};
use crate::incident::{Facts, Gravity, Kind};
use crate::laws::{attendance, sealed};
use crate::score::Status;

impl Play {
    /// Follows what is made on the board, and who gives a sign.
    pub(super) fn note_envelope(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(envelope) = &self.game.pause.envelope else { return };
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
        if self.game.score.ending().is_some() || made >= 3 {
            return self.close_envelope(out);
        }
        let counting = self.clocks.state().filter(|_| !self.clocks.lost());
        let counting = counting.and_then(|state| state.running);
        match made {
            1 if counting == Some(!sealed_by)
                && self.complete_unpressed(now, sealed_by, before, out) =>
            {
                self.clocks.change().count_press(sealed_by);
            }
            2 if reply => {
                self.complete_unpressed(now, !sealed_by, before + 1, out);
                self.count_as_pressed(!sealed_by);
                return self.close_envelope(out);
            }
            _ => {}
        }
        if let Some(envelope) = self.game.pause.envelope.as_mut().filter(|_| arrived) {
            // He is there; if he presses he gives the clock back, and no reply waits.
            envelope.arrived = true;
            if envelope.reply.take().is_some() {
                self.changed_game(out);
            }
        }
    }

    pub(super) fn close_envelope(&mut self, out: &mut Vec<Effect>) {
        self.game.pause.envelope = None;
        self.close_kind(Kind::SealedReply, out);
    }

    /// A move that an arbiter has made for this player: no press is owed for it. Whether it was not
    /// completed yet.
    pub(super) fn complete_unpressed(
        &mut self,
        now: Moment,
        by: Color,
        index: usize,
        out: &mut Vec<Effect>,
    ) -> bool {
        let released = |it: &crate::score::Ply| it.status == Status::Released;
        self.game.score.plies().get(index).is_some_and(released) && self.complete(now, by, out)
    }

    /// A press without a move by the player who replies to the sealed one, while nobody has seen
    /// the other player. He may have sealed his reply (I.9.3). True if that is reported.
    pub(super) fn is_sealed_reply(
        &mut self,
        now: Moment,
        by: Color,
        picture: &Board,
        out: &mut Vec<Effect>,
    ) -> bool {
        let Some(envelope) = &self.game.pause.envelope else { return false };
        let sealed_by = envelope.sealed_by;
        let made = self.made_since(envelope) == 1 && self.game.score.owed() == 0;
        let away = !envelope.arrived && envelope.may_be_absent(sealed_by);
        if by == sealed_by || !made || !away || envelope.reply.is_some() {
            return false;
        }
        let known = envelope.absent.is_some();
        if let Some(envelope) = &mut self.game.pause.envelope {
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

    pub(super) fn late_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some((side, _)) = self.late_at().filter(|(_, at)| *at <= now) else { return };
        let Some(envelope) = &mut self.game.pause.envelope else { return };
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
