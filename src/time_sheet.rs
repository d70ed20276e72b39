//! The time sheet (commentary to Article 6.10.1): the times of every clock in the hall and the
//! moves made, every half hour and at the end of a period or a game.
//!
//! It follows from the record alone. A sheet that is made again from the record equals the one that
//! was written while the daemon ran.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{Color, Position as _};
use witness::{Effect, Event, GameNo, Message, Phase, Table, TableNo};
use words::Language;

use crate::config::Config;
use crate::entry::Entry;
use crate::entry::Record;
use crate::html::escaped;
use crate::pairings::Players;
use crate::say;
use crate::time::{Anchor, WallTime};
use crate::works::{Act, Works};

/// Why a row was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Cause {
    /// The time of day.
    Hour,
    /// A player's next period began.
    Period,
    /// The game got a result.
    Result,
}

impl Cause {
    /// The name for machines; it never changes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Period => "period",
            Self::Result => "result",
        }
    }
}

/// A row: one table at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Row {
    /// The time of day; none: the record has none for this moment.
    pub at: Option<WallTime>,
    /// The moment of the record.
    pub moment: Moment,
    /// The table.
    pub table: TableNo,
    /// Its game at the table, from 1.
    pub game: GameNo,
    /// Why the row was written.
    pub cause: Cause,
    /// The times left to White and Black, if a clock was read.
    pub times: [Option<FaceTime>; 2],
    /// Moves completed.
    pub moves: [u32; 2],
    /// The current periods, from 1.
    pub periods: [u8; 2],
    /// The side to move.
    pub turn: Color,
    /// The players, if pairings or an arbiter name them.
    pub players: Option<Players>,
}

/// A connected clock reports every few seconds. A reading that is older than this is not shown.
const FRESH: Duration = Duration::from_secs(60);

/// The headings of the printed page.
const HEAD: [fn() -> Message; 12] = [
    say::column_time,
    say::column_table,
    say::column_game,
    say::column_white,
    say::column_black,
    say::column_time_white,
    say::column_time_black,
    say::column_moves_white,
    say::column_moves_black,
    say::column_period_white,
    say::column_period_black,
    say::column_to_move,
];

/// The rows of a whole record, one per table each time this span has passed.
#[must_use]
pub fn rows(records: &[Record], every: Duration) -> Vec<Row> {
    let mut works = Works::new(catalog::languages());
    let (mut sheet, mut acts, mut rows) = (Sheet::new(every), Vec::new(), Vec::new());
    for (at, entry) in records {
        sheet.enter(&mut works, *at, entry, &mut acts);
        acts.clear();
        for gone in sheet.withdrawn.drain(..) {
            rows.retain(|row: &Row| !gone.is_of(row));
        }
        rows.append(&mut sheet.fresh);
    }
    rows
}

/// The sheet as it grows beside the works: the rows of each table's current game.
#[derive(Debug)]
pub struct Sheet {
    every: Duration,
    anchor: Option<Anchor>,
    games: BTreeMap<TableNo, Vec<Row>>,
    /// Rows that were not taken yet, and the tables whose rows changed.
    fresh: Vec<Row>,
    changed: BTreeSet<TableNo>,
    /// Withdrawn results that were not taken yet.
    withdrawn: Vec<Withdrawn>,
}

/// The result of a game was withdrawn.
#[derive(Clone, Copy, Debug)]
struct Withdrawn {
    table: TableNo,
    game: GameNo,
}

impl Withdrawn {
    /// Whether the row was written for this result.
    fn is_of(self, row: &Row) -> bool {
        (row.table, row.game, row.cause) == (self.table, self.game, Cause::Result)
    }
}

/// What was not taken yet is left out. After a start, every table is published anyway.
impl Encode for Sheet {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.every.encode(to)?;
        self.anchor.encode(to)?;
        self.games.encode(to)
    }
}

impl<Context> Decode<Context> for Sheet {
    fn decode<D: Decoder<Context = Context>>(from: &mut D) -> Result<Self, DecodeError> {
        let sheet = Self::new(Decode::decode(from)?);
        Ok(Self { anchor: Decode::decode(from)?, games: Decode::decode(from)?, ..sheet })
    }
}

impl Sheet {
    /// An empty sheet. This span lies between two rows of a table.
    #[must_use]
    pub fn new(every: Duration) -> Self {
        let (games, changed) = (BTreeMap::new(), BTreeSet::new());
        Self { every, anchor: None, games, fresh: Vec::new(), changed, withdrawn: Vec::new() }
    }

    /// The same sheet with another span between two rows of a table.
    #[must_use]
    pub fn with_span(self, every: Duration) -> Self {
        Self { every, ..self }
    }

    /// When the next rows are due by the time of day; none: after `limit`.
    #[must_use]
    pub fn next(&self, now: Moment, limit: Moment) -> Option<Moment> {
        let every = i64::try_from(self.every.as_micros()).ok().filter(|every| *every > 0)?;
        let wall = self.anchor.as_ref().map_or_else(
            || i64::try_from(now.as_micros()).unwrap_or(i64::MAX),
            |anchor| anchor.wall(now).as_micros(),
        );
        let ahead = u64::try_from(every - wall.rem_euclid(every)).ok()?;
        let next = now + Duration::from_micros(ahead);
        (next <= limit).then_some(next)
    }

    /// Gives an entry to the works and writes the rows that follow. The rows of full half hours
    /// before it come first.
    pub fn enter(&mut self, works: &mut Works, at: Moment, entry: &Entry, out: &mut Vec<Act>) {
        self.advance(works, at, out);
        if let Entry::Wall(micros) = entry {
            self.anchor = Some(Anchor { moment: at, wall: WallTime::from_micros(*micros) });
        }
        let from = out.len();
        works.enter(at, entry, out);
        self.heard(works, out.get(from..).unwrap_or_default());
    }

    /// Lets time pass for the works.
    pub fn advance(&mut self, works: &mut Works, to: Moment, out: &mut Vec<Act>) {
        loop {
            let (hour, from) = (self.next(works.now(), to), out.len());
            works.advance(hour.unwrap_or(to), out);
            self.heard(works, out.get(from..).unwrap_or_default());
            match hour {
                Some(hour) => self.hour(works, hour),
                None => return,
            }
        }
    }

    /// The span between two rows of a table.
    #[must_use]
    pub const fn every(&self) -> Duration {
        self.every
    }

    /// The latest moment with a known time of day.
    #[must_use]
    pub const fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_ref()
    }

    /// Counts these tables as changed, so that they are published again.
    pub fn tell_again(&mut self, tables: impl IntoIterator<Item = TableNo>) {
        self.changed.extend(tables);
    }

    /// The rows of a table's current game.
    #[must_use]
    pub fn of(&self, table: TableNo) -> &[Row] {
        self.games.get(&table).map_or(&[], Vec::as_slice)
    }

    /// The tables whose rows changed since the last call.
    pub fn take_changed(&mut self) -> BTreeSet<TableNo> {
        self.fresh.clear();
        self.withdrawn.clear();
        std::mem::take(&mut self.changed)
    }

    fn heard(&mut self, works: &Works, acts: &[Act]) {
        for act in acts {
            if let Act::Table(at, number, Effect::Event(event)) = act {
                self.told_one(works, *at, *number, event);
            }
        }
    }

    /// Writes a row for every table in play.
    fn hour(&mut self, works: &Works, at: Moment) {
        for (number, table) in works.hall().tables().filter(|(_, table)| is_played(table)) {
            let players = works.players(number);
            let row = row(at, self.anchor.as_ref(), number, table, Cause::Hour);
            self.write(Row { players, ..row });
        }
    }

    fn told_one(&mut self, works: &Works, at: Moment, number: TableNo, event: &Event) {
        let Some(table) = works.hall().table(number) else { return };
        let cause = match event {
            Event::NewGame(_) => {
                self.games.remove(&number);
                self.changed.insert(number);
                return;
            }
            Event::Period(_) => Cause::Period,
            Event::Result if table.score().ending().is_some() => Cause::Result,
            Event::Result => return self.withdraw(number, table.game_number()),
            _ => return,
        };
        let row = row(at, self.anchor.as_ref(), number, table, cause);
        let row = Row { players: works.players(number), ..row };
        // Both players may enter a period at once.
        if self.of(number).last() != Some(&row) {
            self.write(row);
        }
    }

    /// Removes the row of a result that was withdrawn.
    fn withdraw(&mut self, table: TableNo, game: GameNo) {
        let gone = Withdrawn { table, game };
        let Some(rows) = self.games.get_mut(&table) else { return };
        let before = rows.len();
        rows.retain(|row| !gone.is_of(row));
        if rows.len() < before {
            self.fresh.retain(|row| !gone.is_of(row));
            self.withdrawn.push(gone);
            self.changed.insert(table);
        }
    }

    fn write(&mut self, row: Row) {
        self.changed.insert(row.table);
        self.games.entry(row.table).or_default().push(row.clone());
        self.fresh.push(row);
    }
}

fn is_played(table: &Table) -> bool {
    matches!(table.phase(), Phase::InPlay | Phase::Paused | Phase::Adrift)
        && table.adjournment().is_none()
}

fn row(
    moment: Moment,
    anchor: Option<&Anchor>,
    number: TableNo,
    table: &Table,
    cause: Cause,
) -> Row {
    let state = table.clocks().state();
    // An old reading says nothing about the present: the line or the daemon was away.
    let state = state.filter(|state| moment.since(state.sampled) <= FRESH);
    let passed = |side: Color| match state {
        Some(state) if state.running == Some(side) => moment.since(state.sampled),
        _ => Duration::ZERO,
    };
    let time = |side: Color| state.map(|state| state.times.get(side).less(passed(side)));
    let moves = |side: Color| table.score().moves_completed(side);
    let period = |side: Color| table.clocks().state().map_or(1, |it| *it.periods.get(side));
    let sides = [Color::White, Color::Black];
    Row {
        // The full minute, and not a millisecond less.
        at: anchor.map(|anchor| anchor.wall(moment).rounded()),
        moment,
        table: number,
        game: table.game_number(),
        cause,
        times: sides.map(time),
        moves: sides.map(moves),
        periods: sides.map(period),
        turn: table.score().position().turn(),
        players: None,
    }
}

/// Comma-separated values under a line of names. Times of day are UTC.
#[must_use]
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "at,table,game,cause,white_time,black_time,white_moves,black_moves,white_period,\
         black_period,to_move\n",
    );
    for row in rows {
        let cause = row.cause.name();
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

/// A page to print, in one of the languages of the event. Times of day are local to the place where
/// the event starts.
#[must_use]
pub fn html(rows: &[Row], config: &Config, language: &str) -> String {
    let language = Language::of(language).unwrap_or(Language::ENGLISH);
    let title = language.say(&say::time_sheet());
    let zone = config.event.start.as_deref().map_or("Z", offset);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{language}\"><meta charset=\"utf-8\"><title>{}</title>\n\
         <style>body{{font:10pt sans-serif}}table{{border-collapse:collapse;width:100%}}\
         th,td{{border:1px solid #888;padding:.15em .4em;text-align:left}}\
         td:first-child{{white-space:nowrap}}\
         thead{{display:table-header-group}}tr{{break-inside:avoid}}@page{{margin:1.5cm}}\
         </style>\n<h1>{}</h1>\n",
        title, title
    );
    let event = &config.event;
    let round = Some(&event.round).filter(|it| !it.is_empty());
    let round = round.map_or_else(String::new, |round| language.say(&say::paper_round(round)));
    let zone_name = if zone == "Z" { "UTC".to_owned() } else { format!("UTC{zone}") };
    let line = [&event.name, &event.site, &round, &zone_name];
    let line: Vec<_> = line.into_iter().filter(|it| !it.is_empty()).map(|it| escaped(it)).collect();
    let _ = write!(page, "<p>{}\n<table><thead><tr>", line.join(" · "));
    for head in HEAD {
        let _ = write!(page, "<th>{}", language.say(&head()));
    }
    page.push_str("<th></tr></thead>\n");
    for row in rows {
        let named = row.players.clone().unwrap_or_else(|| config.players(row.table));
        let turn = match row.turn {
            Color::White => say::column_white(),
            Color::Black => say::column_black(),
        };
        let cells = [
            on_the_wall(row, zone),
            row.table.to_string(),
            row.game.to_string(),
            escaped(&named.white.name),
            escaped(&named.black.name),
            shown(row.times[0]),
            shown(row.times[1]),
            row.moves[0].to_string(),
            row.moves[1].to_string(),
            row.periods[0].to_string(),
            row.periods[1].to_string(),
            language.say(&turn),
            match row.cause {
                Cause::Hour => String::new(),
                Cause::Period => language.say(&say::cause_period()),
                Cause::Result => language.say(&say::cause_result()),
            },
        ];
        let _ = writeln!(page, "<tr><td>{}</tr>", cells.join("<td>"));
    }
    page.push_str("</table></html>\n");
    page
}

/// The offset from UTC of a time of day: its last six characters.
fn offset(start: &str) -> &str {
    let offset = start.len().checked_sub(6).and_then(|at| start.get(at..));
    offset.filter(|it| it.starts_with(['+', '-'])).unwrap_or("Z")
}

/// `2026-11-20 14:30` at this offset. Seconds are shown only if they are not zero.
fn on_the_wall(row: &Row, zone: &str) -> String {
    let Some(at) = row.at else { return time_of_day(row) };
    let number = |at: std::ops::Range<usize>| {
        zone.get(at).and_then(|it| it.parse::<i64>().ok()).unwrap_or(0)
    };
    let minutes = number(1..3) * 60 + number(4..6);
    let minutes = if zone.starts_with('-') { -minutes } else { minutes };
    let local = WallTime::from_micros(at.as_micros().saturating_add(minutes * 60_000_000));
    let text = local.rfc3339().replace('T', " ");
    let text = text.get(..19).unwrap_or_default();
    text.strip_suffix(":00").unwrap_or(text).to_owned()
}

fn shown(time: Option<FaceTime>) -> String {
    time.map_or_else(String::new, |time| time.to_string())
}

fn time_of_day(row: &Row) -> String {
    row.at.map_or_else(|| format!("+{} s", row.moment.as_micros() / 1_000_000), WallTime::rfc3339)
}

#[cfg(test)]
mod tests {
    use witness::LineNo;

    use super::*;
    use crate::entry::{LineId, Plan, TableEntry, Watch};
    use crate::lines::virtual_line;

    fn record(script: &str, control: &str) -> Vec<Record> {
        let script = rehearsal::parse(script).unwrap();
        let watch = Watch { time_control: control.to_owned(), ..Watch::default() };
        let table = TableEntry::at(TableNo::new(1), "usb1", "dgt", &watch);
        let plan = Plan { tables: vec![table], watch, ..Plan::default() };
        let id = LineId::at("usb1");
        let mut records = vec![
            (Moment::ZERO, Entry::Wall(1_795_269_590_000_000)),
            (Moment::ZERO, Entry::Planned(Box::new(plan))),
            (Moment::ZERO, Entry::Opened(LineNo::new(1), id)),
        ];
        records.extend(virtual_line::heard(
            &dgt::DRIVER,
            script.play(),
            script.end(),
            LineNo::new(1),
        ));
        records
    }

    /// Rows at 13:59:50 as the game begins, a minute later, and at the end of the period.
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
        let causes: Vec<_> = rows.iter().map(|row| (row.cause, row.moves, row.periods)).collect();
        assert_eq!(
            causes,
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
        let text = "[event]\nname = \"Open <A>\"\nround = \"3\"\n\
                    start = \"2026-11-21T15:00:00+01:00\"\n\
                    [[table]]\nnumber = 1\nport = \"/a\"\nwhite = \"Doe, Jane\"\n";
        let page = html(&rows, &toml::from_str(text).unwrap(), "fr");
        assert_eq!(page.matches("<tr>").count(), 5);
        assert!(page.contains("nouvelle période"));
        assert!(page.contains("<p>Open &lt;A&gt; · Ronde 3 · UTC+01:00"), "{page}");
        assert!(page.contains("<tr><td>2026-11-21 15:00<td>1<td>1<td>Doe, Jane<td>"), "{page}");
    }
}
