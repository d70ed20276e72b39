//! Games with the times in which they were played: those of a World Cup with the times that their
//! clocks showed, where they are at hand; else random ones with random times.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use pgn_reader::{RawComment, Reader, SanPlus, Visitor};
use rehearsal::{Game, Manner, Performance, Permille, Rng, TimeControl};
use shakmaty::{Chess, Move, Outcome, Position};

use super::room::Scene;

/// At which rate a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    Blitz,
    Rapid,
    Classical,
}

impl Pace {
    pub const ALL: [Self; 3] = [Self::Blitz, Self::Rapid, Self::Classical];

    const fn file(self) -> &'static str {
        match self {
            Self::Blitz => "fide-worldcup-2025-r1-blitz.pgn",
            Self::Rapid => "fide-worldcup-2025-r1-rapid.pgn",
            Self::Classical => "fide-worldcup-2025-r1-classical.pgn",
        }
    }

    /// What is played at such a rate, beginning with what is most usual.
    const fn controls(self) -> &'static [&'static str] {
        match self {
            Self::Blitz => &["180+2", "300+3"],
            Self::Rapid => &["900+10", "600+10"],
            Self::Classical => &["40/5400+30:1800+30"],
        }
    }
}

/// A game, what its clock was set to, and how long each turn took from press to press.
#[derive(Clone)]
pub struct Timed {
    pub game: Game,
    pub control: TimeControl,
    pub turns: Vec<Duration>,
}

impl Timed {
    /// The game by this number at this rate: a real one, or one drawn from the number.
    pub fn of(pace: Pace, number: u64) -> Self {
        let real = match pace {
            Pace::Blitz => &*BLITZ,
            Pace::Rapid => &*RAPID,
            Pace::Classical => &*CLASSICAL,
        };
        match usize::try_from(number).unwrap().checked_rem(real.len()) {
            Some(index) => real[index].timed(pace, number),
            None => drawn(pace, number),
        }
    }

    /// Plain hands in these times, and nothing goes wrong.
    pub fn played(&self, manner: Manner, seed: u64) -> Performance {
        let manner = Manner {
            control: self.control,
            turns: self.turns.clone(),
            tidy_up: false,
            adjusts: Permille(0),
            carry: (Duration::from_millis(280), Duration::from_millis(600)),
            reach: (Duration::from_millis(200), Duration::from_millis(500)),
            ..manner
        };
        rehearsal::perform(&self.game, &manner, seed)
    }

    pub fn scene(&self, manner: Manner, seed: u64) -> Scene {
        Scene::of(self.played(manner, seed), self.control, seed)
    }
}

static BLITZ: LazyLock<Vec<Read>> = LazyLock::new(|| real(Pace::Blitz));
static RAPID: LazyLock<Vec<Read>> = LazyLock::new(|| real(Pace::Rapid));
static CLASSICAL: LazyLock<Vec<Read>> = LazyLock::new(|| real(Pace::Classical));

/// Games of such a length at least are worth looking at.
const PLIES: usize = 40;

fn real(pace: Pace) -> Vec<Read> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let data = std::env::var_os("ADOUBED_DATA").map_or(beside, PathBuf::from);
    let Ok(text) = std::fs::read_to_string(data.join("pgn").join(pace.file())) else {
        let why = "not there, random times are played instead";
        let _ = writeln!(std::io::stderr(), "SKIPPED {}: {why}", pace.file());
        return Vec::new();
    };
    let mut reader = Reader::new(text.as_bytes());
    let mut all = Vec::new();
    while let Ok(Some(read)) = reader.read_game(&mut Collector) {
        let is_whole = read.shown.len() >= PLIES && read.shown[0].is_some();
        all.extend(Some(read).filter(|_| is_whole));
    }
    all
}

/// Moves and the times that the clock showed after them, in seconds, where they are known.
struct Read {
    position: Chess,
    moves: Vec<Move>,
    shown: Vec<Option<u32>>,
    legal: bool,
    outcome: Outcome,
}

impl Read {
    fn timed(&self, pace: Pace, number: u64) -> Timed {
        let controls = pace.controls().iter().map(|text| {
            let control: TimeControl = text.parse().unwrap();
            let each = control.of(eboard::Colour::White);
            (control, each.main_s(), each.increment_s())
        });
        // The first two moves have taken no time to speak of.
        let first = self.shown[0].unwrap();
        let off = |main_s: u32| main_s.abs_diff(first);
        let nearest = controls.min_by_key(|(_, main_s, _)| off(*main_s));
        let (control, main_s, increment_s) = nearest.unwrap();
        let turns = self.turns(main_s, increment_s, number);
        let game = Game {
            white: String::new(),
            black: String::new(),
            event: String::new(),
            site: String::new(),
            date: String::new(),
            start: Chess::default(),
            moves: self.moves.clone(),
            irregular: None,
            outcome: self.outcome,
        };
        Timed { game, control, turns }
    }

    /// How long each turn took, so that a clock shows these times after its presses. Seconds are
    /// rounded up: what is less was somewhere within them.
    fn turns(&self, main_s: u32, increment_s: u32, number: u64) -> Vec<Duration> {
        const PERIOD_S: f64 = 1800.0;
        let mut dice = Rng::new(number);
        let increment = f64::from(increment_s);
        let mut left = [f64::from(main_s + increment_s); 2];
        let mut turns = Vec::new();
        for (ply, shown) in self.shown.iter().enumerate() {
            let left = &mut left[ply % 2];
            let part = dice.below(1000) as f64 / 1000.0;
            let after = shown.map_or(*left + increment - 4.0, |shown| f64::from(shown) - part);
            let mut used = *left + increment - after;
            if used < 0.0 && after - *left > PERIOD_S / 2.0 {
                used += PERIOD_S;
            }
            *left = after;
            turns.push(Duration::from_secs_f64(used.max(0.6)));
        }
        turns
    }
}

struct Collector;

impl Visitor for Collector {
    type Tags = ();
    type Movetext = Read;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Read, Read> {
        ControlFlow::Continue(Read {
            position: Chess::default(),
            moves: Vec::new(),
            shown: Vec::new(),
            legal: true,
            outcome: Outcome::Unknown,
        })
    }

    fn san(&mut self, read: &mut Read, san: SanPlus) -> ControlFlow<Read> {
        match san.san.to_move(&read.position) {
            Ok(mv) if read.legal => {
                read.position.play_unchecked(mv);
                read.moves.push(mv);
                read.shown.push(None);
            }
            _ => read.legal = false,
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, read: &mut Read, comment: RawComment<'_>) -> ControlFlow<Read> {
        let text = String::from_utf8_lossy(comment.as_bytes()).replace(['\r', '\n'], " ");
        let time = text.split_once("[%clk").and_then(|(_, rest)| rest.split(']').next());
        let parts = time.into_iter().flat_map(|time| time.trim().split(':'));
        let seconds = parts.map(|part| part.parse::<u32>().ok()).collect::<Option<Vec<_>>>();
        if let (Some([hours, minutes, seconds]), Some(last), true) =
            (seconds.as_deref(), read.shown.last_mut(), read.legal)
        {
            *last = Some(hours * 3600 + minutes * 60 + seconds);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, read: &mut Read, outcome: Outcome) -> ControlFlow<Read> {
        read.outcome = outcome;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, read: Read) -> Read {
        read
    }
}

/// A random game in which each player takes what his time allows, now and then much longer.
fn drawn(pace: Pace, number: u64) -> Timed {
    let mut dice = Rng::new(number ^ 0x71de);
    let game = rehearsal::random_game(number, 100, Chess::default());
    let control: TimeControl = pace.controls()[0].parse().unwrap();
    let each = control.of(eboard::Colour::White);
    let mean_ms = u64::from(each.main_s()) * 1000 / 60 + u64::from(each.increment_s()) * 600;
    let turns = game.moves.iter().map(|_| {
        let part = dice.below(1000) * dice.below(1000) / 1000;
        Duration::from_millis(600 + mean_ms * part * 3 / 1000)
    });
    let turns = turns.collect();
    Timed { game, control, turns }
}
