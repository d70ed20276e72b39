//! Tests of the instrument: it finds what it should, and its output can be used.

use super::*;

fn named(name: &str) -> Model {
    models().into_iter().find(|model| model.name == name).unwrap()
}

#[test]
fn every_model_plays_the_same_game_for_the_same_number() {
    for model in models() {
        assert_eq!(judge(&model, 3), judge(&model, 3), "{}", model.name);
    }
}

#[test]
fn every_ply_of_a_tidy_game_is_right_at_once() {
    let model = named("tidy hands, clean wire, DGT");
    for number in 1..6 {
        let verdict = judge(&model, number);
        assert!(verdict.exact && !verdict.doubted, "game {number}: {verdict:?}");
        assert_eq!(verdict.plies.iter().sum::<usize>(), verdict.count(Class::AtOnce));
    }
}

#[test]
fn every_explanation_is_a_script_that_can_be_read() {
    for model in models() {
        for number in [2, 5] {
            let text = explain(&model, number, None);
            let script = rehearsal::parse(&text);
            assert!(script.is_ok(), "{}, game {number}: {script:?}\n{text}", model.name);
        }
    }
}

#[test]
fn no_two_models_have_one_name() {
    let mut names: Vec<_> = models().iter().map(|model| model.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), models().len());
}

#[test]
fn a_board_without_dumps_tells_its_position_once() {
    let model = named("clumsy hands, 0.1 % of frames harmed, no dumps, unplugged 1-3 s, DGT");
    for number in 1..4 {
        let round = Round::play(&model, number);
        let whole = |sighting: &eboard::Sighting| matches!(sighting, eboard::Sighting::Position(_));
        assert_eq!(round.sightings.iter().filter(|(_, it)| whole(it)).count(), 1);
        assert!(round.sightings.len() > 100);
    }
}

#[test]
fn nothing_that_is_tried_out_after_a_game_takes_its_result() {
    let model = named("clumsy hands, 0.1 % of frames harmed, DGT");
    for number in [312, 418, 2843] {
        let verdict = judge(&model, number);
        assert!(verdict.exact && !verdict.doubted, "game {number}: {verdict:?}");
    }
}

#[test]
fn a_mate_that_a_slow_bus_tells_after_the_clock_was_stopped_ends_the_game() {
    // 18.Kd2# was played and the clock was stopped. The board's log with the mate is read 1.5 s
    // later.
    let verdict = judge(&named("tidy hands, DGT bus asked every four seconds"), 24);
    assert!(verdict.exact && !verdict.doubted, "{verdict:?}");
}

#[test]
fn a_mate_after_touching_another_capture_is_no_result_before_somebody_rules() {
    // Black held his queen and the bishop that she captures, and mated on g2.
    for model in ["clumsy hands, clean wire, DGT", "clumsy hands, 0.1 % of frames harmed, DGT"] {
        let verdict = judge(&named(model), 299);
        assert!(verdict.moves_exact, "{verdict:?}");
        assert_eq!(verdict.ending, Ending::InDoubt, "{verdict:?}");
    }
}

#[test]
fn plain_methods_get_tidy_games_right_and_a_slide_wrong() {
    let tidy = named("tidy hands, clean wire, DGT");
    let mut slid = 0;
    for number in 1..8 {
        let round = compare(&tidy, number);
        assert_eq!((round.ours, round.theirs), (0, [Some(0), Some(0)]), "game {number}");
        let clumsy = compare(&named("clumsy hands, clean wire, DGT"), number);
        slid += clumsy.theirs[0].unwrap();
    }
    assert!(slid > 0);
}

#[test]
fn some_games_can_be_told_from_occupied_squares_and_some_cannot() {
    let model = named("tidy hands, clean wire, occupancy only");
    let lines: Vec<_> = (1..20).map(|number| judge(&model, number).fitting).collect();
    assert!(!lines.contains(&Fitting::Uncounted), "{lines:?}");
    assert!(lines.contains(&Fitting::One) && lines.contains(&Fitting::Several), "{lines:?}");
}

#[test]
fn every_move_of_tidy_hands_is_told_within_a_scan_and_the_wait_for_its_release() {
    let model = named("tidy hands, clean wire, DGT");
    for number in 1..6 {
        let verdict = judge(&model, number);
        assert_eq!(verdict.announced.len(), verdict.count(Class::AtOnce), "game {number}");
        let slowest = verdict.announced.iter().max_by_key(|it| it.after);
        let most = std::time::Duration::from_millis(1700);
        assert!(slowest.is_some_and(|it| it.after < most), "game {number}: {slowest:?}");
        let nothing_waits = verdict.announced.iter().filter(|it| it.sort == Sort::Leap);
        let waits = nothing_waits.filter(|it| it.after > std::time::Duration::from_millis(900));
        assert_eq!(waits.count(), 0, "game {number}");
    }
}

#[test]
fn plies_are_counted_by_what_they_are_marked_as() {
    let model = named("clumsy hands, 0.1 % of frames harmed, no dumps, unplugged 1-3 s, DGT");
    let mut doubted = 0;
    for number in 1..12 {
        let Verdict { marks, plies, .. } = judge(&model, number);
        let of = |class| plies[class as usize];
        assert_eq!(marks.doubted.1, of(Class::InDoubt), "game {number}");
        assert_eq!(marks.plain.1 + marks.inferred.1, of(Class::SilentlyWrong), "game {number}");
        let all = marks.doubted.0 + marks.inferred.0 + marks.plain.0;
        assert_eq!(all, plies.iter().sum::<usize>(), "game {number}");
        doubted += marks.doubted.0;
    }
    assert!(doubted > 0, "An outage is in every game, and nothing confirms what was done in it.");
}
