//! A virtual board and the driver that talks to it, in virtual time: what a daemon would have heard
//! while these things happened. No line, no clock, no waiting.

use std::iter::Peekable;

use eboard::{Conversation, Driver, Emulator, Input, Moment, Output, Stimulus};
use rehearsal::Happening;

use crate::entry::Entry;
use crate::journal::Record;

/// The bytes a daemon would have read from a board of this family on this line, up to `end`.
#[must_use]
pub fn heard(
    driver: &Driver,
    happenings: impl IntoIterator<Item = (Moment, Happening)>,
    end: Moment,
    line: u32,
) -> Vec<Record> {
    let (board, driver) = ((driver.emulate)(), (driver.converse)());
    let mut room = Room { board, driver, line, heard: Vec::new() };
    room.drive(Moment::ZERO, Input::Opened);
    let mut happenings = happenings.into_iter().peekable();
    while room.step(&mut happenings, end) {}
    room.heard
}

/// A board, and a driver that talks to it.
struct Room {
    board: Box<dyn Emulator>,
    driver: Box<dyn Conversation>,
    line: u32,
    heard: Vec<Record>,
}

impl Room {
    /// The next thing that happens; false when nothing will until the end.
    fn step(
        &mut self,
        happenings: &mut Peekable<impl Iterator<Item = (Moment, Happening)>>,
        end: Moment,
    ) -> bool {
        let coming = happenings.peek().map(|(at, _)| *at);
        match self.deadline().filter(|at| coming.is_none_or(|coming| *at < coming)) {
            Some(at) if at > end => return false,
            Some(at) => self.wake(at),
            None => match happenings.next() {
                Some((at, happening)) => self.feel(at, happening.stimulus()),
                None => return false,
            },
        }
        true
    }

    fn deadline(&self) -> Option<Moment> {
        let board = self.board.deadline().map(|(at, _)| at);
        board.into_iter().chain(self.driver.deadline().map(|(at, _)| at)).min()
    }

    fn wake(&mut self, now: Moment) {
        if self.board.deadline().is_some_and(|(at, _)| at <= now) {
            self.feel(now, Stimulus::Due);
        }
        if self.driver.deadline().is_some_and(|(at, _)| at <= now) {
            self.drive(now, Input::Due);
        }
    }

    fn feel(&mut self, now: Moment, stimulus: Stimulus<'_>) {
        let mut bytes = Vec::new();
        self.board.handle(now, stimulus, &mut bytes);
        if !bytes.is_empty() {
            self.heard.push((now, Entry::Bytes(self.line, bytes.clone())));
            self.drive(now, Input::Bytes(&bytes));
        }
    }

    fn drive(&mut self, now: Moment, input: Input<'_>) {
        let mut answers = Vec::new();
        self.driver.handle(now, input, &mut answers);
        for answer in answers {
            if let Output::Send(bytes) = answer {
                self.feel(now, Stimulus::Host(&bytes));
            }
        }
    }
}
