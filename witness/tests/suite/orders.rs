//! What sets a game right by an arbiter's order: moves taken back, times set, colours reversed.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use crate::common::Doors as _;
use crate::common::{Record, play, play_with};
use eboard::{ClockFace, Dial, FaceTime, Moment, Piece, Side, Sighting, Square};
use shakmaty::{ByColor, Color};
use witness::laws::claims::Claim;
use witness::laws::flag::Consequence;
use witness::{Edition, Effect, Incident, Kind, Order, Passage, Phase, Refusal, Settings};
use words::InWords as _;

/// Two moves by each, and the clock is stopped.
const GAME: &str = "e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v | ~ +2";

struct Hands {
    record: Record,
    now: Moment,
}

impl Hands {
    fn after(script: &str) -> Self {
        let settings = Settings { control: "5400+30".parse().ok(), ..Settings::default() };
        Self { record: play_with(script, settings), now: Moment::from_micros(60_000_000) }
    }

    fn order(&mut self, order: Order) -> Result<Vec<Incident>, Refusal> {
        let mut out = Vec::new();
        self.record.table.order(self.now, order, &mut out)?;
        Ok(raised(out))
    }

    fn see(&mut self, sighting: Sighting) -> Vec<Incident> {
        let mut out = Vec::new();
        self.now = self.now + Duration::from_secs(1);
        while let Some((at, _)) = self.record.table.deadline().filter(|(at, _)| *at <= self.now) {
            self.record.table.due(at, &mut out);
        }
        self.record.table.sight(self.now, sighting, &mut out);
        raised(out)
    }

    fn carry(&mut self, from: &str, to: &str, piece: Piece) {
        self.see(Sighting::Square { square: square(from), piece: None });
        self.see(Sighting::Square { square: square(to), piece: Some(piece) });
    }

    fn clock(&mut self, white: u32, black: u32, counts: Option<Side>) -> Vec<Kind> {
        let dial = |seconds| Dial { time: FaceTime::from_hms(0, 0, seconds), ..Dial::default() };
        let record = self.see(Sighting::Clock(ClockFace {
            left: dial(white),
            right: dial(black),
            lever: counts.unwrap_or(Side::Left),
            running: counts.is_some(),
            low_battery: false,
        }));
        // That it stood for so long is reported too, and nothing of this.
        record.into_iter().map(|it| it.kind).filter(|it| *it != Kind::ClockStopped).collect()
    }
}

fn square(name: &str) -> Square {
    Square::all().find(|it| it.to_string() == name).unwrap()
}

fn raised(out: Vec<Effect>) -> Vec<Incident> {
    let raised = out.into_iter().filter_map(|effect| match effect {
        Effect::Raised(incident) => Some(*incident),
        _ => None,
    });
    raised.collect()
}

fn times(white: u32, black: u32) -> Order {
    let face = |seconds| FaceTime::from_hms(0, 0, seconds);
    Order::SetTime(ByColor { white: face(white), black: face(black) })
}

#[test]
fn a_move_that_is_taken_back_is_put_back_and_another_one_is_played() {
    let mut hands = Hands::after(GAME);
    let record = hands.order(Order::TakeBack { plies: 1, of: Some(4) }).unwrap();
    assert_eq!(hands.record.moves(), "e2e4 e7e5 g1f3");
    assert_eq!(hands.record.table.score().rev(), 1);
    // The knight still stands on c6: it is not played anew by that.
    assert_eq!(record.iter().map(|it| it.kind).collect::<Vec<_>>(), [Kind::PositionToCheck]);
    let squares: Vec<_> = record[0].facts.squares.iter().map(ToString::to_string).collect();
    assert_eq!(squares, ["c6", "b8"]);
    assert_eq!(hands.record.table.phase(), Phase::Adrift);
    hands.carry("c6", "b8", Piece::BlackKnight);
    assert!(hands.record.table.agrees());
    assert_eq!(hands.record.table.incidents().count(), 0, "it stands as it should");
    hands.clock(5400, 5300, Some(Side::Right));
    hands.carry("d7", "d6", Piece::BlackPawn);
    hands.clock(5400, 5330, Some(Side::Left));
    assert_eq!(hands.record.moves(), "e2e4 e7e5 g1f3 d7d6");
}

/// What was released and is taken back by order obliges to nothing (4.7 is over).
#[test]
fn pieces_that_are_put_back_by_order_were_not_touched() {
    let mut hands = Hands::after(GAME);
    hands.order(Order::TakeBack { plies: 2, of: None }).unwrap();
    hands.carry("c6", "b8", Piece::BlackKnight);
    hands.carry("f3", "g1", Piece::WhiteKnight);
    assert!(hands.record.table.agrees());
    hands.clock(5400, 5300, Some(Side::Left));
    hands.carry("f1", "c4", Piece::WhiteBishop);
    hands.clock(5390, 5300, Some(Side::Right));
    hands.carry("b8", "c6", Piece::BlackKnight);
    assert_eq!(hands.record.moves(), "e2e4 e7e5 f1c4 b8c6");
    let touches = hands.record.table.incidents().filter(|it| it.article.starts_with('4'));
    assert_eq!(touches.count(), 0);
}

/// So it is where the clock was not stopped for it.
#[test]
fn pieces_that_are_put_back_while_the_clock_runs_were_not_touched() {
    let mut hands = Hands::after("e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v | +2");
    hands.order(Order::TakeBack { plies: 2, of: None }).unwrap();
    hands.carry("f3", "g1", Piece::WhiteKnight);
    hands.carry("c6", "b8", Piece::BlackKnight);
    assert!(hands.record.table.agrees());
    hands.carry("f1", "c4", Piece::WhiteBishop);
    hands.clock(5390, 5300, Some(Side::Right));
    hands.carry("g8", "f6", Piece::BlackKnight);
    assert_eq!(hands.record.moves(), "e2e4 e7e5 f1c4 g8f6");
    let touches = hands.record.table.incidents().filter(|it| it.article.starts_with('4'));
    assert_eq!(touches.count(), 0);
}

#[test]
fn moves_that_the_squares_never_showed_are_taken_back_without_a_word() {
    let mut hands = Hands::after("e2^ e4v | e7^ e5v | g1^ f3v f3^ g1v ~ +2");
    let before = hands.record.moves();
    hands.order(Order::TakeBack { plies: 2, of: None }).unwrap();
    hands.carry("e5", "e7", Piece::BlackPawn);
    hands.carry("e4", "e2", Piece::WhitePawn);
    assert_eq!((before.as_str(), hands.record.moves().as_str()), ("e2e4 e7e5", ""));
    assert_eq!(hands.record.table.incidents().count(), 0);
}

fn correction(after: usize, replaces: usize, moves: &[&str], of: usize) -> Order {
    let moves = moves.iter().map(ToString::to_string).collect();
    Order::CorrectScore { passage: Passage { after, replaces, moves }, of }
}

#[test]
fn a_score_is_put_right_from_a_scoresheet_and_the_game_goes_on() {
    let mut hands = Hands::after(GAME);
    // The same position by other moves: the squares agree, and nobody is called.
    let record = hands.order(correction(0, 4, &["Nf3", "Nc6", "e4", "e5"], 4)).unwrap();
    assert_eq!(hands.record.moves(), "g1f3 b8c6 e2e4 e7e5");
    assert!(record.is_empty() && hands.record.table.agrees());
    assert_eq!(hands.record.table.score().rev(), 1);
    hands.clock(5400, 5300, Some(Side::Left));
    hands.carry("f1", "c4", Piece::WhiteBishop);
    hands.clock(5390, 5300, Some(Side::Right));
    hands.carry("g8", "f6", Piece::BlackKnight);
    assert_eq!(hands.record.moves(), "g1f3 b8c6 e2e4 e7e5 f1c4 g8f6");
}

#[test]
fn squares_that_are_not_as_the_scoresheet_says_are_reported() {
    let mut hands = Hands::after(GAME);
    let record = hands.order(correction(2, 1, &["Nh3"], 4)).unwrap();
    assert_eq!(hands.record.moves(), "e2e4 e7e5 g1h3 b8c6");
    assert_eq!(record.iter().map(|it| it.kind).collect::<Vec<_>>(), [Kind::PositionToCheck]);
    hands.carry("f3", "h3", Piece::WhiteKnight);
    assert!(hands.record.table.agrees());
    assert_eq!(hands.record.table.incidents().count(), 0, "it stands as it should");
    assert_eq!(hands.record.moves(), "e2e4 e7e5 g1h3 b8c6");
}

#[test]
fn a_correction_that_cannot_be_is_refused_and_changes_nothing() {
    let mut hands = Hands::after(GAME);
    for (order, why) in [
        (correction(2, 1, &["Nf4"], 4), "not one legal move"),
        (correction(2, 1, &["Nh3"], 3), "made meanwhile"),
        (correction(4, 1, &["Bb5"], 4), "not so many"),
        (correction(2, 0, &[], 4), "not so many"),
        (correction(1, 1, &["Nc6"], 4), "move 2 of Black could not have been made"),
    ] {
        let refused = hands.order(order).unwrap_err().text();
        assert!(refused.en().contains(why), "{refused:?}");
    }
    assert_eq!(hands.record.moves(), "e2e4 e7e5 g1f3 b8c6");
    assert_eq!(hands.record.table.score().rev(), 0);
}

#[test]
fn what_cannot_be_taken_back_or_set_is_refused_and_changes_nothing() {
    let mut hands = Hands::after(GAME);
    for plies in [0, 5] {
        let refused = hands.order(Order::TakeBack { plies, of: None }).unwrap_err();
        assert_eq!(refused, Refusal::TooFewMoves);
    }
    let unseen = hands.order(Order::TakeBack { plies: 1, of: Some(3) }).unwrap_err();
    assert_eq!(unseen, Refusal::MovedOn, "a fourth move was made meanwhile");
    assert_eq!(
        (hands.record.moves().as_str(), hands.record.table.score().rev()),
        ("e2e4 e7e5 g1f3 b8c6", 0)
    );
    let mate = "f2^ f3v | e7^ e5v | g2^ g4v | d8^ h4v +3";
    let mut over = Hands::after(mate);
    for order in
        [Order::TakeBack { plies: 1, of: None }, times(60, 60), Order::ColoursReversed(true)]
    {
        assert_eq!(over.order(order).unwrap_err(), Refusal::NotInPlay);
    }
    let mut running = Hands::after("e2^ e4v | e7^ e5v |");
    assert_eq!(running.order(times(60, 60)).unwrap_err(), Refusal::ClockRuns);
    let mut fresh = Hands { record: play("~"), now: Moment::from_micros(9_000_000) };
    assert_eq!(fresh.order(Order::ColoursReversed(true)).unwrap_err(), Refusal::NotInPlay);
}

#[test]
fn a_clock_is_held_against_the_times_that_the_arbiter_said() {
    let mut hands = Hands::after(GAME);
    hands.order(times(5000, 5120)).unwrap();
    assert_eq!(hands.clock(5000, 5120, None), []);
    assert_eq!(hands.clock(5000, 5120, Some(Side::Left)), [], "as it was said");

    let mut hands = Hands::after(GAME);
    hands.order(times(5000, 5120)).unwrap();
    hands.clock(5000, 5000, None);
    assert_eq!(hands.clock(5000, 5000, Some(Side::Left)), [Kind::ClockSetting]);
    let record = hands.record.table.incidents().find(|it| it.kind == Kind::ClockSetting).unwrap();
    let en = "The clock was to be set to White 1:23:20, Black 1:25:20, and is not: off by Black";
    assert!(record.text.en().starts_with(en), "{}", record.text.en());
    assert_eq!(record.facts.detail.map(witness::Detail::name), Some("not_as_ordered"));

    // Said only when the clock runs again: the alert about it is closed.
    let mut hands = Hands::after(GAME);
    hands.clock(5000, 5120, None);
    assert_eq!(hands.clock(5000, 5120, Some(Side::Left)), [Kind::ClockAdjusted]);
    hands.order(times(5000, 5120)).unwrap();
    let adjusted = hands.record.table.incidents().find(|it| it.kind == Kind::ClockAdjusted);
    assert_eq!(adjusted, None);
}

/// 9.5.3: the time that a wrong claim gives the opponent is known by it, and no other time is.
#[test]
fn what_a_wrong_claim_costs_is_known_at_the_clock() {
    let paid = |claimed: Option<Color>, white: u32, black: u32| {
        let mut hands = Hands::after(GAME);
        if let Some(by) = claimed {
            assert_eq!(hands.order(Order::WrongClaim(by)).unwrap(), []);
        }
        let left = |side| hands.record.table.clocks().time(side).unwrap().as_ms() / 1000;
        let (white, black) = (left(Color::White) + white, left(Color::Black) + black);
        hands.clock(white, black, None);
        assert_eq!(hands.clock(white, black, Some(Side::Left)), [Kind::ClockAdjusted]);
        let table = &hands.record.table;
        let adjusted = table.incidents().find(|it| it.kind == Kind::ClockAdjusted).unwrap();
        adjusted.advice.iter().map(|it| it.en()).collect::<Vec<_>>()
    };
    let known = "+0:02:00 to Black: the wrong claim of a draw (9.5.3).";
    assert_eq!(paid(Some(Color::White), 0, 120), [known]);
    for (claimed, white, black) in
        [(None, 0, 120), (Some(Color::White), 120, 0), (Some(Color::White), 0, 60)]
    {
        assert_eq!(paid(claimed, white, black), [""; 0], "{claimed:?} {white} {black}");
    }
}

#[test]
fn a_claim_names_its_player_its_move_and_a_doubt() {
    let hands = Hands::after(GAME);
    let table = &hands.record.table;
    let wrong = table.claim(Claim::Threefold, Some("Bb5")).unwrap();
    assert_eq!((wrong.right, wrong.by), (false, Color::White));
    assert!(
        wrong.text.en().ends_with("1 time. Bb5 must be played (9.5.3)."),
        "{}",
        wrong.text.en()
    );
    let mut hands = Hands::after(GAME);
    hands.see(Sighting::Square { square: square("d8"), piece: None });
    hands.see(Sighting::Square { square: square("a4"), piece: Some(Piece::BlackQueen) });
    for _ in 0..30 {
        hands.see(Sighting::Battery(eboard::Battery { percent: 50, charging: false }));
    }
    let record = hands.record.table.claim(Claim::Fifty, None).unwrap();
    assert!(record.text.en().contains("The score is in doubt"), "{}", record.text.en());
}

/// How a clock was set stands after ten moves where nobody supervises; what an arbiter has ordered
/// does not wear off.
#[test]
fn times_that_were_ordered_do_not_lapse_after_ten_moves() {
    let settings =
        Settings { control: "1500+10".parse().ok(), supervised: false, ..Settings::default() };
    let knights = "g1^ f3v | g8^ f6v | f3^ g1v | f6^ g8v | ".repeat(5);
    let script = format!("# time_control: 1500+10\n{knights} ~ +2");
    let record = play_with(&script, settings);
    let mut hands = Hands { record, now: Moment::from_micros(120_000_000) };
    hands.order(times(900, 1020)).unwrap();
    hands.clock(900, 900, None);
    assert_eq!(hands.clock(900, 900, Some(Side::Left)), [Kind::ClockSetting]);
    hands.carry("e2", "e4", Piece::WhitePawn);
    hands.clock(909, 900, Some(Side::Right));
    hands.see(Sighting::Battery(eboard::Battery { percent: 50, charging: false }));
    let record = &hands.record.table;
    assert_eq!(record.score().plies().last().unwrap().status, witness::Status::Completed);
    let open = record.incidents().find(|it| it.kind == Kind::ClockSetting).unwrap();
    assert_eq!(open.state, witness::State::Open);
}

#[test]
fn reversed_colours_are_void_before_ten_moves_and_stand_after_them() {
    let knights = "g1^ f3v | g8^ f6v | f3^ g1v | f6^ g8v | ".repeat(5);
    let record = |script: &str, edition| {
        let settings = Settings { edition, ..Settings::default() };
        let mut hands =
            Hands { record: play_with(script, settings), now: Moment::from_micros(1 << 40) };
        let record = hands.order(Order::ColoursReversed(true)).unwrap().remove(0);
        let open = |hands: &Hands| {
            hands.record.table.incidents().filter(|it| it.kind == Kind::ColoursReversed).count()
        };
        assert_eq!(open(&hands), 1);
        hands.order(Order::ColoursReversed(false)).unwrap();
        assert_eq!(open(&hands), 0);
        (record.article, record.facts.moves_completed, record.advice[0].en())
    };
    for (script, moves, void) in [(GAME, 2, true), (knights.as_str(), 10, false)] {
        for edition in [Edition::Y2018, Edition::Y2023] {
            let (article, made, advice) = record(script, edition);
            assert_eq!((&*article, made), ("7.3", Some(moves)));
            assert_eq!(advice.contains("a new one is played"), void, "{advice}");
        }
        let (_, _, advice) = record(script, Edition::Y2014);
        assert!(advice.contains("goes on, unless the arbiter rules otherwise"), "{advice}");
    }
}

/// The rules of chess hold no position in which a king can be captured: the illegal move goes with
/// the reply to it.
#[test]
fn a_reply_to_a_king_left_in_check_is_taken_back_with_the_illegal_move() {
    let start = "4r1k1/5ppp/8/8/8/8/4NPPP/4K3 w - - 0 1";
    let mut hands = Hands::after(&format!("# fen: {start}\n e2^ c3v | h7^ h6v | ~ +2"));
    assert_eq!(hands.record.moves(), "h7h6");
    let score = hands.record.table.score();
    let broken: Vec<_> = score.breaks().iter().map(|it| it.at).collect();
    assert_eq!(broken, [0]);
    assert_eq!(
        witness::GamePosition::from(score.position_at(0)).to_string(),
        "4r1k1/5ppp/8/8/8/2N5/5PPP/4K3 b - - 1 1"
    );
    hands.order(Order::TakeBack { plies: 1, of: Some(1) }).unwrap();
    let score = hands.record.table.score();
    assert_eq!((score.fen(), score.breaks().len()), (start.to_owned(), 0));
    for (from, to, piece) in [("h6", "h7", 'p'), ("c3", "e2", 'N'), ("e1", "d1", 'K')] {
        hands.carry(from, to, Piece::from_letter(piece).unwrap());
    }
    assert_eq!(hands.record.table.score().plies()[0].uci, "e1d1");
}

/// Where the reply to two illegal moves is taken back the game stands after both; where the move
/// before them is, none of it has been.
#[test]
fn illegal_moves_in_a_row_stand_or_fall_together_when_moves_are_taken_back() {
    let script = "e2^ e4v | e7^ e5v | g1^ g4v | +1 b8^ b4v | +1 d2^ d4v | ~ +1";
    for (plies, breaks, fen) in [
        (1, 2, "r1bqkbnr/pppp1ppp/8/4p3/1n2P1N1/8/PPPP1PPP/RNBQKB1R w KQkq - 2 3"),
        (2, 0, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    ] {
        let mut hands = Hands::after(script);
        assert_eq!(hands.record.moves(), "e2e4 e7e5 d2d4");
        hands.order(Order::TakeBack { plies, of: Some(3) }).unwrap();
        let score = hands.record.table.score();
        assert_eq!((score.breaks().len(), score.fen()), (breaks, fen.to_owned()));
    }
}

fn position(fen: &str) -> Order {
    let fen: shakmaty::fen::Fen = fen.parse().unwrap();
    let mode = shakmaty::CastlingMode::Standard;
    Order::SetPosition { position: Box::new(fen.into_position(mode).unwrap()), mode }
}

/// Two moves by each under this time control; White's time falls after this position was set.
fn flag_after(control: &str, fen: &str) -> Incident {
    let settings = Settings { control: control.parse().ok(), ..Settings::default() };
    let record = play_with(&format!("# time_control: {control}\n{GAME}"), settings);
    let mut hands = Hands { record, now: Moment::from_micros(60_000_000) };
    hands.clock(2, 50, Some(Side::Left));
    hands.order(position(fen)).unwrap();
    assert_eq!(hands.record.table.phase(), Phase::InPlay, "the clock runs");
    hands.clock(1, 50, Some(Side::Left));
    assert_eq!(hands.clock(0, 50, None), [Kind::FlagFall], "before any other move");
    hands.record.table.incidents().find(|it| it.kind == Kind::FlagFall).unwrap().clone()
}

#[test]
fn a_position_that_is_set_in_a_running_game_goes_on_with_its_clock_and_its_moves() {
    const PLACED: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2";
    let record = |control: &str, number: u32| {
        let facts = flag_after(control, &format!("{PLACED} {number}")).facts;
        (facts.moves_completed, facts.consequence)
    };
    assert_eq!(record("60", 3), (Some(2), Some(Consequence::Loss)));
    assert_eq!(record("2/60:1800", 3), (Some(2), Some(Consequence::PeriodPassed)));
    assert_eq!(record("3/60:1800", 3), (Some(2), Some(Consequence::Loss)));
    assert_eq!(record("40/60:1800", 41), (Some(40), Some(Consequence::PeriodPassed)));
    // The number of an editor that knows nothing of the game.
    assert_eq!(record("2/60:1800", 1), (Some(2), Some(Consequence::PeriodPassed)));
    assert_eq!(record("3/60:1800", 1), (Some(2), None));
}
