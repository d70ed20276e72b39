//! Whose turn it is to speak for a hall. Decides from what the broker says and from time alone.

use std::time::Duration;

use eboard::Moment;

use crate::mqtt::speaker::{Machine, Speaker, Spoken};

/// How long what is retained may take to come, and a claim to be seen by all.
const SETTLES: Duration = Duration::from_secs(2);
/// How long the first machine looks for the broker when it starts. Then it follows its boards
/// without one: nobody hears it, and nothing is lost.
const ALONE: Duration = Duration::from_secs(15);
/// How long a machine has to be gone. Its service is restarted in less.
const GONE: Duration = Duration::from_secs(6);
/// How long a machine may say nothing. It says that it is there every half minute, and the broker
/// mostly notices earlier that it is gone.
const LEASE: Duration = Duration::from_secs(90);
/// How long a machine that hears nothing at all believes its subscription. A cluster that has lost
/// a node may answer one and send nothing; the next one is served.
const DEAF: Duration = Duration::from_secs(60);
/// How long a machine that has connected anew waits for the one that fell silent: longer than from
/// one word of it to the next.
const LAST_WORD: Duration = Duration::from_secs(40);

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub enum Turn {
    /// Wait.
    Wait(Why),
    /// Connect anew.
    Listen,
    /// Say that it is the turn of this machine.
    Claim,
    /// It is.
    Own(Speaker),
}

/// Why a machine waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The broker is not there, or has not answered yet.
    Broker,
    /// This machine speaks.
    Speaks(String),
    /// This machine is gone, and nothing is plugged in here.
    NoLines(String),
    /// This machine is gone, and may come back at once.
    JustGone(String),
    /// Nobody has spoken yet.
    Nobody,
}

impl Why {
    /// As a line of the log.
    pub fn text(&self, own: &str) -> String {
        match self {
            Self::Broker => format!("{own} looks for the broker"),
            Self::Speaks(other) if other == own => {
                format!("{own} waits: another machine called {own} speaks for this hall")
            }
            Self::Speaks(other) => format!("{own} waits: {other} speaks for this hall"),
            Self::JustGone(other) => format!("{own} waits whether {other} comes back"),
            Self::NoLines(other) => {
                format!("{own} waits: {other} is gone; plug its boards in here to go on")
            }
            Self::Nobody => {
                format!("{own} waits: nobody has spoken yet, and it is the spare machine")
            }
        }
    }
}

/// What a machine that waits knows.
pub struct Watch {
    own: String,
    spare: bool,
    /// When the broker had answered.
    subscribed: Option<Moment>,
    /// When it had answered for the first time.
    listens: Option<Moment>,
    state: Option<Spoken>,
    /// Whether it is that of an earlier run of this machine, which has ended whatever it says.
    own_state: bool,
    /// Since when the state is so.
    since: Moment,
    /// When the one that speaks was heard last.
    heard: Moment,
    /// When the last piece of a record came.
    recorded: Moment,
    /// Who spoke last, but for claims of this run, and whether it was this machine.
    last: Option<(String, bool)>,
    /// The highest term.
    term: u64,
    claim: Option<(Moment, Speaker)>,
    /// This machine has connected anew because it heard nothing: perhaps it was deaf itself.
    doubted: bool,
    /// Another machine has spoken since the start.
    waited: bool,
}

impl Watch {
    pub fn new(own: &str, spare: bool) -> Self {
        Self {
            own: own.to_owned(),
            spare,
            subscribed: None,
            listens: None,
            state: None,
            own_state: false,
            since: Moment::ZERO,
            heard: Moment::ZERO,
            recorded: Moment::ZERO,
            last: None,
            term: 0,
            claim: None,
            doubted: false,
            waited: false,
        }
    }

    /// The highest term so far.
    pub const fn term(&self) -> u64 {
        self.term
    }

    pub fn subscribed(&mut self, now: Moment) {
        self.subscribed = Some(now);
        self.listens = self.listens.or(self.subscribed);
        // Nobody could be heard meanwhile.
        self.heard = now;
        self.since = now;
    }

    pub fn away(&mut self) {
        self.subscribed = None;
        self.claim = None;
    }

    /// The retained state has changed. `own`: to that of an earlier run of this machine.
    pub fn spoken(&mut self, now: Moment, spoken: Option<Spoken>, own: bool) {
        let claimed = self.claim.as_ref().map(|(_, speaker)| &speaker.boot);
        if let Some(spoken) = &spoken
            && Some(&spoken.speaker.boot) != claimed
        {
            self.last = Some((spoken.speaker.name().to_owned(), own));
        }
        self.term = self.term.max(spoken.as_ref().map_or(0, |it| it.speaker.term()));
        // What is retained comes again with every connection, whether anybody is there or not.
        let news = self.state != spoken;
        (self.state, self.own_state) = (spoken, own);
        self.since = now;
        self.heard = now;
        if news {
            self.doubted = false;
        }
    }

    /// The one that speaks says that it is there.
    pub fn alive(&mut self, now: Moment) {
        self.heard = now;
        self.doubted = false;
    }

    /// A piece of a record has come.
    pub fn recorded(&mut self, now: Moment) {
        self.recorded = now;
    }

    /// This machine says that it speaks.
    pub fn claims(&mut self, now: Moment, speaker: Speaker) {
        self.claim = Some((now, speaker));
    }

    /// This machine, before anybody else has been heard. Whoever has a higher term is right.
    fn speaker(&self, boot: &str) -> Speaker {
        let machine = Some(Machine { name: self.own.clone(), term: self.term + 1 });
        Speaker { boot: boot.to_owned(), machine }
    }

    pub fn look(&mut self, now: Moment, boot: &str, has_lines: impl Fn() -> bool) -> Turn {
        let Some(subscribed) = self.subscribed else {
            let first = !self.spare && !self.waited && self.state.is_none();
            let alone = first && now.since(Moment::ZERO) >= ALONE;
            return if alone { Turn::Own(self.speaker(boot)) } else { Turn::Wait(Why::Broker) };
        };
        if let Some((at, speaker)) = &self.claim {
            if now.since(*at) < SETTLES || now.since(self.recorded) < SETTLES {
                return Turn::Wait(Why::Broker);
            }
            let seen = self.state.as_ref().is_some_and(|it| it.speaker.boot == boot);
            // Whoever is connected hears its own claim, or that of another one.
            let deaf = self.heard < *at;
            let speaker = speaker.clone();
            self.claim = None;
            if seen {
                return Turn::Own(speaker);
            }
            if deaf {
                return Turn::Listen;
            }
        }
        if now.since(subscribed) < SETTLES {
            return Turn::Wait(Why::Broker);
        }
        // By its run, not by its name: two machines may have been given the same.
        let other = self.state.as_ref().filter(|it| it.speaker.boot != boot && !self.own_state);
        if let Some(other) = other.filter(|it| it.online) {
            let lease = if self.doubted { LAST_WORD } else { LEASE };
            if now.since(self.heard) < lease {
                self.waited = true;
                return Turn::Wait(Why::Speaks(other.speaker.name().to_owned()));
            }
            // It may be this machine that hears nothing any more.
            if !std::mem::replace(&mut self.doubted, true) {
                return Turn::Listen;
            }
        }
        if self.state.is_none() && now.since(subscribed) >= DEAF {
            return Turn::Listen;
        }
        // What the last one has recorded may still be on its way.
        if now.since(self.recorded) < SETTLES {
            return Turn::Wait(Why::Broker);
        }
        // The first one, or the one that was restarted.
        if !self.spare && !self.waited {
            return Turn::Claim;
        }
        let Some((last, own)) = self.last.clone() else {
            // Where the broker has lost everything, boards still say who is wanted.
            let listens = self.listens.unwrap_or(subscribed);
            let wanted = now.since(listens) >= LEASE && has_lines();
            return if wanted { Turn::Claim } else { Turn::Wait(Why::Nobody) };
        };
        if own {
            return Turn::Claim;
        }
        if now.since(self.since) < GONE {
            return Turn::Wait(Why::JustGone(last));
        }
        if has_lines() { Turn::Claim } else { Turn::Wait(Why::NoLines(last)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u64) -> Moment {
        Moment::ZERO + Duration::from_secs(second)
    }

    fn speaker(name: &str, term: u64) -> Speaker {
        let machine = Some(Machine { name: name.to_owned(), term });
        Speaker { boot: format!("{name}-{term}"), machine }
    }

    fn says(online: bool, name: &str, term: u64) -> Option<Spoken> {
        Some(Spoken { online, claims: false, speaker: speaker(name, term) })
    }

    /// The look of a machine called `own`, whose run is called so too.
    fn look(watch: &mut Watch, second: u64, lines: bool) -> Turn {
        watch.look(at(second), "own-9", || lines)
    }

    #[test]
    fn the_first_machine_speaks_at_once_and_a_spare_does_not() {
        for (spare, turn) in [(false, Turn::Claim), (true, Turn::Wait(Why::Nobody))] {
            let mut watch = Watch::new("own", spare);
            assert_eq!(look(&mut watch, 0, true), Turn::Wait(Why::Broker));
            watch.subscribed(at(0));
            assert_eq!(look(&mut watch, 1, true), Turn::Wait(Why::Broker), "it has not heard all");
            assert_eq!(look(&mut watch, 3, true), turn);
        }
    }

    #[test]
    fn a_machine_that_is_gone_is_waited_for_and_boards_are_needed() {
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(true, "first", 1), false);
        assert_eq!(look(&mut watch, 3, true), Turn::Wait(Why::Speaks("first".into())));
        watch.spoken(at(10), says(false, "first", 1), false);
        assert_eq!(look(&mut watch, 12, true), Turn::Wait(Why::JustGone("first".into())));
        assert_eq!(look(&mut watch, 17, false), Turn::Wait(Why::NoLines("first".into())));
        watch.spoken(at(18), says(true, "first", 2), false);
        assert_eq!(look(&mut watch, 25, true), Turn::Wait(Why::Speaks("first".into())));
        watch.spoken(at(30), says(false, "first", 2), false);
        assert_eq!(look(&mut watch, 37, true), Turn::Claim);
        assert_eq!(watch.term(), 2);
    }

    #[test]
    fn who_only_falls_silent_is_gone_after_a_while() {
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(true, "first", 1), false);
        watch.alive(at(5));
        let speaks = || Turn::Wait(Why::Speaks("first".into()));
        assert_eq!(look(&mut watch, 94, true), speaks());
        // Perhaps it is this machine that is deaf.
        assert_eq!(look(&mut watch, 96, true), Turn::Listen);
        watch.away();
        watch.subscribed(at(97));
        watch.spoken(at(97), says(true, "first", 1), false);
        assert_eq!(look(&mut watch, 136, true), speaks());
        assert_eq!(look(&mut watch, 138, true), Turn::Claim);
    }

    #[test]
    fn a_machine_that_was_deaf_hears_that_another_one_speaks() {
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(true, "first", 1), false);
        assert_eq!(look(&mut watch, 91, true), Turn::Listen);
        watch.away();
        watch.subscribed(at(92));
        watch.spoken(at(92), says(true, "first", 1), false);
        watch.alive(at(110));
        let speaks = || Turn::Wait(Why::Speaks("first".into()));
        assert_eq!(look(&mut watch, 190, true), speaks());
        assert_eq!(look(&mut watch, 201, true), Turn::Listen);
    }

    #[test]
    fn a_claim_that_nobody_hears_is_not_made_again_and_again() {
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(false, "first", 1), false);
        assert_eq!(look(&mut watch, 7, true), Turn::Claim);
        watch.claims(at(7), speaker("own", 9));
        assert_eq!(look(&mut watch, 10, true), Turn::Listen);
        watch.away();
        watch.subscribed(at(11));
        // Its claim stands there.
        watch.spoken(at(11), says(true, "own", 9), true);
        assert_eq!(look(&mut watch, 14, true), Turn::Claim);
    }

    #[test]
    fn a_broker_that_was_away_makes_nobody_gone() {
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(true, "first", 1), false);
        watch.away();
        assert_eq!(look(&mut watch, 100, true), Turn::Wait(Why::Broker));
        watch.subscribed(at(100));
        assert_eq!(look(&mut watch, 103, true), Turn::Wait(Why::Speaks("first".into())));
    }

    #[test]
    fn of_two_that_claim_the_one_speaks_that_the_broker_names() {
        let mut watch = Watch::new("own", false);
        watch.subscribed(at(0));
        assert_eq!(look(&mut watch, 3, true), Turn::Claim);
        watch.claims(at(3), speaker("own", 9));
        watch.spoken(at(3), says(true, "own", 9), false);
        watch.spoken(at(4), says(true, "other", 9), false);
        assert_eq!(look(&mut watch, 6, true), Turn::Wait(Why::Speaks("other".into())));
        let mut watch = Watch::new("own", false);
        watch.subscribed(at(0));
        watch.claims(at(3), speaker("own", 9));
        watch.spoken(at(3), says(true, "own", 9), false);
        assert_eq!(look(&mut watch, 4, true), Turn::Wait(Why::Broker), "others have not seen it");
        assert_eq!(look(&mut watch, 6, true), Turn::Own(speaker("own", 9)));
    }

    #[test]
    fn without_a_broker_the_first_machine_follows_its_boards_and_a_spare_waits() {
        let mut watch = Watch::new("own", false);
        assert_eq!(look(&mut watch, 14, true), Turn::Wait(Why::Broker));
        let Turn::Own(own) = look(&mut watch, 15, true) else { panic!("it waits for ever") };
        assert_eq!((own.name(), own.boot.as_str()), ("own", "own-9"));
        let mut watch = Watch::new("own", true);
        assert_eq!(look(&mut watch, 1000, true), Turn::Wait(Why::Broker));
        // Another one spoke when the broker was there.
        let mut watch = Watch::new("own", false);
        watch.subscribed(at(1));
        watch.spoken(at(1), says(true, "spare", 5), false);
        assert_eq!(look(&mut watch, 4, true), Turn::Wait(Why::Speaks("spare".into())));
        watch.away();
        assert_eq!(look(&mut watch, 1000, true), Turn::Wait(Why::Broker));
    }

    #[test]
    fn a_machine_that_was_restarted_goes_on_at_once() {
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(false, "own", 4), true);
        assert_eq!(look(&mut watch, 3, false), Turn::Claim);
        // Nobody has noticed yet that its last run is gone.
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(true, "own", 4), true);
        assert_eq!(look(&mut watch, 3, false), Turn::Claim);
    }

    #[test]
    fn another_machine_of_the_same_name_is_another_machine() {
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(true, "own", 4), false);
        let Turn::Wait(why) = look(&mut watch, 3, true) else { panic!("two speak") };
        assert!(why.text("own").contains("another machine called own"));
        watch.spoken(at(4), says(false, "own", 4), false);
        assert_eq!(look(&mut watch, 5, true), Turn::Wait(Why::JustGone("own".into())));
        assert_eq!(look(&mut watch, 60, false), Turn::Wait(Why::NoLines("own".into())));
        assert_eq!(look(&mut watch, 60, true), Turn::Claim);
    }

    #[test]
    fn a_record_that_is_still_coming_is_waited_for() {
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(false, "first", 4), false);
        watch.recorded(at(9));
        assert_eq!(look(&mut watch, 10, true), Turn::Wait(Why::Broker));
        assert_eq!(look(&mut watch, 11, true), Turn::Claim);
        watch.claims(at(11), speaker("own", 9));
        watch.spoken(at(11), says(true, "own", 9), false);
        watch.recorded(at(12));
        assert_eq!(look(&mut watch, 13, true), Turn::Wait(Why::Broker));
        assert_eq!(look(&mut watch, 14, true), Turn::Own(speaker("own", 9)));
    }

    #[test]
    fn a_spare_machine_with_boards_begins_where_nobody_has_spoken_for_long() {
        let mut watch = Watch::new("own", true);
        watch.subscribed(at(0));
        assert_eq!(look(&mut watch, 59, true), Turn::Wait(Why::Nobody));
        assert_eq!(look(&mut watch, 60, true), Turn::Listen);
        watch.away();
        watch.subscribed(at(61));
        assert_eq!(look(&mut watch, 89, true), Turn::Wait(Why::Nobody));
        assert_eq!(look(&mut watch, 91, false), Turn::Wait(Why::Nobody));
        assert_eq!(look(&mut watch, 91, true), Turn::Claim);
    }

    #[test]
    fn one_that_has_waited_needs_boards_whether_it_is_the_spare_or_not() {
        let mut watch = Watch::new("own", false);
        watch.subscribed(at(0));
        watch.spoken(at(0), says(true, "spare", 5), false);
        assert_eq!(look(&mut watch, 3, true), Turn::Wait(Why::Speaks("spare".into())));
        watch.spoken(at(4), says(false, "spare", 5), false);
        assert_eq!(look(&mut watch, 60, false), Turn::Wait(Why::NoLines("spare".into())));
        assert_eq!(look(&mut watch, 60, true), Turn::Claim);
    }
}
