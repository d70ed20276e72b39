//! The life of one connection behind its CONNECT: bytes in, bytes out, and the times it has to
//! keep.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt;
use mqtt_protocol_core::mqtt::result_code::DisconnectReasonCode as Reason;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::access::Principal;
use crate::budget::{Crowd, Throttle, Usage};
use crate::codec::{self, Inbound};
use crate::exchange::{End, Exchange, Filled, Work};
use crate::hub::Leave;
use crate::limits;
use crate::seats::Neighbours;
use crate::session::Session;
use crate::time;

pub(crate) struct Connection<S> {
    exchange: Exchange,
    reader: ReadHalf<S>,
    writer: WriteHalf<S>,
    inbox: Vec<u8>,
    /// The longest packet the client may send.
    limit: usize,
    /// How long it may be silent.
    keep_alive: Duration,
    heard: Instant,
    /// Bytes were written that may not have left yet.
    unflushed: bool,
    filled: Filled,
    /// What its filters are owed waits for an acknowledgement, as what is published does.
    owed_blocked: bool,
    /// When it may be sent more of what its filters are owed, and of what is published.
    owed: Pace,
    published: Pace,
    backlog: Backlog,
    allowance: Allowance,
    newest: watch::Receiver<u64>,
    neighbours: Option<Neighbours>,
}

/// How a client takes what waits for it, from when it was last up to date or had taken enough.
struct Backlog {
    /// How long something has waited for its socket.
    waited: Duration,
    written: usize,
    /// When it was looked at, if something waited then.
    looked: Option<Instant>,
}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Connection<S> {
    /// `limit`: bytes of the longest packet it may send; `rest`: what it has sent already;
    /// `neighbours`: with whom it shares its time, if it is a guest.
    pub(crate) fn new(
        socket: S,
        exchange: Exchange,
        (limit, keep_alive): (usize, Duration),
        (rest, neighbours): (Vec<u8>, Option<Neighbours>),
    ) -> Self {
        let (reader, writer) = tokio::io::split(socket);
        let now = time::now();
        let guest = exchange.who == Principal::Guest;
        let newest = exchange.hub.listen();
        let crowd = neighbours.as_ref().map_or(Crowd::ALONE, Neighbours::crowd);
        let owed = Pace { turn: now, usage: exchange.hub.owed.begin(crowd, now) };
        let published = Pace { turn: now, usage: exchange.hub.published.begin(crowd, now) };
        Self {
            exchange,
            reader,
            writer,
            inbox: rest,
            limit,
            keep_alive: keep_alive + keep_alive / 2,
            heard: now,
            unflushed: false,
            filled: Filled::Some,
            owed_blocked: false,
            owed,
            published,
            backlog: Backlog { waited: Duration::ZERO, written: 0, looked: None },
            allowance: Allowance::new(guest, now),
            newest,
            neighbours,
        }
    }

    /// Serves the client until either side ends it.
    pub(crate) async fn run(&mut self, leave: &mut Leave) -> End {
        loop {
            self.hear_late();
            let deadline = match self.work() {
                Ok(deadline) => deadline,
                Err(end) => return end,
            };
            let front = self.exchange.outbox.front();
            let hungry = self.inbox.len() < self.limit + limits::INBOUND_BYTES;
            let waits = self.filled == Filled::UpToDate && self.exchange.session.listens();
            tokio::select! {
                Ok(reason) = leave.wait_for(Option::is_some) => {
                    return End::Said((*reason).unwrap_or(Reason::UnspecifiedError));
                }
                read = self.reader.read_buf(&mut self.inbox), if hungry => match read {
                    Ok(1..) => self.heard = time::now(),
                    Ok(0) | Err(_) => return End::Gone,
                },
                sent = send(&mut self.writer, front), if !front.is_empty() || self.unflushed => {
                    match sent {
                        Ok(count) => self.sent(count),
                        Err(_) => return End::Gone,
                    }
                }
                Ok(()) = self.newest.changed(), if waits => self.filled = Filled::Some,
                () = sleep_until(deadline) => {}
            }
        }
    }

    /// Reads what a client has sent while this machine was too busy to read it. Such a client
    /// was not silent.
    fn hear_late(&mut self) {
        let now = time::now();
        let hungry = self.inbox.len() < self.limit + limits::INBOUND_BYTES;
        if hungry
            && now >= self.heard + self.keep_alive
            && let Some(Ok(1..)) = self.reader.read_buf(&mut self.inbox).now_or_never()
        {
            self.heard = now;
        }
    }

    /// Does what can be done without waiting. Gives when to look again.
    fn work(&mut self) -> Result<Instant, End> {
        let begun = time::now();
        let idle = self.take_packets(begun)?;
        let owed = begun >= self.owed.turn;
        let wants = self.filled == Filled::Some || (owed && self.is_owed_now());
        if begun >= self.published.turn && self.exchange.outbox.has_room() && wants {
            self.newest.mark_unchanged();
            let published = limits::TIME_OF_TURN;
            let mut work = Work { owed: Duration::ZERO, published };
            self.filled = self.exchange.fill(owed, &mut work)?;
            self.owed_blocked = owed && self.filled == Filled::Blocked;
            if self.exchange.who == Principal::Guest {
                let hub = &self.exchange.hub;
                let crowd = self.neighbours.as_ref().map_or(Crowd::ALONE, Neighbours::crowd);
                self.owed.spend(&hub.owed, crowd, begun, work.owed);
                self.published.spend(&hub.published, crowd, begun, work.published);
            }
        }
        self.account()?;
        self.look_for_progress(begun)?;
        Ok(self.deadline(begun, idle))
    }

    /// Takes the packets that have come. Gives when the next may be taken.
    fn take_packets(&mut self, now: Instant) -> Result<Option<Instant>, End> {
        let mut taken = 0;
        let mut wait = None;
        while self.exchange.outbox.has_room() {
            let rest = self.inbox.get(taken..).unwrap_or_default();
            let Some((header, length)) = codec::lengths(rest).map_err(End::Said)? else { break };
            if length > self.limit {
                return Err(End::Said(Reason::PacketTooLarge));
            }
            let (Some(packet), Some(first)) = (rest.get(header..length), rest.first()) else {
                break;
            };
            let inbound = codec::decode(self.exchange.version, *first, packet);
            let inbound = inbound.map_err(End::Said)?;
            if !is_expected(&inbound, &self.exchange) {
                wait = self.allowance.spend(now);
                if wait.is_some() {
                    if self.allowance.is_flooded(now, self.patience()) {
                        return Err(End::Said(Reason::MessageRateTooHigh));
                    }
                    break;
                }
            }
            self.exchange.take(inbound)?;
            if self.filled != Filled::Some {
                self.filled = Filled::Some;
            }
            taken += length;
        }
        self.inbox.drain(..taken);
        if self.inbox.is_empty() {
            self.inbox = Vec::new();
        }
        Ok(wait)
    }

    /// So many bytes were written, or all those from before have left.
    fn sent(&mut self, count: usize) {
        self.unflushed = count > 0;
        self.exchange.outbox.advance(count);
        self.backlog.written += count;
    }

    /// Holds what a guest holds; there may be too little left.
    fn account(&mut self) -> Result<(), End> {
        let exchange = &mut self.exchange;
        let bytes = limits::CONNECTION_BYTES
            + exchange.session.bytes()
            + exchange.outbox.bytes()
            + self.inbox.capacity();
        match &mut exchange.session.hold {
            Some(hold) => hold.resize(bytes).ok_or(End::Said(Reason::QuotaExceeded)),
            None => Ok(()),
        }
    }

    fn patience(&self) -> Duration {
        let guest = self.exchange.who == Principal::Guest;
        if guest && self.exchange.hub.budget.is_pressed() {
            limits::PATIENCE_UNDER_PRESSURE
        } else {
            limits::PATIENCE
        }
    }

    /// Whether its filters are owed something that it can be sent before it acknowledges anything.
    fn is_owed_now(&self) -> bool {
        let blocked = self.filled == Filled::Blocked && self.owed_blocked;
        self.exchange.session.is_owed() && !blocked
    }

    /// Whether the socket owes us something.
    fn is_behind(&self) -> bool {
        !self.exchange.outbox.is_empty() || self.unflushed
    }

    fn look_for_progress(&mut self, now: Instant) -> Result<(), End> {
        let (behind, patience) = (self.is_behind(), self.patience());
        let up_to_date = !behind && self.filled == Filled::UpToDate;
        let backlog = &mut self.backlog;
        if up_to_date || backlog.written >= limits::PROGRESS_BYTES {
            (backlog.waited, backlog.written) = (Duration::ZERO, 0);
        } else if let Some(looked) = backlog.looked {
            backlog.waited += now.saturating_duration_since(looked);
        }
        backlog.looked = behind.then_some(now);
        let reads = !behind || backlog.waited < patience;
        let acknowledges = self.exchange.session.unacknowledged() == 0
            || now < self.exchange.acknowledged + patience;
        if !reads || !acknowledges {
            self.exchange.hub.counts.laggards.fetch_add(1, Ordering::Relaxed);
            return Err(End::Said(Reason::QuotaExceeded));
        }
        if now >= self.heard + self.keep_alive {
            return Err(End::Said(Reason::KeepAliveTimeout));
        }
        Ok(())
    }

    fn deadline(&self, now: Instant, idle: Option<Instant>) -> Instant {
        let patience = self.patience();
        let mut deadline = self.heard + self.keep_alive;
        if self.is_behind() {
            deadline = deadline.min(now + patience.saturating_sub(self.backlog.waited));
        }
        if self.exchange.session.unacknowledged() > 0 {
            deadline = deadline.min(self.exchange.acknowledged + patience);
        }
        if self.exchange.outbox.has_room() && self.filled == Filled::Some {
            deadline = deadline.min(self.published.turn.max(now));
        }
        if self.exchange.outbox.has_room() && self.is_owed_now() {
            deadline = deadline.min(self.owed.turn.max(self.published.turn).max(now));
        }
        idle.map_or(deadline, |idle| deadline.min(idle))
    }

    /// What may outlive the connection. Nothing is served after this.
    pub(crate) fn take_session(&mut self) -> Session {
        let none = Session::new(Arc::default(), None, false);
        std::mem::replace(&mut self.exchange.session, none)
    }

    /// Takes leave, as far as the client takes it in.
    pub(crate) async fn close(mut self, end: &End) {
        let last = async {
            if let End::Said(reason) = end
                && self.exchange.outbox.has_room()
            {
                self.exchange.outbox.disconnect(*reason);
                while let front = self.exchange.outbox.front()
                    && !front.is_empty()
                {
                    let count = self.writer.write(front).await?;
                    self.exchange.outbox.advance(count);
                }
            }
            self.writer.flush().await?;
            self.writer.shutdown().await?;
            // Closed with bytes of the client unread, a socket takes back what it has just said.
            let mut rest = self.reader.take(limits::LAST_BYTES);
            tokio::io::copy(&mut rest, &mut tokio::io::sink()).await
        };
        // Who does not take it in has been given his chance.
        let _ = tokio::time::timeout(limits::FAREWELL / 4, last).await;
    }
}

/// Writes some of these bytes; if there are none, sees that those from before leave.
async fn send<W: AsyncWrite + Unpin>(writer: &mut W, bytes: &[u8]) -> io::Result<usize> {
    if bytes.is_empty() {
        return writer.flush().await.map(|()| 0);
    }
    match writer.write(bytes).await {
        Ok(0) => Err(io::ErrorKind::WriteZero.into()),
        written => written,
    }
}

/// Whether this answers something of ours: as many as we ask for are welcome.
fn is_expected(inbound: &Inbound, exchange: &Exchange) -> bool {
    match inbound {
        Inbound::Puback(_) | Inbound::Pubrec { .. } | Inbound::Pubcomp(_) => {
            exchange.session.unacknowledged() > 0
        }
        _ => exchange.who != Principal::Guest,
    }
}

/// When a guest has its turn.
struct Pace {
    turn: Instant,
    usage: Usage,
}

impl Pace {
    fn spend(&mut self, throttle: &Throttle, crowd: Crowd, now: Instant, time: Duration) {
        if let Some(turn) = throttle.used(&mut self.usage, crowd, now, time) {
            self.turn = turn;
        }
    }
}

/// How many packets a guest may send.
pub(crate) struct Allowance {
    left: u32,
    since: Instant,
    /// Since when it has been short of them.
    short: Option<Instant>,
}

impl Allowance {
    pub(crate) fn new(guest: bool, now: Instant) -> Self {
        let left = if guest { limits::GUEST_PACKETS_AT_ONCE } else { u32::MAX };
        Self { left, since: now, short: None }
    }

    /// Takes one off. If none is left: when there is one again.
    pub(crate) fn spend(&mut self, now: Instant) -> Option<Instant> {
        let each = Duration::from_secs(1) / limits::GUEST_PACKETS_PER_SECOND;
        while self.left < limits::GUEST_PACKETS_AT_ONCE && self.since + each <= now {
            self.since += each;
            self.left += 1;
        }
        if self.left >= limits::GUEST_PACKETS_AT_ONCE {
            self.since = now;
        }
        if self.left > limits::GUEST_PACKETS_AT_ONCE / 2 {
            self.short = None;
        }
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => {
                self.short.get_or_insert(now);
                return Some(self.since + each);
            }
        }
        None
    }

    /// Whether it has been short for longer than that: nobody in earnest has so much to say.
    fn is_flooded(&self, now: Instant, patience: Duration) -> bool {
        self.short.is_some_and(|short| now >= short + patience)
    }
}

#[cfg(test)]
mod tests;
