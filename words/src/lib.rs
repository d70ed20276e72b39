//! Puts messages into words. A language is a folder beside this crate's `src`, with the sentences
//! in Fluent files; what a message speaks of is put into words by functions here: moves, squares,
//! times, and names with the forms that a language's glossary gives them.

mod catalogue;
pub mod check;
mod typography;

use std::fmt;

use witness::Message;

use catalogue::catalogue;

/// A language that there is a folder of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Language(&'static str);

impl Language {
    /// The language that every other one falls back to.
    pub const ENGLISH: Self = Self("en");
    /// The other one of the house.
    pub const FRENCH: Self = Self("fr");

    /// All languages, by their codes.
    pub fn all() -> impl Iterator<Item = Self> {
        catalogue().codes().map(Self)
    }

    /// The language of this code: `en`.
    #[must_use]
    pub fn of(code: &str) -> Option<Self> {
        Self::all().find(|it| it.0 == code)
    }

    /// Its code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.0
    }

    /// How it is called by those who speak it.
    #[must_use]
    pub fn name(self) -> String {
        catalogue().own(self.0, "language_name")
    }

    /// A message in words.
    #[must_use]
    pub fn say(self, message: &Message) -> String {
        typography::set(self.0, &catalogue().words(self.0, message))
    }

    /// A whole page of the folder.
    #[must_use]
    pub fn page(self, name: &str) -> &'static str {
        catalogue().page(self.0, name)
    }

    /// A message that speaks of nothing, where this language has it.
    #[must_use]
    pub fn phrase(self, name: &str) -> Option<String> {
        catalogue().phrase(self.0, name).map(|text| typography::set(self.0, &text))
    }

    /// The names of the messages in a file of this language.
    #[must_use]
    pub fn names(self, file: &str) -> Vec<String> {
        catalogue().names(self.0, file)
    }

    /// A move in SAN with the letters of this language.
    #[must_use]
    pub fn san(self, san: &str) -> String {
        catalogue().san(self.0, san)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// What can be said in the languages of the house.
pub trait InWords {
    /// In English, as for the log.
    fn en(&self) -> String;
    /// In French.
    fn fr(&self) -> String;
}

impl InWords for Message {
    fn en(&self) -> String {
        Language::ENGLISH.say(self)
    }

    fn fr(&self) -> String {
        Language::FRENCH.say(self)
    }
}
