//! How a board gets its table. The works collect what a board reports of itself, and move boards to
//! the tables that the seating names. The seating decides.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use eboard::{Identity, Input, Senses, Sighting, Station};
use witness::{LineNo, Part, Present, Said, Seat, TableNo, Unseated};

use super::{Act, Board, Line, Looks, Machine, Works};

/// How long a recognised board may take to report its serial number, and then its squares. It is
/// three times the interval at which a DGT board is asked again.
pub(super) const INTRODUCTION: Duration = Duration::from_secs(6);

/// The nodes of boards that are bound by Bluetooth.
const BLUETOOTH: &str = "/dev/rfcomm";

/// How long such a board takes to look at all its squares: twice as long as one on a cable.
const BLUETOOTH_SCAN: Duration = Duration::from_millis(500);

impl Board {
    fn seat(&self) -> Option<(TableNo, Part)> {
        self.table.map(|table| (table, self.part))
    }

    fn said(&self) -> Said {
        match &self.identity {
            Some(_) if self.introduced && self.looks != Looks::Unknown => {
                Said::Numbers(self.numbers.clone())
            }
            Some(_) => Said::Language,
            None => Said::Nothing,
        }
    }
}

impl Line {
    /// A board on the line, as the seating wants to know it.
    pub(super) fn present(&self, station: Station) -> Option<Present> {
        let driver = match self.machine {
            Machine::Talking(driver, _) => Some(driver),
            Machine::Probing(_) => None,
        };
        let language = driver.map(|driver| driver.name.to_owned());
        let clock = driver.is_some_and(|driver| driver.senses == Senses::Nothing);
        let board = self.boards.get(&station)?;
        let (said, doubtful) = (board.said(), board.looks == Looks::Another);
        let (names, known_by) = (self.id.names.clone(), self.id.lasting());
        Some(Present { names, known_by, doubtful, clock, station, language, said })
    }

    /// A touch that lasts less than this its boards may not report.
    pub(super) fn misses(&self) -> Option<Duration> {
        let Machine::Talking(driver, _) = self.machine else { return None };
        let wireless = self.id.names.iter().any(|name| name.starts_with(BLUETOOTH));
        Some(if wireless { driver.misses.max(BLUETOOTH_SCAN) } else { driver.misses })
    }
}

impl Works {
    pub(super) fn identified(&mut self, at: Seat, identity: &Identity, out: &mut Vec<Act>) {
        self.found(at, out);
        let Some(line) = self.lines.get_mut(&at.line) else { return };
        let numbered = matches!(line.machine, Machine::Talking(driver, _) if driver.numbered);
        let board = line.boards.entry(at.station).or_default();
        board.identity = Some(identity.clone());
        match &identity.serial {
            Some(serial) => _ = board.numbers.insert(serial.clone()),
            // A board that had a number and now reports none is another board. It introduces itself
            // anew.
            None if !board.numbers.is_empty() => {
                board.numbers.clear();
                board.introduced = false;
            }
            None => {}
        }
        out.push(Act::Recognised(at));
        if identity.serial.is_some() || !numbered {
            return self.introduced(at, out);
        }
        if !board.introduced {
            board.seat_by.get_or_insert(self.now + INTRODUCTION);
            self.reschedule(at.line);
        }
        self.present(at, out);
    }

    /// Handles a recognised board. On a bus no board can be at the place of a line's only board, so
    /// that place is removed.
    fn found(&mut self, at: Seat, out: &mut Vec<Act>) {
        let only = Seat::only(at.line);
        let unknown = |board: &Board| board.identity.is_none();
        if at == only || !self.board(only).is_some_and(unknown) {
            return;
        }
        self.leave(only, out);
        if let Some(line) = self.lines.get_mut(&at.line) {
            line.boards.remove(&only.station);
        }
        self.seating.left(only);
    }

    /// Handles the end of a board's introduction: it has reported everything, or its time is over.
    pub(super) fn introduced(&mut self, at: Seat, out: &mut Vec<Act>) {
        let Some(board) = self.board_mut(at) else { return };
        if !board.introduced {
            board.seat_by = None;
            board.introduced = true;
            self.reschedule(at.line);
        }
        self.present(at, out);
    }

    /// Handles the end of the time for a serial number, or for the squares.
    pub(super) fn waited(&mut self, at: Seat, out: &mut Vec<Act>) {
        let Some(board) = self.board_mut(at) else { return };
        if board.introduced {
            if board.looks == Looks::Unknown {
                board.looks = Looks::Own;
            }
            board.seat_by = None;
            self.reschedule(at.line);
        }
        self.introduced(at, out);
    }

    /// Gives the seating what is known of a board. The board may get another table by it.
    pub(super) fn present(&mut self, at: Seat, out: &mut Vec<Act>) {
        self.judge(at, out);
        let line = self.lines.get(&at.line);
        let Some(present) = line.and_then(|line| line.present(at.station)) else { return };
        let muted = self.seating.awaits_number(at);
        self.seating.present(at.line, present);
        if muted && !self.seating.awaits_number(at) {
            // Until now the board reported its squares to no table. The new table must see them.
            self.leave(at, out);
        }
        self.seat(out);
    }

    /// Moves boards to the tables that the seating names. Boards leave their tables before others
    /// take them.
    pub(super) fn seat(&mut self, out: &mut Vec<Act>) {
        let mut moved = Vec::new();
        for (number, line) in &self.lines {
            for (station, board) in &line.boards {
                let at = Seat { line: *number, station: *station };
                if board.seat() != self.seating.seat(at) {
                    moved.push(at);
                }
            }
        }
        for at in &moved {
            self.leave(*at, out);
        }
        for at in moved {
            match self.seating.seat(at) {
                Some(seat) => self.sit(at, seat, out),
                // The arbiter who is asked wants to see its squares.
                None => self.converse(at.line, Input::Survey(at.station), out),
            }
        }
        self.report_unseated(out);
    }

    /// Reports boards without a table, if that or the reason is new.
    fn report_unseated(&mut self, out: &mut Vec<Act>) {
        let now = self.all_unseated();
        let before = std::mem::replace(&mut self.unseated, now);
        let others = before.keys().chain(self.unseated.keys());
        let others = others.filter(|at| before.get(at) != self.unseated.get(at));
        let others: BTreeSet<_> = others.copied().collect();
        out.extend(others.into_iter().map(Act::Seated));
    }

    /// All boards without a table, and why.
    pub(super) fn all_unseated(&self) -> BTreeMap<Seat, Unseated> {
        let seats = self.seats_at(|_| true);
        seats.filter_map(|at| Some((at, self.seating.unseated(at)?))).collect()
    }

    /// Takes a board away from its table.
    pub(super) fn leave(&mut self, at: Seat, out: &mut Vec<Act>) {
        if self.board_mut(at).is_some_and(|board| board.table.take().is_some()) {
            self.with_hall(out, |hall, now, effects| hall.line(now, at, false, effects));
            self.hall.vacate(at);
        }
    }

    fn sit(&mut self, at: Seat, (table, part): (TableNo, Part), out: &mut Vec<Act>) {
        let settings = self.plan.watch_of(table).settings();
        self.hall.open(self.now, table, settings);
        self.rounds.opened(&self.plan, table);
        self.announce(table, out);
        self.hall.seat_at(at, table, part);
        let Some(board) = self.board_mut(at) else { return };
        (board.table, board.part) = (Some(table), part);
        (board.shown, board.looks) = (None, Looks::Own);
        let identity = board.identity.clone();
        out.push(Act::Seated(at));
        self.with_hall(out, |hall, now, effects| hall.line(now, at, true, effects));
        if let Some(identity) = identity {
            let sighting = Sighting::Identified(identity);
            self.with_hall(out, |hall, now, effects| hall.sight(now, at, sighting, effects));
            self.tell_misses(at, out);
            self.converse(at.line, Input::Survey(at.station), out);
        }
    }

    /// The table is told which touches the board at it may not report.
    pub(super) fn tell_misses(&mut self, at: Seat, out: &mut Vec<Act>) {
        let Some(misses) = self.lines.get(&at.line).and_then(Line::misses) else { return };
        let sighting = Sighting::Misses(misses);
        self.with_hall(out, |hall, now, effects| hall.sight(now, at, sighting, effects));
    }

    /// Asks a table's board for all its squares.
    pub(super) fn survey(&mut self, table: TableNo, out: &mut Vec<Act>) {
        let seats: Vec<_> = self.seats_at(|board| board.table == Some(table)).collect();
        for at in seats {
            self.converse(at.line, Input::Survey(at.station), out);
        }
    }

    /// Asks every board of a line for all its squares.
    pub(super) fn survey_line(&mut self, number: LineNo, out: &mut Vec<Act>) {
        for at in self.seats_on(number) {
            self.converse(number, Input::Survey(at.station), out);
        }
    }

    /// The places of the boards that satisfy a condition.
    pub(super) fn seats_at(&self, wanted: impl Fn(&Board) -> bool) -> impl Iterator<Item = Seat> {
        self.lines.iter().flat_map(move |(number, line)| {
            let boards = line.boards().filter(|(_, board)| wanted(board));
            let seats = boards.map(|(station, _)| Seat { line: *number, station });
            seats.collect::<Vec<_>>()
        })
    }

    pub(super) fn seats_on(&self, number: LineNo) -> Vec<Seat> {
        let boards = self.lines.get(&number).into_iter().flat_map(Line::boards);
        boards.map(|(station, _)| Seat { line: number, station }).collect()
    }

    pub(super) fn board_mut(&mut self, at: Seat) -> Option<&mut Board> {
        self.lines.get_mut(&at.line)?.boards.get_mut(&at.station)
    }
}
