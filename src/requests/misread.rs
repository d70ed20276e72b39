//! Explains why a request could not be decoded.
//!
//! serde reports errors as English sentences. This module takes them apart, so that they can be
//! translated.

use witness::Message;

use crate::say;

/// serde's names of the types that it found.
const FOUND: [(&str, Found); 8] = [
    ("boolean", Found::As(say::found_value)),
    ("integer", Found::As(say::found_number)),
    ("floating point", Found::As(say::found_number)),
    ("string", Found::As(say::found_text)),
    ("null", Found::Just(say::found_nothing)),
    ("unit value", Found::Just(say::found_nothing)),
    ("sequence", Found::Just(say::found_list)),
    ("map", Found::Just(say::found_object)),
];

/// How a found value is described: with the value, or by its type alone.
#[derive(Clone, Copy)]
enum Found {
    As(fn(&str) -> Message),
    Just(fn() -> Message),
}

/// serde's name of a wanted type, and our message for it.
type Wanted = (&'static str, fn() -> Message);

/// serde's names of the types that it wanted.
const WANTED: [Wanted; 8] = [
    ("a whole number", say::wanted_number),
    ("u16", say::wanted_number),
    ("a boolean", say::wanted_truth),
    ("a string", say::wanted_text),
    ("a sequence", say::wanted_list),
    ("variant identifier", say::wanted_word),
    ("string or map", say::wanted_word),
    ("borrowed string", say::wanted_text),
];

/// The error for a round without a valid name.
pub(super) const ROUND: &str = "write the name of a round";
/// The error for a player without a valid name.
pub(super) const PLAYER: &str =
    "write a name, or an object with name, title, rating, federation and fide_id";

/// The error as part of a sentence.
#[must_use]
pub fn why(error: &str) -> Message {
    let sentence = sentence(error)
        .or_else(|| missing(error))
        .or_else(|| none_of(error))
        .or_else(|| other_than_wanted(error));
    sentence.unwrap_or_else(|| say::misread_other(error))
}

/// Translates an error of a field that accepts several forms.
fn sentence(error: &str) -> Option<Message> {
    match error {
        ROUND => Some(say::misread_round()),
        PLAYER => Some(say::misread_player()),
        _ => None,
    }
}

/// "missing field `table`"
fn missing(error: &str) -> Option<Message> {
    Some(say::misread_missing(&bare(error.strip_prefix("missing field ")?)))
}

/// "unknown variant `red`, expected `white` or `black`", "… expected one of `a`, `b`, `c`"
fn none_of(error: &str) -> Option<Message> {
    let known = error.strip_prefix("unknown variant ").or(error.strip_prefix("unknown field "))?;
    let (found, wanted) = known.split_once(", expected ")?;
    let wanted = wanted.strip_prefix("one of ").unwrap_or(wanted).replace(" or ", ", ");
    Some(say::misread_none_of(&bare(found), &bare(&wanted)))
}

/// "invalid type: string \"two\", expected a whole number"
fn other_than_wanted(error: &str) -> Option<Message> {
    let rest = error.strip_prefix("invalid type: ").or(error.strip_prefix("invalid value: "))?;
    let (found, wanted) = rest.rsplit_once(", expected ")?;
    let (_, wanted) = WANTED.iter().find(|(en, _)| *en == wanted)?;
    let (en, how) = FOUND.iter().find(|(en, _)| found.starts_with(en))?;
    let found = match how {
        Found::As(say) => say(&bare(found[en.len()..].trim()).replace('"', "")),
        Found::Just(say) => say(),
    };
    Some(say::misread_type(found, wanted()))
}

fn bare(quoted: &str) -> String {
    quoted.replace('`', "")
}

#[cfg(test)]
mod tests {
    use words::InWords as _;

    use super::*;

    #[test]
    fn what_the_library_says_is_said_in_french() {
        for (english, french) in [
            (
                "invalid type: string \"two\", expected a whole number",
                "un nombre entier était attendu, et non le texte two",
            ),
            (
                "invalid value: integer `-1`, expected a whole number",
                "un nombre entier était attendu, et non le nombre -1",
            ),
            ("invalid type: null, expected a string", "un texte était attendu, et non rien"),
            ("missing field `table`", "il manque table"),
            (
                "unknown variant `red`, expected `white` or `black`",
                "«\u{a0}red\u{a0}» n’est pas l’un de white, black",
            ),
            (
                "unknown variant `maybe`, expected one of `upheld`, `dismissed`, `noted`",
                "«\u{a0}maybe\u{a0}» n’est pas l’un de upheld, dismissed, noted",
            ),
            ("write the name of a round", "écrire le nom d’une ronde"),
            (
                "something it has never said",
                "la forme voulue est une autre (something it has never said)",
            ),
        ] {
            assert_eq!(why(english).fr(), french);
        }
        let red = why("unknown variant `red`, expected `white` or `black`").en();
        assert_eq!(red, "unknown variant `red`, expected one of white, black");
    }
}
