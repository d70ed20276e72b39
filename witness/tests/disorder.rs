//! How pieces are set up, and results that do not fit: what no gesture script can show, because it
//! begins with a game or needs an order.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use std::time::Duration;

use common::{Told, play_with};
use eboard::{
    ClockFace, Dial, FaceTime, FlagMark, Moment, Piece, Placement, Side, Sighting, Square,
};
use shakmaty::{Color, KnownOutcome};
use witness::laws::rate::Rate;
use witness::{Effect, Ending, Incident, Kind, Order, Phase, Settings, Table};

fn at(ms: u64) -> Moment {
    Moment::from_micros(ms * 1000)
}

fn clock(running: bool) -> Sighting {
    let dial = |s: u32| Dial {
        time: FaceTime::from_ms(s * 1000),
        flag: FlagMark::None,
        ..Dial::default()
    };
    Sighting::Clock(ClockFace {
        left: dial(300),
        right: dial(300),
        lever: Side::Left,
        running,
        low_battery: false,
    })
}

/// A table at which these squares are exchanged before the clock is started.
fn set_up(exchanged: &[(&str, &str)], settings: Settings) -> (Table, Vec<Incident>) {
    let mut placement = Placement::starting();
    let square = |name: &str| Square::all().find(|it| it.to_string() == name).unwrap();
    for (one, other) in exchanged {
        let (one, other) = (square(one), square(other));
        let piece: Option<Piece> = placement[one];
        placement[one] = placement[other];
        placement[other] = piece;
    }
    started(placement, settings)
}

fn started(placement: Placement, settings: Settings) -> (Table, Vec<Incident>) {
    let (mut table, mut out) = (Table::new(settings), Vec::new());
    table.line(true, &mut out);
    table.sight(at(0), Sighting::Position(placement), &mut out);
    table.due(at(500), &mut out);
    table.sight(at(1000), clock(false), &mut out);
    table.sight(at(2000), clock(true), &mut out);
    (table, raised(out))
}

fn raised(out: Vec<Effect>) -> Vec<Incident> {
    let raised = out.into_iter().filter_map(|effect| match effect {
        Effect::Raised(incident) => Some(*incident),
        _ => None,
    });
    raised.collect()
}

#[test]
fn king_and_queen_exchanged_are_told_and_the_game_is_followed() {
    let (mut table, told) = set_up(&[("d8", "e8")], Settings::default());
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].kind, told[0].article), (Kind::WrongStart, "7.2.1"));
    assert_eq!(told[0].text.en, "Set up wrongly: Black: king d8, queen e8.");
    assert_eq!(told[0].text.fr, "Mal placés : Les Noirs: le roi d8, la dame e8.");
    assert!(told[0].advice[0].en.contains("void"), "{:?}", told[0].advice);
    let mut out = Vec::new();
    for (ms, name, piece) in [(3000, "e2", None), (3400, "e4", Some(Piece::WhitePawn))] {
        let square = Square::all().find(|it| it.to_string() == name).unwrap();
        table.sight(at(ms), Sighting::Square { square, piece }, &mut out);
    }
    assert_eq!(table.score().plies()[0].uci, "e2e4");
    assert_eq!(table.phase(), Phase::InPlay);
}

#[test]
fn an_array_of_chess960_is_told_by_its_number() {
    let (table, told) = set_up(&[], Settings::default());
    assert!(told.is_empty() && table.phase() != Phase::Unset);
    let (table, told) = set_up(&[("b1", "a1"), ("b8", "a8")], Settings::default());
    assert_eq!(told[0].facts.reason, Some("chess960"), "{:?}", told[0].text);
    assert_eq!(table.score().mode(), shakmaty::CastlingMode::Chess960);
}

#[test]
fn in_rapid_a_wrong_start_stands_after_ten_moves() {
    let rapid = Settings { rate: Some(Rate::Rapid), ..Settings::default() };
    let (_, told) = set_up(&[("d1", "e1")], rapid);
    assert!(told[0].advice[0].en.contains("10 moves"), "{:?}", told[0].advice);
}

#[test]
fn a_board_that_lies_across_is_told() {
    let start = Placement::starting();
    let mut across = Placement::EMPTY;
    for square in Square::all() {
        across[Square::at(square.rank(), 7 - square.file()).unwrap()] = start[square];
    }
    let (table, told) = started(across, Settings::default());
    assert_eq!(told[0].facts.reason, Some("across"));
    assert_eq!(table.phase(), Phase::Unset);
}

fn ruled(mut told: Told, outcome: KnownOutcome) -> Vec<Kind> {
    let mut out = Vec::new();
    let ending = Ending { outcome, reason: "arbiter" };
    let now = Moment::ZERO + Duration::from_secs(3600);
    told.table.order(now, Order::SetResult(Some(ending)), &mut out).unwrap();
    raised(out).into_iter().map(|incident| incident.kind).collect()
}

#[test]
fn a_result_against_the_board_is_told() {
    let mate = "f2^ f3v | e7^ e5v | g2^ g4v | d8^ h4v +3";
    let white = KnownOutcome::Decisive { winner: Color::White };
    let black = KnownOutcome::Decisive { winner: Color::Black };
    let played = || play_with(mate, Settings::default());
    assert_eq!(ruled(played(), white), [Kind::ResultMismatch]);
    assert_eq!(ruled(played(), KnownOutcome::Draw), [Kind::ResultMismatch]);
    assert_eq!(ruled(played(), black), []);
}

#[test]
fn a_draw_before_the_event_allows_it_is_told() {
    let moves = "e2^ e4v | e7^ e5v |";
    let settings = Settings { min_draw_move: 30, ..Settings::default() };
    assert_eq!(ruled(play_with(moves, settings), KnownOutcome::Draw), [Kind::EarlyDraw]);
    assert_eq!(ruled(play_with(moves, Settings::default()), KnownOutcome::Draw), []);
    let white = KnownOutcome::Decisive { winner: Color::White };
    assert_eq!(ruled(play_with(moves, settings), white), []);
}
