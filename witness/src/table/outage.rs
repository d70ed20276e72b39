//! A line that was out: what is known about the unwatched time, and what must be heard before the
//! squares are interpreted again.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{ClockFace, FaceTime, Moment};
use shakmaty::{Color, Position};

use super::{Effect, Play};
use crate::clock::Sample;
use crate::incident::Kind;
use crate::picture::Picture;
use crate::score::{Confidence, Ply};
use crate::tracker::Absent;

/// The time within which a board reports all its squares after its line is open again, if it does
/// so at all.
const WHOLE: Duration = Duration::from_secs(3);
/// The time within which a running clock has reported its times.
const CLOCK: Duration = Duration::from_millis(1500);

/// The shortest and the longest time until a board is asked for all its squares again, while
/// nothing explains them.
const SURVEY_AGAIN: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(60));

/// The changed squares after which a board that never reported its whole position is reported: two
/// moves.
const UNTOLD_MAX: u8 = 4;

/// The most reports that are kept until the board reports all its squares. Two players in a hurry
/// make fewer within [`WHOLE`].
const TOLD_MAX: usize = 64;

/// A report that came before the board had reported all its squares.
#[derive(Clone, Debug, Encode, Decode)]
enum Report {
    /// The squares after one of them changed.
    Squares(Box<Picture>),
    /// This side pressed, and its clock showed this time.
    Press(Color, Option<FaceTime>),
}

/// An outage of the line. It lasts until squares and score agree again.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Outage {
    /// When the line was last heard before the outage.
    since: Moment,
    /// The reading of the clock at that moment, if it was running.
    before: Option<Sample>,
    /// When the line was first heard again.
    until: Option<Moment>,
    /// The clock was read again, or it is no longer waited for.
    read: bool,
    /// Squares were seen since, and are not interpreted yet.
    waiting: bool,
    /// The moves that still lacked a press when the line went out.
    owed: usize,
    /// The reports since then, until the board has reported all its squares; none: that is done, or
    /// there were too many.
    told: Option<Vec<(Moment, Report)>>,
}

impl Play {
    /// Notes a changed square of a board that has never reported its whole position. The board is
    /// asked for it; if that does not help, the table is reported, because nobody can say what is
    /// played.
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

    /// Notes that a board has reported its whole position for the first time.
    pub(super) fn note_told(&mut self, out: &mut Vec<Effect>) {
        if std::mem::take(&mut self.untold) == UNTOLD_MAX {
            self.close_kind(Kind::PositionToCheck, out);
        }
    }

    /// Notes that the line is open again. What was seen before may no longer hold.
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
        // An earlier outage that was not explained yet goes on in this one.
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

    /// Notes that the clock was read, or is no longer waited for. Squares that waited for it are
    /// interpreted now.
    pub(super) fn note_read(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(outage) = &mut self.outage else { return };
        outage.read = true;
        if std::mem::take(&mut outage.waiting) {
            self.look(now, out);
        }
    }

    /// Keeps a changed square that came before the report of all squares.
    pub(super) fn note_told_singly(&mut self, now: Moment, picture: &Picture) {
        self.keep_told(now, Report::Squares(Box::new(picture.clone())));
    }

    /// Keeps a press in the same way. Its move may not be known yet.
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

    /// Drops the kept reports. Without the report of all squares they prove nothing.
    pub(super) fn forget_what_was_told(&mut self) {
        if let Some(outage) = &mut self.outage {
            outage.told = None;
        }
    }

    /// Replays the kept reports after the board has reported all its squares. It does so only if
    /// every square is as before the outage or as reported since: then nothing was played unseen.
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

    /// Replays a kept press, for the picture that stood there at that moment.
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

    /// When to ask a board again whose squares nothing explains: a report may have been lost since
    /// it was asked. It is asked less often the longer this lasts.
    pub(super) fn survey_again_at(&self, now: Moment) -> Option<Moment> {
        let tracker = self.tracker.as_ref().filter(|_| self.score.ending().is_none())?;
        let lasts = now.since(tracker.lost()?.since);
        Some(now + lasts.clamp(SURVEY_AGAIN.0, SURVEY_AGAIN.1))
    }

    /// Notes what is played while the clock is still waited for. It comes after the board's first
    /// report.
    pub(super) fn note_told_again(&mut self, now: Moment, picture: &Picture) {
        if let (Some(absent), Some(tracker)) = (self.absent(now), &mut self.tracker) {
            tracker.watch_again(absent, picture);
        }
    }

    /// Whether to wait before the squares are interpreted. Single changes say nothing about the
    /// other squares, so the board must report all of them first. The times of the clock must come
    /// first too, because they say how often it was pressed meanwhile.
    pub(super) fn waits_for_whole(&mut self, now: Moment, picture: &Picture) -> bool {
        let unseen = self.unseen_after.is_some() && !picture.is_uncertain();
        let clock = self.clock_awaited_until().is_some_and(|until| now < until);
        let Some(outage) = &mut self.outage else { return false };
        let whole = unseen && outage.until.is_some_and(|until| now < until + WHOLE);
        outage.waiting = whole || clock;
        outage.waiting
    }

    /// When the board should have reported all its squares after its line was opened, or have
    /// answered a request for them.
    pub(super) fn untold_at(&self) -> Option<Moment> {
        self.unseen_after.as_ref().filter(|_| self.device.answering)?;
        let until = self.outage.as_ref()?.until?;
        self.surface.answers_by().into_iter().chain([until + WHOLE]).max()
    }

    /// Handles a board that has not reported its squares. It is asked for them once before a doubt
    /// is raised.
    pub(super) fn untold_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.surface.picture_at(now).is_uncertain() {
            self.doubt_what_nobody_saw(now, out);
            return self.note_read(now, out);
        }
        self.surface.asked(now);
        out.push(Effect::Survey);
    }

    /// Until when the squares wait for the clock to be read.
    pub(super) fn clock_awaited_until(&self) -> Option<Moment> {
        let outage = self.outage.as_ref().filter(|outage| self.reopened && !outage.read)?;
        Some(outage.until? + CLOCK)
    }

    /// Counts presses anew, after what was played meanwhile has been explained in one way or in
    /// several.
    pub(super) fn forget_presses(&mut self) {
        if let Some(outage) = &mut self.outage {
            outage.before = None;
        }
    }

    /// Completes moves after a silent clock counts the same player's time as before. If the other
    /// time has counted meanwhile, both players have pressed. Then every move that this player had
    /// made is completed, and the times shown before his last move are unknown.
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

    /// Completes moves whose presses nobody heard, from this one on: they were inferred, or made
    /// while the line was out. A move that was answered has been pressed for. So has the last one,
    /// if the opponent's time counts.
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

    /// The same as [`Play::absent`]. It ends the absence if the board shows that nothing was
    /// played.
    pub(super) fn absent_still(&mut self, now: Moment, picture: &Picture) -> Option<Absent> {
        let absent = self.absent(now)?;
        let tracker = self.tracker.as_mut().filter(|_| self.unseen_after.is_none());
        if tracker.is_some_and(|tracker| tracker.was_only_in_hand(absent, picture)) {
            (self.outage, self.reopened) = (None, false);
            return None;
        }
        Some(absent)
    }

    /// What is known about the unwatched time, while it is not explained yet.
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
