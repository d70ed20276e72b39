//! The delayed copy of the feed, for people outside the hall: `[public]`.
//!
//! The copy is a second reader of the record. It receives every entry when that entry is due, and
//! publishes then what the hall saw at the time. It alone owns what the public may know. It runs
//! on a fixed beat, so that its timing betrays nothing about the hall.

pub mod backlog;
mod copy;
mod gate;
mod history;
mod schedule;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use eboard::Moment;
use tokio::time::MissedTickBehavior;

pub use backlog::{Backlog, Intake};
pub use copy::{Begin, Copy, Destination};
pub use history::Place;
pub use schedule::Schedule;

use crate::outlets::Reports;
use crate::tasks::Tasks;
use crate::time::Clock;

/// The name of the copy in `/healthz` and `/metrics`.
pub const NAME: &str = "public";
/// How often the copy publishes. The hall's clocks are published once a second too.
const PERIOD: Duration = Duration::from_secs(1);

/// Starts the copy. It publishes until the tasks end.
pub fn start(
    begin: Begin,
    backlog: Arc<Backlog>,
    destination: Destination,
    (clock, reports): (Clock, Arc<Reports>),
    tasks: &mut Tasks,
) {
    let run = begin.run;
    let counted = move |at: Moment| run.counted(at);
    tasks.spawn("the public copy", async move {
        let begun = tokio::task::spawn_blocking(move || {
            Copy::begin(begin, destination, counted(clock.now()))
        });
        let Ok(mut copy) = begun.await else { return stands(&reports).await };
        let mut ticks = tokio::time::interval(PERIOD);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            ticks.tick().await;
            let shared = Arc::clone(&backlog);
            let step = tokio::task::spawn_blocking(move || {
                copy.step(counted(clock.now()), &shared);
                copy
            });
            match step.await {
                Ok(back) => copy = back,
                Err(_) => return stands(&reports).await,
            }
            report(&reports, &backlog, clock.now().since(copy.shows()));
        }
    });
}

fn report(reports: &Reports, backlog: &Backlog, behind: Duration) {
    let (seconds, bytes) = (behind.as_secs(), backlog.bytes());
    if backlog.has_lost() {
        let last = "more was recorded than can wait: what is public stands still for a while";
        if reports.tell(NAME, false, last.to_owned()) {
            tracing::error!("{last}; a line says more than any board can (/healthz names it)");
        }
    } else {
        reports.tell(NAME, true, format!("{seconds} s behind, {bytes} bytes wait"));
    }
}

/// Reports a fault of our own. It stops the public copy, and nothing in the hall.
async fn stands(reports: &Reports) {
    tracing::error!(
        "the public copy has failed: it stands still until the daemon is started again"
    );
    reports.tell(NAME, false, "it stands still until the daemon is started again".to_owned());
    std::future::pending().await
}
