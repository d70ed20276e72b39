//! Makes tables without a hall: what hands and clocks do, as a truth to show to emulated boards.
//!
//! Three sources of acts: scripts in gesture notation ([`parse`]), virtual players ([`perform`])
//! and whatever a test writes down itself. A [`Stage`] turns acts into [`Happening`]s over time;
//! a [`Scan`] leaves of them what a board sees, [`Faults`] spoil what it sends.
//! Nothing here recognises moves, judges them or knows a wire language; nothing reads a clock.

mod act;
mod clock;
mod control;
mod convert;
mod endgame;
mod faults;
mod games;
mod gestures;
mod hands;
mod happening;
mod path;
mod random;
mod readings;
mod rng;
mod scan;
mod stage;
mod steered;
mod transcript;
mod trouble;

pub use act::{Act, Cue};
pub use clock::{Adding, Ailment, Clock};
pub use control::{Allotment, Bonus, ControlError, TimeControl};
pub use endgame::{kings_abreast, mating_game};
pub use faults::{Damaged, Faults, Rates, Unplug};
pub use games::{Game, famous};
pub use gestures::parse;
pub use gestures::{Absent, Edition, Gesture, Header, Played, Rate, Script, ScriptError};
pub use gestures::{Sensing, Supervision};
pub use hands::{Habit, Habits, Manner, Mishap, Performance, Truth, perform};
pub use happening::Happening;
pub use random::{chess960, irregular_game, kings_walk, random_game, random_game_among};
pub use readings::Readings;
pub use rng::{Permille, Rng};
pub use scan::Scan;
pub use stage::{Pace, Stage};
pub use steered::{dying_game, misplaced_game, quiet_game, repeated_game};
pub use transcript::transcript_of;
pub use trouble::Trouble;
