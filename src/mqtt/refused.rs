//! What the broker refuses: topics that it does not take from us, and filters that it does not let
//! us read. Monitoring and the pages show them with what to do; nothing else of the feed knows.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rumqttc_next::{PubAckReason, PublishNoticeError, SubscribeNoticeError, SubscribeReasonCode};

use super::topic;
use crate::time::{WallTime, wall_now};

/// The most topics that are kept. A broker that refuses more refuses nearly everything.
const TOPICS_MAX: usize = 1024;
/// The most of them that are listed.
const LISTED_MAX: usize = 5;

/// The reason of MQTT 5 for a message that is too long. The pages know it by this number.
const TOO_LONG: u8 = 149;

/// Why a topic is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The broker gave this reason to a publication.
    Publishing(PubAckReason),
    /// The broker keeps no retained messages.
    Retaining,
    /// The broker takes no messages of more than so many bytes.
    TooLong(usize),
    /// The broker gave this reason to a subscription.
    Reading(SubscribeReasonCode),
}

/// A topic that the broker refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refusal {
    why: Why,
    since: WallTime,
    /// Whether guests may know: which alerts there are is for arbiters.
    for_guests: bool,
}

/// Everything that the broker refuses at present.
#[derive(Debug, Default)]
pub struct Refused(Mutex<BTreeMap<String, Refusal>>);

impl Why {
    /// The reason of a publication that did not succeed; none: it was lost with its connection, or
    /// nobody reads it.
    pub(super) fn of(error: &PublishNoticeError) -> Option<Self> {
        match error {
            PublishNoticeError::V5PubAck(PubAckReason::NoMatchingSubscribers) => None,
            PublishNoticeError::V5PubAck(reason) => Some(Self::Publishing(*reason)),
            PublishNoticeError::RetainNotSupported => Some(Self::Retaining),
            _ => None,
        }
    }

    /// The reason of a subscription that did not succeed; none: it was lost with its connection.
    pub(super) fn of_reading(error: &SubscribeNoticeError) -> Option<Self> {
        match error {
            SubscribeNoticeError::V5SubAckFailure(reasons) => {
                reasons.first().copied().map(Self::Reading)
            }
            _ => None,
        }
    }

    /// What to do about it. `base` is the base of all topics.
    #[must_use]
    pub fn remedy(self, base: &str) -> String {
        match self {
            Self::Publishing(PubAckReason::NotAuthorized) => format!(
                "give the daemon's user there the right to publish {base}/#, or write [mqtt] base \
                 as its rights have it (docs/brokers.md)"
            ),
            Self::Publishing(PubAckReason::TopicNameInvalid) => {
                "write another [mqtt] base: the broker takes no such topic".to_owned()
            }
            Self::Publishing(PubAckReason::QuotaExceeded) => {
                "its quota is used up: let it take more from the daemon's user".to_owned()
            }
            Self::Publishing(_) => "its own log says why".to_owned(),
            Self::Retaining => "let it keep retained messages: screens live on them".to_owned(),
            Self::TooLong(_) => format!(
                "let it take messages of 1 MiB (max_packet_size and message_size_limit of \
                 Mosquitto); without {} no spare machine can go on (docs/spare.md)",
                topic::records(base)
            ),
            Self::Reading(_) => format!(
                "give the daemon's user there the right to read {} and {}, or no request of an \
                 arbiter arrives (docs/brokers.md)",
                topic::requests(base),
                topic::public(base)
            ),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (doing, words, code) = match self {
            Self::TooLong(limit) => {
                let words = "it takes no message of more than";
                return write!(f, "publishing: {words} about {limit} bytes (reason {TOO_LONG})");
            }
            Self::Publishing(reason) => ("publishing", words(*reason), *reason as u8),
            Self::Retaining => ("publishing", "it keeps no retained messages", 154),
            Self::Reading(SubscribeReasonCode::NotAuthorized) => ("reading", "not authorised", 135),
            Self::Reading(_) => ("reading", "it takes no such filter", 143),
        };
        write!(f, "{doing}: {words} (reason {code})")
    }
}

/// A reason of MQTT 5 in words.
const fn words(reason: PubAckReason) -> &'static str {
    match reason {
        PubAckReason::NotAuthorized => "not authorised",
        PubAckReason::TopicNameInvalid => "no good name of a topic",
        PubAckReason::QuotaExceeded => "a quota is used up",
        PubAckReason::PacketIdentifierInUse => "a number is in use",
        PubAckReason::PayloadFormatInvalid => "no good payload",
        PubAckReason::ImplementationSpecificError => "for a reason of its own",
        _ => "for no reason that it gives",
    }
}

impl Refused {
    /// Notes that a topic is refused. Returns whether it is the first one, which is worth a line
    /// in the log.
    pub fn note(&self, topic: &str, why: Why, for_guests: bool) -> bool {
        let mut all = self.lock();
        let (first, full) = (all.is_empty(), all.len() >= TOPICS_MAX);
        match all.get_mut(topic) {
            Some(refusal) => refusal.why = why,
            None if full => {}
            None => {
                all.insert(topic.to_owned(), Refusal { why, since: wall_now(), for_guests });
            }
        }
        first
    }

    /// Notes that a topic is taken.
    pub fn taken(&self, topic: &str) {
        let mut all = self.lock();
        if !all.is_empty() {
            all.remove(topic);
        }
    }

    /// Forgets all of them: a new connection shows what holds now.
    pub fn forget(&self) {
        self.lock().clear();
    }

    /// How many topics are refused, of those that a guest may know or of all.
    #[must_use]
    pub fn count(&self, all: bool) -> usize {
        self.lock().values().filter(|it| all || it.for_guests).count()
    }

    /// The first topics, one a line, with since when, why and what to do; of those that a guest may
    /// know, or of all.
    #[must_use]
    pub fn lines(&self, base: &str, all: bool) -> Vec<String> {
        let kept = self.lock();
        let mut shown = kept.iter().filter(|(_, it)| all || it.for_guests);
        let line = |(topic, it): (&String, &Refusal)| {
            let (since, remedy) = (it.since.rfc3339(), it.why.remedy(base));
            format!("{topic} since {since}: {}; {remedy}", it.why)
        };
        let mut lines: Vec<_> = shown.by_ref().take(LISTED_MAX).map(line).collect();
        match shown.count() {
            0 => {}
            more => lines.push(format!("{more} more topics")),
        }
        lines
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Refusal>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENIED: Why = Why::Publishing(PubAckReason::NotAuthorized);

    #[test]
    fn each_topic_is_listed_with_its_reason_and_what_to_do_until_it_is_taken() {
        let refused = Refused::default();
        let quota = Why::Publishing(PubAckReason::QuotaExceeded);
        assert!(refused.note("liege/v1/bridge/info", DENIED, true));
        assert!(!refused.note("liege/v1/bridge/info", DENIED, true), "it is known");
        assert!(!refused.note("liege/v1/table/1/game", quota, true));
        let lines = refused.lines("liege", true);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("liege/v1/bridge/info since 20"), "{lines:?}");
        assert!(lines[0].contains("publishing: not authorised (reason 135); give"), "{lines:?}");
        assert!(lines[0].contains("the right to publish liege/#"), "{lines:?}");
        assert!(lines[1].contains("(reason 151); its quota is used up"), "{lines:?}");
        refused.taken("liege/v1/bridge/info");
        assert_eq!(refused.count(true), 1);
        refused.forget();
        assert!(refused.lines("liege", true).is_empty());
    }

    #[test]
    fn guests_do_not_learn_that_there_is_an_alert() {
        let refused = Refused::default();
        refused.note("a/v1/alert/1-1-1", DENIED, false);
        assert_eq!((refused.count(false), refused.count(true)), (0, 1));
        assert!(refused.lines("a", false).is_empty());
        assert_eq!(refused.lines("a", true).len(), 1);
    }

    #[test]
    fn many_are_counted_and_no_more_are_kept_than_there_is_room_for() {
        let refused = Refused::default();
        for table in 0..2 * TOPICS_MAX {
            refused.note(&format!("a/v1/table/{table}/game"), DENIED, true);
        }
        assert_eq!(refused.count(true), TOPICS_MAX);
        let lines = refused.lines("a", true);
        assert_eq!(lines.len(), LISTED_MAX + 1);
        assert_eq!(lines[LISTED_MAX], format!("{} more topics", TOPICS_MAX - LISTED_MAX));
    }

    #[test]
    fn what_was_lost_or_is_read_by_nobody_is_no_refusal() {
        let nobody = PublishNoticeError::V5PubAck(PubAckReason::NoMatchingSubscribers);
        assert_eq!(Why::of(&nobody), None);
        assert_eq!(Why::of(&PublishNoticeError::SessionReset), None);
        let denied = PublishNoticeError::V5PubAck(PubAckReason::NotAuthorized);
        assert_eq!(Why::of(&denied), Some(DENIED));
        assert_eq!(Why::of(&PublishNoticeError::RetainNotSupported), Some(Why::Retaining));
    }
}
