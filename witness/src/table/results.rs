//! Results that the board or the event's regulations contradict (8.7, 9.1.1).

use eboard::Moment;
use shakmaty::{KnownOutcome, Outcome, Position};

use super::alerts::Saying;
use super::{Effect, Table};
use crate::incident::{Facts, Incident, Kind};
use crate::laws::results;
use crate::score::Ending;
use crate::settings::Settings;
use crate::signal::{self, Sign};

/// Why a result does not fit: the kings say another one.
const KINGS: &str = "kings";

impl Table {
    /// What the kings said before whoever gave the result knew.
    pub(super) fn note_sign_before_result(&mut self) {
        self.signed_otherwise = self.sign_shown().is_some();
    }

    /// There is a result; the kings may say another one.
    pub(super) fn look_for_another_sign(&mut self, now: Moment) {
        let signed = self.sign_shown().is_some();
        self.signed_otherwise &= signed;
        self.signal_at = signed.then(|| now + Settings::SIGNAL);
    }

    /// The result that both kings show, on a board that knows its pieces.
    fn sign_shown(&self) -> Option<Sign> {
        let picture = self.surface.picture();
        signal::sign(picture.board()).filter(|_| !picture.is_blind())
    }

    /// Both kings have rested in the centre.
    pub(super) fn kings_rest(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.signal_at = None;
        match self.score.ending() {
            None => self.signalled(now, out),
            Some(ending) => self.signalled_after(now, ending, out),
        }
    }

    /// There was a result before.
    fn signalled_after(&mut self, now: Moment, ending: Ending, out: &mut Vec<Effect>) {
        let Some(sign) = self.sign_shown() else { return };
        if sign.outcome == ending.outcome {
            let by_kings = |it: &&Incident| it.facts.reason.as_deref() == Some(KINGS);
            let told = self.docket.all().find(by_kings).map(|it| it.id);
            return told.into_iter().for_each(|id| self.close(id, out));
        }
        if std::mem::replace(&mut self.signed_otherwise, true) {
            return;
        }
        self.close_kind(Kind::ResultMismatch, out);
        let text = results::signed_otherwise(ending.outcome, sign.outcome);
        let facts = Facts { reason: Some(KINGS.into()), ..self.facts() };
        let advice = vec![results::signed_otherwise_advice(ending.outcome)];
        let kind = Kind::ResultMismatch;
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }

    pub(super) fn note_result(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.close_kind(Kind::ResultMismatch, out);
        let Some(ending) = self.score.ending() else { return };
        let position = self.score.position();
        // Mate, stalemate, or nothing left to mate with.
        let on_board = match position.outcome() {
            Outcome::Known(outcome) => Some(outcome),
            Outcome::Unknown => None,
        };
        if let Some(on_board) = on_board.filter(|it| *it != ending.outcome) {
            let text = results::mismatch(ending.outcome, on_board);
            let (kind, facts) = (Kind::ResultMismatch, self.facts());
            let advice = vec![results::mismatch_advice()];
            self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        }
        let agreed = on_board.is_none()
            && ending.outcome == KnownOutcome::Draw
            && ["signalled", "arbiter"].contains(&ending.reason);
        let least = self.settings.min_draw_move;
        let moves = u32::try_from(self.score.plies().len() / 2).unwrap_or(u32::MAX);
        if agreed && moves < least {
            let (kind, facts) = (Kind::EarlyDraw, self.facts());
            let text = results::early(moves, least);
            let advice = vec![results::early_advice(self.settings.edition)];
            self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        }
    }
}
