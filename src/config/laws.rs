//! `[laws]`: where the event departs from the edition in force. It is checked here, kept in the
//! journal, and given to the witness with the settings of each table.

use std::collections::BTreeMap;

use serde::Deserialize;
use witness::laws::regulations::Steps;
use witness::{Edition, Gravity, Kind, Message};

use super::say;
use crate::entry::Regulations;

/// The event's own regulations.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Laws {
    /// The gravity of a kind of alert: `note`, `look` or `summon`.
    pub gravity: BTreeMap<String, String>,
    /// The penalties for illegal moves, by edition.
    pub penalties: BTreeMap<String, Penalties>,
}

/// The penalties under one edition: minutes to the opponent for each illegal move, then `"loss"`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Penalties {
    /// Standard chess.
    pub standard: Option<Vec<Offence>>,
    /// Rapid chess.
    pub rapid: Option<Vec<Offence>>,
    /// Blitz.
    pub blitz: Option<Vec<Offence>>,
    /// Rapid chess without adequate supervision.
    pub rapid_unsupervised: Option<Vec<Offence>>,
    /// Blitz without adequate supervision.
    pub blitz_unsupervised: Option<Vec<Offence>>,
    /// Minutes to the opponent after a wrong claim of a draw, 0 to 60.
    pub wrong_claim: Option<f64>,
}

/// The penalty for one illegal move.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Offence {
    /// Minutes to the opponent, 0 to 60.
    Minutes(f64),
    /// `loss`.
    Word(String),
}

impl std::fmt::Display for Offence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Minutes(minutes) => write!(f, "{minutes} min"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

const MINUTES_MAX: u32 = 60;

/// A problem: the section, the key in it, and what to write instead.
pub(super) type Problem = (String, String, Message);

/// Checks the regulations.
pub(super) fn whole(laws: &Laws) -> Result<(), Problem> {
    for (name, gravity) in &laws.gravity {
        let refuse = |problem| Err(("laws.gravity".to_owned(), name.clone(), problem));
        if Kind::named(name).is_none() {
            return refuse(say::conf_no_alert(&Kind::ALL.map(Kind::name).join(", ")));
        }
        if Gravity::named(gravity).is_none() {
            return refuse(say::conf_no_gravity(gravity));
        }
    }
    for (year, penalties) in &laws.penalties {
        if Edition::named(year).is_none() {
            let years = Edition::ALL.map(Edition::year).join(", ");
            let problem = say::conf_no_edition(&years);
            return Err((format!("laws.penalties.{year}"), year.clone(), problem));
        }
        for (key, offences) in penalties.offences() {
            if seconds(offences).is_none() {
                let section = format!("laws.penalties.{year}");
                return Err((section, key.to_owned(), say::conf_penalties()));
            }
        }
        if penalties.wrong_claim.is_some_and(|minutes| in_seconds(minutes).is_none()) {
            let problem = say::conf_penalty_minutes(MINUTES_MAX);
            return Err((format!("laws.penalties.{year}"), "wrong_claim".to_owned(), problem));
        }
    }
    Ok(())
}

fn in_seconds(minutes: f64) -> Option<u32> {
    let seconds = (minutes * 60.0).round();
    let right = (0.0..=f64::from(MINUTES_MAX)).contains(&minutes);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 3600.
    right.then_some(seconds as u32)
}

/// Converts minutes, then `"loss"`, to seconds; none: they are something else.
fn seconds(offences: &[Offence]) -> Option<Vec<u32>> {
    let (Offence::Word(last), timed) = offences.split_last()? else { return None };
    let minutes = timed.iter().map(|offence| match offence {
        Offence::Minutes(minutes) => in_seconds(*minutes),
        Offence::Word(_) => None,
    });
    let minutes: Option<Vec<u32>> = minutes.collect();
    minutes.filter(|it| last == "loss" && it.len() <= Steps::TIMED_MAX)
}

impl Penalties {
    fn offences(&self) -> impl Iterator<Item = (&'static str, &Vec<Offence>)> {
        let all = [
            ("standard", &self.standard),
            ("rapid", &self.rapid),
            ("blitz", &self.blitz),
            ("rapid_unsupervised", &self.rapid_unsupervised),
            ("blitz_unsupervised", &self.blitz_unsupervised),
        ];
        all.into_iter().filter_map(|(key, offences)| Some((key, offences.as_ref()?)))
    }
}

impl Laws {
    /// Each regulation as a line.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let gravity = self.gravity.iter().map(|(kind, gravity)| format!("{kind}: {gravity}"));
        let penalties = self.penalties.iter().flat_map(|(year, penalties)| {
            penalties.offences().map(move |(key, offences)| {
                let written: Vec<String> = offences.iter().map(ToString::to_string).collect();
                format!("illegal moves in {key} chess, {year}: {}", written.join(", "))
            })
        });
        let claims = self.penalties.iter().filter_map(|(year, penalties)| {
            let minutes = penalties.wrong_claim?;
            Some(format!("a wrong claim, {year}: {minutes} min"))
        });
        gravity.chain(penalties).chain(claims).collect()
    }

    /// The regulations of a table under this edition.
    #[must_use]
    pub fn kept(&self, year: &str) -> Regulations {
        let own = self.penalties.get(year).cloned().unwrap_or_default();
        let offences = own.offences();
        let penalties_s = offences.filter_map(|(key, it)| Some((key.to_owned(), seconds(it)?)));
        Regulations {
            gravity: self.gravity.clone(),
            penalties_s: penalties_s.collect(),
            wrong_claim_s: own.wrong_claim.and_then(in_seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use witness::laws::penalties;

    use super::*;
    use crate::config;

    const OWN: &str = "[event]\nlaws = \"2018\"\n[laws.gravity]\ntouched_out_of_turn = \"note\"\n\
                       [laws.penalties.2018]\nrapid = [1, 1.5, \"loss\"]\nwrong_claim = 3\n";

    #[test]
    fn what_an_event_regulates_reaches_the_witness() {
        let config = config::read(Path::new("adoubed.toml"), OWN).unwrap();
        let watch = config.plan().watch;
        let written = serde_json::to_string(&watch).unwrap();
        assert_eq!(serde_json::from_str::<crate::entry::Watch>(&written).unwrap(), watch);
        let settings =
            witness::Settings { rate: Some(witness::laws::rate::Rate::Rapid), ..watch.settings() };
        assert_eq!(settings.gravity(Kind::TouchedOutOfTurn), Gravity::Note);
        assert_eq!(settings.gravity(Kind::IllegalMove), Gravity::Summon);
        use witness::laws::penalties::Penalty::{Loss, Time};
        let penalties = [1, 2, 3].map(|it| penalties::illegal_move(&settings, it));
        assert_eq!(penalties, [Time(60), Time(90), Loss]);
        assert_eq!(penalties::wrong_claim_s(&settings), 180);
        let standard = witness::Settings { rate: None, ..settings };
        assert_eq!(penalties::illegal_move(&standard, 1), Time(120), "as the edition says");
    }

    #[test]
    fn other_editions_keep_their_own_penalties() {
        let config = config::read(Path::new("adoubed.toml"), OWN).unwrap();
        assert_eq!(config.laws.kept("2023").penalties_s, BTreeMap::new());
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_line_key_and_remedy() {
        let cases = [
            ("[laws.gravity]\n\nyawned = \"note\"\n", "3: yawned: no such kind of alert; write"),
            ("[laws.gravity]\nadjusted = \"loud\"\n", "2: adjusted: \"loud\" is not known; write"),
            ("[laws]\ngravity = { yawned = \"note\" }\n", "2: yawned: no such kind"),
            ("[laws.penalties.2020]\nrapid = [\"loss\"]\n", "1: 2020: no such edition; write one"),
            (
                "[laws.penalties.2018]\nrapid = [1, \"loss\"]\n[laws.penalties.2023]\n\
                 rapid = [2, \"lost\"]\n",
                "4: rapid: write minutes",
            ),
            ("[laws.penalties.2023]\nblitz = [1, 2]\n", "2: blitz: write minutes"),
            ("[laws.penalties.2023]\nblitz = []\n", "2: blitz: write minutes"),
            ("[laws.penalties.2023]\nblitz = [-1, \"loss\"]\n", "2: blitz: write minutes"),
            ("[laws.penalties.2023]\nwrong_claim = 99\n", "2: wrong_claim: write minutes"),
            ("[laws.penalties.2023]\nbullet = [\"loss\"]\n", "2: bullet: unknown field"),
        ];
        for (text, expected) in cases {
            let refusal = config::read(Path::new("adoubed.toml"), text).unwrap_err().to_string();
            let expected = format!("adoubed.toml:{expected}");
            assert!(refusal.starts_with(&expected), "{refusal}\nnot\n{expected}");
        }
    }
}
