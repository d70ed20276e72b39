//! The retained views of one table.

use serde::Serialize;
use shakmaty::{Board as Squares, Color, Position as _, Square};
use witness::{DeviceState, Part, Phase, Status, Table, Which};

use super::{Connection, Stamp, VERSION, colour};
use crate::works::Line;

/// The device at a table.
#[derive(Debug, Serialize)]
pub struct Device {
    v: u8,
    seq: u64,
    at: String,
    state: Connection,
    driver: Option<String>,
    serial: Option<String>,
    model: Option<String>,
    firmware: Option<String>,
    port: Option<String>,
    battery: Option<u8>,
    turned: bool,
    noise: u64,
    second_board: Option<SecondDevice>,
    clock: Option<ClockDevice>,
}

/// The second board of a game with a visually impaired player.
#[derive(Debug, Serialize)]
struct SecondDevice {
    /// The player who uses it.
    player: Option<&'static str>,
    state: Connection,
    driver: Option<String>,
    serial: Option<String>,
    port: Option<String>,
    battery: Option<u8>,
    turned: bool,
    noise: u64,
}

/// A clock on a line of its own.
#[derive(Debug, Serialize)]
struct ClockDevice {
    state: Connection,
    driver: Option<String>,
    port: Option<String>,
    noise: u64,
}

/// A piece in the air.
#[derive(Debug, Serialize)]
struct Lifted {
    square: String,
    piece: char,
}

/// The squares of the board.
#[derive(Debug, Serialize)]
pub struct Board {
    v: u8,
    seq: u64,
    at: String,
    placement: Option<String>,
    agrees: bool,
    lifted: Vec<Lifted>,
    /// The player who uses this board, if there are two.
    player: Option<&'static str>,
    other_board: Option<OtherBoard>,
}

/// The one of two boards that is not followed at present.
#[derive(Debug, Serialize)]
struct OtherBoard {
    player: Option<&'static str>,
    placement: String,
    agrees: bool,
}

#[derive(Debug, Serialize)]
struct Last<'a> {
    san: &'a str,
    uci: &'a str,
}

/// The position for a screen.
#[derive(Debug, Serialize)]
pub struct Position<'a> {
    v: u8,
    seq: u64,
    at: String,
    fen: String,
    ply: usize,
    last: Option<Last<'a>>,
    status: Option<&'static str>,
    turn: &'static str,
    check: bool,
    phase: &'static str,
    /// When squares and score began to differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    adrift_since: Option<String>,
    result: &'static str,
    /// A published result that was withdrawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    withdrawn: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Periods {
    white: u8,
    black: u8,
}

/// The chess clock.
#[derive(Debug, Serialize)]
pub struct ClockPayload<'a> {
    v: u8,
    seq: u64,
    at: String,
    white_ms: Option<u32>,
    black_ms: Option<u32>,
    running: Option<&'static str>,
    flag: Option<&'static str>,
    flag_grade: Option<&'static str>,
    flag_due_at: Option<String>,
    period: Periods,
    sampled_at: Option<String>,
    source: Option<&'a str>,
    low_battery: bool,
    /// Whether the clock is heard. Otherwise these are the last times that were read.
    current: bool,
}

/// The device of a table and the line it is on.
#[must_use]
pub fn device<'a>(
    stamp: Stamp<'_>,
    table: &Table,
    line_of: impl Fn(Part) -> Option<&'a Line>,
) -> Device {
    let (line, clock) = (line_of(Part::BOARD), line_of(Part::Clock));
    let known = table.device();
    let identity = known.identity.as_ref();
    Device {
        v: VERSION,
        seq: stamp.seq,
        at: stamp.at(),
        state: Connection::of(known),
        driver: identity.map(|it| it.driver.to_string()),
        serial: identity.and_then(|it| it.serial.clone()),
        model: identity.and_then(|it| it.model.clone()),
        firmware: identity.and_then(|it| it.firmware.clone()),
        port: line.map(|line| line.id.path.clone()),
        battery: known.battery.map(|battery| battery.percent),
        turned: table.turned(),
        noise: line.map_or(0, |line| line.noise),
        second_board: second_device(table, line_of(Part::Board(Which::Second))),
        clock: table.own_clock().map(|known| ClockDevice {
            state: Connection::of(known),
            driver: known.identity.as_ref().map(|it| it.driver.to_string()),
            port: clock.map(|line| line.id.path.clone()),
            noise: clock.map_or(0, |line| line.noise),
        }),
    }
}

fn second_device(table: &Table, line: Option<&Line>) -> Option<SecondDevice> {
    let player = table.owner(Which::Second)?;
    let absent = DeviceState::default();
    let known = table.device_at(Which::Second).unwrap_or(&absent);
    let identity = known.identity.as_ref();
    Some(SecondDevice {
        player: Some(colour(player)),
        state: Connection::of(known),
        driver: identity.map(|it| it.driver.to_string()),
        serial: identity.and_then(|it| it.serial.clone()),
        port: line.map(|line| line.id.path.clone()),
        battery: known.battery.map(|battery| battery.percent),
        turned: table.turned_at(Which::Second),
        noise: line.map_or(0, |line| line.noise),
    })
}

/// The physical squares of a table.
#[must_use]
pub fn board(stamp: Stamp<'_>, table: &Table) -> Board {
    let lifted = table
        .lifted()
        .iter()
        .map(|(square, piece)| Lifted { square: self::square(*square), piece: piece.char() });
    Board {
        v: VERSION,
        seq: stamp.seq,
        at: stamp.at(),
        placement: table.surface().map(placement),
        agrees: table.agrees(),
        lifted: lifted.collect(),
        player: table.owner(table.followed()).map(colour),
        other_board: other_board(table),
    }
}

fn other_board(table: &Table) -> Option<OtherBoard> {
    let which = table.followed().other();
    let player = table.owner(which).map(colour);
    let (squares, agrees) = table.squares_at(which)?;
    Some(OtherBoard { player, placement: placement(squares), agrees })
}

/// The squares as in FEN.
fn placement(squares: &Squares) -> String {
    let mut text = String::new();
    squares.board_fen().append_to_string(&mut text);
    text
}

/// The position of a table's game.
#[must_use]
pub fn position<'a>(stamp: Stamp<'_>, table: &'a Table) -> Position<'a> {
    let score = table.score();
    let last = score.plies().last();
    Position {
        v: VERSION,
        seq: stamp.seq,
        at: stamp.at(),
        fen: score.fen(),
        ply: score.plies().len(),
        last: last.map(|ply| Last { san: &ply.san, uci: &ply.uci }),
        status: last.map(|ply| status(ply.status)),
        turn: colour(score.position().turn()),
        check: score.position().is_check(),
        phase: phase(table.phase()),
        adrift_since: table.adrift_since().map(|since| stamp.wall(since)),
        result: score.result(),
        withdrawn: score.withdrawn().map(|it| it.ending.outcome.as_str()),
    }
}

/// The clock of a table.
#[must_use]
pub fn clock<'a>(stamp: Stamp<'_>, table: &'a Table) -> ClockPayload<'a> {
    let state = table.clocks().state();
    let heard = table.device().present && table.device().answering && !table.clocks().lost();
    let now = state.filter(|_| heard);
    let time = |color: Color| state.map(|state| state.times.get(color).as_ms());
    let period = |color: Color| state.map_or(1, |state| *state.periods.get(color));
    let driver = table.device().identity.as_ref().map(|identity| &*identity.driver);
    ClockPayload {
        v: VERSION,
        seq: stamp.seq,
        at: stamp.at(),
        white_ms: time(Color::White),
        black_ms: time(Color::Black),
        running: now.and_then(|state| state.running).map(colour),
        flag: state.and_then(|state| state.flag).map(colour),
        flag_grade: state.and_then(|state| state.flag.map(|_| grade(state.mark))),
        flag_due_at: now.and_then(|state| state.flag_due).map(|due| stamp.wall(due)),
        period: Periods { white: period(Color::White), black: period(Color::Black) },
        sampled_at: state.map(|state| stamp.wall(state.sampled)),
        source: state.and(driver),
        low_battery: state.is_some_and(|state| state.low_battery),
        current: now.is_some(),
    }
}

impl ClockPayload<'_> {
    /// The clock while it must not be known whether the time runs.
    #[must_use]
    pub fn standing(self) -> Self {
        Self { running: None, flag_due_at: None, ..self }
    }
}

/// How sure a fallen flag is, as a word.
pub(crate) const fn grade(mark: eboard::FlagMark) -> &'static str {
    match mark {
        eboard::FlagMark::Final => "final",
        eboard::FlagMark::Passed => "passed",
        eboard::FlagMark::None => "zero",
    }
}

/// A status as a word.
pub(crate) const fn status(status: Status) -> &'static str {
    match status {
        Status::Released => "released",
        Status::Completed => "completed",
    }
}

/// A phase as a word.
pub(crate) const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Unset => "unset",
        Phase::Ready => "ready",
        Phase::InPlay => "in_play",
        Phase::Paused => "paused",
        Phase::Adrift => "adrift",
        Phase::Ended => "ended",
    }
}

/// A square as a word.
pub(super) fn square(square: Square) -> String {
    let mut text = String::new();
    square.append_to_string(&mut text);
    text
}
