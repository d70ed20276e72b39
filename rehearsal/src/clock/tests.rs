//! Tables worked out by hand for the model clock. Not a comparison with recorded clocks.

use eboard::Colour::{Black, White};

use super::*;

fn ms(ms: u64) -> Moment {
    Moment::from_micros(ms * 1000)
}

fn seconds(s: u32) -> FaceTime {
    FaceTime::from_hms(0, 0, s)
}

/// White's and Black's time as shown, whether a time counts, and the lever.
fn shown(clock: &Clock, at: Moment) -> (u32, u32, bool, Side) {
    let face = clock.face(at);
    (face.left.time.as_ms() / 1000, face.right.time.as_ms() / 1000, face.running, face.lever)
}

#[test]
fn the_increment_is_there_before_the_first_move() {
    let clock = Clock::new(TimeControl::new(300, 3));
    assert_eq!(shown(&clock, ms(0)), (303, 303, false, Side::Left));
    assert!(clock.face(ms(0)).left.per_move);
    assert_eq!(clock.next_change(ms(0)), None);
    let sudden = Clock::new(TimeControl::new(300, 0));
    assert_eq!(shown(&sudden, ms(0)), (300, 300, false, Side::Left));
    assert!(!sudden.face(ms(0)).right.per_move);
}

#[test]
fn seconds_are_rounded_up_and_the_increment_comes_with_the_lever() {
    let mut clock = Clock::new(TimeControl::new(180, 2));
    clock.start(ms(1000), White);
    for (at, white) in [(1000, 182), (1001, 182), (1999, 182), (2000, 181), (2001, 181)] {
        assert_eq!(shown(&clock, ms(at)), (white, 182, true, Side::Left), "at {at} ms");
    }
    // 5.4 s used: 176.6 s left, and 2 s more with the press.
    assert_eq!(shown(&clock, ms(6399)).0, 177);
    clock.press(ms(6400));
    assert_eq!(shown(&clock, ms(6400)), (179, 182, true, Side::Right));
    // Black uses 2.25 s: 179.75 s left, 181.75 s after the press.
    clock.press(ms(8650));
    assert_eq!(shown(&clock, ms(8650)), (179, 182, true, Side::Left));
    assert_eq!(clock.left(ms(8650), Black).as_micros(), 181_750_000);
    assert_eq!(clock.left(ms(8650), White).as_micros(), 178_600_000);
}

#[test]
fn the_next_change_is_the_next_second_shown() {
    let mut clock = Clock::new(TimeControl::new(10, 0));
    clock.start(ms(1500), White);
    assert_eq!(clock.next_change(ms(1500)), Some(ms(2500)));
    assert_eq!(clock.next_change(ms(1501)), Some(ms(2500)));
    assert_eq!(clock.next_change(ms(2500)), Some(ms(3500)));
    clock.press(ms(2700));
    assert_eq!(clock.next_change(ms(2700)), Some(ms(3700)));
    clock.press(ms(3000));
    // White has 8.8 s left: the 9 becomes an 8 after 0.8 s.
    assert_eq!(clock.next_change(ms(3000)), Some(ms(3800)));
    clock.stop(ms(3100));
    assert_eq!(clock.next_change(ms(3100)), None);
}

#[test]
fn the_flag_comes_in_one_face_with_the_zero_and_the_stop() {
    let mut clock = Clock::new(TimeControl::new(5, 1));
    clock.start(ms(0), White);
    assert_eq!(shown(&clock, ms(5999)), (1, 6, true, Side::Left));
    assert_eq!(clock.face(ms(5999)).left.flag, FlagMark::None);
    assert_eq!(clock.next_change(ms(5999)), Some(ms(6000)));
    assert_eq!(shown(&clock, ms(6000)), (0, 6, false, Side::Left));
    assert_eq!(clock.face(ms(6000)).left.flag, FlagMark::Final);
    assert_eq!(clock.next_change(ms(6000)), None);
    let fallen = clock.face(ms(6000));
    clock.press(ms(7000));
    clock.go_on(ms(7100));
    clock.start(ms(7200), Black);
    assert_eq!(clock.face(ms(9000)), fallen);
}

#[test]
fn a_press_at_the_very_moment_of_the_fall_is_too_late() {
    let mut clock = Clock::new(TimeControl::new(5, 0));
    clock.start(ms(0), White);
    clock.press(ms(5000));
    assert_eq!(shown(&clock, ms(5000)), (0, 5, false, Side::Left));
    let mut earlier = Clock::new(TimeControl::new(5, 0));
    earlier.start(ms(0), White);
    earlier.press(ms(4999));
    assert_eq!(shown(&earlier, ms(5000)), (1, 5, true, Side::Right));
}

#[test]
fn a_called_flag_takes_all_time_and_only_the_first_is_marked() {
    let mut clock = Clock::new(TimeControl::new(300, 3));
    clock.start(ms(0), White);
    clock.flag(ms(2000), Black);
    assert_eq!(shown(&clock, ms(2000)), (301, 0, false, Side::Left));
    assert_eq!(clock.face(ms(2000)).right.flag, FlagMark::Final);
    clock.flag(ms(3000), White);
    let face = clock.face(ms(3000));
    assert_eq!((face.left.time, face.left.flag), (FaceTime::ZERO, FlagMark::None));
    assert_eq!(face.right.flag, FlagMark::Final);
}

#[test]
fn without_freezing_the_game_goes_on_and_no_second_flag_is_shown() {
    let mut clock = Clock::new(TimeControl::new(5, 0)).running_on();
    clock.start(ms(0), White);
    assert_eq!(shown(&clock, ms(6000)), (0, 5, true, Side::Left));
    assert_eq!(clock.face(ms(6000)).left.flag, FlagMark::Passed);
    assert_eq!(clock.next_change(ms(6000)), None);
    clock.press(ms(7000));
    assert_eq!(clock.next_change(ms(7000)), Some(ms(8000)));
    let both = clock.face(ms(13_000));
    assert_eq!((both.right.time, both.right.flag), (FaceTime::ZERO, FlagMark::None));
    assert_eq!(both.left.flag, FlagMark::Passed);
}

#[test]
fn stopping_keeps_the_fraction_and_the_side() {
    let mut clock = Clock::new(TimeControl::new(60, 0));
    clock.start(ms(0), Black);
    clock.stop(ms(1250));
    assert_eq!(shown(&clock, ms(90_000)), (60, 59, false, Side::Right));
    clock.go_on(ms(100_000));
    assert_eq!(clock.next_change(ms(100_000)), Some(ms(100_750)));
    clock.go_on(ms(100_500));
    assert_eq!(clock.next_change(ms(100_500)), Some(ms(100_750)));
}

#[test]
fn a_lever_already_down_does_nothing_and_a_stopped_clock_gives_no_increment() {
    let mut clock = Clock::new(TimeControl::new(60, 5));
    clock.start(ms(0), White);
    let before = clock.face(ms(500));
    clock.press_side(ms(500), Black);
    assert_eq!(clock.face(ms(500)), before);
    clock.stop(ms(600));
    clock.press(ms(700));
    assert_eq!(shown(&clock, ms(700)), (65, 65, false, Side::Right));
    assert_eq!(clock.left(ms(700), White).as_micros(), 64_400_000);
}

#[test]
fn an_arbiter_may_set_the_time_and_free_a_blocked_clock() {
    let mut clock = Clock::new(TimeControl::new(5, 0));
    clock.start(ms(0), White);
    clock.correct(ms(6000), White, seconds(120));
    clock.go_on(ms(7000));
    assert_eq!(shown(&clock, ms(7000)), (120, 5, true, Side::Left));
    assert_eq!(clock.face(ms(7000)).left.flag, FlagMark::None);
}

#[test]
fn a_turned_clock_has_white_on_the_right() {
    let mut clock = Clock::new(TimeControl::new(60, 0)).turned();
    clock.start(ms(0), White);
    let face = clock.face(ms(1000));
    assert_eq!((face.left.time, face.right.time), (seconds(60), seconds(59)));
    assert_eq!(face.lever, Side::Right);
}

fn control(text: &str) -> TimeControl {
    text.parse().unwrap()
}

/// Hand-computed: 5 min and 3 s in the three modes; moves of 2 s and of 5 s.
#[test]
fn the_three_modes_do_what_the_manuals_say() {
    for (text, start, after_two, after_five) in
        [("300+3", 303, 304, 302), ("300+b3", 303, 303, 301), ("300+d3", 300, 300, 298)]
    {
        let mut clock = Clock::new(control(text));
        assert_eq!(clock.face(ms(0)).left.time, seconds(start), "{text}");
        clock.start(ms(0), White);
        clock.press(ms(2000));
        assert_eq!(clock.face(ms(2000)).left.time, seconds(after_two), "{text} after 2 s");
        clock.press(ms(3000));
        clock.press(ms(8000));
        assert_eq!(clock.face(ms(8000)).left.time, seconds(after_five), "{text} after 5 s");
    }
}

#[test]
fn a_delay_holds_the_face_and_goes_on_where_it_was_stopped() {
    let mut clock = Clock::new(control("300+d3"));
    clock.start(ms(0), White);
    assert_eq!(clock.next_change(ms(0)), Some(ms(4000)));
    assert_eq!(clock.face(ms(2999)).left.time, seconds(300));
    clock.stop(ms(2000));
    clock.go_on(ms(60_000));
    assert_eq!(clock.next_change(ms(60_000)), Some(ms(62_000)));
}

#[test]
fn a_period_comes_by_the_count_of_presses_with_an_increment() {
    let mut clock = Clock::new(control("2/60+5:30+5"));
    clock.start(ms(0), White);
    clock.press(ms(10_000));
    clock.press(ms(11_000));
    assert_eq!(shown(&clock, ms(11_000)), (60, 69, true, Side::Left));
    clock.press(ms(21_000));
    assert_eq!(shown(&clock, ms(21_000)), (85, 69, true, Side::Right));
    assert_eq!((clock.period(ms(21_000), White), clock.period(ms(21_000), Black)), (1, 0));
}

#[test]
fn a_period_comes_at_zero_for_both_without_an_increment() {
    let mut clock = Clock::new(control("2/60:30"));
    clock.start(ms(0), White);
    assert_eq!(shown(&clock, ms(60_000)), (30, 90, true, Side::Left));
    assert_eq!(clock.face(ms(60_000)).left.flag, FlagMark::Passed);
    assert_eq!(shown(&clock, ms(90_000)), (0, 90, false, Side::Left));
    assert_eq!(clock.face(ms(90_000)).left.flag, FlagMark::Final);
}

#[test]
fn the_sign_of_a_period_that_has_passed_goes_out_after_five_minutes() {
    let mut clock = Clock::new(control("2/60:1800"));
    clock.start(ms(0), White);
    // 1 min 0.5 s are used when White presses: the period passed half a second before.
    clock.press(ms(60_500));
    let sign = |at| clock.face(ms(at)).left.flag;
    assert_eq!(
        [sign(60_500), sign(359_999), sign(360_000)],
        [FlagMark::Passed, FlagMark::Passed, FlagMark::None]
    );
    assert_eq!(clock.next_change(ms(359_600)), Some(ms(360_000)), "between two seconds of Black's");
    // It goes out on a clock that stands, too; that of a flag stays.
    clock.stop(ms(70_000));
    assert_eq!(clock.next_change(ms(70_000)), Some(ms(360_000)));
    assert_eq!(clock.face(ms(360_000)).left.flag, FlagMark::None);
    let mut fallen = Clock::new(control("60")).running_on();
    fallen.start(ms(0), White);
    assert_eq!(fallen.face(ms(900_000)).left.flag, FlagMark::Passed);
}

#[test]
fn an_armageddon_clock_has_two_times_and_a_late_increment() {
    let mut clock = Clock::new(control("300+3@3|240+3@3"));
    clock.start(ms(0), White);
    clock.press(ms(1000));
    clock.press(ms(2000));
    assert_eq!(shown(&clock, ms(2000)), (299, 239, true, Side::Left));
    // The second press completes move 2, and move 3 has an increment.
    clock.press(ms(3000));
    assert_eq!(shown(&clock, ms(3000)), (301, 239, true, Side::Right));
}

#[test]
fn an_ailing_clock_drifts_sticks_or_runs_on_both_sides() {
    let ailing = |ailment| {
        let mut clock = Clock::new(control("60"));
        clock.start(ms(0), White);
        clock.ail(ms(10_000), ailment);
        clock
    };
    assert_eq!(shown(&ailing(Ailment::Drift(1100)), ms(20_000)), (39, 60, true, Side::Left));
    assert_eq!(shown(&ailing(Ailment::Sticks), ms(20_000)), (50, 60, true, Side::Left));
    assert_eq!(ailing(Ailment::Sticks).next_change(ms(20_000)), None);
    assert_eq!(shown(&ailing(Ailment::RunsBoth), ms(20_000)), (40, 50, true, Side::Left));
    assert_eq!(
        ailing(Ailment::Drift(500)).next_change(ms(10_000)),
        Some(Moment::from_micros(12_000_001))
    );
}

#[test]
fn a_time_that_never_stops_changes_in_moments_of_its_own() {
    let mut clock = Clock::new(control("60"));
    clock.start(ms(0), White);
    clock.ail(ms(0), Ailment::NeverStops(White));
    clock.press(ms(1200));
    // White has 58.8 s, and Black 60: his first second is over later.
    assert_eq!(clock.next_change(ms(1200)), Some(ms(2000)));
    assert_eq!(shown(&clock, ms(2000)), (58, 60, true, Side::Right));
    assert_eq!(clock.next_change(ms(2000)), Some(ms(2200)));
}

/// What each mode shows after moves that take so many tenths of a second, worked out by hand. The
/// opponent presses at once.
#[test]
fn the_three_modes_keep_tables_of_moves() {
    const USED: [u64; 6] = [20, 50, 30, 4, 76, 31];
    for (text, table) in [
        // 303, then +1.0, −2.0, ±0, +2.6, −4.6, −0.1.
        ("300+3", [304, 302, 302, 305, 300, 300]),
        // Never more than at the beginning of the turn: 303, 301, 301, 301, 296.4, 296.3.
        ("300+b3", [303, 301, 301, 301, 297, 297]),
        // 300, 298, 298, 298, 293.4, 293.3.
        ("300+d3", [300, 298, 298, 298, 294, 294]),
    ] {
        let mut clock = Clock::new(control(text));
        let mut now = 0;
        clock.start(ms(now), White);
        for (tenths, shows) in USED.into_iter().zip(table) {
            now += tenths * 100;
            clock.press(ms(now));
            assert_eq!(shown(&clock, ms(now)).0, shows, "{text} after {tenths} tenths");
            clock.press(ms(now));
        }
    }
}

fn set(control: &str) -> Clock {
    Clock::new(control.parse().unwrap())
}

/// What is left is shown together, as a DGT 3000 does: five periods of a minute are five minutes.
#[test]
fn a_japanese_byo_yomi_gives_back_the_period_that_was_begun() {
    let mut clock = set("10+5x60");
    assert_eq!(shown(&clock, ms(0)), (10, 10, false, Side::Left));
    clock.start(ms(0), White);
    assert_eq!(shown(&clock, ms(9500)).0, 1);
    // The main time is over after 10 s, and 20 s of the first period are used.
    assert_eq!(shown(&clock, ms(10_000)), (300, 10, true, Side::Left));
    assert_eq!(shown(&clock, ms(30_000)).0, 280);
    clock.press(ms(30_000));
    assert_eq!(shown(&clock, ms(30_000)), (300, 10, true, Side::Right));
    // A press in the main time brings nothing.
    clock.press(ms(34_000));
    assert_eq!(shown(&clock, ms(34_000)), (300, 6, true, Side::Left));
    // A period and a half: one is gone, the other whole again.
    clock.press(ms(34_000 + 90_000));
    assert_eq!(shown(&clock, ms(124_000)).0, 240);
    clock.press(ms(125_000));
    assert_eq!(shown(&clock, ms(125_000 + 239_999)).0, 1);
    assert_eq!(shown(&clock, ms(125_000 + 240_000)), (0, 5, false, Side::Left));
    assert_eq!(clock.face(ms(365_000)).left.flag, FlagMark::Final);
}

#[test]
fn a_canadian_byo_yomi_is_whole_again_after_its_presses() {
    let mut clock = set("10+2/60");
    clock.start(ms(0), White);
    // 10 s of main time and 15 s of the byo-yomi; Black presses at once, each time.
    clock.press(ms(25_000));
    assert_eq!(shown(&clock, ms(25_000)).0, 45);
    clock.press(ms(25_000));
    clock.press(ms(45_000));
    assert_eq!(shown(&clock, ms(45_000)).0, 60);
    clock.press(ms(45_000));
    assert_eq!(shown(&clock, ms(104_999)).0, 1);
    assert_eq!(shown(&clock, ms(105_000)), (0, 10, false, Side::Left));
}

#[test]
fn what_runs_through_an_hourglass_is_the_opponents() {
    let mut clock = set("*60");
    clock.start(ms(0), White);
    assert_eq!(shown(&clock, ms(20_000)), (40, 80, true, Side::Left));
    clock.press(ms(20_000));
    assert_eq!(shown(&clock, ms(50_000)), (70, 50, true, Side::Right));
    assert_eq!(clock.next_change(ms(50_000)), Some(ms(51_000)));
    // Black has 80 s: they are White's in the end, and not a second more.
    assert_eq!(shown(&clock, ms(100_000)), (120, 0, false, Side::Right));
    assert_eq!(shown(&clock, ms(200_000)), (120, 0, false, Side::Right));
}

#[test]
fn each_player_can_have_a_time_control_of_his_own() {
    let mut clock = Clock::new("300+3|240+b5".parse().unwrap());
    assert_eq!(shown(&clock, ms(0)), (303, 245, false, Side::Left));
    clock.start(ms(0), White);
    clock.press(ms(4000));
    // 303 s less 4, and 3 more.
    assert_eq!(shown(&clock, ms(4000)), (302, 245, true, Side::Right));
    clock.press(ms(6500));
    // The 2.5 s he used come back.
    assert_eq!(shown(&clock, ms(6500)), (302, 245, true, Side::Left));
    // Only White has another period: at zero Black's flag falls.
    let mut clock = Clock::new("10:20|5".parse().unwrap());
    clock.start(ms(0), White);
    assert_eq!(shown(&clock, ms(11_000)), (19, 5, true, Side::Left));
    clock.press(ms(11_000));
    assert_eq!(clock.face(ms(16_000)).right.flag, FlagMark::Final);
}
