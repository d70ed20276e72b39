//! The messages to publish: the newest of every retained topic, and events in order.
//!
//! The run loop fills it and the publisher empties it. A slow broker delays nobody; it only misses
//! versions. Outlets of this process read the newest message of each topic too: of the topics that
//! guests may read, or of alerts for an outlet that wakes arbiters.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::refused::Refused;
use super::topic::Topic;
use crate::config::Feed;

/// The most events that wait while the broker is away: some minutes of a hall at blitz tempo.
const EVENTS_MAX: usize = 10_000;

/// How many messages of an earlier connection may be acknowledged on this one. The client never has
/// more under way.
const STRAYS: u64 = 128;

/// An answer to a client that gave a response topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The response topic.
    pub topic: String,
    /// The correlation data of the request.
    pub correlation: Option<Vec<u8>>,
    /// The answer.
    pub payload: Vec<u8>,
}

/// One message to publish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A message under our own base.
    Ours(Topic, Vec<u8>),
    /// An answer on a client's response topic.
    Reply(Reply),
}

/// The newest message of every topic.
#[derive(Default)]
pub struct Snapshot {
    inner: Mutex<Inner>,
    filled: Notify,
    refused: Refused,
}

#[derive(Default)]
struct Inner {
    latest: BTreeMap<Topic, Latest>,
    queue: VecDeque<Item>,
    passing: usize,
    counts: Counts,
    /// Messages handed out and acknowledged on this connection.
    handed: u64,
    acknowledged: u64,
    /// Topics that were cleared, each with the number of the message that cleared it.
    cleared: VecDeque<(u64, Topic)>,
    readers: Vec<Unseen>,
    /// Whether nothing more will be published.
    closed: bool,
}

/// The newest message of a retained topic.
#[derive(Default)]
struct Latest {
    payload: Vec<u8>,
    /// Whether it waits in the queue.
    queued: bool,
}

/// The topics that a reader has not read yet, and how to wake it.
struct Unseen {
    reads: fn(&Topic) -> bool,
    topics: BTreeSet<Topic>,
    filled: Arc<Notify>,
}

/// The feed for an outlet: what guests may read, live or delayed, under the same topics.
pub trait Source: Send + 'static {
    /// Waits for changes since the last call. Each changed topic comes once, with its newest
    /// payload, which is empty if the topic was cleared.
    fn changes(&mut self) -> impl Future<Output = Vec<(Topic, Vec<u8>)>> + Send;
}

/// Follows some topics. It may miss versions of a topic, but never the newest.
pub struct Reader {
    snapshot: Arc<Snapshot>,
    number: usize,
    filled: Arc<Notify>,
}

impl Source for Reader {
    async fn changes(&mut self) -> Vec<(Topic, Vec<u8>)> {
        loop {
            let changes = self.snapshot.unseen(self.number);
            if !changes.is_empty() {
                return changes;
            }
            self.filled.notified().await;
        }
    }
}

/// The state of the connection to the broker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Whether the client is connected.
    pub connected: bool,
    /// The messages handed out so far.
    pub handed: u64,
    /// The messages that wait.
    pub waiting: u64,
    /// The events dropped because the broker was away.
    pub dropped: u64,
    /// Whether the broker sends retained messages to filters with wildcards.
    pub retains: Retains,
}

/// Whether a broker sends retained messages to filters with wildcards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retains {
    /// It was not asked, or has not answered yet.
    #[default]
    Unknown,
    /// It does.
    Yes,
    /// It does not.
    No,
}

enum Item {
    Latest(Topic),
    Passing(Message),
}

impl Snapshot {
    /// Publishes a payload. An empty payload clears a retained topic.
    pub fn publish(&self, topic: Topic, payload: Vec<u8>) {
        let mut inner = self.lock();
        if topic.retained() {
            for reader in inner.readers.iter_mut().filter(|it| (it.reads)(&topic)) {
                reader.topics.insert(topic.clone());
                reader.filled.notify_one();
            }
            let latest = inner.latest.entry(topic.clone()).or_default();
            latest.payload = payload;
            if !std::mem::replace(&mut latest.queued, true) {
                inner.queue.push_back(Item::Latest(topic));
            }
        } else {
            inner.pass(Message::Ours(topic, payload));
        }
        drop(inner);
        self.filled.notify_one();
    }

    /// Sends the newest message of a topic again, unless the broker has it.
    pub fn say_again(&self, topic: &Topic, there: &[u8]) {
        let mut inner = self.lock();
        let Inner { latest, queue, .. } = &mut *inner;
        if let Some(latest) = latest.get_mut(topic)
            && latest.payload != there
            && !std::mem::replace(&mut latest.queued, true)
        {
            queue.push_back(Item::Latest(topic.clone()));
        }
        drop(inner);
        self.filled.notify_one();
    }

    /// A reader of the guests' topics, or of the delayed copy alone. Readers are never removed, so
    /// it is for outlets that live as long as the snapshot.
    #[must_use]
    pub fn reader(self: &Arc<Self>, feed: Feed) -> Reader {
        match feed {
            Feed::Live => self.reader_of(|topic| topic.for_guests() && !topic.is_public()),
            Feed::Public => self.reader_of(Topic::is_public),
        }
    }

    /// A reader of alerts, for an outlet that reaches arbiters outside the feed.
    #[must_use]
    pub fn alerts(self: &Arc<Self>) -> Reader {
        self.reader_of(|topic| matches!(topic, Topic::Alert(_)))
    }

    fn reader_of(self: &Arc<Self>, reads: fn(&Topic) -> bool) -> Reader {
        let filled = Arc::<Notify>::default();
        let mut inner = self.lock();
        let topics = inner.latest.keys().filter(|topic| reads(topic)).cloned().collect();
        inner.readers.push(Unseen { reads, topics, filled: Arc::clone(&filled) });
        Reader { snapshot: Arc::clone(self), number: inner.readers.len() - 1, filled }
    }

    fn unseen(&self, reader: usize) -> Vec<(Topic, Vec<u8>)> {
        let mut inner = self.lock();
        let unseen = inner.readers.get_mut(reader).map(|it| std::mem::take(&mut it.topics));
        let now = |topic: Topic| {
            let payload = inner.latest.get(&topic).map(|it| it.payload.clone());
            (topic.original(), payload.unwrap_or_default())
        };
        unseen.unwrap_or_default().into_iter().map(now).collect()
    }

    /// Answers a client on its response topic.
    pub fn reply(&self, reply: Reply) {
        self.lock().pass(Message::Reply(reply));
        self.filled.notify_one();
    }

    /// Notes a new connection. Everything retained is sent again, because the broker may have lost
    /// it.
    pub fn again(&self) {
        self.refused.forget();
        let mut inner = self.lock();
        inner.counts.connected = true;
        (inner.handed, inner.acknowledged) = (0, 0);
        inner.cleared.clear();
        let Inner { latest, queue, .. } = &mut *inner;
        for (topic, latest) in latest {
            if !std::mem::replace(&mut latest.queued, true) {
                queue.push_back(Item::Latest(topic.clone()));
            }
        }
        drop(inner);
        self.filled.notify_one();
    }

    /// Notes that the connection is gone.
    pub fn away(&self) {
        self.lock().counts.connected = false;
    }

    /// Notes whether the broker sends retained messages to filters with wildcards.
    pub fn probed(&self, retains: Retains) {
        self.lock().counts.retains = retains;
    }

    /// Notes that the broker has acknowledged a message. Cleared topics that the broker has
    /// forgotten are forgotten here too.
    pub fn acknowledged(&self) {
        let mut inner = self.lock();
        inner.acknowledged += 1;
        let sure = inner.acknowledged.saturating_sub(STRAYS);
        while let Some((_, topic)) = inner.cleared.pop_front_if(|(place, _)| *place <= sure) {
            let again = inner.cleared.iter().any(|(_, other)| *other == topic);
            let latest = inner.latest.get(&topic);
            if latest.is_some_and(|it| it.payload.is_empty() && !it.queued) && !again {
                inner.latest.remove(&topic);
            }
        }
    }

    /// Waits for the next message; none: it was the last.
    pub async fn next(&self) -> Option<Message> {
        loop {
            // Read first: what is published before it is closed must still be taken.
            let closed = self.lock().closed;
            if let Some(message) = self.take() {
                return Some(message);
            }
            if closed {
                return None;
            }
            self.filled.notified().await;
        }
    }

    /// Ends it after the messages that wait.
    pub fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_one();
    }

    /// What the broker refuses on this connection.
    #[must_use]
    pub fn refused(&self) -> &Refused {
        &self.refused
    }

    /// The state of the connection.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let inner = self.lock();
        Counts { waiting: inner.queue.len() as u64, ..inner.counts }
    }

    /// The next message, if there is one.
    pub(crate) fn take(&self) -> Option<Message> {
        let mut inner = self.lock();
        let item = inner.queue.pop_front()?;
        inner.handed += 1;
        inner.counts.handed += 1;
        match item {
            Item::Latest(topic) => {
                let latest = inner.latest.get_mut(&topic);
                let payload = latest.map(|it| {
                    it.queued = false;
                    it.payload.clone()
                });
                let payload = payload.unwrap_or_default();
                if payload.is_empty() {
                    let place = inner.handed;
                    inner.cleared.push_back((place, topic.clone()));
                }
                Some(Message::Ours(topic, payload))
            }
            Item::Passing(message) => {
                inner.passing -= 1;
                Some(message)
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn pass(&mut self, message: Message) {
        if self.passing == EVENTS_MAX {
            let oldest = self.queue.iter().position(|item| matches!(item, Item::Passing(_)));
            oldest.map(|index| self.queue.remove(index));
            self.counts.dropped += 1;
        } else {
            self.passing += 1;
        }
        self.queue.push_back(Item::Passing(message));
    }
}

#[cfg(test)]
mod tests {
    use witness::TableNo;

    use super::super::topic::TableTopic;
    use super::*;

    fn board(table: TableNo) -> Topic {
        Topic::Table(table, TableTopic::Board)
    }

    #[test]
    fn of_a_retained_topic_only_the_newest_goes_out() {
        let snapshot = Snapshot::default();
        snapshot.publish(board(TableNo::new(1)), b"old".to_vec());
        snapshot.publish(board(TableNo::new(2)), b"two".to_vec());
        snapshot.publish(board(TableNo::new(1)), b"new".to_vec());
        assert_eq!(snapshot.take(), Some(Message::Ours(board(TableNo::new(1)), b"new".to_vec())));
        assert_eq!(snapshot.take(), Some(Message::Ours(board(TableNo::new(2)), b"two".to_vec())));
        assert_eq!(snapshot.take(), None);
        snapshot.again();
        assert_eq!(snapshot.take(), Some(Message::Ours(board(TableNo::new(1)), b"new".to_vec())));
    }

    fn drain(snapshot: &Snapshot) -> Vec<Topic> {
        let messages = std::iter::from_fn(|| snapshot.take());
        let topics = messages.filter_map(|message| match message {
            Message::Ours(topic, _) => Some(topic),
            Message::Reply(_) => None,
        });
        topics.collect()
    }

    /// Hands out messages, and acknowledges each.
    fn flow(snapshot: &Snapshot, messages: u64) {
        for _ in 0..messages {
            snapshot.publish(Topic::Table(TableNo::new(1), TableTopic::Event), b"{}".to_vec());
            drain(snapshot);
            snapshot.acknowledged();
        }
    }

    #[test]
    fn a_cleared_topic_is_forgotten_when_the_broker_has_cleared_it_and_not_before() {
        let snapshot = Snapshot::default();
        let alert = Topic::Alert("1-1-1".into());
        snapshot.publish(alert.clone(), b"open".to_vec());
        snapshot.publish(board(TableNo::new(1)), b"board".to_vec());
        snapshot.again();
        drain(&snapshot);
        snapshot.publish(alert.clone(), Vec::new());
        assert_eq!(drain(&snapshot), std::slice::from_ref(&alert));
        // The connection breaks before the acknowledgement arrives.
        snapshot.again();
        assert!(drain(&snapshot).contains(&alert));
        flow(&snapshot, STRAYS + 2);
        snapshot.again();
        assert_eq!(drain(&snapshot), [board(TableNo::new(1))]);
    }

    #[test]
    fn a_topic_that_was_filled_again_stays() {
        let snapshot = Snapshot::default();
        snapshot.publish(board(TableNo::new(1)), Vec::new());
        drain(&snapshot);
        snapshot.publish(board(TableNo::new(1)), b"back".to_vec());
        flow(&snapshot, 2 * STRAYS);
        snapshot.again();
        assert_eq!(drain(&snapshot), [board(TableNo::new(1))]);
    }

    #[tokio::test]
    async fn a_closed_one_hands_out_what_waits_and_ends() {
        let snapshot = Arc::<Snapshot>::default();
        let waiting = tokio::spawn({
            let snapshot = Arc::clone(&snapshot);
            async move { [snapshot.next().await, snapshot.next().await] }
        });
        tokio::task::yield_now().await;
        snapshot.publish(Topic::BridgeState, b"gone".to_vec());
        snapshot.close();
        let last = Message::Ours(Topic::BridgeState, b"gone".to_vec());
        assert_eq!(waiting.await.unwrap(), [Some(last), None]);
    }

    #[tokio::test]
    async fn a_reader_gets_the_newest_of_what_guests_may_read_and_nothing_else() {
        let snapshot = Arc::<Snapshot>::default();
        snapshot.publish(board(TableNo::new(1)), b"one".to_vec());
        snapshot.publish(Topic::Alert("1-1-1".into()), b"open".to_vec());
        let mut reader = snapshot.reader(Feed::Live);
        assert_eq!(reader.changes().await, [(board(TableNo::new(1)), b"one".to_vec())]);
        snapshot.publish(Topic::Public(TableNo::new(1), TableTopic::Clock), b"later".to_vec());
        snapshot.publish(Topic::WatchList, b"short".to_vec());
        snapshot.publish(Topic::Table(TableNo::new(1), TableTopic::Event), b"lift".to_vec());
        snapshot.publish(board(TableNo::new(2)), b"old".to_vec());
        snapshot.publish(board(TableNo::new(2)), b"new".to_vec());
        snapshot.publish(board(TableNo::new(1)), Vec::new());
        let changes =
            [(board(TableNo::new(1)), Vec::new()), (board(TableNo::new(2)), b"new".to_vec())];
        assert_eq!(reader.changes().await, changes);
        assert!(snapshot.unseen(reader.number).is_empty());
    }

    #[tokio::test]
    async fn whoever_wakes_arbiters_reads_alerts_and_nothing_else() {
        let snapshot = Arc::<Snapshot>::default();
        let mut alerts = snapshot.alerts();
        snapshot.publish(board(TableNo::new(1)), b"one".to_vec());
        snapshot.publish(Topic::WatchList, b"short".to_vec());
        snapshot.publish(Topic::Alert("1-1-1".into()), b"open".to_vec());
        let alert = (Topic::Alert("1-1-1".into()), b"open".to_vec());
        assert_eq!(alerts.changes().await, [alert]);
    }

    #[tokio::test]
    async fn a_reader_of_the_delayed_copy_gets_it_alone_under_the_topics_of_the_hall() {
        let snapshot = Arc::<Snapshot>::default();
        let clock = |is_public: bool| match is_public {
            true => Topic::Public(TableNo::new(1), TableTopic::Clock),
            false => Topic::Table(TableNo::new(1), TableTopic::Clock),
        };
        snapshot.publish(clock(true), b"then".to_vec());
        snapshot.publish(clock(false), b"now".to_vec());
        let mut reader = snapshot.reader(Feed::Public);
        assert_eq!(reader.changes().await, [(clock(false), b"then".to_vec())]);
        snapshot.publish(Topic::BridgeInfo, b"now".to_vec());
        snapshot.publish(clock(false), b"now".to_vec());
        snapshot.publish(Topic::PublicInfo, b"then".to_vec());
        assert_eq!(reader.changes().await, [(Topic::BridgeInfo, b"then".to_vec())]);
    }

    #[test]
    fn events_keep_their_order_and_the_oldest_give_way() {
        let snapshot = Snapshot::default();
        let event = Topic::Table(TableNo::new(1), TableTopic::Event);
        for number in 0..=EVENTS_MAX {
            snapshot.publish(event.clone(), number.to_string().into_bytes());
        }
        let full = EVENTS_MAX as u64;
        let counts = Counts { dropped: 1, waiting: full, ..Counts::default() };
        assert_eq!(snapshot.counts(), counts);
        assert_eq!(snapshot.take(), Some(Message::Ours(event, b"1".to_vec())));
        snapshot.again();
        let counts = Counts { connected: true, handed: 1, waiting: full - 1, ..counts };
        assert_eq!(snapshot.counts(), counts);
        snapshot.away();
        assert!(!snapshot.counts().connected);
    }
}
