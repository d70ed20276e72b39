//! A table's game from set-up to result: what the tracker's findings do to the score.

use std::time::Duration;

use eboard::Moment;
use shakmaty::{Bitboard, ByColor, CastlingMode, Chess, Color, Position};

use super::concluded::Parting;
use super::granted::Granted;
use super::ordered::Ordered;
use super::{Effect, Event, Facet, Phase, Play, round};
use crate::array::{self, Array};
use crate::ending::Ending;
use crate::incident::Kind;
use crate::ledger::Ledger;
use crate::recogniser::Recogniser;
use crate::score::{Adopted, Ply, Score, Status};
use crate::settings::Settings;

/// So long a result that is only announced when the pieces are set up again is to be read.
const READ: Duration = Duration::from_secs(1);

/// The four ranks on which every game begins.
const ARRAY: Bitboard = Bitboard(0xffff_0000_0000_ffff);

impl Play {
    /// Whether the pieces stand set up for a new game, either way round. A game can come back to
    /// the starting position by itself: then it goes on.
    pub(super) fn look_for_set_up(&mut self, now: Moment) {
        let set_up = self.array().is_some();
        let explained = self.score.ending().is_none()
            && self.tracker.as_ref().is_some_and(|tracker| tracker.lost().is_none());
        self.set_up_at = match (set_up, self.tracker.is_some()) {
            (false, _) => None,
            _ if self.may_be_replayed() => None,
            (true, false) => Some(now + self.settle()),
            (true, true) if explained => None,
            (true, true) => Some(now.max(self.surface.changed() + Settings::SET_UP)),
        };
    }

    /// The array the pieces stand in, and whether the board lies the other way round. Where no
    /// pieces are seen it can only be the usual one.
    pub(super) fn array(&self) -> Option<(Array, bool)> {
        if !self.surface.known() {
            return None;
        }
        if let Some(announced) = self.announced()
            && let Some(turned) = self.stands_set_up(announced)
        {
            return Some((announced.clone(), turned));
        }
        if self.surface.board().occupied() != ARRAY {
            return None;
        }
        if self.surface.is_blind() {
            return array::of(Chess::default().board()).map(|array| (array, false));
        }
        let straight = array::of(self.surface.board()).map(|array| (array, false));
        straight.or_else(|| Some((array::of(&self.surface.turned_board())?, true)))
    }

    /// Whether this is what stands there, and then whether the other way round.
    fn stands_set_up(&self, array: &Array) -> Option<bool> {
        let board = array.position.board();
        if self.surface.picture().shows(board) {
            return Some(false);
        }
        let turned = self.surface.turned_board();
        let shown = match self.surface.is_blind() {
            false => turned == *board,
            true => turned.occupied() == board.occupied(),
        };
        shown.then_some(true)
    }

    /// The pieces have rested in the starting position: a game begins.
    pub(super) fn begin(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some((array, turned)) = self.array() else { return };
        if self.is_unplayed() && !self.ordered.another_round {
            return self.expect_another_game();
        }
        if self.end_unclaimed(now, out) {
            // Its result is announced before the next game is.
            self.set_up_at = Some(now + READ);
            return;
        }
        self.note_left_without_result(now, out);
        let array_stood = self.surface.changed();
        let set_up = self.traces.all();
        if turned {
            self.surface.turn();
            out.push(Effect::Changed(Facet::Device));
        }
        // A clock that still runs from the game before tells nothing about this one.
        let fresh = self.score.plies().is_empty();
        self.clocks.suppose(self.surface.turned());
        if fresh {
            self.clocks.counts_for(array.position.turn(), true);
        }
        self.next_game(out);
        let start = self.clocks.has_just_begun(array_stood, now, self.settings.control);
        self.start(now, array.position, array.mode, out);
        self.clocks.new_game(true);
        self.ran_from_start = start;
        self.refresh_phase(out);
        if turned {
            self.note_turned(now, set_up, out);
        }
    }

    /// This many games were played here before: so alerts never have the name of an earlier one.
    pub(super) fn count_from(&mut self, games: u32) {
        self.game = self.game.max(games);
    }

    /// Another game begins, and not the same one from another position.
    pub(super) fn next_game(&mut self, out: &mut Vec<Effect>) {
        (self.ledger, self.granted) = (Ledger::default(), Granted::default());
        if round::was_played(&self.score) {
            out.push(Effect::NextRound);
        }
    }

    /// An arbiter says what the true position is.
    pub(super) fn set_position(
        &mut self,
        now: Moment,
        position: Chess,
        mode: CastlingMode,
        out: &mut Vec<Effect>,
    ) {
        if self.clocks.state().is_none() {
            self.clocks.suppose(self.surface.turned());
        }
        if position == Chess::default() {
            (self.ledger, self.granted) = (Ledger::default(), Granted::default());
        }
        let goes_on = self.is_in_play() && array::of(position.board()).is_none();
        let runs =
            self.clocks.state().is_some_and(|it| it.running.is_some()) && !self.clocks.lost();
        let numbered = u32::from(position.fullmoves()) > 1;
        let completed = ByColor {
            white: self.score.moves_completed(Color::White),
            black: self.score.moves_completed(Color::Black),
        };
        let (began, clock_ran) = (self.score.began(), self.clock_ran);
        let began_as = self.began_as;
        self.start(now, position, mode, out);
        if goes_on {
            self.began_as = began_as;
            self.clocks.go_on();
        } else {
            self.clocks.new_game(false);
        }
        if goes_on || runs {
            // Whatever the clock does now, it does in this game.
            self.score.begin(began.filter(|_| goes_on).unwrap_or(now));
            self.clock_ran = runs || clock_ran;
            if !numbered {
                self.score.go_on_from(if goes_on { completed } else { ByColor::default() });
            }
        }
        self.look(now, out);
        self.refresh_phase(out);
    }

    /// Whether a game has begun and has no result.
    #[must_use]
    pub fn is_in_play(&self) -> bool {
        self.tracker.is_some() && self.score.began().is_some() && self.score.ending().is_none()
    }

    fn start(&mut self, now: Moment, position: Chess, mode: CastlingMode, out: &mut Vec<Effect>) {
        let before = std::mem::replace(&mut self.score, Score::new(position.clone(), mode));
        // What was only in doubt is history; an offence stays open until a human rules.
        self.close_kind(Kind::PositionToCheck, out);
        self.settings = self.next_settings.take().unwrap_or(self.settings);
        self.game += 1;
        self.began_as = self.game;
        self.tracker = Some(Recogniser::new(now, position, self.surface.is_blind()));
        self.hand.clear();
        self.traces.clear();
        (self.press, self.signal_at, self.set_up_at) = (None, None, None);
        (self.adrift, self.broken, self.clock_ran) = (false, false, false);
        (self.reopened, self.several_ways, self.stopped) = (false, false, None);
        (self.standing_illegal, self.doubt, self.contradictions) = (None, None, 0);
        (self.resumption, self.adjourned, self.resumed) = (None, None, None);
        self.envelope = None;
        self.ordered = Ordered::default();
        (self.unseen_after, self.outage, self.signed_otherwise) = (None, None, false);
        (self.no_sign_before, self.ran_from_start) = (now, false);
        self.step.parting = Parting::Ends;
        let played = !before.plies().is_empty() || before.ending().is_some();
        self.tell(Event::NewGame(played.then(|| Box::new(before))), out);
        let whole = [Facet::Board, Facet::Position, Facet::Game, Facet::Clock, Facet::Ledger];
        for facet in whole {
            out.push(Effect::Changed(facet));
        }
    }

    /// The tracker has looked at a picture: bring the score after it.
    pub(super) fn after_tracker(&mut self, now: Moment, changed: bool, out: &mut Vec<Effect>) {
        if self.tracker.as_ref().is_some_and(Recogniser::has_caught_up) {
            self.forget_presses();
        }
        if changed {
            self.adopt(now, out);
        }
        if self.tracker.as_ref().is_some_and(Recogniser::agrees) {
            self.hand.empty();
            if let Some(tracker) = &self.tracker {
                self.surface.suppose(tracker.position().board());
            }
            self.agreed(out);
        }
    }

    pub(super) fn adopt(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(tracker) = &self.tracker else { return };
        let tail = tracker.tail();
        let tail: Vec<_> =
            tail.iter().map(|step| (step.mv, step.confidence, &step.position)).collect();
        let (doubted, open) = (self.doubted_from(), self.docket.of_kind(Kind::PositionToCheck));
        let adopted = self.score.adopt(now, &tail);
        let anew = adopted.revised_from.filter(|&from| doubted.is_some_and(|it| from < it));
        self.tell_adopted(now, adopted, out);
        if let Some(from) = anew {
            self.doubt_from(from, open, out);
        }
        if let Some(tracker) = &mut self.tracker {
            let fixed = tracker.fix_old();
            self.score.fix(fixed);
        }
    }

    pub(super) fn tell_adopted(&mut self, now: Moment, adopted: Adopted, out: &mut Vec<Effect>) {
        if let Some(from) = adopted.revised_from {
            self.tell(Event::Revised { from, rev: self.score.rev() }, out);
        }
        self.note_running_clock(now);
        let plies = self.score.plies().len();
        for index in plies - adopted.new..plies {
            self.tell_released(index, out);
            self.doubt_if_stopped(now, index, out);
        }
        for index in adopted.completed {
            self.note_overtaken_unheard(now, index);
            self.tell_completed(index, out);
        }
        self.complete_unheard(now, plies - adopted.new, out);
        self.changed_game(out);
        // Whether squares and score agree is told with the squares.
        out.push(Effect::Changed(Facet::Board));
        self.tell_ways(now, out);
    }

    /// Tells whether that was new for any move.
    pub(super) fn complete(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) -> bool {
        let face = self.time_now(now, by);
        let newly = self.score.complete_through(now, by, face);
        for index in &newly {
            self.tell_completed(*index, out);
        }
        if !newly.is_empty() {
            self.changed_game(out);
        }
        !newly.is_empty()
    }

    /// Even a move that is completed by the one that came with it was released first.
    pub(super) fn tell_released(&mut self, index: usize, out: &mut Vec<Effect>) {
        self.released(index).into_iter().for_each(|event| self.tell(event, out));
    }

    pub(super) fn released(&self, index: usize) -> Option<Event> {
        let ply = self.score.plies().get(index)?;
        let ply = Ply { status: Status::Released, completed: None, ..ply.clone() };
        Some(Event::Released { index, ply: Box::new(ply) })
    }

    pub(super) fn tell_completed(&mut self, index: usize, out: &mut Vec<Effect>) {
        self.completed(index).into_iter().for_each(|event| self.tell(event, out));
    }

    pub(super) fn completed(&self, index: usize) -> Option<Event> {
        let ply = self.score.plies().get(index)?.clone();
        Some(Event::Completed { index, ply: Box::new(ply) })
    }

    pub(super) fn end(&mut self, now: Moment, ending: Ending, out: &mut Vec<Effect>) {
        self.score.end(Some(ending));
        self.step.parting = Parting::Ends;
        self.end_after_kings();
        self.tell_ways(now, out);
        // A doubt about the score does not go away because the game is over.
        if !self.adrift && !self.several_ways {
            self.close_kind(Kind::PositionToCheck, out);
        }
        (self.press, self.signal_at, self.adrift, self.doubt) = (None, None, false, None);
        (self.adjourned, self.resumed) = (None, None);
        self.note_sign_before_result();
        self.tell(Event::Result, out);
        self.changed_game(out);
        if self.is_unplayed() && self.array().is_some() {
            self.expect_another_game();
        }
    }

    /// An arbiter says that the game goes on.
    pub(super) fn resume(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.no_sign_before = now;
        self.goes_on_from_here();
        self.score.end(None);
        self.tell(Event::Result, out);
        self.changed_game(out);
        self.look(now, out);
    }

    /// An arbiter has said so: whatever the board shows.
    pub(super) fn goes_on_from_here(&mut self) {
        self.ordered.goes_on_at = Some(self.score.plies().len());
    }

    /// The program failed at this table and has set it back to before the input it failed on.
    pub(super) fn faulted(&mut self, now: Moment, again: bool, out: &mut Vec<Effect>) {
        self.broken |= again;
        self.raise_fault(now, again, out);
        for facet in [Facet::Board, Facet::Clock, Facet::Device] {
            out.push(Effect::Changed(facet));
        }
        self.changed_game(out);
        self.refresh_phase(out);
    }

    pub(super) fn changed_game(&self, out: &mut Vec<Effect>) {
        out.push(Effect::Changed(Facet::Position));
        out.push(Effect::Changed(Facet::Game));
    }

    pub(super) fn refresh_phase(&mut self, out: &mut Vec<Effect>) {
        let phase = self.phase_now();
        if phase != self.phase {
            if self.phase == Phase::Ready {
                // The start of the game is known now, so publish it now. With the next event it
                // would reveal to everybody what arbiters do.
                out.push(Effect::Changed(Facet::Game));
            }
            self.phase = phase;
            self.tell(Event::Phase(phase), out);
            out.push(Effect::Changed(Facet::Position));
        }
    }

    fn phase_now(&self) -> Phase {
        if self.score.ending().is_some() {
            Phase::Ended
        } else if self.tracker.is_none() {
            Phase::Unset
        } else if self.adjourned.is_some() {
            Phase::Paused
        } else if self.adrift || self.broken {
            Phase::Adrift
        } else if self.score.plies().is_empty() && self.score.began().is_none() {
            Phase::Ready
        } else if self.clock_ran && self.clocks.stopped() {
            Phase::Paused
        } else {
            Phase::InPlay
        }
    }
}
