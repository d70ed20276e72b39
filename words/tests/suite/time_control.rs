//! Time controls, as people say them.

use witness::TimeControl;
use words::InWords as _;

fn control(text: &str) -> TimeControl {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn in_words_a_person_understands_it() {
    let en = |text: &str| control(text).words().en();
    let fr = |text: &str| control(text).words().fr();
    assert_eq!(
        en("40/5400+30:1800+30"),
        "90 minutes for 40 moves with 30 seconds added for each move, then 30 minutes with 30 \
         seconds added for each move"
    );
    assert_eq!(
        fr("40/5400+30:1800+30"),
        "90 minutes pour 40 coups et 30 secondes de plus à chaque coup, puis 30 minutes et 30 \
         secondes de plus à chaque coup"
    );
    assert_eq!(en("9000"), "2 hours 30 minutes");
    assert_eq!(en("300+d3"), "5 minutes with a delay of 3 seconds before each move");
    assert_eq!(
        fr("90+b1"),
        "1 minute 30 secondes et jusqu’à 1 seconde rendue à chaque coup \
                             (Bronstein)"
    );
    assert_eq!(en("*60"), "1 minute each, hourglass");
    assert_eq!(
        fr("300+3@61|240+3@61"),
        "Blancs\u{a0}: 5 minutes et 3 secondes de plus à chaque coup à partir du 61e\u{a0}; \
         Noirs\u{a0}: 4 minutes et 3 secondes de plus à chaque coup à partir du 61e"
    );
    let text = "40/5400+30:20/3000+10:900";
    assert_eq!(
        control(text).words().en(),
        "90 minutes for 40 moves with 30 seconds added for each move, then 50 minutes for 20 moves \
         with 10 seconds added for each move, then 15 minutes"
    );
    assert_eq!(
        control(text).words().fr(),
        "90 minutes pour 40 coups et 30 secondes de plus à chaque coup, puis 50 minutes pour 20 \
         coups et 10 secondes de plus à chaque coup, puis 15 minutes"
    );
    assert_eq!(en("-"), "no time limit");
}

#[test]
fn one_of_a_thing_and_none_of_it_are_said_as_people_say_them() {
    let words = |text: &str| {
        let words = text.parse::<TimeControl>().unwrap().words();
        [words.en(), words.fr()]
    };
    assert_eq!(
        words("1/60+1"),
        [
            "1 minute for every move with 1 second added for each move",
            "1 minute par coup et 1 seconde de plus à chaque coup",
        ]
    );
    assert_eq!(
        words("0+3"),
        [
            "no main time with 3 seconds added for each move",
            "sans temps principal et 3 secondes de plus à chaque coup",
        ]
    );
    assert_eq!(words("60+b1")[1], "1 minute et jusqu’à 1 seconde rendue à chaque coup (Bronstein)");
}
