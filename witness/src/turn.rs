//! One player's turn as hands made it: what was lifted and put, in order, between the move before
//! and the move that was made. Knows no law and no opinion of the recogniser: only pictures.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Board, Chess, Color, Move, Piece, Position, Square};

use crate::evidence::{Evidence, Trace};
use crate::hand::Touched;
use crate::score::Ply;
use crate::tolerances::{GHOST, SCAN};

/// The most acts kept; the oldest turns go first.
const ACTS_MAX: usize = 512;
/// Turns that may still be judged again because a move is revised.
const TURNS_MAX: usize = 8;

/// One thing hands did, and what stood there afterwards.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct Act {
    pub at: Moment,
    pub trace: Trace,
    pub picture: Board,
    /// Whose time was counting.
    pub running: Option<Color>,
    /// Both times of the game stood: somebody had stopped the clock.
    pub stood: bool,
}

/// Where a move of the game ended among the acts.
#[derive(Clone, Copy, Debug, Encode, Decode)]
struct End {
    ply: usize,
    acts: usize,
}

/// The acts of the last turns of a game.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct Turns {
    start: Board,
    picture: Board,
    acts: Vec<Act>,
    /// The first one ends where the record of acts begins: ply 0 with the game.
    ends: Vec<End>,
}

impl Default for Turns {
    fn default() -> Self {
        Self::after(0, Board::empty())
    }
}

/// One turn: from the position before it to the acts that came until it was judged.
#[derive(Clone, Debug)]
pub(crate) struct Turn<'a> {
    pub before: &'a Chess,
    pub mv: Move,
    /// Everything since, the made move included.
    pub acts: &'a [Act],
    /// So many of them until the move stood there.
    pub made: usize,
    /// What came before this turn, for the evidence.
    pub earlier: &'a [Act],
}

impl Turns {
    /// From here on, so many moves having been made.
    pub fn after(plies: usize, picture: Board) -> Self {
        let ends = vec![End { ply: plies, acts: 0 }];
        Self { start: picture.clone(), picture, acts: Vec::new(), ends }
    }

    /// The same acts as those of a game that began when this stood there, at that moment.
    pub fn from(&self, stood: Moment, start: &Board) -> Option<Self> {
        let first = self.acts.partition_point(|act| act.at <= stood);
        let stands = first.checked_sub(1).is_some_and(|last| self.acts[last].picture == *start);
        let acts = stands.then(|| self.acts[first..].to_vec())?;
        Some(Self { acts, picture: self.picture.clone(), ..Self::after(0, start.clone()) })
    }

    pub fn touched(&mut self, touched: Touched, running: Option<Color>, stood: bool) {
        match touched.put {
            Some(piece) => self.picture.set_piece_at(touched.square, piece),
            None => self.picture.discard_piece_at(touched.square),
        }
        self.add(touched.at, Trace::Touched(touched), running, stood);
    }

    pub fn pressed(&mut self, at: Moment, by: Color) {
        self.add(at, Trace::Pressed(by), Some(by.other()), false);
    }

    fn add(&mut self, at: Moment, trace: Trace, running: Option<Color>, stood: bool) {
        if self.acts.len() == ACTS_MAX {
            self.drop_first(ACTS_MAX / 2);
        }
        self.acts.push(Act { at, trace, picture: self.picture.clone(), running, stood });
    }

    /// Whether this is what stands there.
    pub fn shows(&self, board: &Board) -> bool {
        self.picture == *board
    }

    /// What was done since so many moves had been made.
    pub fn since(&self, plies: usize) -> &[Act] {
        let end = self.ends.iter().find(|end| end.ply == plies);
        end.and_then(|end| self.acts.get(end.acts..)).unwrap_or_default()
    }

    /// When the piece that stood there was lifted last.
    pub fn lifted_at(&self, square: Square) -> Option<Moment> {
        self.acts.iter().rev().find_map(|act| match act.trace {
            Trace::Touched(touched) if touched.square == square && touched.lifted.is_some() => {
                Some(act.at)
            }
            _ => None,
        })
    }

    /// From this move on, counted from 0, the moves are others now.
    pub fn revised(&mut self, from: usize) {
        self.ends.retain(|end| end.ply <= from);
    }

    /// This move, counted from 0, was made: where its turn began and ended. None when that is not
    /// known, because what stood there before was not the position before it.
    pub fn made<'a>(
        &'a mut self,
        index: usize,
        before: &'a Chess,
        ply: &'a Ply,
    ) -> Option<Turn<'a>> {
        self.ends.retain(|end| end.ply <= index);
        let began = self.ends.last().filter(|end| end.ply == index).map(|end| end.acts);
        let made = began.and_then(|began| self.made_at(began, ply.after.board()));
        let end = made.unwrap_or(self.acts.len());
        self.ends.push(End { ply: index + 1, acts: end });
        self.keep_few();
        made?;
        self.turn(index, before, ply)
    }

    /// The turn of this move as far as it is known by now.
    pub fn turn<'a>(&'a self, index: usize, before: &'a Chess, ply: &'a Ply) -> Option<Turn<'a>> {
        let of = |ply: usize| self.ends.iter().find(|end| end.ply == ply).map(|end| end.acts);
        let (began, made) = (of(index)?, of(index + 1)?);
        let start = began.checked_sub(1).map_or(&self.start, |last| &self.acts[last].picture);
        let reached = made > began && self.acts[made - 1].picture == *ply.after.board();
        (start == before.board() && reached).then(|| Turn {
            before,
            mv: ply.mv,
            acts: &self.acts[began..],
            made: made - began,
            earlier: &self.acts[..began],
        })
    }

    /// Acts until this picture stood there to stay: until the next act but one that follows soon.
    fn made_at(&self, began: usize, after: &Board) -> Option<usize> {
        let stands = |index: &usize| self.acts[*index].picture == *after;
        let mut stood = (began..self.acts.len()).filter(stands);
        let first = stood.next()?;
        let rests = |index: &usize| {
            let next = self.acts.get(index + 1);
            next.is_none_or(|next| next.at.since(self.acts[*index].at) >= SCAN)
        };
        let rested = std::iter::once(first).chain(stood).find(rests);
        Some(rested.unwrap_or(first) + 1)
    }

    fn keep_few(&mut self) {
        if self.ends.len() > TURNS_MAX {
            self.ends.remove(0);
            if let Some(acts) = self.ends.first().map(|end| end.acts) {
                self.drop_first(acts);
            }
        }
    }

    fn drop_first(&mut self, count: usize) {
        let count = count.min(self.acts.len());
        let Some(last) = count.checked_sub(1) else { return };
        self.start = self.acts[last].picture.clone();
        self.acts.drain(..count);
        self.ends.retain(|end| end.acts >= count);
        for end in &mut self.ends {
            end.acts -= count;
        }
    }
}

/// A piece that hands have touched.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub piece: Piece,
    /// Where it stood when the turn began; none: it came from beside the board.
    pub origin: Option<Square>,
    /// When it was lifted first.
    pub first: Moment,
    /// Every time it was in the air, until when; none: it has not been put since.
    pub air: Vec<(Moment, Option<Moment>)>,
    /// Where it was put, and when.
    pub puts: Vec<(Moment, Square)>,
    /// Where it stands.
    pub on: Option<Square>,
}

impl Token {
    /// Whether it stands where it stood.
    pub fn is_back(&self) -> bool {
        self.on.is_some() && self.on == self.origin
    }

    /// Whether it never stood anywhere else.
    pub fn stayed(&self) -> bool {
        self.is_back() && self.puts.iter().all(|(_, square)| Some(*square) == self.origin)
    }
}

impl Turn<'_> {
    /// Whose turn it is.
    pub fn side(&self) -> Color {
        self.before.turn()
    }

    /// The acts that led to the move.
    pub fn making(&self) -> &[Act] {
        &self.acts[..self.made]
    }

    /// The pieces touched until the move stood there, in order of their first lift.
    pub fn tokens(&self) -> Vec<Token> {
        tokens(self.making())
    }

    /// Whether hands lifted something from these squares, and never but while both times stood.
    pub fn only_while_stopped(&self, squares: &[Square]) -> bool {
        let lifted = |act: &&Act| match act.trace {
            Trace::Touched(it) => it.lifted.is_some() && squares.contains(&it.square),
            _ => false,
        };
        let mut lifts = self.acts.iter().filter(lifted).peekable();
        lifts.peek().is_some() && lifts.all(|act| act.stood)
    }

    /// What was seen, in order.
    pub fn evidence(&self) -> Vec<Evidence> {
        self.acts.iter().map(|act| Evidence { at: act.at, trace: act.trace }).collect()
    }
}

/// The pieces touched by these acts, in order of their first lift.
pub(crate) fn tokens(acts: &[Act]) -> Vec<Token> {
    let mut table = Follow::default();
    for act in acts {
        if let Trace::Touched(touched) = act.trace {
            table.follow(touched);
        }
    }
    table.tokens
}

/// Follows pieces from square to hand to square.
#[derive(Default)]
struct Follow {
    tokens: Vec<Token>,
}

impl Follow {
    fn follow(&mut self, touched: Touched) {
        if let Some(piece) = touched.lifted {
            self.lift(touched.at, touched.square, piece);
        }
        if let Some(piece) = touched.put {
            self.put(touched.at, touched.square, piece);
        }
    }

    fn lift(&mut self, at: Moment, square: Square, piece: Piece) {
        let standing = self.tokens.iter().position(|it| it.on == Some(square));
        // A slide: the piece was seen on its new square before it was missed here.
        let ghost = self.tokens.iter().position(|it| {
            it.origin.is_none()
                && it.piece == piece
                && it.air.is_empty()
                && it.on.is_some_and(|on| on != square)
                && at.since(it.first) <= GHOST
        });
        let index = standing.unwrap_or_else(|| {
            let (air, puts) = (Vec::new(), Vec::new());
            let token = Token { piece, origin: Some(square), first: at, air, puts, on: None };
            self.tokens.push(token);
            self.tokens.len() - 1
        });
        let landed = ghost.filter(|it| *it != index);
        let token = &mut self.tokens[index];
        token.on = None;
        token.air.push((at, None));
        if let Some(ghost) = landed {
            let Token { on, puts, .. } = self.tokens[ghost].clone();
            let token = &mut self.tokens[index];
            token.on = on;
            token.puts.extend(puts);
            if let Some(last) = token.air.last_mut() {
                last.1 = Some(at);
            }
            self.tokens.remove(ghost);
        }
    }

    fn put(&mut self, at: Moment, square: Square, piece: Piece) {
        let held = |it: &Token| it.on.is_none() && it.piece == piece;
        let home = self.tokens.iter().position(|it| held(it) && it.origin == Some(square));
        let last = || {
            let lifted = |it: &Token| it.air.last().map(|air| air.0);
            let held = self.tokens.iter().enumerate().filter(|(_, it)| held(it));
            held.max_by_key(|(_, it)| lifted(it)).map(|(index, _)| index)
        };
        match home.or_else(last) {
            Some(index) => {
                let token = &mut self.tokens[index];
                token.on = Some(square);
                token.puts.push((at, square));
                if let Some(air) = token.air.last_mut() {
                    air.1 = Some(at);
                }
            }
            None => {
                let (air, puts) = (Vec::new(), vec![(at, square)]);
                let on = Some(square);
                self.tokens.push(Token { piece, origin: None, first: at, air, puts, on });
            }
        }
    }
}
