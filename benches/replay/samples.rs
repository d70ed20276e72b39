//! What is played: bytes as boards send them, made ready, so that only the work itself is measured.

use std::time::Duration;

use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::lines::virtual_line;
use dgt::Decoder;
use eboard::Moment;
use rehearsal::{Clock, Manner, Pace, Stage, TimeControl};
use shakmaty::Chess;
use witness::{LineNo, TableNo};

use crate::common::recordings;

/// Simulated games of clumsy hands.
const GAMES: u64 = 12;
/// The same where instructions are held against what they may be.
const GAMES_HELD: u64 = 2;

/// Whose bytes are played.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Boards that were recorded. Nobody answers what they are asked.
    Recordings,
    /// Boards that are asked for their squares, under clumsy hands.
    Answering,
    /// A clock that counts while nobody moves.
    Seconds,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Recordings, Self::Answering, Self::Seconds];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Recordings => "recordings",
            Self::Answering => "answering",
            Self::Seconds => "seconds",
        }
    }

    /// All that there is to play; where `held`, little of what is simulated.
    pub fn samples(self, held: bool) -> Vec<Sample> {
        let seconds = Duration::from_secs;
        match self {
            Self::Recordings => {
                let recordings = recordings().into_iter();
                recordings.map(|it| Sample::new(it.name, it.reads, &Watch::default())).collect()
            }
            Self::Answering => (1..=if held { GAMES_HELD } else { GAMES })
                .map(|seed| played(&format!("game {seed}"), &Manner::clumsy(), (seed, 160)))
                .collect(),
            Self::Seconds => {
                let control = TimeControl::new(7200, 0);
                let think = (seconds(3500), seconds(3500));
                vec![played(
                    "a clock of two hours",
                    &Manner { control, think, ..Manner::default() },
                    (1, 2),
                )]
            }
        }
    }
}

/// What the board reports of one game that is played on it.
fn played(name: &str, manner: &Manner, (seed, plies): (u64, usize)) -> Sample {
    let game = rehearsal::random_game(seed, plies, Chess::default());
    let performance = rehearsal::perform(&game, manner, seed);
    let begin = Moment::ZERO + Duration::from_secs(3);
    let mut stage = Stage::of(begin, performance, Clock::new(manner.control), Pace::real());
    let (mut happenings, mut end) = (Vec::new(), begin);
    while let Some(at) = stage.next().filter(|_| !stage.over()) {
        happenings.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
        end = at + Duration::from_secs(1);
    }
    let heard = virtual_line::heard(&dgt::DRIVER, happenings, end, LineNo::new(1));
    let reads = heard.into_iter().filter_map(|(at, entry)| match entry {
        Entry::Bytes(_, bytes) => Some((at, bytes)),
        _ => None,
    });
    let watch = Watch { time_control: manner.control.to_string(), ..Watch::default() };
    Sample::new(name.to_owned(), reads.collect(), &watch)
}

/// The bytes of one board.
pub struct Sample {
    pub name: String,
    pub reads: Vec<(Moment, Vec<u8>)>,
    /// The frames in them.
    pub messages: u64,
    pub entries: Vec<(Moment, Entry)>,
}

impl Sample {
    fn new(name: String, reads: Vec<(Moment, Vec<u8>)>, watch: &Watch) -> Self {
        let port = "recording".to_owned();
        let table = TableEntry::at(TableNo::new(1), &port, dgt::DRIVER.name, watch);
        let id = LineId::at(&port);
        let plan = Plan { tables: vec![table], watch: watch.clone(), ..Plan::default() };
        let mut entries = vec![
            (Moment::ZERO, Entry::Planned(Box::new(plan))),
            (Moment::ZERO, Entry::Opened(LineNo::new(1), id)),
        ];
        let read = reads.iter();
        entries.extend(read.map(|(at, bytes)| (*at, Entry::Bytes(LineNo::new(1), bytes.clone()))));
        let mut decoder = Decoder::default();
        let mut messages = 0;
        reads.iter().for_each(|(_, bytes)| decoder.feed(bytes, |_| messages += 1));
        Self { name, reads, messages, entries }
    }
}
