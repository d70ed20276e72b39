//! Virtual players: a game, a manner and a seed become acts over time. They know the game they are
//! to play; they do not think about chess, and they see no board but their own memory of it.

mod closing;
mod mishap;
mod moving;
mod player;

use std::time::Duration;

use eboard::{Colour, Placement};
use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position};

use crate::{Cue, Game, Pace, Permille, TimeControl, convert};
pub use mishap::Mishap;
use mishap::Plan;
use player::Player;

/// How the players at a table behave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manner {
    /// What the clock is set to. With little left, the players think less.
    pub control: TimeControl,
    /// How long a player thinks before he touches a piece: least and most.
    pub think: (Duration, Duration),
    /// How long a piece is in the air.
    pub carry: (Duration, Duration),
    /// How long from the last piece put down to the press.
    pub reach: (Duration, Duration),
    /// How often a rook, bishop or queen is slid over the squares between instead of lifted.
    pub slides: Permille,
    /// How often a piece is touched and put back before it is moved.
    pub adjusts: Permille,
    /// One of these happens in the game, at a random move; none if empty.
    pub mishaps: Vec<Mishap>,
    /// Whether the arbiter gives the opponent time after an illegal move.
    pub penalty: bool,
    /// Whether the players set the pieces up again in the end.
    pub tidy_up: bool,
    /// Acts at different moments are never closer than this.
    pub least_gap: Duration,
    /// The kings stay in the centre at least this long.
    pub shown: Duration,
}

impl Default for Manner {
    fn default() -> Self {
        let ms = Duration::from_millis;
        Self {
            control: TimeControl::new(300, 3),
            think: (ms(1000), ms(12_000)),
            carry: (ms(300), ms(900)),
            reach: (ms(300), ms(800)),
            slides: Permille(80),
            adjusts: Permille(15),
            mishaps: Vec::new(),
            penalty: false,
            tidy_up: true,
            least_gap: Duration::ZERO,
            shown: SHOWN,
        }
    }
}

impl Manner {
    /// The same players, slow enough for a stage at this pace: it will not have to stretch
    /// anything, so their clocks agree with its clock, and a result is shown long enough for whoever
    /// watches in our time.
    #[must_use]
    pub fn at(self, pace: Pace) -> Self {
        Self { least_gap: pace.least_gap(), shown: pace.worlds(SHOWN), ..self }
    }
}

/// What virtual players do in one game, and what really happened in it.
#[derive(Clone, Debug)]
pub struct Performance {
    /// What stands on the board in the beginning.
    pub start: Placement,
    /// What is done when, in order of time.
    pub acts: Vec<Cue>,
    /// What a perfect observer would know.
    pub truth: Truth,
}

/// What really happened in a performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// How many moves of the game were made.
    pub plies: usize,
    /// How it ended; not as in the game if a flag fell.
    pub outcome: Outcome,
    /// What went wrong, before which move of the game (0 is the first).
    pub mishap: Option<(usize, Mishap)>,
    /// Whose flag fell.
    pub flag: Option<Colour>,
}

/// Long enough for a result to be believed: the boards' makers tell players to wait 5 s.
const SHOWN: Duration = Duration::from_secs(5);

/// How long the players sit before the clock is started.
const SETTLING_DOWN: Duration = Duration::from_secs(2);

/// Lets virtual players play this game in this manner. The same seed gives the same acts.
///
/// A game ends early at a move that is not legal.
#[must_use]
pub fn perform(game: &Game, manner: &Manner, seed: u64) -> Performance {
    let mut player = Player::new(game, manner, seed);
    let mut plan = Plan::draw(manner, game.moves.len(), &mut player.dice);
    let start = player.placement;
    let mut position = game.start.clone();
    let mut truth = Truth { plies: 0, outcome: game.outcome, mishap: None, flag: None };
    player.wait(SETTLING_DOWN);
    player.start_clock(convert::colour(position.turn()));
    for &played in &game.moves {
        if !position.is_legal(played) {
            break;
        }
        player.think();
        if let Some(mishap) = plan.happen(truth.plies, &position, played, &mut player) {
            truth.mishap = Some((truth.plies, mishap));
        }
        if player.flagged().is_none() {
            player.play(&position, played);
        }
        if player.flagged().is_some() {
            break;
        }
        position.play_unchecked(played);
        truth.plies += 1;
        if position.is_checkmate() || position.is_stalemate() {
            break;
        }
        player.press();
        if player.flagged().is_some() {
            break;
        }
    }
    truth.flag = player.flagged();
    truth.outcome = outcome(game.outcome, &position, truth.flag);
    player.close(&position, truth);
    Performance { start, acts: player.acts, truth }
}

/// A flag loses unless the opponent has nothing to mate with; otherwise it is as the game says.
fn outcome(of_game: Outcome, position: &Chess, flag: Option<Colour>) -> Outcome {
    let Some(flag) = flag else { return of_game };
    let winner = match flag {
        Colour::White => Color::Black,
        Colour::Black => Color::White,
    };
    Outcome::Known(match position.has_insufficient_material(winner) {
        true => KnownOutcome::Draw,
        false => KnownOutcome::Decisive { winner },
    })
}

#[cfg(test)]
mod tests;
