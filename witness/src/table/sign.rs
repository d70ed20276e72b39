//! The kings in the centre: when they are the players' result, and what the score ends with then
//! (8.7). A lawful or illegal king's move beside a king that stands there looks the same; so both
//! must have come since the last completed move, or one of them after both times stood. While a
//! time counts they must have come by more than a move and a reply to it.

use std::time::Duration;

use eboard::Moment;
use shakmaty::Color;

use super::{Effect, Play};
use crate::incident::{Facts, Incident, Kind, State};
use crate::laws::illegal::IllegalMove;
use crate::laws::position;
use crate::picture::Picture;
use crate::signal::{Asked, Shown};
use crate::tolerances::{BOTH_KINGS, SCAN_AND_LINE, SIGNAL, SIGNAL_BY_THEMSELVES};

impl Play {
    /// Both kings may stand in the centre: until when they must.
    pub(super) fn look_for_sign(&mut self, now: Moment, picture: &Picture) {
        self.game.kings.signal_at = self.sign_rests(picture).map(|(.., rest)| now + rest);
    }

    /// What a sign is asked for here that this picture shows, and how long it must rest.
    pub(super) fn sign_rests(&self, picture: &Picture) -> Option<(Asked, Shown, Duration)> {
        let tracker = self.game.reading.tracker.as_ref().filter(|_| !self.is_apart)?;
        if self.may_be_looked_at() {
            return None;
        }
        let open = self.game.score.owed() > 0;
        let one_is_enough = Asked { lone: true, open };
        if let Some(shown) = tracker.shown(picture, one_is_enough)
            && let Some((_, last)) = arrivals(picture, &shown)
            && let Some(stood) = self.stood_at().filter(|stood| *stood < last)
            && self.game.kings.no_sign_before < last
            && (shown.moved == [true; 2] || left_since(picture, &shown, stood + SCAN_AND_LINE))
            && !self.is_illegal_move_of(&shown)
        {
            return Some((one_is_enough, shown, SIGNAL));
        }
        let both_are_wanted = Asked { lone: false, open };
        // Without a clock nothing else can say that the game is over; and no king is moved across
        // the board by mistake.
        let alone = || tracker.shown(picture, one_is_enough).filter(|it| it.jumped);
        let unclocked = !self.game.clock.ran || self.clocks.lost();
        let alone = || alone().filter(|_| unclocked);
        let (asked, shown) = match tracker.shown(picture, both_are_wanted) {
            Some(shown) => (both_are_wanted, shown),
            None => (one_is_enough, alone()?),
        };
        let (first, last) = arrivals(picture, &shown)?;
        let moves = self.presses_since(first)
            || self.game.reading.standing_illegal.is_some()
            || self.is_pressed_for(picture, &shown);
        let answered = self.clock_counts()
            && last.since(first) >= BOTH_KINGS
            && tracker.stood_before(last).is_some_and(|stood| stood.trip && stood.at >= first);
        // Without a clock kings that come one right after the other are a sign.
        let reply = may_be_a_reply(picture, &shown);
        let slow = last.since(first) >= BOTH_KINGS;
        let may_be_moves = reply && (self.clock_counts() || unclocked && slow);
        let sign = !moves && !answered && !may_be_moves && self.game.kings.no_sign_before < last;
        sign.then_some((asked, shown, SIGNAL_BY_THEMSELVES))
    }

    /// Whether the king that came first came by a move that was pressed for. The clock reports a
    /// press at once, and the board a square up to a scan later.
    fn is_pressed_for(&self, picture: &Picture, shown: &Shown) -> bool {
        let came = [Color::White, Color::Black].into_iter().zip(shown.kings).zip(shown.moved);
        let came = came.filter(|(_, moved)| *moved).map(|(king, _)| king);
        let first = came.min_by_key(|(_, square)| picture.stirred(*square));
        let pressed = |side: Color, at: Moment| {
            self.pressed_at(side).is_some_and(|pressed| pressed + SCAN_AND_LINE >= at)
        };
        !shown.jumped && first.is_some_and(|(side, square)| pressed(side, picture.stirred(square)))
    }

    /// Whether a king may stand there by an illegal move: one that was completed and not put right,
    /// or one that nobody has ruled on where only that king has come.
    fn is_illegal_move_of(&self, shown: &Shown) -> bool {
        let king = |mv: &IllegalMove| shown.left().any(|from| from == mv.from);
        let stands = self.game.reading.standing_illegal.as_ref().is_some_and(|(mv, _)| king(mv));
        let open = |it: &Incident| {
            let from = it.facts.squares.first();
            let illegal = it.kind == Kind::IllegalMove && it.state != State::Lapsed;
            illegal && shown.left().any(|left| Some(&left) == from)
        };
        stands || shown.moved != [true; 2] && self.open_in_game().any(open)
    }

    /// There is a result; the kings may say another one.
    pub(super) fn look_for_another_sign(&mut self, now: Moment) {
        let signed = self.sign_shown().is_some();
        if !signed {
            self.game.course.kings_put_back();
        }
        self.game.kings.signal_at = signed.then(|| now + SIGNAL);
    }

    /// Without a clock nobody can say whether what comes after kings in the centre is still of the
    /// game.
    pub(super) fn leave_sign_in_doubt(&mut self) {
        self.game.reading.several_ways |= !self.game.clock.ran && self.sign_shown().is_some();
    }

    /// Both kings have stood in the centre while a time counted, nobody could say what for, and
    /// were put back: a result, or a mistake. A press says that the game goes on.
    pub(super) fn leave_kings_open(&mut self, out: &mut Vec<Effect>) {
        let Some(open) = self.open_doubt().filter(|_| self.clock_counts()) else { return };
        if !self.game.reading.several_ways {
            let facts = Facts { position: open.facts.position.clone(), ..self.facts() };
            self.bring_up_to_date(&position::kings_left(), &facts, self.game.traces.all(), out);
        }
        self.keep_asking();
    }

    /// What the kings have said stays a question when they are put back: hands may try things out
    /// then. A press or an answer settles it.
    pub(super) fn keep_asking(&mut self) {
        self.game.reading.several_ways = true;
        self.game.irregularities.kings_left.get_or_insert(self.game.score.plies().len());
    }

    /// A clock is pressed: the game goes on.
    pub(super) fn go_on_after_kings(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.irregularities.kings_left.take().is_some() && self.agrees() {
            self.tell_ways(now, out);
        }
    }

    /// There is a result. Where nothing was moved since the kings said so first, that is settled.
    pub(super) fn end_after_kings(&mut self) {
        let plies = self.game.score.plies().len();
        self.game.irregularities.kings_left.take_if(|left| *left == plies);
    }
}

/// Whether the kings that have come were lifted after that moment. A king that was lifted before
/// has been moved, or is in the hand for a move.
fn left_since(picture: &Picture, shown: &Shown, since: Moment) -> bool {
    shown.left().all(|from| picture.stirred(from) > since)
}

/// Whether the first king may have come by a move, and the other by an illegal reply to it before
/// anybody pressed. Two kings within a scan were put by two hands at once.
fn may_be_a_reply(picture: &Picture, shown: &Shown) -> bool {
    let [white, black] = shown.kings.map(|king| picture.stirred(king));
    let first = match shown.lawful {
        Some(Color::White) => white + SCAN_AND_LINE < black,
        Some(Color::Black) => black + SCAN_AND_LINE < white,
        None => false,
    };
    !shown.jumped && shown.moved == [true; 2] && first
}

/// When the first and the last of the kings that have come arrived.
pub(super) fn arrivals(picture: &Picture, shown: &Shown) -> Option<(Moment, Moment)> {
    let arrived = || shown.arrived_on().map(|square| picture.stirred(square));
    Some((arrived().min()?, arrived().max()?))
}
