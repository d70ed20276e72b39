//! What was played by all that was heard, where a board cannot be asked: at every press one more
//! move had been made, and the lines of legal moves are followed that leave the least of it
//! unexplained. No report is believed for itself, so one that was lost or came through damaged is
//! made good by what comes later.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Square};

use super::gap::{self, Put};
use super::stale::Stale;
use super::stands::Reading;
use super::{READINGS_MAX, Tracker};
use crate::candidates;
use crate::keep::keep;
use crate::picture::{Picture, differing};
use crate::score::Confidence;

/// Lines that are followed.
const LINES_MAX: usize = 96;
/// A line that costs so much more than the best one is given up.
const MARGIN: u32 = 10;
/// Lines that are looked at for moves which were pressed for together.
const UNEXPLAINED_MAX: usize = 4;
/// Lines of which it is asked what was played while nobody watched.
const MISSED_FROM_MAX: usize = 8;
/// So many lines of such moves, out of so many positions.
const TOGETHER: (usize, usize) = (8, 5_000);
/// Squares that may look otherwise since the last press because of reports, and that may have been
/// told wrongly at a time; more are the work of hands.
const FRESH_MAX: usize = 1;
const TOLD_WRONG_MAX: usize = 1;
/// The last moves of a line are not judged before something has come after them.
const LATEST: usize = 2;
/// A line that costs no more than this beyond another one may be as true.
const DISPUTED: u32 = 1;
/// A line that leaves so much unexplained in so many moves is not the truth, though none is better.
const INCREDIBLE: (usize, u32) = (6, 9);

/// What each thing costs that a line leaves unexplained: one report in a thousand is lost, and
/// hands are over the board at every tenth press.
mod cost {
    /// A square looks otherwise than it should: a hand or a scan may be on the way.
    pub const WRONG: u32 = 1;
    /// And a piece of the player's stands there who has just pressed.
    pub const OWN: u32 = 1;
    /// It still does at the next press, and nothing was heard of it: a report was lost.
    pub const LOST: u32 = 2;
    /// It still does, as was told of it: something else was told than what is there.
    pub const TOLD: u32 = 3;
    /// A piece left a square on which none had stood.
    pub const SURPRISE: u32 = 5;
    /// The same where one had been told to stand.
    pub const LEFT_EMPTY: u32 = 2;
    /// The clock was pressed for a move that was not made.
    pub const NO_MOVE: u32 = 4;
    /// A move was made and not pressed for.
    pub const NO_PRESS: u32 = 1;
}

/// What was heard of one game, and what it may have been.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Hearing {
    began: Moment,
    /// When the clock was pressed last, or the game began.
    since: Moment,
    /// The squares heard of since then, and what had stood on those that were left first.
    touched: Bitboard,
    left: Vec<Put>,
    /// Presses that the lines have not taken in yet.
    heard: Vec<Heard>,
    /// The likeliest first. Never empty.
    lines: Vec<Line>,
    /// So many moves of the game are beyond revision.
    settled: usize,
    /// Nobody has watched for a while since the last press.
    away: bool,
}

/// A press, and what had been heard until then.
#[derive(Clone, Debug, Encode, Decode)]
struct Heard {
    by: Color,
    /// When the clock was pressed before.
    since: Moment,
    picture: Picture,
    /// Of these squares something was heard since the press before.
    stirred: Bitboard,
    /// What was put where since then.
    puts: Vec<Put>,
    /// What was left although nothing had been known to stand there.
    surprise: Option<Square>,
    /// What was left before anything was put there.
    left: Vec<Put>,
    /// Nobody watched for a while since then: what was not heard may just have been missed.
    away: bool,
}

/// The moves of a game as they may have been played.
#[derive(Clone, Debug)]
struct Line {
    moves: Vec<Move>,
    /// What the line cost before each of its moves.
    costs: Vec<u32>,
    position: Chess,
    cost: u32,
    wrong: Wrong,
}

keep!(Line { moves, position; costs, cost, wrong });

/// Squares that looked otherwise at the last press than in the position of a line.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
struct Wrong {
    all: Bitboard,
    /// Those of which that was told.
    told: Bitboard,
    /// Those that did so at the press before.
    remains: Bitboard,
}

/// A line and what may come next in it.
struct Next<'a> {
    line: &'a Line,
    moves: Vec<Move>,
    position: Chess,
    cost: u32,
    wrong: Wrong,
}

impl Hearing {
    pub fn new(now: Moment, position: Chess) -> Self {
        let (moves, costs, wrong) = (Vec::new(), Vec::new(), Wrong::default());
        let line = Line { moves, costs, position, cost: 0, wrong };
        Self {
            began: now,
            since: now,
            touched: Bitboard::EMPTY,
            left: Vec::new(),
            heard: Vec::new(),
            lines: vec![line],
            settled: 0,
            away: false,
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
        self.away = true;
    }

    /// The squares have changed.
    pub fn saw(&mut self, at: Moment, before: &Board, now: &Board) {
        let changed = differing(before, now) & !self.touched;
        let left = (changed & !now.occupied()).into_iter();
        let left = left.filter_map(|square| Some((square, before.piece_at(square)?)));
        self.left.extend(left.map(|(square, piece)| Put { at, square, piece }));
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
        let lines = self.follow();
        let least = lines[0].cost;
        let best = lines.iter().take_while(|line| line.cost == least);
        best.filter_map(|line| line.up_to(picture, since, away)).collect()
    }

    /// How many of these moves since the settled ones no line disputes that may be as true.
    fn undisputed(&mut self, tail: &[Move]) -> Option<usize> {
        let settled = self.settled;
        let same = |line: &Line| {
            let later = line.moves.get(settled..).unwrap_or_default();
            let same = tail.iter().zip(later).take_while(|(one, other)| one == other).count();
            (same + LATEST < tail.len().max(later.len())).then_some(same)
        };
        let lines = self.follow();
        let shown = lines.iter().find(|line| same(line).is_none()).unwrap_or(&lines[0]);
        let most = shown.cost + DISPUTED;
        let as_true = lines.iter().take_while(|line| line.cost <= most).filter_map(same).min();
        as_true.into_iter().chain(shown.incredible(settled)).min()
    }

    /// Whether some line leaves little enough unexplained to be the truth.
    fn is_credible(&mut self) -> bool {
        let settled = self.settled;
        self.follow()[0].incredible(settled).is_none()
    }

    /// The lines after the last press, the likeliest first.
    fn follow(&mut self) -> &[Line] {
        for heard in self.heard.drain(..) {
            self.lines = heard.follow(&self.lines);
        }
        &self.lines
    }
}

impl Heard {
    /// Every line goes on by a move, or by none; where that explains too little, by a few.
    fn follow(&self, lines: &[Line]) -> Vec<Line> {
        let mut next = Vec::new();
        let mut unexplained = Vec::new();
        for line in lines {
            let from = next.len();
            next.push(self.next(line, Vec::new()));
            if line.position.turn() == self.by {
                let moves = line.position.legal_moves().into_iter();
                next.extend(moves.map(|mv| self.next(line, vec![mv])));
            }
            if !next[from..].iter().any(|it| it.cost <= line.cost + cost::WRONG) {
                unexplained.push(line);
            }
        }
        if self.away {
            let nearest = lines.iter().take(MISSED_FROM_MAX);
            next.extend(nearest.flat_map(|line| self.missed(line)));
        }
        let least = |next: &[Next<'_>]| next.iter().map(|it| it.cost).min().unwrap_or_default();
        let best = least(&next);
        unexplained.retain(|line| line.cost + cost::NO_PRESS < best);
        next.extend(unexplained.iter().take(UNEXPLAINED_MAX).flat_map(|it| self.together(it)));
        let most = least(&next) + MARGIN;
        next.retain(|it| it.cost <= most);
        next.sort_by_key(|it| it.cost);
        next.into_iter().take(LINES_MAX).map(Line::from).collect()
    }

    /// This line with moves of which only the last one was pressed for.
    fn together<'a>(&self, line: &'a Line) -> Vec<Next<'a>> {
        let plies = if line.position.turn() == self.by { 3 } else { 2 };
        let lost = line.wrong.all & !line.wrong.told & !self.stirred;
        let picture = self.picture.with(lost, line.position.board());
        let (most, mut left) = TOGETHER;
        // The opponent may have replied to the last one already.
        let found = [plies, plies + 1]
            .into_iter()
            .map(|plies| gap::exactly(&line.position, &picture, plies, most, &mut left).lines);
        let found = found.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default();
        found.into_iter().map(|moves| self.next(line, moves)).collect()
    }

    /// This line with moves of which all but the last were pressed for while nobody watched: two of
    /// which nothing may have been heard, or a few, all but one of which were.
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
    fn next<'a>(&self, line: &'a Line, moves: Vec<Move>) -> Next<'a> {
        let start = line.position.clone();
        let position = moves.iter().fold(start, |at, &mv| candidates::after(&at, mv));
        let wrong = self.wrong(line.wrong, &position);
        let stands = |position: &Chess| {
            self.surprise.is_none_or(|it| position.board().piece_at(it).is_some())
        };
        let surprise = match (stands(&line.position), stands(&position)) {
            (true, _) => 0,
            // It was put there, lifted again and put there once more.
            (false, true) => cost::LOST,
            (false, false) => cost::SURPRISE,
        };
        let cost = line.cost
            + self.pressing(line, &moves)
            + self.looking(line.wrong, wrong)
            + self.went_away(line, wrong, &position)
            + self.never_heard(line, &position)
            + self.left_empty(line, &position)
            + surprise;
        Next { line, moves, position, cost, wrong }
    }

    fn wrong(&self, before: Wrong, position: &Chess) -> Wrong {
        let all = self.picture.differing(position.board());
        let told = all & (self.stirred | before.told);
        // What was missed is paid for as if it had been so before.
        let missed = if self.away { all & !told } else { Bitboard::EMPTY };
        Wrong { all, told, remains: all & before.all & !self.stirred | missed }
    }

    /// What it costs that so many moves were pressed for.
    fn pressing(&self, line: &Line, moves: &[Move]) -> u32 {
        let turn = line.position.turn() == self.by;
        match moves.len() {
            0 if turn => cost::NO_MOVE,
            0 | 1 => 0,
            _ if self.away => 0,
            _ => {
                let start = &line.position;
                let unseen = gap::unseen(start, &self.picture, self.since, &self.puts, moves);
                let unpressed = if turn { 2 } else { 1 };
                cost::NO_PRESS * unpressed + cost::LOST * number(unseen)
            }
        }
    }

    /// What it costs that these squares look otherwise than they should.
    fn looking(&self, before: Wrong, wrong: Wrong) -> u32 {
        let missed = if self.away { !self.stirred } else { Bitboard::EMPTY };
        // What was told of a square anew has not remained.
        let new = wrong.all & (self.stirred | !before.all) & !missed;
        let own = new & self.stirred & self.picture.board().by_color(self.by);
        let remains = wrong.remains & !before.remains & !missed;
        let (told, lost) = ((remains & wrong.told).count(), (remains & !wrong.told).count());
        // What was told of another square is one report and not two.
        cost::WRONG * number(new.count())
            + cost::OWN * number(own.count())
            + cost::TOLD * number(told)
            + cost::LOST * number(lost.saturating_sub(told))
    }

    /// What it costs that squares which were told wrongly for long are told rightly now, and no
    /// move of the line has to do with them: what was told of them may have been right.
    fn went_away(&self, line: &Line, wrong: Wrong, now: &Chess) -> u32 {
        let moved = differing(line.position.board(), now.board());
        let before = line.wrong.remains & line.wrong.told;
        cost::TOLD * number((before & self.stirred & !wrong.all & !moved).count())
    }

    /// What it costs that pieces have left squares on which none had stood: what was told before,
    /// that they do, was right then. A reply may have stood there before the press.
    fn left_empty(&self, line: &Line, now: &Chess) -> u32 {
        let stood = |it: &&Put| line.position.board().piece_at(it.square).is_some();
        let replied = |it: &&Put| now.board().piece_at(it.square) == Some(it.piece);
        let none = self.left.iter().filter(|it| !stood(it) && !replied(it));
        cost::LEFT_EMPTY * number(none.count())
    }

    /// What it costs that pieces have left their squares, or were taken there, and nobody has heard
    /// them put there.
    fn never_heard(&self, line: &Line, now: &Chess) -> u32 {
        let unheard = (line.wrong.all & !line.wrong.told & !line.wrong.remains).into_iter();
        let gone = unheard.filter(|&square| {
            let piece = line.position.board().piece_at(square);
            let put = |put: &Put| put.square == square && Some(put.piece) == piece;
            piece.is_some() && now.board().piece_at(square) != piece && !self.puts.iter().any(put)
        });
        cost::LOST * number(gone.count())
    }
}

impl Line {
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
        let in_a_hand = picture.with(stale & !self.wrong.told, board);
        let fresh = stale & !self.wrong.remains;
        let told = stale & self.wrong.told;
        let few = away || fresh.count() <= FRESH_MAX;
        let by_reports = few && told.count() <= TOLD_WRONG_MAX;
        let as_it_should_be = by_reports.then(|| picture.with(stale, board));
        if as_it_should_be.as_ref().is_some_and(|it| it.shows(board)) {
            return Some(self.moves.clone());
        }
        let mut seen = as_it_should_be.into_iter().chain([in_a_hand]);
        let mv = seen.find_map(|it| candidates::single(&self.position, it.board()))?;
        Some([&self.moves[..], &[mv]].concat())
    }
}

impl From<Next<'_>> for Line {
    fn from(next: Next<'_>) -> Self {
        let (line, new) = (next.line, next.moves.len());
        let moves = [&line.moves[..], &next.moves].concat();
        let costs = [&line.costs[..], &vec![line.cost; new]].concat();
        Self { moves, costs, position: next.position, cost: next.cost, wrong: next.wrong }
    }
}

impl Tracker {
    /// Whether the board does not tell its whole position, and was heard from the beginning.
    pub(super) fn is_heard(&self, picture: &Picture) -> bool {
        let pressed = |hearing: &Hearing| hearing.since > hearing.began;
        picture.is_uncertain() && self.hearing.as_ref().is_some_and(pressed)
    }

    /// Whether all that was heard can still tell what is played, though the squares cannot.
    pub fn follows_by_ear(&mut self) -> bool {
        self.deaf && self.hearing.as_mut().is_some_and(Hearing::is_credible)
    }

    /// The clock was pressed: of the moves that are shown another line may be as true.
    pub(super) fn dispute(&mut self) {
        self.disputed = None;
        if self.deaf && self.hearing.is_some() {
            let tail: Vec<_> = self.tail().iter().map(|step| step.mv).collect();
            self.disputed = self.hearing.as_mut().and_then(|it| it.undisputed(&tail));
        }
    }

    /// Whether what stands there is believed if it rests. Where the board cannot be asked nothing
    /// that comes will tell in which of several ways a game has ended.
    pub(super) fn is_final(&mut self, stand: usize) -> bool {
        let stand = &mut self.stands[stand];
        let over = self.deaf && stand.readings.iter().all(|it| it.position.is_game_over());
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

    /// Nothing more will tell what was played: the likeliest of what was pressed for, and what came
    /// to stand after it.
    pub(super) fn likeliest_heard(&mut self, stood: Option<usize>) -> Option<usize> {
        let hearing = self.hearing.as_mut().filter(|_| self.deaf)?;
        let (now, settled) = (hearing.since, hearing.settled);
        let game = hearing.follow()[0].moves.clone();
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

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
