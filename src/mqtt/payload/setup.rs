//! What is plugged in and where it sits, for organizers only.

use std::collections::{BTreeMap, BTreeSet};

use eboard::{Senses, Square, Station};
use serde::Serialize;
use witness::{Part, Place, Seat, Table, TableNo, Unseated, Which};

use super::{Stamp, VERSION};
use crate::config::Config;
use crate::languages::Text;
use crate::plugged::{self, Plugged};
use crate::say;
use crate::troubles::Troubles;
use crate::works::apart::Apart;
use crate::works::{Board, Works};

/// One board, or a line on which nobody answers.
#[derive(Debug, Serialize)]
struct SetupBoard {
    line: String,
    port: String,
    station: Option<u16>,
    driver: Option<String>,
    serial: Option<String>,
    firmware: Option<String>,
    table: Option<TableNo>,
    second: bool,
    clock: bool,
    battery: Option<u8>,
    noise: u64,
    noisy_since: Option<String>,
    text: Option<Text>,
}

/// One table.
#[derive(Debug, Serialize)]
struct SetupTable {
    table: TableNo,
    configured: bool,
    board: bool,
    in_play: bool,
    missing_since: Option<String>,
}

/// Every line, board and table.
#[derive(Debug, Serialize)]
pub struct SetupBoards {
    v: u8,
    seq: u64,
    at: String,
    file: Option<String>,
    revision: Option<String>,
    boards: Vec<SetupBoard>,
    tables: Vec<SetupTable>,
}

/// A white king that was lifted.
#[derive(Debug, Serialize)]
pub struct SetupLift {
    v: u8,
    seq: u64,
    at: String,
    line: String,
    station: Option<u16>,
    driver: Option<String>,
    serial: Option<String>,
    table: Option<TableNo>,
    square: String,
}

/// The payload of all boards.
#[must_use]
pub fn setup_boards(
    stamp: Stamp<'_>,
    (works, apart): (&Works, &Apart<'_>),
    (config, troubles): (&Config, &Troubles),
) -> SetupBoards {
    let seats = works.lines().flat_map(|(line, it)| {
        let boards = it.boards();
        boards.map(move |(station, _)| Seat { line, station }).collect::<Vec<_>>()
    });
    SetupBoards {
        v: VERSION,
        seq: stamp.seq,
        at: stamp.at(),
        file: config.source.as_ref().map(|it| it.path.display().to_string()),
        revision: config.source.as_ref().map(|it| it.revision.clone()),
        boards: seats
            .filter_map(|at| {
                let noisy_since = troubles.noisy(at.line).map(str::to_owned);
                Some(SetupBoard { noisy_since, ..board(works, apart, at)? })
            })
            .collect(),
        tables: tables(works, config, troubles),
    }
}

/// The payload of a lifted king; none: the board is gone.
#[must_use]
pub fn setup_lift(stamp: Stamp<'_>, works: &Works, at: Seat, square: Square) -> Option<SetupLift> {
    let SetupBoard { line, station, driver, serial, table, .. } = board(works, &works.apart(), at)?;
    let (seq, at, square) = (stamp.seq, stamp.at(), square.to_string());
    Some(SetupLift { v: VERSION, seq, at, line, station, driver, serial, table, square })
}

fn board(works: &Works, apart: &Apart<'_>, at: Seat) -> Option<SetupBoard> {
    let line = works.line(at.line)?;
    let board = works.board(at)?;
    let row = Plugged::on(&line.id);
    let row = board.identity.iter().fold(row, |row, identity| row.with(at.station, identity));
    let driver = row.driver.as_deref().and_then(catalog::find);
    // That no table has it yet is shown, and is nothing wrong while a hall is set up.
    let why = works.unseated(at).filter(|why| *why != Unseated::NoPlace);
    let why = why.and_then(|why| plugged::why_unseated(works, why));
    let problem = match &row.serial {
        _ if board.identity.is_none() => Some(say::nobody_answers()),
        Some(serial) if apart.is_twin(at) => Some(say::same_number(serial)),
        _ => why,
    };
    Some(SetupBoard {
        line: apart.name_of(at.line)?.to_owned(),
        port: row.path,
        station: (at.station != Station::ONLY).then_some(at.station.0),
        driver: row.driver,
        serial: row.serial,
        firmware: row.firmware,
        table: board.table,
        second: board.part == Part::Board(Which::Second),
        clock: driver.is_some_and(|it| it.senses == Senses::Nothing),
        battery: battery(works, board),
        noise: line.noise,
        noisy_since: None,
        text: problem.map(|problem| works.texts().text(&problem)),
    })
}

/// What its table knows of the battery of a board.
fn battery(works: &Works, board: &Board) -> Option<u8> {
    let Part::Board(which) = board.part else { return None };
    let device = works.hall().table(board.table?)?.device_at(which)?;
    device.battery.map(|battery| battery.percent)
}

fn tables(works: &Works, config: &Config, troubles: &Troubles) -> Vec<SetupTable> {
    let configured: BTreeSet<TableNo> = config.table.iter().map(|it| it.number).collect();
    let vacant: BTreeSet<TableNo> = works.vacant().map(|it: &Place| it.table).collect();
    let there: BTreeMap<TableNo, &Table> = works.hall().tables().collect();
    let all: BTreeSet<TableNo> = configured.iter().chain(there.keys()).copied().collect();
    let seated: BTreeSet<TableNo> =
        works.lines().flat_map(|(_, line)| line.boards().filter_map(|(_, it)| it.table)).collect();
    let each = all.into_iter().map(|table| SetupTable {
        table,
        configured: configured.contains(&table),
        board: seated.contains(&table) && !vacant.contains(&table),
        in_play: there
            .get(&table)
            .is_some_and(|it| it.is_in_play() && !it.score().plies().is_empty()),
        missing_since: troubles.missing(table).map(str::to_owned),
    });
    each.collect()
}
