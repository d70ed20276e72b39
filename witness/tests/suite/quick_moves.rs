//! Moves that follow each other faster than a clock is read, on a board that tells single squares
//! and all of them never or when it is asked: every one is seen, whatever became of the presses.
//!
//! `ADOUBED_GAMES=16 cargo test -p witness --test suite quick_moves -- --nocapture` prints the rows
//! of `docs/clocks.md`: games that are wrong, revised, doubted at some time, and doubted in the
//! end.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // The figures are what is wanted.
#![allow(clippy::disallowed_methods, reason = "how many games are played is asked for there")]

use crate::common::{Record, play_answered, play_with};
use rehearsal::Rng;
use witness::{Incident, Kind, Settings};

/// How the clock is read, as a script says it.
const WAYS: [(&str, &str); 4] = [
    ("as it changes", "late=0.25"),
    ("1 s late", "late=1"),
    ("every 0.4 s", "every=0.4"),
    ("both", "every=0.4 late=1"),
];
/// Plays a script on a board of one kind.
type Player = fn(&str, Settings) -> Record;

/// Whether the board tells all its squares when it is asked, as a row says it.
const BOARDS: [(&str, Player); 2] = [("never", play_with), ("when asked", play_answered)];
/// Games of each row, as a test.
const GAMES: u64 = 3;
/// Long enough to find out that the board does not tell its whole position.
const OPENING: &str = "h2^ h3v | +2 a7^ a6v | +9";

/// Moves that are made fast.
struct Sequence {
    name: &'static str,
    fen: &'static str,
    /// The gestures, each 0.1 to 0.5 s after the one before.
    hands: &'static str,
    uci: &'static str,
}

const SEQUENCES: [Sequence; 3] = [
    // A knight gives check and the king steps aside, twice over.
    Sequence {
        name: "a knight and a king go to and fro twice",
        fen: "6k1/p4p2/8/5N2/8/8/5PPP/6K1 w - - 0 1",
        hands: "f5^ e7v |w g8^ g7v |b e7^ f5v |w g7^ g8v |b
                f5^ e7v |w g8^ g7v |b e7^ f5v |w g7^ g8v |b",
        uci: "f5e7 g8g7 e7f5 g7g8 f5e7 g8g7 e7f5 g7g8",
    },
    // Queens are exchanged before anybody presses.
    Sequence {
        name: "queens are exchanged before anybody presses",
        fen: "r2q2k1/p4ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1",
        hands: "d8x d1^ d8v d8x a8^ d8v:r g1^ h2v |w d8^ d4v |b h2^ g3v |w d4^ a4v |b",
        uci: "d1d8 a8d8 g1h2 d8d4 h2g3 d4a4",
    },
    // The reply is in the hand, or stands there, when the clock is pressed for the move before.
    Sequence {
        name: "the reply is in the hand at the press",
        fen: "r2q2k1/p4ppp/8/8/8/8/5PPP/3Q1RK1 w - - 0 1",
        hands: "d8x d1^ d8v a8^ |w d8x d8v |b f1^ d1v d8^ |w d1x d1v |b",
        uci: "d1d8 a8d8 f1d1 d8d1",
    },
];

impl Sequence {
    fn played(&self, number: u64, readings: &str, board: Player) -> Record {
        board(&self.script(number, readings), settings())
    }

    fn script(&self, number: u64, readings: &str) -> String {
        let mut dice = Rng::new(number);
        let mut hands = String::new();
        for gesture in self.hands.split_whitespace() {
            hands += &format!("+{:.2} {gesture} ", 0.1 + dice.below(40) as f64 / 100.0);
        }
        let header = format!("# time_control: 180+2\n# fen: {}\n# readings: {readings}", self.fen);
        format!("{header}\n{OPENING} {hands} +30")
    }

    /// What the score should be.
    fn moves(&self) -> String {
        format!("h2h3 a7a6 {}", self.uci)
    }
}

fn settings() -> Settings {
    Settings { control: "180+2".parse().ok(), ..Settings::default() }
}

fn has_doubt(incidents: &[&Incident]) -> bool {
    incidents.iter().any(|it| it.kind == Kind::PositionToCheck)
}

/// What became of the games of one row.
#[derive(Debug, Default)]
struct Row {
    wrong: Vec<u64>,
    revised: Vec<u64>,
    /// A doubt came up.
    doubted: Vec<u64>,
    /// One is open in the end.
    open: Vec<u64>,
}

impl Row {
    fn of(sequence: &Sequence, readings: &str, board: Player, games: u64) -> Self {
        let mut row = Self::default();
        for number in 0..games {
            let record = sequence.played(number, readings, board);
            let open: Vec<_> = record.table.incidents().collect();
            let note = |list: &mut Vec<u64>, is: bool| list.extend(is.then_some(number));
            note(&mut row.wrong, record.moves() != sequence.moves());
            note(&mut row.revised, record.announced().contains('!'));
            note(&mut row.doubted, has_doubt(&record.raised()));
            note(&mut row.open, has_doubt(&open));
        }
        row
    }
}

fn asked_for() -> u64 {
    let asked = std::env::var("ADOUBED_GAMES").ok().and_then(|games| games.parse().ok());
    asked.unwrap_or(GAMES)
}

#[test]
fn what_every_square_has_shown_is_in_the_score() {
    let games = asked_for();
    for sequence in &SEQUENCES {
        for ((way, readings), (record, board)) in
            WAYS.into_iter().flat_map(|way| BOARDS.map(|board| (way, board)))
        {
            let row = Row::of(sequence, readings, board, games);
            let Row { wrong, revised, doubted, open } = &row;
            let counts = [wrong, revised, doubted, open].map(Vec::len);
            let counts = counts.map(|games| games.to_string()).join(" | ");
            println!("| {} | {record} | {way} | {counts} |", sequence.name);
            let none: &[u64] = &[];
            let row = format!("{} {record} {way}", sequence.name);
            assert_eq!((&wrong[..], &revised[..]), (none, none), "{row}");
            // After an answer only the next press closes a doubt; the last one may stay open.
            if record == "never" {
                assert_eq!(&open[..], none, "{row}: doubted in the end");
            }
        }
    }
}
