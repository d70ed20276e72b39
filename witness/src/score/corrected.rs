//! A score that is put right from a scoresheet: moves are inserted or replaced, and those after
//! them are played again.

use eboard::Moment;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position};

use super::{Break, Confidence, Gap, Ply, Score, Status, suffix};
use crate::notation;

/// A passage of the score as it stands on a scoresheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// How many half moves come before it.
    pub after: usize,
    /// How many half moves of the score it replaces; none: it is inserted.
    pub replaces: usize,
    /// The half moves, as people write them.
    pub moves: Vec<String>,
}

/// The first half move that cannot be made once a passage is put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unplayable {
    /// The number of the move.
    pub number: u32,
    /// Whose move it is.
    pub side: Color,
    /// Whether it is one of the passage, and not one that follows.
    pub written: bool,
}

impl Score {
    /// The same score with this passage. Moves that stay keep their times, and a move that replaces
    /// another one has those of the other. No such move was seen.
    ///
    /// # Errors
    /// When one of its moves, or one that follows, cannot be made.
    pub(crate) fn corrected(&self, now: Moment, it: &Passage) -> Result<Self, Unplayable> {
        let end = it.after + it.replaces;
        let inserted = |broken: &&Break| broken.gap == Gap::Missing && it.replaces == 0;
        let stays =
            |broken: &&Break| broken.at < it.after || (broken.at == it.after && !inserted(broken));
        let mut made = Self { plies: Vec::new(), breaks: Vec::new(), ..self.clone() };
        made.plies.extend_from_slice(&self.plies[..it.after]);
        made.breaks.extend(self.breaks.iter().filter(stays).cloned());
        for (index, written) in it.moves.iter().enumerate() {
            let read = notation::read(made.position(), written).ok();
            let mv = read.ok_or_else(|| unplayable(made.position(), true))?;
            let replaced = self.plies[..end].get(it.after + index);
            made.push_again(now, mv, replaced, Confidence::Inferred);
        }
        let breaks = || self.breaks.iter().filter(|broken| !stays(broken) && broken.at >= end);
        for (index, ply) in self.plies.iter().enumerate().skip(end) {
            made.go_on_at(breaks().filter(|broken| broken.at == index));
            let uci = ply.uci.parse::<UciMove>().ok();
            let mv = uci.and_then(|uci| uci.to_move(made.position()).ok());
            let mv = mv.ok_or_else(|| unplayable(made.position(), false))?;
            made.push_again(now, mv, Some(ply), ply.confidence);
        }
        made.go_on_at(breaks().filter(|broken| broken.at >= self.plies.len()));
        made.fixed = made.plies.len();
        made.rev += 1;
        made.replaced.clear();
        made.count();
        Ok(made)
    }

    /// The game goes on from these positions. Moves that lead there are not missing any more.
    fn go_on_at<'a>(&mut self, breaks: impl Iterator<Item = &'a Break>) {
        for broken in breaks {
            let (here, there) = (self.position(), &broken.position);
            let same = here.board() == there.board() && here.turn() == there.turn();
            if broken.gap == Gap::Missing && same {
                continue;
            }
            let at = self.plies.len();
            self.breaks.push(Break { at, ..broken.clone() });
        }
    }

    /// Adds a move with the times of `like`; without one it was made and completed unseen.
    fn push_again(&mut self, now: Moment, mv: Move, like: Option<&Ply>, confidence: Confidence) {
        let mut after = self.position().clone();
        after.play_unchecked(mv);
        let san = San::from_move(self.position(), mv);
        let before = self.plies.last().map(|ply| ply.completed.unwrap_or(ply.released));
        let unseen = before.or(self.began).unwrap_or(now);
        let last = self.plies.last_mut().filter(|ply| ply.status == Status::Released);
        if let Some(ply) = last {
            (ply.status, ply.completed) = (Status::Completed, Some(unseen));
        }
        let same = like.is_some_and(|ply| ply.mv == mv);
        self.plies.push(Ply {
            mv,
            san: SanPlus { san, suffix: suffix(&after) }.to_string(),
            uci: UciMove::from_move(mv, self.mode).to_string(),
            status: like.map_or(Status::Completed, |ply| ply.status),
            confidence: like.filter(|_| same).map_or(confidence, |ply| ply.confidence),
            released: like.map_or(unseen, |ply| ply.released),
            completed: like.map_or(Some(unseen), |ply| ply.completed),
            clock: like.and_then(|ply| ply.clock),
            after,
        });
    }
}

fn unplayable(position: &Chess, written: bool) -> Unplayable {
    Unplayable { number: position.fullmoves().into(), side: position.turn(), written }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use eboard::FaceTime;
    use shakmaty::CastlingMode;

    use super::*;

    const E: Moment = Moment::from_micros(0);

    fn score(line: &[&str]) -> Score {
        let mut score = Score::new(Chess::default(), CastlingMode::Standard);
        for (index, uci) in line.iter().enumerate() {
            play(&mut score, index, uci);
        }
        score
    }

    fn play(score: &mut Score, index: usize, uci: &str) {
        let mv = uci.parse::<UciMove>().unwrap().to_move(score.position()).unwrap();
        let mut after = score.position().clone();
        let side = after.turn();
        after.play_unchecked(mv);
        let at = E + Duration::from_secs(10 * (index as u64 + 1));
        score.adopt(at, &[(mv, Confidence::Seen, &after)]);
        let shown = FaceTime::from_hms(1, 0, 59 - u32::try_from(index).unwrap());
        score.complete_through(at, side, Some(shown));
        score.fix(1);
    }

    fn passage(after: usize, replaces: usize, moves: &[&str]) -> Passage {
        Passage { after, replaces, moves: moves.iter().map(ToString::to_string).collect() }
    }

    fn sans(score: &Score) -> Vec<&str> {
        score.plies().iter().map(|ply| &*ply.san).collect()
    }

    #[test]
    fn a_missed_pair_of_moves_is_inserted_and_the_rest_keeps_its_times() {
        let before = score(&["e2e4", "e7e5", "f1c4", "b8c6"]);
        let after = before.corrected(E, &passage(2, 0, &["Nf3", "d6"])).unwrap();
        assert_eq!(sans(&after), ["e4", "e5", "Nf3", "d6", "Bc4", "Nc6"]);
        assert_eq!(after.plies()[4].clock, before.plies()[2].clock);
        assert_eq!(after.plies()[4].released, before.plies()[2].released);
        let known: Vec<_> = after.plies().iter().map(|ply| ply.confidence).collect();
        let [seen, inferred] = [Confidence::Seen, Confidence::Inferred];
        assert_eq!(known, [seen, seen, inferred, inferred, seen, seen]);
        assert_eq!(after.completed_here(Color::White), 3);
        assert_eq!((after.rev(), after.plies()[2].clock), (before.rev() + 1, None));
    }

    #[test]
    fn a_move_is_replaced_and_what_follows_is_written_anew() {
        // The rook was taken for the other one: what is written of the next one depends on it.
        let line = ["a2a4", "a7a5", "h2h4", "h7h5", "a1a3", "b7b6", "a3d3"];
        let before = score(&line);
        let after = before.corrected(E, &passage(2, 1, &["g1f3"])).unwrap();
        assert_eq!(sans(&after), ["a4", "a5", "Nf3", "h5", "Ra3", "b6", "Rd3"]);
        assert_eq!(after.plies()[2].clock, before.plies()[2].clock);
        assert_eq!(after.plies()[2].confidence, Confidence::Inferred);
    }

    #[test]
    fn what_cannot_be_made_is_named() {
        let before = score(&["e2e4", "e7e5", "f1c4", "b8c6"]);
        let refused = before.corrected(E, &passage(1, 1, &["Nf3"])).unwrap_err();
        assert_eq!(refused, Unplayable { number: 1, side: Color::Black, written: true });
        // The bishop has no way out any more.
        let refused = before.corrected(E, &passage(0, 1, &["d4"])).unwrap_err();
        assert_eq!(refused, Unplayable { number: 2, side: Color::White, written: false });
    }

    #[test]
    fn moves_that_were_missing_are_found_on_the_sheet() {
        let mut before = score(&["e2e4", "e7e5"]);
        let gone_on = score(&["e2e4", "e7e5", "g1f3", "b8c6"]).position().clone();
        before.break_off(Break { at: 2, gap: Gap::Missing, position: gone_on });
        play(&mut before, 2, "f1b5");
        assert!(before.has_missing());
        let other = before.corrected(E, &passage(2, 0, &["Nf3", "Nf6"])).unwrap();
        assert!(other.has_missing(), "another position than that which stood there");
        let after = before.corrected(E, &passage(2, 0, &["Nf3", "Nc6"])).unwrap();
        assert_eq!(sans(&after), ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
        assert!(!after.has_missing() && after.breaks().is_empty());
    }
}
