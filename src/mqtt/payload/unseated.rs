//! Boards without a table, and the tables they may belong to, for arbiters only.

use eboard::{Square, Station};
use serde::Serialize;
use witness::TableNo;

use super::{Stamp, VERSION};
use crate::languages::Text;
use crate::plugged::{self, Plugged};
use crate::works::Works;
use crate::works::apart::Apart;
use crate::works::unseated::{Offer, Shown, WithoutTable};

/// One board.
#[derive(Debug, Serialize)]
struct UnseatedBoard {
    line: String,
    port: String,
    station: Option<u16>,
    driver: Option<String>,
    serial: Option<String>,
    placement: Option<String>,
    occupied: Option<Vec<String>>,
    text: Text,
    tables: Vec<OfferedTable>,
    new_table: bool,
}

/// A table that the board may belong to.
#[derive(Debug, Serialize)]
struct OfferedTable {
    table: TableNo,
    in_play: bool,
    agrees: bool,
}

/// The boards of a hall without a table.
#[derive(Debug, Serialize)]
pub struct UnseatedList {
    v: u8,
    seq: u64,
    at: String,
    boards: Vec<UnseatedBoard>,
}

/// The payload of the list.
#[must_use]
pub fn unseated(stamp: Stamp<'_>, works: &Works, apart: &Apart<'_>) -> UnseatedList {
    let boards = works.asked().into_iter().filter_map(|asked| board(works, apart, asked));
    UnseatedList { v: VERSION, seq: stamp.seq, at: stamp.at(), boards: boards.collect() }
}

fn board(works: &Works, apart: &Apart<'_>, asked: WithoutTable) -> Option<UnseatedBoard> {
    let WithoutTable { at, why, shown, tables, new_table } = asked;
    let identity = works.board(at)?.identity.as_ref()?;
    let row = Plugged::on(&works.line(at.line)?.id).with(at.station, identity);
    let (placement, occupied) = match shown {
        Some(Shown::Pieces(placement)) => (Some(placement.to_string()), None),
        Some(Shown::Occupied(occupied)) => {
            let squares = Square::all().filter(|it| occupied.contains(*it));
            (None, Some(squares.map(|it| it.to_string()).collect()))
        }
        None => (None, None),
    };
    let offered =
        |it: Offer| OfferedTable { table: it.table, in_play: it.in_play, agrees: it.agrees };
    Some(UnseatedBoard {
        line: apart.name_of(at.line)?.to_owned(),
        port: row.path,
        station: (at.station != Station::ONLY).then_some(at.station.0),
        driver: row.driver,
        serial: row.serial,
        placement,
        occupied,
        text: works.texts().text(&plugged::why_unseated(works, why)?),
        tables: tables.into_iter().map(offered).collect(),
        new_table,
    })
}
