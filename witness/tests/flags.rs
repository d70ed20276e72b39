//! Simulated games under every kind of time control, with clumsy hands and lost frames: every flag
//! is told once, of the right side, with the right consequence and an interval that holds the true
//! moment; and no other alert of the clock comes beside it.
//!
//! 2,000 of each kind: `cargo test --release -p witness --test flags -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // The figures are what is wanted.

use std::time::Duration;

use eboard::{Colour, Moment, Sighting};
use rehearsal::{Clock, Game, Habit, Happening, Manner, Mishap, Pace, Performance, Permille, Rng};
use rehearsal::{Stage, perform, random_game};
use shakmaty::{Chess, Color};
use witness::unwinnable::{Effort, Verdict, analyse};
use witness::{Effect, Incident, Kind, Settings, Table};

/// One of each kind, short enough to be played often.
const CONTROLS: [&str; 12] = [
    "90",
    "180+2",
    "60+5",
    "120+d3",
    "120+b3",
    "10/60+3:40+3",
    "10/45:30",
    "12/60+2:8/30+2:20+2",
    "80+2@12|60+2@12",
    "30+3x10",
    "30+5/25",
    "*40",
];

/// A running clock that is quiet for so long is asked, as the driver does.
const POLL: Duration = Duration::from_millis(1200);
/// Frames that get lost.
const LOST: Permille = Permille(60);

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
    falls: Vec<Fall>,
    performance: Performance,
    game: Game,
}

/// What the table is shown, and what truly happened meanwhile.
struct Hall {
    table: Table,
    raised: Vec<Incident>,
    dice: Rng,
    heard: Moment,
}

impl Hall {
    fn keep(&mut self, out: Vec<Effect>) {
        self.raised.extend(out.into_iter().filter_map(|effect| match effect {
            Effect::Raised(incident) => Some(*incident),
            _ => None,
        }));
    }

    fn until(&mut self, at: Moment) {
        while let Some((due, _)) = self.table.deadline().filter(|(due, _)| *due <= at) {
            let mut out = Vec::new();
            self.table.due(due, &mut out);
            self.keep(out);
        }
    }

    fn show(&mut self, at: Moment, happening: Happening) {
        self.until(at);
        let sighting = match happening {
            Happening::Board(placement) => Sighting::Position(placement),
            Happening::Square { square, piece } => Sighting::Square { square, piece },
            Happening::Clock(face) => {
                if self.dice.chance(LOST) {
                    return;
                }
                self.heard = at;
                Sighting::Clock(face)
            }
            Happening::NoClock | Happening::Disturbed(_) => return,
        };
        let mut out = Vec::new();
        self.table.sight(at, sighting, &mut out);
        self.keep(out);
    }
}

fn play(control: &str, seed: u64, flag: bool) -> Played {
    let game = random_game(seed, 50, Chess::default());
    let mut manner = Manner { control: control.parse().unwrap(), ..Manner::clumsy() };
    manner.tidy_up = false;
    if flag {
        manner.mishaps = vec![Mishap::FlagFall];
    }
    let performance = perform(&game, &manner, seed);
    let settings = Settings { control: Some(control.parse().unwrap()), ..Settings::default() };
    let table = Table::new(settings);
    let mut hall = Hall { table, raised: Vec::new(), dice: Rng::new(!seed), heard: Moment::ZERO };
    hall.table.line(true, &mut Vec::new());
    let clock = Clock::new(manner.control);
    let mut stage = Stage::of(Moment::ZERO, performance.clone(), clock, Pace::real());
    let falls = watch(&mut stage, &mut hall);
    let name = format!("{control}, seed {seed}, flag {flag}");
    Played { name, table: hall.table, raised: hall.raised, falls, performance, game }
}

/// Shows the table everything that happens on the stage, and notes every time that runs out.
fn watch(stage: &mut Stage, hall: &mut Hall) -> Vec<Fall> {
    let sides = [Colour::White, Colour::Black];
    let mut falls: Vec<Fall> = Vec::new();
    let mut periods = [0, 0];
    let mut last = Moment::ZERO;
    while let Some(at) = stage.next().filter(|_| !stage.over() || last.as_micros() == 0) {
        let poll = hall.heard + POLL;
        if poll < at {
            hall.heard = poll;
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

/// What an observer who knows everything would say of a fall; more than one answer where the move
/// was just being made.
fn consequences(played: &Played, fall: &Fall) -> Vec<&'static str> {
    let control = played.name.split(',').next().unwrap();
    let control: witness::TimeControl = control.parse().unwrap();
    let at = Duration::from_micros(fall.at.as_micros());
    let made = played.performance.made.iter().filter(|made| **made <= at).count();
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
    let position = played.game.positions().nth(made.wrapping_sub(1));
    let position = position.unwrap_or_else(|| played.game.start.clone());
    answers.push(match analyse(&position, !color, Effort::QUICK) {
        Verdict::Winnable(_) => "loss",
        Verdict::Unwinnable => "draw",
        Verdict::Undetermined => "undetermined",
    });
    answers
}

fn offences(played: &Played) -> Vec<String> {
    let mut problems = Vec::new();
    let told: Vec<_> = played.raised.iter().filter(|it| it.kind == Kind::FlagFall).collect();
    if told.len() != played.falls.len() {
        problems.push(format!("{} flags told of {:?}", told.len(), played.falls));
    }
    for (incident, fall) in told.iter().zip(&played.falls) {
        let color = if fall.side == Colour::White { Color::White } else { Color::Black };
        if incident.side != Some(color) {
            problems.push(format!("{:?} instead of {color:?}", incident.side));
        }
        let (above, zero) = incident.facts.between.unwrap();
        if above.is_none_or(|above| above > fall.at) || zero < fall.at {
            problems.push(format!("{above:?} to {zero:?} without {:?}", fall.at));
        }
        let answers = consequences(played, fall);
        if !incident.facts.consequence.as_deref().is_some_and(|it| answers.contains(&it)) {
            problems.push(format!(
                "{:?} instead of {answers:?}",
                incident.facts.consequence.as_deref()
            ));
        }
    }
    let missed = played.performance.done.iter().any(|(_, habit)| *habit == Habit::MissedPress);
    for incident in &played.raised {
        let false_alarm = match incident.kind {
            // A clock that counts presses is behind once one was left out.
            Kind::ClockSetting => !missed,
            Kind::ClockFault | Kind::ClockAdjusted | Kind::BothFlags => true,
            Kind::ClockLost | Kind::BoardLost | Kind::LowBattery | Kind::TimeTrouble => true,
            Kind::MissedPress => !missed,
            _ => false,
        };
        if false_alarm {
            problems.push(format!("{}: {}", incident.kind.name(), incident.text.en));
        }
    }
    problems.into_iter().map(|it| format!("{}: {it}", played.name)).collect()
}

/// Plays so many games in which a player lets his time run out, and as many others.
fn judge(games: u64) {
    let (mut problems, mut falls, mut none, mut unseen) = (Vec::new(), 0, 0, 0);
    for game in 0..2 * games {
        let control = CONTROLS[usize::try_from(game / 2).unwrap() % CONTROLS.len()];
        let played = play(control, 7000 + game, game % 2 == 0);
        falls += played.falls.len();
        none += usize::from(played.falls.is_empty());
        unseen += usize::from(played.table.score().plies().is_empty());
        problems.extend(offences(&played));
    }
    let (whole, wrong) = (2 * games, problems.len());
    println!("{whole} games, {falls} falls, {none} games without one, {wrong} problems");
    assert_eq!(unseen, 0, "games that were not seen at all");
    assert!(falls > 0 && none > 0, "{falls} {none}");
    assert!(problems.is_empty(), "{wrong} problems:\n{}", problems.join("\n"));
}

#[test]
fn every_flag_is_told_once_and_rightly_and_nothing_else_of_the_clock() {
    judge(36);
}

#[test]
#[ignore = "minutes: cargo test --release -p witness --test flags -- --ignored --nocapture"]
fn so_it_is_in_four_thousand_games() {
    judge(2000);
}
