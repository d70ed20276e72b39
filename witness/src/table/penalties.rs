//! What the ledger says beside an illegal move: its number, and what the Laws provide (7.5.5).

use eboard::Moment;
use shakmaty::{Color, Position};

use super::alerts::Saying;
use super::{Effect, Table};
use crate::evidence::Trace;
use crate::incident::{Advice, IncidentId};
use crate::laws::claims::{self, Answer, BadClaim, Claim};
use crate::laws::penalties::{self, Penalty};
use crate::laws::words::{both, player_en, player_fr};
use crate::ledger::{Account, Ledger};
use crate::unwinnable::{self, Effort, Verdict};

impl Table {
    /// Enters an illegal move, and adds what follows from its number.
    pub(super) fn penalize(&mut self, now: Moment, id: IncidentId, mut saying: Saying) -> Saying {
        let counts = Ledger::counts(saying.kind, self.settings.edition);
        let Some(side) = saying.side.filter(|_| counts) else { return saying };
        let offence = self.ledger.enter(side, now, id);
        let penalty = penalties::illegal_move(&self.settings, offence);
        saying.facts.offence = Some(offence);
        saying.facts.penalty_s = match penalty {
            Penalty::Time(seconds) => Some(seconds),
            Penalty::Loss => None,
        };
        saying.advice.push(self.provided(side, offence, penalty));
        saying
    }

    fn provided(&self, side: Color, offence: u32, penalty: Penalty) -> Advice {
        let (en, fr) = (player_en(side), player_fr(side));
        let verdict = unwinnable::analyse(self.score.position(), side.other(), Effort::QUICK);
        let opponent_cannot_mate = verdict == Verdict::Unwinnable;
        match penalty {
            Penalty::Time(seconds) => both(
                format!("Illegal move no. {offence} of {en}: {seconds} s to the opponent."),
                format!("Coup illégal n° {offence} ({fr}) : {seconds} s à l'adversaire."),
            ),
            Penalty::Loss if opponent_cannot_mate => both(
                format!("Illegal move no. {offence} of {en}: drawn, the opponent cannot mate."),
                format!("Coup illégal n° {offence} ({fr}) : nulle, l'adversaire ne peut mater."),
            ),
            Penalty::Loss => both(
                format!("Illegal move no. {offence} of {en}: the game is lost."),
                format!("Coup illégal n° {offence} ({fr}) : la partie est perdue."),
            ),
        }
    }

    /// A penalty was given to this player; the alerts about it are closed by a ruling.
    pub(super) fn give_penalty(&mut self, side: Color, seconds: u32, out: &mut Vec<Effect>) {
        self.ledger.give(side, seconds);
        self.changed_game(out);
    }

    /// What stands against a player in this game.
    #[must_use]
    pub fn account(&self, side: Color) -> Account {
        self.ledger.account(side)
    }

    /// Whether a claim of a draw is right, on the position on the board or after an announced move.
    ///
    /// # Errors
    /// When the move is not legal or the game is over.
    pub fn claim(&self, claim: Claim, announced: Option<&str>) -> Result<Answer, BadClaim> {
        claims::check(&self.score, &self.settings, claim, announced)
    }

    /// Pieces that the player having the move has lifted since the last move was made: with the
    /// first of them he has lost the right to claim (9.4).
    #[must_use]
    pub fn touched(&self) -> Vec<shakmaty::Square> {
        let position = self.score.position();
        let acts = self.irregularities.acts_since(self.score.plies().len());
        let own = acts.iter().filter_map(|act| match act.trace {
            Trace::Touched(touched) => {
                touched.lifted.filter(|it| it.color == position.turn()).map(|_| touched.square)
            }
            _ => None,
        });
        own.collect()
    }
}
