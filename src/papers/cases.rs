//! The alerts of a recording as they were told last, and what became of each. It follows from the
//! record alone. `adoubed explain` and the dossier for an appeals committee are made of it.

use std::collections::BTreeMap;

use eboard::Moment;
use serde_json::Value;
use sha2::{Digest, Sha256};
use witness::{Effect, Incident, IncidentId, Ruling, State, TableNo};

use crate::answers::alert_id;
use crate::config::Config;
use crate::languages::Languages;
use crate::pairings::Players;
use crate::record::chronicle::{Chronicle, Replayed};
use crate::record::journal;
use crate::record::recording::Recording;
use crate::requests::{Asks, Request};
use crate::time::Anchor;
use crate::works::Act;

/// An alert in its last form, and how it was closed.
pub struct Case {
    /// The table.
    pub table: TableNo,
    /// As it was told last.
    pub incident: Incident,
    /// Who played there then, if they are known.
    pub players: Option<Players>,
    /// The round of its game.
    pub round: String,
    /// The time of day, once the record has one.
    pub anchor: Option<Anchor>,
    /// The languages that texts were published in.
    pub languages: Languages,
    /// What was done about it, in order.
    pub became: Vec<(Moment, Became)>,
}

/// Something that was done about an alert, or that it came to.
pub enum Became {
    /// This arbiter is on the way.
    Acknowledged(String),
    /// Nothing can be done about it any more.
    Lapsed,
    /// It has cleared up by itself.
    Closed,
    /// Too many were open at its table.
    SetAside,
    /// A ruling.
    Ruled {
        /// The ruling.
        ruling: Ruling,
        /// The arbiter.
        by: String,
        /// A word of his for the record.
        note: String,
    },
    /// The arbiter has taken his ruling back.
    Reopened(String),
}

/// All alerts of a recording, in the order in which they were raised. The record of a daemon is not
/// cut into single bytes: that would only make their moments finer.
#[must_use]
pub fn of(recording: &Recording, of_a_daemon: bool) -> Vec<Case> {
    let mut cases = Cases::default();
    let chronicle = Chronicle::new(Config::default(), !recording.journal);
    let chronicle = if of_a_daemon { chronicle.of_a_daemon() } else { chronicle };
    chronicle.play(recording, |replayed| {
        let Replayed::Act { works, anchor, act } = replayed else { return };
        match act {
            Act::Table(at, table, Effect::Raised(incident)) => {
                let new = || Case {
                    table,
                    players: works.players_then(table, incident.id),
                    round: works.round(table).to_owned(),
                    incident: (*incident).clone(),
                    anchor: anchor.copied(),
                    languages: works.texts().clone(),
                    became: Vec::new(),
                };
                cases.raised(at, (table, &incident), new);
            }
            Act::Table(at, table, Effect::Closed(incident, ruling)) => {
                cases.closed(at, table, *incident, ruling);
            }
            Act::Answered(request, Ok(_))
                if matches!(*request.asks, Asks::Rule(_) | Asks::Undo(_)) =>
            {
                cases.decided_by(&request);
            }
            _ => {}
        }
    });
    cases.all
}

/// The records between two moments, both included: how many there are, and the SHA-256 of them as
/// the journal keeps them.
#[must_use]
pub fn checksum(recording: &Recording, from: Moment, to: Moment) -> (usize, String) {
    let mut sum = Sha256::new();
    let mut count = 0;
    for record in recording.entries.iter().filter(|(at, _)| (from..=to).contains(at)) {
        sum.update(journal::encode(record).unwrap_or_default());
        count += 1;
    }
    let hex = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    (count, hex)
}

#[derive(Default)]
struct Cases {
    all: Vec<Case>,
    known: BTreeMap<(TableNo, IncidentId), usize>,
    /// The alert that was just ruled on, or whose ruling was taken back. The answer to the request
    /// has the arbiter's name.
    decided: Option<usize>,
}

impl Cases {
    fn raised(
        &mut self,
        at: Moment,
        (table, incident): (TableNo, &Incident),
        new: impl FnOnce() -> Case,
    ) {
        let became = match &incident.state {
            State::Open => None,
            State::Acknowledged { by } => Some(Became::Acknowledged(by.clone())),
            State::Lapsed => Some(Became::Lapsed),
            State::SetAside => Some(Became::SetAside),
        };
        let index = *self.known.entry((table, incident.id)).or_insert(self.all.len());
        if index == self.all.len() {
            self.all.push(new());
        }
        let Some(case) = self.all.get_mut(index) else { return };
        if incident.revision > case.incident.revision {
            case.became.push((at, Became::Reopened(String::new())));
            self.decided = Some(index);
        } else {
            case.became.extend(became.map(|became| (at, became)));
        }
        case.incident = incident.clone();
    }

    fn closed(&mut self, at: Moment, table: TableNo, incident: Incident, ruling: Option<Ruling>) {
        let Some(index) = self.known.get(&(table, incident.id)).copied() else { return };
        let Some(case) = self.all.get_mut(index) else { return };
        let alone = || match incident.state {
            State::SetAside => Became::SetAside,
            _ => Became::Closed,
        };
        let ruled = |ruling| Became::Ruled { ruling, by: String::new(), note: String::new() };
        case.became.push((at, ruling.map_or_else(alone, ruled)));
        self.decided = ruling.map(|_| index);
    }

    fn decided_by(&mut self, request: &Request) {
        let case = self.decided.take().and_then(|index| self.all.get_mut(index));
        match case.and_then(|case| case.became.last_mut()) {
            Some((_, Became::Ruled { by, note, .. })) => {
                request.by.clone_into(by);
                request.common.note.as_str().unwrap_or_default().clone_into(note);
            }
            Some((_, Became::Reopened(by))) => request.by.clone_into(by),
            _ => {}
        }
    }
}

impl Case {
    /// The public id of the alert.
    #[must_use]
    pub fn id(&self) -> String {
        alert_id(self.table, self.incident.id)
    }

    /// Whether it is closed; none: it is open.
    #[must_use]
    pub fn closed(&self) -> Option<&(Moment, Became)> {
        let settled =
            |it: &Became| matches!(it, Became::Closed | Became::SetAside | Became::Ruled { .. });
        self.became.last().filter(|(_, became)| settled(became))
    }

    /// From its first observation to the last that was done about it.
    #[must_use]
    pub fn span(&self) -> (Moment, Moment) {
        let seen = self.incident.evidence.iter().map(|it| it.at);
        let done = self.became.iter().map(|(at, _)| *at);
        let from = seen.chain([self.incident.opened]).min().unwrap_or_default();
        (from, done.chain([self.incident.opened]).max().unwrap_or_default())
    }
}

impl Became {
    /// Its name, for machines.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Acknowledged(_) => "acknowledged",
            Self::Lapsed => "lapsed",
            Self::Closed => "closed",
            Self::SetAside => "set_aside",
            Self::Ruled { ruling: Ruling::Upheld, .. } => "upheld",
            Self::Ruled { ruling: Ruling::Dismissed, .. } => "dismissed",
            Self::Ruled { ruling: Ruling::Noted, .. } => "noted",
            Self::Reopened(_) => "reopened",
        }
    }

    /// The arbiter, if one has done it.
    #[must_use]
    pub fn by(&self) -> Option<&str> {
        match self {
            Self::Acknowledged(by) | Self::Reopened(by) | Self::Ruled { by, .. } => Some(by),
            Self::Lapsed | Self::Closed | Self::SetAside => None,
        }
    }

    /// His note.
    #[must_use]
    pub fn note(&self) -> Value {
        match self {
            Self::Ruled { note, .. } if !note.is_empty() => note.clone().into(),
            _ => Value::Null,
        }
    }
}
