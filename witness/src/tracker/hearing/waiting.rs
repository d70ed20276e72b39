//! Presses that one line explains wholly. As long as no other line comes near it nobody needs to
//! know how the others would go on, so they are followed only when something does not fit.
//!
//! Nothing is lost by it. What a line costs never falls. At a press that the sure line explains,
//! any other way to go on from it leaves two squares unexplained, or one that was just heard of: it
//! costs at least two more, and only what costs at most one more disputes a move. So while the sure
//! line explains every press, no other line can dispute it.

use shakmaty::{Move, Position};

use super::heard::Heard;
use super::{DISPUTED, Hearing, LATEST, Line};

/// Presses that wait. After so many that the sure line has explained, the earliest are taken in by
/// it alone: a false report that nothing has contradicted for so long stays believed.
const WAITING_MAX: usize = 40;
/// So many of the earliest are taken in at a time.
const TAKEN_IN: usize = 8;

impl Hearing {
    /// Whether these moves since the settled ones cannot be disputed, and why need not be asked:
    /// one line explains all that was heard, and it is these moves.
    pub(super) fn is_sure(&mut self, tail: &[Move]) -> bool {
        let Some(sure) = &mut self.sure else { return false };
        let taken = sure.moves.len() - self.lines[0].moves.len();
        match &self.heard[taken..] {
            [] => {}
            [press] => {
                let next = tail.get(sure.moves.len() - self.settled);
                let Some(&mv) = next.filter(|mv| press.is_explained(sure, **mv)) else {
                    return false;
                };
                sure.add(mv);
            }
            _ => return false,
        }
        let later = sure.moves.get(self.settled..).unwrap_or_default();
        let same = tail.iter().zip(later).take_while(|(one, other)| one == other).count();
        if same + LATEST < tail.len().max(later.len()) {
            return false;
        }
        if self.heard.len() >= WAITING_MAX {
            self.take_in_earliest();
        }
        true
    }

    /// Whether the sure line explains all that was heard.
    pub(super) fn is_waiting(&self) -> bool {
        let held = self.lines[0].moves.len() + self.heard.len();
        self.sure.as_ref().is_some_and(|sure| sure.moves.len() == held)
    }

    /// All lines have been followed, and nothing disputes what is shown: if no other line comes
    /// near the likeliest one, and it explains the squares, they need not be followed for the time
    /// being.
    pub(super) fn find_sure(&mut self) {
        let [best, others @ ..] = &self.lines[..] else { return };
        let near = others.first().is_some_and(|next| next.cost <= best.cost + DISPUTED);
        let sure = !near && best.wrong.all.is_empty() && best.moves.len() >= self.settled;
        if sure && best.incredible(self.settled).is_none() {
            self.sure = Some(best.clone());
        }
    }

    /// The sure line alone takes in the presses that have waited longest.
    fn take_in_earliest(&mut self) {
        let Some(sure) = &self.sure else { return };
        let held = self.lines[0].moves.len();
        self.lines.truncate(1);
        self.heard.drain(..TAKEN_IN);
        let taken = &sure.moves[held..held + TAKEN_IN];
        taken.iter().for_each(|mv| self.lines[0].add(*mv));
        self.forget_settled();
    }
}

impl Line {
    /// This move was made and pressed for, and leaves nothing unexplained.
    fn add(&mut self, mv: Move) {
        self.moves.push(mv);
        self.costs.push(self.cost);
        self.position.play_unchecked(mv);
    }
}

impl Heard {
    /// Whether this line leaves nothing unexplained if it goes on by this move.
    fn is_explained(&self, line: &Line, mv: Move) -> bool {
        if self.away || line.position.turn() != self.by || !line.position.is_legal(mv) {
            return false;
        }
        let next = self.next(line, vec![mv]);
        next.cost == line.cost && next.wrong.all.is_empty()
    }
}
