//! What an arbiter grants in the course of a game: something for each move from now on, with time
//! added (Guideline III.4, G.4 in 2014); and the requests to see his score (A.3.2 and B.3.2 since
//! 2018), which he counts.

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color};

use super::{Effect, Facet, Play};
use crate::incident::Kind;
use crate::laws::rate::Rate;
use crate::orders::{Grant, PerMove, Refusal};
use crate::settings::Edition;
use crate::time_control::{Extra, TimeControl};

/// How often a player may ask to see the arbiter's score.
const REQUESTS: u32 = 5;

/// What was granted in one game.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Granted {
    /// From now on, and the first move of each player with it.
    per_move: Option<(PerMove, ByColor<u32>)>,
    shown: ByColor<u32>,
}

impl Play {
    /// The time control of this game, with what an arbiter has granted.
    pub(super) fn control(&self) -> Option<TimeControl> {
        let control = self.settings.control?;
        let Some((per_move, from)) = self.granted.per_move else { return Some(control) };
        Some(control.granting(|side| extra(per_move, *from.get(side))))
    }

    /// The same as the clock is held to: it was set for what is granted when that began.
    pub(super) fn control_of_clock(&self) -> Option<TimeControl> {
        let control = self.settings.control?;
        let Some((per_move, _)) = self.granted.per_move else { return Some(control) };
        Some(control.granting(|_| extra(per_move, 1)))
    }

    /// The clock was set, or is being set, to what the arbiter has granted.
    pub(super) fn grant(
        &mut self,
        now: Moment,
        grant: Grant,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.in_play()?;
        let state = self.clocks.state().filter(|_| !self.clocks.lost()).ok_or(Refusal::NoClock)?;
        let added = |times: ByColor<FaceTime>| ByColor {
            white: more(times.white, grant.added.white),
            black: more(times.black, grant.added.black),
        };
        let adds = grant.added.white + grant.added.black > 0;
        // Some clocks give what is granted for the move to come at once.
        let beside = grant.per_move.map_or(0, PerMove::ahead_ms);
        if adds && self.clocks.stopped() {
            self.game.ordered.expect_times(added(state.times), beside);
        } else if adds {
            let adjusted = self.docket.of_kind(Kind::ClockAdjusted).ok_or(Refusal::ClockRuns)?;
            let facts = self.docket.get_mut(adjusted).map(|it| it.facts.clone());
            self.close(adjusted, out);
            if let Some((before, seen)) = facts.and_then(|it| it.expected.zip(it.clocks)) {
                self.hold_against(now, (added(before), beside), Some(seen), out);
            }
        }
        if let Some(per_move) = grant.per_move {
            let next = |side| self.game.score.moves_completed(side) + 2;
            let from = ByColor { white: next(Color::White), black: next(Color::Black) };
            self.granted.per_move = Some((per_move, from));
            self.expect_of_clock();
            self.clocks.change().is_set_anew();
        }
        out.push(Effect::Changed(Facet::Clock));
        Ok(())
    }

    /// The arbiter has shown his score to this player.
    pub(super) fn show_score(&mut self, side: Color, out: &mut Vec<Effect>) -> Result<(), Refusal> {
        self.in_play()?;
        *self.granted.shown.get_mut(side) += 1;
        out.push(Effect::Changed(Facet::Ledger));
        Ok(())
    }

    /// How often each player has been shown the arbiter's score, and how often he may ask: where an
    /// edition has that rule, and the arbiter keeps the score of a rapid or blitz game.
    #[must_use]
    pub fn scores_shown(&self) -> (ByColor<u32>, Option<u32>) {
        let settings = &self.settings;
        let ruled = settings.edition >= Edition::Y2018
            && settings.supervised
            && settings.rate_of_play() != Rate::Standard;
        (self.granted.shown, ruled.then_some(REQUESTS))
    }

    /// The score is what moves are counted by, never the clock's own counter.
    pub(super) fn expect_of_clock(&mut self) {
        let moves = ByColor {
            white: self.game.score.moves_completed(Color::White),
            black: self.game.score.moves_completed(Color::Black),
        };
        let begun = moves != ByColor::default() || !self.game.score.plies().is_empty();
        self.clocks.expect(self.control_of_clock(), moves, begun);
    }
}

const fn more(time: FaceTime, seconds: u32) -> FaceTime {
    FaceTime::from_ms(time.as_ms().saturating_add(seconds.saturating_mul(1000)))
}

fn extra(per_move: PerMove, from: u32) -> Extra {
    match per_move {
        PerMove::Increment(seconds) => {
            Extra::Increment { seconds, from_move: u16::try_from(from).unwrap_or(u16::MAX) }
        }
        PerMove::Delay(seconds) => Extra::Delay(seconds),
    }
}
