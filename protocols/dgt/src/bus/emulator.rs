//! Up to 32 boards on one cable made of nothing, each with its clock. No board keeps its log for
//! longer than until it is asked, so that 86 is not answered, and what others than we ask of bus
//! boards is not answered either.

mod board;
mod wire;

use std::time::Duration;

use eboard::{Emulator, Moment, Reason, Said, Station, Stimulus};

use self::board::{BusBoard, Habits};
use self::wire::{BYTE, Wire, time};
use super::frame::{EVERYBODY, Request, check};
use crate::frame::Version;

/// The most boards on one cable.
const MOST: usize = 32;
/// A board answers after this, and later while it writes to its memory.
const ANSWER: Duration = Duration::from_millis(2);
const WRITING_MS: u64 = 18;
/// When everybody is asked, answers begin within this time.
const WINDOW_MS: u64 = 1090;
/// Writing the beginning of a game takes so long.
const STARTING: Duration = Duration::from_millis(70);

/// A bus. Begins with one board, number 00001, in the starting position and without a clock.
#[derive(Debug)]
pub struct VirtualBus {
    boards: Vec<BusBoard>,
    wire: Wire,
    /// A question that is not complete.
    question: Vec<u8>,
    /// Where chance has come to.
    chance: u64,
    habits: Habits,
    /// Whose next answers do not come, or come damaged, and how many.
    spoilt: Vec<(Station, Spoilt, u16)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spoilt {
    Lost,
    Damaged,
}

impl Default for VirtualBus {
    fn default() -> Self {
        Self {
            boards: vec![BusBoard::new(Station(1))],
            wire: Wire::default(),
            question: Vec::new(),
            chance: 0,
            habits: Habits {
                alternates: true,
                delays: false,
                version: Version { major: 1, minor: 7 },
            },
            spoilt: Vec::new(),
        }
    }
}

impl VirtualBus {
    /// Whether answers with changes come as 85 and 8b in turn, as at first, or always as 85.
    pub fn set_alternating(&mut self, alternates: bool) {
        self.habits.alternates = alternates;
    }

    /// Whether the boards write delays into their logs; at first they do not.
    pub fn set_delays(&mut self, delays: bool) {
        self.habits.delays = delays;
    }

    /// The next answers of this board, so many, do not come.
    pub fn lose(&mut self, station: Station, answers: u16) {
        self.spoilt.push((station, Spoilt::Lost, answers));
    }

    /// The next answers of this board, so many, come damaged.
    pub fn damage(&mut self, station: Station, answers: u16) {
        self.spoilt.push((station, Spoilt::Damaged, answers));
    }

    /// From now on no answer is lost or damaged.
    pub fn heal(&mut self) {
        self.spoilt.clear();
    }

    fn hear(&mut self, now: Moment, byte: u8) {
        if byte >= 0x80 {
            self.question.clear();
        } else if self.question.is_empty() {
            // An order to a single board: every board that hears it leaves the language of the bus.
            if (0x40..=0x63).contains(&byte) {
                self.boards.iter_mut().for_each(BusBoard::go_astray);
            }
            return;
        }
        self.question.push(byte);
        let [code, high, low, sum] = *self.question else { return };
        let whole = check(&[code, high, low]) == sum;
        self.question.clear();
        if whole {
            self.obey(now, code, Station(u16::from(high) << 7 | u16::from(low)));
        }
    }

    fn obey(&mut self, now: Moment, code: u8, station: Station) {
        let request = Request::ALL.into_iter().find(|request| request.code() == code);
        for at in 0..self.boards.len() {
            let chance = self.chance(WINDOW_MS);
            let writing = Duration::from_millis(self.chance(WRITING_MS));
            let Some(board) = self.boards.get_mut(at).filter(|board| board.listens(now)) else {
                continue;
            };
            let heard = now + 4 * BYTE + ANSWER;
            let writing = if std::mem::take(&mut board.writes) { writing } else { Duration::ZERO };
            let (from, answer) = match (code, request) {
                (0x88, _) if station == EVERYBODY || station == board.station => {
                    board.go_astray();
                    continue;
                }
                (_, Some(Request::Ping)) if station == EVERYBODY => {
                    if !board.answers_all() {
                        continue;
                    }
                    (
                        heard + Duration::from_millis(chance),
                        board.answer(Request::Ping, self.habits),
                    )
                }
                _ if station != board.station => continue,
                (0x85, _) => (heard + STARTING, Some(board.start(now, self.habits))),
                (_, Some(request)) => (heard + writing, board.answer(request, self.habits)),
                _ => continue,
            };
            let Some(mut answer) = answer else { continue };
            board.busy_until = from + time(answer.len());
            let station = board.station;
            match self.spoil(station) {
                Some(Spoilt::Lost) => continue,
                Some(Spoilt::Damaged) => {
                    let middle = answer.len() / 2;
                    answer.iter_mut().skip(middle).take(1).for_each(|byte| *byte ^= 0x15);
                }
                None => {}
            }
            self.wire.say(from, &answer);
        }
    }

    fn spoil(&mut self, station: Station) -> Option<Spoilt> {
        let (_, how, left) = self.spoilt.iter_mut().find(|(it, ..)| *it == station)?;
        let how = *how;
        *left = left.saturating_sub(1);
        self.spoilt.retain(|(.., left)| *left > 0);
        Some(how)
    }

    /// A number below `below`: another one each time, and in every run the same.
    fn chance(&mut self, below: u64) -> u64 {
        self.chance = self.chance.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.chance ^ self.chance >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % below
    }
}

impl Emulator for VirtualBus {
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        match stimulus {
            Stimulus::Host(bytes) => bytes.iter().for_each(|byte| self.hear(now, *byte)),
            Stimulus::At(station, change) => {
                let habits = self.habits;
                if let [board] = &mut *self.boards {
                    board.befall(now, change, habits);
                } else if let Some(board) = self.boards.iter_mut().find(|it| it.station == station)
                {
                    board.befall(now, change, habits);
                }
            }
            Stimulus::Due => self.wire.deliver(now, out.stream()),
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        self.wire.next().map(|at| (at, Reason("an answer has come through the cable")))
    }

    /// Takes the last five digits of each; the lower 14 bits of the number are the address. Of
    /// several with one address the first is there, and none that would have the address of all.
    fn set_serials(&mut self, serials: &[&str]) {
        self.boards.clear();
        for serial in serials {
            let digits = serial.chars().filter_map(|it| it.to_digit(10));
            let number = digits.fold(0_u32, |number, digit| (number * 10 + digit) % 100_000);
            let station = Station(u16::try_from(number & 0x3fff).unwrap_or_default());
            let known = self.boards.iter().any(|board| board.station == station);
            if station != EVERYBODY && !known && self.boards.len() < MOST {
                self.boards.push(BusBoard::new(station));
            }
        }
    }

    fn stations(&self) -> Vec<Station> {
        self.boards.iter().map(|board| board.station).collect()
    }
}
