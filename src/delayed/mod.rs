//! The delayed copy of the feed, for whoever is not in the hall: `[public]`. One owner of what the
//! public may know, a second reader of the same record: it is given every entry when that is due,
//! and tells then what the hall was told. It is moved on at fixed times, so that nothing it does
//! says when anything happens in the hall.

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
pub use copy::{Begin, Copy, Told};
pub use history::Place;
pub use schedule::Schedule;

use crate::outlets::Reports;
use crate::tasks::Tasks;
use crate::time::Clock;

/// As it is called where its state is told.
pub const NAME: &str = "public";
/// How often the public is told anything. Clocks of the hall are told once a second too.
const PERIOD: Duration = Duration::from_secs(1);

/// Tells the public, until the tasks are ended.
pub fn start(
    begin: Begin,
    backlog: Arc<Backlog>,
    told: Told,
    (clock, reports): (Clock, Arc<Reports>),
    tasks: &mut Tasks,
) {
    let run = begin.run;
    let counted = move |at: Moment| run.counted(at);
    tasks.spawn("the public copy", async move {
        let begun =
            tokio::task::spawn_blocking(move || Copy::begin(begin, told, counted(clock.now())));
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

/// A fault of ours stops what the public is told, and nothing in the hall.
async fn stands(reports: &Reports) {
    tracing::error!(
        "the public copy has failed: it stands still until the daemon is started again"
    );
    reports.tell(NAME, false, "it stands still until the daemon is started again".to_owned());
    std::future::pending().await
}
