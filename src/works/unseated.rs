//! Boards that have no table: what stands on them, which games that looks like, and what an arbiter
//! answers. A board without a number that comes back on a line of its own is known by it; where its
//! squares are nearer to the game of another table that waits for its board, nobody guesses.

use bincode::{Decode, Encode};
use eboard::{Input, Occupancy, Placement, Sighting, Square, Station};
use serde_json::{Value, json};
use shakmaty::Position;
use witness::{Message, NotSeated, Refusal, Seat, Table, Unseated, Which};

use super::seats::INTRODUCTION;
use super::{Act, Board, Machine, Works};
use crate::requests::SeatBoard;
use crate::say;

/// What stands on a board without a table, in wire order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Shown {
    /// These pieces.
    Pieces(Placement),
    /// Something on these squares.
    Occupied(Occupancy),
}

impl Shown {
    fn after(before: Option<Self>, sighting: &Sighting) -> Option<Self> {
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

    /// The same when the board is turned by 180°.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Pieces(placement) => Self::Pieces(placement.turned()),
            Self::Occupied(occupancy) => Self::Occupied(occupancy.turned()),
        }
    }

    /// On how many squares something else stands than there.
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

    /// The same, or from what its board showed last: a game that is not understood goes on too.
    fn differs_from_table(self, table: &Table) -> usize {
        let seen = table.squares_at(Which::First);
        let seen = seen.map(|(board, _)| witness::placement(board, table.turned()));
        let game = self.differs_from_game(table);
        seen.map_or(game, |seen| game.min(self.differs(&seen)))
    }

    /// However the board lies.
    fn differs_from_start(self) -> usize {
        let start = Placement::starting();
        self.differs(&start).min(self.turned().differs(&start))
    }
}

/// A board without a table, and what may be answered.
pub struct WithoutTable {
    /// Where it is.
    pub at: Seat,
    /// Why it has none.
    pub why: Unseated,
    /// What stands on it, as its likeliest table sees it.
    pub shown: Option<Shown>,
    /// The tables it may be given, the likeliest first.
    pub tables: Vec<Offer>,
    /// Whether it may be given a new one.
    pub new_table: bool,
}

/// A table that a board may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its number.
    pub table: u32,
    /// Whether its game goes on, with moves made.
    pub in_play: bool,
    /// On how many squares the board shows something else than its game, as far as both are known.
    pub differs: Option<usize>,
    /// Whether its game stands on the board, and that of no other table that is offered.
    pub agrees: bool,
}

impl Works {
    /// Something was seen on a board that may have no table.
    pub(super) fn shows(&mut self, at: Seat, sighting: &Sighting, out: &mut Vec<Act>) {
        let Some(board) = self.board_mut(at).filter(|board| board.table.is_none()) else { return };
        let now = Shown::after(board.shown, sighting);
        if now == board.shown {
            return;
        }
        board.shown = now;
        if board.introduced && board.doubtful.is_none() {
            return self.present(at, out);
        }
        out.push(Act::Shown);
    }

    /// Finds out, once, whether a board may have the table that its line stands for.
    pub(super) fn judge(&mut self, at: Seat, out: &mut Vec<Act>) {
        let open = |it: &Board| it.introduced && it.table.is_none() && it.doubtful.is_none();
        if !self.board(at).is_some_and(open) {
            return;
        }
        let (doubtful, late) = (self.is_doubtful(at), self.now + INTRODUCTION);
        let Some(board) = self.board_mut(at) else { return };
        board.doubtful = doubtful;
        if doubtful.is_none() && board.seat_by.is_none() {
            board.seat_by = Some(late);
            self.reschedule(at.line);
            self.converse(at.line, Input::Survey(at.station), out);
        }
    }

    /// Whether its squares are nearer to the game of a table that waits for such a board, or to
    /// what was seen there last, than to those of its own one, or to a new game; none: they have to
    /// be seen first.
    fn is_doubtful(&self, at: Seat) -> Option<bool> {
        let Some(line) = self.lines.get(&at.line) else { return Some(false) };
        let Machine::Talking(driver, _) = line.machine else { return Some(false) };
        let Some(present) = line.present(at.station).filter(|_| !driver.numbered) else {
            return Some(false);
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
            return Some(false);
        }
        let shown = line.boards.get(&at.station)?.shown?;
        let own = own.and_then(|own| self.hall.table(own));
        let expected = own.map(|own| shown.differs_from_table(own)).into_iter();
        let expected = expected.chain([shown.differs_from_start()]).min();
        Some(waiting.iter().map(|it| shown.differs_from_table(it)).min() < expected)
    }

    /// Every board that has introduced itself and has no table, with what may be answered. Of a
    /// clock nobody is asked: it is named at its table.
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
        let free = |number: &u32| self.seating.may_give(at, Some(*number)).is_ok();
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

    /// An arbiter says which table a board is.
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
            board.doubtful = Some(false);
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

/// Whether moves have been made in a game that is not over.
fn is_under_way(table: &Table) -> bool {
    table.is_in_play() && !table.score().plies().is_empty()
}
