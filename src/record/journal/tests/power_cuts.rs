//! The power fails while the writer works. The virtual disk loses what was not synced, in any
//! order, sector by sector. What was synced must survive, and nothing may be read that was not
//! written.
//!
//! `ADOUBED_POWER_CUTS=10000 cargo test --lib power_cuts` tries more cuts than a test has time for.

use std::sync::{Mutex, PoisonError};

use super::super::writer::{Disk, keep_segment};
use super::super::*;
use seed::Seed;
use witness::LineNo;

#[path = "../../../../tests/common/seed.rs"]
mod seed;

/// How often the power is cut.
const CUTS: u8 = 200;
/// The bytes that a disk writes whole or not at all.
const SECTOR: usize = 512;
/// How long the writer waits before it syncs.
const FLUSH: Duration = Duration::from_millis(2);

/// A disk: what was written to it, and how much of that was synced.
#[derive(Clone, Default)]
struct FailingDisk(Arc<Mutex<OnDisk>>);

#[derive(Clone, Default)]
struct OnDisk {
    bytes: Vec<u8>,
    synced: usize,
}

impl FailingDisk {
    fn with<R>(&self, look: impl FnOnce(&mut OnDisk) -> R) -> R {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for FailingDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|content| content.bytes.extend(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Disk for FailingDisk {
    fn again(&self) -> io::Result<Self> {
        Ok(self.clone())
    }

    fn sync(&self, _: &Path) -> io::Result<()> {
        let written = self.with(|content| content.bytes.len());
        std::thread::sleep(FLUSH / 4);
        self.with(|content| content.synced = written);
        Ok(())
    }
}

impl OnDisk {
    /// The content after the power is back: the synced bytes, and a random choice of the later
    /// sectors, with zeros for the others. The length of the file is random within that too.
    fn after_the_cut(&self, dice: &mut Seed) -> Vec<u8> {
        let mut left = self.bytes.clone();
        let behind = self.bytes.len() - self.synced;
        left.truncate(self.synced + dice.below(behind + 1));
        let first = self.synced / SECTOR;
        for sector in first..left.len().div_ceil(SECTOR) {
            if dice.below(2) == 0 {
                let from = (sector * SECTOR).max(self.synced);
                let to = ((sector + 1) * SECTOR).min(left.len());
                left[from..to].fill(0);
            }
        }
        left
    }
}

/// Records of all lengths, each with its own moment.
fn record(number: u64, dice: &mut Seed) -> Record {
    let length = dice.below(1200);
    let entry = match dice.below(8) {
        0 => Entry::Closed(LineNo::new(3)),
        1 => Entry::Wall(i64::try_from(number).unwrap()),
        _ => Entry::Bytes(LineNo::new(3), dice.bytes(length)),
    };
    (Moment::from_micros(number * 1000), entry)
}

/// Writes until the power fails. Returns the records that were sent to the writer, and the disk.
fn until_the_cut(dice: &mut Seed) -> (Vec<Record>, OnDisk) {
    let disk = FailingDisk::default();
    let segment = Segment { path: PathBuf::new(), file: disk.clone(), length: 0 };
    let (queue, jobs) = mpsc::sync_channel(QUEUE);
    let writer = std::thread::spawn(move || {
        keep_segment(&jobs, segment, FLUSH, &Progress::default(), &mut None)
    });
    let mut entered = Vec::new();
    for _ in 0..dice.below(30) {
        for _ in 0..dice.below(12) {
            let record = record(entered.len() as u64, dice);
            entered.push(record.clone());
            queue.send(Job::Keep(record)).unwrap();
        }
        std::thread::sleep(Duration::from_micros(dice.below(1500) as u64));
    }
    let content = disk.with(|content| content.clone());
    drop(queue);
    writer.join().unwrap().unwrap();
    (entered, content)
}

#[test]
fn what_was_synced_outlives_the_power_and_nothing_false_is_read() {
    let cuts = std::env::var("ADOUBED_POWER_CUTS").ok().and_then(|it| it.parse().ok());
    let mut dice = Seed::draw("power cuts");
    let directory = tempfile::tempdir().unwrap();
    let (mut synced, mut lost, mut gaps) = (0, 0, 0);
    for cut in 0..cuts.unwrap_or(u32::from(CUTS)) {
        let (entered, content) = until_the_cut(&mut dice);
        let place = directory.path().join(cut.to_string());
        fs::create_dir(&place).unwrap();
        let path = place.join("journal-000001-2026-11-20.log");
        fs::write(&path, content.after_the_cut(&mut dice)).unwrap();

        let lengths = entered.iter().map(|it| encode(it).unwrap().len());
        let ends = lengths.scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        let durable = ends.filter(|end| *end <= content.synced).count();
        let read = read_all(&path).unwrap();
        assert_eq!(read.records[..durable], entered[..durable], "cut {cut}: what was synced");
        let mut rest = entered[durable..].iter();
        for record in &read.records[durable..] {
            assert!(rest.any(|it| it == record), "cut {cut}: {record:?} was never written");
        }
        (synced, lost) = (synced + durable, lost + entered.len() - read.records.len());
        gaps += read.gaps.len();

        // The next run appends, and its records can be read too.
        let mut journal = Journal::open(&place, "2026.11.20", FLUSH).unwrap();
        let later = entered.last().map_or(Moment::ZERO, |it| it.0) + Duration::from_secs(1);
        journal.append(later, Entry::Closed(LineNo::new(9)));
        journal.close();
        let again = read_all(&path).unwrap();
        let mut expected = read.records;
        expected.push((later, Entry::Closed(LineNo::new(9))));
        assert_eq!((again.records, again.torn), (expected, 0), "cut {cut}: the next run");
        fs::remove_dir_all(&place).unwrap();
    }
    println!("{synced} records were synced, {lost} lost that were not, {gaps} gaps");
    assert!(synced > 100 && lost > 100 && gaps > 10);
}
