//! The line was out: what is known of the time in which nobody watched, and what has to be heard
//! before anything is made of the squares.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{ClockFace, Moment};
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

/// Squares that change on a board that has not told its position, before that is told: two moves.
const UNTOLD_MAX: u8 = 4;

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
