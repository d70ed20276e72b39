//! The state of each outlet, for monitoring. Outlets report it and pages show it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::time::{WallTime, wall_now};

/// The state of one outlet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Whether its last attempt succeeded.
    pub works: bool,
    /// Since when it works, or does not.
    pub since: WallTime,
    /// The result of the last attempt, for arbiters and this machine. It may name files and hosts.
    pub last: String,
    /// The last HTTP status of its server, for an outlet that has one.
    pub status: Option<u16>,
}

/// Outlets for arbiters. Their reports change when an alert is raised, so only arbiters and this
/// machine see them.
const FOR_ARBITERS: [&str; 1] = [super::notify::NAME];

/// The states of all configured outlets.
#[derive(Debug, Default)]
pub struct Reports(Mutex<BTreeMap<&'static str, Report>>);

impl Reports {
    /// Notes an attempt. Returns whether the outlet began to work or to fail, which is worth a line
    /// in the log.
    pub fn tell(&self, outlet: &'static str, works: bool, last: String) -> bool {
        self.answered(outlet, works, None, last)
    }

    /// Notes an attempt, with the status that the server answered.
    pub fn answered(
        &self,
        outlet: &'static str,
        works: bool,
        status: Option<u16>,
        last: String,
    ) -> bool {
        let mut reports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = reports.get(outlet).filter(|before| before.works == works);
        let (same, since) = (before.is_some(), before.map_or_else(wall_now, |it| it.since));
        reports.insert(outlet, Report { works, since, last, status });
        !same
    }

    /// Drops the report of an outlet that is no longer configured.
    pub fn forget(&self, outlet: &'static str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(outlet);
    }

    /// The last HTTP status that the outlet's server answered.
    #[must_use]
    pub fn status(&self, outlet: &'static str) -> Option<u16> {
        let reports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reports.get(outlet).and_then(|it| it.status)
    }

    /// Every configured outlet by its name; those for arbiters only if `for_arbiters`.
    #[must_use]
    pub fn all(&self, for_arbiters: bool) -> BTreeMap<&'static str, Report> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        all.retain(|outlet, _| for_arbiters || !FOR_ARBITERS.contains(outlet));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_change_is_news_and_begins_anew() {
        let reports = Reports::default();
        assert!(reports.tell("folder", true, "written".into()));
        let since = reports.all(false)["folder"].since;
        assert!(!reports.tell("folder", true, "written again".into()));
        let report = &reports.all(false)["folder"];
        assert_eq!((report.since, report.last.as_str()), (since, "written again"));
        assert!(reports.tell("folder", false, "no room".into()));
        assert!(!reports.all(false)["folder"].works);
    }

    #[test]
    fn what_is_for_arbiters_is_told_on_this_machine_only() {
        let reports = Reports::default();
        reports.answered(super::super::notify::NAME, false, Some(503), "503".into());
        assert!(reports.all(false).is_empty());
        assert_eq!(reports.all(true)["notify"].status, Some(503));
        assert_eq!(reports.status("notify"), Some(503));
        reports.forget("notify");
        assert!(reports.all(true).is_empty());
    }
}
