//! The models that are measured: games, hands, boards and lines.

use std::sync::Arc;
use std::time::Duration;

use eboard::{Driver, Moment};
use rehearsal::{Faults, Game, Habit, Habits, Manner, Permille, Rates, Scan, Unplug};
use shakmaty::{Chess, Role};

use super::{reticent, slow_bus};

/// A model of hands and wires.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name in the table.
    pub name: &'static str,
    /// The family of boards.
    pub driver: &'static Driver,
    /// How the board scans its squares.
    pub scan: Scan,
    /// The games.
    pub games: Games,
    /// The players' habits.
    pub manner: Manner,
    /// Frames in a thousand that are lost. As many are damaged, and as many come twice.
    pub harmed: Permille,
    /// The shortest and the longest time that the cable is out, once in each game.
    pub unplugged: Option<(Duration, Duration)>,
}

/// A choice of games.
#[derive(Clone, Debug)]
pub enum Games {
    /// One famous game in four; the others are random.
    Mixed,
    /// Games with an illegal move that is not claimed and stands.
    Irregular,
    /// Like mixed, without underpromotion. A board that senses occupied squares only cannot see
    /// what a pawn became, and its players know it.
    Queens,
    /// Random games that end where the kings' sign of a result looks most like a move.
    KingsWalk,
    /// Random games from positions of Chess960.
    Chess960,
    /// These games, in turn.
    Given(Arc<[Game]>),
}

/// The length of the longest random game, in plies.
const PLIES_MAX: u64 = 120;

/// The time between two frames of a Tabutronic board. It is not documented; a frame of its sister
/// with tags takes this long (see the README of the crate `certabo`).
const TABUTRONIC_PERIOD: Duration = Duration::from_millis(222);

/// The models that are measured today.
#[must_use]
pub fn models() -> Vec<Model> {
    let tidy = Manner { slides: Permille(0), adjusts: Permille(0), ..Manner::default() };
    let tidy = Manner { tidy_up: false, ..tidy };
    let clumsy = clumsy();
    let mut models = on_identity_boards(&tidy, &clumsy);
    models.extend(on_harmed_lines(&clumsy));
    let sensors = |name, manner: &Manner| Model {
        scan: Scan::rolling(TABUTRONIC_PERIOD),
        games: Games::Queens,
        ..clean(name, &certabo::TABUTRONIC, manner)
    };
    let careful = Manner { lifts_captured: true, ..tidy.clone() };
    models.push(sensors("tidy hands that lift what they capture, occupancy only", &careful));
    models.push(sensors("tidy hands, clean wire, occupancy only", &tidy));
    models.push(sensors("clumsy hands, clean wire, occupancy only", &clumsy));
    models
}

/// All habits. The rates of these three are estimates too.
fn clumsy() -> Manner {
    let habits = Habits::clumsy()
        .with(Habit::PawnForgotten, Permille(30))
        .with(Habit::PawnLeft, Permille(30))
        .with(Habit::PostMortem, Permille(100));
    Manner { habits, tidy_up: false, ..Manner::clumsy() }
}

fn clean(name: &'static str, driver: &'static Driver, manner: &Manner) -> Model {
    Model {
        name,
        driver,
        scan: Scan::dgt(0),
        games: Games::Mixed,
        manner: manner.clone(),
        harmed: Permille(0),
        unplugged: None,
    }
}

fn on_identity_boards(tidy: &Manner, clumsy: &Manner) -> Vec<Model> {
    let habits = Habits::default().with(Habit::BlackKingFirst, Permille(500));
    let signalling = Manner { habits, tidy_up: false, ..Manner::default() };
    // Guideline II.3 asks for the king beside the board, but some players do not know it.
    let habits = clumsy.habits.with(Habit::KingBeside, Permille(400));
    let shuffled = Manner { habits, ..clumsy.clone() };
    vec![
        clean("tidy hands, clean wire, DGT", &dgt::DRIVER, tidy),
        clean("clumsy hands, clean wire, DGT", &dgt::DRIVER, clumsy),
        clean("clumsy hands, clean wire, ChessLink, no clock", &chesslink::DRIVER, clumsy),
        clean("clumsy hands, clean wire, iChessOne, no clock", &ichessone::DRIVER, clumsy),
        clean("clumsy hands, clean wire, Chessnut, no clock", &chessnut::DRIVER, clumsy),
        clean("clumsy hands, clean wire, House of Staunton", &hos::DRIVER, clumsy),
        clean("tidy hands, DGT bus asked every 0.25 s", &dgt::BUS, tidy),
        clean("clumsy hands, DGT bus asked every 0.25 s", &dgt::BUS, clumsy),
        clean("tidy hands, DGT bus asked every second", &slow_bus::EVERY_SECOND, tidy),
        clean("clumsy hands, DGT bus asked every second", &slow_bus::EVERY_SECOND, clumsy),
        clean("tidy hands, DGT bus asked every four seconds", &slow_bus::EVERY_FOUR_SECONDS, tidy),
        clean(
            "clumsy hands, DGT bus asked every four seconds",
            &slow_bus::EVERY_FOUR_SECONDS,
            clumsy,
        ),
        Model {
            games: Games::KingsWalk,
            ..clean("kings in the centre after every game, DGT", &dgt::DRIVER, &signalling)
        },
        Model {
            games: Games::Irregular,
            ..clean("an illegal move stands, tidy hands, DGT", &dgt::DRIVER, tidy)
        },
        Model {
            games: Games::Chess960,
            ..clean("Chess960, clumsy hands, clean wire, DGT", &dgt::DRIVER, &shuffled)
        },
    ]
}

fn on_harmed_lines(clumsy: &Manner) -> Vec<Model> {
    let seconds = |least, most| Some((Duration::from_secs(least), Duration::from_secs(most)));
    let harmed = |name, driver, unplugged| Model {
        harmed: Permille(1),
        unplugged,
        ..clean(name, driver, clumsy)
    };
    let dgt = &dgt::DRIVER;
    vec![
        harmed("clumsy hands, 0.1 % of frames harmed, DGT", dgt, None),
        harmed("clumsy hands, 0.1 % of frames harmed, unplugged 1-3 s, DGT", dgt, seconds(1, 3)),
        harmed("clumsy hands, 0.1 % of frames harmed, unplugged 3-20 s, DGT", dgt, seconds(3, 20)),
        harmed("clumsy hands, 0.1 % of frames harmed, no dumps, DGT", &reticent::DGT, None),
        harmed(
            "clumsy hands, 0.1 % of frames harmed, no dumps, unplugged 1-3 s, DGT",
            &reticent::DGT,
            seconds(1, 3),
        ),
    ]
}

impl Model {
    /// The faults of the line in a game whose last move is made at `last`.
    pub(super) fn faults(&self, last: Moment, number: u64) -> Faults {
        let rates = Rates { drop: self.harmed, double: self.harmed, corrupt: self.harmed };
        let window = (Moment::ZERO + Duration::from_secs(10), last);
        let unplug = self.unplugged.map(|span| Unplug::drawn(number, window, span));
        Faults { frames: rates, unplugs: unplug.into_iter().collect(), ..Faults::default() }
    }
}

impl Games {
    /// The game of this number.
    pub(super) fn game(&self, number: u64) -> Game {
        match self {
            Self::Mixed => famous(number).unwrap_or_else(|| random(number, Chess::default())),
            Self::Queens => famous(number).unwrap_or_else(|| {
                rehearsal::random_game_among(number, plies(number), Chess::default(), |mv| {
                    mv.promotion().is_none_or(|role| role == Role::Queen)
                })
            }),
            Self::Irregular => rehearsal::irregular_game(number),
            Self::KingsWalk => rehearsal::kings_walk(number),
            Self::Chess960 => {
                let array = u32::try_from(number.wrapping_mul(0x9e37_79b9) % 960).unwrap_or(518);
                random(number, rehearsal::chess960(array).unwrap_or_default())
            }
            Self::Given(games) => {
                let index = usize::try_from(number).unwrap_or(0) % games.len().max(1);
                games.get(index).cloned().unwrap_or_else(|| random(number, Chess::default()))
            }
        }
    }
}

fn famous(number: u64) -> Option<Game> {
    const EVERY: u64 = 4;
    let famous = rehearsal::famous();
    let index = usize::try_from(number / EVERY).unwrap_or(0) % famous.len();
    famous.into_iter().nth(index).filter(|_| number.is_multiple_of(EVERY))
}

fn random(number: u64, start: Chess) -> Game {
    rehearsal::random_game(number, plies(number), start)
}

fn plies(number: u64) -> usize {
    let plies = 20 + number.wrapping_mul(0x9e37_79b9) % (PLIES_MAX - 20);
    usize::try_from(plies).unwrap_or(40)
}
