//! A hall that may have several machines: one speaks for it, and the others wait. The record of the
//! one that speaks stands on the external broker, and another machine goes on with it as after a
//! restart, once that one is gone and boards are plugged in here.

pub mod handover;
pub mod mirror;
mod watch;

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::mpsc;

use self::handover::{Handover, Lack, Shelf};
use self::watch::{Turn, Watch};
use crate::exit::{self, Failure};
use crate::mqtt::access;
use crate::mqtt::client::Reach;
use crate::mqtt::client::follower::{self, Followed};
use crate::mqtt::payload::{self, SEQ_OF_CLAIM};
use crate::mqtt::speaker::{Machine, Speaker, Spoken};
use crate::mqtt::topic::{self, RecordTopic, Topic};
use crate::tasks::Tasks;
use crate::time;

/// How often a machine that waits looks around.
const LOOK: Duration = Duration::from_millis(250);

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
}

/// The turn of this machine.
pub struct Own {
    /// Who it is from now on.
    pub speaker: Speaker,
    /// Pieces of the record on the broker that are left over.
    pub left: Vec<RecordTopic>,
}

impl Own {
    /// The turn of a machine that is alone in its hall.
    #[must_use]
    pub fn alone() -> Self {
        Self { speaker: Speaker::alone(access::secret()), left: Vec::new() }
    }
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
        let boot = access::secret();
        let mut tasks = Tasks::default();
        let (say, to_say) = mpsc::channel(8);
        let state = Topic::BridgeState.under(&self.reach.base);
        let info = Topic::BridgeInfo.under(&self.reach.base);
        let filters = vec![state.clone(), info.clone(), topic::records(&self.reach.base)];
        let speaker = Speaker::alone(boot.clone());
        let reach = Reach { speaker, speaks: false, ..self.reach.clone() };
        let mut heard = follower::start(reach, filters, to_say, &mut tasks);
        let (mut watch, mut shelf) = (Watch::new(&self.name, self.spare), Shelf::default());
        let clock = time::Clock::starting_at(eboard::Moment::ZERO);
        let mut look = tokio::time::interval(LOOK);
        let mut said = String::new();
        let own = loop {
            tokio::select! {
                followed = heard.recv() => match followed {
                    Some(Followed::Subscribed) => watch.subscribed(clock.now()),
                    Some(Followed::Away) => watch.away(),
                    Some(Followed::Said(topic, payload)) if topic == state => {
                        watch.spoken(clock.now(), Spoken::read(&payload));
                    }
                    Some(Followed::Said(topic, _)) if topic == info => watch.alive(clock.now()),
                    Some(Followed::Said(topic, payload)) => {
                        if let Some(topic) = topic::read_record(&self.reach.base, &topic) {
                            shelf.take(topic, payload);
                        }
                    }
                    None => return Err(Failure::new(exit::SOFTWARE, "the follower has ended")),
                },
                _ = look.tick() => match watch.look(clock.now(), &boot, &has_lines) {
                    Turn::Wait(why) => {
                        let why = why.text(&self.name);
                        if why != said {
                            tracing::info!("{why}");
                            tell(&why);
                            said = why;
                        }
                    }
                    Turn::Claim => {
                        let term = watch.term().max(shelf.term()) + 1;
                        let machine = Some(Machine { name: self.name.clone(), term });
                        let speaker = Speaker { boot: boot.clone(), machine };
                        let at = time::wall_now().rfc3339();
                        let payload = payload::json(&speaker.state(true, SEQ_OF_CLAIM, at));
                        watch.claims(clock.now(), speaker);
                        let _ = say.send((state.clone(), payload)).await;
                    }
                    Turn::Own(speaker) => break speaker,
                },
            }
        };
        tasks.shutdown().await;
        if watch.last() != Some(&*self.name) {
            self.take_over(shelf.newest())?;
        }
        Ok(Own { speaker: own, left: shelf.topics() })
    }

    /// Goes on with the record of another machine, where it has left one.
    fn take_over(&self, record: Result<Handover, Lack>) -> Result<(), Failure> {
        let name = &self.name;
        match record {
            Ok(record) if record.head.machine == *name => Ok(()),
            Ok(record) => {
                let day = time::wall_now().pgn_date();
                let other = &record.head.machine;
                record.place(&self.directory, &day).map_err(|error| {
                    let why = format!("the games of {other} cannot be gone on with here: {error}");
                    Failure::new(exit::UNAVAILABLE, why)
                })?;
                tracing::warn!("{name} goes on with the games of {other}");
                Ok(())
            }
            Err(Lack::Nothing) => Ok(()),
            Err(lack) => {
                tracing::error!("{name} begins without the games of before: {lack}");
                Ok(())
            }
        }
    }
}
