//! Words of the payloads that are read again by parts of the daemon. Each is spelled in one place,
//! for those who write it and those who read it.

use std::fmt;

use serde::{Deserialize, Serialize};
use witness::{DeviceState, State};

/// An enum whose values are words of a payload. They are listed by the alphabet, and sorted so.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$says:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$says])* #[serde(rename = $word)] $value,)*
        }

        impl $name {
            /// The word.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

words! {
    /// How the device of a table is connected.
    Connection {
        /// There is no line to it.
        Absent = "absent",
        /// It answers.
        Online = "online",
        /// It is known, and does not answer.
        Silent = "silent",
        /// Its line is open, and it has not reported what it is.
        Unidentified = "unidentified",
    }
}

words! {
    /// Who has looked at an alert.
    AlertState {
        /// An arbiter is on the way.
        Acknowledged = "acknowledged",
        /// It is too late for the player whom it concerned, and still waits for a ruling.
        Lapsed = "lapsed",
        /// Nobody has looked at it yet.
        Open = "open",
        /// Nobody is asked any more: too many are open at its table.
        SetAside = "set_aside",
    }
}

words! {
    /// How loudly an alert calls the arbiter.
    Gravity {
        /// It is in the arbiter's list.
        Look = "look",
        /// It is for the log.
        Note = "note",
        /// It calls him.
        Summon = "summon",
    }
}

words! {
    /// How sure a move is.
    Confidence {
        /// The board saw it.
        Seen = "seen",
        /// It follows from what was seen later.
        Inferred = "inferred",
    }
}

impl Connection {
    /// How this device is connected.
    #[must_use]
    pub const fn of(known: &DeviceState) -> Self {
        match (known.present, known.answering, known.identity.is_some()) {
            (false, ..) => Self::Absent,
            (true, _, false) => Self::Unidentified,
            (true, true, true) => Self::Online,
            (true, false, true) => Self::Silent,
        }
    }
}

impl From<&State> for AlertState {
    fn from(state: &State) -> Self {
        match state {
            State::Open => Self::Open,
            State::Acknowledged { .. } => Self::Acknowledged,
            State::Lapsed => Self::Lapsed,
            State::SetAside => Self::SetAside,
        }
    }
}

impl From<witness::Gravity> for Gravity {
    fn from(gravity: witness::Gravity) -> Self {
        match gravity {
            witness::Gravity::Note => Self::Note,
            witness::Gravity::Look => Self::Look,
            witness::Gravity::Summon => Self::Summon,
        }
    }
}

impl From<witness::Confidence> for Confidence {
    fn from(confidence: witness::Confidence) -> Self {
        match confidence {
            witness::Confidence::Seen => Self::Seen,
            witness::Confidence::Inferred => Self::Inferred,
        }
    }
}
