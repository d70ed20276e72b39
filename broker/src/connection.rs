//! The life of one connection behind its CONNECT: bytes in, bytes out, and the times it has to
//! keep.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt;
use mqtt_protocol_core::mqtt::result_code::DisconnectReasonCode as Reason;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until};

use crate::access::Principal;
use crate::codec::{self, Inbound};
use crate::exchange::{End, Exchange, Filled};
use crate::hub::Leave;
use crate::limits;
use crate::session::Session;
use crate::share::{Origin, Turn};
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
    /// Whether its packets are taken, and it is sent messages.
    turn: Turn,
    /// Something was read since its packets were looked at.
    read: bool,
    /// It has sent more than is taken at once.
    more: bool,
    /// When its next packet may be taken, if it sends too many.
    walks: Option<Instant>,
    backlog: Backlog,
    allowance: Allowance,
    newest: watch::Receiver<u64>,
    /// With whom it shares its time, if it is a guest.
    origin: Option<Origin>,
}

/// What came of the packets that a client has sent.
#[derive(Debug, Default, PartialEq, Eq)]
struct Taken {
    /// Packets of a guest that are no acknowledgement.
    asked: usize,
    /// There are more, and it is not his turn.
    more: bool,
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
    /// `origin`: with whom it shares its time, if it is a guest.
    pub(crate) fn new(
        socket: S,
        exchange: Exchange,
        (limit, keep_alive): (usize, Duration),
        (rest, origin): (Vec<u8>, Option<Origin>),
    ) -> Self {
        let (reader, writer) = tokio::io::split(socket);
        let now = time::now();
        let guest = exchange.who == Principal::Guest;
        let newest = exchange.hub.listen();
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
            turn: Turn::Idle,
            read: false,
            more: false,
            walks: None,
            backlog: Backlog { waited: Duration::ZERO, written: 0, looked: None },
            allowance: Allowance::new(guest, now),
            newest,
            origin,
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
            let hungry = self.is_hungry() && self.walks.is_none() && !self.turn.waits();
            if hungry && !self.is_guest() {
                // Users are few and send much: what has come is read in one call of the system.
                // Guests get no room: their turns would go with their packets alone.
                self.inbox.reserve(limits::INBOUND_BYTES);
            }
            let front = self.exchange.outbox.front();
            let waits = self.filled == Filled::UpToDate && self.exchange.session.listens();
            tokio::select! {
                Ok(reason) = leave.wait_for(Option::is_some) => {
                    return End::Said((*reason).unwrap_or(Reason::UnspecifiedError));
                }
                read = self.reader.read_buf(&mut self.inbox), if hungry => match read {
                    Ok(1..) => (self.heard, self.read) = (time::now(), true),
                    Ok(0) | Err(_) => return End::Gone,
                },
                sent = send(&mut self.writer, front), if !front.is_empty() || self.unflushed => {
                    match sent {
                        Ok(count) => self.sent(count),
                        Err(_) => return End::Gone,
                    }
                }
                Ok(()) = self.newest.changed(), if waits => self.filled = Filled::Some,
                () = self.turn.comes() => {}
                () = yield_now(), if self.more => {}
                () = sleep_until(deadline) => {}
            }
        }
    }

    fn is_hungry(&self) -> bool {
        self.inbox.len() < self.limit + limits::INBOUND_BYTES
    }

    /// Reads what a client has sent while this machine was too busy to read it. Such a client
    /// was not silent.
    fn hear_late(&mut self) {
        let now = time::now();
        if self.is_hungry()
            && now >= self.heard + self.keep_alive
            && let Some(Ok(1..)) = self.reader.read_buf(&mut self.inbox).now_or_never()
        {
            (self.heard, self.read) = (now, true);
        }
    }

    /// Does what can be done without waiting. Gives when to look again.
    fn work(&mut self) -> Result<Instant, End> {
        let begun = time::now();
        let mut work = Duration::ZERO;
        let mut taken = self.take_packets(begun, &mut work)?;
        if self.gets_turn(&taken) && taken.more {
            taken = self.take_packets(begun, &mut work)?;
        }
        let asks = !work.is_zero();
        // Packets or messages, in one turn.
        if self.has_turn() && taken.asked == 0 && self.wants_messages() {
            self.newest.mark_unchanged();
            work += limits::TIME_OF_TURN;
            self.filled = self.exchange.fill(&mut work)?;
        }
        if self.is_guest() {
            self.charge(work, asks);
        }
        self.account()?;
        self.look_for_progress(begun)?;
        Ok(self.deadline(begun))
    }

    /// Takes the packets that have come: acknowledgements, and in its turn a few others.
    fn take_packets(&mut self, now: Instant, work: &mut Duration) -> Result<Taken, End> {
        let mut outcome = Taken::default();
        if self.walks.is_some_and(|next| now < next) {
            return Ok(outcome);
        }
        self.walks = None;
        let (mut taken, mut answers, mut packets) = (0, 0, 0);
        self.more = false;
        while self.exchange.outbox.has_room() {
            let rest = self.inbox.get(taken..).unwrap_or_default();
            let Some((header, length)) = codec::lengths(rest).map_err(End::Said)? else { break };
            if length > self.limit {
                return Err(End::Said(Reason::PacketTooLarge));
            }
            let (Some(packet), Some(first)) = (rest.get(header..length), rest.first()) else {
                break;
            };
            // A guest has his turns instead.
            self.more = packets == limits::PACKETS_AT_ONCE && !self.is_guest();
            if self.more {
                break;
            }
            packets += 1;
            let may_ask = self.may_ask(&outcome);
            outcome.more = !may_ask && !codec::acknowledges(*first);
            if outcome.more {
                break;
            }
            let inbound = codec::decode(self.exchange.version, *first, packet);
            let inbound = inbound.map_err(End::Said)?;
            if is_expected(&inbound, &self.exchange) {
                answers += 1;
            } else {
                outcome.more = !may_ask;
                if outcome.more {
                    break;
                }
                self.walks = self.allowance.spend(now);
                if self.walks.is_some() {
                    if self.allowance.is_flooded(now, self.patience()) {
                        return Err(End::Said(Reason::MessageRateTooHigh));
                    }
                    break;
                }
                outcome.asked += 1;
                *work += time_of(&inbound);
            }
            self.exchange.take(inbound)?;
            if self.filled != Filled::Some {
                self.filled = Filled::Some;
            }
            taken += length;
        }
        self.inbox.drain(..taken);
        if self.inbox.is_empty() {
            self.inbox.shrink_to(if self.is_guest() { 0 } else { limits::INBOUND_BYTES });
        }
        self.note_reading(&outcome, answers, work);
        Ok(outcome)
    }

    /// Charges what it took to read. Whoever only acknowledges is not asking for anything: he may
    /// go on at once.
    fn note_reading(&mut self, taken: &Taken, answers: u32, work: &mut Duration) {
        let mut used = limits::TIME_OF_PACKET * answers;
        if std::mem::take(&mut self.read) {
            used += limits::TIME_OF_READING;
        }
        if taken.asked > 0 || answers == 0 || !self.inbox.is_empty() {
            *work += used;
        } else if self.is_guest() {
            self.exchange.hub.share.used(self.origin(), used);
        }
    }

    fn is_guest(&self) -> bool {
        self.exchange.who == Principal::Guest
    }

    /// Whether what it asks for may be done now.
    fn has_turn(&self) -> bool {
        !self.is_guest() || self.turn.is_his()
    }

    /// Whether another packet may be taken in this turn.
    fn may_ask(&self, taken: &Taken) -> bool {
        self.has_turn() && taken.asked < limits::PACKETS_IN_A_TURN
    }

    fn wants_messages(&self) -> bool {
        self.filled == Filled::Some && self.exchange.outbox.has_room()
    }

    /// Asks for a guest's turn, if he has something to do in it. Gives whether it is his.
    fn gets_turn(&mut self, taken: &Taken) -> bool {
        if self.is_guest() && (taken.more || self.wants_messages()) {
            self.exchange.hub.share.ask(self.origin(), &mut self.turn);
        }
        self.has_turn()
    }

    /// Charges a guest with the time of his work; if he `asks`, he is heard again in his next turn.
    fn charge(&mut self, work: Duration, asks: bool) {
        let (share, from) = (&self.exchange.hub.share, self.origin());
        if self.turn.is_his() {
            share.end(from, &mut self.turn, work);
        } else if !work.is_zero() {
            share.used(from, work);
        }
        if asks {
            share.ask(from, &mut self.turn);
        }
    }

    fn origin(&self) -> Origin {
        self.origin.unwrap_or((IpAddr::from([0; 4]), 0))
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
        let Some(hold) = &mut exchange.session.hold else { return Ok(()) };
        if hold.gives_way() {
            return Err(End::Said(Reason::QuotaExceeded));
        }
        hold.resize(bytes).ok_or(End::Said(Reason::QuotaExceeded))
    }

    fn patience(&self) -> Duration {
        if self.is_guest() && self.exchange.hub.budget.is_pressed() {
            limits::PATIENCE_UNDER_PRESSURE
        } else {
            limits::PATIENCE
        }
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

    fn deadline(&self, now: Instant) -> Instant {
        let patience = self.patience();
        let mut deadline = self.heard + self.keep_alive;
        if self.is_behind() {
            deadline = deadline.min(now + patience.saturating_sub(self.backlog.waited));
        }
        if self.exchange.session.unacknowledged() > 0 {
            deadline = deadline.min(self.exchange.acknowledged + patience);
        }
        if self.turn.is_his() || (self.wants_messages() && !self.turn.waits()) {
            return now;
        }
        self.walks.map_or(deadline, |next| deadline.min(next))
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

/// Whether this answers something of ours: each answer we wait for is welcome.
fn is_expected(inbound: &Inbound, exchange: &Exchange) -> bool {
    match inbound {
        _ if exchange.who != Principal::Guest => true,
        Inbound::Puback(id) | Inbound::Pubcomp(id) => exchange.session.awaits(*id, false),
        Inbound::Pubrec { id, .. } => exchange.session.awaits(*id, true),
        _ => false,
    }
}

/// What a packet of a guest takes: each of its filters is looked up.
fn time_of(inbound: &Inbound) -> Duration {
    let filters = match inbound {
        Inbound::Subscribe(subscribe) => subscribe.filters.len(),
        Inbound::Unsubscribe { filters, .. } => filters.len(),
        _ => 0,
    };
    let each = u32::try_from(filters).unwrap_or(u32::MAX);
    limits::TIME_OF_PACKET + limits::TIME_OF_FILTER.saturating_mul(each)
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
