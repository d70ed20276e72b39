//! The line was out, and moves were made meanwhile: what the clock tells of them, and what nobody
//! can tell.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use eboard::{ClockFace, Dial, FaceTime, Moment, Piece, Placement, Side, Sighting, Square};
use shakmaty::Color;
use witness::{Confidence, Input, Kind, Part, Settings, Status, Table};

/// A board and a clock with two seconds for each press.
struct Desk {
    table: Table,
    now: Moment,
    standing: Placement,
    clock: bool,
}

impl Desk {
    /// 1. e4 e5 has been played and pressed for, and White thinks.
    fn opened(clock: bool) -> Self {
        let control = Some("180+2".parse().unwrap());
        let table = Table::new(Settings { control, ..Settings::default() });
        let mut desk = Self { table, now: Moment::ZERO, standing: Placement::starting(), clock };
        desk.enters(Input::Line(Part::BOARD, true));
        desk.whole().shows(180, 180, Color::White);
        desk.moves("e2", "e4", Piece::WhitePawn).shows(180, 180, Color::Black);
        desk.moves("e7", "e5", Piece::BlackPawn).shows(180, 180, Color::White);
        desk.shows(179, 180, Color::White);
        desk
    }

    /// The line is out for eight seconds, in which the bishop came to b5 and a pawn to a6.
    fn unplugged(mut self, white: u32, black: u32, counts: Color) -> Self {
        self.out(8.0).stands("f1", "b5", Piece::WhiteBishop).stands("a7", "a6", Piece::BlackPawn);
        self.whole().shows(white, black, counts).wait(3.0);
        self
    }

    fn enters(&mut self, input: Input) {
        self.table.handle(self.now, input, &mut Vec::new()).unwrap();
    }

    /// The line is out for so long.
    fn out(&mut self, seconds: f64) -> &mut Self {
        self.enters(Input::Line(Part::BOARD, false));
        self.wait(seconds);
        self.enters(Input::Line(Part::BOARD, true));
        self
    }

    fn tells(&mut self, name: &str, piece: Option<Piece>) -> &mut Self {
        self.standing[square(name)] = piece;
        self.sight(Sighting::Square { square: square(name), piece });
        self
    }

    fn stands(&mut self, from: &str, to: &str, piece: Piece) -> &mut Self {
        self.standing[square(from)] = None;
        self.standing[square(to)] = Some(piece);
        self
    }

    fn moves(&mut self, from: &str, to: &str, piece: Piece) -> &mut Self {
        for (name, piece) in [(from, None), (to, Some(piece))] {
            self.standing[square(name)] = piece;
            self.sight(Sighting::Square { square: square(name), piece });
        }
        self
    }

    fn whole(&mut self) -> &mut Self {
        self.sight(Sighting::Position(self.standing));
        self
    }

    /// A second later the clock shows this.
    fn shows(&mut self, white: u32, black: u32, counts: Color) -> &mut Self {
        self.wait(1.0);
        if self.clock {
            self.sight(Sighting::Clock(face(white, black, counts)));
        }
        self
    }

    /// The clock is stopped, and shows this.
    fn stops(&mut self, white: u32, black: u32, counts: Color) -> &mut Self {
        let face = face(white, black, counts);
        self.sight(Sighting::Clock(ClockFace { running: false, ..face }));
        self
    }

    fn sight(&mut self, sighting: Sighting) {
        self.enters(Input::Seen(Part::BOARD, sighting));
    }

    fn wait(&mut self, seconds: f64) -> &mut Self {
        let until = self.now + Duration::from_secs_f64(seconds);
        while let Some((at, _)) = self.table.deadline().filter(|(at, _)| *at <= until) {
            self.table.handle(at, Input::Due, &mut Vec::new()).unwrap();
        }
        self.now = until;
        self
    }

    fn moves_told(&self) -> String {
        let sans = self.table.score().plies().iter().map(|ply| ply.san.as_str());
        sans.collect::<Vec<_>>().join(" ")
    }

    /// What may have been played instead, and from where, if that is told.
    fn doubt(&self) -> Option<(String, Vec<String>)> {
        let open = self.table.incidents().find(|it| it.kind == Kind::PositionToCheck)?;
        Some((open.facts.position.to_string().clone(), open.facts.candidates.clone()))
    }
}

fn face(white: u32, black: u32, counts: Color) -> ClockFace {
    let dial = |s| Dial { time: FaceTime::from_ms(s * 1000), ..Dial::default() };
    let lever = if counts == Color::Black { Side::Right } else { Side::Left };
    let (left, right) = (dial(white), dial(black));
    ClockFace { left, right, running: true, lever, low_battery: false }
}

fn square(name: &str) -> Square {
    Square::all().find(|it| it.to_string() == name).unwrap()
}

#[test]
fn as_many_moves_were_made_as_the_clock_was_pressed_for() {
    // Nine seconds, and two presses that bring two each.
    let desk = Desk::opened(true).unplugged(177, 177, Color::White);
    assert_eq!(desk.moves_told(), "e4 e5 Bb5 a6");
    assert_eq!(desk.table.score().plies()[2].confidence, Confidence::Inferred);
    assert_eq!(desk.doubt(), None);
}

#[test]
fn the_shortest_line_is_not_reported_where_the_clock_was_pressed_once_more() {
    let desk = Desk::opened(true).unplugged(178, 178, Color::Black);
    assert_eq!(desk.table.score().plies().len(), 5);
    let (after, mut candidates) = desk.doubt().unwrap();
    candidates.sort_unstable();
    assert_eq!(candidates, ["Bc4 a6 Bb5", "Bd3 a6 Bb5", "Be2 a6 Bb5"]);
    assert_eq!(after, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
}

/// Three moves are made in five seconds, and pressed for; then nothing happens.
fn told_after_three_moves(desk: &mut Desk) -> (String, Vec<String>) {
    desk.whole().shows(180, 180, Color::Black).wait(3.0);
    let candidates = desk.doubt().map_or(Vec::new(), |(_, candidates)| candidates);
    (desk.moves_told(), candidates)
}

#[test]
fn two_moves_of_a_player_may_have_come_in_either_order_where_nothing_tells() {
    let mut desk = Desk::opened(true);
    desk.out(4.0).stands("g1", "f3", Piece::WhiteKnight).stands("a7", "a6", Piece::BlackPawn);
    desk.stands("b1", "c3", Piece::WhiteKnight);
    let (_, mut candidates) = told_after_three_moves(&mut desk);
    candidates.sort_unstable();
    assert_eq!(candidates, ["Nc3 a6 Nf3", "Nf3 a6 Nc3"]);
}

#[test]
fn what_the_board_reported_first_after_an_outage_came_before_what_it_reported_later() {
    let mut desk = Desk::opened(true);
    desk.out(4.0).stands("g1", "f3", Piece::WhiteKnight).whole();
    desk.stands("a7", "a6", Piece::BlackPawn).stands("b1", "c3", Piece::WhiteKnight);
    assert_eq!(told_after_three_moves(&mut desk), ("e4 e5 Nf3 a6 Nc3".into(), Vec::new()));
}

#[test]
fn what_was_put_down_unheard_was_put_there_before_what_was_heard() {
    let mut desk = Desk::opened(true);
    desk.out(4.0).stands("g1", "f3", Piece::WhiteKnight);
    desk.moves("a7", "a6", Piece::BlackPawn).wait(0.5).moves("b1", "c3", Piece::WhiteKnight);
    desk.wait(0.5).moves("h7", "h6", Piece::BlackPawn).wait(0.2);
    desk.whole().shows(180, 181, Color::White).wait(3.0);
    assert_eq!((desk.moves_told().as_str(), desk.doubt()), ("e4 e5 Nf3 a6 Nc3 h6", None));
}

#[test]
fn a_piece_came_by_the_square_that_is_left_although_nothing_was_known_to_stand_there() {
    let mut desk = Desk::opened(true);
    desk.out(3.0).stands("f1", "c4", Piece::WhiteBishop).stands("a7", "a6", Piece::BlackPawn);
    desk.shows(179, 180, Color::White)
        .wait(0.4)
        .tells("c4", None)
        .tells("b5", Some(Piece::WhiteBishop));
    desk.wait(0.2);
    assert_eq!(told_after_three_moves(&mut desk), ("e4 e5 Bc4 a6 Bb5".into(), Vec::new()));
}

#[test]
fn a_square_that_is_left_in_passing_tells_nothing() {
    let mut desk = Desk::opened(true);
    desk.out(4.0).stands("f1", "d3", Piece::WhiteBishop).stands("a7", "a6", Piece::BlackPawn);
    desk.tells("c4", None).wait(0.1).stands("d3", "b5", Piece::WhiteBishop);
    desk.tells("b5", Some(Piece::WhiteBishop));
    let (_, mut candidates) = told_after_three_moves(&mut desk);
    candidates.sort_unstable();
    assert_eq!(candidates, ["Bc4 a6 Bb5", "Bd3 a6 Bb5", "Be2 a6 Bb5"]);
}

#[test]
fn a_piece_that_is_in_the_hand_when_the_line_breaks_was_likely_moved_first() {
    let mut desk = Desk::opened(true);
    desk.tells("g1", None).out(4.0).stands("g1", "f3", Piece::WhiteKnight);
    desk.stands("a7", "a6", Piece::BlackPawn).stands("b1", "c3", Piece::WhiteKnight);
    // It may have been put straight, and another one moved.
    let candidates = ["Nf3 a6 Nc3", "Nc3 a6 Nf3"].map(String::from).to_vec();
    assert_eq!(told_after_three_moves(&mut desk), ("e4 e5 Nf3 a6 Nc3".into(), candidates));
}

#[test]
fn without_a_clock_nobody_knows_how_many_moves_were_made() {
    let desk = Desk::opened(false).unplugged(0, 0, Color::White);
    assert_eq!(desk.moves_told(), "e4 e5 Bb5 a6");
    let (after, candidates) = desk.doubt().unwrap();
    // The line went out right after the last move was seen: the pawn may have gone elsewhere.
    assert_eq!(candidates, ["e5 Bb5 a6"]);
    assert_eq!(after, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

#[test]
fn what_was_worked_out_and_answered_is_completed() {
    let completed = |desk: &Desk| {
        let plies = desk.table.score().plies();
        plies.iter().map(|ply| ply.status == Status::Completed).collect::<Vec<_>>()
    };
    let pressed = Desk::opened(true).unplugged(177, 177, Color::White);
    assert_eq!(completed(&pressed), [true, true, true, true]);
    // Black's time counts: his answer is still to be pressed for.
    let answered = Desk::opened(true).unplugged(178, 174, Color::Black);
    assert_eq!(answered.moves_told(), "e4 e5 Bb5 a6");
    assert_eq!(completed(&answered), [true, true, true, false]);
}

#[test]
fn where_a_piece_went_while_the_line_was_out_is_known_when_it_moves_on_though_nobody_can_be_asked()
{
    let mut desk = Desk::opened(true);
    desk.wait(12.0);
    desk.sight(Sighting::Square { square: square("g1"), piece: None });
    desk.out(3.0).shows(166, 180, Color::Black);
    desk.moves("b8", "c6", Piece::BlackKnight).shows(166, 181, Color::White);
    desk.moves("a2", "a3", Piece::WhitePawn).shows(167, 181, Color::Black);
    desk.moves("a7", "a6", Piece::BlackPawn).shows(167, 182, Color::White);
    desk.wait(6.0);
    assert_eq!(desk.moves_told(), "e4 e5", "the knight may stand on any of three squares");
    desk.moves("f3", "e5", Piece::WhiteKnight).shows(163, 182, Color::Black);
    desk.moves("c6", "e5", Piece::BlackKnight).shows(163, 183, Color::White);
    assert_eq!(desk.moves_told(), "e4 e5 Nf3 Nc6 a3 a6 Nxe5 Nxe5");
}

#[test]
fn a_press_that_is_heard_before_the_squares_are_reported_completes_no_move_seen_before_the_outage()
{
    let mut desk = Desk::opened(true);
    // The queen slides on over g4 while nobody watches; the press is heard before she is seen.
    desk.moves("d1", "g4", Piece::WhiteQueen).out(1.0).shows(177, 180, Color::White);
    desk.shows(178, 180, Color::Black).wait(0.4);
    desk.stands("g4", "f3", Piece::WhiteQueen).whole().wait(0.4);
    desk.moves("b8", "c6", Piece::BlackKnight).shows(178, 181, Color::White).wait(3.0);
    assert_eq!(desk.moves_told(), "e4 e5 Qf3 Nc6");
    assert_eq!(desk.doubt(), None);
}

#[test]
fn a_piece_that_is_put_back_after_an_outage_is_not_the_last_that_moved() {
    let mut desk = Desk::opened(true);
    desk.moves("h2", "h4", Piece::WhitePawn).shows(178, 180, Color::Black);
    // Black plays d6 and White d4, who drags his other pawn to and fro before he presses.
    desk.out(2.0).stands("d7", "d6", Piece::BlackPawn).stands("d2", "d4", Piece::WhitePawn);
    desk.stands("h4", "h5", Piece::WhitePawn).whole().wait(0.2);
    desk.tells("h5", None).shows(178, 178, Color::White);
    desk.tells("h4", Some(Piece::WhitePawn)).shows(178, 178, Color::Black).wait(3.0);
    assert_eq!(desk.moves_told(), "e4 e5 h4 d6 d4");
}

#[test]
fn an_exchange_on_one_square_is_found_in_every_order() {
    let mut desk = Desk::opened(true);
    desk.moves("c2", "c4", Piece::WhitePawn).shows(179, 180, Color::Black);
    desk.moves("c7", "c6", Piece::BlackPawn).shows(179, 181, Color::White);
    desk.moves("g1", "f3", Piece::WhiteKnight).shows(180, 181, Color::Black);
    desk.moves("d7", "d5", Piece::BlackPawn).shows(180, 182, Color::White).wait(3.0);
    // A black pawn stands on d5 before and after, though another one.
    desk.out(5.0).stands("e4", "d5", Piece::WhitePawn).stands("c6", "d5", Piece::BlackPawn);
    desk.stands("a2", "a3", Piece::WhitePawn).stands("a7", "a6", Piece::BlackPawn);
    desk.whole().shows(178, 183, Color::White).wait(3.0);
    let (_, mut candidates) = desk.doubt().unwrap();
    candidates.sort_unstable();
    assert_eq!(candidates, ["a3 a6 exd5 cxd5", "exd5 a6 a3 cxd5", "exd5 cxd5 a3 a6"]);
}

#[test]
fn what_had_been_worked_out_is_worked_out_anew_when_a_captured_piece_is_put_down_again() {
    let mut desk = Desk::opened(true);
    desk.moves("g1", "h3", Piece::WhiteKnight).shows(179, 180, Color::Black);
    desk.moves("d8", "f6", Piece::BlackQueen).shows(179, 181, Color::White).wait(3.0);
    // Ng5, Qg6 and a3; the queen is in Black's hand when the board is seen again.
    desk.out(5.0).stands("h3", "g5", Piece::WhiteKnight).stands("a2", "a3", Piece::WhitePawn);
    desk.standing[square("f6")] = None;
    desk.whole().shows(177, 180, Color::Black).wait(3.0);
    assert_eq!(desk.moves_told(), "e4 e5 Nh3 Qf6 a3 Qg5 Nxg5");
    desk.tells("h5", Some(Piece::BlackQueen)).shows(177, 178, Color::White).wait(3.0);
    let moves = desk.moves_told();
    assert!(moves.ends_with("Qh5"), "{moves}");
    assert_eq!(desk.table.score().plies().len(), 8);
    assert!(desk.doubt().is_some(), "nobody saw where the queen went first");
}

#[test]
fn a_board_that_does_not_tell_its_squares_after_an_outage_is_doubted_though_nothing_moves() {
    let mut desk = Desk::opened(true);
    desk.moves("g1", "f3", Piece::WhiteKnight).shows(179, 180, Color::Black);
    desk.out(2.0).shows(179, 176, Color::Black).wait(2.0);
    assert_eq!(desk.doubt(), None, "it has been asked and may still answer");
    desk.wait(2.0);
    let (after, _) = desk.doubt().unwrap();
    assert_eq!(after, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
}

#[test]
fn what_such_a_board_tells_meanwhile_is_looked_at_when_the_waiting_is_over() {
    let mut desk = Desk::opened(true);
    desk.moves("g1", "f3", Piece::WhiteKnight).shows(179, 180, Color::Black);
    desk.out(2.0).shows(179, 176, Color::Black);
    desk.moves("b8", "c6", Piece::BlackKnight).wait(6.0);
    assert!(desk.doubt().is_some());
    assert_eq!(desk.moves_told(), "e4 e5 Nf3 Nc6");
}

#[test]
fn a_doubt_begins_no_later_than_what_is_reported_anew() {
    let mut desk = Desk::opened(true);
    desk.wait(12.0);
    // The knight is on f3, and the board has reported another square.
    desk.moves("g1", "h3", Piece::WhiteKnight).shows(168, 180, Color::Black);
    desk.moves("b8", "c6", Piece::BlackKnight).shows(168, 181, Color::White);
    desk.out(2.0).shows(165, 181, Color::White).wait(4.0);
    assert_eq!(desk.moves_told(), "e4 e5 Nh3 Nc6");
    let after_nh3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/7N/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert_eq!(desk.doubt().unwrap().0, after_nh3);
    desk.moves("f3", "e5", Piece::WhiteKnight).shows(162, 181, Color::Black);
    desk.moves("c6", "e5", Piece::BlackKnight).shows(162, 182, Color::White);
    desk.moves("a2", "a3", Piece::WhitePawn).shows(163, 182, Color::Black);
    desk.moves("a7", "a6", Piece::BlackPawn).shows(163, 183, Color::White).wait(3.0);
    assert_eq!(desk.moves_told(), "e4 e5 Nf3 Nc6 Nxe5 Nxe5 a3 a6");
    let after_e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(desk.doubt().unwrap().0, after_e5);
}

#[test]
fn a_move_that_was_pressed_for_while_the_line_was_out_stays_when_the_kings_tell_the_result() {
    let mut desk = Desk::opened(true);
    desk.out(4.0).stands("g1", "f3", Piece::WhiteKnight);
    desk.shows(176, 180, Color::Black).stops(176, 180, Color::Black).wait(1.0).whole().wait(1.0);
    desk.moves("e8", "d5", Piece::BlackKing).wait(1.0);
    desk.moves("e1", "d4", Piece::WhiteKing).wait(5.0);
    assert!(desk.table.score().ending().is_some());
    assert_eq!(desk.moves_told(), "e4 e5 Nf3");
}

#[test]
fn a_pawn_that_slides_when_somebody_watches_again_was_moved_last() {
    let mut desk = Desk::opened(true);
    desk.out(4.0).stands("g1", "f3", Piece::WhiteKnight).stands("a7", "a6", Piece::BlackPawn);
    desk.tells("c3", None).stands("c2", "c4", Piece::WhitePawn).wait(0.2);
    assert_eq!(told_after_three_moves(&mut desk), ("e4 e5 Nf3 a6 c4".into(), Vec::new()));
}

#[test]
fn a_pawn_taken_in_passing_may_stand_there_still_when_the_board_tells_its_squares() {
    let mut desk = Desk::opened(true);
    for (from, to, piece, counts) in [
        ("h2", "h3", Piece::WhitePawn, Color::Black),
        ("d7", "d5", Piece::BlackPawn, Color::White),
        ("h3", "h4", Piece::WhitePawn, Color::Black),
        ("d5", "d4", Piece::BlackPawn, Color::White),
    ] {
        desk.moves(from, to, piece).shows(179, 180, counts);
    }
    desk.out(2.0).stands("c2", "c4", Piece::WhitePawn).stands("d4", "c3", Piece::BlackPawn);
    desk.whole().wait(0.4).tells("c4", None).shows(180, 180, Color::White).wait(3.0);
    // c2–c3 and a plain capture leave the same squares.
    assert_eq!(desk.moves_told(), "e4 e5 h3 d5 h4 d4 c4 dxc3");
    assert_eq!(desk.doubt(), None);
}
