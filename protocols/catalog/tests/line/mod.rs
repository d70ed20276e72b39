//! A conversation and emulated boards on a line without delay, in virtual time: where a language is
//! that of a bus, several. No serial port, no knowledge of any language.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use eboard::{
    Change, ClockFace, Conversation, Dial, Driver, Emulator, Identity, Input, Moment, Occupancy,
    Output, Placement, Said, Senses, Side, Sighting, Station, Stimulus,
};

/// Who is on a line on which several can be; any other line takes the first.
const SERIALS: [&str; 3] = ["00101", "00102", "00103"];

/// More wakings than this in one second of virtual time are a machine running wild.
const WAKINGS_PER_S: u64 = 200;

/// Families whose clocks show times, whose half counts and whether it does, and nothing else.
const TIMES_ONLY: [&str; 1] = ["hos"];

/// What entered a conversation.
#[derive(Clone, Debug)]
pub enum Entry {
    Opened,
    Bytes(Vec<u8>),
    Due,
    Survey(Station),
}

impl Entry {
    pub fn as_input(&self) -> Input<'_> {
        match self {
            Self::Opened => Input::Opened,
            Self::Bytes(bytes) => Input::Bytes(bytes),
            Self::Due => Input::Due,
            Self::Survey(station) => Input::Survey(*station),
        }
    }
}

/// What a board shows, as far as its kind can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Pieces(Placement),
    Occupied(Occupancy),
}

impl Shown {
    /// What boards of this family show of these pieces.
    pub fn by(driver: &Driver, placement: Placement) -> Self {
        match driver.senses {
            Senses::Identity => Self::Pieces(placement),
            Senses::Occupancy => Self::Occupied(placement.occupancy()),
            Senses::Nothing => unreachable!("{driver:?} has no squares"),
        }
    }
}

/// What a clock of this family shows of these dials. One that is no DGT clock may have nothing but
/// its times, and show nothing where both are zero.
pub fn dials(driver: &Driver, face: Option<ClockFace>) -> Option<ClockFace> {
    if !TIMES_ONLY.contains(&driver.family) {
        return face;
    }
    let bare = |dial: Dial| Dial { time: dial.time, ..Dial::default() };
    let face = face.map(|face| ClockFace {
        left: bare(face.left),
        right: bare(face.right),
        low_battery: false,
        ..face
    });
    face.filter(|face| face.left != face.right || face.left != Dial::default())
}

pub struct Line {
    pub now: Moment,
    pub conversation: Box<dyn Conversation>,
    pub board: Box<dyn Emulator>,
    pub record: Vec<(Moment, Entry)>,
    pub seen: Vec<(Station, Sighting)>,
    /// What the host sent.
    pub said: Vec<u8>,
    /// When it sent how much.
    pub sent: Vec<(Moment, usize)>,
    /// Where there are boards.
    pub stations: Vec<Station>,
    /// Nothing gets through, either way.
    pub cut: bool,
    /// What each board was last set to, as a whole.
    pub truth: BTreeMap<Station, Placement>,
    /// Put before what the board says next, one at a time: on HID a report of its own.
    pub noise: VecDeque<Vec<u8>>,
    /// After so many inputs the conversation is kept and read again.
    pub kept_every: Option<usize>,
    driver: &'static Driver,
}

impl Line {
    /// A line that has just been opened.
    pub fn opened(driver: &'static Driver) -> Self {
        let mut board = (driver.emulate)();
        board.set_serials(&SERIALS);
        let ends = ((driver.converse)(), board);
        Self::between(driver, ends, Moment::from_micros(1_000_000))
    }

    /// The same with both ends given.
    pub fn between(
        driver: &'static Driver,
        (conversation, board): (Box<dyn Conversation>, Box<dyn Emulator>),
        now: Moment,
    ) -> Self {
        let stations = board.stations();
        assert!(!stations.is_empty(), "{driver:?} emulates nobody");
        let mut line = Self {
            now,
            conversation,
            board,
            record: Vec::new(),
            seen: Vec::new(),
            said: Vec::new(),
            sent: Vec::new(),
            stations,
            cut: false,
            truth: BTreeMap::new(),
            noise: VecDeque::new(),
            kept_every: None,
            driver,
        };
        line.tell(Entry::Opened);
        line
    }

    pub fn tell(&mut self, entry: Entry) {
        let mut out = Vec::new();
        self.conversation.handle(self.now, entry.as_input(), &mut out);
        self.record.push((self.now, entry));
        self.keep();
        for output in out {
            match output {
                Output::Send(bytes) if self.cut => self.sent.push((self.now, bytes.len())),
                Output::Send(bytes) => {
                    self.said.extend(&bytes);
                    self.sent.push((self.now, bytes.len()));
                    self.happen(Stimulus::Host(&bytes));
                }
                Output::Saw(station, sighting) => {
                    let there = self.stations.contains(&station);
                    assert!(there, "nobody is at {station:?}: {sighting:?}");
                    self.seen.push((station, sighting));
                }
                Output::Noise(_) => {}
            }
        }
    }

    /// Now and then it goes on as one that was kept and read again.
    fn keep(&mut self) {
        let due = self.kept_every.is_some_and(|every| self.record.len().is_multiple_of(every));
        if due {
            let kept = self.conversation.save().expect("it can be kept");
            self.conversation = (self.driver.restore)(&kept).expect("it can be read");
        }
    }

    pub fn happen(&mut self, stimulus: Stimulus<'_>) {
        if let Stimulus::At(station, Change::Board(placement)) = stimulus {
            self.truth.insert(station, *placement);
        }
        let mut said = Said::default();
        self.board.handle(self.now, stimulus, &mut said);
        if said.is_empty() || self.cut {
            return;
        }
        if self.driver.settings().is_none() {
            let noise = self.noise.pop_front();
            let reports = noise.into_iter().chain(said.writes());
            return reports.for_each(|report| self.tell(Entry::Bytes(report)));
        }
        let mut bytes = self.noise.pop_front().unwrap_or_default();
        bytes.extend(said.bytes());
        self.tell(Entry::Bytes(bytes));
    }

    pub fn run(&mut self, span: Duration) {
        let end = self.now + span;
        let mut wakings = 0;
        loop {
            let host = self.conversation.deadline().map(|(at, _)| at);
            let board = self.board.deadline().map(|(at, _)| at);
            let Some(next) = host.into_iter().chain(board).min().filter(|at| *at <= end) else {
                break;
            };
            self.now = self.now.max(next);
            match board == Some(next) {
                true => self.happen(Stimulus::Due),
                false => self.tell(Entry::Due),
            }
            wakings += 1;
            let most = WAKINGS_PER_S * (span.as_secs() + 1);
            assert!(wakings < most, "woken without end at {next:?}");
        }
        self.now = end;
    }

    /// Asks what stands on every board, and gives them time to answer.
    pub fn survey(&mut self) {
        for station in self.stations.clone() {
            self.tell(Entry::Survey(station));
        }
        self.run(Duration::from_secs(3));
    }

    /// The first board, or the only one.
    pub fn first(&self) -> Station {
        self.stations[0]
    }

    /// The first board as it appears from all that was seen.
    pub fn picture(&self) -> Option<Shown> {
        self.picture_of(self.first())
    }

    /// What was seen of this board.
    pub fn seen_of(&self, station: Station) -> impl DoubleEndedIterator<Item = &Sighting> {
        self.seen.iter().filter(move |(it, _)| *it == station).map(|(_, sighting)| sighting)
    }

    /// This board as it appears from all that was seen.
    pub fn picture_of(&self, station: Station) -> Option<Shown> {
        let mut picture = None;
        for sighting in self.seen_of(station) {
            match (sighting.clone(), &mut picture) {
                (Sighting::Position(placement), _) => picture = Some(Shown::Pieces(placement)),
                (Sighting::Occupancy(whole), _) => picture = Some(Shown::Occupied(whole)),
                (Sighting::Square { square, piece }, Some(Shown::Pieces(placement))) => {
                    placement[square] = piece;
                }
                (Sighting::Presence { square, occupied }, Some(Shown::Occupied(whole))) => {
                    whole.set(square, occupied);
                }
                _ => {}
            }
        }
        picture
    }

    /// The clock of this board as last seen.
    pub fn clock_of(&self, station: Station) -> Option<ClockFace> {
        self.seen_of(station).rev().find_map(|sighting| match sighting {
            Sighting::Clock(face) => Some(Some(*face)),
            Sighting::ClockLost => Some(None),
            _ => None,
        })?
    }

    /// Which half has the move, as last seen on a clock that tells no more.
    pub fn lever(&self) -> Option<Side> {
        self.seen_of(self.first()).rev().find_map(|sighting| match sighting {
            Sighting::Lever(side) => Some(*side),
            _ => None,
        })
    }

    /// Everything said about who is there.
    pub fn identities(&self) -> Vec<Identity> {
        let identity = |(_, it): &(Station, Sighting)| match it {
            Sighting::Identified(identity) => Some(identity.clone()),
            _ => None,
        };
        self.seen.iter().filter_map(identity).collect()
    }

    /// How often this board was called silent.
    pub fn silences(&self, station: Station) -> usize {
        self.seen_of(station).filter(|it| **it == Sighting::Silent).count()
    }

    /// All bytes the conversation was given, as one stream.
    pub fn bytes(&self) -> Vec<u8> {
        let bytes = self.record.iter().filter_map(|(_, entry)| match entry {
            Entry::Bytes(bytes) => Some(bytes.clone()),
            _ => None,
        });
        bytes.flatten().collect()
    }
}

/// What a fresh conversation sees of a record.
pub fn replay<'a>(
    driver: &Driver,
    record: impl IntoIterator<Item = (Moment, Input<'a>)>,
) -> Vec<Output> {
    let mut conversation = (driver.converse)();
    let mut out = Vec::new();
    for (now, input) in record {
        conversation.handle(now, input, &mut out);
    }
    out
}

/// Only the claims.
pub fn sightings(outputs: Vec<Output>) -> Vec<(Station, Sighting)> {
    let saw = |output| match output {
        Output::Saw(station, sighting) => Some((station, sighting)),
        Output::Send(_) | Output::Noise(_) => None,
    };
    outputs.into_iter().filter_map(saw).collect()
}

/// Cuts bytes at these places, wherever they fall.
pub fn cut<'a>(bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|at| at % (bytes.len() + 1)).collect();
    cuts.extend([0, bytes.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}
