//! Reports that never came, or came through damaged, from a board that cannot be asked again: the
//! moves after which all squares but one look as they should.

use std::borrow::Cow;
use std::time::Duration;

use eboard::Moment;
use shakmaty::{Bitboard, Board, Chess, Move, Position, Square};

use super::Tracker;
use super::gap::{self, Effort, Put};
use super::stands::Reading;
use crate::candidates;
use crate::picture::{Picture, differing};
use crate::score::Confidence;

/// Squares that may look wrong at a time.
const STALE_MAX: usize = 4;

/// Positions that are looked at after one move of which a report was lost.
const POSITIONS_MAX: usize = 300;
/// Ways in which moves that nobody saw may have been played.
const GUESSES_MAX: usize = 48;

/// A picture that nothing has explained for so long is not explained by a move that is half done.
const LONG: Duration = Duration::from_secs(4);

/// Squares that look otherwise than they are until something is heard of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stale {
    squares: Bitboard,
    since: Moment,
}

impl Stale {
    pub fn new(now: Moment, squares: Bitboard) -> Self {
        Self { squares, since: now }
    }

    /// Those of which nothing has been heard yet.
    pub fn live(self, picture: &Picture) -> Bitboard {
        if self.squares.is_empty() || picture.confirmed() > self.since {
            return Bitboard::EMPTY;
        }
        self.squares.into_iter().filter(|&it| picture.stirred(it) <= self.since).collect()
    }
}

/// A way to read a picture in which some reports were lost.
struct Guess {
    line: Vec<Move>,
    stale: Bitboard,
    /// How unlikely it is.
    cost: usize,
}

impl Reading {
    /// The picture as it is if this reading is true.
    pub(super) fn corrected<'a>(&self, picture: &'a Picture) -> Cow<'a, Picture> {
        match self.stale.live(picture) {
            Bitboard::EMPTY => Cow::Borrowed(picture),
            live => Cow::Owned(picture.with(live, self.position.board())),
        }
    }

    /// Whether this is how its position looks.
    pub(super) fn shows(&self, picture: &Picture) -> bool {
        picture.shows(self.position.board())
            || !self.stale.squares.is_empty()
                && self.corrected(picture).shows(self.position.board())
    }

    /// Whether something stands there if this reading is true.
    fn stands(&self, square: Square) -> bool {
        self.position.board().piece_at(square).is_some()
    }

    pub(super) fn is_guessed(&self) -> bool {
        !self.stale.squares.is_empty()
    }
}

impl Tracker {
    /// The board was asked for all its squares, and these are not as it has told since it told all
    /// of them last: what moves have done to them since then is open again.
    pub fn correct(&mut self, squares: Bitboard, since: Moment) {
        let told = |&at: &usize| at != 0 && self.stands[at].seen > since;
        let path: Vec<_> = self.stands.back_from(self.shown).take_while(told).collect();
        let touched = |&stand: &usize| {
            let stand = &self.stands[stand];
            let before = self.stands[stand.parent].position();
            !differing(before.board(), stand.position().board()).is_disjoint(squares)
        };
        let Some(first) = path.iter().rposition(touched) else { return };
        for &at in &path[..=first] {
            (self.stands[at].pressed, self.stands[at].rested) = (false, false);
        }
        self.corrected = Some(self.stands[path[first]].parent);
    }

    /// The picture as it is if what is shown is true.
    pub fn corrected<'a>(&self, picture: &'a Picture) -> Cow<'a, Picture> {
        self.stands[self.shown].readings[0].corrected(picture)
    }

    /// What builds on a picture that can be read in several ways proves that it stood there.
    pub(super) fn follow_trunk(&mut self, standing: usize) {
        let Some(trunk) = self.trunk else { return };
        let parent = self.stands[standing].parent;
        if self.stands.comes_after(parent, trunk) {
            self.trunk = Some(parent);
        }
        if self.stands.comes_after(self.shown, trunk) || !self.stands.comes_after(standing, trunk) {
            self.trunk = None;
        }
    }

    /// Whether this picture is explained by reports that were lost.
    pub(super) fn was_guessed(&self, stand: usize) -> bool {
        let reading = &self.stands[stand].readings[0];
        reading.is_guessed() && reading.confidence == Confidence::Inferred
    }

    /// What is worked out where the board does not tell its position, after nobody could explain it
    /// for long, may be otherwise: other moves and other lost reports may lead there as well.
    pub(super) fn doubt_guess(&mut self, now: Moment, stand: usize, picture: &Picture) {
        let long = self.lost.is_some_and(|lost| lost.from + LONG <= now);
        let worked_out = self.stands[stand].readings[0].confidence == Confidence::Inferred;
        let guessed = stand != 0 && worked_out && picture.is_uncertain();
        self.stands[stand].unproven |= guessed && long;
    }

    /// A piece was lifted from a square on which nobody saw it put: of several readings those
    /// remain in which it stood there.
    pub(super) fn note_surprise(&mut self, picture: &Picture) {
        let Some((lifted, at)) = picture.surprise() else { return };
        let Some(last) = self.standing.or(self.trunk) else { return };
        if at <= self.stands[last].seen || !self.stands.is_leaf(last) {
            return;
        }
        let parent = self.stands[last].parent;
        let before =
            |it: &Reading| last != 0 && self.stands[parent].readings[it.from].stands(lifted);
        let stood = self.stands[last].readings.iter();
        let stood: Vec<_> = stood.map(|it| it.stands(lifted) || before(it)).collect();
        if stood.contains(&true) {
            let mut stood = stood.into_iter();
            self.stands[last].readings.retain(|_| stood.next().unwrap_or(true));
        } else if picture.is_uncertain() {
            self.doubt_last_guess(last);
        }
    }

    /// Something has left a square on which nothing stood if all that was worked out is true: what
    /// was worked out last is in doubt.
    fn doubt_last_guess(&mut self, last: usize) {
        let worked_out =
            |it: &usize| self.stands[*it].readings[0].confidence == Confidence::Inferred;
        let back = self.stands.back_from(last).filter(|it| *it != 0);
        let guess = back.skip_while(|it| !worked_out(it)).take_while(worked_out).last();
        if let Some(guess) = guess {
            self.stands[guess].unproven = true;
        }
    }

    /// One move on from a picture, or a few, where one report was lost.
    pub(super) fn misreported(
        &mut self,
        now: Moment,
        picture: &Picture,
        replies: usize,
    ) -> Option<usize> {
        if !picture.is_uncertain() || picture.is_blind() {
            return None;
        }
        self.bases().into_iter().find_map(|base| {
            let readings = self.misreported_from(now, base, picture, replies);
            let told = !readings.is_empty() && readings.len() <= GUESSES_MAX;
            told.then(|| self.stands.push(now, base, readings))
        })
    }

    pub(super) fn misreported_from(
        &self,
        now: Moment,
        base: usize,
        picture: &Picture,
        replies: usize,
    ) -> Vec<Reading> {
        let stand = &self.stands[base];
        let mut readings = Vec::new();
        for (way, reading) in stand.readings.iter().enumerate() {
            let live = reading.stale.live(picture);
            let search = Search {
                position: &reading.position,
                picture: &reading.corrected(picture),
                since: stand.seen,
                puts: &self.puts,
                away: self.away == Some(base),
                replies,
            };
            readings.extend(search.guesses().into_iter().filter_map(|guess| {
                let squares = live | guess.stale;
                let cost = (guess.line.len(), guess.cost);
                let next = reading.then(way, guess.line, Confidence::Inferred);
                let next = Reading { stale: Stale::new(now, squares), ..next };
                (squares.count() <= STALE_MAX).then_some((cost, next))
            }));
        }
        let best = readings.iter().map(|(cost, _)| *cost).min();
        readings.retain(|(cost, _)| Some(*cost) == best);
        readings.into_iter().map(|(_, reading)| reading).collect()
    }
}

/// What may have been played from a position since a moment.
struct Search<'a> {
    position: &'a Chess,
    picture: &'a Picture,
    since: Moment,
    puts: &'a [Put],
    /// Nobody watched for a while after it.
    away: bool,
    /// So many replies may have been made.
    replies: usize,
}

impl Search<'_> {
    fn guesses(&self) -> Vec<Guess> {
        let mut guesses = Vec::new();
        for mv in self.position.legal_moves() {
            let after = candidates::after(self.position, mv);
            let touched = differing(self.position.board(), after.board());
            if self.away || touched.into_iter().any(|it| self.is_seen(it, after.board())) {
                guesses.extend(self.single(mv, &after, touched));
                guesses.extend(self.answered(mv, &after, touched));
            }
        }
        guesses
    }

    /// Something was heard of this square, and it looks as in that position.
    fn is_seen(&self, square: Square, board: &Board) -> bool {
        self.is_heard(square) && self.picture.agrees_on(square, board)
    }

    fn is_heard(&self, square: Square) -> bool {
        self.picture.stirred(square) > self.since
    }

    /// How much of what was heard was wrong: a report that was lost is likelier than that. What was
    /// left on the way before the piece came to its square may just not have been told.
    fn cost(&self, mv: Move, after: &Chess, wrong: Bitboard) -> usize {
        const UNEXPLAINED_LIFT: usize = 2;
        let passed = |it: Square| {
            after.board().piece_at(it).is_none()
                && self.picture.stirred(it) <= self.picture.stirred(mv.to())
        };
        let heard = wrong.into_iter().filter(|&it| self.is_heard(it) && !passed(it)).count();
        let lifted = self.picture.surprise().filter(|(_, at)| *at > self.since);
        let stood = lifted.is_none_or(|(it, _)| after.board().piece_at(it).is_some());
        heard + if stood { 0 } else { UNEXPLAINED_LIFT }
    }

    /// This move, and one square that looks wrong: one that the move has changed, or one of which
    /// something wrong was heard, or which a piece left that was put back.
    fn single(&self, mv: Move, after: &Chess, touched: Bitboard) -> Option<Guess> {
        let wrong = self.picture.differing(after.board());
        let beside = wrong & !touched;
        let told = match (wrong.count(), beside.count()) {
            (1, 0) => true,
            (1, 1) => beside.into_iter().all(|it| self.is_heard(it) || self.is_left(it)),
            _ => false,
        };
        let cost = self.cost(mv, after, wrong);
        told.then(|| Guess { line: vec![mv], stale: wrong, cost })
    }

    /// Whether a piece was lifted there and nobody saw where it was put.
    fn is_left(&self, square: Square) -> bool {
        !self.picture.occupied().contains(square)
    }

    /// This move with one lost report, and replies that were seen.
    fn answered(&self, mv: Move, after: &Chess, touched: Bitboard) -> Vec<Guess> {
        let effort = Effort {
            plies: self.replies,
            positions: POSITIONS_MAX,
            watched: Some((self.since, self.puts)),
        };
        let told_wrong = self.picture.differing(after.board()).count() > 3 + 3 * self.replies;
        let replies = |stale: Bitboard| {
            let corrected = self.picture.with(stale, after.board());
            let found = gap::shortest(after, &corrected, 1, effort);
            let wrong = stale & self.picture.differing(after.board());
            let cost = self.cost(mv, after, wrong);
            let lines = if found.complete { found.lines } else { Vec::new() };
            let lines = lines.into_iter().filter(|line| self.is_told(after, line));
            lines
                .map(|line| [vec![mv], line].concat())
                .map(move |line| Guess { line, stale, cost })
                .collect::<Vec<_>>()
        };
        let unseen = Some(touched).filter(|_| self.away && touched.count() <= STALE_MAX);
        let stale = touched.into_iter().map(Bitboard::from).chain(unseen);
        stale.filter(|_| !told_wrong).flat_map(replies).collect()
    }

    /// Whether something was heard of every square that these moves have changed.
    fn is_told(&self, position: &Chess, line: &[Move]) -> bool {
        let end = line.iter().fold(position.clone(), |at, &mv| candidates::after(&at, mv));
        differing(position.board(), end.board()).into_iter().all(|it| self.is_heard(it))
    }
}
