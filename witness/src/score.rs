//! The score of one game: the moves with how and when they were made, and how it ended.

mod corrected;

pub use corrected::{Passage, Unplayable};

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::uci::UciMove;
use shakmaty::{
    ByColor, CastlingMode, Chess, Color, EnPassantMode, Move, Position, Square, fen::Fen,
};

use crate::ending::{Ending, Withdrawn};
use crate::keep::keep;
use crate::laws::illegal;

/// How far a move has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Status {
    /// Made on the board (Article 4.7).
    Released,
    /// And the clock pressed, or overtaken by the same player's next move (Article 6.2.1).
    Completed,
}

/// How a move is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Confidence {
    /// It stood on the squares.
    Seen,
    /// It is the only line that leads to what stood on the squares.
    Inferred,
}

/// One move of one player.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// In standard algebraic notation, English letters, with check and mate signs.
    pub san: String,
    /// In UCI notation.
    pub uci: String,
    /// How far it has come.
    pub status: Status,
    /// How it is known.
    pub confidence: Confidence,
    /// When it was made on the board.
    pub released: Moment,
    /// When it was completed.
    pub completed: Option<Moment>,
    /// What the mover's clock showed after it.
    pub clock: Option<FaceTime>,
    /// The position after it.
    pub after: Chess,
}

keep!(Ply { mv, after; san, uci, status, confidence, released, completed, clock });

/// Why a score does not go on by a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Gap {
    /// An illegal move was completed and the opponent played on (A.4.2, B.4).
    Illegal {
        /// Where the piece stood.
        from: Square,
        /// Where it was put.
        to: Square,
    },
    /// The clock was pressed without a move (7.5.3), and the opponent went on as if there had been
    /// one.
    Passed,
    /// Moves were made that nobody saw.
    Missing,
}

/// A place where a score does not go on by a legal move. An illegal move that was answered with
/// another one is followed by a second break at the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// How many moves come before it.
    pub at: usize,
    /// Why.
    pub gap: Gap,
    /// The position from which the game goes on.
    pub position: Chess,
}

impl Break {
    /// Who made the illegal move that stands here.
    fn illegal_by(&self) -> Option<Color> {
        matches!(self.gap, Gap::Illegal { .. }).then(|| self.made_by())
    }

    /// Who does not have the move from here.
    pub(crate) fn made_by(&self) -> Color {
        !self.position.turn()
    }
}

keep!(Break { position; at, gap });

/// What stood at the end before a revision.
#[derive(Clone, Debug, Encode, Decode)]
struct Replaced {
    /// How many moves came before it.
    at: usize,
    plies: Vec<Ply>,
}

/// So many revisions are remembered.
const REPLACED_MAX: usize = 4;

/// The score of one game.
#[derive(Clone, Debug)]
pub struct Score {
    start: Chess,
    mode: CastlingMode,
    plies: Vec<Ply>,
    /// How many moves are completed: asked with every reading of the clock.
    completed: ByColor<u32>,
    /// Moves completed before the first of them, and whether their number is beyond doubt.
    before: ByColor<u32>,
    counted: bool,
    breaks: Vec<Break>,
    fixed: usize,
    rev: u32,
    /// The latest last.
    replaced: Vec<Replaced>,
    ending: Option<Ending>,
    withdrawn: Option<Withdrawn>,
    began: Option<Moment>,
}

keep!(Score {
    start, mode;
    plies, completed, before, counted, breaks, fixed, rev, replaced, ending, withdrawn, began
});

/// What adopting a new tail did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Adopted {
    /// The first move that is another one now, counted from 0, when earlier moves changed.
    pub revised_from: Option<usize>,
    /// How many moves stand at the end that did not stand there before.
    pub new: usize,
    /// The moves that are completed because the same player has moved again.
    pub completed: Vec<usize>,
}

impl Score {
    pub(crate) fn new(start: Chess, mode: CastlingMode) -> Self {
        Self {
            before: made_before(&start),
            start,
            mode,
            plies: Vec::new(),
            completed: ByColor::default(),
            counted: true,
            breaks: Vec::new(),
            fixed: 0,
            rev: 0,
            replaced: Vec::new(),
            ending: None,
            withdrawn: None,
            began: None,
        }
    }

    /// The position the game began with.
    #[must_use]
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// Whether castling follows the rules of Chess960.
    #[must_use]
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The moves so far.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Rises each time an earlier move becomes another one.
    #[must_use]
    pub fn rev(&self) -> u32 {
        self.rev
    }

    /// How it ended.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The last result that was announced and is none any more, while there is no other one.
    #[must_use]
    pub fn withdrawn(&self) -> Option<Withdrawn> {
        self.withdrawn.filter(|_| self.ending.is_none())
    }

    /// When the clock was started or the first move made.
    #[must_use]
    pub fn began(&self) -> Option<Moment> {
        self.began
    }

    /// Where it does not go on by a legal move, in order.
    #[must_use]
    pub fn breaks(&self) -> &[Break] {
        &self.breaks
    }

    /// Whether moves are missing that nobody saw.
    pub(crate) fn has_missing(&self) -> bool {
        self.breaks.iter().any(|broken| broken.gap == Gap::Missing)
    }

    /// Moves that this side has completed, with those before the position the score begins with.
    #[must_use]
    pub fn moves_completed(&self, side: Color) -> u32 {
        self.before.get(side).saturating_add(*self.completed.get(side))
    }

    /// Moves that this side has made, completed or not, with those before the position the score
    /// begins with.
    #[must_use]
    pub fn moves_made(&self, side: Color) -> u32 {
        let made = |ply: &&Ply| ply.after.turn() != side && ply.status == Status::Released;
        let open = self.plies.iter().filter(made).count();
        self.moves_completed(side).saturating_add(u32::try_from(open).unwrap_or(u32::MAX))
    }

    /// Moves of this score that this side has completed.
    pub(crate) fn completed_here(&self, side: Color) -> u32 {
        *self.completed.get(side)
    }

    /// The game is under way, and the position it goes on from does not say how long: as many moves
    /// were completed before as are known.
    pub(crate) fn go_on_from(&mut self, completed: ByColor<u32>) {
        (self.before, self.counted) = (completed, false);
    }

    /// Whether no moves are missing from the number of those that were made.
    pub(crate) fn counts_all(&self) -> bool {
        self.counted && !self.has_missing()
    }

    /// How many of the last moves have not been completed.
    pub(crate) fn owed(&self) -> usize {
        self.plies.iter().rev().take_while(|ply| ply.status == Status::Released).count()
    }

    /// The position after the last move.
    #[must_use]
    pub fn position(&self) -> &Chess {
        self.position_at(self.plies.len())
    }

    /// The position after `ply` moves, from which the game goes on there.
    #[must_use]
    pub fn position_at(&self, ply: usize) -> &Chess {
        if let Some(broken) = self.breaks.iter().rev().find(|broken| broken.at == ply) {
            return &broken.position;
        }
        self.position_before(ply)
    }

    /// The position after so many moves, whatever was played on from there.
    pub(crate) fn position_before(&self, ply: usize) -> &Chess {
        ply.checked_sub(1).and_then(|last| self.plies.get(last)).map_or(&self.start, |it| &it.after)
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`, or what an arbiter has awarded: `0-0`, `1/2-0`, `0-1/2`.
    #[must_use]
    pub fn result(&self) -> &'static str {
        self.ending.map_or("*", |ending| ending.outcome.as_str())
    }

    /// The same game with this result, or with none.
    #[must_use]
    pub fn ended(mut self, ending: Option<Ending>) -> Self {
        self.ending = ending;
        self
    }

    /// The number of the move that this side makes next (or made last, when `made`).
    #[must_use]
    pub fn move_number(&self) -> u32 {
        u32::from(self.position().fullmoves())
    }

    /// The position after the last move as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        fen(self.position())
    }

    /// The position the game began with as FEN.
    #[must_use]
    pub fn start_fen(&self) -> String {
        fen(&self.start)
    }

    pub(crate) fn begin(&mut self, now: Moment) {
        self.began.get_or_insert(now);
    }

    /// What seemed to begin it was none of it.
    pub(crate) fn has_not_begun(&mut self) {
        self.began = None;
    }

    pub(crate) fn end(&mut self, ending: Option<Ending>) {
        self.ending = ending;
    }

    /// The game goes on although this had been announced: whoever has read the score before has to
    /// read it anew.
    pub(crate) fn withdraw(&mut self, withdrawn: Withdrawn, rev: u32) {
        self.ending = None;
        self.withdrawn = Some(withdrawn);
        self.rev = self.rev.max(rev) + 1;
    }

    /// The game goes on from another position: everything before can no longer change.
    pub(crate) fn break_off(&mut self, broken: Break) {
        self.fixed = self.plies.len();
        self.breaks.push(broken);
        self.count();
    }

    /// An arbiter lets only the first so many moves stand.
    pub(crate) fn take_back_to(&mut self, plies: usize) {
        self.plies.truncate(plies);
        self.breaks.retain(|broken| broken.at <= plies);
        // Where a turn was passed and nothing is played on, that player has the move.
        let stands = |it: &Break| it.gap != Gap::Passed && !illegal::can_capture_king(&it.position);
        let goes_on = |it: &Break| it.at < plies || stands(it);
        while self.breaks.pop_if(|last| !goes_on(last)).is_some() {}
        self.fixed = plies;
        self.rev += 1;
        self.replaced.clear();
        self.count();
    }

    /// The same, and what had been played on from there is put right.
    pub(crate) fn take_back_before(&mut self, plies: usize) {
        self.breaks.retain(|broken| broken.at < plies);
        self.take_back_to(plies);
    }

    /// The first so many moves of the tail can no longer change.
    pub(crate) fn fix(&mut self, plies: usize) {
        self.fixed = (self.fixed + plies).min(self.plies.len());
    }

    /// Makes the moves after the fixed ones be these.
    pub(crate) fn adopt(&mut self, now: Moment, tail: &[(Move, Confidence, &Chess)]) -> Adopted {
        let standing = &self.plies[self.fixed..];
        let same = standing.iter().zip(tail).take_while(|(ply, (mv, ..))| ply.mv == *mv).count();
        let revised = (same < standing.len()).then_some(self.fixed + same);
        let returning = self.returning(tail);
        if revised.is_some() {
            self.rev += 1;
            self.replaced.push(Replaced { at: self.fixed, plies: standing.to_vec() });
            let surplus = self.replaced.len().saturating_sub(REPLACED_MAX);
            self.replaced.drain(..surplus);
        }
        self.plies.truncate(self.fixed + same);
        let mut completed = Vec::new();
        for (index, (mv, confidence, after)) in tail.iter().enumerate().skip(same) {
            completed.extend(self.overtake(now));
            match returning.get(index) {
                Some(ply) => completed.extend(self.put_back(ply, *confidence)),
                None => self.append(now, *mv, *confidence, (*after).clone()),
            }
        }
        self.count();
        Adopted { revised_from: revised, new: tail.len() - same, completed }
    }

    /// The moves of this tail that stood at its beginning before a revision. It is not known when
    /// inferred moves were made.
    fn returning(&self, tail: &[(Move, Confidence, &Chess)]) -> Vec<Ply> {
        let same = |replaced: &Replaced| {
            let since = self.plies.get(replaced.at..self.fixed)?;
            let fixed = since.iter().zip(&replaced.plies).take_while(|(it, ply)| it.mv == ply.mv);
            let rest =
                replaced.plies.get(since.len()..).filter(|_| fixed.count() == since.len())?;
            let seen = |ply: &Ply| ply.confidence == Confidence::Seen;
            let again =
                rest.iter().zip(tail).take_while(|(ply, (mv, ..))| ply.mv == *mv && seen(ply));
            Some(again.map(|(ply, _)| ply.clone()).collect::<Vec<_>>())
        };
        let most = self.replaced.iter().filter_map(same).max_by_key(Vec::len);
        most.unwrap_or_default()
    }

    /// A move that stood there before a revision was made and completed then, and the clock showed
    /// then what it showed. Gives its index if it is completed.
    fn put_back(&mut self, ply: &Ply, confidence: Confidence) -> Option<usize> {
        let in_order = self.plies.last().is_none_or(|it| it.status == Status::Completed);
        let status = if in_order { ply.status } else { Status::Released };
        self.plies.push(Ply { status, confidence, ..ply.clone() });
        (status == Status::Completed).then(|| self.plies.len() - 1)
    }

    /// The last uncompleted move of this side, and every one before it, is completed. Gives the
    /// indices of the moves for which that is new.
    pub(crate) fn complete_through(
        &mut self,
        now: Moment,
        side: Color,
        clock: Option<FaceTime>,
    ) -> Vec<usize> {
        let Some(last) = self.plies.iter().rposition(|ply| ply.after.turn() == side.other()) else {
            return Vec::new();
        };
        let newly = self.complete_first(now, last + 1);
        if let (Some(index), Some(face)) = (newly.last(), clock)
            && *index == last
        {
            self.plies[last].clock = Some(face);
        }
        newly
    }

    /// The first so many moves are completed. Gives the indices of those for which that is new.
    pub(crate) fn complete_first(&mut self, now: Moment, count: usize) -> Vec<usize> {
        let completed = self.plies.iter().rposition(|ply| ply.status == Status::Completed);
        let newly: Vec<_> = (completed.map_or(0, |it| it + 1)..count).collect();
        for &index in &newly {
            self.plies[index].status = Status::Completed;
            self.plies[index].completed = Some(now);
        }
        self.count();
        newly
    }

    /// What the mover's clock shows while his move is made but not completed.
    pub(crate) fn note_clock(&mut self, index: usize, face: FaceTime) {
        if let Some(ply) = self.plies.get_mut(index) {
            ply.clock = Some(face);
        }
    }

    /// The mover's clock was not heard when this move was completed.
    pub(crate) fn forget_clock(&mut self, index: usize) {
        if let Some(ply) = self.plies.get_mut(index) {
            ply.clock = None;
        }
    }

    fn count(&mut self) {
        let completed = self.plies.iter().filter(|ply| ply.status == Status::Completed);
        let completed = completed.map(|ply| !ply.after.turn());
        // An illegal move that stands was completed like any other.
        let standing = self.breaks.iter().filter_map(Break::illegal_by);
        self.completed = ByColor::default();
        for side in completed.chain(standing) {
            *self.completed.get_mut(side) += 1;
        }
    }

    /// A player who moves again has completed his last move, pressed or not (6.2.1).
    fn overtake(&mut self, now: Moment) -> Option<usize> {
        let index = self.plies.len().checked_sub(1)?;
        let own = self.plies.get_mut(index.checked_sub(1)?)?;
        if own.status == Status::Completed {
            return None;
        }
        own.status = Status::Completed;
        own.completed = Some(now);
        Some(index - 1)
    }

    fn append(&mut self, now: Moment, mv: Move, confidence: Confidence, after: Chess) {
        self.begin(now);
        let san = San::from_move(self.position(), mv);
        let mut written = (String::new(), String::new());
        SanPlus { san, suffix: suffix(&after) }.append_to_string(&mut written.0);
        UciMove::from_move(mv, self.mode).append_to_string(&mut written.1);
        let (san, uci) = written;
        self.plies.push(Ply {
            mv,
            san,
            uci,
            status: Status::Released,
            confidence,
            released: now,
            completed: None,
            clock: None,
            after,
        });
    }
}

/// What the move number of a position says of the moves before it.
fn made_before(start: &Chess) -> ByColor<u32> {
    let made = u32::from(start.fullmoves()) - 1;
    ByColor { white: made + u32::from(start.turn() == Color::Black), black: made }
}

/// A position as FEN. It is appended in one go, because a formatter takes it letter by letter.
fn fen(position: &Chess) -> String {
    let mut fen = String::new();
    Fen::from_position(position, EnPassantMode::Legal).append_to_string(&mut fen);
    fen
}

/// The sign for check or mate. Only mate takes all legal moves to know.
fn suffix(after: &Chess) -> Option<Suffix> {
    after.is_check().then(|| if after.is_checkmate() { Suffix::Checkmate } else { Suffix::Check })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const E: Moment = Moment::from_micros(0);

    fn tail(line: &[&str]) -> Vec<(Move, Chess)> {
        let mut position = Chess::default();
        let step = |uci: &&str| {
            let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            (mv, position.clone())
        };
        line.iter().map(step).collect()
    }

    fn adopt(score: &mut Score, second: u64, line: &[&str]) -> Adopted {
        adopt_as(Confidence::Seen, score, second, line)
    }

    fn adopt_as(known: Confidence, score: &mut Score, second: u64, line: &[&str]) -> Adopted {
        let tail = tail(line);
        let tail: Vec<_> = tail.iter().map(|(mv, it)| (*mv, known, it)).collect();
        score.adopt(E + Duration::from_secs(second), &tail)
    }

    #[test]
    fn a_move_that_comes_back_after_a_revision_keeps_its_times() {
        let mut score = Score::new(Chess::default(), CastlingMode::Standard);
        let shown = FaceTime::from_hms(1, 29, 40);
        adopt(&mut score, 1, &["e2e4"]);
        score.complete_through(E + Duration::from_secs(2), Color::White, Some(shown));
        adopt(&mut score, 3, &["e2e4", "e7e5"]);
        let before = score.plies().to_vec();
        adopt(&mut score, 4, &["d2d4"]);
        assert_eq!((score.plies()[0].clock, score.plies()[0].status), (None, Status::Released));

        let adopted = adopt(&mut score, 5, &["e2e4", "e7e5", "g1f3"]);
        let facts = |ply: &Ply| (ply.mv, ply.status, ply.released, ply.completed, ply.clock);
        assert_eq!(facts(&score.plies()[0]), facts(&before[0]));
        assert_eq!(facts(&score.plies()[1]), facts(&before[1]));
        assert_eq!(score.plies()[2].released, E + Duration::from_secs(5));
        assert_eq!((adopted.revised_from, adopted.new), (Some(0), 3));
        assert_eq!(adopted.completed, [0], "it was completed once, and is reported anew");
        assert_eq!(score.completed_here(Color::White), 1);
    }

    #[test]
    fn a_move_that_was_only_worked_out_is_made_anew_when_it_comes_back() {
        let mut score = Score::new(Chess::default(), CastlingMode::Standard);
        adopt_as(Confidence::Inferred, &mut score, 1, &["e2e4"]);
        adopt(&mut score, 2, &["d2d4"]);
        adopt(&mut score, 3, &["e2e4"]);
        assert_eq!(score.plies()[0].released, E + Duration::from_secs(3));
    }

    #[test]
    fn the_same_move_after_other_ones_is_another_one() {
        let mut score = Score::new(Chess::default(), CastlingMode::Standard);
        adopt(&mut score, 1, &["e2e4", "e7e5", "g1f3"]);
        adopt(&mut score, 2, &["d2d4", "e7e5", "g1f3"]);
        let released = score.plies().iter().map(|ply| ply.released);
        assert!(released.eq([E + Duration::from_secs(2); 3]));
    }
}
