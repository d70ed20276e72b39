//! A device and an emulated board on a line without delay, in virtual time. No serial port.

use std::time::Duration;

use chesslink::frame::{Command, Request};
use chesslink::{Board, ChessLink, Decoder};
use eboard::{
    Change, Conversation, Emulator, Input, Moment, Output, Piece, Placement, Said, Sighting,
    Square, Stimulus,
};

/// Whether bytes get through, by what they are.
pub type Filter = fn(&Request) -> bool;

pub struct Line {
    pub now: Moment,
    pub device: ChessLink,
    pub board: Board,
    pub seen: Vec<(Moment, Sighting)>,
    pub sent: Vec<(Moment, Request)>,
    /// Which of the host's messages reach the board.
    pub passes: Filter,
    /// Nothing gets through, either way.
    pub cut: bool,
    requests: Decoder<Request>,
}

impl Line {
    pub fn new(board: Board) -> Self {
        Self {
            now: Moment::from_micros(1_000_000),
            device: ChessLink::default(),
            board,
            seen: Vec::new(),
            sent: Vec::new(),
            passes: |_| true,
            cut: false,
            requests: Decoder::default(),
        }
    }

    pub fn opened(board: Board) -> Self {
        let mut line = Self::new(board);
        line.tell(Input::Opened);
        line
    }

    /// An opened line whose setup is over.
    pub fn settled(board: Board) -> Self {
        let mut line = Self::opened(board);
        line.run(Duration::from_secs(8));
        line
    }

    pub fn tell(&mut self, input: Input<'_>) {
        let mut out = Vec::new();
        Conversation::handle(&mut self.device, self.now, input, &mut out);
        for output in out {
            match output {
                Output::Send(bytes) => self.carry(&bytes),
                Output::Saw(_, sighting) => self.seen.push((self.now, sighting)),
                Output::Noise(_) => {}
            }
        }
    }

    pub fn happen(&mut self, stimulus: Stimulus<'_>) {
        let mut bytes = Said::default();
        self.board.handle(self.now, stimulus, &mut bytes);
        let bytes = bytes.bytes();
        if !bytes.is_empty() && !self.cut {
            self.tell(Input::Bytes(&bytes));
        }
    }

    pub fn put(&mut self, square: u8, piece: Option<Piece>) {
        self.happen(
            Change::Square { square: Square::new(square).expect("below 64"), piece }.here(),
        );
    }

    /// Lets this much time pass, waking both sides when they want to be woken.
    pub fn run(&mut self, span: Duration) {
        let end = self.now + span;
        let mut wakings = 0;
        loop {
            let device = Conversation::deadline(&self.device).map(|(at, _)| at);
            let board = self.board.deadline().map(|(at, _)| at);
            let Some(next) = device.into_iter().chain(board).min().filter(|at| *at <= end) else {
                break;
            };
            self.now = self.now.max(next);
            if board == Some(next) {
                self.happen(Stimulus::Due);
            } else {
                self.tell(Input::Due);
            }
            wakings += 1;
            assert!(wakings < 100 * (1 + span.as_secs()), "woken again and again at {next:?}");
        }
        self.now = end;
    }

    pub fn positions(&self) -> Vec<Placement> {
        let position = |it: &(Moment, Sighting)| match it.1 {
            Sighting::Position(placement) => Some(placement),
            _ => None,
        };
        self.seen.iter().filter_map(position).collect()
    }

    pub fn count(&self, matches: fn(&Sighting) -> bool) -> usize {
        self.seen.iter().filter(|(_, sighting)| matches(sighting)).count()
    }

    pub fn writes(&self) -> Vec<(u8, u8)> {
        let write = |it: &(Moment, Request)| match it.1 {
            Request::Command(Command::Write { address, value }) => Some((address, value)),
            _ => None,
        };
        self.sent.iter().filter_map(write).collect()
    }

    fn carry(&mut self, bytes: &[u8]) {
        for request in self.requests.feed(bytes) {
            let request = request.expect("the device sends only well-formed messages");
            self.sent.push((self.now, request));
            if (self.passes)(&request) && !self.cut {
                self.happen(Stimulus::Host(bytes));
            }
        }
    }
}
