//! Who may read and write what on the embedded broker: the daemon itself, arbiters, guests.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use adoubed_broker::{Access, Principal, filter};
use argon2::{Argon2, PasswordHash, PasswordVerifier};

use eboard::Moment;

use super::guard::Guard;
use super::topic;
use crate::time::Clock;

/// The name under which the daemon itself publishes.
pub const DAEMON: &str = "adoubed-daemon";
/// Sessions of arbiters' pages begin with this, so that no arbiter's name can be one.
const SESSION: &str = "session:";

/// The hall's rules of access.
pub struct HallAccess {
    base: String,
    guests_read: Vec<String>,
    daemon_password: String,
    /// Arbiters and the argon2 hashes of their passwords.
    arbiters: BTreeMap<String, String>,
    sessions: Mutex<BTreeMap<String, Session>>,
    /// Names with which somebody connects to the broker itself: it does not tell from where.
    names: Mutex<Guard>,
    clock: Clock,
}

struct Session {
    password: String,
    name: String,
    opened: Moment,
}

/// How long a session lasts: a round and what comes after it, not the night.
pub const SESSION_LASTS: Duration = Duration::from_secs(12 * 3600);

/// Nobody's password: checked for names nobody has, so that time does not tell which those are.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA\
                      $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Sessions kept at once: a tablet opens one each time its page is loaded.
const SESSIONS_MAX: usize = 1000;

impl HallAccess {
    /// Rules for a hall. `open`: guests may read the tables.
    #[must_use]
    pub fn new(
        base: &str,
        open: bool,
        daemon_password: String,
        arbiters: BTreeMap<String, String>,
    ) -> Self {
        Self {
            base: base.to_owned(),
            guests_read: topic::guest_filters(base, open),
            daemon_password,
            arbiters,
            sessions: Mutex::new(BTreeMap::new()),
            names: Mutex::new(Guard::default()),
            clock: Clock::starting_at(Moment::ZERO),
        }
    }

    /// Whether anybody has been named an arbiter.
    #[must_use]
    pub fn has_arbiters(&self) -> bool {
        !self.arbiters.is_empty()
    }

    /// Whether this is an arbiter's name and password. Slow on purpose: call it off the loop.
    #[must_use]
    pub fn is_arbiter(&self, name: &str, password: &[u8]) -> bool {
        let hash = self.arbiters.get(name);
        let right = PasswordHash::new(hash.map_or(NOBODY, String::as_str))
            .is_ok_and(|hash| Argon2::default().verify_password(password, &hash).is_ok());
        right && hash.is_some()
    }

    /// A user and password for one page of this arbiter.
    #[must_use]
    pub fn open_session(&self, name: &str) -> (String, String) {
        let (user, password) = (format!("{SESSION}{}", secret()), secret());
        let mut sessions = self.sessions();
        let now = self.clock.now();
        sessions.retain(|_, session| session.lasts(now));
        let newest = sessions.values().map(|session| session.opened + Duration::from_micros(1));
        let opened = newest.max().map_or(now, |newest| newest.max(now));
        while sessions.len() >= SESSIONS_MAX
            && let Some(oldest) = oldest(&sessions)
        {
            sessions.remove(&oldest);
        }
        let session = Session { password: password.clone(), name: name.to_owned(), opened };
        sessions.insert(user.clone(), session);
        (user, password)
    }

    /// Whether this is a session's user and password.
    #[must_use]
    pub fn is_session(&self, user: &str, password: &str) -> bool {
        let (sessions, now) = (self.sessions(), self.clock.now());
        let session = sessions.get(user).filter(|session| session.lasts(now));
        session.is_some_and(|it| same(password.as_bytes(), it.password.as_bytes()))
    }

    /// A name and password at the broker itself.
    fn is_known(&self, user: &str, password: &[u8]) -> bool {
        if self.names().wait(self.clock.now(), user).is_some() {
            return false;
        }
        let known = self.is_arbiter(user, password);
        if known {
            self.names().succeeded(user);
        } else {
            // Not the time before the check, which takes a while itself.
            self.names().failed(self.clock.now(), user);
        }
        known
    }

    /// Whether this user's rights hold: those of a session end with it, also while it is connected.
    fn holds(&self, user: &str) -> bool {
        if !user.starts_with(SESSION) {
            return true;
        }
        let now = self.clock.now();
        self.sessions().get(user).is_some_and(|session| session.lasts(now))
    }

    fn names(&self) -> std::sync::MutexGuard<'_, Guard> {
        self.names.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The person behind a broker's user.
    #[must_use]
    pub fn person(&self, user: &str) -> String {
        self.sessions().get(user).map_or_else(|| user.to_owned(), |session| session.name.clone())
    }

    fn sessions(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Session>> {
        self.sessions.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Access for HallAccess {
    fn authenticate(&self, user: Option<&str>, password: Option<&[u8]>) -> Option<Principal> {
        let Some(user) = user else { return Some(Principal::Guest) };
        let password = password?;
        let known = if user == DAEMON {
            same(password, self.daemon_password.as_bytes())
        } else if user.starts_with(SESSION) {
            std::str::from_utf8(password).is_ok_and(|password| self.is_session(user, password))
        } else {
            self.is_known(user, password)
        };
        known.then(|| Principal::User(user.to_owned()))
    }

    fn may_publish(&self, who: &Principal, topic: &str) -> bool {
        match who {
            Principal::Guest => false,
            Principal::User(user) if user == DAEMON => true,
            Principal::User(user) => {
                self.holds(user) && filter::matches(&topic::arbiter_filter(&self.base), topic)
            }
        }
    }

    fn may_subscribe(&self, who: &Principal, wanted: &str) -> bool {
        match who {
            Principal::Guest => self.guests_read.iter().any(|it| filter::overlaps(it, wanted)),
            Principal::User(_) => true,
        }
    }

    fn may_read(&self, who: &Principal, topic: &str) -> bool {
        match who {
            Principal::User(user) if self.holds(user) => true,
            _ => self.guests_read.iter().any(|it| filter::matches(it, topic)),
        }
    }
}

impl Session {
    fn lasts(&self, now: Moment) -> bool {
        now.since(self.opened) < SESSION_LASTS
    }
}

fn oldest(sessions: &BTreeMap<String, Session>) -> Option<String> {
    let oldest = sessions.iter().min_by_key(|(_, session)| session.opened);
    oldest.map(|(user, _)| user.clone())
}

/// 128 random bits as text.
#[must_use]
pub fn secret() -> String {
    use argon2::password_hash::rand_core::{OsRng, RngCore};
    let mut bytes = [0; 16];
    OsRng.fill_bytes(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares without telling by its time how much was right.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).fold(0, |differing, (one, other)| differing | (one ^ other)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> HallAccess {
        let hash = NOBODY.to_owned();
        HallAccess::new("adoubed", true, "secret".into(), [("Ann".to_owned(), hash)].into())
    }

    #[test]
    fn the_oldest_session_gives_way() {
        let access = access();
        let sessions: Vec<_> = (0..=SESSIONS_MAX).map(|_| access.open_session("Ann")).collect();
        let known = |(user, password): &(String, String)| {
            access.authenticate(Some(user), Some(password.as_bytes())).is_some()
        };
        assert!(!known(&sessions[0]));
        assert!(sessions[1..].iter().all(known));
    }

    #[test]
    fn a_session_ends_and_its_rights_with_it() {
        let access = access();
        let (user, password) = access.open_session("Ann");
        let who = access.authenticate(Some(&user), Some(password.as_bytes())).unwrap();
        assert!(access.may_read(&who, "adoubed/v1/alert/1-1-1"));
        assert!(access.may_publish(&who, "adoubed/v1/request/rule"));
        let later = Moment::ZERO + SESSION_LASTS + Duration::from_secs(60);
        let access = HallAccess { clock: Clock::starting_at(later), ..access };
        assert!(access.authenticate(Some(&user), Some(password.as_bytes())).is_none());
        assert!(!access.is_session(&user, &password));
        assert!(!access.may_read(&who, "adoubed/v1/alert/1-1-1"));
        assert!(access.may_read(&who, "adoubed/v1/table/1/clock"), "what guests may read");
        assert!(!access.may_publish(&who, "adoubed/v1/request/rule"));
    }

    #[test]
    fn whoever_guesses_a_name_at_the_broker_is_slowed_and_sessions_are_not() {
        let access = access();
        let guess = |password: &[u8]| access.authenticate(Some("Ann"), Some(password)).is_some();
        (0..5).for_each(|_| assert!(!guess(b"guess")));
        // Seen from before all of it, however slow this machine is.
        assert!(access.names().wait(Moment::ZERO, "Ann").is_some());
        let (user, password) = access.open_session("Ann");
        assert!(access.authenticate(Some(&user), Some(password.as_bytes())).is_some());
    }

    #[test]
    fn the_password_of_nobody_is_checked_and_never_right() {
        let hash = PasswordHash::new(NOBODY).unwrap();
        assert!(hash.hash.is_some_and(|hash| hash.len() == 32));
        let access = access();
        assert!(!access.is_arbiter("Bob", b"password"));
        assert!(!access.is_arbiter("Ann", b"password"));
    }
}
