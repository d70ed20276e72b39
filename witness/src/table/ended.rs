//! What has ended a game on the board, and what stands between that and a result.

use crate::laws::tolerances::SAME_MOMENT;
use eboard::Moment;
use shakmaty::{Color, KnownOutcome, Position};

use super::Play;
use super::illegal_and_flag::ILLEGAL;
use crate::candidates;
use crate::ending::{Award, EndedBy, Ending};
use crate::incident::{Gravity, Incident, IncidentId, Kind, State};
use crate::laws::editions;
use crate::laws::flag::OnTheBoard;
use crate::laws::penalties::Penalty;
use crate::score::{Break, Gap, Status};
use crate::settings::Edition;
use crate::topic::Hindrance as Why;

/// What stands between a mate and a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hindrance {
    pub(super) incident: IncidentId,
    pub(super) why: Why,
}

/// What a player must not do with the very move that mates (4.3, 4.4, 4.7): all that his opponent
/// claims before he touches a piece himself.
pub(super) fn is_by_the_move(kind: Kind) -> bool {
    editions::window(kind) == editions::Window::Touch
}

pub(super) fn is_last(score: &crate::score::Score) -> bool {
    score.breaks().iter().all(|it| it.at < score.plies().len())
}

/// Articles 9.6.1 and 9.6.2.
pub(super) fn is_drawn_by(kind: Kind) -> bool {
    matches!(kind, Kind::Fivefold | Kind::SeventyFive)
}

pub(super) fn is_an_end(kind: Kind) -> bool {
    is_drawn_by(kind) || kind == Kind::DeadPosition
}

impl Play {
    /// How the game has ended on the board, unless an arbiter has said that it goes on from there.
    pub(super) fn over_on_the_board(&self) -> Option<(Ending, OnTheBoard)> {
        let plies = self.game.score.plies().len();
        let position = self.game.score.position();
        if plies == 0 || self.game.ordered.goes_on_at == Some(plies) || !is_last(&self.game.score) {
            return None;
        }
        if candidates::can_move(position) {
            return None;
        }
        // A mate that is shown before the clock is started ends no game.
        if self.may_be_looked_at() || self.is_older_than_its_clock() {
            return None;
        }
        if position.is_check() {
            let outcome = KnownOutcome::Decisive { winner: !position.turn() }.into();
            return Some((Ending { outcome, reason: EndedBy::Checkmate }, OnTheBoard::Checkmate));
        }
        let outcome = KnownOutcome::Draw.into();
        let stalemate = Ending { outcome, reason: EndedBy::Stalemate };
        Some((stalemate, OnTheBoard::Stalemate))
    }

    /// Whether a mate or stalemate stands there without being a result.
    #[must_use]
    pub fn awaits_ruling(&self) -> bool {
        self.game.score.ending().is_none() && self.over_on_the_board().is_some()
    }

    pub(super) fn hindrance(&self, ending: Ending) -> Option<Hindrance> {
        let last = self
            .game
            .score
            .plies()
            .len()
            .checked_sub(1)
            .filter(|_| !self.game.ordered.unclaimed)?;
        let open =
            |id: IncidentId| self.docket.all().find(|it| it.id == id && it.state != State::Lapsed);
        let alerts = || self.game.irregularities.open();
        let earlier = alerts().find(|(ply, kind, _)| {
            // A draw is a draw, whichever came first.
            *ply < last && is_drawn_by(*kind) && ending.outcome != KnownOutcome::Draw
        });
        if let Some((_, kind, id)) = earlier.filter(|it| open(it.2).is_some()) {
            return Some(Hindrance { incident: id, why: Why::Earlier(kind) });
        }
        let made = self.made_at(last)?;
        if let Some(incident) = self.flag_before(made) {
            return Some(Hindrance { incident, why: Why::Flag });
        }
        if let Some(incident) =
            self.game.irregularities.released_ends().find(|id| open(*id).is_some())
        {
            return Some(Hindrance { incident, why: Why::Released });
        }
        if let Some((incident, kind)) = self.unruled_illegal(ending.outcome) {
            return Some(Hindrance { incident, why: Why::Illegal(kind) });
        }
        if let Some(incident) = self.doubted_as_stopped() {
            return Some(Hindrance { incident, why: Why::Stopped });
        }
        self.against_the_move(last).map(|incident| Hindrance { incident, why: Why::Move })
    }

    /// Whether this keeps a mate or stalemate from being the result.
    pub(super) fn is_hindered_by(&self, id: IncidentId) -> bool {
        let over = self.over_on_the_board().filter(|_| self.awaits_ruling());
        let hindrance = over.and_then(|(ending, _)| self.hindrance(ending));
        hindrance.is_some_and(|it| it.incident == id)
    }

    /// What is open, since 2014, about how this move was made, by whoever made it.
    pub(super) fn against_the_move(&self, ply: usize) -> Option<IncidentId> {
        let side = self.game.score.position_at(ply).turn();
        let by_the_move = |id: IncidentId| {
            let it = self.docket.all().find(|it| it.id == id && it.state != State::Lapsed);
            it.is_some_and(|it| it.gravity > Gravity::Note && it.side == Some(side))
        };
        let alerts = self.game.irregularities.open();
        let mut found = alerts.filter(|(at, kind, _)| *at == ply && is_by_the_move(*kind));
        let (.., id) = found.find(|it| by_the_move(it.2))?;
        (self.settings.edition != Edition::Y2005).then_some(id)
    }

    /// A fall that is to be ruled on and was seen before that moment: what comes after it on the
    /// board ends nothing by itself (6.8, 6.9).
    pub(super) fn flag_before(&self, made: Moment) -> Option<IncidentId> {
        let fell = |it: &&Incident| {
            let flag = [Kind::FlagFall, Kind::BothFlags].contains(&it.kind);
            flag && it.gravity > Gravity::Note && it.state != State::Lapsed
        };
        let seen =
            |it: &&Incident| it.facts.between.is_some_and(|(_, seen)| seen + SAME_MOMENT < made);
        self.open_in_game().filter(fell).find(seen).map(|it| it.id)
    }

    /// The question whether the last move is of the game, while both times still stand.
    pub(super) fn doubted_as_stopped(&self) -> Option<IncidentId> {
        self.game.irregularities.made_stopped.filter(|_| self.clocks.stopped())?;
        self.docket.of_kind(Kind::PositionToCheck)
    }

    /// The first thing that has ended the game without anybody having announced it: after which
    /// move, and what.
    pub(super) fn ended_unannounced(&self) -> Option<(usize, Kind)> {
        let ends =
            self.game.irregularities.open().filter(|it| is_an_end(it.1) && self.is_open(it.2));
        ends.map(|(ply, kind, _)| (ply, kind)).min_by_key(|it| it.0)
    }

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
    pub(super) fn is_put_right(&self, incident: &Incident) -> bool {
        let mut since = self.game.score.plies().iter().filter(|ply| ply.released > incident.opened);
        let replaced = since.any(|ply| {
            let own = Some(!ply.after.turn()) == incident.side;
            own && ply.status == Status::Completed
        });
        replaced
            && self.game.reading.standing_illegal.is_none()
            && !self.game.course.is_adrift()
            && !self.was_played_on(incident)
    }

    /// Whether the score goes on from what this illegal move, or press without a move, has left.
    pub(super) fn was_played_on(&self, incident: &Incident) -> bool {
        let from = |it: &Break| match it.gap {
            Gap::Illegal { from, to } => incident.facts.mv == Some((from, to)),
            Gap::Passed => incident.kind == Kind::PressedWithoutMove,
            Gap::Missing => false,
        };
        let by = |it: &Break| incident.side == Some(it.made_by());
        self.game.score.breaks().iter().any(|it| by(it) && from(it))
    }

    /// Whether it loses the game, or draws it, and this is another result.
    pub(super) fn decides_otherwise(&self, incident: IncidentId, outcome: Award) -> bool {
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

    /// An illegal move on which nobody has ruled.
    pub(super) fn open_illegal(&self) -> Option<&Incident> {
        self.all_illegal().next()
    }

    /// All of them.
    pub(super) fn all_illegal(&self) -> impl Iterator<Item = &Incident> {
        let open = |it: &&Incident| ILLEGAL.contains(&it.kind) && it.state != State::Lapsed;
        self.open_in_game().filter(open).filter(|it| it.gravity > Gravity::Note)
    }
}
