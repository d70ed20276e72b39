//! Who speaks for a hall: one run of the daemon on one machine. Where several machines may, the
//! retained state of the daemon says which one does.

use serde::Deserialize;

use super::payload::{BridgeState, SEQ_OF_CLAIM};

/// A run of the daemon that speaks for a hall, or did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speaker {
    /// The name of this run.
    pub boot: String,
    /// The machine, where the hall may have several.
    pub machine: Option<Machine>,
}

/// A machine that speaks for a hall for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its name in the configuration.
    pub name: String,
    /// Rises each time a machine begins to speak. Of two that speak the higher one is right.
    pub term: u64,
}

/// The retained state of a daemon, as another machine reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// Whether it says that it is there.
    pub online: bool,
    /// Whether it only asks to speak: it may not have heard the one that does.
    pub claims: bool,
    /// Who it is.
    pub speaker: Speaker,
}

#[derive(Deserialize)]
struct State {
    state: Presence,
    boot: String,
    #[serde(default)]
    seq: u64,
    #[serde(default)]
    machine: Option<String>,
    #[serde(default)]
    term: u64,
}

#[derive(PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Presence {
    Online,
    Offline,
}

impl Speaker {
    /// A run on the only machine of its hall.
    #[must_use]
    pub const fn alone(boot: String) -> Self {
        Self { boot, machine: None }
    }

    /// The term of its machine; 0 where the hall has only one.
    #[must_use]
    pub fn term(&self) -> u64 {
        self.machine.as_ref().map_or(0, |it| it.term)
    }

    /// The name of its machine; empty where the hall has only one.
    #[must_use]
    pub fn name(&self) -> &str {
        self.machine.as_ref().map_or("", |it| &it.name)
    }

    /// Whether this one is right where both say that they speak. Of two that began at the same
    /// moment, neither of which had heard the other, each must come to the same answer.
    #[must_use]
    pub fn prevails_over(&self, other: &Self) -> bool {
        (self.term(), &self.boot) > (other.term(), &other.boot)
    }

    /// The payload that says whether it is there.
    #[must_use]
    pub fn state(&self, online: bool, seq: u64, at: String) -> BridgeState {
        BridgeState::new(online, seq, at, self)
    }
}

impl Spoken {
    /// Whether a machine that speaks gives way to it.
    #[must_use]
    pub fn supersedes(&self, own: &Speaker) -> bool {
        let knew = self.speaker.term() > own.term();
        self.online && (knew || !self.claims && self.speaker.prevails_over(own))
    }

    /// Reads the retained state of a daemon; none: it is no such payload.
    #[must_use]
    pub fn read(payload: &[u8]) -> Option<Self> {
        let State { state, boot, seq, machine, term } = serde_json::from_slice(payload).ok()?;
        let machine = machine.map(|name| Machine { name, term });
        let online = state == Presence::Online;
        let claims = online && seq == SEQ_OF_CLAIM;
        Some(Self { online, claims, speaker: Speaker { boot, machine } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mqtt::payload;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let machine = Some(Machine { name: "spare".to_owned(), term: 7 });
        for machine in [machine, None] {
            let speaker = Speaker { boot: "x".to_owned(), machine };
            for online in [true, false] {
                let state = payload::json(&speaker.state(online, 3, String::new()));
                let speaker = speaker.clone();
                assert_eq!(Spoken::read(&state), Some(Spoken { online, claims: false, speaker }));
            }
        }
        assert_eq!(Spoken::read(b""), None);
        assert_eq!(Spoken::read(b"{}"), None);
    }

    #[test]
    fn a_machine_that_speaks_yields_to_no_claim_that_did_not_know_of_it() {
        let speaker = |boot: &str, term| {
            let machine = Some(Machine { name: "first".to_owned(), term });
            Speaker { boot: boot.to_owned(), machine }
        };
        let own = speaker("a", 3);
        let heard = |boot: &str, term, seq| {
            Spoken::read(&payload::json(&speaker(boot, term).state(true, seq, String::new())))
        };
        let yields = |spoken: Option<Spoken>| spoken.unwrap().supersedes(&own);
        assert!(!yields(heard("b", 3, SEQ_OF_CLAIM)) && yields(heard("b", 3, 7)));
        assert!(yields(heard("b", 4, SEQ_OF_CLAIM)) && !yields(heard("b", 2, 7)));
    }

    #[test]
    fn of_two_that_speak_exactly_one_is_right() {
        let speaker = |boot: &str, term| {
            let machine = Some(Machine { name: "first".to_owned(), term });
            Speaker { boot: boot.to_owned(), machine }
        };
        let all = [speaker("a", 1), speaker("b", 1), speaker("a", 2), speaker("b", 2)];
        for (index, one) in all.iter().enumerate() {
            assert!(!one.prevails_over(one));
            for other in &all[..index] {
                assert!(one.prevails_over(other) && !other.prevails_over(one));
            }
        }
        assert!(all[0].prevails_over(&Speaker::alone("z".to_owned())));
    }
}
