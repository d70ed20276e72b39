//! Words of which one is written, where no other is meant.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use shakmaty::Color;
use witness::Edition;

/// Which broker carries the feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Broker {
    /// The daemon's own.
    #[default]
    Embedded,
    /// The organizer's.
    External,
}

/// Who may read the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hall {
    /// Everybody.
    Open,
    /// Only who has a password.
    Users,
}

/// Whether enough arbiters watch rapid and blitz games (A.3, B.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Supervision {
    /// They do.
    Adequate,
    /// They do not.
    Inadequate,
}

/// A player, by his colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// As it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// The years of the editions, as they are written.
const YEARS: [&str; 4] = ["2005", "2014", "2018", "2023"];

/// An edition of the Laws, by its year.
pub(super) fn edition<'de, D: Deserializer<'de>>(from: D) -> Result<Edition, D::Error> {
    let year = String::deserialize(from)?;
    Edition::named(&year).ok_or_else(|| D::Error::unknown_variant(&year, &YEARS))
}

/// The same, where it may be left out.
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
