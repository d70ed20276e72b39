//! What is asked of a board once before it is merely watched: its version, its name, its registers,
//! one question at a time. Not the polling, and nothing here decides when the line is free.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;

use crate::frame::{Answer, Command};

/// How long an answer is waited for.
pub const ANSWER_WAIT: Duration = Duration::from_millis(700);

/// How often a question is put before it is left.
const TRIES: u8 = 3;

/// Registers 00 to 04; the last two are read only so that a record shows how a board was set.
const REGISTERS: usize = 5;

/// Register 02: what the board reports unasked.
const REPORTS: usize = 2;

/// Register 02, lowest three bits: a report after every scan that saw a change.
const ON_CHANGE: u8 = 3;

/// One pass through the questions.
#[derive(Debug, Default, Encode, Decode)]
pub struct Setup {
    step: Step,
    /// When the question of this step was last put.
    asked: Option<Moment>,
    tries: u8,
    /// The board has been recognised: questions need no longer be repeated for ever.
    known: bool,
    registers: [Option<u8>; REGISTERS],
    /// Registers written already, answered or not: none is written twice.
    written: [bool; REGISTERS],
}

#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
enum Step {
    #[default]
    Version,
    Name,
    Read(u8),
    Write {
        address: u8,
        value: u8,
    },
    /// Nothing said that the register was written: look.
    Confirm(u8),
    Done,
}

impl Setup {
    /// The same questions again, to a board that may have lost its power; what has been written in
    /// this conversation is still not written again.
    pub fn again(&mut self) {
        *self = Self { written: self.written, ..Self::default() };
    }

    /// The board has been recognised.
    pub fn known(&mut self) {
        self.known = true;
    }

    /// The next question and the earliest moment for it.
    pub fn question(&self) -> Option<(Moment, Command)> {
        let command = match self.step {
            Step::Version => Command::Version,
            Step::Name => Command::Name,
            Step::Read(address) | Step::Confirm(address) => Command::Read { address },
            Step::Write { address, value } => Command::Write { address, value },
            Step::Done => return None,
        };
        Some((self.asked.map_or(Moment::ZERO, |at| at + ANSWER_WAIT), command))
    }

    /// The question has been put.
    pub fn asked(&mut self, now: Moment) {
        self.asked = Some(now);
        self.tries = self.tries.saturating_add(u8::from(self.known));
        if let Step::Write { address, .. } = self.step
            && let Some(written) = self.written.get_mut(usize::from(address))
        {
            *written = true;
        }
    }

    /// Time has passed: a question put often enough is left.
    pub fn pass(&mut self, now: Moment) {
        let tries = if matches!(self.step, Step::Write { .. }) { 1 } else { TRIES };
        if self.tries < tries || self.asked.is_none_or(|at| now < at + ANSWER_WAIT) {
            return;
        }
        self.go(match self.step {
            Step::Version | Step::Name => Step::Read(0),
            Step::Read(_) if self.registers.iter().all(Option::is_none) => Step::Done,
            Step::Read(address) => self.after_reading(address),
            Step::Write { address, .. } => Step::Confirm(address),
            Step::Confirm(_) | Step::Done => self.writing(),
        });
    }

    /// The board has said something.
    pub fn answered(&mut self, answer: &Answer) {
        if let Answer::Register { address, value } | Answer::Written { address, value } = *answer
            && let Some(register) = self.registers.get_mut(usize::from(address))
        {
            *register = Some(value);
        }
        self.go(match (self.step, answer) {
            (Step::Version, Answer::Version(version)) if version.high >= 2 => Step::Name,
            (Step::Version, Answer::Version(_)) | (Step::Name, Answer::Name(_)) => Step::Read(0),
            (Step::Read(wanted), Answer::Register { address, .. }) if wanted == *address => {
                self.after_reading(wanted)
            }
            (Step::Confirm(wanted), Answer::Register { address, .. })
            | (Step::Write { address: wanted, .. }, Answer::Written { address, .. })
                if wanted == *address =>
            {
                self.writing()
            }
            _ => return,
        });
    }

    /// Whether the board is known to report every change by itself.
    pub fn reports_changes(&self) -> bool {
        self.registers[REPORTS].is_some_and(|value| value & 7 == ON_CHANGE)
    }

    fn go(&mut self, step: Step) {
        self.step = step;
        self.asked = None;
        self.tries = 0;
    }

    fn after_reading(&self, address: u8) -> Step {
        let next = address.saturating_add(1);
        if usize::from(next) < REGISTERS { Step::Read(next) } else { self.writing() }
    }

    /// The first register that is known to hold something else than it should.
    fn writing(&self) -> Step {
        (0u8..)
            .zip(self.registers.iter().zip(self.written))
            .filter(|(_, (_, written))| !written)
            .find_map(|(address, (register, _))| {
                let value = wanted(address, (*register)?)?;
                Some(Step::Write { address, value })
            })
            .unwrap_or(Step::Done)
    }
}

/// What a register should hold instead of what was found in it; `None`: let it be.
fn wanted(address: u8, found: u8) -> Option<u8> {
    match address {
        0 if found & 1 == 1 => Some(found & !1), // The block check, switched off.
        1 if found < 15 => Some(20),             // Scan time; such values count as 20 anyway.
        2 if found & 7 != ON_CHANGE => Some(ON_CHANGE),
        _ => None,
    }
}
