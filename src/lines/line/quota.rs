//! How much of a line's bytes is recorded and decoded. A board that sends noise without end must
//! not fill the disk of the journal for all others.

use std::time::Duration;

use eboard::Moment;

/// Bytes of journal per second that a line may fill without end: 115,200 baud without a pause,
/// which is three times what the fastest known board sends.
const RATE: u64 = 12 * 1024;
/// The time for which a line can save its unused share: a burst of 240 KiB.
const SAVED: Duration = Duration::from_secs(20);
/// The bytes of a record besides its content: length, checksum, moment, kind and line.
const RECORD: u64 = 21;
/// How often the left-out bytes of a line are summed up.
const SUMMARY: Duration = Duration::from_secs(1);

/// The use of one line.
#[derive(Debug, Default)]
pub struct Quota {
    /// When everything taken so far will be paid for.
    paid: Moment,
    /// The bytes left out since the last summary, and since when.
    shed: Option<(Moment, u64)>,
}

impl Quota {
    /// Whether a read of this length is taken.
    pub fn takes(&mut self, now: Moment, bytes: usize) -> bool {
        let bytes = bytes as u64;
        let costs = Duration::from_micros(((bytes + RECORD) * 1_000_000).div_ceil(RATE));
        let paid = self.paid.max(now) + costs;
        let taken = paid.since(now) <= SAVED;
        match taken {
            true => self.paid = paid,
            false => self.shed.get_or_insert((now, 0)).1 += bytes,
        }
        taken
    }

    /// When the next summary is due; none: nothing was left out.
    pub fn due(&self) -> Option<Moment> {
        self.shed.map(|(since, _)| since + SUMMARY)
    }

    /// The bytes left out since the last call.
    pub fn take_shed(&mut self) -> Option<u64> {
        self.shed.take().map(|(_, bytes)| bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a line at this rate, in reads of this length, for some seconds. Returns the bytes
    /// taken, the bytes left out, and the bytes of journal that they fill.
    fn said(quota: &mut Quota, from: Moment, per_second: u64, bytes: usize, s: u64) -> [u64; 3] {
        let [mut taken, mut journal] = [0, 0];
        for index in 0..per_second * s {
            let now = from + Duration::from_micros(index * 1_000_000 / per_second);
            if quota.takes(now, bytes) {
                taken += bytes as u64;
                journal += bytes as u64 + RECORD;
            }
        }
        [taken, quota.take_shed().unwrap_or_default(), journal]
    }

    #[test]
    fn a_flood_fills_what_the_quota_says_and_everything_else_is_counted() {
        for (per_second, bytes) in [(5000, 2048), (20_000, 1), (400, 64)] {
            let [taken, shed, journal] =
                said(&mut Quota::default(), Moment::ZERO, per_second, bytes, 60);
            assert_eq!(taken + shed, per_second * bytes as u64 * 60);
            let most = RATE * (60 + SAVED.as_secs());
            assert!(shed > 0 && journal <= most && journal > most - 4096, "{journal} of {most}");
        }
    }

    #[test]
    fn boards_say_everything_they_have_to_say() {
        // For a whole day: the fastest lines, read by an adapter every 16 ms, and a board whose
        // bytes are read one by one.
        for (per_second, bytes, s) in [(62, 62, 86_400), (62, 16, 86_400), (400, 1, 3600)] {
            let [_, shed, _] = said(&mut Quota::default(), Moment::ZERO, per_second, bytes, s);
            assert_eq!(shed, 0, "{per_second} times {bytes}");
        }
        // More than hands can do in a second, all at once.
        assert_eq!(said(&mut Quota::default(), Moment::ZERO, 5000, 5, 1)[1], 0);
    }

    #[test]
    fn a_line_that_was_too_loud_is_heard_again_at_once() {
        let mut quota = Quota::default();
        assert!(said(&mut quota, Moment::ZERO, 5000, 2048, 10)[1] > 0);
        let later = Moment::ZERO + Duration::from_millis(10_100);
        assert!(quota.takes(later, 67));
        assert_eq!((quota.due(), quota.take_shed()), (None, None));
        assert!(!quota.takes(later, 65_536));
        assert_eq!(quota.due(), Some(later + SUMMARY));
        assert_eq!((quota.take_shed(), quota.due()), (Some(65_536), None));
    }
}
