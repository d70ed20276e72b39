//! The library's parts, set up and put together: everything that survives a connection, and the
//! life of one connection from its first byte to its last. Sockets are opened elsewhere.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mqtt5::broker::BrokerConfig;
use mqtt5::broker::auth::AuthProvider;
use mqtt5::broker::client_handler::ClientHandler;
use mqtt5::broker::resource_monitor::ResourceMonitor;
use mqtt5::broker::router::MessageRouter;
use mqtt5::broker::storage::{ClientSession, DynamicStorage, StorageBackend};
use mqtt5::broker::sys_topics::BrokerStats;
use mqtt5::broker::transport::BrokerTransport;
use mqtt5::packet::connect::ConnectPacket;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, broadcast};
use tokio::time::timeout;
use tracing::{debug, warn};

use crate::access::{Access, Principal};
use crate::admission::{self, Connect, Rights, Verdict};
use crate::limits;
use crate::sieve::{Gate, Sieve};
use crate::tuning;
use crate::wire::{Terms, Wire};

/// Counts for the curious; all but `clients` since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Connections at this moment, those still at their CONNECT included.
    pub clients: usize,
    /// Topics that hold a retained message.
    pub retained: usize,
    /// Connections turned away because all seats were taken.
    pub turned_away: u64,
    /// Connections refused for their name, password or client id.
    pub refused: u64,
    /// Messages held back because their receiver may not read them.
    pub withheld: u64,
    /// Clients cut because they had stopped reading.
    pub laggards: u64,
}

/// Told once that it is time to leave.
pub(crate) type Stop = broadcast::Receiver<()>;

/// All that connections share.
pub(crate) struct Engine {
    access: Arc<dyn Access>,
    storage: Arc<DynamicStorage>,
    router: Arc<MessageRouter>,
    stats: Arc<BrokerStats>,
    resources: Arc<ResourceMonitor>,
    for_users: Arc<BrokerConfig>,
    for_guests: Arc<BrokerConfig>,
    for_passers_by: Arc<BrokerConfig>,
    passwords: Semaphore,
    stop: broadcast::Sender<()>,
    dismissals: broadcast::Sender<Arc<BTreeSet<String>>>,
    pub(crate) counts: Counts,
}

#[derive(Default)]
pub(crate) struct Counts {
    pub turned_away: AtomicU64,
    refused: AtomicU64,
    withheld: Arc<AtomicU64>,
    laggards: Arc<AtomicU64>,
}

impl Engine {
    pub(crate) fn new(access: Arc<dyn Access>) -> Self {
        let storage = Arc::new(tuning::storage());
        let router = MessageRouter::with_storage(Arc::clone(&storage))
            .with_retained_limits(limits::RETAINED_MESSAGES, limits::PACKET_BYTES);
        let router = Arc::new(router);
        let config = |session| Arc::new(tuning::config(&router, session));
        Self {
            access,
            storage,
            stats: Arc::new(BrokerStats::new()),
            resources: Arc::new(ResourceMonitor::new(tuning::unlimited())),
            for_users: config(limits::USER_SESSION),
            for_guests: config(limits::GUEST_SESSION),
            for_passers_by: config(Duration::ZERO),
            router,
            passwords: Semaphore::new(limits::PASSWORDS_AT_ONCE),
            stop: broadcast::channel(1).0,
            dismissals: broadcast::channel(limits::DISMISSALS).0,
            counts: Counts::default(),
        }
    }

    /// Serves one client until either side ends it.
    pub(crate) async fn serve<S>(&self, mut socket: S, peer: SocketAddr, mut stop: Stop)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let first = timeout(limits::CONNECT_PATIENCE, admission::read_connect(&mut socket));
        let first = tokio::select! {
            first = first => first,
            _ = stop.recv() => return,
        };
        let connect = match first {
            Ok(Ok(connect)) => connect,
            Ok(Err(error)) => return debug!(%peer, %error, "no MQTT client"),
            Err(_) => return debug!(%peer, "no CONNECT in time"),
        };
        // From before it is asked who this is: a dismissal meanwhile is not missed.
        let mut dismissals = self.dismissals.subscribe();
        let verdict = self.judge(&connect.packet).await;
        if !matches!(verdict, Verdict::Admitted(_)) {
            self.counts.refused.fetch_add(1, Ordering::Relaxed);
            warn!(%peer, user = ?connect.packet.username, ?verdict, "refused an MQTT client");
        }
        let name = verdict.name().map(str::to_owned);
        let (leave, left) = broadcast::channel(1);
        let handler = self.handler(socket, peer, connect, verdict, left).await;
        let mut served = pin!(handler.run());
        let outcome = tokio::select! {
            outcome = &mut served => outcome,
            () = told_to_leave(&mut stop, &mut dismissals, name.as_deref()) => {
                // The receiver is the handler's.
                let _ = leave.send(());
                served.await
            }
        };
        match outcome {
            Ok(()) => debug!(%peer, "MQTT client left"),
            Err(error) => debug!(%peer, %error, "MQTT client lost"),
        }
    }

    /// Tells the clients of these users to leave.
    pub(crate) fn dismiss(&self, users: BTreeSet<String>) {
        // No receiver: nobody to tell.
        let _ = self.dismissals.send(Arc::new(users));
    }

    /// Hears when all clients are told to leave, from now on.
    pub(crate) fn listen_for_stop(&self) -> Stop {
        self.stop.subscribe()
    }

    /// Tells all clients to leave.
    pub(crate) fn stop(&self) {
        // No receiver: nobody to tell.
        let _ = self.stop.send(());
    }

    /// Looks for sessions that have run out, for ever.
    pub(crate) async fn keep_house(&self) {
        loop {
            tokio::time::sleep(limits::HOUSEKEEPING).await;
            if let Err(error) = self.storage.cleanup_expired().await {
                warn!(%error, "sessions that ran out are still there");
            }
            self.router.sweep_sessions().await;
            self.resources.cleanup_expired_windows().await;
        }
    }

    pub(crate) async fn figures(&self, clients: usize) -> Figures {
        let counts = &self.counts;
        Figures {
            clients,
            retained: self.router.retained_count().await,
            turned_away: counts.turned_away.load(Ordering::Relaxed),
            refused: counts.refused.load(Ordering::Relaxed),
            withheld: counts.withheld.load(Ordering::Relaxed),
            laggards: counts.laggards.load(Ordering::Relaxed),
        }
    }

    async fn judge(&self, connect: &ConnectPacket) -> Verdict {
        let Some(who) = self.authenticate(connect).await else { return Verdict::Unknown };
        match self.session(&connect.client_id).await.and_then(|session| session.user_id) {
            Some(owner) if who.name() != Some(&owner) => Verdict::IdTaken,
            _ => Verdict::Admitted(who),
        }
    }

    async fn authenticate(&self, connect: &ConnectPacket) -> Option<Principal> {
        if connect.username.is_none() {
            return self.access.authenticate(None, connect.password.as_deref());
        }
        let _turn = self.passwords.acquire().await.ok()?;
        let access = Arc::clone(&self.access);
        let (user, password) = (connect.username.clone(), connect.password.clone());
        let question = move || access.authenticate(user.as_deref(), password.as_deref());
        tokio::task::spawn_blocking(question).await.ok()?
    }

    async fn handler<S>(
        &self,
        socket: S,
        peer: SocketAddr,
        connect: Connect,
        verdict: Verdict,
        stop: Stop,
    ) -> ClientHandler
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let withheld = Arc::clone(&self.counts.withheld);
        let version = connect.packet.protocol_version;
        let config = self.config(&connect.packet, &verdict).await;
        let terms = Terms {
            peer,
            read: connect.bytes,
            limit: match verdict {
                Verdict::Admitted(Principal::User(_)) => limits::PACKET_BYTES,
                _ => limits::STRANGER_PACKET_BYTES,
            },
            sieve: Sieve::new(self.gate(&verdict), version, withheld),
            patience: limits::WRITE_PATIENCE,
            laggards: Arc::clone(&self.counts.laggards),
        };
        let rights = Rights { access: Arc::clone(&self.access), verdict };
        ClientHandler::new(
            BrokerTransport::WebSocket(Box::new(Wire::new(socket, terms))),
            peer,
            config,
            Arc::clone(&self.router),
            Arc::new(rights) as Arc<dyn AuthProvider>,
            Some(Arc::clone(&self.storage)),
            Arc::clone(&self.stats),
            Arc::clone(&self.resources),
            stop,
        )
    }

    fn gate(&self, verdict: &Verdict) -> Gate {
        let Verdict::Admitted(who) = verdict.clone() else { return Box::new(|_| false) };
        let access = Arc::clone(&self.access);
        Box::new(move |topic| access.may_read(&who, topic))
    }

    /// The terms of a client's session; they differ in how long it outlives the connection.
    async fn config(&self, connect: &ConnectPacket, verdict: &Verdict) -> Arc<BrokerConfig> {
        let config = match verdict {
            Verdict::Admitted(Principal::User(_)) => &self.for_users,
            _ if !admission::wants_session_kept(connect) => &self.for_guests,
            _ if self.guest_sessions_besides(&connect.client_id).await < limits::GUEST_SESSIONS => {
                &self.for_guests
            }
            _ => &self.for_passers_by,
        };
        Arc::clone(config)
    }

    async fn guest_sessions_besides(&self, client_id: &str) -> usize {
        let mut count = 0;
        for id in self.storage.session_client_ids().await.unwrap_or_default() {
            let session = self.session(&id).await;
            let kept = session.is_some_and(|session| {
                session.user_id.is_none() && session.expiry_interval != Some(0)
            });
            count += usize::from(kept && id != client_id);
        }
        count
    }

    async fn session(&self, client_id: &str) -> Option<ClientSession> {
        self.storage.get_session(client_id).await.ok().flatten()
    }
}

/// Waits until everybody is told to leave, or this user.
async fn told_to_leave(
    stop: &mut Stop,
    dismissals: &mut broadcast::Receiver<Arc<BTreeSet<String>>>,
    user: Option<&str>,
) {
    let dismissed = async {
        loop {
            match dismissals.recv().await {
                Ok(users) if !user.is_some_and(|user| users.contains(user)) => {}
                // Missed because two came at once: whoever is still welcome comes back.
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            }
        }
    };
    tokio::select! {
        _ = stop.recv() => {}
        () = dismissed => {}
    }
}
