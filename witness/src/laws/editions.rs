//! Which Article names what, edition by edition. Data, not decisions.

use crate::incident::{Gravity, Kind};
use crate::settings::Edition;

/// One row: a kind of incident with its Article in each edition.
struct Row {
    kind: Kind,
    y2014: &'static str,
    y2018: &'static str,
    y2023: &'static str,
    gravity: Gravity,
}

const ROWS: [Row; 4] = [
    Row {
        kind: Kind::FlagFall,
        y2014: "6.8",
        y2018: "6.8",
        y2023: "6.8",
        gravity: Gravity::Summon,
    },
    Row {
        kind: Kind::IllegalMove,
        y2014: "7.5.a",
        y2018: "7.5.1",
        y2023: "7.5.1",
        gravity: Gravity::Summon,
    },
    Row {
        kind: Kind::PawnNotPromoted,
        y2014: "7.5.a",
        y2018: "7.5.2",
        y2023: "7.5.2",
        gravity: Gravity::Summon,
    },
    Row {
        kind: Kind::PositionToCheck,
        y2014: "7.6",
        y2018: "7.6",
        y2023: "7.6",
        gravity: Gravity::Look,
    },
];

/// The Article that names this kind of incident.
#[must_use]
pub fn article(kind: Kind, edition: Edition) -> &'static str {
    let Some(row) = row(kind) else { return "" };
    match edition {
        Edition::Y2014 => row.y2014,
        Edition::Y2018 => row.y2018,
        Edition::Y2023 => row.y2023,
    }
}

/// How loudly this kind of incident is told.
#[must_use]
pub fn gravity(kind: Kind) -> Gravity {
    row(kind).map_or(Gravity::Look, |row| row.gravity)
}

/// The Article with the penalty for an illegal move.
#[must_use]
pub const fn penalty_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2014 => "7.5.b",
        Edition::Y2018 | Edition::Y2023 => "7.5.5",
    }
}

fn row(kind: Kind) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_an_article_in_every_edition() {
        for kind in Kind::ALL {
            for edition in [Edition::Y2014, Edition::Y2018, Edition::Y2023] {
                assert!(!article(kind, edition).is_empty(), "{kind:?} {edition:?}");
            }
        }
        assert_eq!(article(Kind::IllegalMove, Edition::Y2014), "7.5.a");
        assert_eq!(article(Kind::IllegalMove, Edition::Y2023), "7.5.1");
    }
}
