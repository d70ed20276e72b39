//! The header lines of a gesture script. What they mean for a verdict is decided elsewhere.

use std::fmt;

use eboard::{Colour, Placement};
use shakmaty::{Board, fen::Fen};

use crate::{ControlError, Readings, TimeControl, convert};

/// The edition of the Laws of Chess a script asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it all.
pub enum Edition {
    E2005,
    E2014,
    E2018,
    E2023,
}

/// What a script says of the time control that is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// This one, which the clock is set to as well unless the script says otherwise.
    By(TimeControl),
    /// `-`: nobody is timed.
    Untimed,
    /// `?`: it is not told.
    Untold,
}

impl Played {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "-" => Ok(Self::Untimed),
            "?" => Ok(Self::Untold),
            text => text.parse().map(Self::By).map_err(|error: ControlError| error.wanted().into()),
        }
    }

    /// What a clock can be set to by it.
    #[must_use]
    pub const fn clock(self) -> Option<TimeControl> {
        match self {
            Self::By(control) => Some(control),
            Self::Untimed | Self::Untold => None,
        }
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::By(control) => control.fmt(f),
            Self::Untimed => f.write_str("-"),
            Self::Untold => f.write_str("?"),
        }
    }
}

/// The rate of play a script asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it all.
pub enum Rate {
    Standard,
    Rapid,
    Blitz,
}

/// How many arbiters watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it all.
pub enum Supervision {
    Adequate,
    Inadequate,
}

/// What the board of the script is to sense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sensing {
    /// Which piece stands where.
    #[default]
    Identity,
    /// Only that something stands there.
    Occupancy,
}

/// What the header lines of a script say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// `# fen:`, as written; `None`: the starting position.
    pub fen: Option<String>,
    /// `# set_up:`, what stands there at first where no arbiter says so, as written.
    pub set_up: Option<String>,
    /// `# castling:`, whether the rights in the FEN are those of Chess960.
    pub chess960: bool,
    /// `# laws:`
    pub laws: Option<Edition>,
    /// `# time_control:`, 5400+30 if not given.
    pub time_control: Played,
    /// `# clock:`, what the clock is set to if that is something else.
    pub clock: Option<TimeControl>,
    /// `# rate:`
    pub rate: Option<Rate>,
    /// `# supervision:`
    pub supervision: Option<Supervision>,
    /// `# default_time:`, seconds after the start of the round.
    pub default_time_s: u32,
    /// `# result_after:`, minutes that a game lies there without a result; `None`: as it is where
    /// nobody says.
    pub result_after_min: Option<u32>,
    /// `# pairing:`, White and Black as the round's pairings name them.
    pub pairing: Option<[String; 2]>,
    /// `# min_draw_move:`, the move from which a draw is allowed.
    pub min_draw_move: u32,
    /// `# quickplay_finish:`, whether Guideline III was announced.
    pub quickplay_finish: bool,
    /// `# sensing:`
    pub sensing: Sensing,
    /// `# second_board:`, whose it is.
    pub second_board: Option<Colour>,
    /// `# readings:`, how the clock is read.
    pub readings: Readings,
    placement: Placement,
    turn: Colour,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            fen: None,
            set_up: None,
            chess960: false,
            laws: None,
            time_control: Played::By(TimeControl::new(5400, 30)),
            clock: None,
            rate: None,
            supervision: None,
            default_time_s: 0,
            result_after_min: None,
            pairing: None,
            min_draw_move: 0,
            quickplay_finish: false,
            sensing: Sensing::default(),
            second_board: None,
            readings: Readings::default(),
            placement: Placement::starting(),
            turn: Colour::White,
        }
    }
}

const EDITIONS: [(&str, Edition); 4] = [
    ("2005", Edition::E2005),
    ("2014", Edition::E2014),
    ("2018", Edition::E2018),
    ("2023", Edition::E2023),
];
const CASTLINGS: [(&str, bool); 2] = [("standard", false), ("chess960", true)];
const RATES: [(&str, Rate); 3] =
    [("standard", Rate::Standard), ("rapid", Rate::Rapid), ("blitz", Rate::Blitz)];
const SUPERVISIONS: [(&str, Supervision); 2] =
    [("adequate", Supervision::Adequate), ("inadequate", Supervision::Inadequate)];
const ANNOUNCED: [(&str, bool); 2] = [("announced", true), ("no", false)];
const SENSINGS: [(&str, Sensing); 2] =
    [("identity", Sensing::Identity), ("occupancy", Sensing::Occupancy)];

const COLOURS: [(&str, Colour); 2] = [("white", Colour::White), ("black", Colour::Black)];

impl Header {
    pub(super) const fn placement(&self) -> Placement {
        self.placement
    }

    /// What the clock is set to, if there is one.
    pub(super) fn clock_setting(&self) -> Option<TimeControl> {
        self.clock.or(self.time_control.clock())
    }

    pub(super) const fn turn(&self) -> Colour {
        self.turn
    }

    /// Takes a line without its `#`. A line that is no `word: value` is a remark. The error is what
    /// would have been right.
    pub(super) fn read(&mut self, line: &str, before_gestures: bool) -> Result<(), String> {
        let Some((key, value)) = line.split_once(':') else { return Ok(()) };
        let (key, value) = (key.trim(), value.trim());
        if !key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_') {
            return Ok(());
        }
        if !before_gestures {
            return Err("header lines before the first gesture; remarks begin with ;".to_owned());
        }
        match key {
            "fen" => self.read_fen(value)?,
            "set_up" => self.read_set_up(value)?,
            "castling" => self.chess960 = choose(value, &CASTLINGS)?,
            "laws" => self.laws = Some(choose(value, &EDITIONS)?),
            "time_control" => self.time_control = Played::read(value)?,
            "clock" => self.clock = Some(value.parse::<TimeControl>().map_err(|e| e.wanted())?),
            "rate" => self.rate = Some(choose(value, &RATES)?),
            "supervision" => self.supervision = Some(choose(value, &SUPERVISIONS)?),
            "default_time" => {
                self.default_time_s = value.parse().map_err(|_| "seconds, as 1800".to_owned())?;
            }
            "result_after" => {
                let minutes = value.parse().map_err(|_| "minutes, as 15".to_owned())?;
                self.result_after_min = Some(minutes);
            }
            "pairing" => self.pairing = Some(pairing(value)?),
            "min_draw_move" => {
                self.min_draw_move = value.parse().map_err(|_| "a move, as 30".to_owned())?;
            }
            "quickplay_finish" => self.quickplay_finish = choose(value, &ANNOUNCED)?,
            "sensing" => self.sensing = choose(value, &SENSINGS)?,
            "second_board" => self.second_board = Some(choose(value, &COLOURS)?),
            "readings" => self.readings = value.parse()?,
            _ => return Err(KEYS.to_owned()),
        }
        Ok(())
    }

    fn read_fen(&mut self, value: &str) -> Result<(), String> {
        let fen = Fen::from_ascii(value.as_bytes())
            .map_err(|_| "a FEN, or at least its eight ranks and the side to move".to_owned())?;
        self.placement = convert::placement(&fen.as_setup().board);
        self.turn = convert::colour(fen.as_setup().turn);
        self.fen = Some(value.to_owned());
        Ok(())
    }

    fn read_set_up(&mut self, value: &str) -> Result<(), String> {
        let board = Board::from_ascii_board_fen(value.as_bytes())
            .map_err(|_| "the eight ranks of a FEN, and nothing else".to_owned())?;
        self.placement = convert::placement(&board);
        self.set_up = Some(value.to_owned());
        Ok(())
    }
}

const KEYS: &str = "one of fen, set_up, castling, laws, time_control, clock, rate, supervision, \
    default_time, result_after, pairing, min_draw_move, quickplay_finish, sensing, second_board, \
    readings; remarks begin with ;";

fn pairing(value: &str) -> Result<[String; 2], String> {
    let two = value.split_once(" - ").map(|(white, black)| [white.trim(), black.trim()]);
    let named = two.filter(|names| names.iter().all(|it| !it.is_empty()));
    named.map(|names| names.map(str::to_owned)).ok_or("Doe, Jane - Roe, Ann".into())
}

fn choose<T: Copy>(value: &str, among: &[(&str, T)]) -> Result<T, String> {
    let chosen = among.iter().find(|&&(name, _)| name == value);
    chosen.map(|&(_, it)| it).ok_or_else(|| {
        let names: Vec<&str> = among.iter().map(|&(name, _)| name).collect();
        names.join(" or ")
    })
}

fn name_of<T: PartialEq>(it: &T, among: &[(&'static str, T)]) -> &'static str {
    among.iter().find(|(_, other)| other == it).map_or("", |&(name, _)| name)
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(fen) = &self.fen {
            writeln!(f, "# fen: {fen}")?;
        }
        if let Some(set_up) = &self.set_up {
            writeln!(f, "# set_up: {set_up}")?;
        }
        if self.chess960 {
            writeln!(f, "# castling: chess960")?;
        }
        if let Some(laws) = &self.laws {
            writeln!(f, "# laws: {}", name_of(laws, &EDITIONS))?;
        }
        writeln!(f, "# time_control: {}", self.time_control)?;
        if let Some(clock) = &self.clock {
            writeln!(f, "# clock: {clock}")?;
        }
        if let Some(rate) = &self.rate {
            writeln!(f, "# rate: {}", name_of(rate, &RATES))?;
        }
        if let Some(supervision) = &self.supervision {
            writeln!(f, "# supervision: {}", name_of(supervision, &SUPERVISIONS))?;
        }
        if let Some(whose) = &self.second_board {
            writeln!(f, "# second_board: {}", name_of(whose, &COLOURS))?;
        }
        if self.readings != Readings::default() {
            writeln!(f, "# readings: {}", self.readings)?;
        }
        if self.default_time_s > 0 {
            writeln!(f, "# default_time: {}", self.default_time_s)?;
        }
        if let Some(minutes) = self.result_after_min {
            writeln!(f, "# result_after: {minutes}")?;
        }
        if let Some([white, black]) = &self.pairing {
            writeln!(f, "# pairing: {white} - {black}")?;
        }
        if self.min_draw_move > 0 {
            writeln!(f, "# min_draw_move: {}", self.min_draw_move)?;
        }
        if self.quickplay_finish {
            writeln!(f, "# quickplay_finish: announced")?;
        }
        writeln!(f, "# sensing: {}", name_of(&self.sensing, &SENSINGS))
    }
}
