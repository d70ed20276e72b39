//! How each outlet is, for whoever watches over the daemon: told by the outlet, read by the pages.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::time::{WallTime, wall_now};

/// How one outlet is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Whether its last attempt succeeded.
    pub works: bool,
    /// Since when it is so.
    pub since: WallTime,
    /// What came of the last attempt, for this machine only: it may name files and hosts.
    pub last: String,
}

/// How all outlets are that are configured.
#[derive(Debug, Default)]
pub struct Reports(Mutex<BTreeMap<&'static str, Report>>);

impl Reports {
    /// An outlet has made an attempt. Gives whether it works otherwise than it did before, which
    /// is worth a line in the log.
    pub fn tell(&self, outlet: &'static str, works: bool, last: String) -> bool {
        let mut reports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = reports.get(outlet).filter(|before| before.works == works);
        let (same, since) = (before.is_some(), before.map_or_else(wall_now, |it| it.since));
        reports.insert(outlet, Report { works, since, last });
        !same
    }

    /// Every outlet that is configured, by its name.
    #[must_use]
    pub fn all(&self) -> BTreeMap<&'static str, Report> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_change_is_news_and_begins_anew() {
        let reports = Reports::default();
        assert!(reports.tell("folder", true, "written".into()));
        let since = reports.all()["folder"].since;
        assert!(!reports.tell("folder", true, "written again".into()));
        let told = &reports.all()["folder"];
        assert_eq!((told.since, told.last.as_str()), (since, "written again"));
        assert!(reports.tell("folder", false, "no room".into()));
        assert!(!reports.all()["folder"].works);
    }
}
