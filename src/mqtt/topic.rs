//! Every topic of the feed, as a type. No other file contains a topic string.

use std::fmt;

use witness::TableNo;

/// The topics of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableTopic {
    /// The device.
    Device,
    /// The squares of the board.
    Board,
    /// The position for a screen.
    Position,
    /// The whole score.
    Game,
    /// The clock.
    Clock,
    /// The score as PGN.
    Pgn,
    /// Everything that happens, for the present subscribers.
    Event,
}

impl TableTopic {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Device,
        Self::Board,
        Self::Position,
        Self::Game,
        Self::Clock,
        Self::Pgn,
        Self::Event,
    ];

    /// The topics that the delayed copy has too.
    pub const PUBLIC: [Self; 5] =
        [Self::Device, Self::Position, Self::Game, Self::Clock, Self::Pgn];

    const fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Board => "board",
            Self::Position => "position",
            Self::Game => "game",
            Self::Clock => "clock",
            Self::Pgn => "pgn",
            Self::Event => "event",
        }
    }
}

/// A piece of the record that stands on the broker, for another machine that may go on with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordTopic {
    /// What a checkpoint is made of.
    Head(Slot),
    /// A part of a checkpoint.
    Part(Slot, u32),
    /// The records after a checkpoint, block by block.
    Tail(u32),
}

/// Two checkpoints take turns, so that one is always whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// The first one.
    #[default]
    A,
    /// The second one.
    B,
}

impl Slot {
    /// Both.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }
}

impl fmt::Display for RecordTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head(slot) => write!(f, "record/head/{}", slot.name()),
            Self::Part(slot, number) => write!(f, "record/part/{}/{number}", slot.name()),
            Self::Tail(number) => write!(f, "record/tail/{number}"),
        }
    }
}

/// A topic, without the base of the hall.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Whether the daemon is running.
    BridgeState,
    /// The daemon, its event and its tables.
    BridgeInfo,
    /// A topic of one table.
    Table(TableNo, TableTopic),
    /// The event, and the delay of the public copy.
    PublicInfo,
    /// A topic of one table in the delayed copy.
    Public(TableNo, TableTopic),
    /// The players who are short of time, for arbiters.
    WatchList,
    /// The boards without a table, for arbiters.
    Unseated,
    /// The illegal moves and penalties of a table, for arbiters.
    Ledger(TableNo),
    /// The time sheet of a table, for arbiters.
    TimeSheet(TableNo),
    /// Every line and board, for organizers.
    SetupBoards,
    /// The keys of the event, for organizers.
    SetupEvent,
    /// A white king that was lifted at any board, for organizers.
    SetupLift,
    /// A piece of the record, for other machines of the hall.
    Record(RecordTopic),
    /// An open alert, for arbiters.
    Alert(String),
    /// The answer to a request with this verb.
    Response(String),
}

impl Topic {
    /// Whether the broker retains it.
    #[must_use]
    pub const fn retained(&self) -> bool {
        !matches!(self, Self::Table(_, TableTopic::Event) | Self::Response(_) | Self::SetupLift)
    }

    /// Whether guests may read it in an open hall.
    #[must_use]
    pub const fn for_guests(&self) -> bool {
        matches!(self, Self::BridgeState | Self::BridgeInfo | Self::Table(..)) || self.is_public()
    }

    /// Whether it is a topic of the delayed copy.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        matches!(self, Self::PublicInfo | Self::Public(..))
    }

    /// The topic of the hall that this one copies. A topic of the hall is its own original.
    #[must_use]
    pub fn original(self) -> Self {
        match self {
            Self::PublicInfo => Self::BridgeInfo,
            Self::Public(table, topic) => Self::Table(table, topic),
            other => other,
        }
    }

    /// The topic as text, under the base of a hall.
    #[must_use]
    pub fn under(&self, base: &str) -> String {
        format!("{base}/v1/{self}")
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BridgeState => f.write_str("bridge/state"),
            Self::BridgeInfo => f.write_str("bridge/info"),
            Self::Table(number, topic) => write!(f, "table/{number}/{}", topic.name()),
            Self::PublicInfo => f.write_str("public/info"),
            Self::Public(number, topic) => write!(f, "public/table/{number}/{}", topic.name()),
            Self::WatchList => f.write_str("arbiter/watch_list"),
            Self::Unseated => f.write_str("arbiter/unseated"),
            Self::Ledger(number) => write!(f, "arbiter/ledger/{number}"),
            Self::TimeSheet(number) => write!(f, "arbiter/time_sheet/{number}"),
            Self::SetupBoards => f.write_str("setup/boards"),
            Self::SetupEvent => f.write_str("setup/event"),
            Self::SetupLift => f.write_str("setup/lift"),
            Self::Record(topic) => write!(f, "{topic}"),
            Self::Alert(id) => write!(f, "alert/{id}"),
            Self::Response(verb) => write!(f, "response/{verb}"),
        }
    }
}

/// The filter of all topics of the delayed copy.
#[must_use]
pub fn public(base: &str) -> String {
    format!("{base}/v1/public/#")
}

/// Parses a topic of the delayed copy.
#[must_use]
pub fn read_public(base: &str, topic: &str) -> Option<Topic> {
    let rest = topic.strip_prefix(base)?.strip_prefix("/v1/public/")?;
    if rest == "info" {
        return Some(Topic::PublicInfo);
    }
    let (table, name) = rest.strip_prefix("table/")?.split_once('/')?;
    let known = TableTopic::PUBLIC.into_iter().find(|it| it.name() == name)?;
    Some(Topic::Public(table.parse().ok()?, known))
}

/// The filter of all pieces of the record.
#[must_use]
pub fn records(base: &str) -> String {
    format!("{base}/v1/record/#")
}

/// Parses a topic of the record.
#[must_use]
pub fn read_record(base: &str, topic: &str) -> Option<RecordTopic> {
    let rest = topic.strip_prefix(base)?.strip_prefix("/v1/record/")?;
    let slot = |name: &str| Slot::ALL.into_iter().find(|it| it.name() == name);
    match rest.split('/').collect::<Vec<_>>()[..] {
        ["head", name] => slot(name).map(RecordTopic::Head),
        ["part", name, number] => Some(RecordTopic::Part(slot(name)?, number.parse().ok()?)),
        ["tail", number] => Some(RecordTopic::Tail(number.parse().ok()?)),
        _ => None,
    }
}

/// The topic of the message that asks whether a broker keeps what is retained.
#[must_use]
pub fn probe(base: &str) -> String {
    format!("{base}/v1/bridge/probe")
}

/// A filter with a wildcard that takes in the probe.
#[must_use]
pub fn probes(base: &str) -> String {
    format!("{base}/v1/bridge/+")
}

/// The filter of all requests to a hall.
#[must_use]
pub fn requests(base: &str) -> String {
    format!("{base}/v1/request/+")
}

/// The verb in the topic of a request.
#[must_use]
pub fn verb<'a>(base: &str, topic: &'a str) -> Option<&'a str> {
    topic.strip_prefix(base)?.strip_prefix("/v1/request/").filter(|verb| !verb.contains('/'))
}

/// Whether this is a topic of answers.
#[must_use]
pub fn response_place(base: &str, topic: &str) -> bool {
    let rest = topic.strip_prefix(base).and_then(|rest| rest.strip_prefix("/v1/response/"));
    rest.is_some_and(|rest| !rest.is_empty())
}

/// The filters that guests may read.
#[must_use]
pub fn guest_filters(base: &str, tables: bool) -> Vec<String> {
    let mut filters = vec![format!("{base}/v1/bridge/#"), public(base)];
    if tables {
        filters.push(format!("{base}/v1/table/#"));
    }
    filters
}

/// The filter to which an arbiter may publish.
#[must_use]
pub fn arbiter_filter(base: &str) -> String {
    format!("{base}/v1/request/#")
}

/// Whether this topic is read, or this request made, by organizers only.
#[must_use]
pub fn is_for_organizers(base: &str, topic: &str) -> bool {
    let rest = topic.strip_prefix(base).and_then(|rest| rest.strip_prefix("/v1/"));
    rest.is_some_and(|rest| rest.starts_with("setup/") || rest == "request/configure")
}

/// The filter of all topics of a hall.
#[must_use]
pub fn everything(base: &str) -> String {
    format!("{base}/v1/#")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_those_of_the_contract() {
        let board = Topic::Table(TableNo::new(3), TableTopic::Board);
        assert_eq!(board.under("adoubed"), "adoubed/v1/table/3/board");
        assert_eq!(Topic::Alert("3-1-2".into()).under("open"), "open/v1/alert/3-1-2");
        assert_eq!(Topic::BridgeState.under("a"), "a/v1/bridge/state");
        assert_eq!(Topic::PublicInfo.under("a"), "a/v1/public/info");
        let public = Topic::Public(TableNo::new(3), TableTopic::Clock);
        assert_eq!(public.under("a"), "a/v1/public/table/3/clock");
        assert_eq!(read_public("a", "a/v1/public/table/3/clock"), Some(public.clone()));
        assert_eq!(read_public("a", "a/v1/public/info"), Some(Topic::PublicInfo));
        for other in ["a/v1/table/3/clock", "a/v1/public/table/3/board", "b/v1/public/info"] {
            assert_eq!(read_public("a", other), None);
        }
        assert_eq!(public.original(), Topic::Table(TableNo::new(3), TableTopic::Clock));
        assert_eq!(Topic::WatchList.under("a"), "a/v1/arbiter/watch_list");
        assert_eq!(Topic::Ledger(TableNo::new(3)).under("a"), "a/v1/arbiter/ledger/3");
        assert_eq!(Topic::TimeSheet(TableNo::new(3)).under("a"), "a/v1/arbiter/time_sheet/3");
        assert!(
            board.retained()
                && Topic::WatchList.retained()
                && Topic::Ledger(TableNo::new(3)).retained()
        );
        assert!(!Topic::Table(TableNo::new(3), TableTopic::Event).retained());
    }

    #[test]
    fn pieces_of_the_record_are_read_as_they_are_written() {
        let pieces =
            [RecordTopic::Head(Slot::B), RecordTopic::Part(Slot::A, 12), RecordTopic::Tail(7)];
        for piece in pieces {
            let topic = Topic::Record(piece).under("a/b");
            assert_eq!(read_record("a/b", &topic), Some(piece));
            assert!(topic.starts_with(records("a/b").trim_end_matches('#')));
        }
        for other in
            ["a/v1/record/head/c", "a/v1/record/tail/x", "a/v1/record/tail", "b/v1/record/tail/1"]
        {
            assert_eq!(read_record("a", other), None);
        }
    }

    #[test]
    fn guests_have_no_filter_for_what_is_meant_for_arbiters() {
        let guests = guest_filters("a", true);
        for topic in [
            Topic::WatchList,
            Topic::Ledger(TableNo::new(1)),
            Topic::TimeSheet(TableNo::new(1)),
            Topic::Alert("1-1-1".into()),
            Topic::Record(RecordTopic::Tail(1)),
        ]
        .into_iter()
        .chain([Topic::Unseated])
        {
            let topic = topic.under("a");
            let may_read = |filter: &String| topic.starts_with(filter.trim_end_matches('#'));
            assert!(!guests.iter().any(may_read), "{topic}");
        }
    }

    #[test]
    fn what_outlets_may_show_is_what_guests_may_read() {
        let guests = guest_filters("a", true);
        let tables = TableTopic::ALL.into_iter().map(|topic| Topic::Table(TableNo::new(7), topic));
        let others = [
            Topic::BridgeState,
            Topic::BridgeInfo,
            Topic::PublicInfo,
            Topic::Public(TableNo::new(7), TableTopic::Clock),
            Topic::WatchList,
            Topic::Unseated,
            Topic::Ledger(TableNo::new(1)),
            Topic::TimeSheet(TableNo::new(1)),
            Topic::SetupBoards,
            Topic::SetupEvent,
            Topic::SetupLift,
            Topic::Record(RecordTopic::Head(Slot::A)),
            Topic::Alert("1-1-1".into()),
            Topic::Response("rule".into()),
        ];
        for topic in tables.chain(others) {
            let name = topic.under("a");
            let may_read = |filter: &String| name.starts_with(filter.trim_end_matches('#'));
            assert_eq!(topic.for_guests(), guests.iter().any(may_read), "{name}");
        }
    }

    #[test]
    fn a_verb_is_found_only_under_its_own_base() {
        assert_eq!(verb("adoubed", "adoubed/v1/request/rule"), Some("rule"));
        assert_eq!(verb("adoubed", "other/v1/request/rule"), None);
        assert_eq!(verb("adoubed", "adoubed/v1/request/rule/x"), None);
    }
}
