//! Names of pieces and players in the two languages of the house.

use std::time::Duration;

use shakmaty::{Color, Piece, Role, Square};

use crate::incident::Bilingual;

/// A text in both languages, typeset as each wants it.
#[must_use]
pub fn both(en: impl Into<String>, fr: impl Into<String>) -> Bilingual {
    let apostrophes = |text: String| text.replace('\'', "\u{2019}");
    Bilingual { en: apostrophes(en.into()), fr: spaced_fr(&apostrophes(fr.into())) }
}

/// With the no-break spaces of French, so that no line begins with a mark.
fn spaced_fr(text: &str) -> String {
    const MARKS: [&str; 5] = [":", ";", "!", "?", "»"];
    let inside = text.replace("« ", "«\u{a0}");
    MARKS
        .iter()
        .fold(inside, |text, mark| text.replace(&format!(" {mark}"), &format!("\u{a0}{mark}")))
}

/// More squares than this are counted and not named: nobody reads them.
const NAMED_MAX: usize = 8;

/// Squares by name, or how many they are.
pub(crate) fn squares(squares: impl IntoIterator<Item = Square>) -> Bilingual {
    let names: Vec<_> = squares.into_iter().map(|square| square.to_string()).collect();
    match names.len() {
        ..=NAMED_MAX => both(names.join(", "), names.join(", ")),
        count => both(format!("{count} squares"), format!("{count} cases")),
    }
}

/// A span that is told in minutes where it is some: `2 minutes`, `1 min 30 s`, `45 s`.
pub(crate) fn minutes(seconds: u32) -> Bilingual {
    let text = match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (1, 0) => "1 minute".to_owned(),
        (minutes, 0) => format!("{minutes} minutes"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    };
    both(text.clone(), text)
}

/// Seconds with one decimal, written as each language does.
pub(crate) fn tenths(span: Duration) -> Bilingual {
    let (whole, tenth) = (span.as_secs(), span.subsec_millis() / 100);
    both(format!("{whole}.{tenth}"), format!("{whole},{tenth}"))
}

pub(crate) const fn player_en(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

pub(crate) const fn player_fr(side: Color) -> &'static str {
    match side {
        Color::White => "Les Blancs",
        Color::Black => "Les Noirs",
    }
}

/// The same within a sentence.
pub(crate) const fn the_player_fr(side: Color) -> &'static str {
    match side {
        Color::White => "les Blancs",
        Color::Black => "les Noirs",
    }
}

/// The same without its article.
pub(crate) const fn bare_player_fr(side: Color) -> &'static str {
    match side {
        Color::White => "Blancs",
        Color::Black => "Noirs",
    }
}

/// The French player's name after "à".
pub(crate) const fn to_player_fr(side: Color) -> &'static str {
    match side {
        Color::White => "aux Blancs",
        Color::Black => "aux Noirs",
    }
}

/// The French player's name after "des".
pub(crate) const fn of_player_fr(side: Color) -> &'static str {
    match side {
        Color::White => "des Blancs",
        Color::Black => "des Noirs",
    }
}

pub(crate) const fn piece_en(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// With its article.
pub(crate) const fn piece_fr(role: Role) -> &'static str {
    match role {
        Role::Pawn => "le pion",
        Role::Knight => "le cavalier",
        Role::Bishop => "le fou",
        Role::Rook => "la tour",
        Role::Queen => "la dame",
        Role::King => "le roi",
    }
}

/// Without it.
pub(crate) const fn bare_fr(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pion",
        Role::Knight => "cavalier",
        Role::Bishop => "fou",
        Role::Rook => "tour",
        Role::Queen => "dame",
        Role::King => "roi",
    }
}

/// `une tour`.
pub(crate) fn a_piece_fr(role: Role) -> String {
    format!("{} {}", if feminine(role) { "une" } else { "un" }, bare_fr(role))
}

/// Whether the French name of a piece is feminine.
pub(crate) const fn feminine(role: Role) -> bool {
    matches!(role, Role::Rook | Role::Queen)
}

/// What a participle ends in that agrees with a piece: `soulevée`.
pub(crate) const fn agreeing_e(role: Role) -> &'static str {
    if feminine(role) { "e" } else { "" }
}

/// The same words at the beginning of a sentence.
pub(crate) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `White knight`.
pub(crate) fn coloured_en(piece: Piece) -> String {
    format!("{} {}", player_en(piece.color), piece_en(piece.role))
}

/// `Cavalier blanc soulevé`.
pub(crate) fn lifted_fr(piece: Piece) -> String {
    agreeing_fr(piece, "soulevé")
}

/// `Tour noire posée`.
pub(crate) fn put_fr(piece: Piece) -> String {
    agreeing_fr(piece, "posé")
}

/// `tour noire`.
pub(crate) fn standing_fr(piece: Piece) -> String {
    let name = bare_fr(piece.role);
    let colour = match (piece.color, feminine(piece.role)) {
        (Color::White, false) => "blanc",
        (Color::White, true) => "blanche",
        (Color::Black, false) => "noir",
        (Color::Black, true) => "noire",
    };
    format!("{name} {colour}")
}

fn agreeing_fr(piece: Piece, participle: &str) -> String {
    let e = agreeing_e(piece.role);
    format!("{} {participle}{e}", capital(&standing_fr(piece)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_french_line_begins_with_a_mark() {
        let text = both("one: two; \"x\"", "un : deux ; « trois » ! quatre (7.5) ?");
        assert_eq!(text.en, "one: two; \"x\"");
        let fr = "un\u{a0}: deux\u{a0}; «\u{a0}trois\u{a0}»\u{a0}! quatre (7.5)\u{a0}?";
        assert_eq!(text.fr, fr);
        assert_eq!(both("", fr).fr, fr, "parts of a text may be texts");
    }

    #[test]
    fn spans_are_written_as_people_say_them() {
        let said = [45, 60, 90, 120].map(|seconds| minutes(seconds).en);
        assert_eq!(said, ["45 s", "1 minute", "1 min 30 s", "2 minutes"]);
        assert_eq!(tenths(Duration::from_millis(2_060)), both("2.0", "2,0"));
    }

    #[test]
    fn french_words_agree() {
        assert_eq!(lifted_fr(Color::White.knight()), "Cavalier blanc soulevé");
        assert_eq!(put_fr(Color::Black.rook()), "Tour noire posée");
        assert_eq!(lifted_fr(Color::White.queen()), "Dame blanche soulevée");
        assert_eq!(coloured_en(Color::Black.king()), "Black king");
    }
}
