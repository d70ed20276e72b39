//! How much of what a line says is kept and understood. A board that talks nonsense without end
//! would fill the disk of the journal for everybody.

use std::time::Duration;

use eboard::Moment;

/// Bytes of journal a second that a line may fill for as long as it likes: 115,200 baud without a
/// pause, three times what the fastest board we know says.
const RATE: u64 = 12 * 1024;
/// For so long a line may save up what it did not use: a burst of 240 KiB.
const SAVED: Duration = Duration::from_secs(20);
/// What a record costs beside the bytes in it: length, checksum, moment, kind and line.
const RECORD: u64 = 21;
/// While a line says too much, what was left out is summed up this often.
const SUMMARY: Duration = Duration::from_secs(1);

/// What one line has used.
#[derive(Debug, Default)]
pub struct Quota {
    /// By then everything taken so far is paid for.
    paid: Moment,
    /// Bytes left out since the last summary, and since when.
    shed: Option<(Moment, u64)>,
}

impl Quota {
    /// Whether so many bytes, read at once, are taken.
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

    /// When what was left out is to be summed up, if anything was.
    pub fn due(&self) -> Option<Moment> {
        self.shed.map(|(since, _)| since + SUMMARY)
    }

    /// How many bytes were left out since this was last asked.
    pub fn take_shed(&mut self) -> Option<u64> {
        self.shed.take().map(|(_, bytes)| bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that is read so many times a second, so many bytes at once, for so long: the bytes
    /// taken and left out, and the bytes of journal they fill.
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
        // The fastest lines there are, read by an adapter every 16 ms, for a whole day; and a board
        // whose every byte is read alone.
        for (per_second, bytes, s) in [(62, 62, 86_400), (62, 16, 86_400), (400, 1, 3600)] {
            let [_, shed, _] = said(&mut Quota::default(), Moment::ZERO, per_second, bytes, s);
            assert_eq!(shed, 0, "{per_second} times {bytes}");
        }
        // Everything a hand can do in a second, all at once.
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
