//! In French, what is wrong with a request that has not the form it should have. The library that
//! reads requests says it in English; what it says here is taken apart and said anew.

/// What the library calls what it found, and what a reader does.
const FOUND: [(&str, &str); 8] = [
    ("boolean", "la valeur"),
    ("integer", "le nombre"),
    ("floating point", "le nombre"),
    ("string", "le texte"),
    ("null", "rien"),
    ("unit value", "rien"),
    ("sequence", "une liste"),
    ("map", "un objet"),
];

/// What the library calls what it wanted, and what a reader does.
const WANTED: [(&str, &str); 8] = [
    ("a whole number", "un nombre entier"),
    ("u16", "un nombre entier"),
    ("a boolean", "true ou false"),
    ("a string", "un texte"),
    ("a sequence", "une liste"),
    ("variant identifier", "un mot"),
    ("string or map", "un mot"),
    ("borrowed string", "un texte"),
];

/// Whole sentences, of those fields that may have several forms.
const SENTENCES: [(&str, &str); 2] = [
    ("write the name of a round", "écrire le nom d'une ronde"),
    (
        "write a name, or an object with name, title, rating, federation and fide_id",
        "écrire un nom, ou un objet avec name, title, rating, federation et fide_id",
    ),
];

/// Part of a sentence; what the library has never said so far has no detail.
#[must_use]
pub fn in_french(error: &str) -> String {
    let told = sentence(error)
        .or_else(|| missing(error))
        .or_else(|| none_of(error))
        .or_else(|| other_than_wanted(error));
    told.unwrap_or_else(|| "la forme voulue est une autre".to_owned())
}

fn sentence(error: &str) -> Option<String> {
    Some(SENTENCES.iter().find(|(en, _)| *en == error)?.1.to_owned())
}

/// "missing field `table`"
fn missing(error: &str) -> Option<String> {
    Some(format!("il manque {}", bare(error.strip_prefix("missing field ")?)))
}

/// "unknown variant `red`, expected `white` or `black`", "… expected one of `a`, `b`, `c`"
fn none_of(error: &str) -> Option<String> {
    let known = error.strip_prefix("unknown variant ").or(error.strip_prefix("unknown field "))?;
    let (found, wanted) = known.split_once(", expected ")?;
    let wanted = wanted.strip_prefix("one of ").unwrap_or(wanted).replace(" or ", ", ");
    Some(format!("« {} » n'est pas l'un de {}", bare(found), bare(&wanted)))
}

/// "invalid type: string \"two\", expected a whole number"
fn other_than_wanted(error: &str) -> Option<String> {
    let told = error.strip_prefix("invalid type: ").or(error.strip_prefix("invalid value: "))?;
    let (found, wanted) = told.rsplit_once(", expected ")?;
    let (_, wanted) = WANTED.iter().find(|(en, _)| *en == wanted)?;
    let (en, fr) = FOUND.iter().find(|(en, _)| found.starts_with(en))?;
    let found = match found[en.len()..].trim() {
        "" => (*fr).to_owned(),
        which => format!("{fr} {}", bare(which).replace('"', "")),
    };
    Some(format!("{wanted} était attendu, et non {found}"))
}

fn bare(quoted: &str) -> String {
    quoted.replace('`', "")
}

#[cfg(test)]
mod tests {
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
                "« red » n'est pas l'un de white, black",
            ),
            (
                "unknown variant `maybe`, expected one of `upheld`, `dismissed`, `noted`",
                "« maybe » n'est pas l'un de upheld, dismissed, noted",
            ),
            ("write the name of a round", "écrire le nom d'une ronde"),
            ("something it has never said", "la forme voulue est une autre"),
        ] {
            assert_eq!(in_french(english), french);
        }
    }
}
