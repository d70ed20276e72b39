//! A line that was out: what is known about the unwatched time, and what must be heard before the
//! squares are interpreted again.

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::Color;

use super::{Effect, Play};
use crate::clock::Sample;
use crate::incident::Kind;
use crate::picture::Picture;
use crate::table::tolerances::{CLOCK_READ, SURVEY_AGAIN, WHOLE};
use crate::tracker::Unwatched;

/// The changed squares after which a board that never reported its whole position is reported: two
/// moves.
const EARLY_MAX: u8 = 4;

/// The most reports that are kept until the board reports all its squares. Two players in a hurry
/// make fewer within [`WHOLE`].
const REPORTS_MAX: usize = 64;

/// A report that came before the board had reported all its squares.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) enum Report {
    /// The squares after one of them changed.
    Squares(Box<Picture>),
    /// This side pressed, and its clock showed this time.
    Press(Color, Option<FaceTime>),
}

/// An outage of the line. It lasts until squares and score agree again.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Outage {
    /// When the line was last heard before the outage.
    pub(super) since: Moment,
    /// The reading of the clock at that moment, if it was running.
    pub(super) before: Option<Sample>,
    /// When the line was first heard again.
    pub(super) until: Option<Moment>,
    /// The clock was read again, or it is no longer waited for.
    pub(super) read: bool,
    /// Squares were seen since, and are not interpreted yet.
    pub(super) waiting: bool,
    /// The moves that still lacked a press when the line went out.
    pub(super) owed: usize,
    /// The reports since then, until the board has reported all its squares; none: that is done, or
    /// there were too many.
    pub(super) reports: Option<Vec<(Moment, Report)>>,
}

impl Play {
    /// Notes a changed square of a board that has never reported its whole position. The board is
    /// asked for it; if that does not help, the table is reported, because nobody can say what is
    /// played.
    pub(super) fn note_early_change(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.board.surface.known() || self.board.early_changes == EARLY_MAX {
            return;
        }
        self.board.early_changes += 1;
        match self.board.early_changes {
            1 => self.board.survey_at = Some(now),
            EARLY_MAX => self.doubt_unreported_squares(now, out),
            _ => {}
        }
    }

    /// Notes that a board has reported its whole position for the first time.
    pub(super) fn note_first_report(&mut self, out: &mut Vec<Effect>) {
        if std::mem::take(&mut self.board.early_changes) == EARLY_MAX {
            self.close_kind(Kind::PositionToCheck, out);
        }
    }

    pub(super) fn note_heard(&mut self, now: Moment) {
        self.board.heard = now;
        if let Some(outage) = &mut self.game.away.outage {
            outage.until.get_or_insert(now);
        }
    }

    /// Keeps a changed square that came before the report of all squares.
    pub(super) fn keep_squares(&mut self, now: Moment, picture: &Picture) {
        self.keep_report(now, Report::Squares(Box::new(picture.clone())));
    }

    /// Keeps a press in the same way. Its move may not be known yet.
    pub(super) fn keep_press(&mut self, now: Moment, by: Color) {
        if self.game.away.outage.is_some() {
            let shown = self.time_now(now, by);
            self.keep_report(now, Report::Press(by, shown));
        }
    }

    fn keep_report(&mut self, now: Moment, what: Report) {
        let Some(outage) = &mut self.game.away.outage else { return };
        let waits = self.game.away.unseen_after.is_some();
        outage.reports =
            outage.reports.take().filter(|reports| waits && reports.len() < REPORTS_MAX);
        if let Some(reports) = &mut outage.reports {
            reports.push((now, what));
        }
    }

    /// Drops the kept reports. Without the report of all squares they prove nothing.
    pub(super) fn forget_reports(&mut self) {
        if let Some(outage) = &mut self.game.away.outage {
            outage.reports = None;
        }
    }

    /// When to ask a board again whose squares nothing explains: a report may have been lost since
    /// it was asked. It is asked less often the longer this lasts.
    pub(super) fn survey_again_at(&self, now: Moment) -> Option<Moment> {
        let tracker =
            self.game.reading.tracker.as_ref().filter(|_| self.game.score.ending().is_none())?;
        let lasts = now.since(tracker.lost()?.since);
        Some(now + lasts.clamp(SURVEY_AGAIN.0, SURVEY_AGAIN.1))
    }

    /// Notes what is played while the clock is still waited for. It comes after the board's first
    /// report.
    pub(super) fn watch_meanwhile(&mut self, now: Moment, picture: &Picture) {
        if let (Some(unwatched), Some(tracker)) =
            (self.unwatched(now), &mut self.game.reading.tracker)
        {
            tracker.watch_again(unwatched, picture);
        }
    }

    /// Whether to wait before the squares are interpreted. Single changes say nothing about the
    /// other squares, so the board must report all of them first. The times of the clock must come
    /// first too, because they say how often it was pressed meanwhile.
    pub(super) fn waits_for_whole(&mut self, now: Moment, picture: &Picture) -> bool {
        let unseen = self.game.away.unseen_after.is_some() && !picture.is_uncertain();
        let clock = self.clock_awaited_until().is_some_and(|until| now < until);
        let Some(outage) = &mut self.game.away.outage else { return false };
        let whole = unseen && outage.until.is_some_and(|until| now < until + WHOLE);
        outage.waiting = whole || clock;
        outage.waiting
    }

    /// When the board should have reported all its squares after its line was opened, or have
    /// answered a request for them.
    pub(super) fn squares_due_at(&self) -> Option<Moment> {
        self.game.away.unseen_after.as_ref().filter(|_| self.board.device.answering)?;
        let until = self.game.away.outage.as_ref()?.until?;
        self.board.surface.answers_by().into_iter().chain([until + WHOLE]).max()
    }

    /// Until when the squares wait for the clock to be read.
    pub(super) fn clock_awaited_until(&self) -> Option<Moment> {
        let outage = self
            .game
            .away
            .outage
            .as_ref()
            .filter(|outage| self.game.away.reopened && !outage.read)?;
        Some(outage.until? + CLOCK_READ)
    }

    /// Counts presses anew, after what was played meanwhile has been explained in one way or in
    /// several.
    pub(super) fn forget_presses(&mut self) {
        if let Some(outage) = &mut self.game.away.outage {
            outage.before = None;
        }
    }

    /// The same as [`Play::unwatched`]. It ends the unwatched time if the board shows that nothing
    /// was played.
    pub(super) fn still_unwatched(&mut self, now: Moment, picture: &Picture) -> Option<Unwatched> {
        let unwatched = self.unwatched(now)?;
        let tracker =
            self.game.reading.tracker.as_mut().filter(|_| self.game.away.unseen_after.is_none());
        if tracker.is_some_and(|tracker| tracker.was_only_in_hand(unwatched, picture)) {
            (self.game.away.outage, self.game.away.reopened) = (None, false);
            return None;
        }
        Some(unwatched)
    }

    /// What is known about the unwatched time, while it is not explained yet.
    pub(super) fn unwatched(&self, now: Moment) -> Option<Unwatched> {
        self.game.away.reopened.then(|| {
            let outage = self.game.away.outage.as_ref();
            let before = outage.and_then(|outage| outage.before);
            let owed = outage.map_or(0, |outage| outage.owed);
            Unwatched {
                since: outage.map_or(now, |outage| outage.since),
                until: outage.and_then(|outage| outage.until).unwrap_or(now),
                presses: before.and_then(|before| self.clocks.presses_since(before, owed)),
            }
        })
    }

    /// The line is there again; the last move before it was out may have been another one.
    pub(super) fn note_reopened(&mut self) {
        self.board.surface.reopened(self.board.heard);
        let on = self.game.reading.tracker.is_some() && self.game.score.ending().is_none();
        let before = self.game.score.plies().len().saturating_sub(1);
        self.game.away.unseen_after = on.then(|| self.game.score.position_at(before).into());
    }
}
