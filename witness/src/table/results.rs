//! Results that the board or the event's regulations contradict (8.7, 9.1.1).

use eboard::Moment;
use shakmaty::{KnownOutcome, Outcome, Position};

use super::alerts::Saying;
use super::{Effect, Table};
use crate::incident::Kind;
use crate::laws::results;

impl Table {
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
