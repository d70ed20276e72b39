//! A virtual board and its driver in virtual time: the bytes that a daemon would read. The line may
//! lose, repeat and damage them. Whole works can take the place of the driver. There is no real
//! line, no clock and no waiting.

use std::collections::BTreeMap;

use eboard::{Conversation, Driver, Emulator, Input, Moment, Output, Said, Sighting, Stimulus};
use rehearsal::{Faults, Happening, Unplug};
use witness::LineNo;

use crate::entry::Record;
use crate::entry::{Entry, LineId};
use crate::works::{Act, Works};

/// The name of the line, whenever the board is unplugged and plugged in again.
pub const NAME: &str = "virtual";

/// The bytes that a daemon would read from a board of this family, up to `end`.
#[must_use]
pub fn heard(
    driver: &'static Driver,
    happenings: impl IntoIterator<Item = (Moment, Happening)>,
    end: Moment,
    line: LineNo,
) -> Vec<Record> {
    heard_through(driver, happenings, end, line, &Faults::default(), 0).records
}

/// The result of a simulation.
#[derive(Debug, Default)]
pub struct Heard {
    /// The records of a daemon.
    pub records: Vec<Record>,
    /// The sightings of the driver.
    pub sightings: Vec<(Moment, Sighting)>,
}

/// The same over a line with faults, drawn from a seed. A board that was unplugged returns under
/// the next line number.
#[must_use]
pub fn heard_through(
    driver: &'static Driver,
    happenings: impl IntoIterator<Item = (Moment, Happening)>,
    end: Moment,
    line: LineNo,
    faults: &Faults,
    seed: u64,
) -> Heard {
    let mut room = Room::new(driver, line, faults.clone(), seed, None);
    room.drive(Moment::ZERO, Input::Opened);
    room.play(happenings, end)
}

/// The same with works in place of the driver. The line must be open in them already. Their acts
/// are added to `acts`.
#[must_use]
pub fn heard_by(
    (works, acts): (&mut Works, &mut Vec<Act>),
    driver: &'static Driver,
    happenings: impl IntoIterator<Item = (Moment, Happening)>,
    end: Moment,
    faults: &Faults,
    seed: u64,
) -> Heard {
    let mut room = Room::new(
        driver,
        LineNo::new(1),
        faults.clone(),
        seed,
        Some(Office { works, acts, read: 0 }),
    );
    room.drive(Moment::ZERO, Input::Opened);
    room.carry_out(Moment::ZERO);
    room.play(happenings, end)
}

/// The works, and how many of their acts were carried out.
struct Office<'a> {
    works: &'a mut Works,
    acts: &'a mut Vec<Act>,
    read: usize,
}

/// A board, a line, and a driver that talks while the line is open.
struct Room<'a> {
    family: &'static Driver,
    board: Box<dyn Emulator>,
    driver: Option<Box<dyn Conversation>>,
    line: LineNo,
    faults: Faults,
    unplugs: Vec<Unplug>,
    seed: u64,
    frames: u64,
    /// The bytes under way, by their arrival and order.
    coming: BTreeMap<(Moment, u64), Vec<u8>>,
    heard: Heard,
    /// The works that talk to the board. The driver only listens then.
    office: Option<Office<'a>>,
}

impl<'a> Room<'a> {
    fn new(
        family: &'static Driver,
        line: LineNo,
        faults: Faults,
        seed: u64,
        office: Option<Office<'a>>,
    ) -> Self {
        let mut unplugs = faults.unplugs.clone();
        unplugs.sort_by_key(|unplug| std::cmp::Reverse(unplug.at));
        Self {
            family,
            board: (family.emulate)(),
            driver: Some((family.converse)()),
            line,
            faults: Faults { unplugs: Vec::new(), ..faults },
            unplugs,
            seed,
            frames: 0,
            coming: BTreeMap::new(),
            heard: Heard::default(),
            office,
        }
    }

    fn play(
        mut self,
        happenings: impl IntoIterator<Item = (Moment, Happening)>,
        end: Moment,
    ) -> Heard {
        let mut happenings = happenings.into_iter().peekable();
        loop {
            let coming = happenings.peek().map(|(at, _)| *at);
            match self.deadline().filter(|at| coming.is_none_or(|coming| *at < coming)) {
                Some(at) if at > end => return self.heard,
                Some(at) => self.wake(at),
                None => match happenings.next() {
                    Some((at, happening)) => self.feel(at, happening.change().here()),
                    None => return self.heard,
                },
            }
        }
    }

    fn deadline(&self) -> Option<Moment> {
        let board = self.board.deadline().map(|(at, _)| at);
        let driver = self.driver.as_ref().and_then(|driver| driver.deadline()).map(|(at, _)| at);
        let arrival = self.coming.keys().next().map(|(at, _)| *at);
        let works = self.office.as_ref().and_then(|office| office.works.deadline());
        [board, driver, arrival, works, self.plug_at()].into_iter().flatten().min()
    }

    /// The next time the cable is unplugged or plugged in.
    fn plug_at(&self) -> Option<Moment> {
        let next = self.unplugs.last()?;
        Some(if self.driver.is_some() { next.at } else { next.at + next.lasts })
    }

    fn wake(&mut self, now: Moment) {
        if self.plug_at().is_some_and(|at| at <= now) {
            self.plug(now);
        }
        while let Some(first) = self.coming.first_entry().filter(|it| it.key().0 <= now) {
            let bytes = first.remove();
            self.arrive(now, bytes);
        }
        if self.board.deadline().is_some_and(|(at, _)| at <= now) {
            self.feel(now, Stimulus::Due);
        }
        let due = self.driver.as_ref().and_then(|driver| driver.deadline());
        if due.is_some_and(|(at, _)| at <= now) {
            self.drive(now, Input::Due);
        }
        if let Some(office) = &mut self.office {
            office.works.advance(now, office.acts);
            self.carry_out(now);
        }
    }

    /// Records an entry.
    fn keep(&mut self, now: Moment, entry: &Entry) {
        self.heard.records.push((now, entry.clone()));
    }

    /// Gives an entry to the works. They answer after the driver has listened.
    fn enter(&mut self, now: Moment, entry: &Entry) {
        if let Some(office) = &mut self.office {
            office.works.enter(now, entry, office.acts);
            self.carry_out(now);
        }
    }

    /// Carries out the acts of the works.
    fn carry_out(&mut self, now: Moment) {
        let mut sent = Vec::new();
        if let Some(Office { acts, read, .. }) = &mut self.office {
            sent.extend(acts[*read..].iter().filter_map(|act| match act {
                Act::Send(line, bytes) if *line == self.line => Some(bytes.clone()),
                _ => None,
            }));
            *read = acts.len();
        }
        for bytes in sent {
            self.feel(now, Stimulus::Host(&bytes));
        }
    }

    fn plug(&mut self, now: Moment) {
        if self.driver.take().is_some() {
            self.coming.clear();
            let closed = Entry::Closed(self.line);
            self.keep(now, &closed);
            self.enter(now, &closed);
            return;
        }
        self.unplugs.pop();
        self.line = self.line.next();
        let path = format!("{NAME}-{}", self.line);
        let names = vec![NAME.to_owned(), path.clone()];
        let id = LineId { names, ..LineId::at(&path) }.over(self.family.emulated_over());
        self.driver = Some((self.family.converse)());
        self.keep(now, &Entry::Opened(self.line, id.clone()));
        self.drive(now, Input::Opened);
        self.enter(now, &Entry::Opened(self.line, id));
    }

    fn feel(&mut self, now: Moment, stimulus: Stimulus<'_>) {
        let mut said = Said::default();
        self.board.handle(now, stimulus, &mut said);
        for bytes in said.writes() {
            if self.driver.is_some() {
                self.carry(now, bytes);
            }
        }
    }

    /// Sends bytes through the faults of the line.
    fn carry(&mut self, now: Moment, bytes: Vec<u8>) {
        self.frames += 1;
        let damaged = self.faults.inject(&[(now, bytes)], self.seed ^ (self.frames << 20));
        for (turn, (at, bytes)) in (0..).zip(damaged.chunks) {
            if at > now {
                self.coming.insert((at, self.frames << 8 | turn), bytes);
            } else {
                self.arrive(now, bytes);
            }
        }
    }

    fn arrive(&mut self, now: Moment, bytes: Vec<u8>) {
        let entry = Entry::Bytes(self.line, bytes.clone());
        self.keep(now, &entry);
        self.drive(now, Input::Bytes(&bytes));
        self.enter(now, &entry);
    }

    fn drive(&mut self, now: Moment, input: Input<'_>) {
        let mut answers = Vec::new();
        if let Some(driver) = &mut self.driver {
            driver.handle(now, input, &mut answers);
        }
        for answer in answers {
            match answer {
                Output::Send(bytes) if self.office.is_none() => {
                    self.feel(now, Stimulus::Host(&bytes));
                }
                Output::Saw(_, sighting) => self.heard.sightings.push((now, sighting)),
                Output::Send(_) | Output::Noise(_) => {}
            }
        }
    }
}
