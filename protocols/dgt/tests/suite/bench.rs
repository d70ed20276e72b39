//! A host and a virtual board on a table of virtual time. Not a test itself.

use std::time::Duration;

use dgt::{Host, VirtualBoard};
use eboard::{
    Conversation, Emulator, Identity, Input, Moment, Output, Said, Sighting, Station, Stimulus,
};

/// A host and a board joined by a wire that takes no time.
pub struct Bench {
    pub now: Moment,
    pub host: Host,
    pub board: VirtualBoard,
    /// The wire is in place.
    pub joined: bool,
    /// Everything the host wrote, and when.
    pub sent: Vec<(Moment, u8)>,
    /// Everything the host saw.
    pub seen: Vec<(Moment, Sighting)>,
    /// How many anomalies it heard.
    pub noise: usize,
}

impl Bench {
    pub fn new() -> Self {
        Self {
            now: Moment::from_micros(1_000_000),
            host: Host::new(),
            board: VirtualBoard::new(),
            joined: true,
            sent: Vec::new(),
            seen: Vec::new(),
            noise: 0,
        }
    }

    /// A bench on which the handshake is over.
    pub fn ready() -> Self {
        let mut bench = Self::new();
        bench.input(Input::Opened);
        bench.run(Duration::from_secs(2));
        bench
    }

    /// Lets time pass; whoever has a deadline in it is woken at it.
    pub fn run(&mut self, span: Duration) {
        let end = self.now + span;
        loop {
            let host = Conversation::deadline(&self.host).map(|(at, _)| at);
            let board = self.board.deadline().map(|(at, _)| at);
            match host.into_iter().chain(board).min().filter(|&at| at <= end) {
                Some(at) => self.now = self.now.max(at),
                None => break,
            }
            self.stimulus(Stimulus::Due);
            self.input(Input::Due);
        }
        self.now = end;
    }

    pub fn stimulus(&mut self, stimulus: Stimulus<'_>) {
        let mut bytes = Said::default();
        self.board.handle(self.now, stimulus, &mut bytes);
        let bytes = bytes.bytes();
        if self.joined && !bytes.is_empty() {
            self.input(Input::Bytes(&bytes));
        }
    }

    pub fn input(&mut self, input: Input<'_>) {
        let mut outputs = Vec::new();
        Conversation::handle(&mut self.host, self.now, input, &mut outputs);
        for output in outputs {
            match output {
                Output::Send(bytes) => {
                    self.sent.extend(bytes.iter().map(|&byte| (self.now, byte)));
                    if self.joined {
                        self.stimulus(Stimulus::Host(&bytes));
                    }
                }
                Output::Saw(station, sighting) => {
                    assert_eq!(station, Station::ONLY);
                    self.seen.push((self.now, sighting));
                }
                Output::Noise(_) => self.noise += 1,
            }
        }
    }

    /// Forgets what was sent and seen so far.
    pub fn forget(&mut self) {
        self.sent.clear();
        self.seen.clear();
    }

    pub fn sent_bytes(&self) -> Vec<u8> {
        self.sent.iter().map(|&(_, byte)| byte).collect()
    }

    /// When this byte was written.
    pub fn times_sent(&self, wanted: u8) -> Vec<Moment> {
        self.sent.iter().filter(|(_, byte)| *byte == wanted).map(|&(at, _)| at).collect()
    }

    pub fn identities(&self) -> Vec<&Identity> {
        self.seen
            .iter()
            .filter_map(|(_, sighting)| match sighting {
                Sighting::Identified(identity) => Some(identity),
                _ => None,
            })
            .collect()
    }

    pub fn saw(&self, wanted: impl Fn(&Sighting) -> bool) -> usize {
        self.seen.iter().filter(|(_, sighting)| wanted(sighting)).count()
    }
}
