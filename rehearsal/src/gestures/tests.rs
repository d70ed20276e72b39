//! Scripts played and refused. Expectations are the table of the notation, worked out by hand.

use std::collections::BTreeMap;

use eboard::{ClockFace, FlagMark, Piece, Side, Square};

use super::*;

fn named(name: &str) -> Square {
    token::square(name).unwrap()
}

/// What happens on the squares, as text: milliseconds, square, letter or `-`.
fn squares(script: &str) -> Vec<String> {
    let script = parse(script).unwrap();
    let happenings = script.play().into_iter().filter_map(|(at, what)| match what {
        Happening::Square { square, piece } => {
            let letter = piece.map_or('-', Piece::letter);
            Some(format!("{} {square} {letter}", at.as_micros() / 1000))
        }
        _ => None,
    });
    happenings.collect()
}

/// The faces by the milliseconds at which they appear.
fn faces(script: &str) -> BTreeMap<u64, ClockFace> {
    let happenings =
        parse(script).unwrap().play().into_iter().filter_map(|(at, what)| match what {
            Happening::Clock(face) => Some((at.as_micros() / 1000, face)),
            _ => None,
        });
    happenings.collect()
}

fn error(script: &str) -> (usize, String, String) {
    let error = parse(script).unwrap_err();
    (error.line, error.token, error.wanted)
}

#[test]
fn a_script_begins_with_the_board_and_a_stopped_clock() {
    let script = parse("").unwrap();
    let played = script.play();
    assert_eq!(played.first(), Some(&(Moment::ZERO, Happening::Board(Placement::starting()))));
    let Some((Moment::ZERO, Happening::Clock(face))) = played.get(1) else {
        panic!("the second thing is the clock: {played:?}")
    };
    assert_eq!(face.left.time.to_string(), "1:30:30");
    assert_eq!((face.running, face.lever), (false, Side::Left));
    assert_eq!(script.end(), Moment::from_micros(3_000_000));
}

#[test]
fn gestures_are_four_tenths_apart_and_a_press_comes_after_twelve() {
    assert_eq!(squares("e2^ e4v"), ["1400 e2 -", "1800 e4 P"]);
    let faces = faces("# time_control: 300+3\ne2^ e4v |");
    // Started at 1.0 s; pressed 0.4 + 0.4 + 1.2 s later with 301 s left, and 3 s come with it.
    let shown = |ms: u64| {
        let face = faces[&ms];
        (face.left.time.to_string(), face.right.time.to_string(), face.running, face.lever)
    };
    assert_eq!(faces.keys().copied().collect::<Vec<_>>(), [0, 1000, 2000, 3000, 4000, 5000]);
    assert_eq!(shown(1000), ("0:05:03".into(), "0:05:03".into(), true, Side::Left));
    assert_eq!(shown(2000), ("0:05:02".into(), "0:05:03".into(), true, Side::Left));
    assert_eq!(shown(3000), ("0:05:04".into(), "0:05:03".into(), true, Side::Right));
    assert_eq!(shown(4000), ("0:05:04".into(), "0:05:02".into(), true, Side::Right));
}

#[test]
fn waiting_replaces_the_usual_gap_and_adds_up() {
    assert_eq!(squares("+0 e2^ +2.5 e4v"), ["1000 e2 -", "3500 e4 P"]);
    assert_eq!(squares("+1 +0.25 e2^ +0 d2^"), ["2250 e2 -", "2250 d2 -"]);
    assert_eq!(parse("e2^ e4v +10").unwrap().end(), Moment::from_micros(11_800_000));
    assert_eq!(parse("e2^ e4v").unwrap().end(), Moment::from_micros(3_800_000));
    assert_eq!(faces("e2^ +0 |").keys().nth(2), Some(&1400));
}

#[test]
fn the_piece_lifted_last_is_put_first_unless_it_is_named() {
    let fen = "# fen: 8/8/8/8/3N1p2/8/8/8 w - - 0 1\n";
    let last = squares(&format!("{fen} d4^ f4^ a1v b1v"));
    assert_eq!(last[2..], ["2200 a1 p", "2600 b1 N"]);
    let by_name = squares(&format!("{fen} d4^ f4^ a1v:N b1v:p"));
    assert_eq!(by_name[2..], ["2200 a1 N", "2600 b1 p"]);
}

#[test]
fn pieces_are_replaced_taken_off_and_brought_from_outside() {
    let fen = "# fen: 3r4/2P5/8/8/8/8/8/8 w - - 0 1\n";
    assert_eq!(squares(&format!("{fen} c7^ d8v d8=Q")), ["1400 c7 -", "1800 d8 P", "2200 d8 Q"]);
    assert_eq!(squares(&format!("{fen} d8x a1=k")), ["1400 d8 -", "1800 a1 k"]);
    // What was replaced or taken off is not in the air.
    assert_eq!(error(&format!("{fen} c7^ d8v a1v")).1, "a1v");
    assert_eq!(error(&format!("{fen} d8x a1v")).1, "a1v");
    assert_eq!(error(&format!("{fen} a1=k d8x b1v:r")).1, "b1v:r");
}

#[test]
fn a_slide_is_seen_on_every_square_for_150_ms() {
    let fen = "# fen: 8/8/8/8/8/8/8/R7 w - - 0 1\n";
    let slid = squares(&format!("{fen} a1>a4 |"));
    let expected = ["1400 a1 -", "1400 a2 R", "1550 a2 -", "1550 a3 R", "1700 a3 -", "1700 a4 R"];
    assert_eq!(slid, expected);
    assert!(faces(&format!("{fen} a1>a4 |")).contains_key(&2900));
    assert_eq!(squares(&format!("{fen} a1>b2")), ["1400 a1 -", "1400 b2 R"]);
}

#[test]
fn levers_go_down_as_told() {
    let own = faces("|");
    assert_eq!(own[&2200].lever, Side::Right);
    // White's time counts, so Black's lever is down already.
    let down = faces("|b");
    assert!(down.values().all(|face| face.lever == Side::Left));
    assert_eq!(faces("|w")[&2200].lever, Side::Right);
    let there_and_back = faces("|w +0 |b");
    assert_eq!(there_and_back[&2200].lever, Side::Left);
    assert_eq!(there_and_back[&2200].right.time.to_string(), "1:31:00");
}

#[test]
fn black_to_move_has_the_running_clock() {
    let faces = faces("# fen: 4k3/8/8/8/8/8/8/4K3 b - - 0 1\n+5 |");
    assert_eq!((faces[&0].lever, faces[&0].running), (Side::Right, false));
    assert_eq!((faces[&1000].lever, faces[&1000].running), (Side::Right, true));
    assert_eq!(faces[&6000].lever, Side::Left);
}

#[test]
fn clocks_stop_and_go_on() {
    let faces = faces("~ ! ~ +3 !");
    // A script that begins with ~ begins with a clock that was never started.
    assert_eq!(faces.keys().copied().collect::<Vec<_>>(), [0, 1800, 2200, 5200, 5800, 6800]);
    assert!(faces[&1800].running && !faces[&2200].running && faces[&5200].running);
    // 0.4 s had been used before the pause, so the next second ends 0.6 s after it.
    assert_eq!(faces[&5800].left.time.to_string(), "1:30:29");
}

#[test]
fn a_flag_falls_when_told() {
    let faces = faces("e2^ flag:w +3");
    let fallen = faces[&1800];
    assert_eq!((fallen.left.time.as_ms(), fallen.left.flag), (0, FlagMark::Final));
    assert!(!fallen.running);
    assert_eq!(faces.keys().last(), Some(&1800));
}

#[test]
fn a_flag_falls_by_itself_when_the_time_is_up() {
    let faces = faces("# time_control: 3\n+9 e2^");
    assert_eq!(faces[&4000].left.flag, FlagMark::Final);
    assert_eq!(faces.keys().last(), Some(&4000));
}

#[test]
fn headers_say_what_they_say() {
    let script = parse(
        "# A title, no key: 4.3.1\n# fen: 4k3/8/8/8/8/8/8/4K2R b - - 0 1\n# laws: 2018\n\
         # time_control: 180+2\n# rate: blitz ; remark\n# supervision: inadequate\n\
         # sensing: occupancy\n; nothing else",
    )
    .unwrap();
    let header = script.header();
    assert_eq!(header.fen.as_deref(), Some("4k3/8/8/8/8/8/8/4K2R b - - 0 1"));
    assert_eq!(header.laws, Some(Edition::E2018));
    assert_eq!(header.time_control.to_string(), "180+2");
    assert_eq!(header.rate, Some(Rate::Blitz));
    assert_eq!(header.supervision, Some(Supervision::Inadequate));
    assert_eq!(header.sensing, Sensing::Occupancy);
    assert_eq!(script.turn(), Colour::Black);
    assert_eq!(script.placement()[named("h1")], Some(Piece::WhiteRook));
}

#[test]
fn a_script_written_out_reads_the_same() {
    let texts = [
        "",
        "e2^ e4v | e7^ e5v |",
        "# set_up: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR\n a1^ b1^ b1v:N a1v:R",
        "# fen: r3k3/1P6/8/8/8/8/8/R3K2R w KQq - 0 1\n# laws: 2014\n# rate: rapid\n\
         # supervision: adequate\n# time_control: 300+3\n# sensing: occupancy\n\
         b7^ a8x a8v:P a8=Q |w +0.05 |b ~ +2.500001 ! a1>a7 e1^ +12 e2v flag:b flag:w +7",
    ];
    for text in texts {
        let script = parse(text).unwrap();
        let again = parse(&script.to_string()).unwrap();
        assert_eq!(again, script, "{script}");
    }
    assert_eq!(parse("e2^ e4v | e7^").unwrap().to_string().lines().count(), 4);
}

#[test]
fn what_is_no_token_is_refused_with_its_line() {
    let cases = [
        ("e2^ e4v\n\n  e9^", 3, "e9^", "a square: a letter"),
        ("e2", 1, "e2", "one of e2^"),
        ("e", 1, "e", "one of e2^"),
        ("é^", 1, "é^", "a square: a letter"),
        ("éé", 1, "éé", "one of e2^"),
        ("e2^^", 1, "e2^^", "one of e2^"),
        ("d8=X", 1, "d8=X", "a piece as in a FEN"),
        ("d8=", 1, "d8=", "a piece as in a FEN"),
        ("d8=QQ", 1, "d8=QQ", "a piece as in a FEN"),
        ("e2^ e4v::P", 1, "e4v::P", "a piece as in a FEN"),
        ("e2^ e4v:", 1, "e4v:", "a piece as in a FEN"),
        ("a1>a9", 1, "a1>a9", "a square: a letter"),
        ("|x", 1, "|x", "w or b"),
        ("flag:", 1, "flag:", "w or b"),
        ("result:*", 1, "result:*", "1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+ or -/-"),
        ("# min_draw_move: x", 1, "# min_draw_move: x", "a move"),
        ("+", 1, "+", "seconds"),
        ("+1e3", 1, "+1e3", "seconds"),
        ("+.5", 1, "+.5", "seconds"),
        ("+1.1234567", 1, "+1.1234567", "seconds"),
        ("2:|", 1, "2:|", "a gesture on a square after 2:"),
        ("2:e9^", 1, "2:e9^", "a square: a letter"),
        ("# second_board: mine", 1, "# second_board: mine", "white or black"),
        ("+99999999999999999999", 1, "+99999999999999999999", "seconds"),
        ("# laws: 2020", 1, "# laws: 2020", "2005 or 2014 or 2018 or 2023"),
        ("# fen: nonsense", 1, "# fen: nonsense", "a FEN"),
        ("# time_control: 40/60+3@2:60", 1, "# time_control: 40/60+3@2:60", "an increment"),
        ("# tempo: 300", 1, "# tempo: 300", "one of fen, set_up, castling, laws"),
        ("e2^\n# laws: 2018", 2, "# laws: 2018", "header lines before the first gesture"),
    ];
    for (text, line, token, wanted) in cases {
        let refused = error(text);
        assert_eq!((refused.0, refused.1.as_str()), (line, token));
        assert!(refused.2.starts_with(wanted), "{text}: {}", refused.2);
    }
}

#[test]
fn what_no_hand_can_do_is_refused() {
    let cases = [
        ("e4^", "a square with a piece: e4 is empty"),
        ("e4x", "a square with a piece: e4 is empty"),
        ("e4>e5", "a square with a piece: e4 is empty"),
        ("e4v", "a piece in the air: lift one first"),
        ("e2^ e4v e5v", "a piece in the air: lift one first"),
        ("e2^ e4v:N", "a piece in the air: no N is"),
        ("a1>a4", "a free way: a2 is occupied"),
        ("b1>c3", "two squares on one rank, file or diagonal"),
    ];
    for (text, wanted) in cases {
        assert_eq!(error(text).2, wanted, "{text}");
    }
    let shown = parse("e2^\ne4^").unwrap_err().to_string();
    assert_eq!(shown, "read line 2, `e4^`: wanted a square with a piece: e4 is empty");
}

#[test]
fn a_second_board_has_its_own_pieces_and_hands_but_the_same_time() {
    let script = parse("e2^ e4v | 2:e2^ 2:e4v 2:e7^ +1 e7^ e5v 2:e5v |").unwrap();
    assert_eq!(script.header().second_board, Some(Colour::Black));
    let happenings = |played: Vec<(Moment, Happening)>| {
        let squares = played.into_iter().filter_map(|(at, what)| match what {
            Happening::Square { square, piece } => {
                let letter = piece.map_or('-', Piece::letter);
                Some(format!("{} {square} {letter}", at.as_micros() / 1000))
            }
            _ => None,
        });
        squares.collect::<Vec<_>>()
    };
    assert_eq!(happenings(script.play()), ["1400 e2 -", "1800 e4 P", "5200 e7 -", "5600 e5 p"]);
    let second = ["3400 e2 -", "3800 e4 P", "4200 e7 -", "6000 e5 p"];
    assert_eq!(happenings(script.play_second()), second);
    let board = script.play_second().into_iter().next();
    assert_eq!(board, Some((Moment::ZERO, Happening::Board(Placement::starting()))));
    assert_eq!(parse("e2^ 2:e4v").unwrap_err().wanted, "a piece in the air: lift one first");
    assert_eq!(parse(&script.to_string()).unwrap(), script);
    assert!(parse("e2^ e4v |").unwrap().play_second().is_empty());
}

#[test]
fn what_an_arbiter_asks_for_has_its_moment_in_the_script() {
    let script = "e2^ e4v | ~ +2 adjourn +10 e4x e4=P +1 resume colours:right result:1/2-1/2";
    let script = parse(&format!("# castling: chess960\n# min_draw_move: 30\n{script}")).unwrap();
    assert_eq!(script.header().min_draw_move, 30);
    assert!(script.header().chess960);
    let asked = script.orders().iter().map(|(at, it)| format!("{} {it}", at.as_micros() / 1000));
    let asked: Vec<_> = asked.collect();
    assert_eq!(
        asked,
        ["5400 adjourn", "16800 resume", "17200 colours:right", "17600 result:1/2-1/2"]
    );
    assert_eq!(parse(&script.to_string()).unwrap(), script);
}

#[test]
fn a_time_control_is_written_as_in_the_configuration() {
    for control in ["-", "?", "40/9000", "40/5400+30:1800+10", "1500+5x60"] {
        let script = parse(&format!("# time_control: {control}\ne2^ e4v |")).unwrap();
        assert_eq!(script.header().time_control.to_string(), control);
        assert!(script.to_string().contains(&format!("# time_control: {control}\n")));
    }
    // Two periods of 150 minutes, by time: that clock counts no moves.
    assert_eq!(
        faces("# time_control: 40/9000\n+9000 e2^")[&9_001_000].left.time.as_ms(),
        9_000_000
    );
    let unclocked = |text: &str| {
        let happenings = parse(text).unwrap().play();
        happenings.iter().all(|(_, what)| !matches!(what, Happening::Clock(_)))
    };
    assert!(unclocked("# time_control: -\ne2^ e4v | +3"));
    assert!(unclocked("# time_control: ?\ne2^ e4v | +3"));
    assert!(!unclocked("# time_control: ?\n# clock: 300+3\ne2^ e4v | +3"));
}

#[test]
fn a_stage_is_over_when_the_hands_have_rested() {
    let script = parse("# time_control: 20\ne2^ e4v | +30").unwrap();
    let mut stage = script.stage(Moment::ZERO, crate::Pace::real());
    let mut last = None;
    while let Some(at) = stage.next().filter(|_| !stage.over()) {
        let faces = stage.due(at).into_iter().filter_map(|what| match what {
            Happening::Clock(face) => Some(face),
            _ => None,
        });
        last = faces.max_by_key(|face| face.left.time).or(last);
    }
    let flag = last.unwrap().right;
    assert_eq!(
        (flag.time, flag.flag),
        (eboard::FaceTime::ZERO, FlagMark::Final),
        "Black thought for 30 s"
    );
    assert_eq!(stage.due(script.end()), [], "nothing is left to come");
}
