//! Decides which lines are kept open: the configured ones, and every line found on which a board
//! may be. A line has one task, however many names it has.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};

use crate::config::Config;
use crate::entry::LineId;
use crate::lines::discovery::{self, Present};
use crate::lines::line::{self, Lines};

/// The lines that the configuration asks for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The lines named in the configuration.
    pub named: Vec<String>,
    /// The directory in which other lines are searched for.
    pub directory: PathBuf,
    /// Whether other lines are opened at all.
    pub any: bool,
}

impl Wanted {
    /// The lines of a configuration. If every table has a port of its own, no other line is opened
    /// unless the configuration says so.
    pub fn from_config(config: &Config) -> Self {
        let places: Vec<_> = config.plan().places().collect();
        let by_number = places.iter().any(|place| place.serial.is_some());
        let named = places.into_iter().filter_map(|place| place.port).collect();
        let asked = config.ports.search || !config.ports.directory.as_os_str().is_empty();
        let any = config.table.is_empty() || by_number || asked;
        Self { named, directory: config.ports.directory.clone(), any }
    }

    /// Whether one of them is plugged in.
    #[must_use]
    pub fn is_there(&self) -> bool {
        let named = self.named.iter().any(|path| Path::new(path).exists());
        named || self.any && !discovery::scan(&self.directory).is_empty()
    }
}

/// A line that is kept open. Dropping it ends its task, which reports the line as closed if it was
/// open.
struct Kept {
    task: AbortHandle,
    _wanted: watch::Sender<()>,
}

impl Kept {
    fn begin(id: LineId, lines: &Lines, tasks: &mut JoinSet<()>) -> Self {
        let (wanted, still_wanted) = watch::channel(());
        let task = tasks.spawn(line::keep(id, lines.clone(), still_wanted));
        Self { task, _wanted: wanted }
    }
}

/// Keeps lines open until it is dropped.
///
/// It looks again when the configuration changes, and when a file appears or disappears where lines
/// are searched for.
pub async fn manage(mut wanted: watch::Receiver<Wanted>, lines: Lines) {
    let (changed, mut changes) = mpsc::channel(1);
    let mut directory = wanted.borrow().directory.clone();
    let mut tasks = JoinSet::new();
    let mut watcher = tasks.spawn(discovery::watch(directory.clone(), changed.clone()));
    let mut kept: BTreeMap<String, Kept> = BTreeMap::new();
    loop {
        let now = wanted.borrow_and_update().clone();
        if now.directory != directory {
            watcher.abort();
            directory.clone_from(&now.directory);
            watcher = tasks.spawn(discovery::watch(directory.clone(), changed.clone()));
        }
        let scanned = if now.any { discovery::scan(&now.directory) } else { Vec::new() };
        let targets = targets(&now, scanned);
        kept.retain(|path, line| targets.contains_key(path) && !line.task.is_finished());
        for (path, id) in targets {
            kept.entry(path).or_insert_with(|| Kept::begin(id, &lines, &mut tasks));
        }
        while tasks.try_join_next().is_some() {}
        tokio::select! {
            _ = changes.recv() => {}
            changed = wanted.changed() => if changed.is_err() {
                return;
            },
        }
    }
}

/// The lines, by the path under which they are opened. A path in the configuration is preferred,
/// because it stays the same when the line is unplugged and plugged in again.
fn targets(wanted: &Wanted, scanned: Vec<Present>) -> BTreeMap<String, LineId> {
    let mut lines: BTreeMap<PathBuf, LineId> = BTreeMap::new();
    for named in &wanted.named {
        let id = lines.entry(discovery::real(named)).or_insert_with(|| LineId::at(named));
        if !id.names.contains(named) {
            id.names.push(named.clone());
        }
    }
    for present in scanned {
        match lines.entry(discovery::real(&present.id.path)) {
            Entry::Vacant(free) => {
                free.insert(present.id);
            }
            Entry::Occupied(named) => named.into_mut().names.extend(present.id.names),
        }
    }
    lines.into_values().map(|id| (id.path.clone(), id)).collect()
}
