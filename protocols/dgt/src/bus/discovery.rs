//! Who is on the bus: when everybody is asked, and who may have answered. Nothing of the line.
//!
//! All who are asked together answer at random within 1.1 s, and two answers at once destroy each
//! other. So boards that are known are asked to keep quiet first, whoever seems to have answered is
//! asked by his own address before he is believed, and everybody is asked until nobody new answers.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Moment, Station};

/// Answers come within 1.1 s after the question has been sent, and take 7 ms.
const WINDOW: Duration = Duration::from_millis(1150);
/// So many times in a row nobody new, and the search rests.
const QUIET: u8 = 2;
/// A line on which every search finds something new or noise is searched no more often in a row.
const LONGEST: u8 = 10;
/// The search begins anew after this long. While it lasts nobody else can be asked.
const REST: Duration = Duration::from_secs(60);
/// The same while no board has been found at all.
const NOBODY: Duration = Duration::from_secs(2);
/// Whoever seems to have answered is asked by address so often.
const TRIES: u8 = 3;
/// More boards than any bus is known to carry.
pub(crate) const MOST: usize = 64;

/// The search.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct Discovery {
    /// When everybody is to be asked next.
    at: Moment,
    /// Everybody has been asked and may answer until then.
    until: Option<Moment>,
    /// Something new or unreadable came in answer.
    heard: bool,
    quiet: u8,
    rounds: u8,
    /// Who seems to have answered, and how often he was asked for confirmation.
    candidates: Vec<(Station, u8)>,
}

impl Discovery {
    pub(crate) const fn begin(at: Moment) -> Self {
        Self { at, until: None, heard: false, quiet: 0, rounds: 0, candidates: Vec::new() }
    }

    /// When everybody is to be asked; boards are to be hushed from then on.
    pub(crate) const fn at(&self) -> Moment {
        self.at
    }

    /// When those who were all asked will have answered.
    pub(crate) const fn until(&self) -> Option<Moment> {
        self.until
    }

    /// Everybody is being asked.
    pub(crate) fn asked(&mut self, now: Moment) {
        self.until = Some(now + WINDOW);
        self.heard = false;
    }

    /// Bytes came that say nothing: perhaps two answers at once.
    pub(crate) fn noise(&mut self) {
        self.heard |= self.until.is_some();
    }

    /// Somebody unknown seems to have answered.
    pub(crate) fn stranger(&mut self, station: Station) {
        self.heard = true;
        if self.candidates.len() < MOST && self.candidates.iter().all(|(it, _)| *it != station) {
            self.candidates.push((station, 0));
        }
    }

    /// Who is to confirm that he is there.
    pub(crate) fn doubtful(&self) -> Option<Station> {
        self.candidates.first().map(|(station, _)| *station)
    }

    /// He has confirmed it.
    pub(crate) fn confirmed(&mut self, station: Station) {
        self.candidates.retain(|(it, _)| *it != station);
    }

    /// He has not. Whoever does not answer three times was none.
    pub(crate) fn unconfirmed(&mut self, station: Station) {
        for (it, tries) in &mut self.candidates {
            *tries += u8::from(*it == station);
        }
        self.candidates.retain(|(_, tries)| *tries < TRIES);
    }

    /// The time for answers is over. Answers whether it was.
    pub(crate) fn close(&mut self, now: Moment, anybody: bool) -> bool {
        if self.until.take_if(|until| *until <= now).is_none() {
            return false;
        }
        self.rounds = self.rounds.saturating_add(1);
        self.quiet = if self.heard { 0 } else { self.quiet.saturating_add(1) };
        let rests = self.quiet >= QUIET || self.rounds >= LONGEST;
        if rests {
            // Once more is enough then, if nobody answers: it keeps all boards waiting.
            (self.quiet, self.rounds) = (QUIET - 1, 0);
        }
        self.at = match (rests, anybody || self.heard) {
            (false, _) => now,
            (true, true) => now + REST,
            (true, false) => now + NOBODY,
        };
        true
    }
}
