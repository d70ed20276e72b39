//! People with a password, and what they may do.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Web;

/// The user name of the daemon itself.
pub const DAEMON: &str = "adoubed-daemon";
/// The first part of the user names of sessions.
pub const SESSION: &str = "session:";

/// Whether no person may have this name, because users of the daemon's own begin so.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    name == DAEMON || name.starts_with(SESSION)
}

/// What a person may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Decides about games.
    Arbiter,
    /// Decides about games, and changes the configuration.
    Organizer,
}

impl Role {
    /// The section that names who has it.
    #[must_use]
    pub const fn section(self) -> &'static str {
        match self {
            Self::Arbiter => "web.arbiters",
            Self::Organizer => "web.organizers",
        }
    }
}

/// A person's password and role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The argon2 hash of the password.
    pub hash: String,
    /// The role.
    pub role: Role,
}

impl Web {
    /// All people, by name.
    #[must_use]
    pub fn accounts(&self) -> BTreeMap<String, Account> {
        let of = |people: &BTreeMap<String, String>, role| {
            let each = people.iter();
            let each =
                each.map(|(name, hash)| (name.clone(), Account { hash: hash.clone(), role }));
            each.collect::<Vec<_>>()
        };
        let arbiters = of(&self.arbiters, Role::Arbiter).into_iter();
        arbiters.chain(of(&self.organizers, Role::Organizer)).collect()
    }
}
