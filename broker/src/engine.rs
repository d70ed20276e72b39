//! The way of a connection from its first byte to its last: who is there, what was agreed, and
//! what is left behind. Sockets are opened elsewhere.

use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mqtt_protocol_core::mqtt::packet::{
    AssignedClientIdentifier, MaximumPacketSize, Property, ReceiveMaximum, ServerKeepAlive,
    SessionExpiryInterval, SharedSubscriptionAvailable, TopicAliasMaximum,
};
use mqtt_protocol_core::mqtt::result_code::{
    ConnectReasonCode as Code, DisconnectReasonCode as Reason, MqttError,
};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::debug;

use crate::access::Principal;
use crate::admission::{self, Connect, Refusal, Unread};
use crate::budget::Hold;
use crate::codec::Version;
use crate::connection::Connection;
use crate::exchange::{End, Exchange};
use crate::hub::{Entered, Hub, Leaving, Testament};
use crate::limits;
use crate::outbox::{self, Outbox};
use crate::refusals::Refusals;
use crate::seats::{Seat, Seats};
use crate::server::Settings;
use crate::time;
use crate::turns::Turns;

/// Counts for the curious; all but `clients` and `guests_bytes` since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Connections at this moment, those still at their CONNECT included.
    pub clients: usize,
    /// What all guests together hold of memory.
    pub guests_bytes: usize,
    /// Topics that hold a retained message.
    pub retained: usize,
    /// Connections turned away because there was no seat.
    pub turned_away: u64,
    /// Connections refused for their name, password or client id.
    pub refused: u64,
    /// Messages held back because their receiver may not read them.
    pub withheld: u64,
    /// Clients cut because they made no progress.
    pub laggards: u64,
}

pub(crate) struct Engine {
    pub(crate) hub: Arc<Hub>,
    strangers: Seats,
    guests: Seats,
    users: Seats,
    /// For this process alone: nobody else can take them.
    inside: Seats,
    passwords: Turns,
    refusals: Arc<Refusals>,
    /// Whether it is time to leave, for those whose CONNECT is still to come.
    stop: watch::Sender<bool>,
}

/// Where a client comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    pub address: SocketAddr,
    /// From this very process.
    pub inside: bool,
}

impl Peer {
    pub(crate) const fn outside(address: SocketAddr) -> Self {
        Self { address, inside: false }
    }

    /// Whoever asks for an address is told that of this machine.
    pub(crate) const fn inside() -> Self {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        Self { address, inside: true }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inside {
            true => f.write_str("this process"),
            false => self.address.fmt(f),
        }
    }
}

/// A client that is let in.
struct Admitted {
    who: Principal,
    agreed: Agreed,
    entered: Entered,
    hold: Option<Hold>,
    seat: Seat,
}

/// What was agreed with a client besides its session.
struct Agreed {
    id: Arc<str>,
    assigned: bool,
    keep_alive: Duration,
    /// Bytes of its longest packet.
    packet: usize,
    window: usize,
}

impl Engine {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            hub: Arc::new(Hub::new(Arc::clone(&settings.access))),
            strangers: Seats::new(limits::STRANGERS, limits::STRANGERS_PER_ADDRESS),
            guests: Seats::new(settings.guests, settings.guests_per_address),
            users: Seats::new(limits::USERS, limits::USERS),
            inside: Seats::new(limits::INSIDE, limits::INSIDE),
            passwords: Turns::new(limits::PASSWORDS_AT_ONCE),
            refusals: Arc::new(Refusals::of("an MQTT client", "MQTT clients")),
            stop: watch::Sender::new(false),
        }
    }

    /// Serves one client until either side ends it. Its packets have `longest` bytes at most.
    pub(crate) async fn serve<S>(&self, mut socket: S, peer: Peer, longest: usize)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin,
    {
        let mut stop = self.stop.subscribe();
        let seats = if peer.inside { &self.inside } else { &self.strangers };
        let Some(seat) = seats.take(peer.address.ip()) else { return };
        let first = timeout(limits::CONNECT_PATIENCE, admission::read_connect(&mut socket));
        let first = tokio::select! {
            first = first => first,
            _ = stop.wait_for(|stop| *stop) => return,
            () = seat.given_away() => return debug!(%peer, "gave way to others"),
        };
        let connect = match first {
            Ok(Ok(connect)) => connect,
            Ok(Err(Unread::NoClient(error))) => return debug!(%peer, %error, "no MQTT client"),
            Ok(Err(Unread::Refused(refusal))) => return refuse(socket, peer, refusal).await,
            Err(_) => return debug!(%peer, "no CONNECT in time"),
        };
        let version = connect.version;
        let admitted = self.admit(&connect, peer, longest).await;
        drop(seat);
        match admitted {
            Ok(admitted) => self.converse(socket, peer, connect, admitted).await,
            Err(code) => {
                self.hub.counts.refused.fetch_add(1, Ordering::Relaxed);
                debug!(%peer, user = ?connect.user, ?code, "refused an MQTT client");
                let user: String = connect
                    .user
                    .iter()
                    .flat_map(|it| it.chars())
                    .take(limits::NAME_LOGGED)
                    .collect();
                self.refusals.add(format!("as {user:?} from {peer}: {code:?}"));
                refuse(socket, peer, Refusal { version, code }).await;
            }
        }
    }

    async fn admit(&self, connect: &Connect, peer: Peer, longest: usize) -> Result<Admitted, Code> {
        let long = connect.client_id.len() > limits::CLIENT_ID_BYTES;
        let nameless = connect.client_id.is_empty();
        if long || (nameless && connect.version == Version::V3 && !connect.clean) {
            return Err(Code::ClientIdentifierNotValid);
        }
        let dismissals = self.hub.dismissals();
        let from = peer.address.ip();
        let who = self.authenticate(connect, from).await.ok_or(Code::BadUserNameOrPassword)?;
        let guest = who == Principal::Guest;
        let seats = match (peer.inside, guest) {
            (true, _) => &self.inside,
            (false, true) => &self.guests,
            (false, false) => &self.users,
        };
        let seat = seats.take(from).ok_or(Code::ServerBusy)?;
        let origin = seat.origin().ok_or(Code::ServerBusy)?;
        let hold = guest.then(|| self.hub.budget.hold(origin, limits::CONNECTION_BYTES));
        let hold = hold.map(|hold| hold.ok_or(Code::QuotaExceeded)).transpose()?;
        let id = if nameless { new_client_id() } else { Arc::from(connect.client_id.as_str()) };
        let entered = self.hub.enter(Arc::clone(&id), &who, connect.clean, connect.expiry).await;
        let entered = entered.map_err(|_| Code::ClientIdentifierNotValid)?;
        if dismissals != self.hub.dismissals() {
            // Perhaps him: whoever is still welcome comes back.
            self.hub.leave(Leaving { session: None, id, expiry: 0, will: None });
            return Err(Code::NotAuthorized);
        }
        let asked = Duration::from_secs(connect.keep_alive.into());
        let most = match connect.version {
            Version::V3 => limits::KEEP_ALIVE_UNTOLD,
            Version::V5 => limits::KEEP_ALIVE,
        };
        let agreed = Agreed {
            id,
            assigned: nameless,
            keep_alive: if asked.is_zero() { most } else { asked.min(most) },
            packet: if guest { longest.min(limits::STRANGER_PACKET_BYTES) } else { longest },
            window: usize::from(connect.receive_maximum.min(limits::IN_FLIGHT)),
        };
        Ok(Admitted { who, agreed, entered, hold, seat })
    }

    async fn authenticate(&self, connect: &Connect, from: IpAddr) -> Option<Principal> {
        let access = Arc::clone(&self.hub.access);
        if connect.user.as_deref().is_none_or(|user| access.is_quick(user)) {
            let (user, password) = (connect.user.as_deref(), connect.password.as_deref());
            return access.authenticate(from, user, password);
        }
        let _turn = self.passwords.take(from).await;
        let (user, password) = (connect.user.clone(), connect.password.clone());
        let question = move || access.authenticate(from, user.as_deref(), password.as_deref());
        tokio::task::spawn_blocking(question).await.ok()?
    }

    async fn converse<S>(&self, socket: S, peer: Peer, connect: Connect, admitted: Admitted)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin,
    {
        let Admitted { who, agreed, entered, hold, seat } = admitted;
        let Entered { mut session, present, expiry, longest, mut leave } = entered;
        let place = Place { hub: &self.hub, id: Arc::clone(&agreed.id), left: false };
        session.hold = hold;
        let names_senders = self.hub.access.is_host(&who);
        let mut outbox = Outbox::new(connect.version, connect.maximum_packet, names_senders);
        outbox.connack(present, promises(&connect, &who, &agreed, expiry).unwrap_or_default());
        let will = connect.will.clone().filter(|_| who != Principal::Guest);
        let will = will.map(|will| Testament { will, who: who.clone() });
        let exchange = Exchange {
            hub: Arc::clone(&self.hub),
            who,
            version: connect.version,
            session,
            outbox,
            window: agreed.window,
            expiry,
            aliases: Default::default(),
            acknowledged: time::now(),
        };
        let bounds = (agreed.packet, agreed.keep_alive);
        let origin = seat.origin();
        if let Some(origin) = origin.filter(|_| exchange.who == Principal::Guest) {
            self.hub.share.stands_back(origin, limits::TIME_OF_COMING);
        }
        let mut connection = Connection::new(socket, exchange, bounds, (connect.rest, origin));
        let end = tokio::select! {
            end = connection.run(&mut leave) => end,
            () = seat.given_away() => End::Said(Reason::ServerBusy),
        };
        debug!(%peer, ?end, "an MQTT client left");
        let expiry = match end {
            End::Left { expiry: Some(seconds), .. } => seconds.min(longest),
            _ => expiry,
        };
        let left_well = matches!(end, End::Left { with_will: false, .. });
        let lost = end == End::Said(Reason::QuotaExceeded);
        let session = connection.take_session();
        place.leave(Leaving {
            session: Some(session).filter(|_| !lost),
            id: agreed.id,
            expiry,
            will: will.filter(|_| !left_well),
        });
        connection.close(&end).await;
    }

    /// Tells the clients of these users to leave.
    pub(crate) fn dismiss(&self, users: &BTreeSet<String>) {
        self.hub.dismiss(users);
    }

    /// Tells all clients to leave.
    pub(crate) fn stop(&self) {
        self.stop.send_replace(true);
        self.hub.stop();
    }

    /// Looks after sessions, wills and the guests' share of time, for ever.
    pub(crate) async fn keep_house(&self) {
        tokio::join!(self.hub.share.serve(), self.look_after());
    }

    async fn look_after(&self) {
        loop {
            tokio::time::sleep(limits::HOUSEKEEPING).await;
            self.hub.keep_house();
        }
    }

    pub(crate) fn figures(&self) -> Figures {
        let counts = &self.hub.counts;
        let seats = [&self.strangers, &self.guests, &self.users, &self.inside];
        Figures {
            clients: seats.iter().map(|seats| seats.taken()).sum(),
            guests_bytes: self.hub.budget.used(),
            retained: self.hub.log().retained(),
            turned_away: seats.iter().map(|seats| seats.refused()).sum(),
            refused: counts.refused.load(Ordering::Relaxed),
            withheld: counts.withheld.load(Ordering::Relaxed),
            laggards: counts.laggards.load(Ordering::Relaxed),
        }
    }
}

/// The place of a client id. Cut in the middle, it is given up too, or nobody could ever take it.
struct Place<'a> {
    hub: &'a Hub,
    id: Arc<str>,
    left: bool,
}

impl Place<'_> {
    fn leave(mut self, leaving: Leaving) {
        self.left = true;
        self.hub.leave(leaving);
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if !self.left {
            let id = Arc::clone(&self.id);
            self.hub.leave(Leaving { session: None, id, expiry: 0, will: None });
        }
    }
}

/// What CONNACK says besides yes.
fn promises(
    connect: &Connect,
    who: &Principal,
    agreed: &Agreed,
    expiry: u32,
) -> Result<Vec<Property>, MqttError> {
    let guest = *who == Principal::Guest;
    let mut properties: Vec<Property> = vec![
        ReceiveMaximum::new(limits::RECEIVE_MAXIMUM)?.into(),
        MaximumPacketSize::new(u32::try_from(agreed.packet).unwrap_or(u32::MAX))?.into(),
        SharedSubscriptionAvailable::new(0)?.into(),
    ];
    if !guest {
        properties.push(TopicAliasMaximum::new(limits::TOPIC_ALIASES)?.into());
    }
    if agreed.assigned {
        properties.push(AssignedClientIdentifier::new(&*agreed.id)?.into());
    }
    if expiry != connect.expiry {
        properties.push(SessionExpiryInterval::new(expiry)?.into());
    }
    let seconds = u16::try_from(agreed.keep_alive.as_secs()).unwrap_or(u16::MAX);
    if seconds != connect.keep_alive {
        properties.push(ServerKeepAlive::new(seconds)?.into());
    }
    Ok(properties)
}

/// A client id nobody else has, nor guesses.
fn new_client_id() -> Arc<str> {
    let number = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", number(), number()).into()
}

async fn refuse<S: AsyncWrite + Unpin>(mut socket: S, peer: Peer, refusal: Refusal) {
    debug!(%peer, code = ?refusal.code, "no MQTT client");
    let bytes = outbox::refusal(refusal.version, refusal.code);
    let said = async {
        socket.write_all(&bytes).await?;
        socket.flush().await?;
        socket.shutdown().await
    };
    // Who does not take it in has been given his chance.
    let _ = timeout(limits::FAREWELL / 4, said).await;
}
