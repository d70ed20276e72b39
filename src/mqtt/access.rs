//! The rights of the daemon, arbiters and guests at the embedded broker.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use adoubed_broker::{Access, Principal, filter};
use argon2::password_hash::SaltString;
use argon2::password_hash::rand_core::OsRng;
use argon2::{Argon2, PasswordHash, PasswordHasher as _, PasswordVerifier};

use eboard::Moment;

use super::guard::Guard;
use super::topic;
use crate::config::accounts::{DAEMON, SESSION, is_reserved};
use crate::config::{Account, Role};
use crate::time::Clock;

/// The access rules of a hall.
pub struct HallAccess {
    base: String,
    guests_read: Vec<String>,
    daemon_password: String,
    /// Arbiters and organizers.
    accounts: RwLock<BTreeMap<String, Account>>,
    sessions: Mutex<BTreeMap<String, Session>>,
    /// Addresses that sent wrong passwords to the broker.
    guard: Mutex<Guard>,
    clock: Clock,
}

struct Session {
    password: String,
    name: String,
    opened: Moment,
}

/// How long a session lasts: a round and the time after it, but not the night.
pub const SESSION_LASTS: Duration = Duration::from_secs(12 * 3600);

/// A hash that no password has. It is checked for unknown names, so that the time of an answer does
/// not reveal which names exist.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA\
                      $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The most sessions. A page opens one for each tablet, and on this machine each time it is loaded.
const SESSIONS_MAX: usize = 1000;

/// The hash by which a configuration knows this password. It is slow on purpose.
///
/// # Errors
/// If the password is longer than the algorithm takes.
pub fn hashed(password: &[u8]) -> Result<String, argon2::password_hash::Error> {
    let salt = SaltString::generate(&mut OsRng);
    Argon2::default().hash_password(password, &salt).map(|hash| hash.to_string())
}

impl HallAccess {
    /// The rules of a hall. `open`: guests may read the tables.
    #[must_use]
    pub fn new(
        base: &str,
        open: bool,
        daemon_password: String,
        accounts: BTreeMap<String, Account>,
    ) -> Self {
        Self {
            base: base.to_owned(),
            guests_read: topic::guest_filters(base, open),
            daemon_password,
            accounts: RwLock::new(accounts),
            sessions: Mutex::new(BTreeMap::new()),
            guard: Mutex::new(Guard::default()),
            clock: Clock::starting_at(Moment::ZERO),
        }
    }

    /// Whether anybody is configured, arbiter or organizer.
    #[must_use]
    pub fn has_accounts(&self) -> bool {
        !self.accounts().is_empty()
    }

    /// Replaces arbiters and organizers. Returns the users at the broker who lose their rights:
    /// people who were removed, who have another password or role, and their sessions.
    #[must_use]
    pub fn appoint(&self, accounts: BTreeMap<String, Account>) -> BTreeSet<String> {
        // Sessions are opened under the same lock, so none begins with an old password.
        let mut sessions = self.sessions();
        let mut named = self.accounts.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *named, accounts);
        let stays = |name: &str| before.get(name) == named.get(name);
        let mut gone: BTreeSet<_> =
            before.keys().filter(|name| !stays(name)).map(String::clone).collect();
        sessions.retain(|user, session| {
            // This machine has the rights of an arbiter only while none is configured.
            let holds = before.is_empty() == named.is_empty() && stays(&session.name);
            if !holds {
                gone.insert(user.clone());
            }
            holds
        });
        gone
    }

    /// Opens a session for a page, if the password is the arbiter's. The check is slow on purpose:
    /// call it outside the event loop.
    #[must_use]
    pub fn log_in(&self, name: &str, password: &[u8]) -> Option<(String, String)> {
        let account = self.verified(name, password)?;
        let mut sessions = self.sessions();
        let still = self.accounts().get(name) == Some(&account);
        still.then(|| self.open(&mut sessions, name))
    }

    /// Opens a session for a page on this machine, if no arbiter is configured.
    #[must_use]
    pub fn open_session_here(&self) -> Option<(String, String)> {
        let mut sessions = self.sessions();
        let nobody = self.accounts().is_empty();
        nobody.then(|| self.open(&mut sessions, "arbiter"))
    }

    fn open(&self, sessions: &mut BTreeMap<String, Session>, name: &str) -> (String, String) {
        let (user, password) = (format!("{SESSION}{}", secret()), secret());
        let now = self.clock.now();
        sessions.retain(|_, session| session.lasts(now));
        let newest = sessions.values().map(|session| session.opened + Duration::from_micros(1));
        let opened = newest.max().map_or(now, |newest| newest.max(now));
        while sessions.len() >= SESSIONS_MAX
            && let Some(oldest) = oldest(sessions)
        {
            sessions.remove(&oldest);
        }
        let session = Session { password: password.clone(), name: name.to_owned(), opened };
        sessions.insert(user.clone(), session);
        (user, password)
    }

    /// The account of this name, if this is its password.
    fn verified(&self, name: &str, password: &[u8]) -> Option<Account> {
        let account = self.accounts().get(name).cloned();
        let right = PasswordHash::new(account.as_ref().map_or(NOBODY, |it| &it.hash))
            .is_ok_and(|hash| Argon2::default().verify_password(password, &hash).is_ok());
        account.filter(|_| right)
    }

    /// Whether this is the user and password of a session.
    #[must_use]
    pub fn is_session(&self, user: &str, password: &str) -> bool {
        self.session_left(user, password).is_some()
    }

    /// The remaining time of a session.
    #[must_use]
    pub fn session_left(&self, user: &str, password: &str) -> Option<Duration> {
        let (sessions, now) = (self.sessions(), self.clock.now());
        let session = sessions.get(user).filter(|session| session.lasts(now))?;
        let right = same(password.as_bytes(), session.password.as_bytes());
        right.then(|| SESSION_LASTS.saturating_sub(now.since(session.opened)))
    }

    /// Closes a session. Returns whether there was one.
    pub fn close_session(&self, user: &str, password: &str) -> bool {
        self.is_session(user, password) && self.sessions().remove(user).is_some()
    }

    /// Checks a name and password at the broker. Checks of one address come one after another, so
    /// guesses that arrive together count the ones before them.
    fn is_known(&self, from: IpAddr, user: &str, password: &[u8]) -> bool {
        if self.guard().wait(self.clock.now(), from).is_some() {
            return false;
        }
        let account = self.verified(user, password);
        let known = account.is_some() && self.accounts().get(user) == account.as_ref();
        if known {
            self.guard().succeeded(from);
        } else {
            // The moment is read after the check, because the check itself takes a while.
            self.guard().failed(self.clock.now(), from);
        }
        known
    }

    /// Whether a user still has rights. Those of a session end with it, and those of an arbiter
    /// when he is removed, even while they are connected.
    fn holds(&self, user: &str) -> bool {
        if !user.starts_with(SESSION) {
            return user == DAEMON || self.accounts().contains_key(user);
        }
        let now = self.clock.now();
        self.sessions().get(user).is_some_and(|session| session.lasts(now))
    }

    /// Whether this is an organizer. The sessions of this machine are not, while nobody is named.
    #[must_use]
    pub fn is_organizer(&self, user: &str) -> bool {
        let role = |name: &str| self.accounts().get(name).map(|account| account.role);
        self.holds(user) && role(&self.person(user)) == Some(Role::Organizer)
    }

    /// Whether this user has the role that a topic needs.
    fn has_role_for(&self, user: &str, topic: &str) -> bool {
        !topic::is_for_organizers(&self.base, topic) || self.is_organizer(user)
    }

    fn accounts(&self) -> RwLockReadGuard<'_, BTreeMap<String, Account>> {
        self.accounts.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn guard(&self) -> MutexGuard<'_, Guard> {
        self.guard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The person behind a user of the broker.
    #[must_use]
    pub fn person(&self, user: &str) -> String {
        self.sessions().get(user).map_or_else(|| user.to_owned(), |session| session.name.clone())
    }

    fn sessions(&self) -> MutexGuard<'_, BTreeMap<String, Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Access for HallAccess {
    fn authenticate(
        &self,
        from: IpAddr,
        user: Option<&str>,
        password: Option<&[u8]>,
    ) -> Option<Principal> {
        let Some(user) = user else { return Some(Principal::Guest) };
        let password = password?;
        let known = if user == DAEMON {
            same(password, self.daemon_password.as_bytes())
        } else if user.starts_with(SESSION) {
            std::str::from_utf8(password).is_ok_and(|password| self.is_session(user, password))
        } else {
            self.is_known(from, user, password)
        };
        known.then(|| Principal::User(user.to_owned()))
    }

    /// Whether the check is quick. The passwords of the daemon and of sessions are random and long,
    /// so they need no slow hash.
    fn is_quick(&self, user: &str) -> bool {
        is_reserved(user)
    }

    fn may_publish(&self, who: &Principal, topic: &str) -> bool {
        match who {
            Principal::Guest => false,
            Principal::User(user) if user == DAEMON => true,
            Principal::User(user) => {
                self.holds(user)
                    && self.has_role_for(user, topic)
                    && filter::matches(&topic::arbiter_filter(&self.base), topic)
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
            Principal::User(user) if user == DAEMON => true,
            Principal::User(user) if self.holds(user) => self.has_role_for(user, topic),
            _ => self.guests_read.iter().any(|it| filter::matches(it, topic)),
        }
    }

    /// Whether this is the daemon. Other users must not read the names of arbiters, nor fill the
    /// retained topics.
    fn is_host(&self, who: &Principal) -> bool {
        matches!(who, Principal::User(user) if user == DAEMON)
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

/// Compares in constant time, so that the time does not tell how much was right.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).fold(0, |differing, (one, other)| differing | (one ^ other)) == 0
}

#[cfg(test)]
mod tests {
    use argon2::Params;
    use argon2::password_hash::{PasswordHasher, SaltString};

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    /// A hash as from `adoubed passwd`, but quick to check.
    fn hash(password: &str) -> String {
        let quick = Params::new(Params::MIN_M_COST, 1, 1, None).unwrap();
        let argon = Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, quick);
        let salt = SaltString::from_b64("c29tZXNhbHRzb21lc2FsdA").unwrap();
        argon.hash_password(password.as_bytes(), &salt).unwrap().to_string()
    }

    fn named(arbiters: &[(&str, &str)]) -> BTreeMap<String, Account> {
        let account = |password| Account { hash: hash(password), role: Role::Arbiter };
        arbiters.iter().map(|(name, password)| ((*name).to_owned(), account(password))).collect()
    }

    fn access() -> HallAccess {
        HallAccess::new("adoubed", true, "secret".into(), named(&[("Ann", "ann"), ("Bob", "bob")]))
    }

    fn is_let_in(access: &HallAccess, (user, password): &(String, String)) -> bool {
        access.authenticate(HERE, Some(user), Some(password.as_bytes())).is_some()
    }

    fn session(access: &HallAccess, name: &str) -> (String, String) {
        access.open(&mut access.sessions(), name)
    }

    #[test]
    fn the_oldest_session_gives_way() {
        let access = access();
        let sessions: Vec<_> = (0..=SESSIONS_MAX).map(|_| session(&access, "Ann")).collect();
        assert!(!is_let_in(&access, &sessions[0]));
        assert!(sessions[1..].iter().all(|it| is_let_in(&access, it)));
    }

    #[test]
    fn a_session_ends_and_its_rights_with_it() {
        let access = access();
        let (user, password) = access.log_in("Ann", b"ann").unwrap();
        let who = access.authenticate(HERE, Some(&user), Some(password.as_bytes())).unwrap();
        assert!(access.may_read(&who, "adoubed/v1/alert/1-1-1"));
        assert!(access.may_publish(&who, "adoubed/v1/request/rule"));
        let later = Moment::ZERO + SESSION_LASTS + Duration::from_secs(60);
        let access = HallAccess { clock: Clock::starting_at(later), ..access };
        assert!(access.authenticate(HERE, Some(&user), Some(password.as_bytes())).is_none());
        assert!(!access.is_session(&user, &password));
        assert!(!access.may_read(&who, "adoubed/v1/alert/1-1-1"));
        assert!(access.may_read(&who, "adoubed/v1/table/1/clock"), "what guests may read");
        assert!(!access.may_publish(&who, "adoubed/v1/request/rule"));
    }

    #[test]
    fn a_session_is_closed_by_its_own_password_only_and_tells_how_long_it_lasts() {
        let access = access();
        let (user, password) = access.log_in("Ann", b"ann").unwrap();
        let who = access.authenticate(HERE, Some(&user), Some(password.as_bytes())).unwrap();
        let left = access.session_left(&user, &password).unwrap();
        assert!(left <= SESSION_LASTS && left > SESSION_LASTS - Duration::from_secs(60));
        assert_eq!(access.session_left(&user, "a guess"), None);
        assert!(!access.close_session(&user, "a guess") && !access.close_session("Ann", "ann"));
        assert!(access.may_read(&who, "adoubed/v1/alert/1-1-1"));
        assert!(access.close_session(&user, &password));
        assert!(!access.close_session(&user, &password), "once");
        assert!(!access.may_read(&who, "adoubed/v1/alert/1-1-1"), "also while connected");
        assert!(!access.may_publish(&who, "adoubed/v1/request/rule"));
        assert!(!is_let_in(&access, &(user, password)));
    }

    #[test]
    fn whoever_is_named_no_more_or_has_another_password_loses_his_rights_at_once() {
        let access = access();
        let [ann, bob] = [("Ann", "ann"), ("Bob", "bob")]
            .map(|(name, password)| access.log_in(name, password.as_bytes()).unwrap());
        let tool = Principal::User("Bob".into());
        assert!(access.may_read(&tool, "adoubed/v1/alert/1-1-1"));

        let gone = access.appoint(named(&[("Ann", "ann"), ("Cleo", "cleo")]));
        assert_eq!(gone, BTreeSet::from(["Bob".to_owned(), bob.0.clone()]));
        assert!(is_let_in(&access, &ann) && !is_let_in(&access, &bob));
        assert!(!access.may_read(&tool, "adoubed/v1/alert/1-1-1"));
        assert!(!access.may_publish(&tool, "adoubed/v1/request/rule"));
        assert!(access.log_in("Bob", b"bob").is_none());
        assert!(access.log_in("Cleo", b"cleo").is_some());

        let gone = access.appoint(named(&[("Ann", "another"), ("Cleo", "cleo")]));
        assert_eq!(gone, BTreeSet::from(["Ann".to_owned(), ann.0.clone()]));
        assert!(!is_let_in(&access, &ann) && access.log_in("Ann", b"ann").is_none());
        assert!(access.log_in("Ann", b"another").is_some());
    }

    #[test]
    fn only_an_organizer_sets_up_and_he_may_do_what_an_arbiter_may() {
        let mut accounts = named(&[("Ann", "ann"), ("Olga", "olga")]);
        accounts.entry("Olga".to_owned()).and_modify(|it| it.role = Role::Organizer);
        let access = HallAccess::new("adoubed", true, "secret".into(), accounts.clone());
        let page = access.log_in("Olga", b"olga").unwrap();
        let user = |name: &str| Principal::User(name.to_owned());
        for (who, sets_up) in [(user("Ann"), false), (user("Olga"), true), (user(&page.0), true)] {
            assert!(access.may_publish(&who, "adoubed/v1/request/rule"));
            assert!(access.may_read(&who, "adoubed/v1/alert/1-1-1"));
            assert_eq!(access.may_publish(&who, "adoubed/v1/request/configure"), sets_up);
            assert_eq!(access.may_read(&who, "adoubed/v1/setup/boards"), sets_up);
            assert_eq!(access.may_read(&who, "adoubed/v1/setup/lift"), sets_up);
        }
        assert!(!access.may_read(&Principal::Guest, "adoubed/v1/setup/boards"));
        assert!(!access.may_subscribe(&Principal::Guest, "adoubed/v1/setup/#"));
        assert!(access.may_read(&user(DAEMON), "adoubed/v1/setup/boards"));

        accounts.entry("Olga".to_owned()).and_modify(|it| it.role = Role::Arbiter);
        assert!(access.appoint(accounts).contains(&page.0), "another role ends her session");
        assert!(!access.may_read(&user("Olga"), "adoubed/v1/setup/boards"));
        let nobody = HallAccess::new("adoubed", true, "secret".into(), BTreeMap::new());
        let here = nobody.open_session_here().unwrap();
        assert!(!nobody.may_publish(&user(&here.0), "adoubed/v1/request/configure"));
    }

    #[test]
    fn the_daemon_and_sessions_wait_for_nobody_who_guesses() {
        let access = access();
        let (user, _) = session(&access, "Ann");
        assert!(access.is_quick(DAEMON) && access.is_quick(&user) && !access.is_quick("Ann"));
    }

    #[test]
    fn this_machine_has_sessions_only_while_nobody_is_named() {
        let access = HallAccess::new("adoubed", true, "secret".into(), BTreeMap::new());
        let here = access.open_session_here().unwrap();
        assert!(access.appoint(BTreeMap::new()).is_empty() && is_let_in(&access, &here));
        // Even an arbiter whose name is like that of such a session.
        let gone = access.appoint(named(&[("arbiter", "a")]));
        assert_eq!(gone, BTreeSet::from([here.0.clone()]));
        assert!(!is_let_in(&access, &here) && access.open_session_here().is_none());
        let named = access.log_in("arbiter", b"a").unwrap();
        assert!(access.appoint(BTreeMap::new()).contains(&named.0));
        assert!(!is_let_in(&access, &named) && access.open_session_here().is_some());
    }

    #[test]
    fn whoever_guesses_at_the_broker_is_slowed_and_nobody_else() {
        let access = access();
        let from = |last| IpAddr::from([10, 0, 0, last]);
        let tries = |last, password: &[u8]| {
            access.authenticate(from(last), Some("Ann"), Some(password)).is_some()
        };
        (0..5).for_each(|_| assert!(!tries(1, b"guess")));
        // Moment zero lies before all guesses, so the speed of this machine does not matter.
        assert!(access.guard().wait(Moment::ZERO, from(1)).is_some());
        assert!(tries(2, b"ann"), "the arbiter himself, from elsewhere");
        assert!(is_let_in(&access, &session(&access, "Ann")));
    }

    #[test]
    fn the_password_of_nobody_is_checked_and_never_right() {
        let hash = PasswordHash::new(NOBODY).unwrap();
        assert!(hash.hash.is_some_and(|hash| hash.len() == 32));
        let access = access();
        assert!(access.log_in("Nobody", b"password").is_none());
        assert!(access.log_in("Ann", b"password").is_none());
    }
}
