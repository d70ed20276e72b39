//! Results that the board or the event's regulations contradict (5.2.3, 8.7, 9.1.1).

use eboard::Moment;
use shakmaty::{Color, KnownOutcome, Outcome, Position};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::ending::{EndedBy, Ending};
use crate::incident::{Facts, Gravity, Incident, Kind};
use crate::laws::case::san;
use crate::laws::claims::{self, Due};
use crate::laws::flag::Consequence;
use crate::laws::penalties::Penalty;
use crate::laws::results;
use crate::ledger::Fault;
use crate::unwinnable::Verdict;

impl Play {
    pub(super) fn note_result(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.close_kind(Kind::ResultMismatch, out);
        self.close_kind(Kind::EarlyDraw, out);
        let Some(ending) = self.game.score.ending() else { return };
        let position = self.game.score.position();
        // Mate, stalemate, or nothing left to mate with.
        let on_board = match position.outcome() {
            Outcome::Known(outcome) => Some(outcome),
            Outcome::Unknown => None,
        };
        // An arbiter's award, and a game that was not played, cannot contradict a board.
        let entered = ending.outcome.known().filter(|_| ending.reason != EndedBy::Forfeit);
        if let (Some(entered), Some(on_board)) = (entered, on_board)
            && entered != on_board
        {
            let text = results::mismatch(entered, on_board);
            let shown = Some(on_board.into());
            let (kind, facts) = (Kind::ResultMismatch, Facts { shown, ..self.facts() });
            let advice = vec![results::mismatch_advice()];
            self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        }
        if on_board.is_none() && ending.outcome == KnownOutcome::Draw {
            self.note_early_draw(now, ending, out);
        }
    }

    /// 5.2.3 and 9.1.1 are about draws that the players agree to, and about no others.
    fn note_early_draw(&mut self, now: Moment, ending: Ending, out: &mut Vec<Effect>) {
        let by_people = ending.reason.is_by_people();
        let moves = Color::ALL.into_iter().map(|side| self.game.score.moves_made(side)).min();
        let early = moves.and_then(|moves| Some((moves, results::early(moves, &self.settings)?)));
        let Some((moves, early)) = early.filter(|_| by_people && !self.is_drawn_by_law()) else {
            return;
        };
        let edition = self.settings.edition;
        let mut advice = vec![results::early_advice(early, edition)];
        let claim = match claims::due(&self.game.score, &self.settings) {
            Some(Due::Now) => return,
            Some(Due::With(mv)) => {
                Some(results::may_be_claimed(san(self.game.score.position(), mv)))
            }
            None => {
                let asked = self.docket.of_kind(Kind::TwoMinutes);
                asked.map(|_| results::may_be_granted(edition))
            }
        };
        let gravity = self.settings.gravity(Kind::EarlyDraw);
        let gravity = claim.as_ref().map_or(gravity, |_| Gravity::Note);
        advice.extend(claim);
        let (kind, text, facts) =
            (Kind::EarlyDraw, results::early_text(early, moves), self.facts());
        let saying = Saying { kind, side: None, text, facts, advice };
        self.raise_under(now, early.article(edition), saying, gravity, out);
    }

    /// Whether something else than the score shows that the game may be drawn without consent: a
    /// dead position (5.2.2), a flag against a player who cannot be mated (6.9) or against both, an
    /// illegal move that draws for the same reason (7.5.5), an illegal position that stayed
    /// (A.5.4).
    fn is_drawn_by_law(&self) -> bool {
        let undecided = [None, Some(Consequence::Draw), Some(Consequence::Undetermined)];
        let draws = |it: &Incident| match it.kind {
            Kind::DeadPosition | Kind::BothFlags | Kind::KingsInCheck | Kind::PawnOnLastRank => {
                true
            }
            Kind::FlagFall => undecided.contains(&it.facts.consequence),
            _ => false,
        };
        let position = self.game.score.position();
        let cannot = |side| matches!(self.verdict(position, side), Verdict::Unwinnable);
        let drawn =
            |(_, penalty, fault): &(u32, Penalty, Fault)| *penalty == Penalty::Loss && fault.drawn;
        self.open_in_game().any(draws)
            || Color::ALL.into_iter().any(|side| self.faults(side).iter().any(drawn))
            || Color::ALL.into_iter().all(cannot)
    }
}
