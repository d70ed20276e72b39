//! The works as a checkpoint keeps them.
//!
//! A checkpoint holds everything the works know, and only the same build reads it. Deadlines follow
//! from the rest and are computed anew.

use bincode::enc::Encoder;
use bincode::enc::write::Writer;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode, config};
use eboard::SavedProbe;
use witness::{FrozenHall, LineNo};

use super::*;

/// Works as read from a checkpoint, before they have their drivers.
#[derive(Decode)]
pub struct Saved {
    lines: Vec<(LineNo, SavedLine)>,
    hall: Hall,
    seating: Seating,
    rounds: Rounds,
    former: FormerGames,
    lately: Lately,
    closings: Closings,
    decided: Decided,
    orders: Answers,
    wall: Option<Anchor>,
    delay: Option<(Moment, Delay)>,
    plan: Plan,
    spoken: BTreeMap<String, String>,
    lessons: Lessons,
    lifts: Lifts,
    now: Moment,
}

#[derive(Encode, Decode)]
struct SavedLine {
    id: LineId,
    noise: u64,
    machine: SavedMachine,
    boards: BTreeMap<Station, Board>,
}

#[derive(Encode, Decode)]
enum SavedMachine {
    Probing(SavedProbe),
    /// A conversation in the language of this driver.
    Talking(String, Vec<u8>),
}

/// The works as they stood: what [`Saved`] is read from. The tables, which are most of it, are
/// encoded with this, and not when it is taken.
pub struct Frozen {
    lines: Vec<(LineNo, SavedLine)>,
    hall: FrozenHall,
    /// What follows them, encoded.
    rest: Vec<u8>,
}

impl Encode for Frozen {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.lines.encode(to)?;
        self.hall.encode(to)?;
        to.writer().write(&self.rest)
    }
}

impl Works {
    /// The works as they stand now.
    ///
    /// # Errors
    /// If a value cannot be encoded.
    pub fn freeze(&self) -> Result<Frozen, EncodeError> {
        let lines = self.lines.iter().map(|(number, line)| Ok((*number, line.save()?)));
        let games = (&self.seating, &self.rounds, &self.former, &self.lately, &self.closings);
        let asked = (&self.decided, &self.orders, self.wall, self.delay, &self.plan, &self.spoken);
        let rest = (games, asked, &self.lessons, &self.lifts, self.now);
        Ok(Frozen {
            lines: lines.collect::<Result<_, EncodeError>>()?,
            hall: self.hall.freeze(),
            rest: bincode::encode_to_vec(rest, config::standard())?,
        })
    }
}

impl Encode for Works {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.freeze()?.encode(to)
    }
}

impl Line {
    fn save(&self) -> Result<SavedLine, EncodeError> {
        let machine = match &self.machine {
            Machine::Probing(probe) => SavedMachine::Probing(probe.save()?),
            Machine::Talking(driver, conversation) => {
                SavedMachine::Talking(driver.name.to_owned(), conversation.save()?)
            }
        };
        let (id, boards) = (self.id.clone(), self.boards.clone());
        Ok(SavedLine { id, noise: self.noise, machine, boards })
    }
}

impl SavedLine {
    fn line(self, drivers: &[&'static Driver]) -> Result<Line, DecodeError> {
        let machine = match self.machine {
            SavedMachine::Probing(probe) => {
                Machine::Probing(Probe::restore(probe, drivers, self.id.carrier)?)
            }
            SavedMachine::Talking(name, conversation) => {
                let driver = drivers.iter().copied().find(|driver| driver.name == name);
                let driver = driver.ok_or(DecodeError::Other("no such driver"))?;
                Machine::Talking(driver, (driver.restore)(&conversation)?)
            }
        };
        Ok(Line { id: self.id, noise: self.noise, machine, boards: self.boards })
    }
}

impl Saved {
    /// Works that go on from the checkpoint, with the drivers that they had.
    ///
    /// # Errors
    /// If they had other drivers.
    pub fn works(self, drivers: Vec<&'static Driver>) -> Result<Works, DecodeError> {
        let lines =
            self.lines.into_iter().map(|(number, saved)| Ok((number, saved.line(&drivers)?)));
        let lines = lines.collect::<Result<BTreeMap<_, _>, DecodeError>>()?;
        let numbers: Vec<_> = lines.keys().copied().collect();
        let mut works = Works {
            lines,
            hall: self.hall,
            seating: self.seating,
            rounds: self.rounds,
            former: self.former,
            lately: self.lately,
            closings: self.closings,
            decided: self.decided,
            orders: self.orders,
            wall: self.wall,
            delay: self.delay,
            plan: self.plan,
            spoken: self.spoken,
            lessons: self.lessons,
            lifts: self.lifts,
            now: self.now,
            ..Works::new(drivers)
        };
        for number in numbers {
            works.reschedule(number);
        }
        works.unseated = works.all_unseated();
        Ok(works)
    }
}
