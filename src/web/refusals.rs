//! Logs refused logins: the first at once, further ones together once a minute. One line for each
//! would let anybody fill a disk.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time between two lines.
const TOLD: Duration = Duration::from_secs(60);

/// Counts refused logins.
#[derive(Default)]
pub struct Refusals {
    all: AtomicU64,
    /// Refused logins that were not logged yet; none: the next one is logged at once.
    untold: Mutex<Option<Untold>>,
}

#[derive(Default)]
struct Untold {
    count: u64,
    last: String,
}

impl Refusals {
    /// Adds a refused login; `who` says as whom and from where.
    pub fn add(self: &Arc<Self>, who: String) {
        if let Some(line) = self.count(who) {
            tracing::warn!("{line}");
            tokio::spawn(Arc::clone(self).tell());
        }
    }

    /// The refused logins since the start.
    pub fn all(&self) -> u64 {
        self.all.load(Ordering::Relaxed)
    }

    /// Logs them once a minute, until a minute has passed without any.
    async fn tell(self: Arc<Self>) {
        loop {
            tokio::time::sleep(TOLD).await;
            match self.rest() {
                Some(line) => tracing::warn!("{line}"),
                None => return,
            }
        }
    }

    /// Counts one, and gives the line to be logged at once, if any.
    fn count(&self, who: String) -> Option<String> {
        self.all.fetch_add(1, Ordering::Relaxed);
        match &mut *self.untold() {
            Some(untold) => {
                *untold = Untold { count: untold.count + 1, last: who };
                None
            }
            none => {
                *none = Some(Untold::default());
                Some(format!("a login {who} was refused"))
            }
        }
    }

    /// Gives the line to be logged after a minute, if any.
    fn rest(&self) -> Option<String> {
        let mut untold = self.untold();
        let Untold { count, last } = untold.take().filter(|it| it.count > 0)?;
        *untold = Some(Untold::default());
        Some(format!("{count} more logins were refused within a minute, the last {last}"))
    }

    fn untold(&self) -> MutexGuard<'_, Option<Untold>> {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_told_at_once_and_the_others_together() {
        let refusals = Refusals::default();
        assert_eq!(refusals.count("as A".into()).unwrap(), "a login as A was refused");
        for _ in 0..1000 {
            assert_eq!(refusals.count("as B".into()), None);
        }
        let rest = "1000 more logins were refused within a minute, the last as B";
        assert_eq!(refusals.rest().as_deref(), Some(rest));
        assert_eq!(refusals.count("as C".into()), None, "that minute has a line already");
        assert!(refusals.rest().is_some() && refusals.rest().is_none());
        assert!(refusals.count("as D".into()).is_some(), "a minute without any is over");
        assert_eq!(refusals.all(), 1003);
    }
}
