//! What clumsy hands do, by name, and how often. How each is done is told beside the moves; whether
//! an arbiter hears of it is not decided here.

use std::time::Duration;

use crate::Permille;

/// A way of making moves that is not the straight one. The moves of the game stay what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Habit {
    /// The captured piece is put on another square for up to 2.5 s, then taken off.
    TakenParked,
    /// The captured piece falls back on the board, or is put back where it stood and taken again.
    TakenDroppedBack,
    /// The captured piece is pulled off over the squares beside it.
    TakenDraggedOff,
    /// A piece is dragged over the squares between, and rests 0.1 to 0.35 s on some of them.
    Drags,
    /// A piece is put on a square where it may not go, and then where it belongs.
    Misplaces,
    /// A piece is held in the hand for 3 to 15 s.
    LongHold,
    /// Castling with the rook first. Where the king stands in the rook's way, the rook waits.
    RookFirst,
    /// Castling with king and rook in the hands together.
    BothAtOnce,
    /// Castling; the rook is passed over 2 to 6 s after the king.
    RookLate,
    /// Castling; the king is put beside the board, the rook moved, the king placed.
    KingBeside,
    /// A pawn taken en passant is removed 2 to 8 s later, still before the press.
    PawnLate,
    /// A pawn taken en passant is forgotten; it is removed when the other player asks for it, 1.5
    /// to 5 s after the press. The Laws call what stood there at the press illegal (7.5.1).
    PawnForgotten,
    /// A pawn is left standing on the last rank; it becomes a queen when the other player asks for
    /// it, 1.5 to 5 s after the press. The Laws call it illegal (7.5.2).
    PawnLeft,
    /// A queen that is not at hand is a rook turned upside down for 1.5 to 5 s; then, still before
    /// the press, the queen comes. The board reads a rook. The Laws hold the player to it (4.4.4).
    RookUpsideDown,
    /// The new piece stands on the last rank before the pawn is gone.
    PieceFirst,
    /// The new piece is fetched for 5 to 30 s; the pawn stands on the last rank, or nothing does.
    QueenLate,
    /// One or two pieces beside the way are knocked over, and put up again before the press.
    KnocksOver,
    /// A piece stands on the edge of its square: the board loses it one to three times, for 40 to
    /// 250 ms each.
    Flickers,
    /// After the press a player straightens the piece he has put last, on the other's time.
    Straightens,
    /// Two to five own pieces are adjusted one by one, before the move.
    AdjustsRound,
    /// A piece stands for 0.15 to 0.7 s where it might go, then goes elsewhere: never released.
    SecondThoughts,
    /// A legal move rests for 1.5 to 4 s, is taken back before the press, and another is made. Not
    /// lawful (4.7); one in four is made with another piece (4.3 too).
    TakesBack,
    /// The reply is made before the clock is pressed for the move it answers.
    ATempo,
    /// The clock is not pressed, and both go on: two moves without a press.
    MissedPress,
    /// The clock runs on while the result is shown.
    ClockLeft,
    /// The result is shown by the black king first.
    BlackKingFirst,
    /// After the end the kings are put back, and five to fifteen moves are tried that belong to no
    /// game.
    PostMortem,
    /// A king is put beside the other king, on a centre square if it can be, and stands there for
    /// 2.2 to 6 s; before the press it goes where it may. Lawful: only a press makes it illegal.
    KingsMeet,
    /// A piece of the opponent's that cannot be captured is put straight, before the move.
    AdjustsTheirs,
    /// A piece of the opponent's that cannot be captured comes to stand where it cannot have gone;
    /// the clock is stopped, and the arbiter puts it back and lets the clock go on (7.4, 6.11).
    PutRight,
    /// Before the clock is started pieces are put straight, or two that stand on each other's
    /// squares change places.
    SettlesDown,
}

/// How often each habit shows, for each occasion it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits([Permille; Habit::ALL.len()]);

impl Habit {
    /// All of them.
    pub const ALL: [Self; 31] = [
        Self::TakenParked,
        Self::TakenDroppedBack,
        Self::TakenDraggedOff,
        Self::Drags,
        Self::Misplaces,
        Self::LongHold,
        Self::RookFirst,
        Self::BothAtOnce,
        Self::RookLate,
        Self::KingBeside,
        Self::PawnLate,
        Self::PawnForgotten,
        Self::PawnLeft,
        Self::RookUpsideDown,
        Self::PieceFirst,
        Self::QueenLate,
        Self::KnocksOver,
        Self::Flickers,
        Self::Straightens,
        Self::AdjustsRound,
        Self::SecondThoughts,
        Self::TakesBack,
        Self::ATempo,
        Self::MissedPress,
        Self::ClockLeft,
        Self::BlackKingFirst,
        Self::PostMortem,
        Self::KingsMeet,
        Self::AdjustsTheirs,
        Self::PutRight,
        Self::SettlesDown,
    ];

    /// The kinds of incident an observer may rightly tell of it; none for an innocent habit.
    #[must_use]
    pub const fn may_be_told(self) -> &'static [&'static str] {
        match self {
            Self::RookFirst => &["castled_rook_first", "two_hands"],
            Self::BothAtOnce | Self::KingBeside => &["two_hands", "castled_rook_first"],
            Self::PawnForgotten => &["illegal_move", "position_to_check", "touched_out_of_turn"],
            Self::PawnLeft => {
                &["pawn_not_promoted", "illegal_move", "position_to_check", "touched_out_of_turn"]
            }
            Self::RookUpsideDown => &["promotion_changed"],
            Self::Flickers => &["adjusted"],
            Self::Straightens => &["touched_out_of_turn", "adjusted"],
            Self::ClockLeft => &["flag_fall", "wrong_clock_running"],
            Self::KnocksOver => &[
                "displaced",
                "adjusted",
                "touched_both",
                "touched_not_captured",
                "touched_out_of_turn",
            ],
            Self::AdjustsRound => &["adjusted", "touched_not_moved"],
            // Who tries a capture has touched both pieces (4.3.3).
            Self::SecondThoughts => &["adjusted", "touched_not_captured", "touched_both"],
            Self::TakesBack => &[
                "released_then_changed",
                "adjusted",
                "touched_not_moved",
                "touched_not_captured",
                "touched_both",
            ],
            Self::MissedPress => &["missed_press", "no_increment", "wrong_clock_running"],
            Self::AdjustsTheirs => &["adjusted", "touched_out_of_turn"],
            // Whoever stops the clock asks for the arbiter.
            Self::PutRight => &["displaced", "position_to_check", "clock_stopped"],
            _ => &[],
        }
    }

    /// Whether a die of its own is thrown for it. The others came first: where none of these shows,
    /// a seed gives the acts that it gave before they came.
    pub(super) const fn came_later(self) -> bool {
        matches!(
            self,
            Self::PawnForgotten
                | Self::PawnLeft
                | Self::RookUpsideDown
                | Self::Flickers
                | Self::Straightens
                | Self::ClockLeft
                | Self::KingsMeet
                | Self::AdjustsTheirs
                | Self::PutRight
                | Self::SettlesDown
        )
    }

    /// Whether it and the other are ways of doing the same thing: one of them shows.
    pub(super) fn is_instead_of(self, other: Self) -> bool {
        const WAYS: [&[Habit]; 5] = [
            &[Habit::RookFirst, Habit::BothAtOnce, Habit::RookLate, Habit::KingBeside],
            &[Habit::PawnLate, Habit::PawnForgotten],
            &[Habit::PawnLeft, Habit::RookUpsideDown, Habit::PieceFirst, Habit::QueenLate],
            &[Habit::AdjustsRound, Habit::SecondThoughts, Habit::TakesBack],
            &[Habit::ATempo, Habit::MissedPress],
        ];
        self == other || WAYS.iter().any(|ways| ways.contains(&self) && ways.contains(&other))
    }

    /// The longest it holds up the game: no player begins it with too little time left. Zero: the
    /// clock has been stopped.
    pub(super) const fn span_max(self) -> Duration {
        Duration::from_secs(match self {
            Self::QueenLate | Self::PutRight => 30,
            Self::LongHold | Self::MissedPress => 15,
            Self::BlackKingFirst | Self::PostMortem | Self::SettlesDown => 0,
            Self::Flickers | Self::Straightens => 2,
            _ => 8,
        })
    }
}

impl Habits {
    /// This habit whenever there is an occasion, and no other.
    #[must_use]
    pub fn only(habit: Habit) -> Self {
        Self::default().with(habit, Permille(1000))
    }

    /// Realistic for club players in a hurry; without [`Habit::PawnForgotten`] and
    /// [`Habit::PawnLeft`], which are not lawful, [`Habit::PostMortem`], which is no part of a
    /// game, what comes before it, and what needs an arbiter or a game of its own.
    #[must_use]
    pub fn clumsy() -> Self {
        CLUMSY.iter().fold(Self::default(), |habits, &(habit, rate)| habits.with(habit, rate))
    }

    /// The same with this habit that often.
    #[must_use]
    pub fn with(mut self, habit: Habit, rate: Permille) -> Self {
        if let Some(chance) = self.0.get_mut(habit as usize) {
            *chance = rate;
        }
        self
    }

    /// How often.
    #[must_use]
    pub fn rate(&self, habit: Habit) -> Permille {
        self.0.get(habit as usize).copied().unwrap_or_default()
    }
}

/// Estimates, not counted in a hall.
const CLUMSY: [(Habit, Permille); 24] = [
    (Habit::TakenParked, Permille(15)),
    (Habit::TakenDroppedBack, Permille(5)),
    (Habit::TakenDraggedOff, Permille(40)),
    (Habit::Drags, Permille(120)),
    (Habit::Misplaces, Permille(4)),
    (Habit::LongHold, Permille(10)),
    (Habit::RookFirst, Permille(60)),
    (Habit::BothAtOnce, Permille(100)),
    (Habit::RookLate, Permille(40)),
    (Habit::KingBeside, Permille(40)),
    (Habit::PawnLate, Permille(100)),
    (Habit::PieceFirst, Permille(250)),
    (Habit::QueenLate, Permille(150)),
    (Habit::KnocksOver, Permille(8)),
    (Habit::AdjustsRound, Permille(6)),
    (Habit::SecondThoughts, Permille(6)),
    (Habit::TakesBack, Permille(1)),
    (Habit::ATempo, Permille(60)),
    (Habit::MissedPress, Permille(3)),
    (Habit::BlackKingFirst, Permille(500)),
    (Habit::RookUpsideDown, Permille(30)),
    (Habit::Flickers, Permille(8)),
    (Habit::Straightens, Permille(10)),
    (Habit::ClockLeft, Permille(100)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_habit_has_a_rate_of_its_own() {
        for (index, habit) in Habit::ALL.into_iter().enumerate() {
            assert_eq!(habit as usize, index, "{habit:?}");
            let only = Habits::only(habit);
            for other in Habit::ALL {
                let rate = if other == habit { Permille(1000) } else { Permille(0) };
                assert_eq!(only.rate(other), rate, "{habit:?} {other:?}");
            }
        }
    }

    #[test]
    fn clumsy_hands_have_every_habit_but_some() {
        let missing: Vec<Habit> =
            Habit::ALL.into_iter().filter(|&it| Habits::clumsy().rate(it).0 == 0).collect();
        let others = [Habit::KingsMeet, Habit::AdjustsTheirs, Habit::PutRight, Habit::SettlesDown];
        let unlawful = [Habit::PawnForgotten, Habit::PawnLeft, Habit::PostMortem];
        assert_eq!(missing, [&unlawful[..], &others].concat());
    }
}
