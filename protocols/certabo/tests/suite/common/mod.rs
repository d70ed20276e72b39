//! A conversation and an emulated board on a line without noise, in virtual time, and the frames
//! in `captures/`. No serial port.
use std::time::Duration;

use certabo::frame::{Message, Tag, Tags};
use eboard::{
    Anomaly, Change, Conversation, Emulator, Input, Moment, Occupancy, Output, Piece, Placement,
    Said, Sighting, Square, Stimulus,
};

pub const WEAK: &str = include_str!("../../../captures/weak-reader.txt");
pub const GOOD: &str = include_str!("../../../captures/good-reader.txt");

pub struct Line {
    pub now: Moment,
    pub device: Box<dyn Conversation>,
    pub board: Box<dyn Emulator>,
    pub seen: Vec<(Moment, Sighting)>,
    pub noise: Vec<Anomaly>,
    /// Nothing gets through.
    pub cut: bool,
}

impl Line {
    pub fn opened(device: Box<dyn Conversation>, board: Box<dyn Emulator>) -> Self {
        let (seen, noise) = (Vec::new(), Vec::new());
        let now = Moment::from_micros(1_000_000);
        let mut line = Self { now, device, board, seen, noise, cut: false };
        line.tell(Input::Opened);
        line
    }

    pub fn tell(&mut self, input: Input<'_>) {
        let mut out = Vec::new();
        self.device.handle(self.now, input, &mut out);
        for output in out {
            match output {
                Output::Send(bytes) => panic!("nothing is ever sent: {bytes:02x?}"),
                Output::Saw(_, sighting) => self.seen.push((self.now, sighting)),
                Output::Noise(anomaly) => self.noise.push(anomaly),
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

    pub fn put(&mut self, square: &str, piece: Option<Piece>) {
        self.happen(Change::Square { square: named(square), piece }.here());
    }

    pub fn run(&mut self, ms: u64) {
        let end = self.now + Duration::from_millis(ms);
        loop {
            let device = self.device.deadline().map(|(at, _)| at);
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
        }
        self.now = end;
    }

    pub fn count(&self, matches: fn(&Sighting) -> bool) -> usize {
        self.seen.iter().filter(|(_, sighting)| matches(sighting)).count()
    }

    pub fn picture(&self) -> Option<Placement> {
        picture(self.seen.iter().map(|(_, sighting)| sighting))
    }

    pub fn occupancy(&self) -> Option<Occupancy> {
        self.seen.iter().fold(None, |picture, (_, sighting)| match *sighting {
            Sighting::Occupancy(occupancy) => Some(occupancy),
            Sighting::Presence { square, occupied } => picture.map(|mut it: Occupancy| {
                it.set(square, occupied);
                it
            }),
            _ => picture,
        })
    }
}

pub fn picture<'a>(seen: impl IntoIterator<Item = &'a Sighting>) -> Option<Placement> {
    seen.into_iter().fold(None, |picture, sighting| match *sighting {
        Sighting::Position(placement) => Some(placement),
        Sighting::Square { square, piece } => picture.map(|mut it: Placement| {
            it[square] = piece;
            it
        }),
        _ => picture,
    })
}

pub fn named(name: &str) -> Square {
    Square::all().find(|square| square.to_string() == name).expect("a square of the board")
}

pub fn at<'a>(tags: &'a mut Tags, name: &str) -> &'a mut Tag {
    &mut tags[usize::from(named(name).index())]
}

pub fn home() -> Vec<Square> {
    Square::all().filter(|square| !(2..6).contains(&square.rank())).collect()
}

/// A set of 32 men at home, with tags that differ from those of every other `set`.
pub fn set_up(set: u8) -> Tags {
    let mut tags = [Tag::NONE; 64];
    for square in home() {
        tags[usize::from(square.index())] = Tag([48, 0, 248, set, square.index() + 1]);
    }
    tags
}

/// Tells a conversation these frames, and gives what it sees.
pub fn hear(device: &mut dyn Conversation, frames: &[Tags]) -> Vec<Sighting> {
    let mut out = Vec::new();
    for frame in frames {
        let bytes = Message::Tags(Box::new(*frame)).encode();
        device.handle(Moment::ZERO, Input::Bytes(&bytes), &mut out);
    }
    sightings(out)
}

pub fn sightings(out: Vec<Output>) -> Vec<Sighting> {
    let saw = |output| match output {
        Output::Saw(_, sighting) => Some(sighting),
        Output::Send(_) | Output::Noise(_) => None,
    };
    out.into_iter().filter_map(saw).collect()
}

/// The frames of a capture.
pub fn capture(text: &str) -> Vec<Tags> {
    let mut men = [Tag::NONE; 64];
    let mut frames = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let kind = words.next().expect("a line has words");
        if kind == "men" {
            for (square, word) in home().into_iter().zip(words) {
                men[usize::from(square.index())] = tag(word);
            }
            continue;
        }
        assert_eq!(kind, "frame");
        let mut frame = men;
        for word in words {
            let (square, id) = word.split_once('=').expect("square=id");
            *at(&mut frame, square) = tag(id);
        }
        frames.push(frame);
    }
    frames
}

fn tag(word: &str) -> Tag {
    let number = u64::from_str_radix(word, 16).expect("hexadecimal digits");
    let [_, _, _, id @ ..] = number.to_be_bytes();
    Tag(id)
}
