//! Boards without a table: their squares, the games they look like, and the arbiter's answer.
//!
//! A board without a serial number is recognised by its line. If its squares are nearer to the game
//! of another table that waits for its board, the daemon does not guess and asks the arbiter.

use bincode::{Decode, Encode};
use eboard::{Input, Occupancy, Placement, Sighting, Square, Station};
use serde_json::{Value, json};
use shakmaty::Position;
use witness::{Message, NotSeated, Refusal, Seat, Table, TableNo, Unseated, Which};

use super::seats::INTRODUCTION;
use super::{Act, Board, Looks, Machine, Works};
use crate::requests::SeatBoard;
use crate::say;

/// The squares of a board without a table, in wire order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Shown {
    /// The pieces on all squares.
    Pieces(Placement),
    /// The occupied squares.
    Occupied(Occupancy),
}

impl Shown {
    pub(super) fn after(before: Option<Self>, sighting: &Sighting) -> Option<Self> {
        match (before, sighting) {
            (_, Sighting::Position(placement)) => Some(Self::Pieces(*placement)),
            (_, Sighting::Occupancy(occupancy)) => Some(Self::Occupied(*occupancy)),
            (Some(Self::Pieces(mut placement)), Sighting::Square { square, piece }) => {
                placement[*square] = *piece;
                Some(Self::Pieces(placement))
            }
            (Some(Self::Occupied(mut occupancy)), Sighting::Presence { square, occupied }) => {
                occupancy.set(*square, *occupied);
                Some(Self::Occupied(occupancy))
            }
            (before, _) => before,
        }
    }

    /// The same squares on a board turned by 180°.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Pieces(placement) => Self::Pieces(placement.turned()),
            Self::Occupied(occupancy) => Self::Occupied(occupancy.turned()),
        }
    }

    /// The number of squares that differ from a placement.
    fn differs(self, from: &Placement) -> usize {
        match self {
            Self::Pieces(placement) => placement.differing(from).count(),
            Self::Occupied(occupancy) => {
                let other = |it: &Square| occupancy.contains(*it) != from[*it].is_some();
                Square::all().filter(other).count()
            }
        }
    }

    fn differs_from_game(self, table: &Table) -> usize {
        self.differs(&witness::placement(table.score().position().board(), table.turned()))
    }

    /// The number of squares that differ from a table's game, or from what its board showed last if
    /// that is less. A game that is not understood goes on too.
    fn differs_from_table(self, table: &Table) -> usize {
        let seen = table.squares_at(Which::First);
        let seen = seen.map(|(board, _)| witness::placement(board, table.turned()));
        let game = self.differs_from_game(table);
        seen.map_or(game, |seen| game.min(self.differs(&seen)))
    }

    /// The number of squares that differ from the initial position, whichever way the board lies.
    fn differs_from_start(self) -> usize {
        let start = Placement::starting();
        self.differs(&start).min(self.turned().differs(&start))
    }
}

/// A board without a table, and the possible answers.
pub struct WithoutTable {
    /// The place of the board.
    pub at: Seat,
    /// The reason why it has no table.
    pub why: Unseated,
    /// Its squares, turned as its likeliest table would see them.
    pub shown: Option<Shown>,
    /// The tables that it can get, the likeliest first.
    pub tables: Vec<Offer>,
    /// Whether it can get a new table.
    pub new_table: bool,
}

/// A table that a board can get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its number.
    pub table: TableNo,
    /// Whether its game is in play and has moves.
    pub in_play: bool,
    /// The number of squares where the board differs from the game; none: unknown.
    pub differs: Option<usize>,
    /// Whether the board shows this game, and the game of no other table in the list.
    pub agrees: bool,
}

impl Works {
    /// Handles a sighting of a board that may have no table.
    pub(super) fn shows(&mut self, at: Seat, sighting: &Sighting, out: &mut Vec<Act>) {
        let Some(board) = self.board_mut(at).filter(|board| board.table.is_none()) else { return };
        let now = Shown::after(board.shown, sighting);
        if now == board.shown {
            return;
        }
        board.shown = now;
        if board.introduced && board.looks == Looks::Unknown {
            return self.present(at, out);
        }
        out.push(Act::Shown);
    }

    /// Decides once whether a board can have the table of its line.
    pub(super) fn judge(&mut self, at: Seat, out: &mut Vec<Act>) {
        let open = |it: &Board| it.introduced && it.table.is_none() && it.looks == Looks::Unknown;
        if !self.board(at).is_some_and(open) {
            return;
        }
        let (looks, late) = (self.looks_like(at), self.now + INTRODUCTION);
        let Some(board) = self.board_mut(at) else { return };
        board.looks = looks;
        if looks == Looks::Unknown && board.seat_by.is_none() {
            board.seat_by = Some(late);
            self.reschedule(at.line);
            self.converse(at.line, Input::Survey(at.station), out);
        }
    }

    /// Whether the squares look more like the game of another table that waits for such a board
    /// than like the game of its own table or a new game. What a board showed last counts as its
    /// table's game too.
    fn looks_like(&self, at: Seat) -> Looks {
        let Some(line) = self.lines.get(&at.line) else { return Looks::Own };
        let Machine::Talking(driver, _) = line.machine else { return Looks::Own };
        let Some(present) = line.present(at.station).filter(|_| !driver.numbered) else {
            return Looks::Own;
        };
        let own = self.seating.known_at(&present);
        let waiting: Vec<_> = self
            .hall
            .tables()
            .filter(|(number, table)| Some(*number) != own && is_under_way(table))
            .filter(|(number, _)| self.seating.waits_for(*number, driver.name))
            .map(|(_, table)| table)
            .collect();
        if waiting.is_empty() {
            return Looks::Own;
        }
        let shown = line.boards.get(&at.station).and_then(|board| board.shown);
        let Some(shown) = shown else { return Looks::Unknown };
        let own = own.and_then(|own| self.hall.table(own));
        let expected = own.map(|own| shown.differs_from_table(own)).into_iter();
        let expected = expected.chain([shown.differs_from_start()]).min();
        let another = waiting.iter().map(|it| shown.differs_from_table(it)).min() < expected;
        if another { Looks::Another } else { Looks::Own }
    }

    /// All introduced boards without a table, and the possible answers. Clocks are left out: the
    /// configuration names their table.
    #[must_use]
    pub fn asked(&self) -> Vec<WithoutTable> {
        let unseated = self.all_unseated().into_iter();
        let known = unseated.filter(|(at, why)| *why != Unseated::Awaited && !self.is_clock(*at));
        known.map(|(at, why)| self.asked_of(at, why)).collect()
    }

    fn is_clock(&self, at: Seat) -> bool {
        let present = self.lines.get(&at.line).and_then(|line| line.present(at.station));
        present.is_some_and(|present| present.clock)
    }

    fn asked_of(&self, at: Seat, why: Unseated) -> WithoutTable {
        let shown = self.board(at).and_then(|board| board.shown);
        let free = |number: &TableNo| self.seating.may_give(at, Some(*number)).is_ok();
        let tables = self.hall.tables().filter(|(number, _)| free(number));
        let mut tables: Vec<_> = tables
            .map(|(number, table)| {
                let game = table.score().began().is_some();
                let differs = shown.filter(|_| game).map(|it| it.differs_from_game(table));
                Offer { table: number, in_play: is_under_way(table), differs, agrees: false }
            })
            .collect();
        let mut of_it = tables.iter_mut().filter(|it| it.in_play && it.differs == Some(0));
        if let (Some(only), None) = (of_it.next(), of_it.next()) {
            only.agrees = true;
        }
        tables.sort_by_key(|it| {
            let differs = it.differs.unwrap_or(usize::MAX);
            (!it.agrees, !it.in_play, differs, it.table)
        });
        let likeliest = tables.first().and_then(|it| self.hall.table(it.table));
        let turned = likeliest.is_some_and(|it| it.turned());
        let shown = shown.map(|it| if turned { it.turned() } else { it });
        let new_table = self.seating.may_give(at, None).is_ok();
        WithoutTable { at, why, shown, tables, new_table }
    }

    /// Gives a board the table that an arbiter named.
    pub(super) fn give_table(
        &mut self,
        asked: &SeatBoard,
        out: &mut Vec<Act>,
    ) -> Result<Value, Message> {
        let named = self.lines.iter().find(|(_, line)| line.id.names.contains(&asked.line));
        let station = asked.station.map_or(Station::ONLY, Station);
        let at = named.map(|(number, _)| Seat { line: *number, station });
        let given = at.ok_or(NotSeated::Gone).and_then(|at| self.seating.give(at, asked.table));
        let table = given.map_err(|why| self.not_given(asked, why))?;
        if let Some(board) = at.and_then(|at| self.board_mut(at)) {
            board.looks = Looks::Own;
        }
        self.seat(out);
        Ok(json!({"table": table}))
    }

    fn not_given(&self, asked: &SeatBoard, why: NotSeated) -> Message {
        let (line, table) = (&asked.line, asked.table.unwrap_or_default());
        match why {
            NotSeated::Gone => say::no_board_answers(line),
            NotSeated::NoSuchTable => Refusal::NoSuchTable.text(),
            NotSeated::Taken(there) => {
                let path = self.path_of(there);
                say::has_a_board(table, &path)
            }
            NotSeated::Seated(table) => say::is_board_already(table),
            NotSeated::Promised => say::seat_is_promised(),
            NotSeated::AllNamed => say::all_are_named(),
        }
    }
}

/// Whether a game has moves and no result.
pub(super) fn is_under_way(table: &Table) -> bool {
    table.is_in_play() && !table.score().plies().is_empty()
}
