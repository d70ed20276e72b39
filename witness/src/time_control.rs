//! The time control of a game: what each player is allotted, period by period. Read from the forms
//! of the PGN tag and of TRF26, written back, and put into words. It counts nothing itself.

mod read;
mod words;
mod write;

use bincode::{Decode, Encode};
use eboard::FaceTime;
use shakmaty::{ByColor, Color};

pub use read::ControlError;

/// The most periods a chess clock can be set to (DGT XL, DGT3000).
pub const PERIODS_MAX: usize = 5;

/// What happens to a time beside counting down. Seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Extra {
    /// Nothing.
    #[default]
    None,
    /// Added with every move, beginning with this one (Fischer).
    Increment {
        /// Per move.
        seconds: u32,
        /// The first move with it; 1: from the beginning.
        from_move: u16,
    },
    /// The main time waits so long at every move before it counts (simple or US delay).
    Delay(u32),
    /// The time that was used is given back, up to this much (Bronstein).
    Bronstein(u32),
    /// After the main time a period that begins anew as long as the move comes within it; so many
    /// of them may be overstepped.
    Japanese {
        /// How many.
        periods: u16,
        /// How long each.
        seconds: u32,
    },
    /// After the main time so many moves in so many seconds, again and again.
    Canadian {
        /// How many moves.
        moves: u16,
        /// In how many seconds.
        seconds: u32,
    },
    /// What one player spends the other gains.
    Hourglass,
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Period {
    /// Moves to complete in it; none: until the time is used up.
    pub moves: Option<u16>,
    /// Seconds of main time.
    pub main_s: u32,
    /// What comes beside it.
    pub extra: Extra,
}

/// The periods of one player; none at all: he is not timed, the clock only counts up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Periods {
    all: [Period; PERIODS_MAX],
    count: u8,
}

/// The time control of a game. Usually the same for both players, but not in an Armageddon game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct TimeControl {
    white: Periods,
    black: Periods,
}

impl Period {
    /// Seconds that every move of this number brings or saves at most: increment or delay.
    #[must_use]
    pub const fn per_move_s(&self, move_number: u32) -> u32 {
        match self.extra {
            Extra::Increment { seconds, from_move } if move_number >= from_move as u32 => seconds,
            Extra::Delay(seconds) | Extra::Bronstein(seconds) => seconds,
            _ => 0,
        }
    }

    /// Seconds that are given before the move to come: the clock shows them already.
    const fn ahead_s(&self, move_number: u32) -> u32 {
        match self.extra {
            Extra::Increment { .. } | Extra::Bronstein(_) => self.per_move_s(move_number),
            _ => 0,
        }
    }

    /// Whether it says what a clock shows after every move: byo-yomi of all kinds is shown in more
    /// ways than one.
    #[must_use]
    pub const fn is_predictable(&self) -> bool {
        !matches!(self.extra, Extra::Japanese { .. } | Extra::Canadian { .. } | Extra::Hourglass)
    }
}

impl Periods {
    fn of(periods: &[Period]) -> Option<Self> {
        let mut all = [Period::default(); PERIODS_MAX];
        all.get_mut(..periods.len())?.copy_from_slice(periods);
        Some(Self { all, count: u8::try_from(periods.len()).ok()? })
    }

    /// All of them, the first one first.
    #[must_use]
    pub fn all(&self) -> &[Period] {
        self.all.get(..usize::from(self.count)).unwrap_or_default()
    }

    /// This one, from 0. A last period with a number of moves comes again and again.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Period> {
        let last = self.all().last()?;
        match self.all().get(index) {
            Some(period) => Some(period),
            None => last.moves.map(|_| last),
        }
    }

    /// Moves to be completed by the end of this period, counted from move 1; none: no number is
    /// asked for.
    #[must_use]
    pub fn required(&self, index: usize) -> Option<u32> {
        (0..=index).map(|it| self.get(it)?.moves.map(u32::from)).sum()
    }

    /// The period in which somebody is who has completed so many moves and has had no flag fall.
    #[must_use]
    pub fn after_moves(&self, completed: u32) -> usize {
        let mut index = 0;
        while self.required(index).is_some_and(|required| required <= completed)
            && self.get(index + 1).is_some()
        {
            index += 1;
        }
        index
    }

    /// Whether no other period follows.
    #[must_use]
    pub fn is_last(&self, index: usize) -> bool {
        self.get(index + 1).is_none()
    }

    /// What the clock shows before the game: the first move's increment is given beforehand, as is
    /// what Bronstein's way can give back. None where clocks differ.
    #[must_use]
    pub fn start(&self) -> Option<FaceTime> {
        let first = self.all().first()?;
        if let Extra::Japanese { .. } | Extra::Canadian { .. } = first.extra {
            return None;
        }
        Some(seconds(first.main_s.saturating_add(first.ahead_s(1))))
    }

    /// What is added when this period begins: its main time, and what its increment is more than
    /// the one before, or less, because the move to come already has the old one (DGT 3000).
    #[must_use]
    pub fn addition(&self, index: usize) -> Option<FaceTime> {
        let period = self.get(index)?;
        let before = self.get(index.checked_sub(1)?)?;
        let with_new_s = period.main_s.saturating_add(period.ahead_s(u32::MAX));
        Some(seconds(with_new_s.saturating_sub(before.ahead_s(u32::MAX))))
    }

    /// What a player has been given by the time he is in this period, from 0, and has completed so
    /// many moves: what he has left and what he has used together. None where clocks differ.
    #[must_use]
    pub fn allotted(&self, index: usize, completed: u32) -> Option<FaceTime> {
        let mut given = self.start()?.as_ms();
        for period in 1..=index {
            given = given.saturating_add(self.addition(period)?.as_ms());
        }
        for made in 1..=completed {
            let period = self.get(self.after_moves(made - 1))?;
            if let Extra::Increment { .. } = period.extra {
                given = given.saturating_add(seconds(period.per_move_s(made + 1)).as_ms());
            }
        }
        Some(FaceTime::from_ms(given))
    }

    /// Seconds of all main times and of sixty moves' increment. By this sum the Laws distinguish
    /// standard, rapid and blitz (Appendices A.1 and B.1).
    #[must_use]
    pub fn sixty_moves_s(&self) -> u32 {
        let main = self.all().iter().fold(0_u32, |sum, it| sum.saturating_add(it.main_s));
        let per_move = self.all().first().map_or(0, |first| first.per_move_s(1));
        main.saturating_add(per_move.saturating_mul(60))
    }
}

impl TimeControl {
    /// The same periods for both players.
    #[must_use]
    pub fn same(periods: Periods) -> Self {
        Self { white: periods, black: periods }
    }

    /// What this player is allotted.
    #[must_use]
    pub const fn of(&self, side: Color) -> &Periods {
        match side {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// The same with this in every period: granted in the course of a game.
    #[must_use]
    pub fn granting(&self, extra: impl Fn(Color) -> Extra) -> Self {
        let mut granted = *self;
        for (side, periods) in
            [(Color::White, &mut granted.white), (Color::Black, &mut granted.black)]
        {
            let count = usize::from(periods.count);
            periods.all.iter_mut().take(count).for_each(|period| period.extra = extra(side));
        }
        granted
    }

    /// Whether nobody is timed.
    #[must_use]
    pub fn is_untimed(&self) -> bool {
        self.white.all().is_empty() && self.black.all().is_empty()
    }

    /// What the clock shows before the game, where that can be said.
    #[must_use]
    pub fn start(&self) -> Option<ByColor<FaceTime>> {
        Some(ByColor { white: self.white.start()?, black: self.black.start()? })
    }
}

const fn seconds(seconds: u32) -> FaceTime {
    FaceTime::from_ms(seconds.saturating_mul(1000))
}

#[cfg(test)]
mod tests;
