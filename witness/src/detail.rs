//! What an alert says in detail of its kind, by a stable name for machines.

use bincode::{Decode, Encode};

/// Declares the details with their names.
macro_rules! details {
    ($($(#[$about:meta])* $detail:ident = $name:literal,)*) => {
        /// Why a move is illegal, how a set-up is wrong, what is wrong with a clock or its setting,
        /// why the gravity is another one than usual.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
        pub enum Detail {
            $($(#[$about])* $detail,)*
        }

        impl Detail {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$detail),*];

            /// The stable name for machines.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$detail => $name,)*
                }
            }
        }
    };
}

details! {
    /// The board lies across.
    Across = "across",
    /// Both times stood.
    ClocksStopped = "clocks_stopped",
    /// It is an array of Chess960, and another one than the announced one.
    NotAnnounced = "not_announced",
    /// The board lies the other way round.
    Turned = "turned",
    /// It is an array of Chess960, and the game is none.
    Chess960 = "chess960",
    /// Pieces stand on each other's squares.
    Mixed = "mixed",
    /// The board has reported both in one scan, so which was first is not known.
    SameScan = "same_scan",
    /// Several pieces were lifted and put back: somebody has adjusted.
    SeveralAdjusted = "several_adjusted",
    /// The board may have missed a short touch, so what was touched first is not known.
    MayBeMissed = "may_be_missed",
    /// It was done before the opponent had pressed.
    BeforeThePress = "before_the_press",
    /// It was done before the first move, and no clock is heard.
    BeforeTheFirstMove = "before_the_first_move",
    /// The piece does not move so.
    Geometry = "geometry",
    /// A piece stands in the way.
    ThroughAPiece = "through_a_piece",
    /// An own piece stood on the square.
    OwnPieceOnSquare = "own_piece_on_square",
    /// The own king stands in check.
    OwnKingInCheck = "own_king_in_check",
    /// The king was captured.
    KingCaptured = "king_captured",
    /// Castling that is not allowed.
    Castling = "castling",
    /// A pawn captured as if the one beside it had just moved two squares.
    EnPassant = "en_passant",
    /// The pawn was not replaced.
    NotPromoted = "not_promoted",
    /// The clock adds time after a flag has fallen.
    AddsAfterFlag = "adds_after_flag",
    /// Both times count at once.
    BothRun = "both_run",
    /// A time counts on after its press.
    NeverStops = "never_stops",
    /// A time does not count.
    StandsStill = "stands_still",
    /// No time counts, and the clock says that one does.
    BothStand = "both_stand",
    /// A time jumped.
    Jumped = "jumped",
    /// The clock is fast.
    Fast = "fast",
    /// The clock is slow.
    Slow = "slow",
    /// It began with other times than the time control says.
    Start = "start",
    /// It began with what the late one has lost, and in another share than the Laws provide.
    Lateness = "lateness",
    /// A clock that was plugged in during the game does not show what it should.
    PluggedIn = "plugged_in",
    /// It adds by another mode.
    Mode = "mode",
    /// A period was added otherwise, or not.
    Period = "period",
    /// It is not set as the arbiter has said.
    NotAsOrdered = "not_as_ordered",
    /// A clock that was away does not show what it should.
    Returned = "returned",
    /// The kings show another result.
    Kings = "kings",
    /// The game goes on.
    PlayGoesOn = "play_goes_on",
    /// The pieces were set up again.
    SetUp = "set_up",
}
