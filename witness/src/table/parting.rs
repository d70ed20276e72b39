//! The game as it stood when something seemed to end it. It goes on from there beside its result,
//! see `concluded`.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{ByColor, Square};

use super::{Play, round};
use crate::signal::Shown;

/// What seemed to end the game.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) enum By {
    Kings(Kings),
    /// Mate or stalemate.
    Board,
    /// Nothing was played: a forfeit. What goes on is another game.
    Forfeit,
}

impl From<Shown> for By {
    fn from(sign: Shown) -> Self {
        let [white, black] = sign.kings;
        let both_came = sign.moved == [true; 2];
        let squares = ByColor { white, black };
        Self::Kings(Kings { squares, both_came, put_right_at: None, home: false })
    }
}

/// The kings in the centre.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Kings {
    pub(super) squares: ByColor<Square>,
    /// Both came there: one of them may have made a move.
    pub(super) both_came: bool,
    /// One has been put back, and until when it must stay there.
    pub(super) put_right_at: Option<Moment>,
    /// All has stood again as it did before they came.
    pub(super) home: bool,
}

/// What a step does to the game that is followed beside a result.
#[derive(Clone, Debug, Default)]
pub(super) enum Parting {
    /// Nothing.
    #[default]
    Stays,
    /// There is none any more.
    Ends,
    /// It goes on apart from here.
    Begins(Box<Beside>),
}

/// The game as it stood when something seemed to end it.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    pub(super) by: By,
    /// Whatever was followed apart until then is no longer.
    pub(super) anew: bool,
    pub(super) game: Play,
}

/// Numbers that the game apart leaves to the one that is over.
pub(super) const NUMBERS_LEFT: u32 = 100;

impl Play {
    /// The game as it goes on if what seems to end it does not.
    pub(super) fn parting(&self, by: By) -> Parting {
        let anew = !matches!(self.step.parting, Parting::Stays);
        let mut game = Self { is_apart: true, ..self.clone() };
        game.game.kings.signal_at = None;
        game.docket.leave_numbers(NUMBERS_LEFT);
        game.questions.leave_numbers(NUMBERS_LEFT);
        Parting::Begins(Box::new(Beside { by, anew, game }))
    }

    /// Whether there is a result of a game in which nothing was played.
    pub(super) fn is_unplayed(&self) -> bool {
        round::is_unplayed(&self.game.score)
    }

    /// The pieces stand set up after a forfeit, which stays the result until another game is
    /// played: that begins apart.
    pub(super) fn expect_another_game(&mut self) {
        self.step.parting = self.parting(By::Forfeit);
    }
}
