//! Our belief about the 64 squares: what the board last said, the right way round. Not a position
//! of the game: any picture can stand here.
//!
//! A board that only sees which squares are occupied is blind: its pieces are supposed, from the
//! position of the game when the squares fit it, and else from what was lifted last.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Colour, Moment, Occupancy, Placement, Role, Square as WireSquare};
use shakmaty::{Board, Piece, Square};

use crate::convert;
use crate::picture::Picture;
use crate::tolerances::{ANSWER, NEVER_CONFIRMED, SAME_FRAME};

/// What is supposed to stand where a blind board shows something nobody has an idea of.
const ANYTHING: eboard::Piece = eboard::Piece::new(Colour::White, Role::Pawn);

/// One square that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub square: Square,
    pub was: Option<Piece>,
    pub is: Option<Piece>,
}

/// The physical squares as last reported.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct Surface {
    raw: Placement,
    board: Board,
    turned: bool,
    known: bool,
    changed: Moment,
    /// When something was last heard of each square, a1 first.
    stirred: [Moment; 64],
    /// When the whole board was last reported, and since when it has been asked for in vain.
    confirmed: Moment,
    asked: Option<Moment>,
    /// When it was reported the time before.
    vouched: Moment,
    /// The first change since.
    unconfirmed: Option<Moment>,
    /// A square that was left last although nothing was known to stand there.
    surprise: Option<(Square, Moment)>,
    /// It had been asked for in vain when the line was out.
    mute: bool,
    /// Changes are reported one by one.
    singly: bool,
    /// A touch that lasts less than this may not be reported at all.
    misses: Duration,
    /// On a blind board: what was lifted and has not been supposed anywhere again.
    air: Option<Vec<eboard::Piece>>,
}

impl Surface {
    pub fn unknown() -> Self {
        Self {
            raw: Placement::EMPTY,
            board: Board::empty(),
            turned: false,
            known: false,
            changed: Moment::ZERO,
            stirred: [Moment::ZERO; 64],
            confirmed: Moment::ZERO,
            asked: None,
            vouched: Moment::ZERO,
            unconfirmed: None,
            surprise: None,
            mute: false,
            singly: false,
            misses: Duration::ZERO,
            air: None,
        }
    }

    /// What can be compared with a position.
    pub fn picture(&self) -> Picture {
        Picture::new(self.board.clone(), self.is_blind(), self.stirred)
            .confirmed_at(self.confirmed, self.surprise)
    }

    /// The same, and whether the board reports its whole position when it should.
    pub fn picture_at(&self, now: Moment) -> Picture {
        let asked_in_vain = self.asked.is_some_and(|asked| asked + ANSWER <= now);
        let deaf = self.mute || asked_in_vain || self.never_confirms(now);
        if deaf { self.picture().uncertain() } else { self.picture() }
    }

    /// The same as it would be the other way round.
    pub fn turned_picture_at(&self, now: Moment) -> Picture {
        let mut turned = self.clone();
        turned.turn();
        turned.picture_at(now)
    }

    /// Whether the board reports changes and has not confirmed any of them for long. Its reports
    /// can neither be trusted nor asked for again.
    pub fn never_confirms(&self, now: Moment) -> bool {
        self.singly && self.unconfirmed.is_some_and(|since| since + NEVER_CONFIRMED <= now)
    }

    /// Up to when every square is known to have been reported rightly: the last whole board but
    /// one.
    pub fn vouched(&self) -> Moment {
        self.vouched
    }

    /// The whole board is being asked for.
    pub fn asked(&mut self, now: Moment) {
        self.asked.get_or_insert(now);
    }

    /// By when it answers that, if it does.
    pub fn answers_by(&self) -> Option<Moment> {
        self.asked.map(|asked| asked + ANSWER)
    }

    /// The board may not report a touch that lasts less than this.
    pub fn may_miss(&mut self, shorter: Duration) {
        self.misses = shorter;
    }

    /// How long a touch must last for the board to report it, where that is longer than a scan.
    pub fn misses(&self) -> Duration {
        self.misses
    }

    /// Whether the board sees only which squares are occupied.
    pub fn is_blind(&self) -> bool {
        self.air.is_some()
    }

    /// The squares, White's first rank at the bottom.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the whole board has been seen since the beginning.
    pub fn known(&self) -> bool {
        self.known
    }

    /// Whether the board lies the other way round than its wire order says.
    pub fn turned(&self) -> bool {
        self.turned
    }

    /// When a square last changed.
    pub fn changed(&self) -> Moment {
        self.changed
    }

    /// Lays the board the other way round.
    pub fn turn(&mut self) {
        self.turned = !self.turned;
        self.stirred.reverse();
        self.board = convert::board(&self.raw, self.turned);
    }

    /// The squares as they would be the other way round.
    pub fn turned_board(&self) -> Board {
        convert::board(&self.raw, !self.turned)
    }

    /// Nothing was heard since that moment, as the line was out: what the board does not answer has
    /// to be found out anew.
    pub fn reopened(&mut self, since: Moment) {
        self.mute |= self.asked.is_some_and(|asked| asked + ANSWER <= since);
        (self.asked, self.unconfirmed) = (None, None);
    }

    /// Whether the board reports every change. Then a report of all its squares should never bring
    /// a new one.
    pub fn reports_singly(&self) -> bool {
        self.singly
    }

    /// One square was reported. Nothing is believed before the whole board was seen once.
    pub fn square(
        &mut self,
        now: Moment,
        wire: WireSquare,
        piece: Option<eboard::Piece>,
    ) -> Option<Change> {
        self.singly = true;
        let change = self.set(now, wire, piece)?;
        self.unconfirmed.get_or_insert(now);
        Some(change)
    }

    fn set(
        &mut self,
        now: Moment,
        wire: WireSquare,
        piece: Option<eboard::Piece>,
    ) -> Option<Change> {
        if !self.known {
            return None;
        }
        let square = convert::to_shakmaty(wire, self.turned);
        let before = std::mem::replace(&mut self.stirred[usize::from(square)], now);
        if self.raw[wire] == piece {
            if piece.is_none() && before + SAME_FRAME < now {
                self.surprise = Some((square, now));
            }
            return None;
        }
        self.raw[wire] = piece;
        self.changed = now;
        let change =
            Change { square, was: self.board.piece_at(square), is: piece.map(convert::piece) };
        match change.is {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => self.board.discard_piece_at(square),
        }
        Some(change)
    }

    /// The whole board was reported; gives what is new in it.
    pub fn whole(&mut self, now: Moment, placement: &Placement) -> Vec<Change> {
        self.vouched = std::mem::replace(&mut self.confirmed, now);
        (self.asked, self.unconfirmed, self.mute) = (None, None, false);
        if !self.known {
            self.known = true;
            self.changed = now;
            self.raw = *placement;
            self.board = convert::board(placement, self.turned);
            return Vec::new();
        }
        let differing: Vec<_> = self.raw.differing(placement).collect();
        let mut changes: Vec<_> = differing
            .into_iter()
            .filter_map(|square| self.set(now, square, placement[square]))
            .collect();
        // Within one scan the order is not known: lifts first, as a hand must.
        changes.sort_by_key(|change| change.is.is_some());
        changes
    }

    /// A board that sees no pieces reported one square.
    pub fn presence(&mut self, now: Moment, square: WireSquare, occupied: bool) -> Option<Change> {
        if !self.known || self.raw[square].is_some() == occupied {
            return None;
        }
        let air = self.air.get_or_insert_default();
        let piece = if occupied { Some(air.pop().unwrap_or(ANYTHING)) } else { None };
        air.extend(self.raw[square].filter(|_| !occupied));
        self.set(now, square, piece)
    }

    /// A board that sees no pieces reported all its squares. Returns what is new.
    pub fn occupancy(&mut self, now: Moment, occupancy: Occupancy) -> Vec<Change> {
        self.air.get_or_insert_default();
        (self.confirmed, self.asked) = (now, None);
        if !self.known {
            let home = Placement::starting();
            let mut supposed = Placement::EMPTY;
            for square in WireSquare::all().filter(|&square| occupancy.contains(square)) {
                supposed[square] = home[square].or(Some(ANYTHING));
            }
            return self.whole(now, &supposed);
        }
        // Within one scan the order is not known: lifts first, as a hand must.
        let now_empty = |square: &WireSquare| !occupancy.contains(*square);
        let (emptied, filled): (Vec<_>, Vec<_>) = WireSquare::all().partition(now_empty);
        let changed = emptied.into_iter().chain(filled);
        changed.filter_map(|it| self.presence(now, it, occupancy.contains(it))).collect()
    }

    /// What the pieces of a blind board must be if this position stands on it.
    pub fn suppose(&mut self, board: &Board) {
        let Some(air) = &mut self.air else { return };
        if board.occupied() != self.board.occupied() {
            return;
        }
        air.clear();
        self.board = board.clone();
        self.raw = convert::placement(board, self.turned);
    }
}
