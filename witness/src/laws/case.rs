//! What hands did in one turn, held against what was legal then. The rules of Article 4 ask here.

use std::time::Duration;

use eboard::Moment;
use shakmaty::{Chess, Color, Move, MoveList, Position, Square, attacks, san::San};

use crate::candidates::captured;
use crate::detail::Detail;
use crate::evidence::Trace;
use crate::incident::{Advice, Gravity, Kind};
use crate::laws::tolerances::ADJUSTING;
use crate::message::{Message, Written};
use crate::settings::Edition;
use crate::tolerances::SCAN;
use crate::turn::{Token, Turn};

/// What the rules need to know beside the turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// A legal move that has rested this long was released.
    pub release: Duration,
    pub chess960: bool,
    pub edition: Edition,
    /// The move was completed: it is no passage to another one.
    pub completed: bool,
    /// A touch that lasts less than this may not have been reported.
    pub misses: Duration,
}

/// What a rule has found.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub kind: Kind,
    pub side: Option<Color>,
    /// Another one than the kind's own.
    pub gravity: Option<Gravity>,
    pub detail: Option<Detail>,
    pub squares: Vec<Square>,
    /// The legal moves that the Laws oblige to.
    pub obliged: Vec<Move>,
    /// A whole move that was released before, or its new piece put, and that stands (4.4.4, 4.7).
    pub released: Option<Move>,
    /// After which plies the position has stood there.
    pub occurrences: Vec<u32>,
    pub text: Message,
    pub advice: Vec<Advice>,
}

impl Finding {
    pub fn new(kind: Kind, side: impl Into<Option<Color>>, text: Message) -> Self {
        Self {
            kind,
            side: side.into(),
            gravity: None,
            detail: None,
            squares: Vec::new(),
            obliged: Vec::new(),
            released: None,
            occurrences: Vec::new(),
            text,
            advice: Vec::new(),
        }
    }

    pub fn at(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.squares = squares.into_iter().collect();
        self
    }

    pub fn obliging(mut self, moves: impl IntoIterator<Item = Move>) -> Self {
        self.obliged = moves.into_iter().collect();
        self
    }

    pub fn advising(mut self, advice: impl IntoIterator<Item = Advice>) -> Self {
        self.advice.extend(advice);
        self
    }

    pub fn only(mut self, gravity: Gravity, detail: Detail) -> Self {
        (self.gravity, self.detail) = (Some(gravity), Some(detail));
        self
    }
}

/// One turn with the pieces touched in it and the moves that were legal.
pub(crate) struct Case<'a> {
    pub turn: &'a Turn<'a>,
    pub rules: Rules,
    pub legal: MoveList,
    tokens: Vec<Token>,
    knocked: Vec<Square>,
}

impl<'a> Case<'a> {
    pub fn new(turn: &'a Turn<'a>, rules: Rules) -> Self {
        let tokens = turn.tokens();
        let mut case =
            Self { turn, rules, legal: turn.before.legal_moves(), tokens, knocked: vec![] };
        case.leave_out_before_the_press();
        case.knocked = case.knocked();
        case
    }

    pub fn side(&self) -> Color {
        self.turn.side()
    }

    pub fn before(&self) -> &Chess {
        self.turn.before
    }

    /// The mover's pieces that were lifted, in order; none that merely fell, and none of
    /// [`Self::early`].
    pub fn own(&self) -> impl Iterator<Item = &Token> {
        self.lifted().filter(move |it| it.piece.color == self.side() && !self.is_early(it))
    }

    /// The mover's pieces that left their squares before the opponent had pressed and were put
    /// back, before the press or after it. Nothing shows whose hand that was.
    pub fn early(&self) -> impl Iterator<Item = &Token> {
        self.lifted().filter(move |it| it.piece.color == self.side() && self.is_early(it))
    }

    fn is_early(&self, token: &Token) -> bool {
        let lifted = token.air.last().map(|air| air.0);
        token.is_back() && lifted.is_some_and(|lifted| self.is_before_the_press(lifted))
    }

    /// Whether the opponent had not pressed by then. The clock reports a press at once, the board a
    /// lift up to a scan later.
    fn is_before_the_press(&self, at: Moment) -> bool {
        self.pressed_at().is_some_and(|pressed| at < pressed + SCAN)
    }

    /// A piece that was touched by either hand before the press, and again after it, was touched by
    /// the mover when it was lifted again.
    fn leave_out_before_the_press(&mut self) {
        let Some(pressed) = self.pressed_at() else { return };
        let side = self.side();
        for token in self.tokens.iter_mut().filter(|it| it.piece.color == side) {
            while let [(lifted, Some(put)), (again, _), ..] = token.air[..]
                && lifted < pressed + SCAN
                && token.origin.is_some_and(|origin| token.puts.first() == Some(&(put, origin)))
            {
                token.air.remove(0);
                token.puts.remove(0);
                token.first = again;
            }
        }
        self.tokens.sort_by_key(|token| token.first);
    }

    /// When the opponent pressed for his move; after everything that was seen, if he has not yet.
    /// None: his time was not counting in this turn.
    pub fn pressed_at(&self) -> Option<Moment> {
        let counts = Some(self.side().other());
        let acts = self.turn.acts;
        let presses = |it: &&crate::turn::Act| it.trace == Trace::Pressed(self.side().other());
        let pressed = acts.iter().find(presses).map(|it| it.at);
        let last = acts.last().filter(|it| it.running == counts);
        let first = acts.first().filter(|it| it.running == counts);
        let turned = acts.iter().find(|it| it.running != counts).map(|it| it.at);
        let later = last.map(|it| it.at + Duration::from_micros(1));
        pressed.or_else(|| first.and_then(|_| turned.or(later)))
    }

    /// The opponent's pieces that were lifted, in order; none that merely fell.
    pub fn theirs(&self) -> impl Iterator<Item = &Token> {
        self.lifted().filter(|it| it.piece.color != self.side())
    }

    /// Pieces that came from beside the board.
    pub fn new_pieces(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|it| it.origin.is_none())
    }

    /// The own piece that stood there, if it was lifted.
    pub fn of(&self, square: Square) -> Option<&Token> {
        self.tokens.iter().find(|it| it.origin == Some(square))
    }

    fn lifted(&self) -> impl Iterator<Item = &Token> {
        let fell = |it: &Token| it.origin.is_some_and(|square| self.knocked.contains(&square));
        self.tokens.iter().filter(move |it| it.origin.is_some() && !fell(it))
    }

    /// Pieces that left their squares together with one beside them, or beside the way of the move
    /// that was made together with one of it, and were put up again.
    fn knocked(&self) -> Vec<Square> {
        let loose = |it: &&Token| it.is_back() && !self.belongs(it);
        let loose: Vec<_> = self.tokens.iter().filter(loose).collect();
        let together = |one: &Token, other: &Token| {
            one.first.max(other.first).since(one.first.min(other.first)) <= SCAN
        };
        let beside = |one: &Token, other: &Token| {
            one.origin.zip(other.origin).is_some_and(|(a, b)| a.distance(b) == 1)
        };
        let of_move: Vec<_> = self.tokens.iter().filter(|it| self.belongs(it)).collect();
        let fell = loose.iter().filter(|one| {
            loose.iter().any(|other| beside(one, other) && together(one, other))
                || self.is_beside_the_way(one) && of_move.iter().any(|it| together(one, it))
        });
        fell.filter_map(|it| it.origin).collect()
    }

    fn is_beside_the_way(&self, token: &Token) -> bool {
        let mv = self.turn.mv;
        let Some((from, square)) = mv.from().zip(token.origin) else { return false };
        let way = attacks::between(from, mv.to()).into_iter().chain([from, mv.to()]);
        way.chain(captured(mv)).any(|it| it.distance(square) == 1)
    }

    /// Whether a piece takes part in the move that was made.
    pub fn belongs(&self, token: &Token) -> bool {
        self.is_moved(token) || token.origin == captured(self.turn.mv)
    }

    /// Whether the move that was made moves this piece; castling moves two.
    pub fn is_moved(&self, token: &Token) -> bool {
        let mv = self.turn.mv;
        token.origin == mv.from() || (mv.is_castle() && token.origin == Some(mv.to()))
    }

    /// Whether it was first put back where it had stood. In Chess960 a king or a rook may be put
    /// there to castle.
    pub fn is_put_home(&self, token: &Token) -> bool {
        let home = |put: &(Moment, Square)| Some(put.1) == token.origin;
        token.puts.first().is_some_and(home) && !(self.castles_home(token) && token.puts.len() == 1)
    }

    /// Whether the castling that was made leaves this piece where it stood.
    fn castles_home(&self, token: &Token) -> bool {
        let Move::Castle { king, rook } = self.turn.mv else { return false };
        let Some(side) = self.turn.mv.castling_side() else { return false };
        let stays = [(king, side.king_to(self.side())), (rook, side.rook_to(self.side()))];
        stays.iter().any(|(from, to)| from == to && token.origin == Some(*from))
    }

    /// The legal moves of a piece; castling is a move of the king (4.4.1).
    pub fn moves_of(&self, square: Square) -> impl Iterator<Item = Move> {
        self.legal.iter().copied().filter(move |mv| mv.from() == Some(square))
    }

    pub fn captures_of(&self, square: Square) -> impl Iterator<Item = Move> {
        self.legal.iter().copied().filter(move |mv| captured(*mv) == Some(square))
    }

    pub fn can_move(&self, token: &Token) -> bool {
        token.origin.is_some_and(|square| self.moves_of(square).next().is_some())
    }

    /// Whether one was certainly lifted before the other: not in the same scan.
    pub fn clearly_before(&self, one: &Token, other: &Token) -> bool {
        one.first < other.first && other.first.since(one.first) > SCAN
    }

    /// Two pieces or more were each lifted for a moment and put back: adjusting, by all signs.
    pub fn adjusts_around(&self) -> bool {
        let short = |(from, to): &(Moment, Option<Moment>)| {
            to.is_some_and(|to| to.since(*from) <= ADJUSTING)
        };
        let own = self.own().filter(|it| it.air.first().is_some_and(short));
        let adjusted = own.filter(|it| self.is_put_home(it));
        let untouched = self.own().filter(|it| !self.is_moved(it) && !it.stayed()).count();
        untouched == 0 && adjusted.count() > 1
    }
}

/// A move as it is written.
pub(crate) fn san(before: &Chess, mv: Move) -> Written {
    Written(San::from_move(before, mv).to_string())
}
