//! A host and a bus of virtual boards on a table of virtual time. Not a test itself.

use std::time::Duration;

use dgt::{BusHost, VirtualBus};
use eboard::{
    Change, Conversation, Emulator, Input, Moment, Output, Piece, Placement, Said, Sighting,
    Square, Station, Stimulus,
};

/// A host and boards joined by one cable.
pub struct BusBench {
    pub now: Moment,
    pub host: BusHost,
    pub bus: VirtualBus,
    /// Every question the host wrote, and when.
    pub sent: Vec<(Moment, Vec<u8>)>,
    /// Everything the host saw, and when.
    pub seen: Vec<(Moment, Station, Sighting)>,
    /// All bytes the host was given, and when.
    pub heard: Vec<(Moment, Vec<u8>)>,
    /// How many anomalies it heard.
    pub noise: usize,
}

impl BusBench {
    /// A line just opened with boards of these numbers.
    pub fn opened(serials: &[&str]) -> Self {
        let mut bus = VirtualBus::default();
        bus.set_serials(serials);
        let now = Moment::from_micros(1_000_000);
        let host = BusHost::default();
        let mut bench = Self {
            now,
            host,
            bus,
            sent: Vec::new(),
            seen: Vec::new(),
            heard: Vec::new(),
            noise: 0,
        };
        bench.input(Input::Opened);
        bench
    }

    /// So many boards, all found, the search at rest and nothing seen yet.
    pub fn ready(boards: u16) -> Self {
        let serials: Vec<String> = (1..=boards).map(|number| (number * 37).to_string()).collect();
        let serials: Vec<&str> = serials.iter().map(String::as_str).collect();
        let mut bench = Self::opened(&serials);
        bench.run(Duration::from_secs(25));
        bench.forget();
        bench
    }

    pub fn stations(&self) -> Vec<Station> {
        self.bus.stations()
    }

    /// Lets time pass; whoever has a deadline in it is woken at it.
    pub fn run(&mut self, span: Duration) {
        let end = self.now + span;
        loop {
            let host = Conversation::deadline(&self.host).map(|(at, _)| at);
            let bus = self.bus.deadline().map(|(at, _)| at);
            let Some(next) = host.into_iter().chain(bus).min().filter(|at| *at <= end) else {
                break;
            };
            self.now = self.now.max(next);
            match bus == Some(next) {
                true => self.stimulus(Stimulus::Due),
                false => self.input(Input::Due),
            }
        }
        self.now = end;
    }

    pub fn change(&mut self, station: Station, change: Change<'_>) {
        self.stimulus(change.at(station));
    }

    /// A hand changes a square, by its name.
    pub fn put(&mut self, station: Station, name: &str, piece: Option<Piece>) {
        self.change(station, Change::Square { square: square(name), piece });
    }

    pub fn survey(&mut self, station: Station) {
        self.input(Input::Survey(station));
    }

    pub fn forget(&mut self) {
        self.sent.clear();
        self.seen.clear();
    }

    /// What was seen of a board.
    pub fn seen_of(&self, station: Station) -> Vec<Sighting> {
        let of = self.seen.iter().filter(|(_, it, _)| *it == station);
        of.map(|(.., sighting)| sighting.clone()).collect()
    }

    /// Which squares of a board were seen to change, in order.
    pub fn changes_of(&self, station: Station) -> Vec<(Square, Option<Piece>)> {
        let changes = self.seen_of(station).into_iter().filter_map(|sighting| match sighting {
            Sighting::Square { square, piece } => Some((square, piece)),
            _ => None,
        });
        changes.collect()
    }

    /// What stands on a board by all that was seen.
    pub fn picture_of(&self, station: Station) -> Option<Placement> {
        let mut picture = None;
        for sighting in self.seen_of(station) {
            match (sighting, &mut picture) {
                (Sighting::Position(placement), _) => picture = Some(placement),
                (Sighting::Square { square, piece }, Some(picture)) => picture[square] = piece,
                _ => {}
            }
        }
        picture
    }

    /// How often this first byte was sent to a board.
    pub fn asked(&self, station: Station, code: u8) -> usize {
        let to = |bytes: &[u8]| u16::from(bytes[1]) << 7 | u16::from(bytes[2]);
        let asked = |(_, it): &&(Moment, Vec<u8>)| it[0] == code && to(it) == station.0;
        self.sent.iter().filter(asked).count()
    }

    fn stimulus(&mut self, stimulus: Stimulus<'_>) {
        let mut said = Said::default();
        self.bus.handle(self.now, stimulus, &mut said);
        if !said.is_empty() {
            let bytes = said.bytes();
            self.heard.push((self.now, bytes.clone()));
            self.input(Input::Bytes(&bytes));
        }
    }

    pub fn input(&mut self, input: Input<'_>) {
        let mut outputs = Vec::new();
        Conversation::handle(&mut self.host, self.now, input, &mut outputs);
        for output in outputs {
            match output {
                Output::Send(bytes) => {
                    self.stimulus(Stimulus::Host(&bytes));
                    self.sent.push((self.now, bytes));
                }
                Output::Saw(station, sighting) => self.seen.push((self.now, station, sighting)),
                Output::Noise(_) => self.noise += 1,
            }
        }
    }
}

/// The square of this name.
pub fn square(name: &str) -> Square {
    Square::all().find(|square| square.to_string() == name).expect("a square")
}
