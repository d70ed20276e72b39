//! Logs who was refused: the first at once, further ones together once a minute. One line for each
//! would let anybody fill a disk.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits;

/// Counts those who were refused at one door.
#[derive(Debug)]
pub struct Refusals {
    /// What is refused there, as a log names one of it and many.
    one: &'static str,
    many: &'static str,
    all: AtomicU64,
    /// Those that are not logged yet; none: the next one is logged at once.
    unlogged: Mutex<Option<Unlogged>>,
}

#[derive(Debug, Default)]
struct Unlogged {
    count: u64,
    last: String,
}

impl Refusals {
    /// Nobody was refused yet. The log calls them `one` and `many`: "a login", "logins".
    #[must_use]
    pub fn of(one: &'static str, many: &'static str) -> Self {
        Self { one, many, all: AtomicU64::new(0), unlogged: Mutex::default() }
    }

    /// Adds one; `who` says as whom, from where, why. It is called within a runtime of tokio.
    pub fn add(self: &Arc<Self>, who: String) {
        if let Some(line) = self.count(who) {
            tracing::warn!("{line}");
            tokio::spawn(Arc::clone(self).log());
        }
    }

    /// How many there were.
    pub fn all(&self) -> u64 {
        self.all.load(Ordering::Relaxed)
    }

    /// Logs them once a minute, until a minute has passed without any.
    async fn log(self: Arc<Self>) {
        loop {
            tokio::time::sleep(limits::REFUSALS_LOGGED).await;
            match self.rest() {
                Some(line) => tracing::warn!("{line}"),
                None => return,
            }
        }
    }

    /// Counts one, and gives the line to be logged at once, if any.
    fn count(&self, who: String) -> Option<String> {
        self.all.fetch_add(1, Ordering::Relaxed);
        match &mut *self.unlogged() {
            Some(unlogged) => {
                *unlogged = Unlogged { count: unlogged.count + 1, last: who };
                None
            }
            none => {
                *none = Some(Unlogged::default());
                Some(format!("{} {who} was refused", self.one))
            }
        }
    }

    /// Gives the line to be logged after a minute, if any.
    fn rest(&self) -> Option<String> {
        let mut unlogged = self.unlogged();
        let Unlogged { count, last } = unlogged.take().filter(|it| it.count > 0)?;
        *unlogged = Some(Unlogged::default());
        Some(format!("{count} more {} were refused within a minute, the last {last}", self.many))
    }

    fn unlogged(&self) -> MutexGuard<'_, Option<Unlogged>> {
        self.unlogged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_first_is_logged_at_once_and_the_others_together() {
        let refusals = Refusals::of("a login", "logins");
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

    #[tokio::test(start_paused = true)]
    async fn what_came_within_a_minute_is_logged_without_anybody_asking() {
        let refusals = Arc::new(Refusals::of("a login", "logins"));
        let waiting = || refusals.unlogged().as_ref().map(|it| it.count);
        refusals.add("as A".into());
        refusals.add("as B".into());
        assert_eq!(waiting(), Some(1));
        tokio::time::sleep(limits::REFUSALS_LOGGED + Duration::from_secs(1)).await;
        assert_eq!(waiting(), Some(0), "B was logged");
        tokio::time::sleep(limits::REFUSALS_LOGGED).await;
        assert_eq!(waiting(), None, "the next one is logged at once");
        assert_eq!(refusals.all(), 2);
    }
}
