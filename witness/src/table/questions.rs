//! Questions of mate that take longer than a table may. They are asked of whoever has the time, and
//! answered later. What is known at once is reported at once, and revised by the answer.

use bincode::{Decode, Encode};
use shakmaty::{Chess, Color};

use super::{Effect, Play};
use crate::clock::FlagFall;
use crate::incident::IncidentId;
use crate::keep::keep;
use crate::laws::flag::Count;
use crate::unwinnable::{Effort, Mate, Verdict, analyse};

/// Questions that are open at once at one table; the oldest are given up.
const OPEN_MAX: usize = 8;
/// Answers that are remembered: about the last positions of one game.
pub(super) const KNOWN_MAX: usize = 8;

/// Whether a side can checkmate from a position by any series of legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question at this table, counted from 1.
    pub number: u32,
    /// The position.
    pub position: Chess,
    /// Who would checkmate.
    pub winner: Color,
}

keep!(Question { position; number, winner });

/// What the answer is wanted for.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub(super) enum About {
    /// Whether the position after this move, counted from 0, is dead.
    Dead(usize),
    /// What follows from a fallen flag.
    Flag { incident: IncidentId, fall: FlagFall, count: Count },
    /// Whether an illegal move loses or draws.
    Offence(IncidentId),
}

/// What is asked and what was answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Questions {
    asked: u32,
    pub(super) open: Vec<(Question, About)>,
    pub(super) known: Vec<(Chess, Color, Mate)>,
}

keep!(Questions { known; asked, open });

impl Questions {
    /// The next so many numbers are left to the same table as it was.
    pub(super) fn leave_numbers(&mut self, numbers: u32) {
        self.asked += numbers;
    }

    /// What follows from this flag is not asked any more.
    pub(super) fn forget_flag(&mut self, flag: IncidentId) {
        let of = |about: &About| matches!(about, About::Flag { incident, .. } if *incident == flag);
        self.open.retain(|(_, about)| !of(about));
    }
}

impl Play {
    /// The questions nobody has answered yet.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.questions.open.iter().map(|(question, _)| question)
    }

    /// Whether this side can checkmate, as far as a table can find out at once or was answered.
    pub(super) fn verdict(&self, position: &Chess, winner: Color) -> Verdict {
        let known = self.questions.known.iter();
        let mut known = known.filter(|(it, side, _)| *side == winner && it == position);
        match known.next() {
            Some((_, _, Mate::Possible)) => Verdict::Winnable(Vec::new()),
            Some((_, _, Mate::Impossible)) => Verdict::Unwinnable,
            Some((_, _, Mate::Undetermined)) | None => analyse(position, winner, Effort::QUICK),
        }
    }

    pub(super) fn ask(
        &mut self,
        position: &Chess,
        winner: Color,
        about: About,
        out: &mut Vec<Effect>,
    ) {
        let questions = &mut self.questions;
        questions.asked += 1;
        let question = Question { number: questions.asked, position: position.clone(), winner };
        if questions.open.len() == OPEN_MAX {
            questions.open.remove(0);
        }
        questions.open.push((question.clone(), about));
        out.push(Effect::Asked(Box::new(question)));
    }
}
