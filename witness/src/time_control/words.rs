//! A time control in words, for people.

use super::{Extra, Period, Periods, TimeControl};
use crate::incident::Bilingual;
use crate::laws::words::both;

impl TimeControl {
    /// In one sentence.
    #[must_use]
    pub fn words(&self) -> Bilingual {
        if self.is_untimed() {
            return both("no time limit", "sans limite de temps");
        }
        let (white, black) = (of(&self.white), of(&self.black));
        if self.white == self.black {
            return white;
        }
        both(
            format!("White: {}; Black: {}", white.en, black.en),
            format!("Blancs : {} ; Noirs : {}", white.fr, black.fr),
        )
    }
}

fn of(periods: &Periods) -> Bilingual {
    let (mut en, mut fr) = (Vec::new(), Vec::new());
    let count = periods.all().len();
    for (index, period) in periods.all().iter().enumerate() {
        let again = index + 1 == count && period.moves.is_some();
        en.push(english(period, again));
        fr.push(french(period, again));
    }
    both(en.join(", then "), fr.join(", puis "))
}

fn english(period: &Period, again: bool) -> String {
    let mut words = match period.main_s {
        0 => "no main time".to_owned(),
        main_s => duration(main_s, EN),
    };
    match period.moves {
        Some(1) if again => words += " for every move",
        Some(moves) if again => words += &format!(" for every {}", counted(moves.into(), MOVE_EN)),
        Some(moves) => words += &format!(" for {}", counted(moves.into(), MOVE_EN)),
        None => {}
    }
    words += &match period.extra {
        Extra::None => String::new(),
        Extra::Increment { seconds, from_move: 1 } => {
            format!(" with {} added for each move", duration(seconds, EN))
        }
        Extra::Increment { seconds, from_move } => {
            format!(" with {} added for each move from move {from_move}", duration(seconds, EN))
        }
        Extra::Delay(seconds) => {
            format!(" with a delay of {} before each move", duration(seconds, EN))
        }
        Extra::Bronstein(seconds) => {
            format!(" with up to {} given back for each move (Bronstein)", duration(seconds, EN))
        }
        Extra::Japanese { periods, seconds } => {
            let periods = counted(periods.into(), ("period", "periods"));
            format!(" and {periods} of {} for each move (byo-yomi)", duration(seconds, EN))
        }
        Extra::Canadian { moves, seconds } => {
            let moves = counted(moves.into(), MOVE_EN);
            format!(" and {} for every {moves} (Canadian byo-yomi)", duration(seconds, EN))
        }
        Extra::Hourglass => " each, hourglass".to_owned(),
    };
    words
}

fn french(period: &Period, again: bool) -> String {
    let mut words = match period.main_s {
        0 => "sans temps principal".to_owned(),
        main_s => duration(main_s, FR),
    };
    match period.moves {
        Some(1) if again => words += " par coup",
        Some(moves) if again => words += &format!(" par {}", counted(moves.into(), MOVE_FR)),
        Some(moves) => words += &format!(" pour {}", counted(moves.into(), MOVE_FR)),
        None => {}
    }
    words += &match period.extra {
        Extra::None => String::new(),
        Extra::Increment { seconds, from_move: 1 } => {
            format!(" et {} de plus à chaque coup", duration(seconds, FR))
        }
        Extra::Increment { seconds, from_move } => {
            let added = duration(seconds, FR);
            format!(" et {added} de plus à chaque coup à partir du {from_move}e")
        }
        Extra::Delay(seconds) => {
            format!(" avec un délai de {} avant chaque coup", duration(seconds, FR))
        }
        Extra::Bronstein(seconds) => {
            let back = if seconds == 1 { "rendue" } else { "rendues" };
            format!(" et jusqu'à {} {back} à chaque coup (Bronstein)", duration(seconds, FR))
        }
        Extra::Japanese { periods, seconds } => {
            let periods = counted(periods.into(), ("période", "périodes"));
            format!(" et {periods} de {} par coup (byo-yomi)", duration(seconds, FR))
        }
        Extra::Canadian { moves, seconds } => {
            let moves = counted(moves.into(), MOVE_FR);
            format!(" et {} par {moves} (byo-yomi canadien)", duration(seconds, FR))
        }
        Extra::Hourglass => " chacun, sablier".to_owned(),
    };
    words
}

type Noun = (&'static str, &'static str);

const MOVE_EN: Noun = ("move", "moves");
const MOVE_FR: Noun = ("coup", "coups");
const EN: [Noun; 3] = [("hour", "hours"), ("minute", "minutes"), ("second", "seconds")];
const FR: [Noun; 3] = [("heure", "heures"), ("minute", "minutes"), ("seconde", "secondes")];

fn counted(number: u32, (one, many): Noun) -> String {
    format!("{number} {}", if number < 2 { one } else { many })
}

/// Up to two hours in minutes, as players say it: 90 minutes.
fn duration(seconds: u32, [hour, minute, second]: [Noun; 3]) -> String {
    let hours = if seconds >= 7200 { seconds / 3600 } else { 0 };
    let minutes = (seconds - hours * 3600) / 60;
    let parts = [(hours, hour), (minutes, minute), (seconds % 60, second)];
    let words: Vec<_> =
        parts.iter().filter(|(n, _)| *n > 0).map(|&(n, noun)| counted(n, noun)).collect();
    words.join(" ")
}
