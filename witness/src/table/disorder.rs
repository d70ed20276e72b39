//! Pieces that stand where they should not: set up wrongly before the game, fallen during it.

use eboard::Moment;
use shakmaty::{Bitboard, Chess, Position, Square};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::candidates;
use crate::detail::Detail;
use crate::evidence::Evidence;
use crate::incident::{Facts, Gravity, Incident, Kind};
use crate::laws::start;
use crate::message::Message;
use crate::picture::differing;
use crate::say;
use crate::table::tolerances::PUT_UP;
use crate::tolerances::SCAN;

/// More squares than this change at once only when somebody clears the board.
const FALLEN_MAX: usize = 12;

impl Play {
    /// When pieces that left their squares together will have lain there for too long.
    pub(super) fn displaced_at(&self) -> Option<Moment> {
        // Kings in the centre show a result. With both times standing somebody is at work.
        let at_work = self.game.kings.signal_at.is_some() || self.clocks.stopped();
        // Where nobody watched nobody has seen them fall.
        let unseen = self.game.course.is_adrift() || self.game.away.reopened;
        if unseen || at_work {
            return None;
        }
        match &self.game.irregularities.fallen {
            None => self.fallen().map(|(_, since)| since + PUT_UP),
            Some(fallen) if fallen != self.board.surface.board() => {
                Some(self.board.surface.changed() + PUT_UP)
            }
            Some(_) => None,
        }
    }

    pub(super) fn tell_displaced(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let known =
            self.game.irregularities.fallen.replace(self.board.surface.board().clone()).is_some();
        if known {
            return self.tell_still_displaced(out);
        }
        let Some((squares, since)) = self.fallen() else { return };
        let running = self.clocks.state().and_then(|state| state.running);
        let whose = running.map(say::put_right_on_time_of);
        let rule = say::in_his_own_time();
        let (text, squares) = (displaced(squares), squares.into_iter().collect());
        let facts = Facts { squares, since: Some(since), ..self.facts() };
        let advice = [rule].into_iter().chain(whose).collect();
        self.raise(now, Saying { kind: Kind::Displaced, side: None, text, facts, advice }, out);
    }

    /// Some of them stand again, or on other squares.
    fn tell_still_displaced(&mut self, out: &mut Vec<Effect>) {
        let squares = self.board.surface.picture().differing(self.game.score.position().board());
        let surface = self.board.surface.board().to_string();
        let Some(incident) = self.open_displaced() else { return };
        incident.text = displaced(squares);
        incident.facts.squares = squares.into_iter().collect();
        incident.facts.surface = Some(surface);
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    fn open_displaced(&mut self) -> Option<&mut Incident> {
        let open = self.docket.of_kind(Kind::Displaced);
        open.and_then(|id| self.docket.get_mut(id))
    }

    /// The pieces stand again. The alert now says for how long they did not.
    pub(super) fn note_restored(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.irregularities.fallen.is_none() || !self.agrees() {
            return;
        }
        self.game.irregularities.fallen = None;
        if let Some(incident) = self.open_displaced() {
            let took = now.since(incident.facts.since.unwrap_or(incident.opened)).as_secs();
            incident.text = restored(took);
            incident.facts.squares.clear();
        }
        self.close_kind(Kind::Displaced, out);
    }

    /// Squares that two pieces or more have left at once, where no move is being made, and since
    /// when.
    fn fallen(&self) -> Option<(Bitboard, Moment)> {
        self.game
            .reading
            .tracker
            .as_ref()
            .filter(|_| self.game.score.ending().is_none())?
            .lost()?;
        let position = self.game.score.position();
        let before = position.board();
        let squares = self.board.surface.picture().differing(before);
        let left: Vec<Square> = (squares & before.occupied()).into_iter().collect();
        let lifts = self.game.irregularities.lifted_from(&left);
        let together = lifts.iter().filter(|one| {
            lifts.iter().any(|other| {
                one.0 != other.0 && one.1.max(other.1).since(one.1.min(other.1)) <= SCAN
            })
        });
        let together: Bitboard = together.map(|(square, _)| *square).collect();
        let of_a_move = |fallen: Bitboard| {
            position.legal_moves().into_iter().any(|mv| {
                let after = candidates::after(position, mv);
                fallen.is_subset(differing(before, after.board()))
            })
        };
        let few = squares.count() <= FALLEN_MAX && together.count() > 1;
        let since = lifts.iter().map(|lift| lift.1).max()?;
        (few && !of_a_move(together)).then_some((squares, since))
    }

    /// 7.2.2: the board was found to lie the other way round.
    pub(super) fn note_turned(
        &mut self,
        now: Moment,
        evidence: Vec<Evidence>,
        out: &mut Vec<Effect>,
    ) {
        let facts = Facts { detail: Some(Detail::Turned), ..self.facts() };
        let (kind, text) = (Kind::BoardTurned, start::turned());
        let said = Saying { kind, side: None, text, facts, advice: Vec::new() };
        let id = self.docket.next_id(self.game.number);
        let incident = self.incident(now, id, said, Gravity::Note);
        self.open(Incident { evidence, ..incident }, out);
    }

    /// A move was completed on a board that was found to be turned: that was no mistake.
    pub(super) fn close_turned(&mut self, out: &mut Vec<Effect>) {
        let open = self.docket.all().find(|it| it.kind == Kind::BoardTurned);
        if open.is_some_and(|it| it.gravity == Gravity::Note) {
            self.close_kind(Kind::BoardTurned, out);
        }
    }

    /// A board that sees no pieces looks the same either way round until the first move. White
    /// makes it: if he can have done so only on the board the other way round, it lies so.
    pub(super) fn look_for_first_move(&mut self, now: Moment) {
        let lost =
            self.game.reading.tracker.as_ref().is_some_and(|tracker| tracker.lost().is_some());
        let blind = self.board.surface.is_blind() && lost && self.game.score.plies().is_empty();
        let turned = blind && self.first_move_turned().is_some();
        self.game.irregularities.turn_at = turned.then(|| now + self.release());
    }

    /// The position after the first move that stands there the other way round.
    pub(super) fn first_move_turned(&self) -> Option<Chess> {
        let (position, picture) =
            (self.game.score.position(), self.board.surface.turned_board().occupied());
        let moves = position.legal_moves().into_iter();
        let mut after = moves.map(|mv| candidates::after(position, mv));
        after.find(|after| after.board().occupied() == picture)
    }
}

fn displaced(squares: Bitboard) -> Message {
    say::displaced(squares)
}

fn restored(seconds: u64) -> Message {
    say::displaced_restored(seconds)
}
