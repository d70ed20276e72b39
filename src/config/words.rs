//! Settings that are one of several words.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use witness::Edition;

/// The broker of the feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Broker {
    /// The embedded broker.
    #[default]
    Embedded,
    /// A broker of the organizer.
    External,
}

/// Who may read the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hall {
    /// All guests.
    Open,
    /// Users with a password.
    Users,
}

/// Whether rapid and blitz games have adequate supervision (A.3, B.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Supervision {
    /// Supervision is adequate.
    Adequate,
    /// Supervision is not adequate.
    Inadequate,
}

impl Supervision {
    /// The word in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Adequate => "adequate",
            Self::Inadequate => "inadequate",
        }
    }
}

/// Reads the language of a line. `auto` says no more than to leave it out.
pub(super) fn driver<'de, D: Deserializer<'de>>(words: D) -> Result<Option<String>, D::Error> {
    let named = String::deserialize(words)?;
    Ok((named != "auto").then_some(named))
}

/// The years of the editions, as in the configuration.
const YEARS: [&str; 4] = ["2005", "2014", "2018", "2023"];

/// An edition of the Laws, by its year.
pub(super) fn edition<'de, D: Deserializer<'de>>(from: D) -> Result<Edition, D::Error> {
    let year = String::deserialize(from)?;
    Edition::named(&year).ok_or_else(|| D::Error::unknown_variant(&year, &YEARS))
}

/// The same for a key that may be absent.
pub(super) fn other_edition<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Edition>, D::Error> {
    edition(from).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edition_can_be_written() {
        assert_eq!(Edition::ALL.map(Edition::year), YEARS);
    }
}
