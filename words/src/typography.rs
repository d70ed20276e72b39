//! How a language sets its marks.

/// The marks before which French has a space at which no line ends.
const MARKS: [&str; 5] = [":", ";", "!", "?", "»"];

/// The text with curved apostrophes and, in French, with no-break spaces.
pub fn set(language: &str, text: &str) -> String {
    let text = text.replace('\'', "\u{2019}");
    if language != "fr" {
        return text;
    }
    let inside = text.replace("« ", "«\u{a0}");
    MARKS
        .iter()
        .fold(inside, |text, mark| text.replace(&format!(" {mark}"), &format!("\u{a0}{mark}")))
}

#[test]
fn no_french_line_begins_with_a_mark() {
    let text = "un : deux ; « trois » ! quatre (7.5) ?";
    let wanted = "un\u{a0}: deux\u{a0}; «\u{a0}trois\u{a0}»\u{a0}! quatre (7.5)\u{a0}?";
    assert_eq!(set("fr", text), wanted);
    assert_eq!(set("fr", wanted), wanted, "what is set already stays");
    assert_eq!(set("en", "one: 'x'"), "one: ’x’");
}
