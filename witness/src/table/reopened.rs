//! A line that is open again: what was reported meanwhile is taken up, and what stands there is
//! read.

use eboard::{ClockFace, FaceTime, Moment};
use shakmaty::Color;

use super::outage::{Outage, Report};
use super::{Effect, Play};
use crate::picture::Picture;

impl Play {
    /// Notes that the line is open again. What was seen before may no longer hold.
    pub(super) fn line_opened(&mut self) {
        self.game.away.reopened |= self.game.reading.tracker.is_some();
        self.keep_pressed();
        if let Some(tracker) = &mut self.game.reading.tracker {
            tracker.look_away(self.board.heard, self.settings.release);
        }
        let before = self.clocks.sample().filter(|sample| sample.face.running);
        let outage = Outage {
            since: self.board.heard,
            before,
            until: None,
            read: before.is_none(),
            waiting: false,
            owed: self.game.score.owed(),
            reports: Some(Vec::new()),
        };
        // An earlier outage that was not explained yet goes on in this one.
        let earlier = self.game.away.outage.take();
        self.game.away.outage = Some(match earlier.filter(|_| self.game.away.reopened) {
            Some(earlier) => Outage { until: None, read: earlier.before.is_none(), ..earlier },
            None => outage,
        });
        self.note_reopened();
    }

    /// Notes that the clock was read, or is no longer waited for. Squares that waited for it are
    /// interpreted now.
    pub(super) fn note_read(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(outage) = &mut self.game.away.outage else { return };
        outage.read = true;
        if std::mem::take(&mut outage.waiting) {
            self.look(now, out);
        }
    }

    /// Replays the kept reports after the board has reported all its squares. It does so only if
    /// every square is as before the outage or as reported since: then nothing was played unseen.
    pub(super) fn replay_reports(&mut self, out: &mut Vec<Effect>) {
        let reports = self.game.away.outage.as_mut().and_then(|outage| outage.reports.take());
        let Some((reports, tracker)) = reports.zip(self.game.reading.tracker.as_mut()) else {
            return;
        };
        if self.game.score.ending().is_some() || !self.game.away.reopened || !tracker.was_watched()
        {
            return;
        }
        (self.game.away.outage, self.game.away.reopened) = (None, false);
        let mut picture = self.board.surface.picture();
        for (at, what) in reports {
            match what {
                Report::Squares(squares) => {
                    picture = *squares;
                    self.look_at(at, picture.clone(), out);
                }
                Report::Press(by, shown) => self.replay_press((at, by, shown), &picture, out),
            }
        }
    }

    /// Replays a kept press, for the picture that stood there at that moment.
    pub(super) fn replay_press(
        &mut self,
        (at, by, shown): (Moment, Color, Option<FaceTime>),
        picture: &Picture,
        out: &mut Vec<Effect>,
    ) {
        if self.game.reading.tracker.as_mut().is_some_and(|it| it.pressed(at, by, false, picture)) {
            self.adopt(at, out);
        }
        for index in self.game.score.complete_through(at, by, shown) {
            self.tell_completed(index, out);
        }
        self.changed_game(out);
    }

    /// Handles a board that has not reported its squares. It is asked for them once before a doubt
    /// is raised.
    pub(super) fn squares_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.board.surface.picture_at(now).is_uncertain() {
            self.doubt_what_nobody_saw(now, out);
            return self.note_read(now, out);
        }
        self.board.surface.asked(now);
        out.push(Effect::Survey);
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
        let newly = self.game.score.complete_through(now, by, shown);
        for (index, ply) in newly.iter().enumerate() {
            if index + 1 < newly.len() {
                self.game.score.forget_clock(*ply);
            }
            self.tell_completed(*ply, out);
        }
        if !newly.is_empty() {
            self.changed_game(out);
        }
    }
}
