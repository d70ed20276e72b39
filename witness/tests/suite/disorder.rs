//! How pieces are set up, and results that do not fit: what no gesture script can show, because it
//! begins with a game or needs an order.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use crate::common::Doors as _;
use crate::common::{Record, play_with};
use eboard::{
    ClockFace, Dial, FaceTime, FlagMark, Moment, Piece, Placement, Side, Sighting, Square,
};
use shakmaty::{Color, KnownOutcome};
use witness::laws::rate::Rate;
use witness::{
    Array, Edition, Effect, EndedBy, Ending, Gravity, Incident, Kind, Order, Phase, Round,
    Settings, State, Table,
};
use words::InWords as _;

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
    table.line(Moment::ZERO, true, &mut out);
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
fn king_and_queen_exchanged_are_reported_and_the_game_is_followed() {
    let (mut table, record) = set_up(&[("d8", "e8")], Settings::default());
    assert_eq!(record.len(), 1, "{record:?}");
    assert_eq!((record[0].kind, &*record[0].article), (Kind::WrongStart, "7.2.1"));
    assert_eq!(record[0].text.en(), "Set up wrongly. Black: king and queen swapped.");
    assert_eq!(record[0].text.fr(), "Pièces mal placées. Noirs\u{a0}: roi et dame intervertis.");
    assert!(record[0].advice[0].en().contains("void"), "{:?}", record[0].advice);
    let mut out = Vec::new();
    for (ms, name, piece) in [(3000, "e2", None), (3400, "e4", Some(Piece::WhitePawn))] {
        let square = Square::all().find(|it| it.to_string() == name).unwrap();
        table.sight(at(ms), Sighting::Square { square, piece }, &mut out);
    }
    assert_eq!(table.score().plies()[0].uci, "e2e4");
    assert_eq!(table.phase(), Phase::InPlay);
}

#[test]
fn an_array_of_chess960_is_reported_by_its_number() {
    let (table, record) = set_up(&[], Settings::default());
    assert!(record.is_empty() && table.phase() != Phase::Unset);
    let (table, record) = set_up(&[("b1", "a1"), ("b8", "a8")], Settings::default());
    assert_eq!(
        record[0].facts.detail.map(witness::Detail::name),
        Some("chess960"),
        "{:?}",
        record[0].text
    );
    assert_eq!(table.score().mode(), shakmaty::CastlingMode::Chess960);
}

#[test]
fn what_stands_wrongly_is_named_as_an_arbiter_would() {
    let record = |exchanged: &[(&str, &str)]| {
        let record = set_up(exchanged, Settings::default()).1.remove(0);
        (record.text, record.gravity)
    };
    let (text, _) = record(&[("g1", "f1")]);
    assert_eq!(text.en(), "Set up wrongly. White: bishop f1 and knight g1 swapped.");
    assert_eq!(text.fr(), "Pièces mal placées. Blancs\u{a0}: fou f1 et cavalier g1 intervertis.");
    let (text, _) = record(&[("a8", "d8")]);
    assert_eq!(text.fr(), "Pièces mal placées. Noirs\u{a0}: tour a8 et dame d8 interverties.");
    // Rook, knight and bishop have changed places in a ring.
    let (text, _) = record(&[("a1", "b1"), ("b1", "c1")]);
    assert_eq!(text.en(), "Set up wrongly. White: knight on a1, bishop on b1, rook on c1.");
    // Array 534 of Chess960, and what nobody means by it.
    let (text, gravity) = record(&[("d1", "e1"), ("d8", "e8")]);
    let both = "White: king and queen swapped; Black: king and queen swapped.";
    assert_eq!(text.en(), format!("The pieces stand as in Chess960, array 534. {both}"));
    assert_eq!(gravity, Gravity::Summon);
}

/// A table that is told what its game begins with, and what is raised when the clock is started.
fn announced(array: &Array, placement: Placement) -> (Table, Vec<Incident>) {
    let (mut table, mut out) = (Table::new(Settings::default()), Vec::new());
    table.line(Moment::ZERO, true, &mut out);
    let round = Round { array: Some(array.clone()), ..Round::default() };
    table.announce(at(0), round, &mut out);
    table.sight(at(100), Sighting::Position(placement), &mut out);
    table.due(at(600), &mut out);
    table.sight(at(1000), clock(false), &mut out);
    table.sight(at(2000), clock(true), &mut out);
    (table, raised(out))
}

fn array(fen: &str) -> Array {
    let fen: shakmaty::fen::Fen = fen.parse().unwrap();
    let mode = shakmaty::CastlingMode::Chess960;
    Array { position: fen.into_position(mode).unwrap(), mode }
}

fn placement(pieces: &str) -> Placement {
    let mut placement = Placement::EMPTY;
    let board = pieces.parse::<shakmaty::fen::Fen>().unwrap().into_setup().board;
    for square in Square::all() {
        let piece = board.piece_at(witness::to_shakmaty(square, false));
        placement[square] = piece.and_then(|it| Piece::from_letter(it.char()));
    }
    placement
}

#[test]
fn the_position_of_a_pairing_is_a_start_like_any_other_either_way_round() {
    // Knight odds: White plays without the knight of b1.
    let odds = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR";
    let start = array(&format!("{odds} w KQkq - 0 1"));
    let (table, record) = announced(&start, placement(odds));
    assert_eq!((table.score().start(), record.len()), (&start.position, 0), "{record:?}");
    let (table, record) = announced(&start, placement(odds).turned());
    assert_eq!((table.score().start(), table.turned()), (&start.position, true));
    assert_eq!((record[0].kind, record[0].gravity), (Kind::BoardTurned, Gravity::Note));
    let (table, record) = announced(&start, Placement::starting());
    assert_eq!(
        (record[0].kind, record[0].facts.detail.map(witness::Detail::name)),
        (Kind::WrongStart, Some("not_announced"))
    );
    assert_ne!(table.phase(), Phase::Unset, "the game is followed all the same");
}

#[test]
fn another_array_than_the_announced_one_is_a_wrong_start() {
    let start = array("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1");
    let (_, record) = announced(&start, placement("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN"));
    assert!(record.is_empty(), "{record:?}");
    // Rook and knight of the king's side have changed places: that is an array too.
    let other = placement("bqnbrknr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKNR");
    let (table, record) = announced(&start, other);
    assert_eq!((record[0].kind, record[0].gravity), (Kind::WrongStart, Gravity::Summon));
    let both = "White: rook g1 and knight h1 swapped; Black: rook g8 and knight h8 swapped";
    assert_eq!(record[0].text.en(), format!("Set up wrongly. {both}."));
    assert_eq!(table.phase(), Phase::InPlay);
}

/// A board that sees no pieces: what happens on it, in the squares of its wire.
fn on_a_blind_board(happens: &[(u64, &str, bool)]) -> (Table, Vec<Incident>) {
    let (mut table, mut out) = (Table::new(Settings::default()), Vec::new());
    table.line(Moment::ZERO, true, &mut out);
    let home = Placement::starting().occupancy();
    table.sight(at(0), Sighting::Occupancy(home), &mut out);
    for &(ms, name, occupied) in happens {
        while let Some((due, _)) = table.deadline().filter(|(due, _)| *due <= at(ms)) {
            table.due(due, &mut out);
        }
        let square = Square::all().find(|it| it.to_string() == name).unwrap();
        table.sight(at(ms), Sighting::Presence { square, occupied }, &mut out);
    }
    while let Some((due, _)) = table.deadline().filter(|(due, _)| *due <= at(30_000)) {
        table.due(due, &mut out);
    }
    (table, raised(out))
}

#[test]
fn the_first_move_tells_how_a_board_lies_that_sees_no_pieces() {
    let moves = |table: &Table| {
        table.score().plies().iter().map(|ply| ply.uci.clone()).collect::<Vec<_>>().join(" ")
    };
    let straight = [(2000, "e2", false), (2400, "e4", true)];
    let (table, record) = on_a_blind_board(&straight);
    assert_eq!((moves(&table).as_str(), table.turned(), record.len()), ("e2e4", false, 0));
    let turned = [
        (2000, "d7", false),
        (2400, "d5", true),
        (8000, "b1", false),
        (8400, "c3", true),
        (12_000, "g8", false),
        (12_400, "f6", true),
    ];
    let (table, record) = on_a_blind_board(&turned);
    assert_eq!((moves(&table).as_str(), table.turned()), ("e2e4 g8f6 b1c3", true));
    assert_eq!(record.len(), 1, "{record:?}");
    assert_eq!((record[0].kind, record[0].gravity), (Kind::BoardTurned, Gravity::Note));
    // A scan that shows the reply before the move is no sign of anything.
    let torn = [
        (2000, "e7", false),
        (2010, "e5", true),
        (2200, "d2", false),
        (2210, "d4", true),
        (9000, "g1", false),
        (9400, "f3", true),
    ];
    let (table, _) = on_a_blind_board(&torn);
    assert_eq!((moves(&table).as_str(), table.turned()), ("d2d4 e7e5 g1f3", false));
}

#[test]
fn in_rapid_that_nobody_supervises_a_wrong_start_stands_after_ten_moves() {
    let advice = |supervised, edition| {
        let rate = Some(Rate::Rapid);
        let settings = Settings { rate, supervised, edition, ..Settings::default() };
        let record = set_up(&[("d1", "e1")], settings).1.remove(0);
        record.advice.into_iter().map(|it| it.en()).collect::<Vec<_>>().join(" ")
    };
    let articles =
        [(Edition::Y2014, "A.4.a"), (Edition::Y2018, "A.4.1"), (Edition::Y2023, "A.5.1")];
    for (edition, article) in articles {
        let record = advice(false, edition);
        assert!(record.contains("10 moves") && record.contains(article), "{record}");
        let supervised = advice(true, edition);
        assert!(supervised.contains("void") && !supervised.contains("10 moves"), "{supervised}");
    }
}

/// White's and Black's knights go out and back, so many plies in all.
fn shuffle(table: &mut Table, from_ms: u64, plies: usize) -> Vec<Incident> {
    let ways = [("b1", "c3"), ("b8", "c6"), ("c3", "b1"), ("c6", "b8")];
    let square = |name: &str| Square::all().find(|it| it.to_string() == name).unwrap();
    let mut out = Vec::new();
    for (ply, (from, to)) in ways.into_iter().cycle().take(plies).enumerate() {
        let at_ms = from_ms + 3000 * ply as u64;
        let knight = if ply % 2 == 0 { Piece::WhiteKnight } else { Piece::BlackKnight };
        for (ms, name, piece) in [(at_ms, from, None), (at_ms + 400, to, Some(knight))] {
            while let Some((due, _)) = table.deadline().filter(|(due, _)| *due <= at(ms)) {
                table.due(due, &mut out);
            }
            table.sight(at(ms), Sighting::Square { square: square(name), piece }, &mut out);
        }
    }
    let end = at(from_ms + 3000 * plies as u64);
    while let Some((due, _)) = table.deadline().filter(|(due, _)| *due <= end) {
        table.due(due, &mut out);
    }
    raised(out)
}

#[test]
fn a_wrong_start_can_be_claimed_for_ten_moves_where_nobody_supervises() {
    let settings =
        |supervised| Settings { rate: Some(Rate::Blitz), supervised, ..Settings::default() };
    let lapsed = |record: &[Incident]| {
        record.iter().any(|it| it.kind == Kind::WrongStart && it.state == State::Lapsed)
    };
    for (supervised, plies, lapses) in [(false, 19, false), (false, 21, true), (true, 23, false)] {
        // A move is completed by the next one of the same player: nobody presses here.
        let (mut table, record) = set_up(&[("d8", "e8")], settings(supervised));
        assert_eq!(record[0].kind, Kind::WrongStart);
        let record = shuffle(&mut table, 3000, plies + 2);
        assert_eq!(lapsed(&record), lapses, "{supervised} {plies}");
    }
}

/// A board without a clock shows a wrong start with the first move.
#[test]
fn without_a_clock_a_wrong_start_is_reported_with_the_first_move() {
    let exchanged = |one: &str, other: &str| {
        let mut placement = Placement::starting();
        let square = |name: &str| Square::all().find(|it| it.to_string() == name).unwrap();
        let (one, other) = (square(one), square(other));
        (placement[one], placement[other]) = (placement[other], placement[one]);
        placement
    };
    let seen = |placement: Placement| {
        let (mut table, mut out) = (Table::new(Settings::default()), Vec::new());
        table.line(Moment::ZERO, true, &mut out);
        table.sight(at(0), Sighting::Position(placement), &mut out);
        assert!(raised(out).is_empty(), "a set-up alone is nobody's mistake");
        let record = shuffle(&mut table, 8000, 3);
        (table, record)
    };
    let (table, record) = seen(exchanged("d8", "e8"));
    let kinds: Vec<_> = record.iter().map(|it| (it.kind, it.move_number)).collect();
    assert_eq!(kinds, [(Kind::WrongStart, 1)]);
    assert_eq!(record[0].text.en(), "Set up wrongly. Black: king and queen swapped.");
    assert_eq!(table.score().plies().len(), 3);
    // Nobody can castle with a king that stood wrongly.
    assert!(table.score().start_fen().ends_with("w KQ - 0 1"), "{}", table.score().start_fen());
    // An array of Chess960 is followed from the beginning, and reported all the same.
    let (table, record) = seen(exchanged("a1", "h8"));
    assert!(record.is_empty() && table.score().plies().is_empty(), "no game begins so: {record:?}");
    let (table, record) = seen(Placement::starting());
    assert!(record.is_empty() && table.score().plies().len() == 3);
}

#[test]
fn a_board_that_lies_across_is_reported() {
    let start = Placement::starting();
    let mut across = Placement::EMPTY;
    for square in Square::all() {
        across[Square::at(square.rank(), 7 - square.file()).unwrap()] = start[square];
    }
    let (table, record) = started(across, Settings::default());
    assert_eq!((record[0].kind, &*record[0].article), (Kind::BoardTurned, "7.2.2"));
    assert_eq!(
        (record[0].facts.detail.map(witness::Detail::name), record[0].gravity),
        (Some("across"), Gravity::Summon)
    );
    assert_eq!(table.phase(), Phase::Unset);
}

fn ruled(mut record: Record, outcome: KnownOutcome) -> Vec<Kind> {
    let mut out = Vec::new();
    let ending = Ending { outcome: outcome.into(), reason: EndedBy::Arbiter };
    let now = Moment::ZERO + Duration::from_secs(3600);
    record.table.order(now, Order::SetResult(Some(ending)), &mut out).unwrap();
    raised(out).into_iter().map(|incident| incident.kind).collect()
}

#[test]
fn a_result_against_the_board_is_reported() {
    let mate = "f2^ f3v | e7^ e5v | g2^ g4v | d8^ h4v +3";
    let white = KnownOutcome::Decisive { winner: Color::White };
    let black = KnownOutcome::Decisive { winner: Color::Black };
    let played = || play_with(mate, Settings::default());
    assert_eq!(ruled(played(), white), [Kind::ResultMismatch]);
    assert_eq!(ruled(played(), KnownOutcome::Draw), [Kind::ResultMismatch]);
    assert_eq!(ruled(played(), black), []);
}

#[test]
fn a_draw_before_the_event_allows_it_is_reported() {
    let moves = "e2^ e4v | e7^ e5v |";
    let settings = Settings { min_draw_move: 30, ..Settings::default() };
    assert_eq!(ruled(play_with(moves, settings), KnownOutcome::Draw), [Kind::EarlyDraw]);
    assert_eq!(ruled(play_with(moves, Settings::default()), KnownOutcome::Draw), []);
    let white = KnownOutcome::Decisive { winner: Color::White };
    assert_eq!(ruled(play_with(moves, settings), white), []);
}
