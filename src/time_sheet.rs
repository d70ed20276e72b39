//! The time sheet (commentary to Article 6.10.1): what every clock of the hall showed and how many
//! moves had been made, every half hour and whenever a period or a game ended. Made from a record,
//! so it can be made at any time, and again.

use std::fmt::Write as _;
use std::time::Duration;

use eboard::{FaceTime, Moment};
use shakmaty::{Color, Position as _};
use witness::{Effect, Event, Phase, Status, Table};

use crate::entry::Entry;
use crate::journal::Record;
use crate::time::{Anchor, WallTime};
use crate::works::{Act, Works};

/// Why a line was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The clock on the wall.
    Hour,
    /// The next period began for a player.
    Period,
    /// There is a result.
    Result,
}

/// One table at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// When; none: the record does not say what time of day it was.
    pub at: Option<WallTime>,
    /// The same by the record.
    pub moment: Moment,
    /// The table.
    pub table: u32,
    /// Its game, counted from 1.
    pub game: u32,
    /// Why.
    pub cause: Cause,
    /// What White and Black have left, if a clock was read.
    pub times: [Option<FaceTime>; 2],
    /// Moves completed.
    pub moves: [u32; 2],
    /// Periods, from 1.
    pub periods: [u8; 2],
    /// Who has the move.
    pub turn: Color,
}

/// Words of a page in one language.
struct Words {
    title: &'static str,
    head: [&'static str; 10],
    causes: [&'static str; 3],
    sides: [&'static str; 2],
}

const EN: Words = Words {
    title: "Time sheet",
    head: [
        "Time", "Table", "Game", "White", "Black", "Moves W", "Moves B", "Period W", "Period B",
        "To move",
    ],
    causes: ["", "new period", "result"],
    sides: ["White", "Black"],
};
const FR: Words = Words {
    title: "Feuille des temps",
    head: [
        "Heure",
        "Table",
        "Partie",
        "Blancs",
        "Noirs",
        "Coups B",
        "Coups N",
        "Période B",
        "Période N",
        "Trait",
    ],
    causes: ["", "nouvelle période", "résultat"],
    sides: ["Blancs", "Noirs"],
};

/// Plays a record and writes down every table each time so much has passed on the wall.
#[must_use]
pub fn rows(records: &[Record], every: Duration) -> Vec<Row> {
    let mut works = Works::new(catalog::DRIVERS.to_vec());
    let (mut rows, mut acts) = (Vec::new(), Vec::new());
    let mut anchor = None;
    for (at, entry) in records {
        while let Some(next) = next_hour(works.now(), anchor.as_ref(), every, *at) {
            works.advance(next, &mut acts);
            told(&works, anchor.as_ref(), &mut acts, &mut rows);
            for (number, table) in works.hall().tables().filter(|(_, table)| is_played(table)) {
                rows.push(row(next, anchor.as_ref(), number, table, Cause::Hour));
            }
        }
        if let Entry::Wall(micros) = entry {
            anchor = Some(Anchor { moment: *at, wall: WallTime::from_micros(*micros) });
        }
        works.enter(*at, entry, &mut acts);
        told(&works, anchor.as_ref(), &mut acts, &mut rows);
    }
    rows
}

/// The next full half hour, or whatever is wanted, before `limit`.
fn next_hour(
    now: Moment,
    anchor: Option<&Anchor>,
    every: Duration,
    limit: Moment,
) -> Option<Moment> {
    let every = i64::try_from(every.as_micros()).ok().filter(|every| *every > 0)?;
    let wall = anchor.map_or_else(
        || i64::try_from(now.as_micros()).unwrap_or(i64::MAX),
        |anchor| anchor.wall(now).as_micros(),
    );
    let ahead = u64::try_from(every - wall.rem_euclid(every)).ok()?;
    let next = now + Duration::from_micros(ahead);
    (next <= limit).then_some(next)
}

fn told(works: &Works, anchor: Option<&Anchor>, acts: &mut Vec<Act>, rows: &mut Vec<Row>) {
    for act in acts.drain(..) {
        let Act::Table(at, number, Effect::Told(event)) = act else { continue };
        let Some(table) = works.hall().table(number) else { continue };
        let cause = match event {
            Event::Period(_) => Cause::Period,
            Event::Result if table.score().ending().is_some() => Cause::Result,
            _ => continue,
        };
        let row = row(at, anchor, number, table, cause);
        // A period may begin for both at once.
        if rows.last() != Some(&row) {
            rows.push(row);
        }
    }
}

fn is_played(table: &Table) -> bool {
    matches!(table.phase(), Phase::InPlay | Phase::Paused | Phase::Adrift)
}

fn row(moment: Moment, anchor: Option<&Anchor>, number: u32, table: &Table, cause: Cause) -> Row {
    let state = table.clocks().state();
    let passed = |side: Color| match state {
        Some(state) if state.running == Some(side) => moment.since(state.sampled),
        _ => Duration::ZERO,
    };
    let time = |side: Color| state.map(|state| state.times.get(side).less(passed(side)));
    let moves = |side: Color| {
        let own = table.score().plies().iter().filter(|ply| !ply.after.turn() == side);
        let completed = own.filter(|ply| ply.status == Status::Completed).count();
        u32::try_from(completed).unwrap_or(u32::MAX)
    };
    let period = |side: Color| state.map_or(1, |state| *state.periods.get(side));
    let sides = [Color::White, Color::Black];
    Row {
        at: anchor.map(|anchor| anchor.wall(moment)),
        moment,
        table: number,
        game: table.game_number(),
        cause,
        times: sides.map(time),
        moves: sides.map(moves),
        periods: sides.map(period),
        turn: table.score().position().turn(),
    }
}

/// Comma-separated values with a line of names; times of day are UTC.
#[must_use]
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "at,table,game,cause,white_time,black_time,white_moves,black_moves,white_period,\
         black_period,to_move\n",
    );
    for row in rows {
        let cause = ["hour", "period", "result"][row.cause as usize];
        let _ = writeln!(
            text,
            "{},{},{},{cause},{},{},{},{},{},{},{}",
            time_of_day(row),
            row.table,
            row.game,
            shown(row.times[0]),
            shown(row.times[1]),
            row.moves[0],
            row.moves[1],
            row.periods[0],
            row.periods[1],
            if row.turn == Color::White { "white" } else { "black" },
        );
    }
    text
}

/// A page to be printed, in one of the languages of the house.
#[must_use]
pub fn html(rows: &[Row], language: &str) -> String {
    let words = if language == "fr" { &FR } else { &EN };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{language}\"><meta charset=\"utf-8\"><title>{}</title>\n\
         <style>body{{font:10pt sans-serif}}table{{border-collapse:collapse;width:100%}}\
         th,td{{border:1px solid #888;padding:.15em .4em;text-align:left}}\
         thead{{display:table-header-group}}tr{{break-inside:avoid}}@page{{margin:1.5cm}}\
         </style>\n<h1>{}</h1>\n<table><thead><tr>",
        words.title, words.title
    );
    for head in words.head {
        let _ = write!(page, "<th>{head}");
    }
    page.push_str("<th></tr></thead>\n");
    for row in rows {
        let turn = words.sides[usize::from(row.turn == Color::Black)];
        let cells = [
            time_of_day(row),
            row.table.to_string(),
            row.game.to_string(),
            shown(row.times[0]),
            shown(row.times[1]),
            row.moves[0].to_string(),
            row.moves[1].to_string(),
            row.periods[0].to_string(),
            row.periods[1].to_string(),
            turn.to_owned(),
            words.causes[row.cause as usize].to_owned(),
        ];
        let _ = writeln!(page, "<tr><td>{}</tr>", cells.join("<td>"));
    }
    page.push_str("</table></html>\n");
    page
}

fn shown(time: Option<FaceTime>) -> String {
    time.map_or_else(String::new, |time| time.to_string())
}

fn time_of_day(row: &Row) -> String {
    row.at.map_or_else(|| format!("+{} s", row.moment.as_micros() / 1_000_000), WallTime::rfc3339)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{LineId, Plan, Seats, TableEntry, Watch};
    use crate::virtual_line;

    fn record(script: &str, control: &str) -> Vec<Record> {
        let script = rehearsal::parse(script).unwrap();
        let watch = Watch { time_control: control.to_owned(), ..Watch::default() };
        let table = TableEntry {
            number: 1,
            port: Some("usb1".into()),
            serial: None,
            driver: Some("dgt".into()),
            station: 0,
            watch: watch.clone(),
        };
        let plan = Plan { tables: vec![table], watch, seats: Seats::default() };
        let id = LineId { path: "usb1".into(), names: vec!["usb1".into()] };
        let mut records = vec![
            (Moment::ZERO, Entry::Wall(1_795_269_590_000_000)),
            (Moment::ZERO, Entry::Planned(plan)),
            (Moment::ZERO, Entry::Opened(1, id)),
        ];
        records.extend(virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), 1));
        records
    }

    /// 13:59:50 at the beginning; a minute later and at the end of the period.
    #[test]
    fn every_table_is_written_down_on_the_minute_and_at_the_end_of_a_period() {
        let control = "2/60+5:30+5";
        let records = record(
            &format!(
                "# time_control: {control}\n+4 e2^ e4v | +5 e7^ e5v | +5 g1^ f3v | +5 b8^ c6v | +60"
            ),
            control,
        );
        let rows = rows(&records, Duration::from_secs(60));
        let told: Vec<_> = rows.iter().map(|row| (row.cause, row.moves, row.periods)).collect();
        assert_eq!(
            told,
            [
                (Cause::Hour, [1, 0], [1, 1]),
                (Cause::Period, [2, 1], [2, 1]),
                (Cause::Period, [2, 2], [2, 2]),
                (Cause::Hour, [2, 2], [2, 2]),
            ]
        );
        assert_eq!(rows[0].at.unwrap().rfc3339(), "2026-11-21T14:00:00.000Z");
        let csv = csv(&rows);
        assert_eq!(csv.lines().count(), 5);
        let hour = csv.lines().nth(1).unwrap();
        assert!(hour.starts_with("2026-11-21T14:00:00.000Z,1,1,hour,0:01:"), "{hour}");
        assert!(hour.ends_with(",1,0,1,1,black"), "{hour}");
        let page = html(&rows, "fr");
        assert_eq!(page.matches("<tr>").count(), 5);
        assert!(page.contains("nouvelle période"));
    }
}
