//! What all connections share: the log, the sessions, the budget. A client's coming and going
//! pass through here; its packets do not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use mqtt_protocol_core::mqtt::result_code::DisconnectReasonCode as Reason;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::access::{Access, Principal};
use crate::admission::Will;
use crate::budget::Budget;
use crate::limits;
use crate::log::{Full, Log, Place};
use crate::message::Message;
use crate::session::Session;
use crate::share::Share;
use crate::time;

/// Told when it is time to leave, and why.
pub(crate) type Leave = watch::Receiver<Option<Reason>>;

pub(crate) struct Hub {
    pub access: Arc<dyn Access>,
    pub budget: Arc<Budget>,
    /// The guests' time, for what they ask and for what they are sent: whoever asks for everything
    /// again and again makes nobody late.
    pub share: Share,
    pub counts: Counts,
    log: RwLock<Log>,
    newest: watch::Sender<Place>,
    clients: Mutex<BTreeMap<Arc<str>, Client>>,
    /// A client has left its session behind.
    left: Notify,
    dismissals: AtomicU64,
}

#[derive(Default)]
pub(crate) struct Counts {
    pub refused: AtomicU64,
    pub withheld: AtomicU64,
    pub laggards: AtomicU64,
}

enum Client {
    Here { owner: Option<String>, kept: bool, leave: watch::Sender<Option<Reason>> },
    Away { session: Box<Session>, ends: Instant, will: Option<(Instant, Testament)> },
}

/// A will, and whose it is.
#[derive(Clone, Debug)]
pub(crate) struct Testament {
    pub will: Will,
    pub who: Principal,
}

/// A client that has come in.
pub(crate) struct Entered {
    pub session: Session,
    /// The session was there before.
    pub present: bool,
    /// How long the session may outlive the connection, in seconds.
    pub expiry: u32,
    /// The same at most, should the client change its mind.
    pub longest: u32,
    pub leave: Leave,
}

/// How a client leaves.
pub(crate) struct Leaving {
    /// None: it has missed what cannot be told any more.
    pub session: Option<Session>,
    pub id: Arc<str>,
    pub expiry: u32,
    pub will: Option<Testament>,
}

/// The client id belongs to another user.
#[derive(Debug)]
pub(crate) struct IdTaken;

impl Hub {
    pub(crate) fn new(access: Arc<dyn Access>) -> Self {
        Self {
            access,
            budget: Arc::default(),
            share: Share::new(limits::GUESTS_PART, time::now()),
            counts: Counts::default(),
            log: RwLock::default(),
            newest: watch::Sender::new(0),
            clients: Mutex::default(),
            left: Notify::new(),
            dismissals: AtomicU64::new(0),
        }
    }

    pub(crate) fn log(&self) -> RwLockReadGuard<'_, Log> {
        self.log.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears of every publication from now on.
    pub(crate) fn listen(&self) -> watch::Receiver<Place> {
        self.newest.subscribe()
    }

    pub(crate) fn publish(&self, message: Message) -> Result<(), Full> {
        let newest = {
            let mut log = self.log.write().unwrap_or_else(PoisonError::into_inner);
            log.append(message)?;
            log.newest()
        };
        self.newest.send_replace(newest);
        Ok(())
    }

    /// How often somebody was told to leave because his rights have ended.
    pub(crate) fn dismissals(&self) -> u64 {
        self.dismissals.load(Ordering::SeqCst)
    }

    /// Tells the clients of these users to leave.
    pub(crate) fn dismiss(&self, users: &BTreeSet<String>) {
        self.dismissals.fetch_add(1, Ordering::SeqCst);
        let named = |owner: &Option<String>| owner.as_ref().is_some_and(|it| users.contains(it));
        self.tell(|owner| named(owner), Reason::AdministrativeAction);
    }

    /// Tells all clients to leave.
    pub(crate) fn stop(&self) {
        self.tell(|_| true, Reason::ServerShuttingDown);
    }

    fn tell(&self, whom: impl Fn(&Option<String>) -> bool, reason: Reason) {
        for client in self.clients().values() {
            if let Client::Here { owner, leave, .. } = client
                && whom(owner)
            {
                leave.send_replace(Some(reason));
            }
        }
    }

    /// Takes the place of a client: of the connection that had it, and of its session if that is
    /// wanted.
    pub(crate) async fn enter(
        &self,
        id: Arc<str>,
        who: &Principal,
        clean: bool,
        expiry: u32,
    ) -> Result<Entered, IdTaken> {
        let host = self.access.is_host(who);
        loop {
            let left = {
                let mut clients = self.clients();
                match clients.get(&id) {
                    Some(Client::Here { owner, leave, .. }) => {
                        may_take(owner, who, host)?;
                        leave.send_replace(Some(Reason::SessionTakenOver));
                        self.left.notified()
                    }
                    Some(Client::Away { session, .. }) => {
                        may_take(&session.owner, who, host)?;
                        return Ok(self.begin(&mut clients, id, who, clean, expiry));
                    }
                    None => return Ok(self.begin(&mut clients, id, who, clean, expiry)),
                }
            };
            left.await;
        }
    }

    fn begin(
        &self,
        clients: &mut BTreeMap<Arc<str>, Client>,
        id: Arc<str>,
        who: &Principal,
        clean: bool,
        expiry: u32,
    ) -> Entered {
        let owner = who.name().map(str::to_owned);
        let (earlier, will) = match clients.remove(&id) {
            Some(Client::Away { session, will, .. }) => (Some(session), will),
            _ => (None, None),
        };
        let newest = self.log().newest();
        let earlier = earlier.filter(|session| {
            let current = !session.listens() || self.log().reaches_back_to(session.place());
            !clean && session.owner == owner && current
        });
        if earlier.is_none()
            && let Some((_, testament)) = will
        {
            // The session ends here.
            self.execute(testament);
        }
        let kept = clients.values().filter(|client| client.is_kept_for_a_guest()).count();
        let longest = match who {
            Principal::User(_) => limits::USER_SESSION,
            Principal::Guest if kept < limits::GUEST_SESSIONS => limits::GUEST_SESSION,
            Principal::Guest => Duration::ZERO,
        };
        let longest = u32::try_from(longest.as_secs()).unwrap_or(u32::MAX);
        let expiry = expiry.min(longest);
        let present = earlier.is_some();
        let session = match earlier {
            Some(mut session) => {
                session.resume(newest);
                *session
            }
            None => Session::new(Arc::clone(&id), owner.clone(), expiry > 0),
        };
        let (tell, leave) = watch::channel(None);
        clients.insert(id, Client::Here { owner, kept: expiry > 0, leave: tell });
        Entered { session, present, expiry, longest, leave }
    }

    /// A client leaves its place; `None` for a session that is not to be found again.
    pub(crate) fn leave(&self, leaving: Leaving) {
        let Leaving { session, id, expiry, will } = leaving;
        let now = time::now();
        let mut due = will;
        {
            let mut clients = self.clients();
            clients.remove(&id);
            if let Some(mut session) = session.filter(|_| expiry > 0) {
                let bytes = session.bytes();
                if let Some(hold) = &mut session.hold {
                    // It held more until now.
                    let _ = hold.resize(bytes);
                }
                let later = due.take_if(|it| it.will.delay > 0).map(|testament| {
                    let delay = testament.will.delay.min(expiry);
                    (now + Duration::from_secs(delay.into()), testament)
                });
                let ends = now + Duration::from_secs(expiry.into());
                clients.insert(id, Client::Away { session: Box::new(session), ends, will: later });
            }
        }
        if let Some(testament) = due {
            self.execute(testament);
        }
        self.left.notify_waiters();
    }

    /// Publishes a will, if its owner may still do so.
    fn execute(&self, Testament { will, who }: Testament) {
        if !self.access.may_publish(&who, &will.topic) {
            return;
        }
        let expires = will.expiry.map(|it| time::now() + Duration::from_secs(it.into()));
        let message = Message {
            topic: will.topic.into(),
            payload: will.payload,
            properties: will.properties,
            qos: will.qos,
            retain: will.retain,
            expires,
            origin: Arc::default(),
            sender: who.name().map(Arc::from),
            of_host: self.access.is_host(&who),
        };
        if self.publish(message).is_err() {
            tracing::warn!("a will was not published: there are too many retained topics");
        }
    }

    /// Sends away sessions that have run out, and publishes wills that are due.
    pub(crate) fn keep_house(&self) {
        let now = time::now();
        let mut due = Vec::new();
        self.clients().retain(|_, client| {
            let Client::Away { ends, will, .. } = client else { return true };
            let over = *ends <= now;
            due.extend(will.take_if(|(at, _)| over || *at <= now));
            !over
        });
        for (_, testament) in due {
            self.execute(testament);
        }
    }

    fn clients(&self) -> MutexGuard<'_, BTreeMap<Arc<str>, Client>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client {
    fn is_kept_for_a_guest(&self) -> bool {
        match self {
            Self::Here { owner, kept, .. } => owner.is_none() && *kept,
            Self::Away { session, .. } => session.owner.is_none(),
        }
    }
}

/// The host may take any: who has taken his cannot silence him.
fn may_take(owner: &Option<String>, who: &Principal, host: bool) -> Result<(), IdTaken> {
    match owner {
        Some(owner) if who.name() != Some(owner) && !host => Err(IdTaken),
        _ => Ok(()),
    }
}
