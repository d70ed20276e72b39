//! The search for the language of an unknown line, over the whole catalog. A line set to another
//! speed than the board's carries garbage both ways.

use std::time::Duration;

use catalog::DRIVERS;
use eboard::{
    Carrier, Change, Conversation, Driver, Emulator, LineSettings, Moment, Placement, Probe,
    Probed, Reason, Said, Square, Stimulus,
};
use proptest::prelude::*;

use crate::acts::{other_than, teach};
use crate::line::{Entry, Line, Shown};

struct Search {
    probe: Probe,
    /// Whose board it is.
    truth: &'static Driver,
    board: Box<dyn Emulator>,
    settings: Option<LineSettings>,
    /// What the host writes is lost.
    mute: bool,
    now: Moment,
    found: Option<(&'static Driver, Box<dyn Conversation>)>,
}

impl Search {
    fn new(truth: &'static Driver, board: Box<dyn Emulator>, now: Moment) -> Self {
        let probe = Probe::new(now, DRIVERS, truth.emulated_over());
        let settings = probe.settings();
        Self { probe, truth, board, settings, mute: false, now, found: None }
    }

    /// Searches for so long, and has the a1 rook lifted and put back four times a second if `busy`.
    fn run(&mut self, span: Duration, busy: bool) {
        let end = self.now + span;
        let mut hand = self.now;
        while self.found.is_none() {
            let probe = self.probe.deadline().map(|(at, _)| at);
            let board = self.board.deadline().map(|(at, _)| at);
            let hands = busy.then_some(hand);
            let Some(next) = [probe, board, hands].into_iter().flatten().min() else { return };
            if next > end {
                return;
            }
            self.now = self.now.max(next);
            if hands == Some(next) {
                hand = hand + Duration::from_millis(250);
                let square = Square::at(0, 0).expect("a1 exists");
                let up = (hand.as_micros() / 250_000).is_multiple_of(2);
                let piece = Placement::starting()[square].filter(|_| up);
                self.happen(Change::Square { square, piece }.here());
            } else if board == Some(next) {
                self.happen(Stimulus::Due);
            } else {
                let mut out = Vec::new();
                self.probe.due(self.now, &mut out);
                self.follow(out);
            }
        }
    }

    fn happen(&mut self, stimulus: Stimulus<'_>) {
        let mut said = Said::default();
        self.board.handle(self.now, stimulus, &mut said);
        for said in said.writes() {
            if self.found.is_some() {
                return;
            }
            let said = self.carried(said);
            let mut out = Vec::new();
            self.probe.heard(self.now, &said, &mut out);
            self.follow(out);
        }
    }

    fn follow(&mut self, wishes: Vec<Probed>) {
        for wish in wishes {
            match wish {
                Probed::Set(settings) => self.settings = Some(settings),
                Probed::Send(_) if self.mute => {}
                Probed::Send(bytes) => {
                    let bytes = self.carried(bytes);
                    self.happen(Stimulus::Host(&bytes));
                }
                Probed::Found { driver, conversation, .. } => {
                    self.found = Some((driver, conversation));
                }
            }
        }
    }

    fn carried(&self, bytes: Vec<u8>) -> Vec<u8> {
        let garbled = |(at, byte): (usize, u8)| {
            let mixed = (u64::from(byte) + 1)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .wrapping_add(self.now.as_micros() + at as u64)
                .wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed.to_be_bytes()[0]
        };
        let baud = |settings: Option<LineSettings>| settings.map(|it| it.baud);
        match baud(self.settings) == baud(self.truth.settings()) {
            true => bytes,
            false => bytes.into_iter().enumerate().map(garbled).collect(),
        }
    }
}

const START: Moment = Moment::from_micros(3_000_000);

#[test]
fn every_board_is_recognised_as_what_it_is() {
    for driver in probed() {
        let mut search = Search::new(driver, (driver.emulate)(), START);
        search.run(Duration::from_secs(30), false);
        let (found, conversation) = search.found.expect(driver.name);
        assert_eq!(found, driver);
        assert!(search.now.since(START) < one_round(driver), "{driver:?} in the first round");

        let mut line = Line::between(driver, (conversation, search.board), search.now);
        teach(driver, &mut line);
        let board = other_than(Some(Shown::by(driver, Placement::starting())));
        line.happen(Change::Board(&board).here());
        line.run(Duration::from_secs(10));
        line.tell(Entry::Survey(line.first()));
        line.run(Duration::from_secs(3));
        let shown = Some(Shown::by(driver, board));
        assert_eq!(line.picture(), shown, "{driver:?} goes on as if opened by itself");
    }
}

#[test]
fn a_board_is_recognised_within_a_second_where_its_language_is_expected() {
    for driver in probed() {
        let mut search = Search::new(driver, (driver.emulate)(), START);
        search.probe =
            Probe::new(START, DRIVERS, driver.emulated_over()).expecting(START, driver.name);
        search.run(Duration::from_secs(1), false);
        let (found, _) = search.found.expect(driver.name);
        assert_eq!(found, driver);
    }
}

#[test]
fn a_board_that_talks_by_itself_is_recognised_without_being_asked() {
    for driver in probed() {
        let mut before = Line::opened(driver);
        before.run(Duration::from_secs(10));
        let mut search = Search::new(driver, before.board, before.now);
        search.mute = true;
        let start = search.now;
        search.run(Duration::from_secs(60), true);
        let (found, _) = search.found.expect(driver.name);
        assert_eq!(found, driver);
        assert!(search.now.since(start) < one_round(driver), "{driver:?} in the first round");
    }
}

#[test]
fn a_board_that_wakes_up_late_is_recognised_then() {
    for driver in probed() {
        let mut search = Search::new(driver, (driver.emulate)(), START);
        search.mute = true;
        search.run(Duration::from_secs(3600), false);
        if search.found.is_none() {
            search.mute = false;
            search.run(2 * one_round(driver), false);
        }
        assert_eq!(search.found.expect(driver.name).0, driver);
    }
}

/// The two kinds of board in one language differ in nothing but how many numbers a frame has: one
/// whole frame of tags is enough, of the other kind three in a row with nothing wrong between.
#[test]
fn boards_of_tags_and_of_sensors_are_told_apart_by_how_much_they_say() {
    let whole = said_by(&certabo::DRIVER);
    let numbers: Vec<&str> = whole.trim_start_matches(':').split_whitespace().collect();
    let torn = format!(":{} \r\n", numbers[312..].join(" "));
    let ranks = said_by(&certabo::TABUTRONIC);
    assert_eq!((numbers.len(), ranks.split_whitespace().count()), (320, 8));
    let cases: [(&[&str], _); 6] = [
        (&[&whole], Some(&certabo::DRIVER)),
        (&[&torn, &torn, &whole], Some(&certabo::DRIVER)),
        (&[&whole[400..], &torn, &whole], Some(&certabo::DRIVER)),
        (&[&ranks, &ranks], None),
        (&[&ranks, &ranks, &ranks], Some(&certabo::TABUTRONIC)),
        (&[&ranks, &ranks, &whole[400..], &ranks, &ranks], None),
    ];
    for (frames, expected) in cases {
        let mut probe = Probe::new(START, DRIVERS, Carrier::Serial);
        let mut out = Vec::new();
        for frame in frames {
            probe.heard(START, frame.as_bytes(), &mut out);
        }
        let found = out.iter().find_map(|wish| match wish {
            Probed::Found { driver, .. } => Some(*driver),
            _ => None,
        });
        assert_eq!(found, expected, "{frames:?}");
    }
}

/// The first frame of a board of this family that talks by itself.
fn said_by(driver: &Driver) -> String {
    let mut board = (driver.emulate)();
    let mut said = Said::default();
    while said.is_empty() {
        let (at, _) = board.deadline().expect("it talks by itself");
        board.handle(at, Stimulus::Due, &mut said);
    }
    String::from_utf8(said.bytes()).expect("text")
}

#[test]
fn a_line_on_which_nobody_is_stays_unrecognised() {
    for driver in DRIVERS {
        let mut search = Search::new(driver, Box::new(Nobody), START);
        search.run(Duration::from_secs(3600), false);
        assert!(search.found.is_none(), "{driver:?}");
    }
}

/// Whose ids a device has decides who may ask it, and whose it can turn out to be.
#[test]
fn a_hid_device_is_asked_by_nobody_who_does_not_name_it() {
    let named = DRIVERS.iter().flat_map(|driver| driver.hid()).map(|it| (it.vendor, it.product));
    // A keyboard, a security key, and neighbours of every id that is named.
    let others = named.clone().map(|(vendor, product)| (vendor ^ 1, product));
    for (vendor, product) in named.chain(others).chain([(0x046d, 0xc31c), (0x1050, 0x0407)]) {
        let carrier = Carrier::Hid { vendor, product };
        for driver in DRIVERS {
            let names = driver.hid().iter().any(|id| id.names(vendor, product));
            let mut search = Search::new(driver, (driver.emulate)(), START);
            search.probe = Probe::new(START, DRIVERS, carrier);
            search.run(Duration::from_secs(60), true);
            let found = search.found.map(|(found, _)| found);
            assert_eq!(found, names.then_some(*driver), "{vendor:04x}:{product:04x}");
        }
        let named = DRIVERS.iter().any(|it| it.speaks_over(carrier));
        let probe = Probe::new(START, DRIVERS, carrier);
        assert_eq!(probe.deadline().is_some(), named, "{vendor:04x}:{product:04x}");
    }
}

proptest! {
    #[test]
    fn random_bytes_are_nobody(
        bursts in prop::collection::vec(
            (0..700u64, prop::collection::vec(any::<u8>(), 0..400)), 0..40,
        ),
    ) {
        for carrier in [Carrier::Serial, Carrier::Socket] {
            let mut now = START;
            let mut probe = Probe::new(now, DRIVERS, carrier);
            for (after_ms, burst) in &bursts {
                now = now + Duration::from_millis(*after_ms);
                let mut out = Vec::new();
                while probe.deadline().is_some_and(|(at, _)| at <= now) {
                    probe.due(now, &mut out);
                }
                probe.heard(now, burst, &mut out);
                for wish in out {
                    if let Probed::Found { driver, .. } = wish {
                        prop_assert!(false, "{:?} in {:02x?}", driver, burst);
                    }
                }
            }
        }
    }
}

/// A bus would be taken apart by a question of single boards, and single boards by one of a bus.
#[test]
fn who_is_not_to_be_probed_neither_asks_nor_is_found() {
    let named: Vec<&'static Driver> =
        DRIVERS.iter().copied().filter(|driver| !driver.probed).collect();
    assert!(!named.is_empty());
    for driver in named {
        let mut line = Line::opened(driver);
        line.run(Duration::from_secs(10));
        let mut probe = Probe::new(START, DRIVERS, Carrier::Serial).expecting(START, driver.name);
        let mut out = Vec::new();
        probe.heard(START, &line.bytes(), &mut out);
        assert!(!out.iter().any(|wish| matches!(wish, Probed::Found { .. })), "{driver:?}");
        let probe = Probe::new(START, &[driver], Carrier::Serial);
        assert_eq!(probe.deadline(), None, "{driver:?} asks");
    }
}

/// Those whose language an unknown line may be asked in.
fn probed() -> impl Iterator<Item = &'static Driver> {
    DRIVERS.iter().copied().filter(|driver| driver.probed)
}

/// The time to listen and then to let every driver ask once that may be on such a line.
fn one_round(driver: &Driver) -> Duration {
    Probe::round(DRIVERS, driver.emulated_over())
}

struct Nobody;

impl Emulator for Nobody {
    fn handle(&mut self, _: Moment, _: Stimulus<'_>, _: &mut Said) {}

    fn deadline(&self) -> Option<(Moment, Reason)> {
        None
    }

    fn set_serials(&mut self, _: &[&str]) {}
}
