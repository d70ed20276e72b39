//! How often a score is right: virtual players over virtual boards and faulty lines, compared with
//! the truth they know. Pure but for the threads that share the work.

use std::time::Duration;

use eboard::{Driver, Moment};
use rehearsal::{Clock, Faults, Game, Happening, Manner, Pace, Permille, Rates, Scan, Stage};
use rehearsal::{Truth, Unplug};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Outcome};
use witness::{Effect, Kind, Phase, Table};

use crate::entry::{Entry, LineId, Plan, Seats, TableEntry, Watch};
use crate::virtual_line;
use crate::works::{Act, Works};

/// Moves of the longest random game, in plies.
const PLIES_MAX: u64 = 120;

/// A model of hands and wires.
#[derive(Clone, Debug)]
pub struct Model {
    /// What it is called in the table.
    pub name: &'static str,
    /// The family of boards.
    pub driver: &'static Driver,
    /// How the players play.
    pub manner: Manner,
    /// Frames in a thousand that are lost, and as many that are damaged.
    pub harmed: Permille,
    /// Whether the cable is pulled once in each game.
    pub unplugged: bool,
}

/// What became of one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Score and result are what was played.
    pub exact: bool,
    /// Plies that are wrong and nothing shows it.
    pub silently_wrong: usize,
    /// The score is not right, and the table says so.
    pub doubted: bool,
    /// Plies that were worked out.
    pub inferred: usize,
    /// Players accused of an illegal move although nobody made one.
    pub accused: usize,
}

/// The models of today.
#[must_use]
pub fn models() -> Vec<Model> {
    let tidy = Manner { slides: Permille(0), adjusts: Permille(0), ..Manner::default() };
    let tidy = Manner { tidy_up: false, ..tidy };
    let clumsy = Manner { tidy_up: false, ..Manner::clumsy() };
    let clean = |name, driver, manner: &Manner| Model {
        name,
        driver,
        manner: manner.clone(),
        harmed: Permille(0),
        unplugged: false,
    };
    vec![
        clean("tidy hands, clean wire, DGT", &dgt::DRIVER, &tidy),
        clean("clumsy hands, clean wire, DGT", &dgt::DRIVER, &clumsy),
        Model {
            harmed: Permille(1),
            unplugged: true,
            ..clean("clumsy hands, 0.1 % of frames harmed, one unplug, DGT", &dgt::DRIVER, &clumsy)
        },
        clean("clumsy hands, clean wire, ChessLink, no clock", &chesslink::DRIVER, &clumsy),
    ]
}

/// Plays one game of a model and compares. The same number gives the same game.
#[must_use]
pub fn judge(model: &Model, number: u64) -> Verdict {
    let game = game(number);
    let performance = rehearsal::perform(&game, &model.manner, number);
    let truth = performance.truth;
    let (works, acts) = watch(model, performance, number);
    let verdict = works.hall().table(1).map(|table| compare(table, &game, truth));
    let accused = acts.iter().filter(|act| accuses(act)).count();
    Verdict { accused, ..verdict.unwrap_or_default() }
}

/// What went wrong in one game: alerts, the first wrong move, and the hands around it as a script.
#[must_use]
pub fn explain(model: &Model, number: u64) -> String {
    let game = game(number);
    let performance = rehearsal::perform(&game, &model.manner, number);
    let (works, acts) = watch(model, performance.clone(), number);
    let mut text = format!("{} – {}, game {number}\n", game.white, game.black);
    for act in acts {
        let Act::Table(at, _, Effect::Raised(incident)) = act else { continue };
        text += &format!("{} µs: {}\n", at.as_micros(), incident.text.en);
        let ply = usize::try_from(incident.move_number).unwrap_or(0) * 2;
        let plies = ply.saturating_sub(4)..(ply + 2).min(performance.truth.plies);
        text += &performance.excerpt(&game, model.manner.control, plies);
        if incident.kind == Kind::PositionToCheck {
            break;
        }
    }
    let Some(table) = works.hall().table(1) else { return text };
    let score: Vec<_> = table.score().plies().iter().map(|ply| ply.uci.as_str()).collect();
    let played: Vec<_> = game.moves.iter().map(|mv| uci(*mv)).collect();
    let same = score.iter().zip(&played).take_while(|(one, other)| *one == *other).count();
    let around = |line: &[String]| line.iter().skip(same).take(6).cloned().collect::<Vec<_>>();
    let score: Vec<_> = score.into_iter().map(str::to_owned).collect();
    text += &format!("phase {:?}, result {}\n", table.phase(), table.score().result());
    text +=
        &format!("ply {}: score {:?}, played {:?}\n", same + 1, around(&score), around(&played));
    let plies = same.saturating_sub(2)..(same + 4).min(performance.truth.plies);
    text + &performance.excerpt(&game, model.manner.control, plies)
}

/// The works after a whole game, and everything they wanted done.
fn watch(model: &Model, performance: rehearsal::Performance, number: u64) -> (Works, Vec<Act>) {
    let (happenings, end) = happenings(model, performance, number);
    let faults = faults(model, end, number);
    let mut works = Works::new(vec![model.driver]);
    let mut acts = Vec::new();
    for entry in opening(model.driver) {
        works.enter(Moment::ZERO, &entry, &mut acts);
    }
    let heard = virtual_line::heard_through(model.driver, happenings, end, 1, &faults, number);
    for (at, entry) in heard {
        works.enter(at, &entry, &mut acts);
    }
    works.advance(end, &mut acts);
    (works, acts)
}

/// A famous game now and then, a random one otherwise.
fn game(number: u64) -> Game {
    let famous = rehearsal::famous();
    let every = 4;
    if number.is_multiple_of(every) {
        let index = usize::try_from(number / every).unwrap_or(0) % famous.len();
        return famous.into_iter().nth(index).unwrap_or_else(|| random(number));
    }
    random(number)
}

fn random(number: u64) -> Game {
    let plies = 20 + number.wrapping_mul(0x9e37_79b9) % (PLIES_MAX - 20);
    rehearsal::random_game(number, usize::try_from(plies).unwrap_or(40), Chess::default())
}

fn happenings(
    model: &Model,
    performance: rehearsal::Performance,
    number: u64,
) -> (Vec<(Moment, Happening)>, Moment) {
    let clock = Clock::new(model.manner.control);
    // The players sit down when the board has been known for a while.
    let begin = Moment::ZERO + Duration::from_secs(3);
    let mut stage = Stage::of(begin, performance, clock, Pace::real());
    let (mut all, mut end) = (Vec::new(), begin);
    while !stage.over() {
        let Some(at) = stage.next() else { break };
        all.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
        end = at;
    }
    let seen = Scan::dgt(number).see(&all);
    (seen, end + Duration::from_secs(40))
}

fn faults(model: &Model, end: Moment, number: u64) -> Faults {
    let rates = Rates { drop: model.harmed, double: model.harmed, corrupt: model.harmed };
    let window = (Moment::ZERO + Duration::from_secs(10), end - Duration::from_secs(60));
    let span = (Duration::from_secs(1), Duration::from_secs(20));
    let unplug = model.unplugged.then(|| Unplug::drawn(number, window, span));
    Faults { frames: rates, unplugs: unplug.into_iter().collect(), ..Faults::default() }
}

fn opening(driver: &Driver) -> [Entry; 2] {
    let port = "virtual".to_owned();
    let watch = Watch::default();
    let table = TableEntry {
        number: 1,
        port: Some(port.clone()),
        serial: None,
        driver: Some(driver.name.to_owned()),
        station: 0,
        watch: watch.clone(),
    };
    let id = LineId { path: port.clone(), names: vec![port] };
    let plan = Plan { tables: vec![table], watch, seats: Seats::default() };
    [Entry::Planned(plan), Entry::Opened(1, id)]
}

fn compare(table: &Table, game: &Game, truth: Truth) -> Verdict {
    let played: Vec<_> = game.moves.iter().map(|mv| uci(*mv)).collect();
    let score: Vec<_> = table.score().plies().iter().map(|ply| ply.uci.clone()).collect();
    let made = &played[..truth.plies.min(played.len())];
    let with_late = truth.late && score == played[..(truth.plies + 1).min(played.len())];
    let result = match truth.outcome {
        Outcome::Known(outcome) => outcome.as_str(),
        Outcome::Unknown => "*",
    };
    let exact = (score == made || with_late) && table.score().result() == result;
    let wrong = score.iter().zip(made).filter(|(one, other)| one != other).count()
        + score.len().abs_diff(made.len())
        + usize::from(score == made && table.score().result() != result);
    let doubted = table.phase() == Phase::Adrift
        || table.incidents().any(|incident| incident.kind == Kind::PositionToCheck);
    let inferred = table.score().plies().iter();
    let inferred = inferred.filter(|ply| ply.confidence == witness::Confidence::Inferred).count();
    Verdict {
        exact,
        silently_wrong: if exact || doubted { 0 } else { wrong },
        doubted: !exact && doubted,
        inferred,
        accused: 0,
    }
}

fn uci(mv: shakmaty::Move) -> String {
    UciMove::from_move(mv, CastlingMode::Standard).to_string()
}

/// A doubt that grows old calls somebody too, and rightly: it is counted as doubt.
fn accuses(act: &Act) -> bool {
    let Act::Table(_, _, Effect::Raised(incident)) = act else { return false };
    matches!(incident.kind, Kind::IllegalMove | Kind::PawnNotPromoted)
}
