//! A hall that may have several machines: one speaks for it, and the others wait. The record of the
//! one that speaks stands on the external broker, and another machine goes on with it as after a
//! restart, once that one is gone and boards are plugged in here.

pub mod handover;
pub mod mirror;
mod runs;
mod watch;

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::mpsc;

use self::handover::{Handover, Lack, Shelf};
use self::runs::Runs;
pub use self::runs::Taken;
use self::watch::{Turn, Watch};
use crate::exit::{self, Failure};
use crate::mqtt::access;
use crate::mqtt::client::Reach;
use crate::mqtt::client::follower::{self, Followed};
use crate::mqtt::payload::{self, SEQ_OF_CLAIM};
use crate::mqtt::speaker::{Machine, Speaker, Spoken};
use crate::mqtt::topic::{self, RecordTopic, Slot, Topic};
use crate::tasks::Tasks;
use crate::{notify, time};

/// How often a machine that waits looks around.
const LOOK: Duration = Duration::from_millis(250);
/// How long the last word of a machine that gives up may take to the broker.
const GOODBYE: Duration = Duration::from_millis(500);

/// A machine that may speak for its hall.
pub struct Standby {
    /// Its name.
    pub name: String,
    /// Whether it speaks only where another one has died.
    pub spare: bool,
    /// The way to the broker. Who speaks is not said in it.
    pub reach: Reach,
    /// The directory of its record.
    pub directory: PathBuf,
    /// The span between two rows of its time sheet.
    pub every: Duration,
}

/// The turn of this machine.
pub struct Own {
    /// Who it is from now on.
    pub speaker: Speaker,
    /// What stands on the broker.
    pub left: Left,
    /// Whose games it goes on with, where that is recent.
    pub taken: Option<Taken>,
}

/// What earlier runs have left on the broker.
#[derive(Debug)]
pub struct Left {
    /// All pieces of records.
    pub topics: Vec<RecordTopic>,
    /// Where the newest checkpoint stands. It stays until there is another one.
    pub slot: Slot,
}

impl Default for Left {
    fn default() -> Self {
        Self { topics: Vec::new(), slot: Slot::B }
    }
}

impl Own {
    /// The turn of a machine that is alone in its hall.
    #[must_use]
    pub fn alone() -> Self {
        Self { speaker: Speaker::alone(access::secret()), left: Left::default(), taken: None }
    }
}

/// What a machine knows while it waits.
struct Waiting<'a> {
    standby: &'a Standby,
    /// This run.
    boot: String,
    runs: Runs,
    watch: Watch,
    shelf: Shelf,
    /// The newest record that stood there before the connection broke. A broker that was restarted
    /// may have nothing, or what it had saved a while before.
    stood: Option<Handover>,
    clock: time::Clock,
    /// The topic of the retained state, and that of the message that comes again and again.
    state: String,
    info: String,
    last_info: Vec<u8>,
}

impl Standby {
    /// Waits until it is the turn of this machine. `has_lines` says whether a line is plugged in
    /// here, and `tell` is told why it waits. What another machine has recorded is in the directory
    /// then.
    ///
    /// # Errors
    /// If that record cannot be written there.
    pub async fn turn(
        &self,
        has_lines: impl Fn() -> bool,
        tell: impl Fn(&str),
    ) -> Result<Own, Failure> {
        let mut tasks = Tasks::default();
        let (mut say, to_say) = mpsc::channel(8);
        let mut waiting = Waiting::new(self);
        let filters =
            vec![waiting.state.clone(), waiting.info.clone(), topic::records(&self.reach.base)];
        let speaker = Speaker::alone(waiting.boot.clone());
        let reach = Reach { speaker, speaks: false, ..self.reach.clone() };
        let mut heard = follower::start(reach.clone(), filters.clone(), to_say, &mut tasks);
        let mut look = tokio::time::interval(LOOK);
        let mut said = String::new();
        let speaker = loop {
            tokio::select! {
                followed = heard.recv() => match followed {
                    Some(followed) => waiting.hears(followed),
                    None => return Err(Failure::new(exit::SOFTWARE, "the follower has ended")),
                },
                _ = look.tick() => {
                    // The service manager ends a program that does not say that it is alive.
                    notify::alive();
                    match waiting.look(&has_lines) {
                        Turn::Wait(why) => {
                            let why = why.text(&self.name);
                            if why != said {
                                tracing::info!("{why}");
                                tell(&why);
                                said = why;
                            }
                        }
                        Turn::Claim => {
                            let claim = waiting.claim();
                            let _ = say.send((waiting.state.clone(), claim)).await;
                        }
                        Turn::Listen => {
                            tasks.shutdown().await;
                            waiting.hears(Followed::Away);
                            let (anew, to_say) = mpsc::channel(8);
                            (say, tasks) = (anew, Tasks::default());
                            let (reach, filters) = (reach.clone(), filters.clone());
                            heard = follower::start(reach, filters, to_say, &mut tasks);
                        }
                        Turn::Own(speaker) => break speaker,
                    }
                }
            }
        };
        waiting.begins();
        let taken = waiting.take_over();
        if taken.is_err() {
            // Whoever comes back need not wait for this one.
            let at = time::wall_now().rfc3339();
            let gone = payload::json(&speaker.state(false, SEQ_OF_CLAIM, at));
            let _ = say.send((waiting.state.clone(), gone)).await;
            tokio::time::sleep(GOODBYE).await;
        }
        tasks.shutdown().await;
        let (left, now) = (waiting.shelf.left(), time::wall_now());
        taken.map(|()| Own { speaker, left, taken: waiting.runs.taken(now) })
    }

    /// Writes the record of another machine into the directory of this one.
    fn place(&self, record: &Handover) -> Result<(), Failure> {
        let (name, other) = (&self.name, &record.head.machine);
        let day = time::wall_now().pgn_date();
        record.place(&self.directory, &day, self.every).map_err(|error| {
            let why = format!("the games of {other} cannot be gone on with here: {error}");
            Failure::new(exit::UNAVAILABLE, why)
        })?;
        tracing::warn!("{name} goes on with the games of {other}");
        Ok(())
    }
}

impl<'a> Waiting<'a> {
    fn new(standby: &'a Standby) -> Self {
        let base = &standby.reach.base;
        Self {
            standby,
            boot: access::secret(),
            runs: Runs::read(&standby.directory),
            watch: Watch::new(&standby.name, standby.spare),
            shelf: Shelf::default(),
            stood: None,
            clock: time::Clock::starting_at(eboard::Moment::ZERO),
            state: Topic::BridgeState.under(base),
            info: Topic::BridgeInfo.under(base),
            last_info: Vec::new(),
        }
    }

    fn hears(&mut self, followed: Followed) {
        let now = self.clock.now();
        match followed {
            Followed::Subscribed => self.watch.subscribed(now),
            Followed::Away => {
                self.watch.away();
                let stood = std::mem::take(&mut self.shelf).newest().ok();
                self.stood = newer(stood, self.stood.take());
            }
            Followed::Said(topic, payload) if topic == self.state => {
                let spoken = Spoken::read(&payload);
                let own = spoken.as_ref().is_some_and(|it| self.runs.is_own(&it.speaker.boot));
                self.watch.spoken(now, spoken, own);
            }
            Followed::Said(topic, payload) if topic == self.info => {
                // What is retained comes again with every connection, and says nothing new.
                if self.last_info != payload {
                    self.watch.alive(now);
                    self.last_info = payload;
                }
            }
            Followed::Said(topic, payload) => {
                if let Some(topic) = topic::read_record(&self.standby.reach.base, &topic) {
                    self.watch.recorded(now);
                    self.shelf.take(topic, payload);
                }
            }
        }
    }

    fn look(&mut self, has_lines: impl Fn() -> bool) -> Turn {
        self.watch.look(self.clock.now(), &self.boot, has_lines)
    }

    /// Claims the hall, and returns the message that says so.
    fn claim(&mut self) -> Vec<u8> {
        self.begins();
        let stood = self.stood.as_ref().map_or(0, |it| it.head.term);
        let term = self.watch.term().max(self.shelf.term()).max(stood) + 1;
        let machine = Some(Machine { name: self.standby.name.clone(), term });
        let speaker = Speaker { boot: self.boot.clone(), machine };
        let payload = payload::json(&speaker.state(true, SEQ_OF_CLAIM, time::wall_now().rfc3339()));
        self.watch.claims(self.clock.now(), speaker);
        payload
    }

    /// Notes that what this run says is said by this machine.
    fn begins(&mut self) {
        let boot = self.boot.clone();
        self.noted(|runs| runs.begins(&boot));
    }

    /// Goes on with the record of another machine, where it has left one that is newer than what is
    /// here.
    fn take_over(&mut self) -> Result<(), Failure> {
        let (standby, stood) = (self.standby, self.stood.take());
        let (found, lack) = match self.shelf.newest() {
            Ok(found) => (Some(found), Lack::Nothing),
            Err(lack) => (None, lack),
        };
        match newer(found, stood) {
            Some(record) if self.runs.contains(&record.boot) => {}
            Some(record) => {
                standby.place(&record)?;
                let taken = Taken { from: record.head.machine.clone(), since: time::wall_now() };
                self.noted(|runs| runs.takes(&record.boot, taken));
            }
            None if lack == Lack::Nothing => {}
            None => {
                let name = &standby.name;
                tracing::error!("{name} begins without the games of before: {lack}");
            }
        }
        Ok(())
    }

    /// Without a note this machine takes its own record from the broker at its next start.
    fn noted(&mut self, note: impl FnOnce(&mut Runs) -> std::io::Result<()>) {
        if let Err(error) = note(&mut self.runs) {
            let directory = self.standby.directory.display();
            tracing::warn!("{directory}: who has recorded here cannot be noted: {error}");
        }
    }
}

/// The newer one of two records.
fn newer(one: Option<Handover>, other: Option<Handover>) -> Option<Handover> {
    match (one, other) {
        (Some(one), Some(other)) if other.age() > one.age() => Some(other),
        (one, other) => one.or(other),
    }
}
