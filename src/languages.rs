//! The languages of an event, and texts in all of them.

use std::collections::BTreeMap;

use serde::Serialize;
use witness::Message;
use words::Language;

/// The languages in which texts are published. English and French are always among them, because
/// readers of the feed rely on that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Languages(Vec<Language>);

/// A text in several languages, by their codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Text(BTreeMap<&'static str, String>);

impl Default for Languages {
    fn default() -> Self {
        Self(vec![Language::ENGLISH, Language::FRENCH])
    }
}

impl Languages {
    /// These languages, English and French. Unknown codes are left out.
    #[must_use]
    pub fn with(codes: &[String]) -> Self {
        let mut all = Self::default().0;
        for language in codes.iter().filter_map(|code| Language::of(code)) {
            if !all.contains(&language) {
                all.push(language);
            }
        }
        Self(all)
    }

    /// All languages, for texts whose readers are not known yet.
    #[must_use]
    pub fn all() -> Self {
        Self(Language::all().collect())
    }

    /// A message in all these languages.
    #[must_use]
    pub fn text(&self, message: &Message) -> Text {
        Text(self.0.iter().map(|it| (it.code(), it.say(message))).collect())
    }
}

impl Text {
    /// The text in this language, or else in English.
    #[must_use]
    pub fn in_language(&self, code: &str) -> &str {
        self.0.get(code).or_else(|| self.0.get("en")).map_or("", String::as_str)
    }
}

#[test]
fn a_text_is_in_the_languages_of_the_house_and_of_the_event() {
    let message = witness::say::clock_lost();
    let codes = |named: &[&str]| {
        let named: Vec<_> = named.iter().map(|it| (*it).to_owned()).collect();
        let text = Languages::with(&named).text(&message);
        text.0.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(codes(&[]), ["en", "fr"]);
    assert_eq!(codes(&["fr", "es", "xx"]), ["en", "es", "fr"]);
    let text = Languages::with(&["es".to_owned()]).text(&message);
    assert_eq!(text.in_language("es"), "El reloj ya no se recibe.");
    assert_eq!(text.in_language("xx"), "The clock is not heard any more.");
}
