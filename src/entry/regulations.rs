//! Where an event departs from the Laws, in the form that the journal keeps.

use std::collections::BTreeMap;

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};
use witness::laws::penalties;
use witness::laws::regulations::{self, Scale, Steps};
use witness::{Edition, Gravity, Kind};

/// The regulations of one table as the journal keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
#[serde(default)]
pub struct Regulations {
    /// The gravity of each kind, by the kind's name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub gravity: BTreeMap<String, String>,
    /// Seconds for each illegal move except the one that loses, by the keys of the configuration.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub penalties_s: BTreeMap<String, Vec<u32>>,
    /// Seconds after a wrong claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_claim_s: Option<u32>,
}

impl Regulations {
    /// The regulations for the witness. Unknown names are left out, because a journal of a later
    /// version may contain more than this version knows.
    #[must_use]
    pub fn regulations(&self, edition: Edition) -> regulations::Regulations {
        let given = self
            .gravity
            .iter()
            .filter_map(|(kind, gravity)| Some((Kind::named(kind)?, Gravity::named(gravity)?)));
        let regulations = given
            .fold(regulations::Regulations::default(), |all, (kind, gravity)| {
                all.telling(kind, gravity)
            });
        let silent = self.penalties_s.is_empty() && self.wrong_claim_s.is_none();
        match silent {
            true => regulations,
            false => regulations.penalizing(self.scale(penalties::scale(edition))),
        }
    }

    fn scale(&self, of_edition: Scale) -> Scale {
        let steps = |key: &str, own: Steps| {
            self.penalties_s.get(key).and_then(|it| Steps::of(it)).unwrap_or(own)
        };
        Scale {
            standard: steps("standard", of_edition.standard),
            rapid: steps("rapid", of_edition.rapid),
            blitz: steps("blitz", of_edition.blitz),
            rapid_unsupervised: steps("rapid_unsupervised", of_edition.rapid_unsupervised),
            blitz_unsupervised: steps("blitz_unsupervised", of_edition.blitz_unsupervised),
            wrong_claim_s: self.wrong_claim_s.map_or(of_edition.wrong_claim_s, |it| [it; 3]),
        }
    }
}
