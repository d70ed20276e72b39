//! A device and its emulated board on a line without delay, in virtual time. Taken in by the tests
//! of those drivers that have one board on a line and nothing between; knows no language.

#![allow(dead_code, reason = "each driver's tests use their own part")]

use std::time::Duration;

use eboard::{
    Change, Conversation, Emulator, Input, Moment, Output, Said, Sighting, Square, Stimulus,
};

pub struct Line<D, B> {
    pub now: Moment,
    pub device: D,
    pub board: B,
    pub seen: Vec<(Moment, Sighting)>,
    /// What the device wrote.
    pub sent: Vec<(Moment, Vec<u8>)>,
    /// Nothing gets through, either way.
    pub cut: bool,
}

impl<D: Conversation + Default, B: Emulator + Default> Line<D, B> {
    pub fn opened() -> Self {
        let mut line = Self {
            now: Moment::from_micros(1_000_000),
            device: D::default(),
            board: B::default(),
            seen: Vec::new(),
            sent: Vec::new(),
            cut: false,
        };
        line.tell(Input::Opened);
        line
    }

    /// The same after the board was recognised.
    pub fn settled() -> Self {
        let mut line = Self::opened();
        line.run(Duration::from_secs(3));
        line
    }

    pub fn tell(&mut self, input: Input<'_>) {
        let mut out = Vec::new();
        self.device.handle(self.now, input, &mut out);
        for output in out {
            match output {
                Output::Send(bytes) => {
                    if !self.cut {
                        self.happen(Stimulus::Host(&bytes));
                    }
                    self.sent.push((self.now, bytes));
                }
                Output::Saw(_, sighting) => self.seen.push((self.now, sighting)),
                Output::Noise(_) => {}
            }
        }
    }

    pub fn happen(&mut self, stimulus: Stimulus<'_>) {
        let mut said = Said::default();
        self.board.handle(self.now, stimulus, &mut said);
        for bytes in said.writes().filter(|_| !self.cut).collect::<Vec<_>>() {
            self.tell(Input::Bytes(&bytes));
        }
    }

    pub fn lift(&mut self, square: u8) {
        let square = Square::new(square).expect("below 64");
        self.happen(Change::Square { square, piece: None }.here());
    }

    pub fn run(&mut self, span: Duration) {
        let end = self.now + span;
        loop {
            let device = self.device.deadline().map(|(at, _)| at);
            let board = self.board.deadline().map(|(at, _)| at);
            let next = device.into_iter().chain(board).min().filter(|at| *at <= end);
            let Some(next) = next else { break };
            self.now = self.now.max(next);
            if board == Some(next) {
                self.happen(Stimulus::Due);
            } else {
                self.tell(Input::Due);
            }
        }
        self.now = end;
    }
}
