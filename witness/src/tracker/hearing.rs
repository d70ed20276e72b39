//! What was played by all that was heard, where a board cannot be asked: at every press one more
//! move had been made, and the lines of legal moves are followed that leave the least of it
//! unexplained. No report is believed for itself, so one that was lost or came through damaged is
//! made good by what comes later.
//!
//! As long as one line explains every press wholly, and no other comes near it, the others are not
//! followed. The presses wait (`waiting`) until somebody asks what else may have been played.

mod heard;
mod waiting;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Square};

use self::heard::{Heard, Wrong};
use super::gap::Put;
use super::stale::Stale;
use super::stands::Reading;
use super::{READINGS_MAX, Tracker};
use crate::candidates;
use crate::keep::keep;
use crate::picture::{Picture, differing};
use crate::score::Confidence;

/// How many squares may look different since the last press because of wrong reports; more are the
/// work of hands.
const FRESH_MAX: usize = 1;
const REPORTED_WRONG_MAX: usize = 1;
/// The last moves of a line are not judged before something has come after them.
const LATEST: usize = 2;
/// A line that costs no more than this beyond another one may be as true.
const DISPUTED: u32 = 1;
/// A line that leaves this much unexplained in this many moves is not the truth, even if none is
/// better.
const INCREDIBLE: (usize, u32) = (6, 9);

/// What was heard of one game, and what it may have been.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Hearing {
    began: Moment,
    /// When the clock was pressed last, or the game began.
    since: Moment,
    /// The squares heard of since then, and what had stood on those that were left first.
    touched: Bitboard,
    left: Vec<(Square, Piece)>,
    /// Presses that the lines have not taken in yet.
    heard: Vec<Heard>,
    /// The line that explains all of these presses, if nothing is in doubt.
    sure: Option<Line>,
    /// The likeliest first. Never empty.
    lines: Vec<Line>,
    /// So many of the moves in the lines are beyond revision.
    settled: usize,
    /// Nobody has watched for a while since the last press.
    away: bool,
    /// Something was seen that no move explains, or the board was unwatched for a while. So reports
    /// may have been lost or damaged.
    unreliable: bool,
}

/// The moves of a game as they may have been played.
#[derive(Clone, Debug)]
struct Line {
    moves: Vec<Move>,
    /// What the line cost before each of its moves.
    costs: Vec<u32>,
    position: Chess,
    cost: u32,
    /// What of it the squares leave unexplained, whoever pressed or did not.
    squares: u32,
    wrong: Wrong,
}

keep!(Line { moves, position; costs, cost, squares, wrong });

impl Hearing {
    pub fn new(now: Moment, position: Chess) -> Self {
        let (moves, costs, wrong) = (Vec::new(), Vec::new(), Wrong::default());
        let line = Line { moves, costs, position, cost: 0, squares: 0, wrong };
        let sure = Some(line.clone());
        Self {
            began: now,
            since: now,
            touched: Bitboard::EMPTY,
            left: Vec::new(),
            heard: Vec::new(),
            lines: vec![line],
            sure,
            settled: 0,
            away: false,
            unreliable: false,
        }
    }

    /// When the game began.
    pub fn began(&self) -> Moment {
        self.began
    }

    /// So many more moves can no longer change.
    pub fn settle(&mut self, plies: usize) {
        self.settled += plies;
    }

    /// Nobody watches.
    pub fn look_away(&mut self) {
        (self.away, self.unreliable) = (true, true);
    }

    /// Notes a picture that is neither a move nor the middle of one.
    pub fn saw_unexplained(&mut self) {
        self.unreliable = true;
    }

    /// The squares have changed.
    pub fn saw(&mut self, before: &Board, now: &Picture) {
        self.unreliable |= now.surprise().is_some_and(|(_, at)| at > self.began);
        let now = now.board();
        let changed = differing(before, now) & !self.touched;
        let left = (changed & !now.occupied()).into_iter();
        self.left.extend(left.filter_map(|square| Some((square, before.piece_at(square)?))));
        self.touched |= changed;
    }

    /// A clock was pressed.
    pub fn pressed(&mut self, now: Moment, by: Color, picture: &Picture, puts: &[Put]) {
        let since = std::mem::replace(&mut self.since, now);
        let stirred = picture.stirred_since(since);
        let surprise = picture.surprise().filter(|(_, at)| *at > since).map(|(square, _)| square);
        let puts = puts.iter().filter(|put| put.at > since).copied().collect();
        let away = std::mem::take(&mut self.away);
        let left = std::mem::take(&mut self.left);
        self.touched = Bitboard::EMPTY;
        self.heard.push(Heard {
            by,
            since,
            picture: picture.clone(),
            stirred,
            puts,
            surprise,
            left,
            away,
        });
    }

    /// The whole games that leave the least unexplained, up to what stands there now.
    fn up_to(&mut self, picture: &Picture) -> Vec<Vec<Move>> {
        let (since, away) = (self.since, self.away);
        let (lines, _) = self.follow();
        let least = lines[0].cost;
        let best = lines.iter().take_while(|line| line.cost == least);
        best.filter_map(|line| line.up_to(picture, since, away)).collect()
    }

    /// The number of moves, after the settled ones, that no equally likely line disputes. The first
    /// `seen` of them were seen one by one.
    fn undisputed(&mut self, tail: &[Move], seen: usize) -> Option<usize> {
        // A press may be late, or never read. It cannot dispute moves that the squares have shown.
        let seen = if self.unreliable { 0 } else { seen };
        let (lines, settled) = self.follow();
        let same = |line: &Line| {
            let later = line.moves.get(settled..).unwrap_or_default();
            let same = tail.iter().zip(later).take_while(|(one, other)| one == other).count();
            (same + LATEST < tail.len().max(later.len())).then_some(same)
        };
        let shown = lines.iter().find(|line| same(line).is_none()).unwrap_or(&lines[0]);
        let (most, squares) = (shown.cost + DISPUTED, shown.squares + DISPUTED);
        let near = lines.iter().take_while(|line| line.cost <= most);
        let near = near.filter(|line| line.squares <= squares);
        let open = near.filter_map(same).chain(shown.incredible(settled));
        open.filter(|&at| at >= seen).min()
    }

    /// Whether some line leaves little enough unexplained to be the truth.
    fn is_credible(&mut self) -> bool {
        if self.is_waiting() {
            return true;
        }
        let (lines, settled) = self.follow();
        lines[0].incredible(settled).is_none()
    }

    /// The lines after the last press, the likeliest first, and how many of the moves in them are
    /// beyond revision.
    fn follow(&mut self) -> (&[Line], usize) {
        self.sure = None;
        for heard in self.heard.drain(..) {
            self.lines = heard.follow(&self.lines);
        }
        self.forget_settled();
        (&self.lines, self.settled)
    }

    fn forget_settled(&mut self) {
        let held_by_all = self.lines.iter().map(|line| line.moves.len()).min().unwrap_or_default();
        let forgotten = self.settled.min(held_by_all);
        self.settled -= forgotten;
        self.lines.iter_mut().chain(&mut self.sure).for_each(|line| line.forget(forgotten));
    }
}

impl Line {
    /// So many of its first moves will not be asked for again.
    fn forget(&mut self, moves: usize) {
        self.moves.drain(..moves);
        self.costs.drain(..moves);
    }

    /// After how many moves since the settled ones this line begins to leave too much unexplained.
    fn incredible(&self, settled: usize) -> Option<usize> {
        let (moves, most) = INCREDIBLE;
        let later = self.costs.get(settled..).unwrap_or_default();
        let until = |index: usize| later.get(index + moves).copied().unwrap_or(self.cost);
        (0..later.len()).find(|&index| until(index) >= later[index] + most)
    }

    /// This line up to what stands there now: nothing more, or one more move. What looked otherwise
    /// at the last press, and was not heard of since, is as it should be, or else in a hand.
    fn up_to(&self, picture: &Picture, since: Moment, away: bool) -> Option<Vec<Move>> {
        let stale = self.wrong.all & !picture.stirred_since(since);
        let board = self.position.board();
        let in_a_hand = picture.with(stale & !self.wrong.reported, board);
        let fresh = stale & !self.wrong.remains;
        let reported = stale & self.wrong.reported;
        let few = away || fresh.count() <= FRESH_MAX;
        let by_reports = few && reported.count() <= REPORTED_WRONG_MAX;
        let as_it_should_be = by_reports.then(|| picture.with(stale, board));
        if as_it_should_be.as_ref().is_some_and(|it| it.shows(board)) {
            return Some(self.moves.clone());
        }
        let mut seen = as_it_should_be.into_iter().chain([in_a_hand]);
        let mv = seen.find_map(|it| candidates::single(&self.position, it.board()))?;
        Some([&self.moves[..], &[mv]].concat())
    }
}

impl Tracker {
    /// Whether the board does not report its whole position, and was heard from the beginning.
    pub(super) fn is_heard(&self, picture: &Picture) -> bool {
        let pressed = |hearing: &Hearing| hearing.since > hearing.began;
        picture.is_uncertain() && self.hearing.as_ref().is_some_and(pressed)
    }

    /// Whether all that was heard can still show what is played, though the squares cannot.
    pub fn follows_by_ear(&mut self) -> bool {
        self.deaf && self.hearing.as_mut().is_some_and(Hearing::is_credible)
    }

    /// The clock was pressed: of the moves that are shown another line may be as true.
    pub(super) fn dispute(&mut self) {
        self.doubts.disputed = None;
        let Some(hearing) = self.hearing.as_mut().filter(|_| self.deaf) else { return };
        let tail = self.stands.moves(self.shown, 0);
        if hearing.is_sure(&tail) {
            return;
        }
        let agrees = self.standing == Some(self.shown);
        let seen = if agrees { self.stands.seen_one_by_one(self.shown) } else { 0 };
        self.doubts.disputed = hearing.undisputed(&tail, seen);
        if self.doubts.disputed.is_none() {
            hearing.find_sure();
        }
    }

    /// Whether what stands there is believed if it rests. If the board cannot be asked, nothing
    /// that comes will decide in which of several ways a game has ended.
    pub(super) fn is_final(&mut self, stand: usize) -> bool {
        let stand = &mut self.stands[stand];
        let over = self.deaf && stand.readings.iter().all(|it| candidates::is_over(&it.position));
        stand.unproven |= over && !stand.is_certain();
        over || stand.is_certain()
    }

    /// What stands there by all that was heard, read in every way that may be as true.
    pub(super) fn all_heard(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let games = self.hearing.as_mut()?.up_to(picture);
        if games.is_empty() || games.len() > READINGS_MAX {
            return None;
        }
        let (base, mut readings) = self.readings_of(&games)?;
        for reading in &mut readings {
            reading.stale = Stale::new(now, picture.differing(reading.position.board()));
        }
        Some(self.stands.push(now, base, readings))
    }

    /// Nothing more will show what was played. It is the likeliest line that was pressed for, and
    /// what came to stand after it.
    pub(super) fn likeliest_heard(&mut self, stood: Option<usize>) -> Option<usize> {
        let hearing = self.hearing.as_mut().filter(|_| self.deaf)?;
        let now = hearing.since;
        let (lines, settled) = hearing.follow();
        let game = lines[0].moves.clone();
        if let Some(stand) = stood
            && let Some(way) = self.way_through(stand, game.get(settled..)?)
        {
            self.stands[stand].readings.swap(0, way);
            return Some(stand);
        }
        let (base, readings) = self.readings_of(&[game])?;
        Some(self.stands.push(now, base, readings))
    }

    /// The reading of a picture that these moves since the root lead to, or through.
    fn way_through(&self, stand: usize, line: &[Move]) -> Option<usize> {
        let mut ways = 0..self.stands[stand].readings.len();
        ways.find(|&way| {
            let steps = self.stands.steps(stand, way);
            steps.len() >= line.len() && steps.iter().zip(line).all(|(step, mv)| step.mv == *mv)
        })
    }

    /// These games as readings of one picture: where they leave what is shown, and how they go on
    /// from there.
    fn readings_of(&self, games: &[Vec<Move>]) -> Option<(usize, Vec<Reading>)> {
        let mut plies = self.hearing.as_ref()?.settled;
        let (mut stand, mut way) = (0, self.stands.root_of(self.shown, 0));
        for (next, reading) in self.stands.chain(self.shown, 0) {
            let made = &self.stands[next].readings[reading].line[..];
            let until = plies + made.len();
            if games.iter().any(|game| game.get(plies..until) != Some(made)) {
                break;
            }
            (stand, way, plies) = (next, reading, until);
        }
        let start = &self.stands[stand].readings[way];
        let reading = |game: &Vec<Move>| {
            let rest = game.get(plies..).filter(|rest| is_legal(&start.position, rest))?;
            Some(start.then(way, rest.to_vec(), Confidence::Inferred))
        };
        let readings: Option<Vec<_>> = games.iter().map(reading).collect();
        Some((stand, readings?))
    }
}

/// Whether there are moves in this line, and all are legal.
fn is_legal(start: &Chess, line: &[Move]) -> bool {
    let mut position = start.clone();
    let mut legal = |mv: &Move| {
        let legal = position.is_legal(*mv);
        if legal {
            position.play_unchecked(*mv);
        }
        legal
    };
    !line.is_empty() && line.iter().all(&mut legal)
}
