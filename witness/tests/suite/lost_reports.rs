//! Reports that never came, or came through damaged: what a board that can be asked puts right, and
//! what has to be worked out where it cannot.

use crate::common::Doors as _;
use crate::common::{Record, play_through};
use eboard::{Placement, Sighting, Square};
use rehearsal::Happening;
use witness::{Confidence, Kind, Settings, Table};

/// Long enough to find out that the board does not tell its whole position.
const OPENING: &str = "e2^ e4v | +2 e7^ e5v | +9";

fn square(name: &str) -> Square {
    Square::all().find(|it| it.to_string() == name).unwrap_or_else(|| panic!("{name}"))
}

/// Plays a script of which these reports of squares are lost, counted from 0 after the opening.
fn without(lost: &[usize], gestures: &str) -> Record {
    heard(gestures, |count, sighting| if lost.contains(&count) { vec![] } else { vec![sighting] })
}

/// The same with any harm; nothing of the opening is harmed.
fn heard(gestures: &str, mut harm: impl FnMut(usize, Sighting) -> Vec<Sighting>) -> Record {
    const OPENED: usize = 4;
    let mut reports = 0;
    let script = format!("{OPENING} {gestures}");
    play_through(&script, Settings::default(), |sighting| match sighting {
        Sighting::Square { .. } => {
            reports += 1;
            match reports {
                ..=OPENED => vec![sighting],
                _ => harm(reports - OPENED - 1, sighting),
            }
        }
        _ => vec![sighting],
    })
}

/// Tells the first so many reports after the opening otherwise, and all squares as they are with
/// the first sighting more than a second later.
fn put_right(gestures: &str, wrong: usize, instead: Sighting, moved: [&str; 2]) -> Record {
    let (mut reports, mut clocks, mut standing) = (0, 0, Placement::starting());
    let script = format!("{OPENING} {gestures}");
    play_through(&script, Settings::default(), |sighting| match &sighting {
        Sighting::Square { square, piece } => {
            standing[*square] = *piece;
            reports += 1;
            if reports == wrong { vec![instead.clone()] } else { vec![sighting] }
        }
        Sighting::Clock(_) => {
            clocks += usize::from(reports >= wrong);
            let dump = clocks == 2 && standing[square(moved[0])].is_none();
            let stands = dump && standing[square(moved[1])].is_some();
            let whole = stands.then_some(Sighting::Position(standing));
            whole.into_iter().chain([sighting]).collect()
        }
        _ => vec![sighting],
    })
}

fn inferred(record: &Record) -> usize {
    let plies = record.table.score().plies().iter();
    plies.filter(|ply| ply.confidence == Confidence::Inferred).count()
}

#[test]
fn a_piece_of_which_nobody_saw_the_lift_has_moved_all_the_same() {
    let record = without(&[0], "g1^ f3v | +3 b8^ c6v | +3 f1^ b5v | +3");
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6 f1b5");
    assert_eq!(inferred(&record), 1);
    assert_eq!(record.kinds(), Vec::<&str>::new());
}

#[test]
fn a_piece_of_which_nobody_saw_the_put_is_known_when_it_moves_on() {
    let record = without(&[1], "g1^ f3v | +3 b8^ c6v | +3 f3^ e5x e5v | +3 c6^ e5x e5v | +3");
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6 f3e5 c6e5");
    assert_eq!(record.table.incidents().count(), 0, "what was in doubt is so no longer");
}

#[test]
fn where_such_a_piece_went_is_a_doubt_until_then() {
    let record = without(&[1], "g1^ f3v | +3 b8^ c6v | +12");
    assert_eq!(record.moves(), "e2e4 e7e5");
    assert_eq!(record.kinds(), ["position_to_check"]);
    let candidates = &record.raised()[0].facts.candidates;
    assert_eq!(candidates, &["Ne2 Nc6", "Nf3 Nc6", "Nh3 Nc6"].map(str::to_owned));
}

#[test]
fn a_move_reported_as_another_one_is_reported_anew_when_the_piece_is_lifted_elsewhere() {
    let wrong = |count, sighting| match sighting {
        Sighting::Square { piece, .. } if count == 1 => {
            vec![Sighting::Square { square: square("d3"), piece }]
        }
        _ => vec![sighting],
    };
    let gestures = "f1^ c4v | +3 g8^ f6v | +3 c4^ f7x f7v | +3 e8^ f7x f7v | +3 h2^ h3v | +3
                    h7^ h6v | +3";
    let record = heard(gestures, wrong);
    assert_eq!(record.moves(), "e2e4 e7e5 f1c4 g8f6 c4f7 e8f7 h2h3 h7h6");
    assert_eq!(record.table.incidents().count(), 0, "what was in doubt is so no longer");
}

#[test]
fn of_a_piece_that_is_seen_on_two_squares_the_doubt_begins_with_its_move() {
    // Nobody heard the queen leave f3 again, and she is captured on g4.
    let gestures = "a2^ a3v | +3 g8^ f6v | +3 d1^ f3v +0.1 f3^ g4v | +3 f6^ g4x g4v | +3 a3^ a4v |";
    let record = without(&[6], &format!("{gestures} +3 h7^ h6v | +3"));
    let open: Vec<_> = record.table.incidents().collect();
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].kind, Kind::PositionToCheck);
    let before = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/P7/1PPP1PPP/RNBQKBNR w KQkq - 1 3";
    assert_eq!(open[0].facts.position.to_string(), before);
}

#[test]
fn pieces_are_not_being_put_up_while_both_players_press() {
    let record = without(&[1], "g1^ +0.05 f3v +0.05 | +0.05 b8^ +0.4 c6v | +8");
    assert_eq!(record.kinds(), ["displaced", "position_to_check"]);
}

#[test]
fn a_report_that_comes_twice_is_no_sign_of_a_piece_that_nobody_heard() {
    let twice = |_, sighting: Sighting| vec![sighting.clone(), sighting];
    let once = "g1^ f3v | +3 b8^ c6v | +3 f1^ b5v | +3 a7^ a6v | +3 b5^ c6x c6v | +3 d7^ c6x c6v |";
    let record = heard(once, twice);
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6");
    assert_eq!(record.kinds(), Vec::<&str>::new());
}

#[test]
fn what_the_board_tells_when_it_is_asked_revises_even_what_was_pressed_for() {
    let piece = Some(eboard::Piece::WhitePawn);
    let d3 = Sighting::Square { square: square("d3"), piece };
    let record = put_right("d2^ d4v | +4 b8^ c6v | +3", 6, d3, ["d2", "d4"]);
    assert_eq!(record.moves(), "e2e4 e7e5 d2d4 b8c6");
    assert_eq!(record.kinds(), Vec::<&str>::new());
}

#[test]
fn nobody_is_accused_before_the_board_was_asked() {
    let piece = Some(eboard::Piece::WhiteKnight);
    let g3 = Sighting::Square { square: square("g3"), piece };
    let record = put_right("g1^ f3v | +4 b8^ c6v | +3", 6, g3, ["g1", "f3"]);
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6");
    assert_eq!(record.kinds(), Vec::<&str>::new());
}

/// The board tells all its squares whenever the clock is read, but for the time from the first to
/// the last of these reports, of which the first is lost.
fn confirmed(gestures: &str, unconfirmed: std::ops::RangeInclusive<usize>) -> Record {
    let (mut reports, mut standing) = (0, Placement::starting());
    let script = format!("{OPENING} {gestures}");
    play_through(&script, Settings::default(), |sighting| match &sighting {
        Sighting::Square { square, piece } => {
            standing[*square] = *piece;
            reports += 1;
            if reports == *unconfirmed.start() { vec![] } else { vec![sighting] }
        }
        Sighting::Clock(_) if !unconfirmed.contains(&reports) => {
            vec![Sighting::Position(standing), sighting]
        }
        _ => vec![sighting],
    })
}

#[test]
fn a_correction_says_nothing_of_moves_that_the_board_has_confirmed_since() {
    // Nobody heard the knight leave f3; when that is put right, the squares are those after 1…e5.
    let record = confirmed("g1^ f3v | +3 b8^ c6v | +3 f3^ g1v | c6^ b8v +0.2 | +3", 9..=11);
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6 f3g1 c6b8");
    assert_eq!(record.kinds(), Vec::<&str>::new());
}

#[test]
fn a_board_is_asked_again_while_nothing_explains_what_it_tells() {
    // The knight comes down after the board has answered, and nobody hears of that.
    let record = without(&[1], "g1^ +5 f3v +9");
    let asked =
        record.effects.iter().filter(|(_, effect)| matches!(effect, witness::Effect::Survey));
    let asked: Vec<_> = asked.map(|(at, _)| *at).collect();
    let lifted = record.effects.iter().rev().find_map(|(at, effect)| match effect {
        witness::Effect::Event(witness::Event::Touched(_)) => Some(*at),
        _ => None,
    });
    let after = asked.iter().filter(|at| Some(**at) > lifted).count();
    assert!(after > 1, "asked {after} times since the lift");
}

#[test]
fn a_board_that_is_not_set_up_when_it_is_first_seen_is_asked_once_more() {
    let mut table = witness::Table::new(Settings::default());
    let mut damaged = Placement::starting();
    damaged[square("b4")] = Some(eboard::Piece::BlackRook);
    let mut out = Vec::new();
    table.sight(eboard::Moment::ZERO, Sighting::Position(damaged), &mut out);
    let (at, _) = table.deadline().unwrap();
    table.due(at, &mut out);
    assert!(out.iter().any(|effect| matches!(effect, witness::Effect::Survey)));
}

#[test]
fn nobody_is_accused_by_a_board_that_confirms_nothing() {
    let wrong = |count, sighting| match sighting {
        Sighting::Square { piece, .. } if count == 1 => {
            vec![Sighting::Square { square: square("g3"), piece }]
        }
        _ => vec![sighting],
    };
    let record = heard("g1^ f3v | +8", wrong);
    assert_eq!(record.kinds(), ["position_to_check"]);
}

#[test]
fn a_move_that_was_worked_out_stays_when_the_kings_tell_the_result() {
    let record = without(&[0], "g1^ f3v | +2 ~ +2 e4x e1^ e4v +0.3 e8^ d5v +3");
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3");
    assert_eq!(record.table.score().result(), "1-0");
}

#[test]
fn a_square_that_is_worn_is_reported_when_the_clock_is_started_over_the_set_up() {
    let (mut table, mut out) = (Table::new(Settings::default()), Vec::new());
    let mut standing = Placement::starting();
    standing[square("a7")] = None;
    table.line(eboard::Moment::ZERO, true, &mut out);
    let script = rehearsal::parse("e2^ e4v | e7^ e5v |").expect("a script");
    for (at, happening) in script.play() {
        let sighting = match happening {
            Happening::Board(_) => Sighting::Position(standing),
            Happening::Square { square, piece } => Sighting::Square { square, piece },
            Happening::Clock(face) => Sighting::Clock(face),
            _ => continue,
        };
        while let Some((due, _)) = table.deadline().filter(|(due, _)| *due <= at) {
            table.due(due, &mut out);
        }
        table.sight(at, sighting, &mut out);
    }
    let doubts: Vec<_> = table.incidents().collect();
    assert_eq!(doubts.len(), 1);
    assert_eq!(doubts[0].kind, Kind::PositionToCheck);
    assert_eq!(doubts[0].facts.squares, [shakmaty::Square::A7]);
}

#[test]
fn a_man_in_a_hand_when_the_clock_is_started_is_no_worn_square() {
    let record = play_through("a7^ +2 a7v e2^ e4v |", Settings::default(), |it| vec![it]);
    assert_eq!(record.kinds(), Vec::<&str>::new());
    assert_eq!(record.moves(), "e2e4");
}
