//! What eyes of each kind make of hands whose every act is known.

use super::*;
use crate::{Clock, Manner, Pace, Stage, famous, parse, perform};

fn truth(script: &str) -> Vec<(Moment, Happening)> {
    parse(script).unwrap().play()
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// The squares seen, as gestures would name them, and when.
fn squares(seen: &[(Moment, Happening)]) -> Vec<(String, u64)> {
    let named = |&(at, what): &(Moment, Happening)| match what {
        Happening::Square { square, piece } => {
            let piece = piece.map_or('.', Piece::letter);
            Some((format!("{square}{piece}"), at.as_micros() / 1000))
        }
        _ => None,
    };
    seen.iter().filter_map(named).collect()
}

fn names(seen: &[(Moment, Happening)]) -> Vec<String> {
    squares(seen).into_iter().map(|it| it.0).collect()
}

fn last_board(seen: &[(Moment, Happening)]) -> Placement {
    let mut board = Placement::EMPTY;
    for &(_, what) in seen {
        match what {
            Happening::Board(whole) => board = whole,
            Happening::Square { square, piece } => board[square] = piece,
            _ => {}
        }
    }
    board
}

fn clumsy_game(seed: u64) -> (Vec<(Moment, Happening)>, Placement) {
    let manner = Manner { tidy_up: false, ..Manner::clumsy() };
    let games = famous();
    let performance = perform(&games[seed as usize % games.len()], &manner, seed);
    let clock = Clock::new(manner.control);
    let mut stage = Stage::of(Moment::ZERO, performance, clock, Pace::real());
    let mut happened = Vec::new();
    while let Some(at) = stage.next().filter(|_| !stage.over()) {
        happened.extend(stage.due(at).into_iter().map(|what| (at, what)));
    }
    (happened, *stage.placement())
}

fn all_kinds(seed: u64) -> [Scan; 4] {
    let [whole, torn] = [Scan::whole(ms(300)), Scan::torn(ms(300))];
    let rolling = Scan::rolling(ms(222)).seeded(seed);
    [Scan::dgt(seed), whole.seeded(seed), torn.seeded(seed), rolling]
}

#[test]
fn a_slow_move_is_seen_within_a_scan_of_each_act() {
    for seed in 0..50 {
        let truth = truth("+1 e2^ +1 e4v +1 g8^ +1 f6v");
        let seen = Scan::dgt(seed).see(&truth);
        let expected = [("e2.", 2000), ("e4P", 3000), ("g8.", 4000), ("f6n", 5000)];
        for ((name, at), (wanted, from)) in squares(&seen).into_iter().zip(expected) {
            assert_eq!(name, wanted);
            assert!((from..=from + 250).contains(&at), "{name} at {at}, seed {seed}");
        }
        assert_eq!(squares(&seen).len(), 4);
    }
}

#[test]
fn a_quick_move_can_be_put_before_it_is_lifted() {
    let truth = truth("+1 d7^ +0.03 d5v +1 d5^ +0.03 d3v");
    let seen: Vec<_> = (0..200).map(|seed| names(&Scan::dgt(seed).see(&truth))).collect();
    let put_first = seen.iter().filter(|it| it[0] == "d5p").count();
    // d5 is looked at a quarter of a scan after d7, 50 to 62 ms: less 30 ms, of 200 to 250 ms.
    assert!((10..40).contains(&put_first), "{put_first}");
    assert!(seen.iter().all(|it| it.len() == 4));
}

#[test]
fn what_is_back_before_the_eye_comes_was_never_away() {
    let truth = truth("+1 e2^ +0.05 e2v");
    let seen = (0..200).filter(|&seed| names(&Scan::dgt(seed).see(&truth)).is_empty()).count();
    // Away for 50 of 200 to 250 ms.
    assert!((130..180).contains(&seen), "{seen}");
    let seen = Scan::dgt(1).see(&self::truth("+1 e2^ +0.26 e2v"));
    assert_eq!(names(&seen), ["e2.", "e2P"]);
}

#[test]
fn a_quick_exchange_is_a_replacement() {
    let truth = truth("# fen: 4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1\n+1 e4^ +1 d5x +0.02 d5v");
    let mut replaced = 0;
    for seed in 0..100 {
        match &names(&Scan::dgt(seed).see(&truth))[..] {
            [from, to] if from == "e4." && to == "d5P" => replaced += 1,
            [from, off, to] if from == "e4." && off == "d5." && to == "d5P" => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(replaced > 80, "{replaced}");
}

#[test]
fn a_slide_leaves_ghosts_on_some_of_its_squares() {
    let truth = truth("# fen: 4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n+1 a1>a8");
    let mut ghosts = Vec::new();
    for seed in 0..50 {
        let seen = names(&Scan::dgt(seed).see(&truth));
        assert_eq!(last_board(&Scan::dgt(seed).see(&truth)), last_board(&truth));
        ghosts.push(seen.iter().filter(|it| it.ends_with('R')).count() - 1);
    }
    // Each of the six squares between is held for 150 of 200 to 250 ms.
    assert!(ghosts.iter().all(|&it| it <= 6));
    let sum: usize = ghosts.iter().sum();
    assert!((150..260).contains(&sum), "{sum}");
}

#[test]
fn squares_are_looked_at_in_turn() {
    let dgt = Scan::dgt(3).see(&truth("+1 h1x +0 a8x +0 d4=Q"));
    let at: Vec<_> = squares(&dgt).into_iter().map(|it| it.1).collect();
    let spread = at.last().unwrap() - at[0];
    assert!(spread > 50 && spread < 250, "{spread}");
}

#[test]
fn faces_come_late_but_in_order_and_all() {
    for seed in 0..6 {
        let (truth, _) = clumsy_game(seed);
        let seen = Scan::dgt(seed).see(&truth);
        let [made, came] = [&truth, &seen].map(|of| faces(of).collect::<Vec<_>>());
        assert_eq!(made.len(), came.len());
        for (made, came) in made.iter().zip(came) {
            assert_eq!(made.1, came.1);
            assert!(came.0 >= made.0 && came.0.since(made.0) <= ms(250));
        }
        let [first, again] = [Scan::dgt(seed), Scan::dgt(seed)].map(|it| it.see(&truth));
        assert_eq!(first, again);
        assert_ne!(first, Scan::dgt(seed + 100).see(&truth));
    }
}

#[test]
fn in_the_end_every_eye_has_seen_what_stands() {
    for seed in 0..12 {
        let (truth, stands) = clumsy_game(seed);
        for scan in all_kinds(seed) {
            let seen = scan.see(&truth);
            assert_eq!(last_board(&seen), stands, "{scan:?}");
            assert!(seen.is_sorted_by_key(|it| it.0), "{scan:?}");
            assert!(
                matches!(seen[0].1, Happening::Board(board) if board == last_board(&truth[..1]))
            );
        }
    }
}

#[test]
fn whole_boards_come_at_their_rate_and_are_true_when_they_come() {
    for seed in 0..6 {
        let (truth, _) = clumsy_game(seed);
        let seen = Scan::whole(ms(300)).seeded(seed).see(&truth);
        let boards: Vec<_> = seen
            .iter()
            .filter_map(|&(at, what)| match what {
                Happening::Board(board) => Some((at, board)),
                _ => None,
            })
            .collect();
        assert!(boards.len() > 60);
        let phase = boards[1].0.as_micros() % 300_000;
        for &(at, board) in &boards[1..] {
            assert_eq!(at.as_micros() % 300_000, phase);
            let until = truth.partition_point(|it| it.0 <= at);
            assert_eq!(board, last_board(&truth[..until]));
        }
    }
}

#[test]
fn a_torn_board_is_half_before_and_half_after() {
    let truth = truth("+1 e2^ +0 e5v:P");
    let mut torn = [0; 3];
    for seed in 0..100 {
        let seen = Scan::torn(ms(300)).seeded(seed).see(&truth);
        let mut boards = seen.iter().filter_map(|it| match it.1 {
            Happening::Board(board) => Some(board),
            _ => None,
        });
        let pawns = |board: Placement| {
            Square::all().filter(|&it| board[it] == Some(Piece::WhitePawn)).count()
        };
        let second = boards.nth(1).unwrap();
        torn[pawns(second) - 7] += 1;
        assert_eq!(pawns(boards.next().unwrap_or(second)), 8);
    }
    // Before, whole, or twice there: each of them happens.
    assert!(torn.iter().all(|&it| it > 10), "{torn:?}");
}

#[test]
fn a_rolling_eye_comes_by_each_square_once_a_period() {
    let truth = truth("+1 e2^ +2 e2v");
    for seed in 0..50 {
        let seen = squares(&Scan::rolling(ms(400)).seeded(seed).see(&truth));
        let [(_, lifted), (_, put)] = &seen[..] else { panic!("{seen:?}") };
        assert!((2000..2400).contains(lifted), "{lifted}");
        // Two seconds are five periods, so the eye comes by as long after the one as the other.
        assert_eq!(put - lifted, 2000);
    }
}

#[test]
fn nothing_seen_of_nothing() {
    for scan in all_kinds(1) {
        assert_eq!(scan.see(&[]), []);
    }
    let truth = truth("e2^ e4v");
    assert_eq!(Scan::whole(Duration::ZERO).see(&truth).len(), truth.len());
}
