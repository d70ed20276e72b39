//! Pieces that stand where they should not: set up wrongly before the game, fallen during it.

use std::time::Duration;

use eboard::Moment;
use shakmaty::{Bitboard, CastlingMode, Position, Square};

use super::alerts::Saying;
use super::{Effect, Table};
use crate::candidates;
use crate::incident::{Bilingual, Facts, Gravity, Kind};
use crate::laws::editions;
use crate::laws::start::{self, Start};
use crate::laws::words::{both, player_en, player_fr};
use crate::picture::differing;
use crate::turn::SCAN;

/// Fallen pieces that stand again by then are nobody's business.
const PATIENCE: Duration = Duration::from_secs(2);
/// More squares than this change at once only when somebody clears the board.
const FALLEN_MAX: usize = 12;

impl Table {
    /// When pieces that left their squares together will have lain there for too long.
    pub(super) fn displaced_at(&self) -> Option<Moment> {
        // Kings in the centre tell the result, and with both times standing somebody is at work.
        let at_work = self.signal_at.is_some() || self.clocks.stopped();
        if self.irregularities.fallen_told || self.adrift || self.broken || at_work {
            return None;
        }
        let (_, since) = self.fallen()?;
        Some(since + PATIENCE)
    }

    pub(super) fn tell_displaced(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some((squares, _)) = self.fallen() else { return };
        self.irregularities.fallen_told = true;
        let names: Vec<_> = squares.into_iter().map(|square| square.to_string()).collect();
        let text = displaced(&names.join(", "));
        let running = self.clocks.state().and_then(|state| state.running);
        let whose = running.map(|side| {
            both(
                format!("It is being put right on the time of {}.", player_en(side)),
                format!("Remis en place au temps du joueur : {}.", player_fr(side)),
            )
        });
        let rule = both(
            "Whoever displaced pieces puts them right in his own time (7.4).",
            "Qui déplace des pièces les remet en place à son propre temps (7.4).",
        );
        let facts = Facts { squares: squares.into_iter().collect(), ..self.facts() };
        let advice = [rule].into_iter().chain(whose).collect();
        self.raise(now, Saying { kind: Kind::Displaced, side: None, text, facts, advice }, out);
    }

    /// The pieces stand again.
    pub(super) fn note_restored(&mut self, out: &mut Vec<Effect>) {
        if self.irregularities.fallen_told && self.agrees() {
            self.irregularities.fallen_told = false;
            self.close_kind(Kind::Displaced, out);
        }
    }

    /// Squares that two pieces or more have left at once, where no move is being made, and since
    /// when.
    fn fallen(&self) -> Option<(Bitboard, Moment)> {
        self.tracker.as_ref().filter(|_| self.score.ending().is_none())?.lost()?;
        let position = self.score.position();
        let (before, picture) = (position.board(), self.surface.board());
        let squares = differing(before, picture);
        let left: Vec<Square> = (squares & before.occupied()).into_iter().collect();
        let lifts = self.irregularities.lifted_from(&left);
        let together = lifts.iter().filter(|one| {
            lifts.iter().any(|other| {
                one.0 != other.0 && one.1.max(other.1).since(one.1.min(other.1)) <= SCAN
            })
        });
        let together: Bitboard = together.map(|(square, _)| *square).collect();
        let of_a_move = |fallen: Bitboard| {
            position.legal_moves().into_iter().any(|mv| {
                let after = candidates::after(position, mv);
                fallen.is_subset(differing(before, after.board()))
            })
        };
        let few = squares.count() <= FALLEN_MAX && together.count() > 1;
        let since = lifts.iter().map(|lift| lift.1).max()?;
        (few && !of_a_move(together)).then_some((squares, since))
    }

    /// 7.2: a clock is started and the pieces are not set up as they should be.
    pub(super) fn note_wrong_start(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let begun = !self.score.plies().is_empty() && self.score.ending().is_none();
        if begun || self.irregularities.ordered || !self.surface.known() || self.clocks.stopped() {
            return;
        }
        let picture = self.surface.board().clone();
        let Some(wrong) = start::wrong(&picture) else { return };
        let text = start::text(&wrong, &picture);
        let advice = start::advice(&wrong, self.settings.rate_of_play());
        let (squares, reason) = match &wrong {
            Start::Mixed(squares) => (squares.clone(), "mixed"),
            Start::Chess960(_) => (Vec::new(), "chess960"),
            Start::Across => (Vec::new(), "across"),
        };
        let facts = Facts { squares, reason: Some(reason), ..self.facts() };
        // Chess960 is no fault where it is played; whether it is here nobody has said.
        let gravity = match wrong {
            Start::Chess960(_) => Gravity::Look,
            Start::Mixed(_) | Start::Across => editions::gravity(Kind::WrongStart),
        };
        let saying = Saying { kind: Kind::WrongStart, side: None, text, facts, advice };
        self.raise_as(now, saying, gravity, out);
        if let Some(position) = start::position(&picture, &wrong) {
            self.clocks.suppose(self.surface.turned());
            self.clocks.counts_for(shakmaty::Color::White);
            self.set_position(now, position, CastlingMode::Standard, out);
        }
    }
}

fn displaced(names: &str) -> Bilingual {
    both(
        format!("Several pieces were displaced at once; not right now: {names}."),
        format!("Plusieurs pièces déplacées à la fois ; en désordre : {names}."),
    )
}
