//! A gesture script as a recording: hands over a virtual DGT board, as its driver would hear them.

use std::time::Duration;

use eboard::{Conversation, Emulator, Input, Moment, Output, Stimulus};
use rehearsal::{Happening, Script};
use serde_json::json;

use crate::entry::{Entry, Request};
use crate::journal::Record;

/// By then the board has been seen; the clock starts a little later.
const KNOWN: Duration = Duration::from_millis(950);

/// The entries a daemon would have made of this script, on this line and table.
pub fn entries(script: &Script, line: u32, table: u32) -> Vec<Record> {
    let mut room = Room {
        board: (dgt::DRIVER.emulate)(),
        driver: (dgt::DRIVER.converse)(),
        line,
        heard: Vec::new(),
    };
    room.drive(Moment::ZERO, Input::Opened);
    let mut happenings = script.play().into_iter().peekable();
    let end = script.end();
    loop {
        let coming = happenings.peek().map(|(at, _)| *at);
        let due = room.deadline().filter(|at| coming.is_none_or(|coming| *at < coming));
        match due {
            Some(at) if at > end => break,
            Some(at) => room.wake(at),
            None => match happenings.next() {
                Some((at, happening)) => room.happen(at, &happening),
                None => break,
            },
        }
    }
    if let Some(fen) = &script.header().fen {
        let body = json!({"table": table, "fen": fen});
        let request = Request { verb: "set_position".into(), body, by: "script".into() };
        let place = room.heard.partition_point(|(at, _)| *at < Moment::ZERO + KNOWN);
        room.heard.insert(place, (Moment::ZERO + KNOWN, Entry::Request(request)));
    }
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

    fn happen(&mut self, now: Moment, happening: &Happening) {
        self.feel(now, happening.stimulus());
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
