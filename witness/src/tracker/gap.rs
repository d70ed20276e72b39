//! Moves that nobody saw: the short legal lines from a position to a picture, by a search that
//! only follows what can still get there.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Board, Chess, Color, Move, Piece, Position, Square};

use crate::candidates::{self, LINES_MAX};
use crate::picture::Picture;
use crate::tolerances::SCAN_AND_LINE;

/// A piece that was put somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Put {
    pub at: Moment,
    pub square: Square,
    pub piece: Piece,
    /// When the whole board had last been reported by then.
    pub confirmed: Moment,
}

/// How far and how long to look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort<'a> {
    /// The most moves that may have been missed.
    pub plies: usize,
    /// The most positions looked at.
    pub positions: usize,
    /// The board was watched: since when, and what was put where, the latest last. Only what was
    /// seen can have been played, but for one report that may be lost.
    pub watched: Option<(Moment, &'a [Put])>,
}

/// Reports that may be lost while a board is watched.
const LOST_MAX: usize = 1;

/// What the search found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// The shortest lines that lead there, at most [`LINES_MAX`] + 1.
    pub lines: Vec<Vec<Move>>,
    /// Every shortest line is among them.
    pub complete: bool,
}

/// The shortest lines of at least `least` legal moves from this position to this picture.
pub(crate) fn shortest(
    position: &Chess,
    picture: &Picture,
    least: usize,
    effort: Effort<'_>,
) -> Found {
    let (left, watched) = (effort.positions, effort.watched);
    let (turn, most, found) = (position.turn(), LINES_MAX, Vec::new());
    let mut search = Search { picture, turn, watched, left, most, found };
    for depth in least..=effort.plies {
        search.extend(position, depth, &mut Vec::new());
        let complete = search.left > 0 && search.found.len() <= LINES_MAX;
        search.keep_the_most_seen();
        if search.left == 0 || !search.found.is_empty() {
            return Found { lines: search.found, complete };
        }
    }
    Found { lines: Vec::new(), complete: true }
}

/// The lines of exactly so many legal moves from this position to this picture, a few more than
/// `most` at most; not all if `left`, the positions that may still be looked at, does not suffice.
pub(crate) fn exactly(
    position: &Chess,
    picture: &Picture,
    plies: usize,
    most: usize,
    left: &mut usize,
) -> Found {
    if plies == 0 {
        let lines = picture.shows(position.board()).then(Vec::new);
        return Found { lines: lines.into_iter().collect(), complete: true };
    }
    let (turn, found) = (position.turn(), Vec::new());
    let mut search = Search { picture, turn, watched: None, left: *left, most, found };
    search.extend(position, plies, &mut Vec::new());
    *left = search.left;
    Found { complete: search.left > 0 && search.found.len() <= most, lines: search.found }
}

/// How much of this line nobody has seen although somebody has watched since that moment.
pub(crate) fn unseen(
    position: &Chess,
    picture: &Picture,
    since: Moment,
    puts: &[Put],
    line: &[Move],
) -> usize {
    let (turn, watched) = (position.turn(), Some((since, puts)));
    Search { picture, turn, watched, left: 0, most: 0, found: Vec::new() }.unseen(line)
}

/// Whether a report of the whole board between two moves of this line contradicts their order: what
/// the later one brought stood there, and the piece of the earlier one had not moved.
pub(crate) fn contradicts_order(picture: &Picture, puts: &[Put], line: &[Move]) -> bool {
    let known = |mv: &Move| {
        let at = picture.stirred(mv.to());
        let put = puts.iter().rev().find(|put| put.square == mv.to() && put.at == at)?;
        (put.confirmed < at).then_some(put.confirmed)
    };
    line.windows(2).any(|pair| {
        let [earlier, later] = pair else { return false };
        let crossed = line.iter().any(|it| earlier.from() == Some(it.to()));
        let left = earlier.from().map(|from| picture.stirred(from));
        let came = picture.stirred(later.to());
        let made = earlier.castling_side().is_none() && later.castling_side().is_none();
        made && !crossed
            && known(earlier)
                .is_some_and(|known| came <= known && left.is_some_and(|it| known < it))
    })
}

struct Search<'a> {
    picture: &'a Picture,
    /// Who makes the first move.
    turn: Color,
    watched: Option<(Moment, &'a [Put])>,
    left: usize,
    most: usize,
    found: Vec<Vec<Move>>,
}

impl Search<'_> {
    fn extend(&mut self, position: &Chess, depth: usize, line: &mut Vec<Move>) {
        if self.left == 0 || self.found.len() > self.most {
            return;
        }
        self.left -= 1;
        if !within_reach(position, self.picture, depth) {
            return;
        }
        if depth == 1 {
            let last = candidates::singles_unseen(position, self.picture);
            for mv in last {
                line.push(mv);
                if self.unseen(line) <= LOST_MAX {
                    self.found.push(line.clone());
                }
                line.pop();
            }
            return;
        }
        for mv in self.likely_first(position) {
            line.push(mv);
            if self.unseen(line) > LOST_MAX {
                line.pop();
                continue;
            }
            self.extend(&candidates::after(position, mv), depth - 1, line);
            line.pop();
        }
    }

    /// The legal moves, those first that bring to a square what stands there in the end.
    fn likely_first(&self, position: &Chess) -> Vec<Move> {
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        if !self.picture.is_blind() {
            let board = self.picture.board();
            moves.sort_by_key(|mv| {
                let role = mv.promotion().unwrap_or(mv.role());
                board.piece_at(mv.to()) != Some(Piece { color: position.turn(), role })
            });
        }
        moves
    }

    /// How much of this line nobody has seen although somebody watched: squares that were left,
    /// pieces that were put.
    fn unseen(&self, line: &[Move]) -> usize {
        let Some((since, puts)) = self.watched else { return 0 };
        let froms = line.iter().filter_map(|mv| mv.from());
        let left = froms.filter(|&from| self.picture.stirred(from) <= since).count();
        let landed = |&(index, mv): &(usize, &Move)| match mv.castling_side() {
            Some(_) => true,
            None if self.picture.is_blind() => self.picture.stirred(mv.to()) > since,
            None => {
                let role = mv.promotion().unwrap_or(mv.role());
                let color = if index % 2 == 0 { self.turn } else { self.turn.other() };
                let piece = Piece { color, role };
                let mut meanwhile = puts.iter().rev().take_while(|put| put.at > since);
                meanwhile.any(|put| put.square == mv.to() && put.piece == piece)
            }
        };
        left + line.iter().enumerate().filter(|it| !landed(it)).count() + self.out_of_order(line)
    }

    /// How many moves of this line end on a square that was touched last before the one of the
    /// move before them.
    fn out_of_order(&self, line: &[Move]) -> usize {
        if line.len() < 2 {
            return 0;
        }
        let last = |&(index, mv): &(usize, &Move)| {
            let later = &line[index + 1..];
            !later.iter().any(|it| it.from() == Some(mv.to()) || it.to() == mv.to())
        };
        let last = line.iter().enumerate().filter(last);
        let times: Vec<_> = last.map(|(_, mv)| self.picture.stirred(mv.to())).collect();
        times.windows(2).filter(|pair| pair[1] + SCAN_AND_LINE < pair[0]).count()
    }

    /// What needs no lost report is better than what needs one.
    fn keep_the_most_seen(&mut self) {
        let Some(least) = self.found.iter().map(|line| self.unseen(line)).min() else { return };
        let found = std::mem::take(&mut self.found);
        self.found = found.into_iter().filter(|line| self.unseen(line) == least).collect();
    }
}

/// Whether so many moves could make this picture at all: each brings one piece to its place (two if
/// it is castling) and takes one off the board at most.
fn within_reach(position: &Chess, picture: &Picture, depth: usize) -> bool {
    let mover = position.turn();
    let moves = |side: Color| if side == mover { depth.div_ceil(2) } else { depth / 2 };
    let board = position.board();
    if picture.is_blind() {
        return blind_within_reach(board, picture, depth);
    }
    let differing = picture.differing(board);
    let last = if depth % 2 == 1 { mover } else { mover.other() };
    // Nobody has taken what came last; it may have come where the same had been taken before, or
    // back to where it stands.
    let came = picture.board().by_color(last);
    let retaken = came.count() < board.by_color(last).count();
    ((differing & came).any() || retaken || depth > 2)
        && Color::ALL.into_iter().all(|side| {
            let castles =
                usize::from((position.castles().castling_rights() & board.by_color(side)).any());
            let stood = board.by_color(side);
            let stands = picture.board().by_color(side);
            let Some(taken) = stood.count().checked_sub(stands.count()) else { return false };
            let arrived = (differing & stands).count();
            let left = (differing & stood).count();
            taken <= moves(side.other())
                && arrived <= moves(side) + castles
                && left <= moves(side) + taken + castles
        })
}

fn blind_within_reach(board: &Board, picture: &Picture, depth: usize) -> bool {
    let (before, now) = (board.occupied(), picture.occupied());
    let Some(taken) = before.count().checked_sub(now.count()) else { return false };
    taken <= depth && (now & !before).count() <= depth + 1
}
