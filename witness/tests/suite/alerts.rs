//! What is reported to an arbiter, and what he is spared.

use crate::common::Doors as _;
use crate::common::{play, play_answered};
use shakmaty::Color;
use witness::{Gravity, Phase, Settings};
use words::InWords as _;

#[test]
fn an_illegal_move_is_one_only_when_the_clock_is_pressed() {
    let record = play("e2^ e5v +2 e5^ e4v |");
    assert_eq!(record.kinds(), Vec::<&str>::new());
    assert_eq!(record.moves(), "e2e4");

    let record = play("e2^ e5v | +2");
    assert_eq!(record.kinds(), ["illegal_move"]);
    let incident = record.raised()[0];
    assert_eq!(&*incident.article, "7.5.1");
    assert_eq!(incident.side, Some(Color::White));
    assert_eq!(incident.gravity, Gravity::Summon);
    assert_eq!(incident.facts.detail.map(witness::Detail::name), Some("geometry"));
    assert_eq!(incident.facts.mv.map(|(from, to)| format!("{from}{to}")).as_deref(), Some("e2e5"));
    assert_eq!(incident.text.en(), "White played pawn e2–e5 and pressed: a pawn does not move so.");
    assert_eq!(
        incident.text.fr(),
        "Les Blancs ont joué le pion e2–e5 et appuyé sur la pendule\u{a0}: un pion ne se déplace \
         pas ainsi."
    );
    assert!(incident.evidence.len() >= 3, "{:?}", incident.evidence);
}

#[test]
fn a_king_left_in_check_names_the_attacker() {
    let record = play("# fen: 4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1\n e2^ c3v | +2");
    assert_eq!(record.kinds(), ["illegal_move"]);
    let incident = record.raised()[0];
    assert_eq!(incident.facts.detail.map(witness::Detail::name), Some("own_king_in_check"));
    assert_eq!(incident.facts.attackers, [shakmaty::Square::E8]);
    assert!(incident.text.en().contains("in check from rook e8"), "{}", incident.text.en());
}

#[test]
fn after_an_illegal_move_is_put_right_the_game_goes_on_and_the_alert_stays() {
    let record = play("e2^ e5v | +1 ~ e5^ e2v +2 ! e2^ e4v |w e7^ e5v |");
    assert_eq!(record.kinds(), ["illegal_move"]);
    assert_eq!(record.moves(), "e2e4 e7e5");
    assert_eq!(record.table.incidents().count(), 1);
}

#[test]
fn a_flag_falls_once_with_its_interval() {
    let record = play("# time_control: 300\n e2^ e4v | e7^ e5v | +5 flag:w +5");
    assert_eq!(record.kinds(), ["flag_fall"]);
    let incident = record.raised()[0];
    assert_eq!((&*incident.article, incident.side), ("6.8", Some(Color::White)));
    let (above, zero) = incident.facts.between.unwrap();
    assert!(above.is_some_and(|above| above < zero));
    assert_eq!(incident.facts.moves_completed, Some(1));
}

/// Article 6.9: White, whose flag falls, has lost unless Black cannot mate at all.
#[test]
fn a_flag_loses_only_to_somebody_who_could_mate() {
    let advice = |fen: &str| {
        let script =
            format!("# fen: {fen}\n# time_control: 300\n e2^ e3v | e7^ e6v | +5 flag:w +5");
        let record = play(&script);
        assert_eq!(record.kinds(), ["flag_fall"]);
        record.raised()[0].advice.iter().map(|advice| advice.en()).collect::<String>()
    };
    let lost = advice("r7/4k3/8/8/8/8/4K3/R7 w - - 0 1");
    assert!(lost.contains("Black wins"), "{lost}");
    let drawn = advice("8/4k3/8/8/8/8/4K3/R7 w - - 0 1");
    assert!(drawn.contains("draw, for Black cannot checkmate"), "{drawn}");
}

#[test]
fn a_flag_after_mate_means_nothing() {
    let record = play("f2^ f3v | e7^ e5v | g2^ g4v | d8^ h4v +3 flag:b +2");
    assert_eq!(record.kinds(), Vec::<&str>::new());
    assert_eq!(record.table.score().result(), "0-1");
}

#[test]
fn knocked_over_pieces_are_a_position_to_check_until_they_stand_again() {
    let record = play("e2^ e4v | a7^ b7^ a6v:p b6v:p h7^ h5v +6");
    assert_eq!(record.kinds(), ["position_to_check"]);
    assert_eq!(record.table.phase(), Phase::Adrift);
    let record = play("e2^ e4v | a7^ b7^ a6v:p b6v:p h7^ h5v +6 a6^ a7v b6^ b7v h5^ h7v +2");
    assert_eq!(record.kinds(), ["position_to_check"]);
    assert_eq!(record.table.incidents().count(), 0);
    assert_eq!(record.table.phase(), Phase::InPlay);
}

#[test]
fn a_piece_held_while_thinking_is_no_alert() {
    for script in ["e2^ +30 e4v |", "e2^ e4v | d7^ d5v | d5x +20 e4^ d5v |"] {
        let record = play(script);
        assert_eq!(record.kinds(), Vec::<&str>::new(), "{script}");
    }
}

#[test]
fn castling_with_the_king_first_and_a_slow_rook_is_no_alert() {
    let record = play("# fen: 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n e1^ g1v +10 h1^ f1v |");
    assert_eq!(record.kinds(), Vec::<&str>::new());
    assert_eq!(record.moves(), "e1g1");
}

#[test]
fn kings_that_hurry_to_the_centre_after_the_last_press_are_no_illegal_move() {
    let record = play(
        "# fen: 8/8/3pkp1p/7P/4KP2/8/8/8 b - - 0 1\n\
         d6^ d5v | +0.15 ~ +0.1 e4^ +0.1 d4v +0.1 e6^ +0.1 e5v +3",
    );
    assert_eq!(record.kinds(), Vec::<&str>::new());
    assert_eq!(record.moves(), "d6d5");
    assert_eq!(record.table.score().rev(), 0, "the first king's trip was never shown as a move");
    assert_eq!(record.table.score().result(), "0-1");
}

#[test]
fn what_is_done_after_the_press_does_not_undo_an_illegal_move() {
    let opening = "e2^ e4v | e7^ e5v |";
    for after in
        ["g1^ g3v | +0.3 g3^ +0.6 f3v +1", "g1^ g3v | +0.2 g3^ +0.5 g1v +1", "g1^ g3v | +0.2 | +1"]
    {
        let record = play(&format!("{opening} {after}"));
        assert_eq!(record.kinds(), ["illegal_move"], "{after}");
        assert_eq!(record.raised()[0].side, Some(Color::White), "{after}");
    }
    let record = play("# fen: 7k/4P3/8/8/8/8/8/4K3 w - - 0 1\n e7^ e8v +2 | +0.3 e8=Q +1");
    assert_eq!(record.kinds(), ["pawn_not_promoted"]);
    assert_eq!(record.raised()[0].article, "7.5.2");
}

#[test]
fn an_illegal_move_that_stands_is_never_explained_by_moves_that_were_not_made() {
    let record = play(
        "# fen: 4k3/8/8/3p4/8/8/4P3/4K3 w - - 0 1\n\
         e2^ +0.4 d5x d5v:P | +0.6 e8^ e7v | +6",
    );
    assert_eq!(record.kinds(), ["illegal_move"]);
    // Black has played on from it: it stands, and the score says that it is no move.
    assert_eq!(record.moves(), "e8e7");
    assert_eq!(record.table.score().breaks().len(), 1);
    assert_eq!(record.table.phase(), Phase::InPlay);
}

#[test]
fn setting_the_pieces_up_again_takes_no_offence_off_the_docket() {
    let record = play(
        "# time_control: 300\n e2^ e4v | e7^ e5v | +1 flag:w +2 e4^ e2v e5^ e7v +5 \
         set:w=300 set:b=300 +5",
    );
    assert_eq!(record.kinds(), ["flag_fall"]);
    assert_eq!(record.table.game_number().get(), 2);
    assert_eq!(record.table.incidents().count(), 1);
}

#[test]
fn a_position_to_check_that_grows_old_calls_somebody() {
    let record = play("e2^ e4v | a7^ b7^ a6v:p b6v:p h7^ h5v +70");
    let gravities: Vec<_> = record.raised().iter().map(|incident| incident.gravity).collect();
    assert_eq!(gravities, [Gravity::Look, Gravity::Summon]);
    assert_eq!(record.raised()[0].id, record.raised()[1].id);
}

#[test]
fn a_clock_started_with_the_wrong_lever_does_not_turn_the_players_round() {
    // Black's time counts for a moment, then the arbiter puts the lever right.
    let record = play("~ |w +0.5 ! +1 ~ |b +0.5 ! +1 e2^ e4v | e7^ e5v | g1^ g3v | +2");
    assert_eq!(record.kinds(), ["illegal_move"]);
    assert_eq!(record.raised()[0].side, Some(Color::White));
    assert_eq!(record.moves(), "e2e4 e7e5");
}

#[test]
fn an_older_doubt_keeps_its_position_its_candidates_and_its_move() {
    // A pawn put aside looks like one taken en passant; five moves later the board is in disorder.
    let record = play(
        "# fen: 4k3/4p3/8/5P2/8/8/8/4K3 b - - 0 7
         e7^ e6v +3 e6^ +0.3 e5v +0.5 f5^ +0.15 e6v +0.4 e5x +3
         e8^ e7v +2 e1^ e2v +2 e7^ f6v +2 e2^ e3v +2 a5=r h5=r +9",
    );
    let last = record.table.incidents().find(|it| it.kind.name() == "position_to_check").unwrap();
    assert_eq!(last.facts.candidates, ["e6 fxe6", "e5 fxe6"]);
    assert_eq!(last.facts.position.to_string(), "4k3/4p3/8/5P2/8/8/8/4K3 b - - 0 7");
    assert_eq!(last.move_number, 7);
    assert!(last.text.en().contains("a5, h5"), "{}", last.text.en());
    assert!(last.text.en().contains("from move 7 on"), "{}", last.text.en());
}

#[test]
fn a_press_that_completes_nothing_does_not_end_the_judging_of_the_one_before() {
    let script = "e2^ e4v | e7^ e5v | g1^ g3v | +0.2 | +2";
    assert_eq!(play_answered(script, Settings::default()).kinds(), ["illegal_move"]);
}

#[test]
fn a_table_at_which_nothing_happens_is_left_asleep() {
    // A press is left out, and a piece is in somebody's hand when the clock is stopped.
    for script in ["g1^ f3v +0.5 ~ +3", "g1^ f3v +0.5 ~ b8^ +3", "g1^ f3v +0.5 clock:silent +3"] {
        let mut record = play(&format!("+3 e2^ e4v +2 e7^ e5v +2 {script}"));
        let (mut woken, mut out) = (0, Vec::new());
        while let Some((at, _)) =
            record.table.deadline().filter(|(at, _)| at.as_micros() < 7_200_000_000)
        {
            record.table.due(at, &mut out);
            woken += 1;
        }
        assert!(woken < 200, "{script}: {woken} times in two hours");
    }
}

/// Whether a position is to be checked, and how many seconds after the last press.
fn checked_after(script: &str) -> Option<u64> {
    let record = play_answered(script, Settings::default());
    let pressed = record.effects.iter().rev().find_map(|(at, effect)| {
        matches!(effect, witness::Effect::Event(witness::Event::Pressed(_))).then_some(*at)
    });
    let check = record.raised().into_iter().find(|it| it.kind.name() == "position_to_check");
    check.map(|it| it.opened.since(pressed.expect("a press")).as_secs())
}

/// Articles 7.5.1 and 7.6: whoever presses holds nothing, so a piece that is gone then is not in
/// his hand. The opponent may hold it before his own press.
#[test]
fn a_piece_that_is_gone_when_its_player_presses_is_to_be_checked_soon() {
    let before = "+3 e2^ e4v | e7^ e5v | +3 g1^ f3v a7";
    assert!(checked_after(&format!("{before}x | +4 b8^ c6v | +20")).is_some_and(|it| it < 10));
    // A hand thinks with it, and moves it or puts it back.
    assert_eq!(checked_after(&format!("{before}^ | +30 a6v | +20")), None);
    assert_eq!(checked_after(&format!("{before}^ | +30 a7v b8^ c6v | +20")), None);
}

/// Of two pawns the wrong one is taken off.
#[test]
fn en_passant_with_the_wrong_pawn_taken_off_is_to_be_checked_soon() {
    let position = "# fen: 4k3/8/8/2pPp3/8/8/8/4K3 w - e6 0 2\n+2 d5^ e6v ";
    assert!(checked_after(&format!("{position}c5x | +20")).is_some_and(|it| it < 10));
    assert_eq!(checked_after(&format!("{position}e5x | +20")), None);
}
