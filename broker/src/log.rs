//! What was published, in order: the newest version of every retained topic, and of everything
//! else the last few megabytes. It knows no client.
//!
//! Clients have no queues. Each has a place in this log and reads on from there when it can. A
//! retained topic stands in the log once, at its newest version: whoever is slow misses versions
//! in between, and costs nothing while he is.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use crate::limits;
use crate::message::Message;

/// A place in the log. What was published later has a greater one.
pub(crate) type Place = u64;

#[derive(Default)]
pub(crate) struct Log {
    newest: Place,
    entries: BTreeMap<Place, Arc<Message>>,
    /// Where the newest version of each retained topic stands.
    retained: BTreeMap<Arc<str>, Place>,
    /// What of it is the host's, and what everybody else's: nobody takes the host's room.
    host: Room,
    others: Room,
    /// Where the clearings of topics stand, and the other way round.
    cleared: BTreeMap<Arc<str>, Place>,
    clearings: BTreeMap<Place, Arc<str>>,
    /// Where the messages stand that are not retained.
    passing: VecDeque<Place>,
    passing_bytes: usize,
    /// The last clearing that was forgotten: who has not read so far may believe in what is gone.
    forgotten: Place,
}

/// What retained messages take.
#[derive(Clone, Copy, Default)]
struct Room {
    messages: usize,
    bytes: usize,
}

impl Room {
    const HOST: Self = Self { messages: usize::MAX, bytes: limits::HOST_RETAINED_BYTES };
    const OTHERS: Self =
        Self { messages: limits::RETAINED_MESSAGES, bytes: limits::RETAINED_BYTES };

    fn add(&mut self, message: &Message) {
        self.messages += 1;
        self.bytes += message.bytes();
    }

    fn remove(&mut self, message: &Message) {
        self.messages -= 1;
        self.bytes -= message.bytes();
    }

    fn exceeds(&self, most: Self) -> bool {
        self.messages > most.messages || self.bytes > most.bytes
    }
}

/// There is no room for another retained message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Log {
    pub(crate) fn newest(&self) -> Place {
        self.newest
    }

    /// Topics that hold a retained message.
    pub(crate) fn retained(&self) -> usize {
        self.retained.len()
    }

    /// Whether somebody who has read to here can still be told all that changed.
    pub(crate) fn reaches_back_to(&self, place: Place) -> bool {
        place >= self.forgotten
    }

    /// Appends a message.
    pub(crate) fn append(&mut self, message: Message) -> Result<(), Full> {
        let (bytes, message) = (message.bytes(), Arc::new(message));
        let kept = message.retain && !message.clears();
        if kept && self.is_full_for(&message) {
            return Err(Full);
        }
        self.newest += 1;
        if message.clears() && self.may_stand_somewhere(&message.topic) {
            self.supersede(&message.topic);
            self.cleared.insert(Arc::clone(&message.topic), self.newest);
            self.clearings.insert(self.newest, Arc::clone(&message.topic));
            self.forget_clearings();
        } else if kept {
            self.supersede(&message.topic);
            self.retained.insert(Arc::clone(&message.topic), self.newest);
            self.room(message.of_host).add(&message);
        } else {
            // Whoever clears what is not there tells those who listen: nobody has to know later.
            self.passing.push_back(self.newest);
            self.passing_bytes += bytes;
        }
        self.entries.insert(self.newest, message);
        self.forget_passing();
        Ok(())
    }

    /// What stands behind a place.
    pub(crate) fn after(&self, place: Place) -> impl Iterator<Item = (Place, &Arc<Message>)> {
        let rest = (Bound::Excluded(place), Bound::Unbounded);
        self.entries.range(rest).map(|(place, message)| (*place, message))
    }

    /// Retained messages in the order of their topics, behind a topic, of topics that begin so.
    pub(crate) fn retained_after<'a>(
        &'a self,
        topic: Option<&str>,
        prefix: &'a str,
    ) -> impl Iterator<Item = (Place, &'a Arc<Message>)> {
        let from = match topic {
            Some(topic) => Bound::Excluded(topic),
            None => Bound::Included(prefix),
        };
        let rest = self.retained.range::<str, _>((from, Bound::Unbounded));
        rest.take_while(move |(topic, _)| topic.starts_with(prefix))
            .filter_map(|(_, place)| Some((*place, self.entries.get(place)?)))
    }

    /// Whether there is no room for this in place of what stands of its topic.
    fn is_full_for(&self, message: &Message) -> bool {
        let (mut room, most) = match message.of_host {
            true => (self.host, Room::HOST),
            false => (self.others, Room::OTHERS),
        };
        let earlier = self.retained.get(&message.topic).and_then(|at| self.entries.get(at));
        if let Some(earlier) = earlier.filter(|it| it.of_host == message.of_host) {
            room.remove(earlier);
        }
        room.add(message);
        room.exceeds(most)
    }

    fn room(&mut self, of_host: bool) -> &mut Room {
        if of_host { &mut self.host } else { &mut self.others }
    }

    /// Whether somebody may still believe in a message of this topic.
    fn may_stand_somewhere(&self, topic: &str) -> bool {
        self.retained.contains_key(topic) || self.cleared.contains_key(topic)
    }

    /// Takes away what stands of this topic.
    fn supersede(&mut self, topic: &str) {
        if let Some(place) = self.retained.remove(topic)
            && let Some(message) = self.entries.remove(&place)
        {
            self.room(message.of_host).remove(&message);
        }
        if let Some(place) = self.cleared.remove(topic) {
            self.clearings.remove(&place);
            self.entries.remove(&place);
        }
    }

    fn forget_clearings(&mut self) {
        while self.cleared.len() > limits::CLEARED_TOPICS
            && let Some((place, topic)) = self.clearings.pop_first()
        {
            self.cleared.remove(&topic);
            self.entries.remove(&place);
            self.forgotten = place;
        }
    }

    fn forget_passing(&mut self) {
        while self.passing_bytes > limits::PASSING_BYTES
            && let Some(place) = self.passing.pop_front()
        {
            if let Some(message) = self.entries.remove(&place) {
                self.passing_bytes -= message.bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(log: &Log, place: Place) -> Vec<String> {
        let messages = log.after(place).map(|(_, message)| {
            let payload = String::from_utf8_lossy(message.payload.as_slice()).into_owned();
            format!("{}={payload}", message.topic)
        });
        messages.collect()
    }

    #[test]
    fn a_retained_topic_stands_there_once_and_what_passes_in_order() {
        let mut log = Log::default();
        for (topic, payload, retain) in [
            ("a", "1", true),
            ("event", "x", false),
            ("b", "1", true),
            ("a", "2", true),
            ("event", "y", false),
            ("a", "3", true),
        ] {
            log.append(Message::of_daemon(topic, payload.as_bytes(), retain)).unwrap();
        }
        assert_eq!(read(&log, 0), ["event=x", "b=1", "event=y", "a=3"]);
        assert_eq!(read(&log, 4), ["event=y", "a=3"]);
        assert_eq!((log.retained(), log.newest()), (2, 6));
    }

    #[test]
    fn a_cleared_topic_is_told_to_the_slow_and_gone_for_the_new() {
        let mut log = Log::default();
        log.append(Message::of_daemon("alert", b"open", true)).unwrap();
        log.append(Message::of_daemon("alert", b"", true)).unwrap();
        assert_eq!(read(&log, 0), ["alert="]);
        assert_eq!(log.retained_after(None, "").count(), 0);
        log.append(Message::of_daemon("alert", b"again", true)).unwrap();
        assert_eq!(read(&log, 0), ["alert=again"]);
        assert_eq!(log.retained(), 1);
    }

    #[test]
    fn who_misses_a_clearing_is_known() {
        let mut log = Log::default();
        for number in 0..=limits::CLEARED_TOPICS {
            log.append(Message::of_daemon(&number.to_string(), b"x", true)).unwrap();
            log.append(Message::of_daemon(&number.to_string(), b"", true)).unwrap();
        }
        assert!(!log.reaches_back_to(1) && log.reaches_back_to(2));
    }

    #[test]
    fn what_passes_has_a_bound_and_what_is_retained_stays() {
        let mut log = Log::default();
        log.append(Message::of_daemon("state", b"kept", true)).unwrap();
        let long = vec![b'x'; 1 << 20];
        for _ in 0..100 {
            log.append(Message::of_daemon("event", &long, false)).unwrap();
        }
        assert!(log.passing_bytes <= limits::PASSING_BYTES);
        assert_eq!(log.passing_bytes, log.after(1).map(|(_, it)| it.bytes()).sum::<usize>());
        assert_eq!(read(&log, 0)[0], "state=kept");
        assert!(log.reaches_back_to(0), "events may be missed");
    }

    #[test]
    fn clearing_what_is_not_there_is_told_and_forgotten() {
        let mut log = Log::default();
        log.append(Message::of_daemon("state", b"kept", true)).unwrap();
        for number in 0..=limits::CLEARED_TOPICS {
            log.append(Message::of_daemon(&number.to_string(), b"", true)).unwrap();
        }
        assert!(log.reaches_back_to(0), "nobody has missed anything");
        assert_eq!(read(&log, log.newest() - 1), [format!("{}=", limits::CLEARED_TOPICS)]);
    }

    #[test]
    fn nobody_takes_the_room_of_what_the_host_retains() {
        let of_arbiter = |topic: &str, payload: &[u8]| Message {
            of_host: false,
            ..Message::of_daemon(topic, payload, true)
        };
        let mut log = Log::default();
        let mut taken = 0;
        while log.append(of_arbiter(&format!("request/{taken}"), b"x")).is_ok() {
            taken += 1;
        }
        assert_eq!(taken, limits::RETAINED_MESSAGES);
        assert!(log.append(of_arbiter("request/0", b"again")).is_ok());
        let tables = 100_000;
        for number in 0..tables {
            log.append(Message::of_daemon(&format!("alert/{number}"), b"open", true)).unwrap();
        }
        assert_eq!(log.retained(), tables + limits::RETAINED_MESSAGES);
        assert_eq!(log.append(of_arbiter("request/more", b"x")), Err(Full));
        log.append(of_arbiter("request/0", b"")).unwrap();
        assert_eq!(
            log.append(of_arbiter("request/more", &vec![0; limits::RETAINED_BYTES])),
            Err(Full)
        );
        log.append(of_arbiter("request/more", b"x")).unwrap();
        // What the host writes over is the host's from then on.
        log.append(Message::of_daemon("request/more", b"x", true)).unwrap();
        log.append(of_arbiter("request/yet another", b"x")).unwrap();
        assert_eq!(log.append(of_arbiter("request/one too many", b"x")), Err(Full));
    }

    #[test]
    fn retained_topics_have_a_bound() {
        let mut log = Log::default();
        let long = vec![b'x'; 1 << 20];
        let mut taken = 0;
        while log.append(Message::of_daemon(&taken.to_string(), &long, true)).is_ok() {
            taken += 1;
        }
        assert!(taken < 256);
        assert!(
            log.append(Message::of_daemon("0", b"short", true)).is_ok(),
            "it takes less than before"
        );
        assert!(log.append(Message::of_daemon("event", b"x", false)).is_ok());
        log.append(Message::of_daemon("1", b"", true)).unwrap();
        assert!(log.append(Message::of_daemon("new", &long, true)).is_ok());
    }

    #[test]
    fn retained_topics_are_read_from_a_topic_on() {
        let mut log = Log::default();
        for topic in ["b", "a/1", "a/2", "a", "c"] {
            log.append(Message::of_daemon(topic, b"x", true)).unwrap();
        }
        let topics = |after, prefix| -> Vec<String> {
            log.retained_after(after, prefix).map(|(_, it)| it.topic.to_string()).collect()
        };
        assert_eq!(topics(None, ""), ["a", "a/1", "a/2", "b", "c"]);
        assert_eq!(topics(Some("a/1"), "a/"), ["a/2"]);
        assert_eq!(topics(None, "a/"), ["a/1", "a/2"]);
    }
}
