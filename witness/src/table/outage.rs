//! The line was out: what is known of the time in which nobody watched, and what has to be heard
//! before anything is made of the squares.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{ClockFace, FaceTime, Moment};
use shakmaty::{Color, Position};

use super::{Effect, Table};
use crate::clock::Sample;
use crate::incident::Kind;
use crate::picture::Picture;
use crate::score::{Confidence, Ply};
use crate::tracker::Absent;

/// A board whose line is there again has told all its squares within this time, if it ever does.
const WHOLE: Duration = Duration::from_secs(3);
/// A clock that counts has told its times by then.
const CLOCK: Duration = Duration::from_millis(1500);

/// How long after it was asked for all its squares a board is asked again while nothing explains
/// them: at first, and at most.
const SURVEY_AGAIN: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(60));

/// Squares that change on a board that has not told its position, before that is told: two moves.
const UNTOLD_MAX: u8 = 4;

/// Touches and presses that are kept until the board tells all its squares: two players in a hurry
/// do less in [`WHOLE`].
const TOLD_MAX: usize = 64;

/// What was told before the board has told all its squares.
#[derive(Clone, Debug, Encode, Decode)]
enum Report {
    /// A square is another one.
    Squares(Box<Picture>),
    /// This side pressed, and this is what its clock showed.
    Press(Color, Option<FaceTime>),
}

/// A line that was out, while squares and score have not agreed since.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Outage {
    /// When anything was heard last before.
    since: Moment,
    /// What the clock showed then, if it counted.
    before: Option<Sample>,
    /// When anything was heard again.
    until: Option<Moment>,
    /// The clock was read again, or nobody waits for it any more.
    read: bool,
    /// Squares were seen since that nothing has been made of yet.
    waiting: bool,
    /// Moves that had been made then without a press.
    owed: usize,
    /// What was told before all the squares were; none if that was too much, or they have been.
    told: Option<Vec<(Moment, Report)>>,
}

impl Table {
    /// A board tells of squares that change, and has not told what stands on the others: it is
    /// asked again, and if that does not help nobody can say what is played.
    pub(super) fn note_untold(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.surface.known() || self.untold == UNTOLD_MAX {
            return;
        }
        self.untold += 1;
        match self.untold {
            1 => self.survey_at = Some(now),
            UNTOLD_MAX => self.doubt_what_was_never_told(now, out),
            _ => {}
        }
    }

    /// A board has told its whole position for the first time.
    pub(super) fn note_told(&mut self, out: &mut Vec<Effect>) {
        if std::mem::take(&mut self.untold) == UNTOLD_MAX {
            self.close_kind(Kind::PositionToCheck, out);
        }
    }

    /// The line is there again: whatever was seen before may be of earlier.
    pub(super) fn line_opened(&mut self) {
        self.reopened |= self.tracker.is_some();
        self.keep_pressed();
        if let Some(tracker) = &mut self.tracker {
            tracker.look_away(self.heard, self.settings.release);
        }
        let before = self.clocks.sample().filter(|sample| sample.face.running);
        let outage = Outage {
            since: self.heard,
            before,
            until: None,
            read: before.is_none(),
            waiting: false,
            owed: self.score.owed(),
            told: Some(Vec::new()),
        };
        // What was not understood after an earlier outage belongs to this one.
        let earlier = self.outage.take();
        self.outage = Some(match earlier.filter(|_| self.reopened) {
            Some(earlier) => Outage { until: None, read: earlier.before.is_none(), ..earlier },
            None => outage,
        });
        self.note_reopened();
    }

    pub(super) fn note_heard(&mut self, now: Moment) {
        self.heard = now;
        if let Some(outage) = &mut self.outage {
            outage.until.get_or_insert(now);
        }
    }

    /// The clock was read, or nobody waits for it any more: the squares may have waited for that.
    pub(super) fn note_read(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(outage) = &mut self.outage else { return };
        outage.read = true;
        if std::mem::take(&mut outage.waiting) {
            self.look(now, out);
        }
    }

    /// The board has told of a square before it has told of all of them.
    pub(super) fn note_told_singly(&mut self, now: Moment, picture: &Picture) {
        self.keep_told(now, Report::Squares(Box::new(picture.clone())));
    }

    /// So did this side, for a move that may not be known yet.
    pub(super) fn note_press_told(&mut self, now: Moment, by: Color) {
        if self.outage.is_some() {
            let shown = self.time_now(now, by);
            self.keep_told(now, Report::Press(by, shown));
        }
    }

    fn keep_told(&mut self, now: Moment, what: Report) {
        let Some(outage) = &mut self.outage else { return };
        let waits = self.unseen_after.is_some();
        outage.told = outage.told.take().filter(|told| waits && told.len() < TOLD_MAX);
        if let Some(told) = &mut outage.told {
            told.push((now, what));
        }
    }

    /// Nobody waits for all the squares any more: what was told before them tells nothing.
    pub(super) fn forget_what_was_told(&mut self) {
        if let Some(outage) = &mut self.outage {
            outage.told = None;
        }
    }

    /// The board has told all its squares, and none is otherwise than it was before the line was
    /// out or was told since: nothing was played unseen. What was told meanwhile is followed.
    pub(super) fn follow_what_was_told(&mut self, out: &mut Vec<Effect>) {
        let told = self.outage.as_mut().and_then(|outage| outage.told.take());
        let Some((told, tracker)) = told.zip(self.tracker.as_mut()) else { return };
        if self.score.ending().is_some() || !self.reopened || !tracker.was_watched() {
            return;
        }
        (self.outage, self.reopened) = (None, false);
        let mut picture = self.surface.picture();
        for (at, what) in told {
            match what {
                Report::Squares(squares) => {
                    picture = *squares;
                    self.look_at(at, picture.clone(), out);
                }
                Report::Press(by, shown) => self.complete_as_told((at, by, shown), &picture, out),
            }
        }
    }

    /// This side pressed then for what stood there.
    fn complete_as_told(
        &mut self,
        (at, by, shown): (Moment, Color, Option<FaceTime>),
        picture: &Picture,
        out: &mut Vec<Effect>,
    ) {
        if self.tracker.as_mut().is_some_and(|it| it.pressed(at, by, false, picture)) {
            self.adopt(at, out);
        }
        for index in self.score.complete_through(at, by, shown) {
            self.tell_completed(index, out);
        }
        self.changed_game(out);
    }

    /// What nothing explains may be a report that was lost after the board was asked: it is asked
    /// again, the longer this lasts the less often.
    pub(super) fn survey_again_at(&self, now: Moment) -> Option<Moment> {
        let tracker = self.tracker.as_ref().filter(|_| self.score.ending().is_none())?;
        let lasts = now.since(tracker.lost()?.since);
        Some(now + lasts.clamp(SURVEY_AGAIN.0, SURVEY_AGAIN.1))
    }

    /// What is played on while the clock is waited for comes after what the board told first.
    pub(super) fn note_told_again(&mut self, now: Moment, picture: &Picture) {
        if let (Some(absent), Some(tracker)) = (self.absent(now), &mut self.tracker) {
            tracker.watch_again(absent, picture);
        }
    }

    /// Whether the board is still to tell all its squares, as single changes say nothing about the
    /// others, or the clock its times, as they say how often it was pressed meanwhile.
    pub(super) fn waits_for_whole(&mut self, now: Moment, picture: &Picture) -> bool {
        let unseen = self.unseen_after.is_some() && !picture.is_uncertain();
        let clock = self.clock_awaited_until().is_some_and(|until| now < until);
        let Some(outage) = &mut self.outage else { return false };
        let whole = unseen && outage.until.is_some_and(|until| now < until + WHOLE);
        outage.waiting = whole || clock;
        outage.waiting
    }

    /// When the board should have told all its squares since its line is there again, or answered
    /// when it was asked for them.
    pub(super) fn untold_at(&self) -> Option<Moment> {
        self.unseen_after.as_ref().filter(|_| self.device.answering)?;
        let until = self.outage.as_ref()?.until?;
        self.surface.answers_by().into_iter().chain([until + WHOLE]).max()
    }

    /// What was waited for since the line is there again has not come.
    pub(super) fn outage_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.clock_awaited_until().is_some_and(|at| at <= now) {
            self.note_read(now, out);
        }
        if self.untold_at().is_some_and(|at| at <= now) {
            self.untold_due(now, out);
        }
    }

    /// The board has not told its squares. One that was not asked for them yet is asked first.
    fn untold_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.surface.picture_at(now).is_uncertain() {
            self.doubt_what_nobody_saw(now, out);
            return self.note_read(now, out);
        }
        self.surface.asked(now);
        out.push(Effect::Survey);
    }

    /// Until when nothing is made of the squares before the clock was read.
    pub(super) fn clock_awaited_until(&self) -> Option<Moment> {
        let outage = self.outage.as_ref().filter(|outage| self.reopened && !outage.read)?;
        Some(outage.until? + CLOCK)
    }

    /// What was played meanwhile has been explained, in one way or in several: presses count from
    /// there again.
    pub(super) fn forget_presses(&mut self) {
        if let Some(outage) = &mut self.outage {
            outage.before = None;
        }
    }

    /// The same time counts as before the clock was silent. If the other one has counted meanwhile,
    /// both players have pressed: whatever that player had made by now is completed, and nobody
    /// heard what the clocks showed before his last move.
    pub(super) fn complete_in_silence(
        &mut self,
        now: Moment,
        before: ClockFace,
        face: ClockFace,
        out: &mut Vec<Effect>,
    ) {
        let idle = face.lever.other();
        let same = before.running && face.running && before.lever == face.lever;
        let counted = before.dial(idle).time != face.dial(idle).time && self.presses_show();
        let running = self.clocks.state().and_then(|state| state.running);
        let Some(by) = running.map(Color::other).filter(|_| same && counted && self.is_in_play())
        else {
            return;
        };
        let shown = self.time_now(now, by);
        let newly = self.score.complete_through(now, by, shown);
        for (index, ply) in newly.iter().enumerate() {
            if index + 1 < newly.len() {
                self.score.forget_clock(*ply);
            }
            self.tell_completed(*ply, out);
        }
        if !newly.is_empty() {
            self.changed_game(out);
        }
    }

    /// Moves that were worked out, or made while the line was out, from this one on: nobody heard
    /// their presses either. One that was answered has been pressed for, and the last one has if
    /// the opponent's time counts.
    pub(super) fn complete_unheard(&mut self, now: Moment, from: usize, out: &mut Vec<Effect>) {
        let plies = self.score.plies();
        let is_inferred = |ply: &Ply| ply.confidence == Confidence::Inferred;
        let away = self.reopened && from < plies.len();
        let made = match away {
            true => plies.len().checked_sub(1),
            false => plies.iter().rposition(is_inferred),
        };
        let Some(last) = made.filter(|last| *last >= from) else { return };
        let seen = plies.iter().take(from).rev().find(|ply| !is_inferred(ply));
        let seen = seen.map(|ply| ply.completed.unwrap_or(ply.released)).or(self.score.began());
        let heard = self.clocks.watched().is_some_and(|since| seen.is_some_and(|it| since <= it));
        let Some(clock) = self.clocks.state().filter(|_| !heard) else { return };
        let by = !plies[last].after.turn();
        let pressed = last + 1 < plies.len() || clock.running == Some(by.other());
        let stands = pressed && last + 1 == plies.len();
        let shown = self.time_now(now, by).filter(|_| stands);
        for index in self.score.complete_first(now, last + usize::from(pressed)) {
            self.score.forget_clock(index);
            if let Some(face) = shown.filter(|_| index == last) {
                self.score.note_clock(index, face);
            }
            self.tell_completed(index, out);
        }
    }

    /// The same. It is over when the board shows that nothing was played in it.
    pub(super) fn absent_still(&mut self, now: Moment, picture: &Picture) -> Option<Absent> {
        let absent = self.absent(now)?;
        let tracker = self.tracker.as_mut().filter(|_| self.unseen_after.is_none());
        if tracker.is_some_and(|tracker| tracker.was_only_in_hand(absent, picture)) {
            (self.outage, self.reopened) = (None, false);
            return None;
        }
        Some(absent)
    }

    /// What is known of the time in which nobody watched, if it is not over yet.
    pub(super) fn absent(&self, now: Moment) -> Option<Absent> {
        self.reopened.then(|| {
            let outage = self.outage.as_ref();
            let before = outage.and_then(|outage| outage.before);
            let owed = outage.map_or(0, |outage| outage.owed);
            Absent {
                since: outage.map_or(now, |outage| outage.since),
                until: outage.and_then(|outage| outage.until).unwrap_or(now),
                presses: before.and_then(|before| self.clocks.presses_since(before, owed)),
            }
        })
    }
}
