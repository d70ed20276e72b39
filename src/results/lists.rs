//! Results as lists for programs: comma-separated values, and the formats of pairing programs.

use std::collections::BTreeMap;

use witness::{Ending, TableNo};

use super::crosstable::standings;
use super::into_report::{marks, read};
use super::points::in_points;
use super::{Outcome, Remark, RoundResults, Row, assigned};
use crate::pairings::trf::Report;
use crate::pairings::{Pairing, Problem};

/// The games of a round in a report. `tables` has the known tables, by White's starting number.
pub(super) fn of_report(
    report: &Report,
    round: usize,
    tables: &BTreeMap<u32, TableNo>,
) -> Result<Vec<Row>, Problem> {
    let rows = report.games(round)?.into_iter().map(|game| {
        let players = report.pairing(&game).players;
        let marks = game.players.map(|it| report.cell(it, round).map_or(' ', |cell| cell.mark));
        let table = tables.get(&game.players[0]).copied().unwrap_or(game.table);
        Row { table, numbers: game.players.map(Some), players, ending: read(marks) }
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| row.table);
    Ok(rows)
}

/// The games of a round by its pairings, and other games that were played.
pub(super) fn of_pairings(pairings: &[Pairing], outcomes: &[Outcome]) -> (Vec<Row>, Vec<Remark>) {
    let (results, remarks) = assigned(pairings, outcomes);
    let mut rows: Vec<Row> = pairings
        .iter()
        .enumerate()
        .map(|(at, pairing)| Row {
            table: pairing.table,
            players: pairing.players.clone(),
            ending: results.get(&at).map(|(_, ending)| *ending),
            ..Row::default()
        })
        .collect();
    let besides = outcomes.iter().filter(|it| super::pairing_of(pairings, it).is_none());
    rows.extend(besides.filter(|it| it.plies > 0 || it.ending.is_some()).map(|outcome| Row {
        table: outcome.table,
        players: outcome.players.clone(),
        ending: outcome.ending,
        ..Row::default()
    }));
    rows.sort_by_key(|row| row.table);
    let remarks = remarks.into_iter().filter(|it| !matches!(it, Remark::NotPaired(_)));
    (rows, remarks.collect())
}

fn joined(writer: csv::Writer<Vec<u8>>) -> String {
    // Writing to memory cannot fail, and only texts were written.
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

fn or_nothing<T: ToString>(value: Option<T>) -> String {
    value.map(|it| it.to_string()).unwrap_or_default()
}

/// Comma-separated values by table, with a header line.
#[must_use]
pub fn csv(results: &RoundResults) -> String {
    let mut list = csv::Writer::from_writer(Vec::new());
    let head = [
        "round",
        "table",
        "white_number",
        "white_fide_id",
        "white",
        "black_number",
        "black_fide_id",
        "black",
        "result",
    ];
    let _ = list.write_record(head);
    for row in &results.rows {
        let (white, black) = (&row.players.white, &row.players.black);
        let _ = list.write_record([
            results.round.clone(),
            row.table.to_string(),
            or_nothing(row.numbers[0]),
            or_nothing(white.fide_id),
            white.name.clone(),
            or_nothing(row.numbers[1]),
            or_nothing(black.fide_id),
            black.name.clone(),
            or_nothing(row.ending.map(Ending::written)),
        ]);
    }
    joined(list)
}

/// The columns of Swiss-Manager's lists of pairings, with its words for results. Values are
/// separated by semicolons, and a byte order mark tells spreadsheets the encoding.
#[must_use]
pub fn swiss_manager(results: &RoundResults) -> String {
    let mut list = csv::WriterBuilder::new()
        .delimiter(b';')
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    let _ = list.write_record(["Rd.", "Bo.", "No.", "White", "Result", "Black", "No."]);
    for row in &results.rows {
        let _ = list.write_record([
            results.round.clone(),
            row.table.to_string(),
            or_nothing(row.numbers[0]),
            row.players.white.name.clone(),
            row.ending.map(in_swiss_manager).unwrap_or_default(),
            row.players.black.name.clone(),
            or_nothing(row.numbers[1]),
        ]);
    }
    format!("\u{feff}{}", joined(list))
}

fn in_swiss_manager(ending: Ending) -> String {
    let [white, black] = marks(ending).map(|mark| if mark == '=' { '½' } else { mark });
    format!("{white} - {black}")
}

/// The file of results that Vega imports (`.res`): the number of results and the round, then for
/// each game the starting numbers and a code. Results without a code are remarked.
#[must_use]
pub fn vega(results: &RoundResults) -> (String, Vec<Remark>) {
    let (mut lines, mut remarks) = (Vec::new(), Vec::new());
    for row in &results.rows {
        let Some(ending) = row.ending else { continue };
        let [Some(white), Some(black)] = row.numbers else {
            remarks.push(Remark::NoNumbers(row.table));
            continue;
        };
        match vega_code(ending) {
            Some(code) => lines.push(format!("{white} {black} {code}\r\n")),
            None => remarks.push(Remark::NoForm(row.table, ending.written())),
        }
    }
    (format!("{} {}\r\n{}", lines.len(), results.round, lines.concat()), remarks)
}

/// Vega's code for a result, as its page of results has it.
fn vega_code(ending: Ending) -> Option<u8> {
    Some(match marks(ending) {
        ['1', '0'] => 1,
        ['0', '1'] => 0,
        ['=', '='] => 5,
        ['+', '-'] => 3,
        ['-', '+'] => 4,
        ['-', '-'] => 2,
        _ => return None,
    })
}

/// The crosstable as comma-separated values: every player with his rounds and points.
#[must_use]
pub fn crosstable_csv(results: &RoundResults) -> String {
    let mut list = csv::Writer::from_writer(Vec::new());
    let head = ["rank", "number", "title", "name", "rating", "federation", "fide_id", "points"];
    let rounds = (1..=results.rounds).map(|round| format!("round_{round}"));
    let _ = list.write_record(head.map(str::to_owned).into_iter().chain(rounds));
    for it in standings(&results.report, &results.system, results.rounds) {
        let player = &it.player;
        let fixed = [
            it.rank.to_string(),
            it.number.to_string(),
            or_nothing(player.title.as_ref()),
            player.name.clone(),
            or_nothing(player.rating),
            or_nothing(player.federation.as_ref()),
            or_nothing(player.fide_id),
            in_points(it.tenths),
        ];
        let _ = list.write_record(fixed.into_iter().chain(it.cells));
    }
    joined(list)
}
