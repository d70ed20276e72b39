//! The forms of time controls, what follows from them, and that what is written is read again.

use proptest::prelude::*;

use super::*;

fn control(text: &str) -> TimeControl {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

const FISCHER_30: Extra = Extra::Increment { seconds: 30, from_move: 1 };

#[test]
fn the_forms_of_pgn_and_trf_are_read() {
    let two = control("40/5400+30:1800+30");
    let periods = two.of(Color::White).all();
    let first = Period { moves: Some(40), main_s: 5400, extra: FISCHER_30 };
    let second = Period { moves: None, main_s: 1800, extra: FISCHER_30 };
    assert_eq!(periods, [first, second]);
    let extra = |text: &str| control(text).of(Color::Black).all()[0].extra;
    assert_eq!(extra("300"), Extra::None);
    assert_eq!(extra("300+0"), Extra::None);
    assert_eq!(extra("300+3"), Extra::Increment { seconds: 3, from_move: 1 });
    assert_eq!(extra("300+d3"), Extra::Delay(3));
    assert_eq!(extra("300+b3"), Extra::Bronstein(3));
    assert_eq!(extra("*60"), Extra::Hourglass);
    assert_eq!(extra("1500+5x60"), Extra::Japanese { periods: 5, seconds: 60 });
    assert_eq!(extra("3600+25/600"), Extra::Canadian { moves: 25, seconds: 600 });
    assert!(control("-").is_untimed());
    // The line `222` of a TRF26 file.
    assert_eq!(control("40/6000+30:900+30").of(Color::White).all()[1].main_s, 900);
}

#[test]
fn an_armageddon_game_has_a_side_for_each() {
    let armageddon = control("300+3@61|240+3@61");
    assert_eq!(armageddon.of(Color::White).start(), Some(FaceTime::from_hms(0, 5, 0)));
    assert_eq!(armageddon.of(Color::Black).start(), Some(FaceTime::from_hms(0, 4, 0)));
    let white = armageddon.of(Color::White).all()[0];
    assert_eq!([60, 61, 62].map(|number| white.per_move_s(number)), [0, 3, 3]);
}

#[test]
fn what_cannot_be_meant_is_refused_with_what_to_write() {
    for text in [
        "",
        "?",
        "0",
        "+3",
        "300+",
        "300+x",
        "300+-3",
        "40/",
        "/300",
        "0/300",
        "300+d0",
        "300+b",
        "300+3@0",
        "300+3@",
        "*0",
        "*",
        "300+5x",
        "300+x60",
        "1000/300",
        "300|",
        "|300",
        "5x60",
        "300:",
        ":300",
        "1:2:3:4:5:6",
        "999999",
        "90m+30s",
        "300+5x60:300",
        "300|240|180",
        "5400+30|*60",
        "*60|*30",
    ] {
        let error = text.parse::<TimeControl>().expect_err(text).to_string();
        assert!(error.contains("; write "), "{text}: {error}");
    }
}

#[test]
fn periods_follow_from_moves() {
    let three = control("40/6000+30:20/3000+30:900+30");
    let periods = three.of(Color::White);
    let at = [0, 39, 40, 59, 60, 200].map(|completed| periods.after_moves(completed));
    assert_eq!(at, [0, 0, 1, 1, 2, 2]);
    assert_eq!([0, 1, 2].map(|it| periods.required(it)), [Some(40), Some(60), None]);
    assert!(periods.is_last(2) && !periods.is_last(1));
    let again = control("40/7200");
    assert_eq!(again.of(Color::White).required(2), Some(120));
    assert_eq!(again.of(Color::White).after_moves(85), 2);
    assert!(!again.of(Color::White).is_last(7));
    let by_time = control("7200:3600");
    assert_eq!(by_time.of(Color::White).required(0), None);
    assert_eq!(by_time.of(Color::White).after_moves(99), 0);
}

/// The example of the commentary to the Laws: 90 minutes and 30 seconds.
#[test]
fn the_start_shows_what_the_mode_gives_beforehand() {
    let start = |text: &str| control(text).start().unwrap().white.to_string();
    assert_eq!(start("5400+30"), "1:30:30");
    assert_eq!(start("5400+b30"), "1:30:30");
    assert_eq!(start("5400+d30"), "1:30:00");
    assert_eq!(start("5400"), "1:30:00");
    assert_eq!(control("1500+5x60").start(), None);
}

#[test]
fn a_period_adds_its_time_and_the_change_of_the_increment() {
    let added = |text: &str| control(text).of(Color::White).addition(1).map(FaceTime::as_ms);
    assert_eq!(added("40/5400+30:1800+30"), Some(1_800_000));
    assert_eq!(added("40/7200:900+30"), Some(930_000));
    assert_eq!(added("300+3"), None);
    assert_eq!(added("40/5400+30:1800+10"), Some(1_780_000), "move 41 has 30 s already");
    assert_eq!(added("7200:3600+d5"), Some(3_600_000), "a delay is not added to anything");
}

#[test]
fn each_period_has_an_increment_of_its_own() {
    let text = "40/5400+30:20/3000+10:900";
    let periods = *control(text).of(Color::White);
    assert_eq!(control(text).to_string(), text);
    // 1:30:30 and 40 increments, the last of them for move 41, which has 10 s.
    let given = |period, made| periods.allotted(period, made).unwrap().as_ms() / 1000;
    assert_eq!(given(0, 39), 5400 + 40 * 30);
    assert_eq!(given(1, 40), 5400 + 40 * 30 + 3000 + 10);
    assert_eq!(given(2, 60), 5400 + 40 * 30 + 3000 + 20 * 10 + 900);
}

#[test]
fn sixty_moves_tell_the_rate_of_play() {
    let total = |text: &str| control(text).of(Color::White).sixty_moves_s();
    assert_eq!(total("180+2"), 300);
    assert_eq!(total("3600"), 3600);
    assert_eq!(total("40/5400+30:1800+30"), 9000);
}

fn any_extra() -> impl Strategy<Value = Extra> {
    prop_oneof![
        Just(Extra::None),
        (1..600_u32, 1..100_u16)
            .prop_map(|(seconds, from_move)| Extra::Increment { seconds, from_move }),
        (1..600_u32).prop_map(Extra::Delay),
        (1..600_u32).prop_map(Extra::Bronstein),
    ]
}

fn any_last() -> impl Strategy<Value = Extra> {
    prop_oneof![
        any_extra(),
        (1..30_u16, 1..600_u32).prop_map(|(periods, seconds)| Extra::Japanese { periods, seconds }),
        (1..30_u16, 1..600_u32).prop_map(|(moves, seconds)| Extra::Canadian { moves, seconds }),
    ]
}

fn any_periods() -> impl Strategy<Value = Periods> {
    let main = || 1..36_000_u32;
    let period = (prop::option::of(1..100_u16), main(), any_extra())
        .prop_map(|(moves, main_s, extra)| Period { moves, main_s, extra });
    let last = (prop::option::of(1..100_u16), main(), any_last())
        .prop_map(|(moves, main_s, extra)| Period { moves, main_s, extra });
    let glass = main().prop_map(|main_s| Period { moves: None, main_s, extra: Extra::Hourglass });
    (prop::collection::vec(period, 0..4), prop_oneof![8 => last, 1 => glass]).prop_map(
        |(mut all, last)| {
            all.push(last);
            Periods::of(&all).unwrap()
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(white in any_periods(), black in any_periods()) {
        let glass = |it: &Periods| it.all().iter().any(|it| it.extra == Extra::Hourglass);
        let black = if glass(&white) || glass(&black) { white } else { black };
        for control in [TimeControl { white, black }, TimeControl::same(white)] {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "[0-9+/:|*@dbx?-]{0,24}") {
        if let Ok(control) = text.parse::<TimeControl>() {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }
    }
}

#[test]
fn what_is_nearly_written_right_is_refused_with_a_remedy() {
    let wanted = |text: &str| text.parse::<TimeControl>().unwrap_err().wanted();
    for delay in ["300+D3", "300+3d", "300+"] {
        assert!(wanted(delay).contains("+d3 (delay)"), "{delay}");
    }
    assert!(wanted("1:30:00").contains("in seconds above zero, as 5400"));
    assert!(wanted("5400+30/move").starts_with("seconds, as +30"));
}
