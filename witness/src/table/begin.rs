//! A game begins: the pieces have rested set up, or an arbiter has said what stands there.

use std::sync::Arc;

use eboard::Moment;
use shakmaty::{Board, ByColor, CastlingMode, Chess, Color, Position};

use super::game::Game;
use super::granted::Granted;
use super::parting::Parting;
use super::{Effect, Event, Facet, Play, round};
use crate::array::{self, Array};
use crate::ending::Ending;
use crate::incident::{Gravity, Incident, Kind};
use crate::laws::start::{self, Start};
use crate::ledger::Ledger;
use crate::number::GameNo;
use crate::orders::Refusal;
use crate::table::tolerances::READ;

/// Half moves that are taken back when the set-up is put back: the game had hardly begun. After
/// more of them it was a short game that has ended, and its score stays.
const PUT_BACK_EARLY: usize = 4;

impl Play {
    /// The pieces have rested in the starting position, or what stands there has rested after one
    /// that was left.
    pub(super) fn set_up_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.reading.set_up.at.is_none_or(|at| at > now) {
            // What has rested now may be the move that proves a game.
            self.glimpse_due(now);
            self.expect_set_up(now);
        }
        if self.game.reading.set_up.at.take_if(|at| *at <= now).is_some() {
            self.begin(now, out);
        }
    }

    /// A time begins to count, or is heard first while it counts. A game begins if that is for the
    /// starting position that stands there, or for what was moved from it.
    pub(super) fn begin_with_the_clock(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.note_start_for_glimpse(now) {
            self.begin(now, out);
        }
    }

    /// The pieces have rested in the starting position, or a game is known to have begun with it: a
    /// game begins.
    pub(super) fn begin(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some((array, turned, _)) = self.begins_with(now) else { return };
        if self.is_unplayed() && !self.game.ordered.another_round {
            return self.expect_another_game();
        }
        match !turned && self.begins_anew_with(&array) {
            true => self.begin_anew(now, out),
            false => self.begin_another(now, out),
        }
    }

    /// The same of another game than the one that is followed.
    pub(super) fn begin_another(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some((array, turned, array_stood)) = self.begins_with(now) else { return };
        if self.end_unclaimed(now, out) {
            // Its result is announced before the next game is.
            self.game.reading.set_up.at = Some(now + READ);
            return;
        }
        self.note_left_without_result(now, out);
        self.forget_setting_up(array.position.board());
        let runs_on = self.runs_on_after_the_result(now);
        let (set_up, line) = (self.game.traces.all(), self.take_line());
        let hands = line.as_ref().filter(|_| !turned && !self.clocks.counts());
        let hands = hands.and_then(|_| self.game.irregularities.hands_since(array_stood, &array));
        if turned {
            self.board.surface.turn();
            out.push(Effect::Changed(Facet::Device));
        }
        // A clock that still runs from the game before says nothing about this one.
        let fresh = self.game.score.plies().is_empty();
        self.clocks.change().suppose(self.board.surface.turned());
        if fresh {
            self.clocks.change().counts_for(array.position.turn(), true);
        }
        self.next_game(out);
        let ran_from_start = self.clocks.has_just_begun(array_stood, now, self.settings.control);
        self.start(now, array.position, array.mode, out);
        self.clocks.change().new_game(true);
        self.game.clock.ran_from_start = ran_from_start;
        self.game.clock.runs_on = runs_on && !ran_from_start;
        if let Some(line) = line {
            // Where a clock counts, what hands did before it was started is nobody's touch.
            self.step.hands = hands;
            self.game.reading.tracker = Some(line);
            self.after_tracker(now, true, out);
            self.owe_no_press();
        }
        self.refresh_phase(out);
        if turned {
            self.note_turned(now, set_up, out);
        }
    }

    /// Whether the game that is followed begins with this array, or begins anew: nothing was played
    /// of it, or so little that an arbiter has had it put back (7.5), and the clock counts for
    /// it. What was set up wrongly or played with reversed colours is void (7.2, 7.3).
    fn begins_anew_with(&self, array: &Array) -> bool {
        let score = &self.game.score;
        let here = score.start() == &array.position && score.mode() == array.mode;
        let followed = self.game.reading.tracker.is_some() && score.ending().is_none();
        let few = score.plies().len() <= PUT_BACK_EARLY;
        let void = |it: &Incident| {
            let kinds = [Kind::WrongStart, Kind::BoardTurned, Kind::ColoursReversed];
            kinds.contains(&it.kind) && it.gravity > Gravity::Note || it.kind == Kind::FlagFall
        };
        let over = || self.awaits_ruling() || self.ended_unannounced().is_some();
        let put_back = || {
            let control = self.next_settings.unwrap_or(self.settings).control;
            let set = self.clocks.is_started_anew(control)
                || self.clocks.shows_a_start(control)
                || self.clocks.was_set_on_both_sides();
            self.game.clock.ran && !self.clocks.lost() && !set && !over()
        };
        here && followed
            && few
            && (score.plies().is_empty() || put_back())
            && !self.open_in_game().any(void)
    }

    /// The game begins with what was moved from its set-up, or goes on from there.
    fn begin_anew(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let (line, played) = (self.take_line(), !self.game.score.plies().is_empty());
        // Both have pressed for what they moved, so it is the clock of this game.
        self.game.clock.runs_on &= line.is_none();
        if played {
            self.game.score.take_back_before(0);
            self.restart_from(now, 0, out);
            self.note_put_right_at(now);
        }
        if played || line.as_ref().is_some_and(|it| it.plies() > 0) {
            // What hands did until now is nobody's turn.
            self.restart_turns();
        }
        match line {
            Some(line) => {
                self.game.reading.tracker = Some(line);
                self.after_tracker(now, true, out);
                self.owe_no_press();
            }
            None => self.look(now, out),
        }
        self.refresh_phase(out);
    }

    /// Another game begins, and not the same one from another position.
    pub(super) fn next_game(&mut self, out: &mut Vec<Effect>) {
        (self.ledger, self.granted) = (Ledger::default(), Granted::default());
        if round::was_played(&self.game.score) {
            out.push(Effect::NextRound);
        }
    }

    /// An arbiter has entered the result of the next game before it began here: somebody did not
    /// come, or it is played where no board is read.
    ///
    /// # Errors
    /// While this game has no result.
    pub(super) fn end_next(
        &mut self,
        now: Moment,
        ending: Ending,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        if self.game.score.ending().is_none() {
            return Err(Refusal::NoResultYet);
        }
        let usual = || (Chess::default(), CastlingMode::Standard);
        let announced = self.announced().map(|it| (it.position.clone(), it.mode));
        let (position, mode) = announced.unwrap_or_else(usual);
        self.next_game(out);
        self.start(now, position, mode, out);
        self.clocks.change().new_game(false);
        self.end(now, ending, out);
        self.refresh_phase(out);
        Ok(())
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
            self.clocks.change().suppose(self.board.surface.turned());
        }
        if position == Chess::default() {
            (self.ledger, self.granted) = (Ledger::default(), Granted::default());
        }
        let goes_on = self.is_in_play() && array::of(position.board()).is_none();
        let runs = self.clocks.counts();
        let numbered = u32::from(position.fullmoves()) > 1;
        let completed = ByColor {
            white: self.game.score.moves_completed(Color::White),
            black: self.game.score.moves_completed(Color::Black),
        };
        let (began, clock_ran) = (self.game.score.began(), self.game.clock.ran);
        let began_as = self.game.began_as;
        self.start(now, position, mode, out);
        if goes_on {
            self.game.began_as = began_as;
            self.clocks.change().go_on();
        } else {
            self.clocks.change().new_game(false);
        }
        if goes_on || runs {
            // Whatever the clock does now, it does in this game.
            self.game.score.begin(began.filter(|_| goes_on).unwrap_or(now));
            self.game.clock.ran = runs || clock_ran;
            if !numbered {
                self.game.score.go_on_from(if goes_on { completed } else { ByColor::default() });
            }
        }
        self.look(now, out);
        self.refresh_phase(out);
    }

    pub(super) fn start(
        &mut self,
        now: Moment,
        position: Chess,
        mode: CastlingMode,
        out: &mut Vec<Effect>,
    ) {
        let (number, blind) = (self.game.number.next(), self.board.surface.is_blind());
        let game = Game::new(now, number, (position, mode), blind);
        let before = std::mem::replace(&mut self.game, game);
        // What was only in doubt is history; an offence stays open until a human rules.
        self.close_kind(Kind::PositionToCheck, out);
        self.settings = self.next_settings.take().unwrap_or(self.settings);
        self.step.begins(before.irregularities.take_reported());
        self.step.parting = Parting::Ends;
        let score = before.score;
        let played = !score.plies().is_empty() || score.ending().is_some();
        self.tell(Event::NewGame(played.then(|| Arc::new(score))), out);
        let whole = [Facet::Board, Facet::Position, Facet::Game, Facet::Clock, Facet::Ledger];
        for facet in whole {
            out.push(Effect::Changed(facet));
        }
    }

    /// This many games were played here before: so alerts never have the name of an earlier one.
    pub(super) fn count_from(&mut self, games: u32) {
        self.game.number = self.game.number.max(GameNo::new(games));
    }

    /// A clock is started and the pieces are not set up as they should be.
    pub(super) fn note_wrong_start(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let begun = !self.game.score.plies().is_empty() && self.game.score.ending().is_none();
        if begun
            || self.game.irregularities.ordered
            || !self.board.surface.known()
            || self.clocks.stopped()
        {
            return;
        }
        // A result that was none: the clock goes on over the position of the game.
        let score = &self.game.score;
        if !score.plies().is_empty() && self.board.surface.picture().shows(score.position().board())
        {
            return;
        }
        let picture = self.board.surface.board().clone();
        let Some(wrong) = self.wrong_set_up(&picture) else {
            return self.doubt_when_scanned(now);
        };
        self.checks.wrong_start.reported = Some(picture.clone());
        self.raise_wrong_start(now, &picture, &wrong, out);
        self.begin_wrongly(now, &picture, &wrong, out);
        self.checks.wrong_start.set_up = None;
    }

    /// The game is followed from there, if it can be and is not yet.
    pub(super) fn begin_wrongly(
        &mut self,
        now: Moment,
        picture: &Board,
        wrong: &Start,
        out: &mut Vec<Effect>,
    ) {
        let followed =
            self.game.score.position().board() == picture && self.game.reading.tracker.is_some();
        let Some(position) = start::position(picture, wrong).filter(|_| !followed) else { return };
        self.clocks.change().suppose(self.board.surface.turned());
        self.clocks.change().counts_for(position.turn(), true);
        self.next_game(out);
        self.set_position(now, position, CastlingMode::Standard, out);
    }

    /// A clock was started over pieces that do not all stand, or the first move has rested: the
    /// game is followed from what stood there before it.
    pub(super) fn wrong_start_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let doubted = &mut self.checks.wrong_start.doubted;
        if let Some((squares, _)) = doubted.take_if(|(_, at)| *at <= now) {
            self.doubt_the_set_up(now, squares, out);
        }
        if self.checks.wrong_start.move_at.take_if(|at| *at <= now).is_none() {
            return;
        }
        if let Some((board, wrong)) = self.first_move_from(now) {
            self.checks.wrong_start.set_up = None;
            // What hands did until now is what will have to be shown.
            let seen = self.game.traces.clone();
            self.begin_wrongly(now, &board, &wrong, out);
            self.game.traces = seen;
        }
    }

    pub(super) fn turn_by_first_move(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.game.irregularities.turn_at = None;
        let Some(after) = self.first_move_turned() else { return };
        let evidence = self.game.traces.all();
        self.board.surface.turn();
        self.board.surface.suppose(after.board());
        self.clocks.change().suppose(self.board.surface.turned());
        self.game.hand.clear();
        self.restart_turns();
        out.extend([Facet::Board, Facet::Clock, Facet::Device].map(Effect::Changed));
        self.note_turned(now, evidence, out);
        self.look(now, out);
    }
}
