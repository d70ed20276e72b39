//! What is remembered of a client: its filters, its place in the log, and what it has not
//! acknowledged. It may outlive a connection. It touches no socket.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use mqtt_protocol_core::mqtt::packet::{Qos, RetainHandling};
use tokio::time::Instant;

use crate::budget::Hold;
use crate::filter;
use crate::limits;
use crate::log::{Log, Place};
use crate::message::Message;
use crate::outbox::Delivery;
use crate::subscriptions::{Match, Options, Refused, Subscriptions};

pub(crate) struct Session {
    pub id: Arc<str>,
    /// The user it belongs to; guests share what is theirs.
    pub owner: Option<String>,
    /// What it holds of the guests' budget, if it is a guest's.
    pub hold: Option<Hold>,
    /// Whether it may outlive its connection: then it keeps what was not acknowledged.
    keeps: bool,
    /// What it keeps, in bytes.
    kept: usize,
    filters: Subscriptions,
    /// How far it has read.
    place: Place,
    /// What was published at QoS 0 up to here is not for it: it was away.
    away_until: Place,
    /// Retained messages that new filters are owed.
    owed: VecDeque<Owed>,
    /// By packet identifier, in the order of `number`.
    unacknowledged: BTreeMap<u16, Unacknowledged>,
    /// Of these, what a resumed connection is to be sent again.
    again: VecDeque<u16>,
    last_id: u16,
    last_number: u64,
    /// QoS 2 messages from the client whose PUBREL is still to come.
    received: BTreeSet<u16>,
}

/// The retained messages a filter is owed, in the order of their topics.
struct Owed {
    filter: String,
    qos: Qos,
    identifier: Option<u32>,
    /// Those that were there when the filter came; what is newer comes anyway.
    until: Place,
    sent: Option<Arc<str>>,
}

struct Unacknowledged {
    number: u64,
    /// PUBREC has come, PUBCOMP has not.
    halfway: bool,
    delivery: Option<Delivery>,
}

impl Unacknowledged {
    fn bytes(&self) -> usize {
        self.delivery.as_ref().map_or(0, |delivery| delivery.message.bytes())
    }
}

/// What a client is to be sent next.
pub(crate) enum Next {
    Message(Delivery),
    Release(u16),
    /// Nothing before it has acknowledged something.
    Blocked,
    /// Nothing before something is published.
    Nothing,
    /// There is more, but others have their turn.
    Later,
}

/// What decides what a client is sent.
pub(crate) struct Terms<'a> {
    pub now: Instant,
    /// How many messages may be unacknowledged.
    pub window: usize,
    pub may_read: &'a dyn Fn(&str) -> bool,
}

impl Session {
    pub(crate) fn new(id: Arc<str>, owner: Option<String>, keeps: bool) -> Self {
        Self {
            id,
            owner,
            hold: None,
            keeps,
            kept: 0,
            filters: Subscriptions::default(),
            place: 0,
            away_until: 0,
            owed: VecDeque::new(),
            unacknowledged: BTreeMap::new(),
            again: VecDeque::new(),
            last_id: 0,
            last_number: 0,
            received: BTreeSet::new(),
        }
    }

    /// How far it has read.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// Whether anything published may concern it.
    pub(crate) fn listens(&self) -> bool {
        !self.filters.is_empty()
    }

    pub(crate) fn unacknowledged(&self) -> usize {
        self.unacknowledged.len()
    }

    /// What it holds of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.filters.bytes() + self.kept
    }

    /// The client is back: what it has not acknowledged goes out again.
    pub(crate) fn resume(&mut self, newest: Place) {
        self.away_until = newest;
        let mut all: Vec<_> = self.unacknowledged.iter().map(|(id, it)| (it.number, *id)).collect();
        all.sort_unstable();
        self.again = all.into_iter().map(|(_, id)| id).collect();
    }

    /// Takes a filter; `options.since` is the newest place in the log.
    pub(crate) fn subscribe(
        &mut self,
        filter: &str,
        options: Options,
        handling: RetainHandling,
    ) -> Result<(), Refused> {
        let (qos, identifier, until) = (options.qos, options.identifier, options.since);
        if self.filters.is_empty() {
            self.place = until;
        }
        let again = self.filters.insert(filter, options)?;
        let wanted = match handling {
            RetainHandling::SendRetained => true,
            RetainHandling::SendRetainedIfNotExists => !again,
            RetainHandling::DoNotSendRetained => false,
        };
        self.owed.retain(|owed| owed.filter != filter);
        if wanted {
            let filter = filter.to_owned();
            self.owed.push_back(Owed { filter, qos, identifier, until, sent: None });
        }
        Ok(())
    }

    /// Gives up a filter. Gives whether it was there.
    pub(crate) fn unsubscribe(&mut self, filter: &str) -> bool {
        self.owed.retain(|owed| owed.filter != filter);
        self.filters.remove(filter)
    }

    /// A QoS 2 message begins. False: it has come before. An error: there are too many.
    pub(crate) fn receive(&mut self, id: u16) -> Result<bool, ()> {
        if self.received.contains(&id) {
            return Ok(false);
        }
        if self.received.len() >= usize::from(limits::RECEIVE_MAXIMUM) {
            return Err(());
        }
        Ok(self.received.insert(id))
    }

    /// A QoS 2 message from the client ends.
    pub(crate) fn released(&mut self, id: u16) {
        self.received.remove(&id);
    }

    /// The client has a message. Gives whether one was waiting for this.
    pub(crate) fn acknowledged(&mut self, id: u16) -> bool {
        let Some(it) = self.unacknowledged.remove(&id) else { return false };
        self.kept -= it.bytes();
        true
    }

    /// The client has a QoS 2 message, and is to be told to forget its identifier.
    pub(crate) fn half_acknowledged(&mut self, id: u16) -> bool {
        let Some(it) = self.unacknowledged.get_mut(&id) else { return false };
        self.kept -= it.bytes();
        (it.halfway, it.delivery) = (true, None);
        true
    }

    /// Whether an acknowledgement is waited for; `half`: the first of the two of QoS 2.
    pub(crate) fn awaits(&self, id: u16, half: bool) -> bool {
        self.unacknowledged.get(&id).is_some_and(|it| !(half && it.halfway))
    }

    /// What the client is to be sent next.
    pub(crate) fn next(&mut self, log: &Log, terms: &Terms<'_>, looks: &mut usize) -> Next {
        if let Some(next) = self.next_again() {
            return next;
        }
        while let Some(owed) = self.owed.front_mut() {
            match owed.next(log, terms, looks) {
                Step::Found(message) => {
                    let qos = owed.qos.min(message.qos);
                    let identifiers = owed.identifier.into_iter().collect();
                    if is_full(&self.unacknowledged, qos, terms) {
                        return Next::Blocked;
                    }
                    owed.sent = Some(Arc::clone(&message.topic));
                    return Next::Message(self.deliver(message, qos, true, identifiers));
                }
                Step::Later => return Next::Later,
                Step::End => drop(self.owed.pop_front()),
            }
        }
        self.next_published(log, terms, looks)
    }

    fn next_again(&mut self) -> Option<Next> {
        while let Some(id) = self.again.pop_front() {
            match self.unacknowledged.get(&id) {
                Some(Unacknowledged { delivery: Some(delivery), .. }) => {
                    return Some(Next::Message(Delivery { again: true, ..delivery.clone() }));
                }
                Some(it) if it.halfway => return Some(Next::Release(id)),
                _ => {}
            }
        }
        None
    }

    fn next_published(&mut self, log: &Log, terms: &Terms<'_>, looks: &mut usize) -> Next {
        for (place, message) in log.after(self.place) {
            if *looks == 0 {
                return Next::Later;
            }
            *looks -= 1;
            if let Some(Match { qos, retain_as_published, identifiers }) =
                self.wanted(place, message, terms)
            {
                let qos = qos.min(message.qos);
                let missed = qos == Qos::AtMostOnce && place <= self.away_until;
                if is_full(&self.unacknowledged, qos, terms) {
                    return Next::Blocked;
                }
                if !missed {
                    let retain = retain_as_published && message.retain;
                    let message = Arc::clone(message);
                    self.place = place;
                    return Next::Message(self.deliver(message, qos, retain, identifiers));
                }
            }
            self.place = place;
        }
        Next::Nothing
    }

    fn wanted(&self, place: Place, message: &Message, terms: &Terms<'_>) -> Option<Match> {
        let local = message.origin == self.id;
        let found = self.filters.matching(&message.topic, place, local)?;
        (!message.is_over(terms.now) && (terms.may_read)(&message.topic)).then_some(found)
    }

    fn deliver(
        &mut self,
        message: Arc<Message>,
        qos: Qos,
        retain: bool,
        identifiers: Vec<u32>,
    ) -> Delivery {
        let id = (qos != Qos::AtMostOnce).then(|| self.new_id());
        let delivery = Delivery { message, qos, id, retain, again: false, identifiers };
        if let Some(id) = id {
            self.last_number += 1;
            let kept = self.keeps.then(|| delivery.clone());
            let it = Unacknowledged { number: self.last_number, halfway: false, delivery: kept };
            self.kept += it.bytes();
            self.unacknowledged.insert(id, it);
        }
        delivery
    }

    /// Of 65,535 identifiers a few dozen are in use.
    fn new_id(&mut self) -> u16 {
        loop {
            self.last_id = self.last_id.checked_add(1).unwrap_or(1);
            if !self.unacknowledged.contains_key(&self.last_id) {
                return self.last_id;
            }
        }
    }
}

fn is_full(unacknowledged: &BTreeMap<u16, Unacknowledged>, qos: Qos, terms: &Terms<'_>) -> bool {
    qos != Qos::AtMostOnce && unacknowledged.len() >= terms.window
}

enum Step {
    Found(Arc<Message>),
    Later,
    End,
}

impl Owed {
    fn next(&mut self, log: &Log, terms: &Terms<'_>, looks: &mut usize) -> Step {
        let prefix = filter::prefix(&self.filter);
        let mut passed = None;
        let mut found = Step::End;
        for (place, message) in log.retained_after(self.sent.as_deref(), prefix) {
            if *looks == 0 {
                found = Step::Later;
                break;
            }
            *looks -= 1;
            let wanted = place <= self.until
                && filter::matches(&self.filter, &message.topic)
                && !message.is_over(terms.now)
                && (terms.may_read)(&message.topic);
            if wanted {
                found = Step::Found(Arc::clone(message));
                break;
            }
            passed = Some(Arc::clone(&message.topic));
        }
        if passed.is_some() {
            self.sent = passed;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(log: &mut Log, topic: &str, payload: &str, retain: bool) {
        log.append(Message::of_daemon(topic, payload.as_bytes(), retain)).unwrap();
    }

    fn subscribe(session: &mut Session, log: &Log, filter: &str, qos: Qos) {
        let since = log.newest();
        let (no_local, retain_as_published) = (false, false);
        let options = Options { qos, no_local, retain_as_published, identifier: None, since };
        session.subscribe(filter, options, RetainHandling::SendRetained).unwrap();
    }

    /// What it is sent until it has nothing more, or is blocked.
    fn sent(session: &mut Session, log: &Log, window: usize) -> Vec<String> {
        let terms = Terms { now: Instant::now(), window, may_read: &|topic| topic != "secret" };
        let mut all = Vec::new();
        loop {
            match session.next(log, &terms, &mut 1000) {
                Next::Message(it) => {
                    let payload = String::from_utf8_lossy(it.message.payload.as_slice());
                    let mark = if it.retain { "kept " } else { "" };
                    let mark = if it.again { "again " } else { mark };
                    all.push(format!("{mark}{}={payload}", it.message.topic));
                }
                Next::Release(id) => all.push(format!("release {id}")),
                Next::Blocked | Next::Nothing | Next::Later => return all,
            }
        }
    }

    fn session() -> Session {
        Session::new("client".into(), None, true)
    }

    #[test]
    fn a_new_filter_is_sent_what_is_retained_and_then_what_comes() {
        let (mut log, mut session) = (Log::default(), session());
        append(&mut log, "a/1", "old", true);
        append(&mut log, "secret", "x", true);
        append(&mut log, "a/event", "gone", false);
        subscribe(&mut session, &log, "#", Qos::AtMostOnce);
        append(&mut log, "a/2", "new", true);
        append(&mut log, "secret", "y", true);
        assert_eq!(sent(&mut session, &log, 9), ["kept a/1=old", "a/2=new"]);
        append(&mut log, "a/1", "newer", true);
        assert_eq!(sent(&mut session, &log, 9), ["a/1=newer"]);
        assert_eq!(session.place(), log.newest());
    }

    #[test]
    fn a_slow_client_is_sent_the_newest_version_only() {
        let (mut log, mut session) = (Log::default(), session());
        subscribe(&mut session, &log, "#", Qos::AtLeastOnce);
        for number in 0..100 {
            append(&mut log, "clock", &number.to_string(), true);
            append(&mut log, "board", &number.to_string(), true);
        }
        assert_eq!(sent(&mut session, &log, 1), ["clock=99"]);
        append(&mut log, "clock", "100", true);
        assert!(session.acknowledged(1));
        assert_eq!(sent(&mut session, &log, 9), ["board=99", "clock=100"]);
    }

    #[test]
    fn a_filter_given_again_is_sent_all_again_and_loses_nothing() {
        let (mut log, mut session) = (Log::default(), session());
        subscribe(&mut session, &log, "a", Qos::AtMostOnce);
        append(&mut log, "a", "1", true);
        subscribe(&mut session, &log, "a", Qos::AtMostOnce);
        assert_eq!(sent(&mut session, &log, 9), ["kept a=1", "a=1"]);
    }

    #[test]
    fn what_was_not_acknowledged_goes_out_again_in_order() {
        let (mut log, mut session) = (Log::default(), session());
        subscribe(&mut session, &log, "#", Qos::ExactlyOnce);
        for number in 0..3 {
            append(&mut log, "event", &number.to_string(), false);
        }
        assert_eq!(sent(&mut session, &log, 9).len(), 3);
        assert!(session.acknowledged(1) && session.half_acknowledged(2));
        append(&mut log, "event", "3", false);
        session.resume(log.newest());
        assert_eq!(sent(&mut session, &log, 9), ["release 2", "again event=2", "event=3"]);
        assert!(session.acknowledged(2) && !session.acknowledged(2));
    }

    #[test]
    fn who_was_away_misses_what_is_sent_at_most_once() {
        let (mut log, mut session) = (Log::default(), session());
        subscribe(&mut session, &log, "often", Qos::AtMostOnce);
        subscribe(&mut session, &log, "once", Qos::AtLeastOnce);
        append(&mut log, "often", "x", false);
        append(&mut log, "once", "y", false);
        session.resume(log.newest());
        append(&mut log, "often", "z", false);
        assert_eq!(sent(&mut session, &log, 9), ["once=y", "often=z"]);
    }

    #[test]
    fn identifiers_in_use_are_not_given_again() {
        let (mut log, mut session) = (Log::default(), session());
        subscribe(&mut session, &log, "event", Qos::AtLeastOnce);
        append(&mut log, "event", "first", false);
        sent(&mut session, &log, 9);
        session.last_id = u16::MAX;
        append(&mut log, "event", "second", false);
        sent(&mut session, &log, 9);
        assert!(session.unacknowledged.keys().eq(&[1, 2]));
    }

    #[test]
    fn a_look_at_a_long_log_is_taken_in_turns() {
        let (mut log, mut session) = (Log::default(), session());
        subscribe(&mut session, &log, "wanted", Qos::AtMostOnce);
        for number in 0..10 {
            append(&mut log, &number.to_string(), "x", true);
        }
        append(&mut log, "wanted", "x", true);
        let terms = Terms { now: Instant::now(), window: 9, may_read: &|_| true };
        assert!(matches!(session.next(&log, &terms, &mut 6), Next::Later));
        assert!(matches!(session.next(&log, &terms, &mut 6), Next::Message(_)));
    }
}
