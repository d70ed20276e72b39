//! Which lines are kept open: those of the configuration, and every one found on which a board may
//! be expected. One task per line, however many names it has.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use crate::config::Config;
use crate::discovery::{self, Present};
use crate::line::{self, Lines};

/// What the configuration says about lines.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Lines named in it.
    pub named: Vec<String>,
    /// Where others are looked for.
    pub directory: PathBuf,
    /// Whether others are to be opened: some board may be on any line.
    pub any: bool,
}

impl Wanted {
    /// As the configuration says. With every table at a port of its own no other line is touched.
    pub fn from_config(config: &Config) -> Self {
        let named: Vec<_> = config.table.iter().filter_map(|table| table.port.clone()).collect();
        let by_number = config.table.iter().any(|table| table.serial.is_some());
        let any =
            config.table.is_empty() || by_number || !config.ports.directory.as_os_str().is_empty();
        Self { named, directory: config.ports.directory.clone(), any }
    }
}

/// Shared with whoever reloads the configuration.
pub type Shared = Arc<Mutex<Wanted>>;

/// Keeps the lines for as long as it is not dropped.
pub async fn manage(wanted: Shared, lines: Lines) {
    let (changed, mut changes) = mpsc::channel(1);
    let directory = current(&wanted).directory;
    let mut tasks = JoinSet::new();
    tasks.spawn(discovery::watch(directory, changed));
    let mut kept: BTreeMap<PathBuf, AbortHandle> = BTreeMap::new();
    loop {
        let now = current(&wanted);
        let scanned = if now.any { discovery::scan(&now.directory) } else { Vec::new() };
        let targets = targets(&now, scanned);
        kept.retain(|real, task| {
            let stays = targets.contains_key(real) && !task.is_finished();
            // A line task ends by itself when its port is gone; one that only waits is let go.
            if !stays {
                task.abort();
            }
            stays
        });
        for (real, id) in targets {
            let lines = lines.clone();
            kept.entry(real).or_insert_with(|| tasks.spawn(line::keep(id, lines)));
        }
        while tasks.try_join_next().is_some() {}
        if changes.recv().await.is_none() {
            return;
        }
    }
}

fn targets(wanted: &Wanted, scanned: Vec<Present>) -> BTreeMap<PathBuf, crate::entry::LineId> {
    let mut targets = BTreeMap::new();
    for present in scanned {
        targets.insert(discovery::real(&present.id.path), present.id);
    }
    for named in &wanted.named {
        let real = discovery::real(named);
        let id = targets.entry(real).or_insert_with(|| discovery::configured(named));
        if !id.names.contains(named) {
            id.names.push(named.clone());
        }
    }
    targets
}

fn current(wanted: &Shared) -> Wanted {
    wanted.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
