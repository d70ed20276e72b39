//! Illegal moves on which nobody has ruled when the game seems to be over on the board: the
//! position before one is to be put back (7.5.1), or one has decided the game otherwise (7.5.5).

use shakmaty::{Color, KnownOutcome, Position};

use super::Play;
use crate::ending::Award;
use crate::incident::{Incident, IncidentId, Kind};
use crate::laws::penalties::Penalty;
use crate::score::{Break, Gap, Status};

impl Play {
    /// What is open about an illegal move and keeps this from being the result: the game was
    /// played on from it, or it has another result by its number. What was put right and only
    /// costs time does not.
    pub(super) fn unruled_illegal(&self, outcome: Award) -> Option<(IncidentId, Kind)> {
        // Where nobody supervises it stands once the opponent has moved, pressed or not (A.4.2).
        let played_on = |it: &Incident| !self.settings.is_unsupervised() && self.was_played_on(it);
        let mut open =
            self.all_illegal().filter(|it| played_on(it) || self.decides_otherwise(it.id, outcome));
        open.next().map(|it| (it.id, it.kind))
    }

    /// What is open about an illegal move and comes before a fall: the position before it may still
    /// be put back (7.5.1), or it has decided the game. Where it was put right and its player has
    /// moved since, only its penalty is open.
    pub(super) fn illegal_to_rule_on(&self) -> Option<&Incident> {
        let sides = Color::ALL.into_iter();
        let lost: Vec<_> = sides
            .flat_map(|side| self.faults(side))
            .filter(|(_, penalty, _)| *penalty == Penalty::Loss)
            .map(|(.., fault)| fault.incident)
            .collect();
        self.all_illegal().find(|it| lost.contains(&it.id) || !self.is_put_right(it))
    }

    /// Whether its player has completed a legal move in its stead.
    fn is_put_right(&self, incident: &Incident) -> bool {
        let mut since = self.score.plies().iter().filter(|ply| ply.released > incident.opened);
        let replaced = since.any(|ply| {
            let own = Some(!ply.after.turn()) == incident.side;
            own && ply.status == Status::Completed
        });
        replaced && self.standing_illegal.is_none() && !self.adrift && !self.was_played_on(incident)
    }

    /// Whether the score goes on from what this illegal move, or press without a move, has left.
    fn was_played_on(&self, incident: &Incident) -> bool {
        let from = |it: &Break| match it.gap {
            Gap::Illegal { from, to } => {
                incident.facts.mv.as_deref() == Some(&*format!("{from}{to}"))
            }
            Gap::Passed => incident.kind == Kind::PressedWithoutMove,
            Gap::Missing => false,
        };
        let by = |it: &Break| incident.side == Some(it.made_by());
        self.score.breaks().iter().any(|it| by(it) && from(it))
    }

    /// Whether it loses the game, or draws it, and this is another result.
    fn decides_otherwise(&self, incident: IncidentId, outcome: Award) -> bool {
        let sides = Color::ALL.into_iter();
        let mut faults = sides.flat_map(|side| self.faults(side));
        faults.any(|(_, penalty, fault)| {
            let provided = match fault.drawn {
                true => KnownOutcome::Draw,
                false => KnownOutcome::Decisive { winner: !fault.side },
            };
            fault.incident == incident && penalty == Penalty::Loss && outcome != provided
        })
    }
}
