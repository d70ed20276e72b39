//! Simulated games under every kind of time control, with clumsy hands and lost frames: every flag
//! is told once, of the right side, with the right consequence and an interval that holds the true
//! moment; and no other alert of the clock comes beside it.
//!
//! 2,000 that end on time under each, and 500 that do not, as a table:
//! `cargo test --release -p witness --test suite flags -- --ignored --nocapture`.
//! `ADOUBED_CONTROL=300+3` plays one of them only, `ADOUBED_GAMES=500` fewer games,
//! `ADOUBED_SEED=7` others.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // The figures are what is wanted.
#![allow(clippy::disallowed_methods, reason = "which games are played is asked for there")]

use std::collections::BTreeSet;
use std::time::Duration;

use eboard::{ClockFace, Colour, FaceTime, FlagMark, Moment, Side, Sighting};
use rehearsal::{Clock, Game, Habit, Happening, Manner, Mishap, Pace, Performance, Permille, Rng};
use rehearsal::{Stage, perform, random_game};
use shakmaty::{Chess, Color, Position};
use witness::unwinnable::{Effort, Verdict, analyse};
use witness::{Effect, Incident, IncidentId, Input, Kind, Part, Settings, Table};
use words::InWords as _;

/// One of each kind, short enough to be played often.
const SHORT: [&str; 13] = [
    "90",
    "180+2",
    "60+5",
    "120+d3",
    "120+b3",
    "10/60+3:40+3",
    "10/60+5:40+2",
    "10/45:30",
    "12/60+2:8/30+2:20+2",
    "80+2@12|60+2@12",
    "30+3x10",
    "30+5/25",
    "*40",
];
/// Those that are played, and how many plies of them.
const REAL: [(&str, usize); 14] = [
    ("300", 60),
    ("300+3", 60),
    ("180+2", 60),
    ("300+d3", 60),
    ("300+b3", 60),
    ("300+3@61|240+3@61", 140),
    ("*60", 60),
    ("1500+5x60", 60),
    ("1500+25/600", 120),
    ("40/5400+30:1800+30", 110),
    ("5400+30", 60),
    ("40/7200:20/3600:900+30", 140),
    ("40/5400+30:1800+10", 110),
    ("7200:3600", 60),
];

/// A running clock that is quiet for so long is asked, as the driver does.
const POLL: Duration = Duration::from_millis(1200);
/// A board that is asked for all its squares has reported them.
const ANSWER: Duration = Duration::from_millis(150);
/// A sign of a fallen flag is asked for once more, as the driver does.
const AGAIN: Duration = Duration::from_millis(500);
/// With less than this left a damaged frame with a flag may be a flag.
const MAY_FALL: FaceTime = FaceTime::from_hms(0, 0, 10);

/// What befalls the frames of the clock.
#[derive(Clone, Copy)]
struct Line {
    lost: Permille,
    /// Replaced by a well-formed one with a fallen flag.
    damaged: Permille,
}

const BAD: Line = Line { lost: Permille(60), damaged: Permille(0) };
const DAMAGED: Line = Line { lost: Permille(1), damaged: Permille(2) };

/// A time that ran out, as it truly was.
#[derive(Debug)]
struct Fall {
    at: Moment,
    side: Colour,
    period: u8,
}

struct Played {
    name: String,
    table: Table,
    raised: Vec<Incident>,
    moot: BTreeSet<IncidentId>,
    falls: Vec<Fall>,
    performance: Performance,
    game: Game,
    damaged: usize,
}

/// What the table is shown, and what truly happened meanwhile.
struct Hall {
    table: Table,
    raised: Vec<Incident>,
    /// Flags that were said to mean nothing, or perhaps nothing, as mate came with them.
    moot: BTreeSet<IncidentId>,
    dice: Rng,
    line: Line,
    damaged: usize,
    /// When the clock is asked if it says nothing.
    poll: Moment,
    /// When the board answers what it was asked.
    answer: Option<Moment>,
}

impl Hall {
    /// What is said about a known incident is not another one.
    fn keep(&mut self, now: Moment, out: Vec<Effect>) {
        for effect in out {
            match effect {
                Effect::Closed(it, None) if it.kind == Kind::FlagFall => {
                    self.moot.insert(it.id);
                }
                Effect::Raised(it)
                    if it.kind == Kind::FlagFall && it.facts.consequence.is_none() =>
                {
                    self.moot.insert(it.id);
                }
                Effect::Raised(it) if !self.raised.iter().any(|known| known.id == it.id) => {
                    self.raised.push(*it);
                }
                Effect::Survey => self.answer = Some(now + ANSWER),
                _ => {}
            }
        }
    }

    /// All of what a fallen flag looks like, or a part of it.
    fn with_flag(&mut self, face: ClockFace) -> ClockFace {
        let mut damaged = face;
        let dial = if face.lever == Side::Left { &mut damaged.left } else { &mut damaged.right };
        match self.dice.below(3) {
            0 => {
                (dial.time, dial.flag) = (FaceTime::ZERO, FlagMark::Final);
                damaged.running = false;
            }
            1 => dial.time = FaceTime::ZERO,
            _ => dial.flag = FlagMark::Passed,
        }
        damaged
    }

    fn until(&mut self, at: Moment) {
        while let Some((due, _)) = self.table.deadline().filter(|(due, _)| *due <= at) {
            let mut out = Vec::new();
            self.table.handle(due, Input::Due, &mut out).unwrap();
            self.keep(due, out);
        }
    }

    fn show(&mut self, at: Moment, happening: Happening) {
        self.until(at);
        let sighting = match happening {
            Happening::Board(placement) => Sighting::Position(placement),
            Happening::Square { square, piece } => Sighting::Square { square, piece },
            Happening::Clock(face) => {
                if self.dice.chance(self.line.lost) {
                    return;
                }
                let counts = face.dial(face.lever).time;
                let spoil =
                    face.running && counts > MAY_FALL && self.dice.chance(self.line.damaged);
                self.damaged += usize::from(spoil);
                self.poll = at + if spoil { AGAIN } else { POLL };
                Sighting::Clock(if spoil { self.with_flag(face) } else { face })
            }
            Happening::NoClock | Happening::Disturbed(_) => return,
        };
        let mut out = Vec::new();
        let input = Input::Seen(Part::BOARD, sighting);
        self.table.handle(at, input, &mut out).unwrap();
        self.keep(at, out);
    }
}

fn play((control, plies): (&str, usize), line: Line, seed: u64, flag: bool) -> Played {
    let game = random_game(seed, plies, Chess::default());
    let mut manner = Manner { control: control.parse().unwrap(), ..Manner::clumsy() };
    // So that the time is needed: what there is for each of the moves, and half as much again.
    let share = Duration::from_secs(manner.control.of(Colour::White).main_s().into()) * 3 / 80;
    manner.think.1 = manner.think.1.max(share);
    manner.tidy_up = false;
    if flag {
        manner.mishaps = vec![Mishap::FlagFall];
    }
    let performance = perform(&game, &manner, seed);
    let settings = Settings { control: Some(control.parse().unwrap()), ..Settings::default() };
    let table = Table::new(settings);
    let (raised, moot, dice) = (Vec::new(), BTreeSet::new(), Rng::new(!seed));
    let poll = Moment::ZERO + POLL;
    let mut hall = Hall { table, raised, moot, dice, line, damaged: 0, poll, answer: None };
    let input = Input::Line(Part::BOARD, true);
    hall.table.handle(Moment::ZERO, input, &mut Vec::new()).unwrap();
    let clock = Clock::new(manner.control);
    let mut stage = Stage::of(Moment::ZERO, performance.clone(), clock, Pace::real());
    let mut falls = watch(&mut stage, &mut hall);
    // What mate or stalemate has ended no flag can.
    falls.retain(|fall| {
        let last = position_at(&game, &performance, fall.at);
        !last.is_checkmate() && !last.is_stalemate()
    });
    let name = format!("{control}, seed {seed}, flag {flag}");
    let Hall { table, raised, moot, damaged, .. } = hall;
    Played { name, table, raised, moot, falls, performance, game, damaged }
}

/// Shows the table everything that happens on the stage, and notes every time that runs out.
fn watch(stage: &mut Stage, hall: &mut Hall) -> Vec<Fall> {
    let sides = [Colour::White, Colour::Black];
    let mut falls: Vec<Fall> = Vec::new();
    let mut periods = [0, 0];
    let mut last = Moment::ZERO;
    while let Some(at) = stage.next().filter(|_| !stage.over() || last.as_micros() == 0) {
        if let Some(answer) = hall.answer.take_if(|answer| *answer < at) {
            hall.show(answer, Happening::Board(*stage.placement()));
            continue;
        }
        let poll = hall.poll;
        if poll < at {
            hall.poll = poll + POLL;
            hall.show(poll, Happening::Clock(stage.clock().face(poll)));
            continue;
        }
        let turn = stage.clock().to_move();
        for happening in stage.due(at) {
            hall.show(at, happening);
        }
        let pressed = stage.clock().to_move() != turn;
        for (side, period) in sides.into_iter().zip(&mut periods) {
            let (now, left) = (stage.clock().period(at, side), stage.clock().left(at, side));
            let passed = now > *period && !pressed && side == turn;
            let known = falls.iter().any(|fall| fall.side == side && fall.period == *period);
            if (passed || left.is_zero()) && !known {
                falls.push(Fall { at, side, period: *period });
            }
            *period = now;
        }
        last = at;
    }
    for _ in 0..20 {
        last = last + POLL;
        hall.show(last, Happening::Clock(stage.clock().face(last)));
    }
    hall.until(last + Duration::from_secs(5));
    falls
}

/// How many moves stood on the board by then.
fn made_by(performance: &Performance, at: Moment) -> usize {
    let at = Duration::from_micros(at.as_micros());
    performance.made.iter().filter(|made| **made <= at).count()
}

fn position_at(game: &Game, performance: &Performance, at: Moment) -> Chess {
    let last = made_by(performance, at).checked_sub(1);
    last.and_then(|last| game.positions().nth(last)).unwrap_or_else(|| game.start.clone())
}

/// What an observer who knows everything would say of a fall; more than one answer where the move
/// was just being made.
fn consequences(played: &Played, fall: &Fall) -> Vec<&'static str> {
    let control = played.name.split(',').next().unwrap();
    let control: witness::TimeControl = control.parse().unwrap();
    let made = made_by(&played.performance, fall.at);
    let (color, own) = match fall.side {
        Colour::White => (Color::White, made.div_ceil(2)),
        Colour::Black => (Color::Black, made / 2),
    };
    let periods = control.of(color);
    let index = usize::from(fall.period);
    let required = periods.required(index).map(|it| usize::try_from(it).unwrap());
    let mut answers = Vec::new();
    if !periods.is_last(index) && required.is_none_or(|required| own >= required) {
        answers.push("period_passed");
        if required.is_some_and(|required| own > required) {
            return answers;
        }
    }
    let position = position_at(&played.game, &played.performance, fall.at);
    let quick = analyse(&position, !color, Effort::QUICK);
    answers.push(outcome(&quick));
    if quick == Verdict::Undetermined {
        // Whoever finds out more is right as well.
        answers.push(outcome(&analyse(&position, !color, Effort::FULL)));
    }
    answers
}

fn outcome(mate: &Verdict) -> &'static str {
    match mate {
        Verdict::Winnable(_) => "loss",
        Verdict::Unwinnable => "draw",
        Verdict::Undetermined => "undetermined",
    }
}

/// What may be wrong, as the columns of the table.
const COLUMNS: [&str; 6] = [
    "missed",
    "false",
    "of the wrong side",
    "with another consequence",
    "intervals without the moment",
    "other alerts of the clock",
];

/// What is wrong with a game, by column.
fn offences(played: &Played) -> Vec<(usize, String)> {
    let mut problems = Vec::new();
    let mut record: Vec<_> = played.raised.iter().filter(|it| it.kind == Kind::FlagFall).collect();
    if record.len() > played.falls.len() {
        record.retain(|it| !played.moot.contains(&it.id));
    }
    if record.len() != played.falls.len() {
        let column = usize::from(record.len() > played.falls.len());
        problems.push((column, format!("{} flags told of {:?}", record.len(), played.falls)));
    }
    for (incident, fall) in record.iter().zip(&played.falls) {
        let color = if fall.side == Colour::White { Color::White } else { Color::Black };
        if incident.side != Some(color) {
            problems.push((2, format!("{:?} instead of {color:?}", incident.side)));
        }
        let answers = consequences(played, fall);
        if !incident
            .facts
            .consequence
            .map(witness::laws::flag::Consequence::name)
            .is_some_and(|it| answers.contains(&it))
        {
            let record = incident.facts.consequence.map(witness::laws::flag::Consequence::name);
            problems.push((3, format!("{record:?} instead of {answers:?}")));
        }
        let (above, zero) = incident.facts.between.unwrap();
        if above.is_none_or(|above| above > fall.at) || zero < fall.at {
            problems.push((4, format!("{above:?} to {zero:?} without {:?}", fall.at)));
        }
    }
    let missed = played.performance.done.iter().any(|(_, habit)| *habit == Habit::MissedPress);
    let other = played.raised.iter().filter(|incident| match incident.kind {
        // A clock that counts presses is behind once one was left out.
        Kind::ClockSetting | Kind::MissedPress => !missed,
        Kind::ClockFault | Kind::ClockAdjusted | Kind::BothFlags => true,
        Kind::ClockLost | Kind::BoardLost | Kind::LowBattery => true,
        _ => false,
    });
    problems.extend(other.map(|it| (5, format!("{}: {}", it.kind.name(), it.text.en()))));
    problems.into_iter().map(|(at, it)| (at, format!("{}: {it}", played.name))).collect()
}

/// Games under one time control.
#[derive(Default)]
struct Count {
    games: usize,
    with_falls: usize,
    falls: usize,
    unseen: usize,
    damaged: usize,
    problems: Vec<(usize, String)>,
}

impl Count {
    fn add(&mut self, played: &Played) {
        self.games += 1;
        self.falls += played.falls.len();
        self.with_falls += usize::from(!played.falls.is_empty());
        self.damaged += played.damaged;
        self.unseen += usize::from(played.table.score().plies().is_empty());
        self.problems.extend(offences(played));
    }

    fn row(&self, control: &str) -> String {
        let of = |column| self.problems.iter().filter(|(it, _)| *it == column).count().to_string();
        let wrong: Vec<_> = (0..COLUMNS.len()).map(of).collect();
        let control = control.replace('|', "\\|");
        let Self { games, with_falls, falls, .. } = self;
        let without = games - with_falls;
        format!("| `{control}` | {with_falls} | {falls} | {without} | {} |", wrong.join(" | "))
    }
}

fn judge(count: &Count) {
    assert_eq!(count.unseen, 0, "games that were not seen at all");
    assert!(count.falls > 0, "no flag has fallen");
    let problems: Vec<_> = count.problems.iter().map(|(_, problem)| problem.as_str()).collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Three games with a fall and three others under each short control.
fn some(line: Line, first: u64) -> Count {
    let mut count = Count::default();
    for game in 0..78 {
        let control = SHORT[usize::try_from(game / 2).unwrap() % SHORT.len()];
        count.add(&play((control, 50), line, first + game, game % 2 == 0));
    }
    assert!(count.games > count.with_falls, "a flag has fallen in every game");
    count
}

#[test]
fn every_flag_is_reported_once_and_rightly_and_nothing_else_of_the_clock() {
    judge(&some(BAD, 7000));
}

#[test]
fn damaged_frames_with_a_flag_are_believed_by_nobody() {
    let count = some(DAMAGED, 9000);
    assert!(count.damaged > 20, "{}", count.damaged);
    judge(&count);
}

/// Neither the start nor the first press was heard, and in the delay no time counts; a captured
/// queen that was parked had a press taken for that of the next move. With a delay, presses that
/// were read late, or came and went unheard, were taken for another delay. And dozens of moves that
/// were told otherwise for a moment were judged anew when they came back.
#[test]
fn games_that_were_reported_wrongly_once_are_reported_rightly() {
    let mut count = Count::default();
    for (control, plies, seed, flag) in [
        ("120+d3", 50, 7_104_001_761, true),
        ("120+d3", 50, 7_104_002_660, true),
        ("300", 60, 7_001_000_554, true),
        ("120+d3", 50, 31_104_000_755, true),
        ("300+d3", 60, 31_004_001_191, true),
        ("300+d3", 60, 31_004_002_843, false),
        ("40/5400+30:1800+10", 110, 53_013_000_721, false),
        ("5400+30", 60, 54_011_000_571, true),
    ] {
        count.add(&play((control, plies), BAD, seed, flag));
    }
    judge(&count);
}

/// What is given in the environment, or else this.
fn given(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
}

/// 2,000 games with a fall under each of these, and 500 in which nobody waits for one.
fn measure(controls: impl IntoIterator<Item = (&'static str, usize)>, line: Line, first: u64) {
    let chosen = chosen(controls);
    if chosen.is_empty() {
        return println!("skipped: another test plays games under this time control");
    }
    let games = given("ADOUBED_GAMES", 2000);
    let first = first + 1_000_000_000 * given("ADOUBED_SEED", 0);
    let mut all = Count::default();
    println!(
        "| time control | games with a fall | falls | games without | {} |",
        COLUMNS.join(" | ")
    );
    println!("|{}", "---|".repeat(4 + COLUMNS.len()));
    for (index, played) in chosen {
        let (mut count, mut seed) = (Count::default(), first + 1_000_000 * index);
        while (count.with_falls as u64) < games {
            count.add(&play(played, line, seed, true));
            seed += 1;
        }
        (0..games / 4).for_each(|game| count.add(&play(played, line, seed + game, false)));
        println!("{}", count.row(played.0));
        count.problems.iter().for_each(|(_, problem)| println!("  {problem}"));
        let Count { games, with_falls, falls, unseen, damaged, problems } = count;
        (all.games, all.with_falls) = (all.games + games, all.with_falls + with_falls);
        (all.falls, all.unseen) = (all.falls + falls, all.unseen + unseen);
        all.damaged += damaged;
        all.problems.extend(problems);
    }
    println!("{} {} frames damaged", all.row("all"), all.damaged);
    judge(&all);
}

/// With their numbers; of one that is chosen and not among these another test plays the games.
fn chosen<'a>(
    controls: impl IntoIterator<Item = (&'a str, usize)>,
) -> Vec<(u64, (&'a str, usize))> {
    let only = std::env::var("ADOUBED_CONTROL").ok();
    let is_known = |it: &str| SHORT.contains(&it) || REAL.iter().any(|(control, _)| *control == it);
    assert!(only.as_deref().is_none_or(is_known), "no such control is played: {only:?}");
    let is_chosen = |control: &str| only.as_deref().is_none_or(|only| only == control);
    (0..).zip(controls).filter(|(_, (control, _))| is_chosen(control)).collect()
}

#[test]
#[ignore = "an hour: cargo test --release -p witness --test suite flags -- --ignored"]
fn so_it_is_in_two_thousand_games_under_each_control_that_is_played() {
    measure(REAL, BAD, 1_000_000);
}

#[test]
#[ignore = "half an hour: cargo test --release -p witness --test suite flags -- --ignored"]
fn so_it_is_in_two_thousand_games_under_each_short_control() {
    measure(SHORT.map(|control| (control, 50)), BAD, 101_000_000);
}

#[test]
#[ignore = "half an hour: cargo test --release -p witness --test suite flags -- --ignored"]
fn so_it_is_where_frames_are_damaged_into_flags() {
    measure(SHORT.map(|control| (control, 50)), DAMAGED, 201_000_000);
}
