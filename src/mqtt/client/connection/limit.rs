//! The longest message that a broker takes. In MQTT 5 most brokers name it when they let a client
//! in; others only end the connection of whoever sends a longer one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a message has besides its topic and its content, at most, in bytes.
const AROUND: usize = 32;

/// The longest message, as far as it is known.
#[derive(Debug, Default)]
pub struct Limit(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// What the broker has named on this connection.
    named: Option<usize>,
    /// What was found out from connections that it has ended.
    found: Option<usize>,
    /// The messages that are not answered yet, by their length.
    under_way: BTreeMap<usize, usize>,
}

/// A message that is not answered yet.
#[derive(Debug)]
pub struct UnderWay {
    limit: Arc<Limit>,
    length: usize,
}

impl Limit {
    /// Notes a new connection, and the limit that the broker names there.
    pub fn connected(&self, named: Option<u32>) {
        self.lock().named = named.and_then(|it| usize::try_from(it).ok());
    }

    /// Notes that a connection has ended, and whether because a message was too long. It was one of
    /// those under way. What is left over of the last connection says nothing new.
    pub fn ended(&self, too_long: bool) {
        let mut state = self.lock();
        let longest = state.under_way.last_key_value().map(|(length, _)| *length);
        match longest {
            Some(length) if too_long => {
                if state.found.is_none_or(|found| length <= found) {
                    state.found = Some(length / 4 * 3);
                }
            }
            _ if too_long => {}
            // Another broker may be there next.
            _ => state.found = None,
        }
    }

    /// Takes a message of this topic and content.
    ///
    /// # Errors
    /// The limit, if it is too long.
    pub fn admit(self: &Arc<Self>, topic: &str, content: usize) -> Result<UnderWay, usize> {
        let length = topic.len() + content + AROUND;
        let mut state = self.lock();
        let limit = state.named.into_iter().chain(state.found).min();
        if let Some(limit) = limit.filter(|limit| length > *limit) {
            return Err(limit);
        }
        *state.under_way.entry(length).or_default() += 1;
        Ok(UnderWay { limit: Arc::clone(self), length })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.limit.lock();
        if let Some(count) = state.under_way.get_mut(&self.length) {
            *count -= 1;
            if *count == 0 {
                state.under_way.remove(&self.length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_the_broker_names_holds_for_its_connection() {
        let limit = Arc::<Limit>::default();
        assert!(limit.admit("a/b", 1 << 20).is_ok());
        limit.connected(Some(1000));
        assert_eq!(limit.admit("a/b", 1000).unwrap_err(), 1000);
        assert!(limit.admit("a/b", 900).is_ok());
        limit.connected(None);
        assert!(limit.admit("a/b", 1000).is_ok());
    }

    #[test]
    fn a_limit_that_nobody_names_is_found() {
        let limit = Arc::<Limit>::default();
        let mut breaks = 0;
        loop {
            let sent: Vec<_> = [60_000, 5_000, 400].map(|it| limit.admit("a", it)).into();
            let too_long = sent.iter().flatten().any(|it| it.length > 3000);
            if !too_long {
                assert!(sent.iter().flatten().count() == 1, "what is short goes through");
                break;
            }
            limit.ended(true);
            breaks += 1;
            assert!(breaks < 20, "the connection breaks for ever");
        }
        limit.ended(false);
        assert!(limit.admit("a", 60_000).is_ok(), "the next broker is asked anew");
    }

    #[test]
    fn what_is_left_over_of_the_last_connection_lowers_nothing() {
        let limit = Arc::<Limit>::default();
        let left = [60_000, 60_000].map(|it| limit.admit("a", it));
        limit.ended(true);
        let found = limit.admit("a", 60_000).unwrap_err();
        limit.ended(true);
        assert_eq!(limit.admit("a", 60_000).unwrap_err(), found);
        drop(left);
    }
}
