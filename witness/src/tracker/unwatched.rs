//! What was played while nobody watched: every line of as many moves as the clock was pressed for.
//! If the number of presses is not known, these are the shortest lines, and there may be others.

use std::time::Duration;

use eboard::Moment;
use shakmaty::{Chess, Move, Position};

use super::explain::{arrival, holds};
use super::gap;
use super::stands::Reading;
use super::{AFTER_ABSENCE, READINGS_MAX, RESTING, Tracker};
use crate::candidates;
use crate::clock::Presses;
use crate::picture::Picture;
use crate::score::Confidence;

/// Moves that may have been made since those that had been worked out.
const REPLIES: usize = 2;

/// The lines that explain a picture, from one of those that stood there before.
struct Explained {
    base: usize,
    readings: Vec<Reading>,
    /// There are no others.
    complete: bool,
}

impl Tracker {
    /// Nobody has watched since that moment: what stood there may stand there no longer.
    pub fn look_away(&mut self, since: Moment, release: Duration) {
        (self.unseen.lasts, self.unseen.away) = (true, Some(self.shown));
        (self.unseen.presses, self.gap_at) = (None, None);
        if let Some(stood) = self.standing.take() {
            self.stands[stood].rested |= self.stands[stood].seen + release <= since;
        }
        (self.unseen.again, self.unseen.unwatched) = (None, self.last.clone());
        self.settles = None;
        if let Some(hearing) = &mut self.hearing {
            hearing.look_away();
        }
    }

    /// How often the clock was pressed while nobody watched and since, if the clock shows that.
    pub fn count_presses(&mut self, presses: Option<Presses>) {
        self.unseen.presses = presses;
    }

    /// What was pressed for while nobody watched stood there before the clock was stopped, whenever
    /// the board reported it.
    pub(super) fn counted_since(&self, stand: usize) -> Option<Moment> {
        let again = self.unseen.again.as_ref().filter(|_| self.unseen.presses.is_some())?;
        self.stands[stand].pressed.then(|| again.since())
    }

    /// Whether it has been explained what was played while nobody watched.
    pub fn has_caught_up(&self) -> bool {
        !self.unseen.lasts
    }

    /// What the picture is if no more than one move was made: as many as the clock was pressed for.
    pub(super) fn find_counted(
        &mut self,
        now: Moment,
        picture: &Picture,
        presses: Presses,
    ) -> Option<usize> {
        if !presses.are_known() {
            return None;
        }
        let allowed = |moves: usize, position: &Chess| presses.allow(moves, position.turn());
        let shown = &self.stands[self.shown];
        if shown.readings[0].shows(picture) && allowed(0, shown.position()) {
            return Some(self.shown);
        }
        if self.doubts.trunk.is_none() && !self.gives_up() && allowed(1, self.position()) {
            let (shown, turn) = (self.shown, self.position().turn());
            let made = self.child(now, shown, picture)?;
            let one = self.stands[made].parent == shown;
            self.stands[made].pressed |= one && presses.moves(turn).all(|moves| moves == 1);
            return Some(made);
        }
        if self.unseen.again.is_none() || self.seen_again(picture).any() {
            return None;
        }
        // All of them were pressed for, and nobody has touched anything since.
        let explained = self.counted(picture, presses, 0).filter(|it| it.complete)?;
        let Explained { base, readings, .. } = explained;
        let same = readings.iter().all(|it| it.position == readings[0].position);
        if !same || readings.len() > READINGS_MAX {
            return None;
        }
        self.shown = self.stands.push(now, base, readings);
        self.stands[self.shown].pressed = true;
        Some(self.shown)
    }

    /// What rests there when the board is watched again.
    pub(super) fn after_absence(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        if let Some(end) = self.ended_meanwhile(now, picture) {
            return Some(end);
        }
        let counted = self.unseen.presses.and_then(|presses| {
            let completed = self.counted(picture, presses, 0).map(|it| (it, presses.are_known()));
            completed.or_else(|| Some((self.counted(picture, presses, 1)?, false)))
        });
        if let Some((Explained { base, mut readings, complete }, pressed)) = counted {
            let complete = complete && readings.len() <= READINGS_MAX;
            readings.truncate(READINGS_MAX);
            let stand = self.stands.push(now, base, readings);
            (self.stands[stand].unproven, self.stands[stand].pressed) = (!complete, pressed);
            return Some(stand);
        }
        let (unwatched, open) = (std::mem::take(&mut self.unseen.lasts), self.open_from());
        let shorter = self.find_shown(now, picture, open);
        self.unseen.lasts = unwatched;
        let found = shorter.or_else(|| self.missed(now, picture, AFTER_ABSENCE))?;
        let given_up = self.gives_up() && self.stands[found].parent == self.shown;
        for unproven in [Some(found), given_up.then_some(self.shown)].into_iter().flatten() {
            self.stands[unproven].unproven |= unproven != 0;
        }
        Some(found)
    }

    /// What has come since nobody watched goes on from no line that had been found: a piece may
    /// have been in a hand when the board reported its squares. So all of it is worked out anew,
    /// and it is no longer certain that these lines are all.
    pub(super) fn worked_out_anew(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let away = self.unseen.away.filter(|&it| it != self.shown)?;
        let since: Vec<_> =
            self.stands.back_from(self.shown).take_while(|&it| it != away).collect();
        let is_seen = |it: usize| self.stands[it].readings[0].confidence == Confidence::Seen;
        if self.unseen.lasts
            || !self.stands.comes_after(self.shown, away)
            || is_seen(*since.last()?)
        {
            return None;
        }
        let [reading] = &self.stands[away].readings[..] else { return None };
        let picture = &reading.corrected(picture);
        let moves = |it: usize| &self.stands[it].readings[0].line[..];
        let made: usize = since.iter().map(|&it| moves(it).len()).sum();
        let pressed = |it: &usize| is_seen(*it) && self.stands[*it].pressed;
        let pressed = since.iter().rev().copied().filter(pressed);
        let pressed: Vec<_> = pressed.flat_map(moves).map(arrival).collect();
        let last = self.puts.last()?.square;
        let fits = |line: &Vec<Move>| {
            holds(line, &pressed) && line.last().is_some_and(|mv| mv.is_castle() || mv.to() == last)
        };
        // This is tried whenever something rests that nothing explains.
        let (most, mut left) = (AFTER_ABSENCE.0, RESTING.1);
        let readings = (made..=(made + REPLIES).min(most)).find_map(|plies| {
            let found = gap::exactly(&reading.position, picture, plies, READINGS_MAX, &mut left);
            let lines = found.lines.into_iter().filter(fits);
            let lines = lines.map(|line| reading.then(0, line, Confidence::Inferred));
            let readings: Vec<_> = lines.take(READINGS_MAX).collect();
            (!readings.is_empty()).then_some(readings)
        })?;
        let stand = self.stands.push(now, away, readings);
        self.stands[stand].unproven = true;
        Some(stand)
    }

    /// Whether one move has ended the game: nobody presses for it, and the clock may be left as it
    /// was.
    pub(super) fn ends_the_game(&self, picture: &Picture) -> Option<Move> {
        let position = self.position();
        let mv = candidates::single(position, picture.board())?;
        let after = candidates::after(position, mv);
        (after.is_checkmate() || after.is_stalemate()).then_some(mv)
    }

    fn ended_meanwhile(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let known = self.unseen.presses.filter(|presses| presses.are_known());
        let allowed = known.is_none_or(|presses| presses.allow(1, self.position().turn()));
        let mv = self.ends_the_game(picture).filter(|_| allowed && self.doubts.trunk.is_none())?;
        let last = self.stands[self.shown].readings[0].then(0, vec![mv], Confidence::Inferred);
        let stand = self.stands.push(now, self.shown, vec![last]);
        self.stands[stand].unproven = known.is_none();
        Some(stand)
    }

    /// The lines of as many moves as the clock was pressed for, or one more. The last move that was
    /// seen may have been given up if it was not completed.
    fn counted(&self, picture: &Picture, presses: Presses, more: usize) -> Option<Explained> {
        let shown = self.doubts.trunk.unwrap_or(self.shown);
        let mut left = AFTER_ABSENCE.1;
        let (mut readings, mut complete) =
            self.counted_from(shown, picture, (presses, more), &mut left);
        let mut base = shown;
        if self.gives_up() {
            let parent = self.stands[shown].parent;
            let (others, all) =
                self.counted_from(parent, picture, (presses.one_move_earlier(), more), &mut left);
            let others: Vec<_> = others
                .into_iter()
                .filter(|it| self.is_given_up(shown, &it.line, readings.is_empty()))
                .collect();
            complete &= all;
            if !others.is_empty() {
                readings = readings.iter().map(|it| self.with_the_move_before(shown, it)).collect();
                readings.extend(others);
                base = parent;
            }
        }
        self.prefer_as_reported(base, picture, &mut readings);
        (!readings.is_empty()).then_some(Explained { base, readings, complete })
    }

    /// Whether the last move that was seen may have been given up while nobody watched.
    fn gives_up(&self) -> bool {
        let last = self.doubts.trunk.unwrap_or(self.shown);
        let stand = &self.stands[last];
        let [reading] = &stand.readings[..] else { return false };
        let single = reading.line.len() == 1;
        last != 0 && single && !stand.pressed && !stand.rested
    }

    /// Whether this line does not hold the move that was seen last, and begins with its piece: what
    /// else may have been played instead matters only if nothing else explains the picture.
    fn is_given_up(&self, seen: usize, line: &[Move], alone: bool) -> bool {
        let seen = self.stands[seen].readings[0].line[0];
        let same_piece = line.first().is_none_or(|first| first.from() == seen.from());
        !line.contains(&seen) && (alone || same_piece)
    }

    fn counted_from(
        &self,
        base: usize,
        picture: &Picture,
        (presses, more): (Presses, usize),
        left: &mut usize,
    ) -> (Vec<Reading>, bool) {
        let (mut readings, mut complete) = (Vec::new(), true);
        for (way, reading) in self.stands[base].readings.iter().enumerate() {
            let picture = &reading.corrected(picture);
            for plies in presses.moves(reading.position.turn()).map(|it| it + more) {
                if plies > AFTER_ABSENCE.0 {
                    complete = false;
                    continue;
                }
                let found = gap::exactly(&reading.position, picture, plies, READINGS_MAX, left);
                complete &= found.complete;
                let lines = found.lines.into_iter();
                let start = reading.position.board();
                let lines = lines.filter(|line| self.ends_as_seen(start, line, picture));
                readings.extend(lines.map(|line| reading.then(way, line, Confidence::Inferred)));
            }
        }
        (readings, complete)
    }
}
