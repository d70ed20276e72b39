//! How a clock treats a press, recognised by what it shows: increment, Bronstein, delay or nothing.

use crate::clock::tolerances::{
    ENDS_MS, LONGEST_DELAY_MS, PRESS_LATE_MS, SCANT_MS, SHORT_MS, SUM_MS, TICK_MS,
};
use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{ByColor, Color};

use crate::time_control::{Extra, Period};

/// Presses that must speak against the time control before it is said: in a row, or together.
const AGAINST: u8 = 2;
/// How many presses in a row by one player must each have brought a little less than they should.
const SCANT: i64 = 3;
/// How many presses must come in turns in which nothing was counted. A longer turn will show for
/// how long the clock waits.
const QUIET: u8 = 4;
/// Nor is it more than one part in so many of what a player has.
const DELAY_PART: i64 = 30;
/// How many of them show what each has brought.
const TURNS: i64 = 12;
/// No clock is fast or slow by more than one part in so many.
const FASTEST: i64 = 8;
/// A clock may spare one part in so many of the time that passes: then it is slow.
const SLOWEST: i64 = 20;

/// What a press brings on this clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Manner {
    /// So many seconds, whatever was used.
    Increment(u32),
    /// What was used comes back.
    Bronstein,
    /// So many seconds, or what was used: the turns took equally long.
    Either(u32),
    /// Nothing, but the time waits so many seconds before it counts.
    Delay(u32),
    /// Nothing, and the time has not counted in turns of so many seconds: it waits longer than
    /// that, or it stands still.
    Still(u32),
    /// Nothing.
    Nothing,
}

/// What the presses that spoke against the time control have in common.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
pub(super) struct Gain {
    against: u8,
    reported: bool,
    /// What they may all have brought, in milliseconds: least and most.
    common: Option<(i64, i64)>,
    /// What they have most likely brought together.
    likely: i64,
    /// One of them has not brought back just what was used.
    other: bool,
    /// For how long the time waited in the last of their turns in which it counted at all, in
    /// milliseconds.
    waits: Option<i64>,
    /// The longest of their turns.
    longest: i64,
    /// It was reported to wait before it counts.
    delays: bool,
    /// It was reported not to have counted in turns of this many seconds, and no turn has shown
    /// more.
    still: Option<u32>,
    /// A press was read so closely that it shows what it brought.
    measured: bool,
    /// The most that any of them has surely brought, where that is more than it should.
    brings: i64,
    tally: Tally,
    scant: ByColor<Scant>,
}

impl Gain {
    /// Whether it is known by now what a press brings on this clock.
    pub const fn is_measured(&self) -> bool {
        self.measured
    }

    /// What a press brings on this clock at most, in milliseconds, where it should bring `bonus`.
    pub fn at_most(&self, bonus: i64) -> i64 {
        self.brings.max(bonus)
    }

    /// Whether presses have not brought what they should.
    pub const fn is_wrong(&self) -> bool {
        self.reported
    }

    /// Whether the last press has not, or it is reported already.
    pub const fn is_doubted(&self) -> bool {
        self.reported || self.against > 0
    }

    /// For how long this clock may wait in each turn, in milliseconds, where it should so long.
    pub fn waits_at_most(&self, bonus: i64) -> i64 {
        if self.delays { bonus.max(LONGEST_DELAY_MS) } else { bonus }
    }

    /// One press of this side. Says what the clock does once that is surely not what it should.
    pub fn press(&mut self, side: Color, period: &Period, it: &Pressed) -> Option<Manner> {
        let bonus = i64::from(period.per_move_s(it.number)) * 1000;
        let (least, _) = it.brought();
        self.measured |= it.step <= TICK_MS + PRESS_LATE_MS;
        // Of reports that were lost, another press may have brought the rest.
        if least > bonus && it.at_once {
            self.brings = self.brings.max(least + TICK_MS);
        }
        let manner = match it.fits(period, bonus) {
            Fit::Fits => {
                (self.against, self.common, self.likely, self.other) = (0, None, 0, false);
                (self.waits, self.longest) = (None, 0);
                None
            }
            Fit::Differs => self.speaks_against(it),
            Fit::Open => return None,
        };
        let together = it.prompt.then(|| self.tally.press(period, bonus, it)).flatten();
        let scant = self.scant.get_mut(side).press(period, bonus, it);
        if self.reported {
            return self.refine(it);
        }
        let manner = manner.or(together).or(scant)?;
        self.reported = true;
        self.delays = matches!(manner, Manner::Delay(_) | Manner::Still(_));
        self.still = match manner {
            Manner::Still(seconds) => Some(seconds),
            _ => None,
        };
        Some(manner)
    }

    /// What was reported before, where that can still be known better.
    pub fn reported_still(&self) -> Option<Manner> {
        self.still.map(Manner::Still)
    }

    /// The time has counted in a turn that was longer than those in which it had not: so it waits,
    /// and does not stand still.
    fn refine(&mut self, it: &Pressed) -> Option<Manner> {
        let still = i64::from(self.still?) * TICK_MS;
        let counted = it.used() > TICK_MS && it.prompt;
        let waited = it.spared() - TICK_MS / 2;
        if !counted || !it.waits() || waited + TICK_MS + PRESS_LATE_MS < still {
            return None;
        }
        self.still = None;
        Some(Manner::Delay(whole_seconds(waited)))
    }

    fn speaks_against(&mut self, it: &Pressed) -> Option<Manner> {
        let (least, most) = it.brought();
        self.against += 1;
        let common = self.common.map_or((least, most), |(a, b)| (a.max(least), b.min(most)));
        self.common = Some(common);
        self.other |= (it.shown - it.start).abs() > TICK_MS;
        if it.used() > 0 {
            self.waits = Some(it.spared());
        }
        self.longest = self.longest.max(it.waited);
        // The press came somewhere between the two readings.
        self.likely += least + it.step.min(TICK_MS) / 2;
        let quiet = self.waits.is_none() && common.0 <= 0 && common.1 >= 0;
        let wanted = if quiet && it.waits() { QUIET } else { AGAINST };
        if self.reported || self.against < wanted {
            return None;
        }
        Some(match self.manner(common, it) {
            Manner::Increment(seconds @ 1..) if !self.other => Manner::Either(seconds),
            known => known,
        })
    }

    /// The simplest that explains them all.
    fn manner(&self, common: (i64, i64), last: &Pressed) -> Manner {
        let holds = |gain: i64| common.0 <= gain && gain <= common.1;
        if holds(0) {
            return match self.waits {
                _ if !last.waits() => Manner::Nothing,
                // Half a second of what the face hides is its mean.
                Some(waits) => Manner::Delay(whole_seconds(waits - TICK_MS / 2)),
                None => Manner::Still(whole_seconds(self.longest)),
            };
        }
        let seconds = whole_seconds(self.likely / i64::from(self.against));
        if holds(i64::from(seconds) * TICK_MS) {
            return Manner::Increment(seconds);
        }
        // Never more than what was used comes back.
        let (least, _) = last.brought();
        let used = last.used() + last.hidden();
        if least <= used { Manner::Bronstein } else { Manner::Increment(seconds) }
    }
}

/// One press at the end of a turn watched from its first moment. Milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressed {
    /// Of the move to come.
    pub number: u32,
    /// What the presser had at the start of the turn.
    pub start: i64,
    /// At the last reading before the press.
    pub last: i64,
    /// And after it.
    pub shown: i64,
    /// From that reading to this one.
    pub step: i64,
    /// From the start of the turn.
    pub waited: i64,
    /// It was read at once, before the opponent's time had changed.
    pub at_once: bool,
    /// And so was the press that began the turn.
    pub prompt: bool,
    /// By how much earlier the turn may have begun, because reports were lost.
    pub late: i64,
    /// Reports were lost in it: two presses may have come and gone, and the time not have counted.
    pub gap: bool,
    /// Since when all has been read, and how much more the clock has counted until this press than
    /// time has passed and presses should have brought.
    pub stretch: Option<(Moment, i64)>,
}

impl Pressed {
    /// What went by between the last reading and the press, on the face, is not known.
    fn hidden(&self) -> i64 {
        self.step.min(self.last) + TICK_MS
    }

    /// What the press has brought: least and most.
    fn brought(&self) -> (i64, i64) {
        let least = self.shown - self.last;
        (least, least + self.hidden())
    }

    fn used(&self) -> i64 {
        self.start - self.last
    }

    /// How much of the turn was not counted. A delay shows in it, but so does a clock that is slow.
    fn spared(&self) -> i64 {
        self.waited - (self.start - self.shown)
    }

    /// Whether more of it was not counted than seconds on the face can hide.
    fn waits(&self) -> bool {
        self.spared() > 2 * TICK_MS + PRESS_LATE_MS
    }

    /// Whether it is what this period says.
    fn fits(&self, period: &Period, bonus: i64) -> Fit {
        let (least, most) = self.brought();
        let (used, spared) = (self.used(), self.spared());
        let brings = match period.extra {
            Extra::Increment { .. } => (least..=most).contains(&bonus),
            Extra::Bronstein(_) => {
                least <= bonus.min(used + self.hidden())
                    && bonus.min((used - TICK_MS).max(0)) <= most
            }
            _ => (least..=most).contains(&0),
        };
        let off = self.waited / SLOWEST;
        let waits = match period.extra {
            Extra::Delay(_) => {
                let due = bonus.min(self.waited);
                let slack = off + TICK_MS + PRESS_LATE_MS;
                // Of a report that was lost the press was earlier than it was read.
                let most = due + slack + (self.step - TICK_MS).max(0);
                due - slack - self.late <= spared && (self.gap || spared <= most)
            }
            Extra::None => !self.waits(),
            _ => true,
        };
        let may_be_slow = period.extra == Extra::None && spared <= off + 2 * TICK_MS;
        match (brings, waits) {
            (true, true) => Fit::Fits,
            (true, false) if may_be_slow => Fit::Open,
            _ => Fit::Differs,
        }
    }
}

/// Whether a turn is what the time control says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Fits,
    Differs,
    /// That remains to be seen.
    Open,
}

/// What many presses have brought together, where each alone is too little to decide. Seconds that
/// a face does not show come out even in a sum.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
struct Tally {
    /// In turns shorter than what is given: by how much the time has risen, and by how much it
    /// rises if all is given and not only what was used.
    rose: i64,
    due: i64,
    /// The shortest and the longest of them, and how many of them were given anything.
    spread: Option<(i64, i64)>,
    given: u8,
    /// Short turns: how many, how long together, and what they brought beyond what they should.
    turns: i64,
    passed: i64,
    beyond: i64,
    /// A press among them has left more than was read just before it.
    gives: bool,
}

impl Tally {
    fn press(&mut self, period: &Period, bonus: i64, it: &Pressed) -> Option<Manner> {
        if it.waited + TICK_MS <= bonus && !matches!(period.extra, Extra::Delay(_)) {
            self.rose += it.shown - it.start;
            self.due += bonus - it.waited;
            let (least, most) = self.spread.unwrap_or((it.waited, it.waited));
            self.spread = Some((least.min(it.waited), most.max(it.waited)));
            self.given = self.given.saturating_add(u8::from(it.shown > it.last));
        }
        let given = match period.extra {
            Extra::Increment { .. } => bonus,
            Extra::Bronstein(_) | Extra::Delay(_) => bonus.min(it.waited),
            _ => 0,
        };
        if it.waited <= SHORT_MS {
            self.turns += 1;
            self.passed += it.waited;
            self.beyond += it.spared() - given;
            self.gives |= it.shown > it.last;
        }
        self.other_way(period, bonus).or_else(|| self.other_amount(period, bonus))
    }

    /// All is given where it should be what was used, or the other way round.
    fn other_way(&self, period: &Period, bonus: i64) -> Option<Manner> {
        let (least, most) = self.spread.filter(|_| self.due >= SUM_MS && self.given >= AGAINST)?;
        let near = |rose: i64| (self.rose - rose).abs() <= self.due / 4;
        match period.extra {
            Extra::Increment { .. } if near(0) && most - least >= TICK_MS => {
                Some(Manner::Bronstein)
            }
            Extra::Increment { .. } if near(0) => {
                Some(Manner::Either(whole_seconds(i64::midpoint(least, most))))
            }
            Extra::Bronstein(_) if near(self.due) => Some(Manner::Increment(whole_seconds(bonus))),
            _ => None,
        }
    }

    /// Every press brings a second or so more than it should, or less: more than a clock gains or
    /// loses that is fast or slow.
    fn other_amount(&self, period: &Period, bonus: i64) -> Option<Manner> {
        if self.turns < TURNS || !matches!(period.extra, Extra::None | Extra::Increment { .. }) {
            return None;
        }
        let mean = self.beyond / self.turns;
        let seconds = (mean + mean.signum() * TICK_MS / 2) / TICK_MS;
        let off = (mean - seconds * TICK_MS).abs();
        let may_be_drift = self.beyond.abs() <= self.passed / FASTEST;
        if seconds == 0 || off > TICK_MS / 4 || may_be_drift {
            return None;
        }
        let given = whole_seconds(bonus + seconds * TICK_MS);
        Some(match given {
            0 => Manner::Nothing,
            given if self.gives => Manner::Increment(given),
            given => Manner::Delay(given),
        })
    }
}

/// Presses of one side that have each left a second or two less than they should. One alone proves
/// nothing, because a second may have gone between the last reading and the press. But then the
/// clock has not given less, and both times together agree with the time that has passed.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
struct Scant {
    /// In which stretch, and what had been counted beyond our own time in it before the first.
    stretch: Option<(Moment, i64)>,
    /// How many there were, and how many of them say something.
    presses: i64,
    telling: i64,
    /// The least and the most that any of these has brought.
    brought: Option<(i64, i64)>,
}

impl Scant {
    fn press(&mut self, period: &Period, bonus: i64, it: &Pressed) -> Option<Manner> {
        let rose = it.shown - it.last;
        let now = it.stretch.filter(|_| matches!(period.extra, Extra::Increment { .. }))?;
        if self.stretch.is_none_or(|(since, _)| since != now.0) {
            *self = Self { stretch: Some((now.0, 0)), ..Self::default() };
        }
        if rose >= bonus || rose < bonus - SCANT_MS {
            *self = Self { stretch: Some(now), ..Self::default() };
            return None;
        }
        self.presses += 1;
        // A player who gets back what he has used may have used this much.
        if rose <= it.used() + TICK_MS && it.used() <= bonus {
            return None;
        }
        self.telling += 1;
        let (least, most) = self.brought.unwrap_or((rose, rose));
        let (least, most) = (least.min(rose), most.max(rose));
        self.brought = Some((least, most));
        let (_, before) = self.stretch?;
        let (lacks, each) = (now.1 - before, bonus - most);
        // Both players' presses may be as scant. No clock is so slow that it looks like this.
        let fits = (ENDS_MS + TICK_MS / 2..=2 * self.presses * each + ENDS_MS).contains(&lacks);
        if self.telling < SCANT || most - least > TICK_MS || !fits {
            return None;
        }
        Some(match whole_seconds(most) {
            0 => Manner::Nothing,
            seconds => Manner::Increment(seconds),
        })
    }
}

/// The longest delay that may be meant for a player who has this time.
pub(super) fn longest_delay_ms(time: i64) -> i64 {
    (time / DELAY_PART).min(LONGEST_DELAY_MS)
}

fn whole_seconds(ms: i64) -> u32 {
    u32::try_from((ms + TICK_MS / 2).max(0) / TICK_MS).unwrap_or_default()
}
