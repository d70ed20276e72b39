//! What a board tells that only senses occupied squares: every line that fits is followed, and
//! where more than one does, somebody is told.

use std::time::Duration;

use crate::common::Doors as _;
use crate::common::{Record, play, play_through};
use eboard::{Moment, Occupancy, Placement, Sighting, Square as WireSquare};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, san::San};
use witness::{Confidence, Kind, Order, Phase, Settings, Table};

/// Whatever is waited for has come by then.
const SOON: Duration = Duration::from_secs(5);

/// Without presses, as such boards have no clock.
fn seen(fen: &str, script: &str) -> Record {
    play(&format!("# sensing: occupancy\n# fen: {fen}\n+3 {script}"))
}

fn doubts(record: &Record) -> usize {
    record.table.incidents().filter(|incident| incident.kind == Kind::PositionToCheck).count()
}

/// The knight may take on b5 or on d5, and nothing shows on which: only the pawn that is left goes
/// on later.
const FORK: &str = "4k3/8/8/1p1p4/8/2N5/4P3/4K3 w - - 0 1";

#[test]
fn a_capture_nobody_saw_is_reported_by_what_comes_after() {
    for (script, moves) in [
        ("c3^ d5v +4 b5^ b4v +4", "c3d5 b5b4"),
        ("c3^ b5v +4 d5^ d4v +4", "c3b5 d5d4"),
        ("c3^ d5v +4 e8^ d7v +4 d5^ f6v +4", "c3d5 e8d7 d5f6"),
        ("c3^ b5v +4 e8^ d7v +4 b5^ a7v +4", "c3b5 e8d7 b5a7"),
    ] {
        let record = seen(FORK, script);
        assert_eq!((record.moves().as_str(), doubts(&record)), (moves, 0), "{script}");
    }
}

#[test]
fn a_capture_nobody_saw_before_the_result_is_reported_with_both_readings() {
    let record = seen(FORK, "c3^ d5v +4 e1^ e4v +0.6 e8^ d5v +5");
    assert_eq!(record.table.score().plies().len(), 1);
    assert_eq!(record.table.score().result(), "1-0");
    let doubt = record.table.incidents().find(|it| it.kind == Kind::PositionToCheck).unwrap();
    assert!(
        doubt.facts.position.to_string().starts_with("4k3/8/8/1p1p4/8/2N5/4P3/4K3 w"),
        "{}",
        doubt.facts.position.to_string()
    );
    let mut lines = doubt.facts.candidates.clone();
    lines.sort();
    assert_eq!(lines, ["Nxb5", "Nxd5"]);
}

#[test]
fn a_captured_piece_that_was_lifted_leaves_no_doubt_before_the_result() {
    let record = seen(FORK, "c3^ +0.6 d5x +0.6 d5v +4 e1^ e4v +0.6 e8^ d5v +5");
    assert_eq!((record.moves().as_str(), doubts(&record)), ("c3d5", 0));
    assert_eq!(record.table.phase(), Phase::Ended);
}

#[test]
fn the_kings_walk_to_the_centre_is_no_move() {
    // Either king stands where its way to the sign is a legal move.
    let fen = "8/8/3k4/8/8/5K2/P7/8 w - - 0 1";
    let record = seen(fen, "a2^ a4v +4 f3^ e4v +0.6 d6^ d5v +5");
    assert_eq!((record.moves().as_str(), record.table.score().result()), ("a2a4", "1-0"));
    assert_eq!(doubts(&record), 0);
    // The king has moved there and stays there for the sign.
    let record = seen(fen, "f3^ e4v +4 ~ d6^ d5v +5");
    assert_eq!((record.moves().as_str(), record.table.score().result()), ("f3e4", "1-0"));
    // While a time counts that may be a move and an illegal reply.
    let record = seen(fen, "f3^ e4v +4 d6^ d5v +5");
    assert_eq!((record.moves().as_str(), record.table.score().result()), ("f3e4", "*"));
}

#[test]
fn what_is_adjusted_is_no_move() {
    let record = seen(FORK, "c3x +0.5 c3=N +1 e2x +0.5 e2=P +1 e2^ e4v +4 d5^ +0.6 e4x d5v:p +4");
    assert_eq!(record.moves(), "e2e4");
    let record =
        seen(FORK, "c3x +0.5 c3=N +1 e2x +0.5 e2=P +1 e2^ e4v +4 d5^ +0.6 e4x +0.6 e4v:p +4");
    assert_eq!((record.moves().as_str(), doubts(&record)), ("e2e4 d5e4", 0));
}

#[test]
fn an_answer_within_one_scan_is_two_moves() {
    let record = seen(FORK, "e2^ e4v d5^ +0.05 e4x +0.05 e4v:p +4 c3^ +0.6 e4x +0.6 e4v:N +4");
    assert_eq!((record.moves().as_str(), doubts(&record)), ("e2e4 d5e4 c3e4", 0));
}

#[test]
fn a_first_move_that_is_taken_back_is_none() {
    let record = seen(FORK, "e2^ e4v +2 e4^ e2v +25");
    assert_eq!((record.moves().as_str(), record.announced().as_str()), ("", "1 !1"));
}

/// Nobody sees what happens between: then the board shows all its squares again.
#[allow(clippy::unwrap_used)] // The scripts are written here.
fn seen_but_for(fen: &str, before: &str, unseen: &str, after: &str) -> Record {
    let script = format!("# sensing: occupancy\n# fen: {fen}\n+3 {before} {unseen} {after}");
    let changes = |part: &str| {
        let script = format!("# sensing: occupancy\n# fen: {fen}\n+3 {part}");
        rehearsal::parse(&script).unwrap().play().len() - 1
    };
    let out = changes(before)..changes(&format!("{before} {unseen}"));
    let position: shakmaty::fen::Fen = fen.parse().unwrap();
    let mut squares = Occupancy::default();
    for square in position.as_setup().board.occupied() {
        let square = u8::from(square);
        squares.set(WireSquare::at(square % 8, square / 8).unwrap(), true);
    }
    let mut heard = 0..;
    play_through(&script, Settings::default(), |sighting| {
        if let Sighting::Presence { square, occupied } = sighting {
            squares.set(square, occupied);
        }
        match heard.next() {
            Some(count) if out.contains(&count) => Vec::new(),
            Some(count) if count == out.end => vec![Sighting::Occupancy(squares)],
            _ => vec![sighting],
        }
    })
}

#[test]
fn a_game_adrift_ends_where_the_pieces_are_set_up_again() {
    let fen = "4k3/pppppppp/8/8/4N3/8/PPPPPPPP/4K3 w - - 0 20";
    let adrift = "e4^ +0.5 h6v +5 a2x b2x c2x d2x a7x b7x c7x d7x +70";
    let set_up = "h6x a2=P b2=P c2=P d2=P a7=p b7=p c7=p d7=p a1=R b1=N c1=B d1=Q f1=B g1=N h1=R \
                  a8=r b8=n c8=b d8=q f8=b g8=n h8=r +5";
    let record = seen(fen, &format!("{adrift} {set_up}"));
    assert!(record.began(Phase::Adrift).is_some());
    assert_eq!((record.table.phase(), record.moves().as_str()), (Phase::Ready, ""));
    let record = seen(fen, &format!("{adrift} {set_up} d2^ d4v +4"));
    assert_eq!((record.moves().as_str(), doubts(&record)), ("d2d4", 0));
}

#[test]
fn a_game_adrift_goes_on_from_where_an_arbiter_says() {
    let mut record = seen(FORK, "e2^ e4v +4 b5x c3x +70");
    assert_eq!(record.table.phase(), Phase::Adrift);
    assert_eq!(doubts(&record), 1);
    let mut out = Vec::new();
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1".parse::<shakmaty::fen::Fen>().unwrap();
    let mode = shakmaty::CastlingMode::Standard;
    let position = Box::new(fen.into_position(mode).unwrap());
    let mut now = Moment::ZERO + Duration::from_secs(120);
    record.table.order(now, Order::SetPosition { position, mode }, &mut out).unwrap();
    assert_eq!((record.table.phase(), doubts(&record)), (Phase::InPlay, 0));
    for (file, rank, occupied) in [(3, 4, false), (4, 3, false), (4, 3, true)] {
        now = now + Duration::from_millis(800);
        let square = WireSquare::at(file, rank).unwrap();
        record.table.sight(now, Sighting::Presence { square, occupied }, &mut out);
    }
    while let Some((at, _)) = record.table.deadline().filter(|it| it.0 < now + SOON) {
        record.table.due(at, &mut out);
    }
    assert_eq!((record.table.phase(), record.moves().as_str()), (Phase::InPlay, "d5e4"));
}

#[test]
fn moves_that_nobody_saw_are_inferred_when_one_line_remains() {
    for (unseen, after, moves) in [
        ("c3^ d5v +2 e8^ d7v", "b5^ b4v", "c3d5 e8d7 e2e4 b5b4"),
        ("c3^ b5v +2 e8^ d7v", "d5^ d4v", "c3b5 e8d7 e2e4 d5d4"),
    ] {
        // When the board is there again a pawn lies elsewhere: nothing explains that.
        let adrift = "+2 e2^ h6v +70 h6^ e2v +3 e2^ e4v +4";
        let record = seen_but_for(FORK, "", unseen, &format!("{adrift} {after} +4"));
        assert!(record.began(Phase::Adrift).is_some());
        let plies = record.table.score().plies();
        assert_eq!((record.moves().as_str(), doubts(&record)), (moves, 0));
        assert_eq!(plies[0].confidence, Confidence::Inferred, "{unseen}");
        assert_eq!(record.table.phase(), Phase::InPlay);
    }
    // The second of them had been reported as the first until the pawn moved.
    let record = seen_but_for(FORK, "", "c3^ b5v +2 e8^ d7v", "+3 e2^ e4v +4 d5^ d4v +4");
    assert_eq!((record.moves().as_str(), record.table.score().rev()), ("c3b5 e8d7 e2e4 d5d4", 1));
}

/// When which square was left (-) or came to be occupied (+), in milliseconds: kings that step to
/// and fro four times a second, as 1.e4 e5 2.d4 d5 3.Ke2 Ke7 4.Ke1 Ke8 5.Ke2 Ke7 6.Ke3 Ke6
/// and back.
const TO_AND_FRO: &str = "\
    820-e2 1209+e4 1348-e7 1403+e5 1927-d2 2538+d4 3342-d7 3842+d5 3956-e1 4372+e2 4428-e8 \
    4456+e7 4594-e2 4844+e1 4900-e7 5066-e1 5094+e8 5260+e2 5316-e8 5566+e7 5677+e3 5704-e2 \
    5788-e7 6037+e6 6121-e3 6259-e6 6370+e2 6454+e7 6592-e2 6842+e1 6898-e7 7064-e1 7092+e8 \
    7258+e2 7314-e8 7564+e7 7702-e2 7730+e1 7786-e7 7980+e8 8173-e1 8368+e2 8424-e8 8452+e7 \
    8590-e2 8785+e3 8896-e7 8923+e6 9007-e3 9256+e2 9367-e6 9562+e7 9700-e2 9728+e1 9784-e7 \
    9978+e8 10172-e1 10366+e2 10422-e8 10450+e7 10588-e2 10838+e1 10894-e7 11060-e1 11088+e8 \
    11254+e2 11310-e8 11560+e7 11671+e3 11698-e2 11782-e7 12031+e6 12115-e3 12364+e2 12448+e7 \
    12475-e6 12586-e2 12836+e1 12892-e7 13086+e8";

/// A repetition leads to the same position by fewer moves, too: what may have been played is told
/// from a position that all these lines have in common.
#[test]
fn lines_of_different_length_to_one_position_are_reported_from_where_they_part() {
    let mut table = Table::new(Settings::default());
    let mut out = Vec::new();
    table.line(Moment::ZERO, true, &mut out);
    let start = Placement::starting().occupancy();
    table.sight(Moment::ZERO, Sighting::Occupancy(start), &mut out);
    for record in TO_AND_FRO.split_whitespace() {
        let (at, square) = record.split_once(['+', '-']).unwrap();
        let at = Moment::from_micros(at.parse::<u64>().unwrap() * 1000);
        let name = square.as_bytes();
        let square = WireSquare::at(name[0] - b'a', name[1] - b'1').unwrap();
        while let Some((due, _)) = table.deadline().filter(|(due, _)| *due <= at) {
            table.due(due, &mut out);
        }
        let occupied = record.contains('+');
        table.sight(at, Sighting::Presence { square, occupied }, &mut out);
    }
    while let Some((due, _)) = table.deadline().filter(|(due, _)| due.as_micros() < 20_000_000) {
        table.due(due, &mut out);
    }
    let moves = table.score().plies().iter().map(|ply| ply.uci.as_str()).collect::<Vec<_>>();
    assert!(moves.join(" ").starts_with("e2e4 e7e5 d2d4 d7d5 e1e2 e8e7"), "{moves:?}");
    for doubt in table.incidents().filter(|it| it.kind == Kind::PositionToCheck) {
        let fen: Fen = doubt.facts.position.to_string().parse().unwrap();
        let start: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        for line in &doubt.facts.candidates {
            let mut position = start.clone();
            for san in line.split(' ') {
                let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
                position.play_unchecked(mv);
            }
        }
    }
}
