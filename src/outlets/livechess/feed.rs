//! A client that follows a board: what it was sent last, what is new to it, and the moves since the
//! position that it set up. It affects this client alone, and no game at a table.

use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Board as Squares, Chess, Position as _};
use witness::GameNo;

use super::hall::{self, Game, Table};
use super::shapes::{self, ClockTimes};

/// How many moves may be made before the position is set up. The page of lichess.org sends the
/// position of its game a moment after the hand at the board. With more moves, an abandoned game
/// would be taken for the new one.
const LATE: usize = 1;

/// A board that a client follows.
#[derive(Debug)]
pub struct Feed {
    serialnr: String,
    /// How the client wants to see the board.
    view: View,
    setup: Option<Setup>,
    /// The last message to the client.
    sent: Option<Sent>,
}

/// How a client wants to see a board.
#[derive(Clone, Copy, Debug)]
enum View {
    /// As it lies on its table: the client has not said otherwise.
    AsItLies,
    Straight,
    Turned,
}

/// A message about a board. Keys without news are left out, because some clients would play a
/// repeated move again.
#[derive(Debug, Serialize)]
pub struct Event {
    serialnr: String,
    flipped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Option<ClockTimes>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<Vec<String>>,
    /// Whether this position is on the board.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
}

/// The moves since the position that was set up.
#[derive(Debug, PartialEq, Eq)]
struct Moves {
    start: String,
    san: Vec<String>,
    agrees: bool,
}

#[derive(Debug, PartialEq)]
struct Sent {
    flipped: bool,
    squares: Option<Squares>,
    clock: Option<ClockTimes>,
    moves: Option<Moves>,
}

/// The position from which a client wants the moves.
#[derive(Debug)]
struct Setup {
    fen: String,
    hash: Zobrist64,
    place: Place,
    san: Vec<String>,
    /// The position after `san`.
    position: Chess,
    /// The position before its last move.
    before: Option<Chess>,
    /// Whether `position` has been on the board.
    stood: bool,
}

/// The place of the position in the table's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It does not occur, or not yet.
    Nowhere,
    /// After so many moves of the game with this number.
    After(GameNo, usize),
}

impl Feed {
    /// Follows the board of this name.
    #[must_use]
    pub fn new(serialnr: String) -> Self {
        Self { serialnr, view: View::AsItLies, setup: None, sent: None }
    }

    /// Sets up the position from which the client wants the moves.
    ///
    /// # Errors
    /// In words, if no game can have the position.
    pub fn set_up(&mut self, fen: &str, table: &Table) -> Result<(), String> {
        let position = hall::position(fen)?;
        let hash = hall::hash(&position);
        let place = found(hash, &table.game, LATE);
        let (fen, san, before, stood) = (fen.to_owned(), Vec::new(), None, false);
        self.setup = Some(Setup { fen, hash, place, san, position, before, stood });
        self.sent = None;
        Ok(())
    }

    /// Turns the board for this client, or shows it as it is.
    pub fn flip(&mut self, flip: bool) {
        self.view = if flip { View::Turned } else { View::Straight };
        self.sent = None;
    }

    /// The message about everything that is new to the client; none: nothing is.
    pub fn news(&mut self, table: &Table) -> Option<Event> {
        let flipped = match self.view {
            View::AsItLies => table.device.turned,
            View::Straight => false,
            View::Turned => true,
        };
        let mut squares = table.board();
        if flipped != table.device.turned
            && let Some(squares) = &mut squares
        {
            squares.rotate_180();
        }
        let turned = flipped != table.device.turned;
        let moves = self.setup.as_mut().map(|it| it.moves(table, squares.as_ref(), turned));
        let sent = Sent { flipped, squares, clock: shapes::clock(&table.clock), moves };
        let before = self.sent.as_ref();
        if before == Some(&sent) {
            return None;
        }
        let san_of = |sent: &Sent| sent.moves.as_ref().map(|it| it.san.clone());
        let san = san_of(&sent);
        let played = before.is_none_or(|it| san_of(it) != san);
        let moved = before.is_none_or(|it| (it.flipped, &it.squares) != (flipped, &sent.squares));
        let timed = before.is_none_or(|it| it.clock != sent.clock);
        let board = sent.squares.as_ref().map(Squares::to_string);
        let moves = sent.moves.as_ref();
        let event = Event {
            serialnr: self.serialnr.clone(),
            flipped,
            board: (moved || played).then_some(board),
            clock: timed.then_some(sent.clock),
            start: moves.filter(|_| played).map(|it| it.start.clone()),
            san: san.filter(|_| played),
            agrees: moves.filter(|_| moved || played).map(|it| it.agrees),
        };
        self.sent = Some(sent);
        Some(event)
    }
}

/// The place of a position in the game: now, or at most `late` moves ago.
fn found(hash: Zobrist64, game: &Game, late: usize) -> Place {
    let stands = game.stands.iter().enumerate().rev().take(late + 1);
    let found = stands.into_iter().find(|(_, it)| **it == hash);
    found.map_or(Place::Nowhere, |(ply, _)| Place::After(game.game, ply))
}

impl Setup {
    fn moves(&mut self, table: &Table, squares: Option<&Squares>, turned: bool) -> Moves {
        let game = &table.game;
        self.place = match self.place {
            Place::After(number, ply)
                if number == game.game && game.stands.get(ply) == Some(&self.hash) =>
            {
                self.place
            }
            _ => found(self.hash, game, 0),
        };
        match (self.place, &game.last) {
            // The witness understands more than the squares alone can show.
            (Place::After(_, ply), Some(last)) if !turned => {
                let played = game.moves.iter().skip(ply);
                self.san = played.map(|it| it.san.clone()).collect();
                (self.position, self.before, self.stood) = (last.clone(), None, true);
            }
            _ => squares.into_iter().for_each(|it| self.look(it)),
        }
        let agrees = squares.is_some_and(|it| it == self.position.board());
        Moves { start: self.fen.clone(), san: self.san.clone(), agrees }
    }

    /// Finds the moves from the squares alone, for positions that are not in the table's game: at
    /// most two more moves, or another one in place of the last.
    fn look(&mut self, squares: &Squares) {
        if squares == self.position.board() {
            self.stood = true;
            return;
        }
        let two = || by_two(&self.position, squares).filter(|_| self.stood);
        if let Some((san, position)) = by_one(&self.position, squares) {
            self.go(san, position);
        } else if let Some([(first, between), (second, position)]) = two() {
            self.go(first, between);
            self.go(second, position);
        } else if let Some(before) = self.before.take() {
            match by_one(&before, squares) {
                Some((san, position)) => {
                    self.san.pop();
                    self.position = before;
                    self.go(san, position);
                }
                None => self.before = Some(before),
            }
        }
    }

    fn go(&mut self, san: String, position: Chess) {
        self.san.push(san);
        self.stood = true;
        self.before = Some(std::mem::replace(&mut self.position, position));
    }
}

type Step = (String, Chess);

fn steps(position: &Chess) -> impl Iterator<Item = Step> {
    position.legal_moves().into_iter().map(|legal| {
        let mut next = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut next, legal);
        (san.to_string(), next)
    })
}

fn by_one(position: &Chess, squares: &Squares) -> Option<Step> {
    steps(position).find(|(_, next)| next.board() == squares)
}

fn by_two(position: &Chess, squares: &Squares) -> Option<[Step; 2]> {
    steps(position).find_map(|first| {
        let second = by_one(&first.1, squares)?;
        Some([first, second])
    })
}

#[cfg(test)]
mod tests;
