//! What goes wrong at a table now and then: one mishap at most in a game, each with the occasions
//! it needs. How hands do it is told in `touching`, `erring` and `timing`.

mod erring;
mod timing;
mod touching;

use std::time::Duration;

use eboard::Colour;
use shakmaty::{Chess, Move, Position, Role};

use super::player::Player;
use super::{Habit, Manner};
use crate::{Game, Rng};
pub(super) use erring::astray;

/// A thing that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mishap {
    /// A piece is moved as it does not move, and the clock pressed. The arbiter puts it right.
    WrongGeometry,
    /// A move leaves or puts the own king in check, and the clock is pressed. The arbiter puts it
    /// right.
    KingLeftInCheck,
    /// A player stops moving until his flag falls: that takes as long as his clock has left.
    FlagFall,
    /// A piece that could move is lifted and put back, then another one is moved.
    TouchedOther,
    /// The piece that then moves is lifted and put back first.
    Adjusted,
    /// A piece of the opponent's that could be captured is lifted and put back, and not captured.
    TouchedTheirs,
    /// An own piece and one of the opponent's that it could capture are lifted and put back, and
    /// another move is made.
    TouchedBoth,
    /// Castling with the rook first ([`Habit::RookFirst`]).
    RookFirst,
    /// King and rook are lifted and put back although they could castle, and they do not.
    NotCastled,
    /// King and rook are lifted and put back; they cannot castle, and the king does not move.
    KingNotMoved,
    /// Another move of the piece rests before it is taken back ([`Habit::TakesBack`]).
    ReleasedOther,
    /// A rook stands on the last rank before the queen comes ([`Habit::RookUpsideDown`]).
    PromotionChanged,
    /// The player who does not have the move lifts one of his pieces and puts it back.
    TouchedOutOfTurn,
    /// Castling with king and rook in the hands together ([`Habit::BothAtOnce`]).
    BothHands,
    /// A pawn is left on the last rank at the press ([`Habit::PawnLeft`]).
    PawnLeft,
    /// A pawn taken en passant is left standing at the press ([`Habit::PawnForgotten`]).
    PawnForgotten,
    /// The clock is pressed without a move. The arbiter puts it right.
    PressedWithoutMove,
    /// Two or three pieces fall, and lie for 4 to 8 s.
    LeftFallen,
    /// A piece stands for 8 to 14 s where it cannot have come.
    Astray,
    /// A press is left out and both go on ([`Habit::MissedPress`]).
    MissedPress,
    /// A move is made and its press comes 36 to 50 s later.
    LatePress,
    /// A player stops the clock for 14 to 25 s.
    ClockStopped,
}

/// Which mishap is to happen, and from which move on it waits for its occasion.
pub(super) struct Plan {
    pending: Option<Mishap>,
    from_ply: usize,
}

/// The first moves go without mishap: nobody errs in the opening he came with.
const FIRST_PLY: usize = 6;
/// Nobody errs with so little time that a flag would fall meanwhile.
const ENOUGH: Duration = Duration::from_secs(60);

impl Mishap {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::WrongGeometry,
        Self::KingLeftInCheck,
        Self::FlagFall,
        Self::TouchedOther,
        Self::Adjusted,
        Self::TouchedTheirs,
        Self::TouchedBoth,
        Self::RookFirst,
        Self::NotCastled,
        Self::KingNotMoved,
        Self::ReleasedOther,
        Self::PromotionChanged,
        Self::TouchedOutOfTurn,
        Self::BothHands,
        Self::PawnLeft,
        Self::PawnForgotten,
        Self::PressedWithoutMove,
        Self::LeftFallen,
        Self::Astray,
        Self::MissedPress,
        Self::LatePress,
        Self::ClockStopped,
    ];

    /// The habit it consists of, if it is one.
    const fn habit(self) -> Option<Habit> {
        match self {
            Self::RookFirst => Some(Habit::RookFirst),
            Self::ReleasedOther => Some(Habit::TakesBack),
            Self::PromotionChanged => Some(Habit::RookUpsideDown),
            Self::BothHands => Some(Habit::BothAtOnce),
            Self::PawnLeft => Some(Habit::PawnLeft),
            Self::PawnForgotten => Some(Habit::PawnForgotten),
            Self::MissedPress => Some(Habit::MissedPress),
            _ => None,
        }
    }

    /// Whether this move of the game may be an occasion. Mishaps that need no special one have
    /// some at nearly every move.
    fn may_happen(self, position: &Chess, played: Move) -> bool {
        let mut after = position.clone();
        after.play_unchecked(played);
        // What a mate ends nobody has to press for.
        !after.is_game_over() && self.has_occasion(position, played)
    }

    fn has_occasion(self, position: &Chess, played: Move) -> bool {
        match self {
            Self::RookFirst | Self::BothHands => played.is_castle(),
            Self::PromotionChanged | Self::PawnLeft => played.promotion() == Some(Role::Queen),
            Self::PawnForgotten => played.is_en_passant(),
            Self::NotCastled => {
                !played.is_castle() && position.legal_moves().iter().any(|it| it.is_castle())
            }
            _ => true,
        }
    }
}

impl Plan {
    pub(super) fn draw(manner: &Manner, game: &Game, dice: &mut Rng) -> Self {
        let pending = dice.pick(&manner.mishaps);
        let occasions = pending.map(|it| occasions(it, game)).unwrap_or_default();
        let choice = dice.below(occasions.len() as u64);
        let from_ply = usize::try_from(choice).ok().and_then(|choice| occasions.get(choice));
        Self { pending, from_ply: from_ply.copied().unwrap_or(FIRST_PLY) }
    }

    /// Lets it happen before this move if this is the occasion, or prepares the hands for it, and
    /// says so.
    pub(super) fn happen(
        &mut self,
        ply: usize,
        position: &Chess,
        played: Move,
        player: &mut Player<'_>,
    ) -> Option<Mishap> {
        let mishap = self.pending.filter(|_| ply >= self.from_ply)?;
        let hurried = mishap != Mishap::FlagFall && !player.both_have(ENOUGH);
        if hurried || !mishap.may_happen(position, played) {
            return None;
        }
        match mishap.habit() {
            Some(habit) => player.forced = Some(habit),
            None => player.err(mishap, position, played)?,
        }
        self.pending = None;
        Some(mishap)
    }
}

fn occasions(mishap: Mishap, game: &Game) -> Vec<usize> {
    let before = [game.start.clone()].into_iter().chain(game.positions());
    let plies = before.zip(&game.moves).enumerate().skip(FIRST_PLY);
    let occasions = plies.filter(|(_, (position, played))| mishap.may_happen(position, **played));
    occasions.map(|(ply, _)| ply).collect()
}

impl Player<'_> {
    fn err(&mut self, mishap: Mishap, position: &Chess, played: Move) -> Option<()> {
        match mishap {
            Mishap::WrongGeometry => self.blunder(&erring::wrong_geometry(position, played)),
            Mishap::KingLeftInCheck => self.blunder(&erring::king_in_check(position, played)),
            Mishap::PressedWithoutMove => self.press_for_nothing(),
            Mishap::LeftFallen => self.leave_fallen(position),
            Mishap::Astray => self.lead_astray(position),
            Mishap::FlagFall => self.sit_until_the_flag_falls(),
            Mishap::LatePress => self.dawdle(),
            Mishap::ClockStopped => self.stop_for_a_while(),
            _ => self.touch_wrongly(mishap, position, played),
        }
    }

    /// Whether what was planned for this move has shown: not every hand finds the occasion.
    pub(super) fn has_erred(&self, ply: usize, mishap: Mishap) -> bool {
        let shown = |habit| {
            let done = |&(at, it): &(usize, Habit)| it == habit && (ply..=ply + 1).contains(&at);
            self.done.iter().any(done)
        };
        mishap.habit().is_none_or(shown)
    }

    fn both_have(&self, span: Duration) -> bool {
        let sides = [Colour::White, Colour::Black];
        sides.iter().all(|&side| self.clock.left(self.now(), side) >= span)
    }
}
