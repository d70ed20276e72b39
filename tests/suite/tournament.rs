//! Virtual players over virtual boards, in virtual time, against the truth they know: every score
//! is the game that was played, and the arbiter hears of what went wrong and of nothing else.
//!
//! Models of clumsy hands, as `adoubed fidelity` measures them by the thousand, are played a few
//! times each: nothing may be wrong in silence.
//!
//! `ADOUBED_ROUNDS` plays that many seeds per game instead of a few. A failure names game and seed.

use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::lines::virtual_line;
use adoubed::venue::fidelity::{self, Class, Ending, Verdict};
use adoubed::works::{Act, Works};
use eboard::{Driver, Moment};
use rehearsal::{Clock, Game, Manner, Mishap, Pace, Performance, Permille, Stage};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, KnownOutcome, Outcome};
use std::time::Duration;
use witness::{Effect, Gravity, Incident, LineNo, TableNo};
use words::InWords as _;

/// What the daemon made of one game.
struct Made {
    moves: String,
    result: &'static str,
    alerts: Vec<Incident>,
    revisions: u32,
}

#[test]
fn tidy_hands_give_exact_scores_and_no_alert() {
    let manner = Manner { slides: Permille(0), adjusts: Permille(0), ..calm() };
    for (game, seed) in rounds() {
        let made = played(&dgt::DRIVER, &game, &manner, seed);
        made.must_be(&game, &manner, seed, &[]);
        assert_eq!(made.revisions, 0, "{} seed {seed}: nothing was ever wrong", name(&game));
    }
}

#[test]
fn sliding_and_adjusting_hands_give_exact_scores_and_no_alert() {
    let manner = Manner { slides: Permille(500), adjusts: Permille(100), ..calm() };
    for (game, seed) in rounds() {
        played(&dgt::DRIVER, &game, &manner, seed).must_be(&game, &manner, seed, &[]);
    }
}

#[test]
fn a_board_that_sends_only_whole_positions_and_has_no_clock_gives_exact_scores() {
    let manner = calm();
    for (game, seed) in rounds() {
        played(&chesslink::DRIVER, &game, &manner, seed).must_be(&game, &manner, seed, &[]);
    }
}

#[test]
fn an_illegal_move_or_a_fallen_flag_is_told_once_and_the_score_stays_exact() {
    let cases = [
        (Mishap::WrongGeometry, "illegal_move"),
        (Mishap::KingLeftInCheck, "illegal_move"),
        (Mishap::FlagFall, "flag_fall"),
    ];
    for (mishap, kind) in cases {
        let manner = Manner { mishaps: vec![mishap], ..calm() };
        for (game, seed) in rounds() {
            let happened = rehearsal::perform(&game, &manner, seed).truth.mishap.is_some();
            let expected: &[&str] = if happened { &[kind] } else { &[] };
            played(&dgt::DRIVER, &game, &manner, seed).must_be(&game, &manner, seed, expected);
        }
    }
}

/// Models of which every game must be exact.
const EXACT: [&str; 7] = [
    "tidy hands, clean wire, DGT",
    "clumsy hands, clean wire, DGT",
    "clumsy hands, clean wire, ChessLink, no clock",
    "clumsy hands, DGT bus asked every 0.25 s",
    "kings in the centre after every game, DGT",
    "Chess960, clumsy hands, clean wire, DGT",
    "clumsy hands, 0.1 % of frames harmed, DGT",
];

/// Models of which a game may stay in doubt.
const HONEST: [&str; 1] = ["clumsy hands, 0.1 % of frames harmed, unplugged 1-3 s, DGT"];

#[test]
fn clumsy_hands_and_signs_of_results_give_exact_scores() {
    each_game(&EXACT, |verdict| verdict.exact && verdict.accused == 0);
}

#[test]
fn what_a_cable_has_hidden_is_found_or_in_doubt() {
    each_game(&HONEST, |verdict| {
        verdict.count(Class::SilentlyWrong) == 0 && verdict.ending != Ending::Wrong
    });
}

/// Some games of these models; a failure prints the hands as a script.
#[track_caller]
fn each_game(names: &[&str], is_right: impl Fn(&Verdict) -> bool) {
    let models: Vec<_> =
        fidelity::models().into_iter().filter(|model| names.contains(&model.name)).collect();
    assert_eq!(models.len(), names.len(), "a model has another name");
    for model in models {
        for number in 1..=4 * seeds() {
            let right = is_right(&fidelity::judge(&model, number));
            assert!(right, "{}", fidelity::explain(&model, number, None));
        }
    }
}

impl Made {
    #[track_caller]
    fn must_be(&self, game: &Game, manner: &Manner, seed: u64, kinds: &[&str]) {
        let truth = rehearsal::perform(game, manner, seed).truth;
        let name = name(game);
        let moves: Vec<_> = game.moves[..truth.plies]
            .iter()
            .map(|mv| UciMove::from_move(*mv, CastlingMode::Standard).to_string())
            .collect();
        assert_eq!(self.moves, moves.join(" "), "{name}, seed {seed}");
        let raised: Vec<_> = self.alerts.iter().map(|incident| incident.kind.name()).collect();
        assert_eq!(raised, kinds, "{name}, seed {seed}: {:?}", self.texts());
        if let Outcome::Known(outcome) = truth.outcome {
            let result = match outcome {
                KnownOutcome::Draw => "1/2-1/2",
                decided => decided.as_str(),
            };
            assert_eq!(self.result, result, "{name}, seed {seed}");
        }
    }

    fn texts(&self) -> Vec<String> {
        self.alerts.iter().map(|incident| incident.text.en()).collect()
    }
}

fn calm() -> Manner {
    Manner { tidy_up: false, ..Manner::default() }
}

fn rounds() -> Vec<(Game, u64)> {
    let games = rehearsal::famous();
    (1..=seeds()).flat_map(|seed| games.clone().into_iter().map(move |game| (game, seed))).collect()
}

fn seeds() -> u64 {
    std::env::var("ADOUBED_ROUNDS").ok().and_then(|it| it.parse().ok()).unwrap_or(2)
}

fn name(game: &Game) -> String {
    format!("{} – {}", game.white, game.black)
}

fn played(driver: &'static Driver, game: &Game, manner: &Manner, seed: u64) -> Made {
    let performance = rehearsal::perform(game, manner, seed);
    let (happenings, end) = happenings(performance, manner);
    let mut works = Works::new(catalog::languages());
    let mut acts = Vec::new();
    for entry in opening(driver) {
        works.enter(Moment::ZERO, &entry, &mut acts);
    }
    for (at, entry) in virtual_line::heard(driver, happenings, end, LineNo::new(1)) {
        works.enter(at, &entry, &mut acts);
    }
    works.advance(end + Duration::from_secs(3), &mut acts);
    let score = works.hall().table(TableNo::new(1)).expect("the opening names it").score();
    let moves: Vec<_> = score.plies().iter().map(|ply| ply.uci.clone()).collect();
    Made {
        moves: moves.join(" "),
        result: score.result(),
        revisions: score.rev(),
        alerts: acts.into_iter().filter_map(raised).collect(),
    }
}

/// The performance begins when the driver has seen the board.
fn happenings(
    performance: Performance,
    manner: &Manner,
) -> (Vec<(Moment, rehearsal::Happening)>, Moment) {
    let begin = Moment::ZERO;
    let mut stage = Stage::of(begin, performance, Clock::new(manner.control), Pace::real());
    let mut all = Vec::new();
    let mut end = begin;
    while !stage.over() {
        let Some(at) = stage.next() else { break };
        all.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
        end = at;
    }
    (all, end + Duration::from_secs(6))
}

fn opening(driver: &Driver) -> [Entry; 2] {
    let port = "virtual".to_owned();
    let watch = Watch::default();
    let table = TableEntry::at(TableNo::new(1), &port, driver.name, &watch);
    let id = LineId::at(&port);
    let plan = Plan { tables: vec![table], watch, ..Plan::default() };
    [Entry::Planned(Box::new(plan)), Entry::Opened(LineNo::new(1), id)]
}

fn raised(act: Act) -> Option<Incident> {
    match act {
        // Notes are for the log and call nobody.
        Act::Table(_, _, Effect::Raised(incident)) if incident.gravity > Gravity::Note => {
            Some(*incident)
        }
        _ => None,
    }
}
