//! Virtual players with clumsy hands at pseudo-terminals, in real time, read by the real program:
//! every score is the game that was played, or the doubt is told, and nobody is accused falsely.
//!
//! `ADOUBED_LIVE_TABLES` and `ADOUBED_LIVE_PLIES` make a hall of it.

use std::sync::mpsc;
use std::time::Duration;

use adoubed::lines::far_end::{FarEnd, Pty};
use adoubed::time::Clock;
use adoubed::venue::fidelity;
use adoubed::venue::tables::VirtualTable;
use eboard::{Driver, Moment, Senses, Station};
use rehearsal::{Manner, Pace, Stage};
use serde_json::Value;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, KnownOutcome, Outcome};

use crate::common::{Daemon, Feed, House, RUNTIME, Seed, under};

/// Whose hands play on lines of their own.
const CLUMSY: &str = "clumsy hands, clean wire, DGT";
/// The longest that players in a hurry take for a move and whatever happens to it.
const MOST_PER_PLY: Duration = Duration::from_secs(12);
/// Until the boards are known, and the time the kings stay in the centre.
const AROUND: Duration = Duration::from_secs(60);
/// When the players sit down.
const OVERTURE: Duration = Duration::from_secs(4);
/// The same at a bus, where everybody has to be found first.
const OVERTURE_ON_A_BUS: Duration = Duration::from_secs(12);
/// Boards on one cable. Half of them are promised to a table by their place, the others by number.
const ON_A_BUS: u32 = 8;

/// A game that is played at a table.
struct Played {
    number: u32,
    driver: &'static str,
    moves: Vec<String>,
    result: &'static str,
    over: mpsc::Receiver<()>,
}

#[test]
fn clumsy_games_are_told_as_they_were_played() {
    let house = house();
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    let tables = sit_down(&house);
    for table in &tables {
        table.finish(&arbiter);
        assert!(table.is_exact(&arbiter), "{}", table.shown(&arbiter));
        assert!(!table.is_accused(&arbiter), "{}", table.shown(&arbiter));
    }
    println!("{} games of {} plies at most", tables.len(), plies());
    assert_eq!(daemon.stop(), Some(0));
}

/// Many boards on one cable: each sits at its table, and no game is told of another's.
#[test]
fn games_on_one_cable_are_told_as_they_were_played() {
    let mut house = House::new();
    let manner = manner("tidy hands, clean wire, DGT");
    house.set("event", "time_control", &manner.control.to_string());
    let cable = house.line("cable");
    for number in 1..=ON_A_BUS {
        match number % 2 {
            1 => house.at(number, &cable, &format!("driver = \"dgtbus\"\nstation = {number}")),
            _ => house.numbered(number, &format!("{number:05}")),
        };
    }
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    let clock = Clock::starting_at(Moment::ZERO);
    let mut bus = (catalog::find("dgtbus").unwrap().emulate)();
    let serials: Vec<String> = (1..=ON_A_BUS).map(|number| number.to_string()).collect();
    bus.set_serials(&serials.iter().map(String::as_str).collect::<Vec<_>>());
    let (tables, places): (Vec<_>, Vec<_>) = (1..=ON_A_BUS)
        .map(|number| {
            let (played, stages) = played(number, "dgtbus", &manner, OVERTURE_ON_A_BUS);
            (played, (Station(u16::try_from(number).unwrap()), stages))
        })
        .unzip();
    RUNTIME.spawn(async move {
        let pty = Pty::open(Some(&cable)).unwrap();
        VirtualTable::new(FarEnd::Pty(pty), bus, clock).live_at(places).await
    });
    for table in &tables {
        table.finish(&arbiter);
        assert!(table.is_exact(&arbiter), "{}", table.shown(&arbiter));
        assert!(!table.is_accused(&arbiter), "{}", table.shown(&arbiter));
    }
    assert_eq!(daemon.stop(), Some(0));
}

/// The players go on while nobody reads their boards: moves that nobody saw are found or doubted.
#[test]
fn clumsy_games_go_on_through_a_kill() {
    let mut seed = Seed::draw("clumsy games and a kill");
    let house = house();
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    let tables = sit_down(&house);
    let moves = 2 + seed.below(plies() / 2);
    let first = under("table/1/game");
    arbiter.within(span(), "some moves", |heard| {
        let game = heard.latest(&first)?.json();
        (game["moves"].as_array()?.len() >= moves).then_some(())
    });
    daemon.kill();
    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    let mut exact = 0;
    for table in &tables {
        table.finish(&arbiter);
        let right = table.is_exact(&arbiter);
        exact += usize::from(right);
        let honest = right || table.is_doubted(&arbiter);
        assert!(honest, "silently wrong: {}", table.shown(&arbiter));
        assert!(!table.is_accused(&arbiter), "{}", table.shown(&arbiter));
    }
    println!("{exact} of {} games exact", tables.len());
    assert_eq!(daemon.stop(), Some(0));
}

fn house() -> House {
    let mut house = House::new();
    house.set("event", "time_control", &manner(CLUMSY).control.to_string());
    for number in 1..=tables() {
        house.table(number, &format!("driver = \"{}\"", driver(number)));
    }
    house
}

/// Boards are plugged in, and a little later the players begin.
fn sit_down(house: &House) -> Vec<Played> {
    let clock = Clock::starting_at(Moment::ZERO);
    (1..=tables()).map(|number| play(house, number, clock)).collect()
}

fn play(house: &House, number: u32, clock: Clock) -> Played {
    let (played, stages) = played(number, driver(number), &manner(CLUMSY), OVERTURE);
    let mut board = (catalog::find(played.driver).unwrap().emulate)();
    board.set_serials(&[&number.to_string()]);
    let line = house.line(&number.to_string());
    RUNTIME.spawn(async move {
        let pty = Pty::open(Some(&line)).unwrap();
        VirtualTable::new(FarEnd::Pty(pty), board, clock).live(stages).await
    });
    played
}

/// A game, and how hands play it when its time has come.
fn played(
    number: u32,
    driver: &'static str,
    manner: &Manner,
    overture: Duration,
) -> (Played, impl FnMut(Moment) -> Option<Stage> + Send + 'static) {
    let seed = u64::from(number);
    let game = rehearsal::random_game(seed, plies(), Chess::default());
    let performance = rehearsal::perform(&game, manner, seed);
    let (tell, over) = mpsc::channel();
    let played = Played {
        number,
        driver,
        moves: game.moves[..performance.truth.plies]
            .iter()
            .map(|mv| UciMove::from_move(*mv, CastlingMode::Standard).to_string())
            .collect(),
        result: match performance.truth.outcome {
            Outcome::Known(KnownOutcome::Draw) => "1/2-1/2",
            Outcome::Known(decided) => decided.as_str(),
            Outcome::Unknown => "*",
        },
        over,
    };
    let control = rehearsal::Clock::new(manner.control);
    let mut stage = Some(Stage::of(Moment::ZERO + overture, performance, control, Pace::real()));
    let stages = move |_| {
        let next = stage.take();
        if next.is_none() {
            let _ = tell.send(());
        }
        next
    };
    (played, stages)
}

impl Played {
    /// Waits until the players have gone, and what they did is told or doubted.
    fn finish(&self, arbiter: &Feed) {
        self.over.recv_timeout(span()).unwrap();
        let (game, wanted) = (under(&format!("table/{}/game", self.number)), self.told_if_exact());
        arbiter.wait(&format!("the end at table {}", self.number), |heard| {
            let shown = heard.latest(&game).map(|it| shown(&it.json()));
            (shown.as_ref() == Some(&wanted) || self.doubts(heard) > 0).then_some(())
        });
    }

    fn is_exact(&self, arbiter: &Feed) -> bool {
        shown(&arbiter.now(&format!("table/{}/game", self.number))) == self.told_if_exact()
    }

    fn is_doubted(&self, arbiter: &Feed) -> bool {
        arbiter.look(|heard| self.doubts(heard) > 0)
    }

    fn doubts(&self, heard: &crate::common::Heard) -> usize {
        alerts(heard)
            .filter(|it| it["table"] == self.number && it["kind"] == "position_to_check")
            .count()
    }

    /// Nobody here does anything illegal.
    fn is_accused(&self, arbiter: &Feed) -> bool {
        arbiter.look(|heard| {
            alerts(heard).any(|it| it["table"] == self.number && it["kind"] == "illegal_move")
        })
    }

    fn told_if_exact(&self) -> (Vec<String>, String) {
        (self.moves.clone(), self.result.to_owned())
    }

    fn shown(&self, arbiter: &Feed) -> String {
        let Self { number, driver, .. } = self;
        let shown = shown(&arbiter.now(&format!("table/{number}/game")));
        let wanted = self.told_if_exact();
        format!("table {number}, {driver}\ntold   {shown:?}\nplayed {wanted:?}")
    }
}

/// Moves and result.
fn shown(game: &Value) -> (Vec<String>, String) {
    let moves = game["moves"].as_array().cloned().unwrap_or_default();
    let uci = moves.iter().map(|it| it["uci"].as_str().unwrap_or_default().to_owned());
    (uci.collect(), game["result"].as_str().unwrap_or_default().to_owned())
}

/// The alerts that stand.
fn alerts(heard: &crate::common::Heard) -> impl Iterator<Item = Value> {
    let latest = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
    let messages = latest.map(|(_, &index)| &heard.messages[index]);
    messages.filter(|it| !it.payload.is_empty()).map(|it| it.json())
}

fn manner(model: &str) -> Manner {
    let mut models = fidelity::models().into_iter();
    models.find(|it| it.name == model).unwrap().manner
}

/// Boards that name the pieces, on a line of their own, those with a clock first. Boards of a bus
/// share one: see above.
fn driver(number: u32) -> &'static str {
    let alone =
        |it: &&&Driver| it.senses == Senses::Identity && it.probed && it.settings().is_some();
    let mut drivers: Vec<_> = catalog::DRIVERS.iter().filter(alone).collect();
    drivers.sort_by_key(|it| (!it.clock, it.name));
    drivers[number as usize % drivers.len()].name
}

fn tables() -> u32 {
    from_environment("ADOUBED_LIVE_TABLES").unwrap_or(12)
}

fn plies() -> usize {
    from_environment("ADOUBED_LIVE_PLIES").unwrap_or(8)
}

fn from_environment<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// How long everything may take.
fn span() -> Duration {
    AROUND + MOST_PER_PLY * u32::try_from(plies()).unwrap()
}
