//! Names of pieces and players in the two languages of the house.

use shakmaty::{Color, Role};

use crate::incident::Bilingual;

pub(crate) fn both(en: impl Into<String>, fr: impl Into<String>) -> Bilingual {
    Bilingual { en: en.into(), fr: fr.into() }
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

/// Whether the French name of a piece is feminine.
pub(crate) const fn feminine(role: Role) -> bool {
    matches!(role, Role::Rook | Role::Queen)
}

/// The same words at the beginning of a sentence.
pub(crate) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
