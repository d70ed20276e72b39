//! What a board sees of the truth: it looks at its squares in turn or now and then, so order and
//! detail are lost. It knows no wire language, and loses nothing on a line.

use std::collections::BTreeSet;
use std::time::Duration;

use eboard::{Moment, Piece, Placement, Square};

use crate::{Happening, Readings, Rng};

/// A board's way of looking at its squares. The same seed sees the same truth in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    way: Way,
    seed: u64,
    readings: Readings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    SquareBySquare,
    Rolling { period: Duration },
    Dumps { period: Duration, torn: bool },
}

/// How long a DGT board takes to look at all its squares, in microseconds.
const DGT_SCAN_US: (u64, u64) = (200_000, 250_000);
/// How late the faces of its clock come.
const DGT_CLOCK_LAG: Duration = Duration::from_millis(250);

impl Scan {
    /// One square after the other, a8 first, all of them in 200 to 250 ms. A change is told when
    /// its square is looked at next: a put can come before its lift, a quick lift and put not at
    /// all, and a piece that moves on is seen wherever it was when the eye came by. Faces of the
    /// clock come up to 0.25 s late, in order.
    #[must_use]
    pub const fn dgt(seed: u64) -> Self {
        let readings = Readings::as_it_changes().late(DGT_CLOCK_LAG);
        Self { way: Way::SquareBySquare, seed, readings }
    }

    /// One square after the other, a8 first, all of them in one `period`, for a board that keeps
    /// what it read and sends it later: the picture it sends is as old at one end as the period is
    /// long. Faces of the clock pass.
    #[must_use]
    pub const fn rolling(period: Duration) -> Self {
        Self::of(Way::Rolling { period })
    }

    /// The whole board at once every `period`, told if it has changed. Faces of the clock pass.
    #[must_use]
    pub const fn whole(period: Duration) -> Self {
        Self::of(Way::Dumps { period, torn: false })
    }

    /// As [`Scan::whole`], but one half of the board, the upper or the lower, is older than the
    /// other by up to a period.
    #[must_use]
    pub const fn torn(period: Duration) -> Self {
        Self::of(Way::Dumps { period, torn: true })
    }

    const fn of(way: Way) -> Self {
        Self { way, seed: 0, readings: Readings::as_it_changes() }
    }

    /// The same with a clock that is read in this way.
    #[must_use]
    pub const fn reading(self, readings: Readings) -> Self {
        Self { readings, ..self }
    }

    /// The same with other dice: another phase, other delays.
    #[must_use]
    pub const fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// What is to be told to an emulated board and when, given what happened when (in order of
    /// time, a whole board first). In the end the board has told all that stands on it.
    #[must_use]
    pub fn see(&self, truth: &[(Moment, Happening)]) -> Vec<(Moment, Happening)> {
        let mut dice = Rng::new(self.seed);
        let (opening, changes) = changes(truth);
        let mut seen: Vec<(Moment, Happening)> = Vec::with_capacity(truth.len());
        seen.extend(opening.map(|(at, board)| (at, Happening::Board(board))));
        let opening = opening.map_or(Placement::EMPTY, |(_, board)| board);
        match self.way {
            Way::SquareBySquare => {
                let (least, most) = DGT_SCAN_US;
                let period_us = least + dice.below(most - least + 1);
                seen.extend(Sweep::new(period_us, opening, &mut dice).see(&changes));
                seen.extend(self.readings.see(faces(truth), &mut dice));
            }
            Way::Rolling { period } => {
                seen.extend(Sweep::new(micros(period), opening, &mut dice).see(&changes));
                seen.extend(self.readings.see(faces(truth), &mut dice));
            }
            Way::Dumps { period, torn } => {
                let period_us = micros(period);
                let dumps = Dumps { period_us, phase_us: dice.below(period_us), torn };
                seen.extend(dumps.see(opening, &changes, &mut dice));
                seen.extend(self.readings.see(faces(truth), &mut dice));
            }
        }
        seen.sort_by_key(|&(at, _)| at);
        seen
    }
}

fn micros(period: Duration) -> u64 {
    u64::try_from(period.as_micros()).unwrap_or(u64::MAX).max(1)
}

/// When a square changed, and to what.
type Change = (Moment, Square, Option<Piece>);

/// The first whole board, and every change of a square after it.
fn changes(truth: &[(Moment, Happening)]) -> (Option<(Moment, Placement)>, Vec<Change>) {
    let (mut opening, mut standing) = (None, Placement::EMPTY);
    let mut changes = Vec::with_capacity(truth.len());
    for &(at, happened) in truth {
        match happened {
            Happening::Board(board) if opening.is_none() => {
                opening = Some((at, board));
                standing = board;
            }
            Happening::Board(board) => {
                changes.extend(standing.differing(&board).map(|it| (at, it, board[it])));
                standing = board;
            }
            Happening::Square { square, piece } => {
                changes.push((at, square, piece));
                standing[square] = piece;
            }
            Happening::Clock(_) | Happening::NoClock | Happening::Disturbed(_) => {}
        }
    }
    (opening, changes)
}

fn faces(truth: &[(Moment, Happening)]) -> impl Iterator<Item = (Moment, Happening)> {
    truth.iter().copied().filter(|(_, happened)| !happened.is_of_squares())
}

/// An eye that goes from square to square.
struct Sweep {
    period_us: u64,
    phase_us: u64,
    standing: Placement,
    reported: Placement,
    /// Changed squares, by when the eye comes by.
    pending: BTreeSet<(Moment, Square)>,
}

impl Sweep {
    fn new(period_us: u64, opening: Placement, dice: &mut Rng) -> Self {
        Self {
            period_us,
            phase_us: dice.below(period_us),
            standing: opening,
            reported: opening,
            pending: BTreeSet::new(),
        }
    }

    fn see(mut self, changes: &[Change]) -> Vec<(Moment, Happening)> {
        let mut seen = Vec::with_capacity(changes.len());
        for &(at, square, piece) in changes {
            self.look_until(Some(at), &mut seen);
            self.standing[square] = piece;
            self.pending.insert((self.next_look(square, at), square));
        }
        self.look_until(None, &mut seen);
        seen
    }

    fn look_until(&mut self, until: Option<Moment>, seen: &mut Vec<(Moment, Happening)>) {
        while let Some(&(at, square)) = self.pending.first() {
            if until.is_some_and(|until| at >= until) {
                break;
            }
            self.pending.pop_first();
            let piece = self.standing[square];
            if self.reported[square] != piece {
                self.reported[square] = piece;
                seen.push((at, Happening::Square { square, piece }));
            }
        }
    }

    /// The first moment from `at` on at which the eye is on this square.
    fn next_look(&self, square: Square, at: Moment) -> Moment {
        let within_us = u64::from(square.index()) * self.period_us / 64;
        let phase_us = (self.phase_us + within_us) % self.period_us;
        tick(self.period_us, phase_us, at)
    }
}

/// The first moment from `at` on that is a phase and some periods after zero.
pub(crate) fn tick(period_us: u64, phase_us: u64, at: Moment) -> Moment {
    let periods = at.as_micros().saturating_sub(phase_us).div_ceil(period_us);
    Moment::from_micros(phase_us.saturating_add(periods.saturating_mul(period_us)))
}

/// Whole boards at a rate.
struct Dumps {
    period_us: u64,
    phase_us: u64,
    torn: bool,
}

impl Dumps {
    fn see(
        &self,
        opening: Placement,
        changes: &[Change],
        dice: &mut Rng,
    ) -> Vec<(Moment, Happening)> {
        let mut seen = Vec::new();
        let (mut standing, mut reported) = (opening, opening);
        let mut to_come = changes.iter().peekable();
        let mut now = Moment::ZERO;
        loop {
            let next = if reported == standing { to_come.peek().map(|it| it.0) } else { Some(now) };
            let Some(next) = next else { return seen };
            let after = Moment::from_micros(now.as_micros().saturating_add(1));
            now = tick(self.period_us, self.phase_us, next.max(after));
            let lag_us = if self.torn { dice.below(self.period_us) } else { 0 };
            let torn_at = now - Duration::from_micros(lag_us);
            while let Some(change) = to_come.next_if(|it| it.0 <= torn_at) {
                standing[change.1] = change.2;
            }
            let before = standing;
            while let Some(change) = to_come.next_if(|it| it.0 <= now) {
                standing[change.1] = change.2;
            }
            let upper_old = dice.below(2) == 0;
            let dump = halves(&before, &standing, upper_old);
            if dump != reported {
                reported = dump;
                seen.push((now, Happening::Board(dump)));
            }
        }
    }
}

/// The upper or the lower half of one board, the other of another.
fn halves(old: &Placement, new: &Placement, upper_old: bool) -> Placement {
    let mut both = *new;
    for square in Square::all().filter(|square| (square.index() < 32) == upper_old) {
        both[square] = old[square];
    }
    both
}

#[cfg(test)]
mod tests;
