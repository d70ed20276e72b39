//! A board and a clock that show what they are made to show, and nothing else.

use std::time::Duration;

use eboard::{ClockFace, Dial, FaceTime, FlagMark, Moment, Placement, Side, Sighting};
use shakmaty::Color;
use witness::{Effect, Incident, Settings, Table};

use super::{Doors as _, Record, play_with, raised};

pub fn under(control: &str) -> Settings {
    Settings { control: Some(control.parse().unwrap()), ..Settings::default() }
}

/// Plays a script on a clock set to `clock` where the time control is `control`.
pub fn played(control: &str, clock: &str, script: &str) -> Record {
    play_with(&format!("# time_control: {clock}\n{script}"), under(control))
}

pub fn kinds(control: &str, clock: &str, script: &str) -> Vec<&'static str> {
    played(control, clock, script).kinds()
}

/// A board that rests while a clock shows what it is made to show.
pub struct Desk {
    pub table: Table,
    pub now: Moment,
    pub effects: Vec<(Moment, Effect)>,
}

impl Desk {
    /// The pieces stand, and White has the clock on his left.
    pub fn new(control: &str) -> Self {
        Self::under(under(control))
    }

    pub fn under(settings: Settings) -> Self {
        let table = Table::new(settings);
        let mut desk = Self { table, now: Moment::ZERO, effects: Vec::new() };
        let mut out = Vec::new();
        desk.table.line(desk.now, true, &mut out);
        desk.sight(Sighting::Position(Placement::starting()));
        desk.wait(1.0);
        desk
    }

    /// One move each is asked for in a minute, and made; White is about to have used his.
    pub fn at_the_end_of_a_period() -> Self {
        let mut desk = Self::new("1/60:1800");
        desk.shows(60, 60, None).shows(60, 60, W);
        desk.moves("e2", "e4", eboard::Piece::WhitePawn).shows(58, 60, B);
        desk.moves("e7", "e5", eboard::Piece::BlackPawn).shows(58, 58, W).counts(57, 58, 56);
        desk
    }

    /// Both have these many seconds, and White's time has counted for three of them.
    pub fn started(control: &str, seconds: u32) -> Self {
        let mut desk = Self::new(control);
        desk.shows(seconds, seconds, None).counts(seconds, seconds, 3);
        desk
    }

    pub fn sight(&mut self, sighting: Sighting) {
        let mut out = Vec::new();
        self.table.sight(self.now, sighting, &mut out);
        self.effects.extend(out.into_iter().map(|effect| (self.now, effect)));
    }

    pub fn wait(&mut self, seconds: f64) -> &mut Self {
        let until = self.now + Duration::from_secs_f64(seconds);
        let mut out = Vec::new();
        while let Some((at, _)) = self.table.deadline().filter(|(at, _)| *at <= until) {
            self.table.due(at, &mut out);
            self.effects.extend(out.drain(..).map(|effect| (at, effect)));
        }
        self.now = until;
        self
    }

    /// A second later the clock shows this.
    pub fn shows(&mut self, white: u32, black: u32, counts: Option<Color>) -> &mut Self {
        self.marked(white, black, counts, FlagMark::None)
    }

    /// The same, with this sign on White's side.
    pub fn marked(
        &mut self,
        white: u32,
        black: u32,
        counts: Option<Color>,
        flag: FlagMark,
    ) -> &mut Self {
        self.wait(1.0);
        self.reads(white, black, counts, flag)
    }

    /// The same at once.
    pub fn reads(
        &mut self,
        white: u32,
        black: u32,
        counts: Option<Color>,
        flag: FlagMark,
    ) -> &mut Self {
        let dial = |s| Dial { time: FaceTime::from_ms(s * 1000), ..Dial::default() };
        let lever = if counts == Some(Color::Black) { Side::Right } else { Side::Left };
        let face = ClockFace {
            left: Dial { flag, ..dial(white) },
            right: dial(black),
            running: counts.is_some(),
            lever,
            low_battery: false,
        };
        self.sight(Sighting::Clock(face));
        self
    }

    /// White's time counts down from here, second by second.
    pub fn counts(&mut self, white: u32, black: u32, seconds: u32) -> &mut Self {
        for passed in 0..=seconds {
            self.shows(white - passed, black, W);
        }
        self
    }

    pub fn moves(&mut self, from: &str, to: &str, piece: eboard::Piece) -> &mut Self {
        let square = |name: &str| {
            let name = name.as_bytes();
            eboard::Square::at(name[0] - b'a', name[1] - b'1').unwrap()
        };
        self.sight(Sighting::Square { square: square(from), piece: None });
        self.wait(0.3);
        self.sight(Sighting::Square { square: square(to), piece: Some(piece) });
        self
    }

    pub fn raised(&self) -> Vec<&Incident> {
        raised(&self.effects)
    }

    pub fn kinds(&self) -> Vec<&'static str> {
        self.raised().iter().map(|incident| incident.kind.name()).collect()
    }
}

pub const W: Option<Color> = Some(Color::White);
pub const B: Option<Color> = Some(Color::Black);
pub const OPENING: &str = "e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v |";
