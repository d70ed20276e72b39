//! Which half of the clock is whose, and what that rests on. How the board lies is a supposition. A
//! start is better, and may still be a mistake: the lever lay wrongly, and somebody tips it while a
//! time counts. Presses prove it, for each belongs to a move. So as long as few have agreed, little
//! is wanted to take one half for the other, and until then nobody is accused by the clock.

use bincode::{Decode, Encode};
use eboard::Side;
use shakmaty::Color;

use super::Readings;

/// So many presses that agree leave no doubt: one of each player.
const SETTLED_BY: u8 = 2;
/// What it weighs when only the opponent had a move to press for.
const OPPONENTS: u8 = 2;
/// What it weighs when both had.
const EITHERS: u8 = 1;
/// What is wanted to take one half for the other where little says whose they are: one press that
/// can only be the opponent's, or two that may be.
const LITTLE: u8 = OPPONENTS;
/// And where a start or presses say it.
const MUCH: u8 = 2 * OPPONENTS;

/// Who has a move to press for, of the player whose press it is taken for and his opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owed {
    /// He has, and the opponent has not.
    ByHim,
    /// The opponent has, and he has not.
    ByOpponent,
    /// Both have: he has waited for the reply, or it was the opponent who pressed.
    ByBoth,
    /// Nobody has, and nothing was moved.
    ByNobody,
    /// What was moved, or which move the press belongs to, is not known.
    Unknown,
}

/// Which half is whose.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
pub(super) struct Sides {
    /// White's.
    white: Option<Side>,
    /// That has only been supposed: neither a start nor presses have confirmed it.
    supposed: bool,
    /// Presses that agree.
    agreeing: u8,
    /// What presses weigh that do not, since one agreed.
    against: u8,
    /// A press says that the clock may have been started for the wrong player.
    unclear: bool,
}

impl Sides {
    fn is_settled(&self) -> bool {
        self.agreeing >= SETTLED_BY
    }

    /// Weighs a press. True if White's half must be Black's.
    fn weigh(&mut self, owed: Owed) -> bool {
        match owed {
            Owed::ByHim => {
                self.agreeing = self.agreeing.saturating_add(1);
                (self.against, self.unclear) = (0, false);
                self.supposed &= !self.is_settled();
            }
            Owed::ByOpponent => self.against = self.against.saturating_add(OPPONENTS),
            Owed::ByBoth if self.agreeing == 0 => {
                self.against = self.against.saturating_add(EITHERS);
                self.unclear = true;
            }
            Owed::ByNobody => self.unclear |= !self.is_settled(),
            Owed::ByBoth | Owed::Unknown => {}
        }
        let wanted = if self.supposed || self.unclear { LITTLE } else { MUCH };
        self.against >= wanted
    }
}

impl Readings {
    /// White's half, if that is known.
    pub(super) fn white_half(&self) -> Option<Side> {
        self.sides.white
    }

    pub(crate) fn color_of(&self, side: Side) -> Option<Color> {
        Some(if side == self.sides.white? { Color::White } else { Color::Black })
    }

    pub(super) fn side_of(&self, color: Color) -> Option<Side> {
        let white = self.sides.white?;
        Some(if color == Color::White { white } else { white.other() })
    }

    /// White's half is most likely this one: the clock stands on White's left when the board lies
    /// as its wire order says (DGT captures), on his right when it is turned.
    pub(crate) fn suppose(&mut self, turned: bool) {
        self.settle_anew(if turned { Side::Right } else { Side::Left }, false);
    }

    /// The half that counts now is this player's; `surely`, or most likely.
    pub(crate) fn counts_for(&mut self, player: Color, surely: bool) {
        if let Some(face) = self.face().filter(|face| face.running) {
            self.half_is(face.lever, player, surely);
        }
    }

    /// This half is this player's; `surely`, or most likely.
    pub(super) fn half_is(&mut self, half: Side, player: Color, surely: bool) {
        self.settle_anew(if player == Color::White { half } else { half.other() }, surely);
    }

    /// What presses have shown was of another start.
    fn settle_anew(&mut self, white: Side, surely: bool) {
        let had = self.sides.white;
        self.sides = Sides { white: Some(white), supposed: !surely, ..Sides::default() };
        if had != Some(white) {
            self.read_anew(white);
        }
    }

    /// A press came, taken for the player whose time counted. True if it shows that White's half is
    /// Black's.
    pub(crate) fn weigh_press(&mut self, owed: Owed) -> bool {
        self.sides.white.is_some() && self.sides.weigh(owed)
    }

    /// White's half was taken for Black's: what was read is the other player's.
    pub(crate) fn exchange_sides(&mut self) {
        let Some(white) = self.sides.white.map(Side::other) else { return };
        self.sides = Sides { white: Some(white), agreeing: 1, ..Sides::default() };
        self.above_zero.swap();
        self.zero.swap();
        for fall in &mut self.flags {
            fall.side = fall.side.other();
        }
        self.keeper.exchange_players();
        self.read_anew(white);
    }

    /// Both have pressed for moves of their own: it is certain whose half is whose.
    pub(crate) fn are_sides_settled(&self) -> bool {
        self.sides.is_settled()
    }

    /// Whether something speaks against it, and little for it.
    pub(crate) fn are_sides_in_doubt(&self) -> bool {
        !self.sides.is_settled() && (self.sides.unclear || self.sides.against > 0)
    }

    /// Whether no press has shown yet whose half is whose.
    pub(crate) fn no_press_agreed(&self) -> bool {
        self.sides.agreeing == 0
    }

    /// The score is another one: no press contradicts it.
    pub(crate) fn forget_contradictions(&mut self) {
        self.sides.against = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started() -> Sides {
        Sides { white: Some(Side::Left), ..Sides::default() }
    }

    fn weighed(mut sides: Sides, presses: &[Owed]) -> Vec<bool> {
        presses.iter().map(|owed| sides.weigh(*owed)).collect()
    }

    #[test]
    fn a_press_before_the_first_move_leaves_the_start_in_doubt() {
        assert_eq!(weighed(started(), &[Owed::ByNobody, Owed::ByOpponent]), [false, true]);
        assert_eq!(weighed(started(), &[Owed::ByOpponent, Owed::ByOpponent]), [false, true]);
    }

    #[test]
    fn presses_that_come_after_every_reply_are_the_opponents() {
        assert_eq!(weighed(started(), &[Owed::ByBoth, Owed::ByBoth]), [false, true]);
        assert_eq!(weighed(started(), &[Owed::ByBoth, Owed::ByHim, Owed::ByBoth]), [false; 3]);
    }

    #[test]
    fn two_presses_that_agree_outweigh_one_that_does_not() {
        let agree = [Owed::ByHim, Owed::ByHim, Owed::ByNobody, Owed::ByOpponent];
        assert_eq!(weighed(started(), &agree), [false; 4]);
        let supposed = Sides { supposed: true, ..started() };
        assert_eq!(weighed(supposed, &agree), [false; 4]);
        assert_eq!(weighed(supposed, &[Owed::ByOpponent]), [true]);
    }
}
