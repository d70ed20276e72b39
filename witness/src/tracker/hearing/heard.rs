//! A press, and what had been heard until then: how every line may go on, and what each way leaves
//! unexplained.

use std::collections::BinaryHeap;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Square};

use super::Line;
use crate::candidates;
use crate::picture::{Picture, differing};
use crate::tracker::gap::{self, Put};

/// Lines that are followed.
const LINES_MAX: usize = 96;
/// How much more than the best line a line may cost before it is given up.
const MARGIN: u32 = 10;
/// Lines that are looked at for moves which were pressed for together.
const UNEXPLAINED_MAX: usize = 4;
/// For how many lines it is asked what was played while nobody watched.
const MISSED_FROM_MAX: usize = 8;
/// So many lines of such moves, out of so many positions.
const TOGETHER: (usize, usize) = (8, 5_000);
/// What each thing costs that a line leaves unexplained: one report in a thousand is lost, and
/// hands are over the board at every tenth press.
mod cost {
    /// A square looks otherwise than it should: a hand or a scan may be on the way.
    pub const WRONG: u32 = 1;
    /// And a piece of the player's stands there who has just pressed.
    pub const OWN: u32 = 1;
    /// It still does at the next press, and nothing was heard of it: a report was lost.
    pub const LOST: u32 = 2;
    /// It still does, because the report of it was another one than what is there.
    pub const MISREPORTED: u32 = 3;
    /// A piece left a square on which none had stood.
    pub const SURPRISE: u32 = 5;
    /// The same where a report had put one there.
    pub const LEFT_EMPTY: u32 = 2;
    /// The clock was pressed for a move that was not made.
    pub const NO_MOVE: u32 = 4;
    /// A move was made and not pressed for.
    pub const NO_PRESS: u32 = 1;
}

/// A press, and what had been heard until then.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Heard {
    pub by: Color,
    /// When the clock was pressed before.
    pub since: Moment,
    pub picture: Picture,
    /// Of these squares something was heard since the press before.
    pub stirred: Bitboard,
    /// What was put where since then.
    pub puts: Vec<Put>,
    /// What was left although nothing had been known to stand there.
    pub surprise: Option<Square>,
    /// What was left before anything was put there.
    pub left: Vec<(Square, Piece)>,
    /// Nobody watched for a while since then: what was not heard may just have been missed.
    pub away: bool,
}

/// Squares that looked otherwise at the last press than in the position of a line.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
pub(super) struct Wrong {
    pub all: Bitboard,
    /// Those whose report says so.
    pub reported: Bitboard,
    /// Those that did so at the press before.
    pub remains: Bitboard,
}

/// A line and what may come next in it.
pub(super) struct Next<'a> {
    line: &'a Line,
    moves: Vec<Move>,
    position: Chess,
    pub cost: u32,
    squares: u32,
    pub wrong: Wrong,
}

/// The costs of the likeliest ways to go on, as many as lines are followed.
#[derive(Default)]
struct Kept {
    costs: BinaryHeap<u32>,
    least: Option<u32>,
}

impl Kept {
    fn add(&mut self, cost: u32) {
        self.least = Some(self.least.map_or(cost, |least| least.min(cost)));
        self.costs.push(cost);
        if self.costs.len() > LINES_MAX {
            self.costs.pop();
        }
    }

    /// What costs more than this, and comes later, is not followed.
    fn most(&self) -> u32 {
        let best = self.least.map_or(u32::MAX, |least| least + MARGIN);
        let full = self.costs.len() == LINES_MAX;
        let last = self.costs.peek().filter(|_| full);
        last.map_or(best, |last| best.min(last.saturating_sub(1)))
    }
}

impl Heard {
    /// Every line goes on by a move, or by none; where that explains too little, by a few.
    pub fn follow(&self, lines: &[Line]) -> Vec<Line> {
        let mut next = Vec::new();
        let mut unexplained = Vec::new();
        let mut kept = Kept::default();
        for line in lines {
            let from = next.len();
            self.go_on(line, kept.most(), &mut next);
            next[from..].iter().for_each(|it| kept.add(it.cost));
            if least(&next[from..]) > line.cost + cost::WRONG {
                unexplained.push(line);
            }
        }
        if self.away {
            let nearest = lines.iter().take(MISSED_FROM_MAX);
            next.extend(nearest.flat_map(|line| self.missed(line)));
        }
        let best = least(&next);
        unexplained.retain(|line| line.cost + cost::NO_PRESS < best);
        next.extend(unexplained.iter().take(UNEXPLAINED_MAX).flat_map(|it| self.together(it)));
        let most = least(&next) + MARGIN;
        next.retain(|it| it.cost <= most);
        next.sort_by_key(|it| it.cost);
        next.into_iter().take(LINES_MAX).map(Line::from).collect()
    }

    /// This line with no move, and with every one that may cost no more than this.
    fn go_on<'a>(&self, line: &'a Line, most: u32, next: &mut Vec<Next<'a>>) {
        next.push(self.next(line, Vec::new()));
        if line.position.turn() != self.by || line.cost > most {
            return;
        }
        let differing = self.picture.differing(line.position.board());
        let costs = |wrong| line.cost + self.looking(line.wrong, self.wrong(line.wrong, wrong));
        let nothing_right = costs(differing) > most;
        let mut moves = line.position.legal_moves();
        moves.retain(|&mut mv| {
            let changed = candidates::changed(mv, self.by);
            let rights_some = (differing & changed).any();
            let wrong = || differing & !changed | self.wrong_among(changed, mv);
            (rights_some || !nothing_right) && costs(wrong()) <= most
        });
        next.extend(moves.into_iter().map(|mv| self.next(line, vec![mv])));
    }

    /// Those of the squares which this move changes that look otherwise than after it. Of castling
    /// and captures en passant that is not known here.
    fn wrong_among(&self, changed: Bitboard, mv: Move) -> Bitboard {
        let Move::Normal { role, to, promotion, .. } = mv else { return Bitboard::EMPTY };
        let piece = promotion.unwrap_or(role).of(self.by);
        let right = self.picture.board().piece_at(to) == Some(piece);
        let arrived = if right { Bitboard::EMPTY } else { Bitboard::from(to) };
        arrived | changed & self.picture.occupied() & !Bitboard::from(to)
    }

    /// This line with moves, if only the last one was pressed for.
    fn together<'a>(&self, line: &'a Line) -> Vec<Next<'a>> {
        let plies = if line.position.turn() == self.by { 3 } else { 2 };
        let lost = line.wrong.all & !line.wrong.reported & !self.stirred;
        let picture = self.picture.with(lost, line.position.board());
        let (most, mut left) = TOGETHER;
        // The opponent may have replied to the last one already.
        let found = [plies, plies + 1]
            .into_iter()
            .map(|plies| gap::exactly(&line.position, &picture, plies, most, &mut left).lines);
        let found = found.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default();
        found.into_iter().map(|moves| self.next(line, moves)).collect()
    }

    /// This line with moves, if all but the last were pressed for while nobody watched: two that
    /// may not have been heard at all, or a few that were heard but for one.
    fn missed<'a>(&self, line: &'a Line) -> Vec<Next<'a>> {
        let mut found = Vec::new();
        let own = line.position.turn() == self.by;
        let ways: &[(usize, usize)] = if own { &[(3, 1)] } else { &[(2, 2), (4, 1)] };
        for &(plies, unheard) in ways {
            self.miss(&line.position, (plies, unheard), &mut Vec::new(), &mut found);
        }
        found.into_iter().map(|moves| self.next(line, moves)).collect()
    }

    fn miss(
        &self,
        position: &Chess,
        (plies, unheard): (usize, usize),
        line: &mut Vec<Move>,
        found: &mut Vec<Vec<Move>>,
    ) {
        if plies == 0 {
            return found.push(line.clone());
        }
        for mv in position.legal_moves() {
            let from = mv.from().is_none_or(|from| self.stirred.contains(from));
            let heard = from && self.stirred.contains(mv.to());
            let Some(unheard) = unheard.checked_sub(usize::from(!heard)) else { continue };
            line.push(mv);
            self.miss(&candidates::after(position, mv), (plies - 1, unheard), line, found);
            line.pop();
        }
    }

    /// This line with these moves, and what they leave unexplained.
    pub fn next<'a>(&self, line: &'a Line, moves: Vec<Move>) -> Next<'a> {
        let start = line.position.clone();
        let position = moves.iter().fold(start, |at, &mv| candidates::after(&at, mv));
        let wrong = self.wrong(line.wrong, self.picture.differing(position.board()));
        let stands = |position: &Chess| {
            self.surprise.is_none_or(|it| position.board().piece_at(it).is_some())
        };
        let surprise = match (stands(&line.position), stands(&position)) {
            (true, _) => 0,
            // It was put there, lifted again and put there once more.
            (false, true) => cost::LOST,
            (false, false) => cost::SURPRISE,
        };
        let squares = self.looking(line.wrong, wrong)
            + self.went_away(line, wrong, &position)
            + self.never_heard(line, &position)
            + self.left_empty(line, &position)
            + self.unseen(line, &moves)
            + surprise;
        let cost = line.cost + self.pressing(line, &moves) + squares;
        Next { line, moves, position, cost, squares: line.squares + squares, wrong }
    }

    /// These squares look otherwise than they should.
    fn wrong(&self, before: Wrong, all: Bitboard) -> Wrong {
        let reported = all & (self.stirred | before.reported);
        // What was missed is paid for as if it had been so before.
        let missed = if self.away { all & !reported } else { Bitboard::EMPTY };
        Wrong { all, reported, remains: all & before.all & !self.stirred | missed }
    }

    /// What it costs that so many moves were pressed for.
    fn pressing(&self, line: &Line, moves: &[Move]) -> u32 {
        let turn = line.position.turn() == self.by;
        match moves.len() {
            0 if turn => cost::NO_MOVE,
            0 | 1 => 0,
            _ if self.away => 0,
            _ => cost::NO_PRESS * if turn { 2 } else { 1 },
        }
    }

    /// What it costs that of several moves not each was seen.
    fn unseen(&self, line: &Line, moves: &[Move]) -> u32 {
        if moves.len() < 2 || self.away {
            return 0;
        }
        let start = &line.position;
        cost::LOST * number(gap::unseen(start, &self.picture, self.since, &self.puts, moves))
    }

    /// What it costs that these squares look otherwise than they should.
    fn looking(&self, before: Wrong, wrong: Wrong) -> u32 {
        let missed = if self.away { !self.stirred } else { Bitboard::EMPTY };
        // A square that was reported anew has not remained so.
        let new = wrong.all & (self.stirred | !before.all) & !missed;
        let own = new & self.stirred & self.picture.board().by_color(self.by);
        let remains = wrong.remains & !before.remains & !missed;
        let (reported, lost) =
            ((remains & wrong.reported).count(), (remains & !wrong.reported).count());
        // A piece that is reported on another square is one wrong report and not two.
        cost::WRONG * number(new.count())
            + cost::OWN * number(own.count())
            + cost::MISREPORTED * number(reported)
            + cost::LOST * number(lost.saturating_sub(reported))
    }

    /// What it costs that squares which were reported wrongly for long are reported rightly now,
    /// and no move of the line has to do with them. The report before may have been right.
    fn went_away(&self, line: &Line, wrong: Wrong, now: &Chess) -> u32 {
        let moved = differing(line.position.board(), now.board());
        let before = line.wrong.remains & line.wrong.reported;
        cost::MISREPORTED * number((before & self.stirred & !wrong.all & !moved).count())
    }

    /// What it costs that pieces have left squares where none had stood: the report before, that
    /// they do, was right then. A reply may have stood there before the press.
    fn left_empty(&self, line: &Line, now: &Chess) -> u32 {
        let stood = |square| line.position.board().piece_at(square).is_some();
        let replied = |square, piece| now.board().piece_at(square) == Some(piece);
        let none = self.left.iter().filter(|&&(at, piece)| !stood(at) && !replied(at, piece));
        cost::LEFT_EMPTY * number(none.count())
    }

    /// What it costs that pieces have left squares where none had stood: the report before, that
    /// they do, was right then. A reply may have stood there before the press.
    fn never_heard(&self, line: &Line, now: &Chess) -> u32 {
        let unheard = (line.wrong.all & !line.wrong.reported & !line.wrong.remains).into_iter();
        let gone = unheard.filter(|&square| {
            let piece = line.position.board().piece_at(square);
            let put = |put: &Put| put.square == square && Some(put.piece) == piece;
            piece.is_some() && now.board().piece_at(square) != piece && !self.puts.iter().any(put)
        });
        cost::LOST * number(gone.count())
    }
}

impl From<Next<'_>> for Line {
    fn from(next: Next<'_>) -> Self {
        let (line, new) = (next.line, next.moves.len());
        let moves = [&line.moves[..], &next.moves].concat();
        let costs = [&line.costs[..], &vec![line.cost; new]].concat();
        let Next { position, cost, squares, wrong, .. } = next;
        Self { moves, costs, position, cost, squares, wrong }
    }
}

fn least(next: &[Next<'_>]) -> u32 {
    next.iter().map(|it| it.cost).min().unwrap_or_default()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
