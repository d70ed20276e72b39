//! `[pgn] directory`: the games as files, in the shapes that broadcasters' tools and DGT LiveChess
//! use. A file is written only if it changed, at most once a second, and replaced as a whole. No
//! file is ever deleted.

mod index;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::documents::joined;
use super::games::EventNow;
use super::{Games, Played, Reports, Settings};
use crate::tasks::Tasks;

/// The name of the outlet in reports.
pub const NAME: &str = "pgn_folder";
/// The pause after a write.
const REST: Duration = Duration::from_secs(1);

/// Starts the outlet. It writes these games while a folder is configured.
pub fn start(settings: Settings, games: Arc<Games>, reports: &Arc<Reports>, tasks: &mut Tasks) {
    let reports = Arc::clone(reports);
    tasks.spawn("the folder of games", async move {
        let mut settings = settings;
        loop {
            let directory = settings.borrow_and_update().pgn.directory.clone();
            let gone = if directory.as_os_str().is_empty() {
                reports.forget(NAME);
                settings.changed().await.is_err()
            } else {
                let folder = Folder::at(directory, Arc::clone(&reports));
                keep(folder, &games, &mut settings).await
            };
            if gone {
                return std::future::pending().await;
            }
        }
    });
}

/// Writes until another folder is configured. Returns whether nothing will be any more.
async fn keep(mut folder: Folder, games: &Games, settings: &mut Settings) -> bool {
    let mut changes = games.changes();
    loop {
        changes.mark_unchanged();
        let (event, all) = (games.event(), games.all());
        let written = tokio::task::spawn_blocking(move || {
            folder.write(&event, &all);
            folder
        });
        let Ok(back) = written.await else { return true };
        folder = back;
        tokio::time::sleep(REST).await;
        loop {
            tokio::select! {
                changed = settings.changed() => {
                    let Ok(()) = changed else { return true };
                    if settings.borrow_and_update().pgn.directory != folder.directory {
                        return false;
                    }
                }
                // After a failed write the next attempt does not wait for a change.
                () = std::future::ready(()), if folder.failed => break,
                changed = changes.changed() => match changed {
                    Ok(()) => break,
                    Err(_) => return true,
                },
            }
        }
    }
}

/// The folder and its content.
struct Folder {
    directory: PathBuf,
    /// The content of each file, as written or found there.
    known: BTreeMap<PathBuf, String>,
    /// Whether the last attempt failed.
    failed: bool,
    reports: Arc<Reports>,
}

impl Folder {
    fn at(directory: PathBuf, reports: Arc<Reports>) -> Self {
        Self { directory, known: BTreeMap::new(), failed: false, reports }
    }

    fn write(&mut self, event: &EventNow, games: &[Arc<Played>]) {
        let result =
            files(event, games).into_iter().try_for_each(|(name, text)| self.put(&name, text));
        self.failed = result.is_err();
        let last = match &result {
            Ok(()) => format!("{} is up to date", self.directory.display()),
            Err((path, error)) => format!("{}: {error}", path.display()),
        };
        let news = self.reports.tell(NAME, result.is_ok(), last.clone());
        match result {
            Ok(()) if news => tracing::info!("the games are in {}", self.directory.display()),
            Err(_) if news => tracing::warn!(
                "the games cannot be written: {last}; make room, or give the daemon the right to \
                 write there: it goes on trying"
            ),
            _ => {}
        }
    }

    fn put(&mut self, name: &Path, text: String) -> Result<(), (PathBuf, io::Error)> {
        let path = self.directory.join(name);
        if !self.known.contains_key(name)
            && let Ok(found) = fs::read_to_string(&path)
        {
            self.known.insert(name.to_owned(), found);
        }
        if self.known.get(name) == Some(&text) && path.exists() {
            return Ok(());
        }
        match replace(&path, &text) {
            Ok(()) => {
                self.known.insert(name.to_owned(), text);
                Ok(())
            }
            Err(error) => Err((path, error)),
        }
    }
}

/// Replaces a file as a whole, so that a reader gets either version.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}

/// All files and their content.
fn files(event: &EventNow, games: &[Arc<Played>]) -> Vec<(PathBuf, String)> {
    let mut rounds = BTreeMap::<&str, Vec<Arc<Played>>>::new();
    for game in games {
        rounds.entry(&game.round).or_default().push(Arc::clone(game));
    }
    let mut files = vec![
        (PathBuf::from("games.pgn"), joined(games)),
        (PathBuf::from("tournament.json"), index::tournament(event, &rounds)),
    ];
    for (round, games) in &rounds {
        let folder = PathBuf::from(format!("round-{}", name_of(round)));
        files.push((folder.join("games.pgn"), joined(games)));
        files.push((folder.join("index.json"), index::round(games)));
        for table in games.chunk_by(|one, other| one.table == other.table) {
            files.push((folder.join(format!("game-{}.pgn", table[0].table)), joined(table)));
        }
    }
    files
}

/// A round as part of a file name. A round without a name is the first.
fn name_of(round: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '-' };
    let name: String = round.chars().take(60).map(plain).collect();
    if name.is_empty() { "1".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use witness::{GameNo, TableNo};

    use super::*;

    fn game(table: u32, number: u32, round: &str, text: &str) -> Arc<Played> {
        let (round, text) = (round.to_owned(), text.to_owned());
        Arc::new(Played {
            table: TableNo::new(table),
            number: GameNo::new(number),
            round,
            text,
            ..Played::default()
        })
    }

    #[test]
    fn a_game_lies_where_its_round_and_table_say() {
        let games = [game(1, 1, "3", "a\n"), game(1, 2, "4", "b\n"), game(1, 3, "4", "c\n")];
        let files: BTreeMap<_, _> = files(&EventNow::default(), &games).into_iter().collect();
        let text = |name: &str| files[Path::new(name)].as_str();
        assert_eq!(text("games.pgn"), "a\n\nb\n\nc\n");
        assert_eq!(text("round-3/game-1.pgn"), "a\n");
        assert_eq!(text("round-4/game-1.pgn"), "b\n\nc\n");
        assert_eq!(text("round-4/games.pgn"), "b\n\nc\n");
        assert!(files.contains_key(Path::new("round-4/index.json")));
        assert_eq!(files.len(), 8);
    }

    #[test]
    fn no_round_leads_out_of_the_folder() {
        assert_eq!(name_of("../../etc"), "------etc");
        assert_eq!(name_of("3.1"), "3-1");
        assert_eq!(name_of("Finale / été"), "Finale---été");
        assert_eq!(name_of(""), "1");
    }

    #[test]
    fn only_what_has_changed_is_written_and_what_was_lost_comes_back() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::at(place.path().join("live"), Arc::default());
        let write = |folder: &mut Folder, text: &str| {
            folder.write(&EventNow::default(), &[game(7, 1, "2", text), game(8, 1, "2", "8\n")]);
            assert!(!folder.failed);
        };
        write(&mut folder, "7\n");
        let of = |name: &str| place.path().join("live").join(name);
        let written = |name: &str| fs::metadata(of(name)).unwrap().modified().unwrap();
        let before = [written("round-2/game-7.pgn"), written("round-2/game-8.pgn")];
        write(&mut folder, "7 again\n");
        assert_ne!(written("round-2/game-7.pgn"), before[0]);
        assert_eq!(written("round-2/game-8.pgn"), before[1]);
        // Another daemon finds the files and does not write them again.
        let mut folder = Folder::at(place.path().join("live"), Arc::default());
        write(&mut folder, "7 again\n");
        assert_eq!(written("round-2/game-8.pgn"), before[1]);
        fs::remove_dir_all(of("round-2")).unwrap();
        write(&mut folder, "7 again\n");
        assert_eq!(fs::read_to_string(of("round-2/game-7.pgn")).unwrap(), "7 again\n");
        let left = fs::read_dir(of("round-2")).unwrap().map(|it| it.unwrap().file_name());
        let left: Vec<_> = left.filter(|it| it.to_string_lossy().ends_with(".part")).collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_tried_again() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("live");
        fs::write(&path, "a file stands in the way").unwrap();
        let mut folder = Folder::at(path.clone(), Arc::default());
        folder.write(&EventNow::default(), &[game(1, 1, "", "1\n")]);
        assert!(folder.failed);
        fs::remove_file(&path).unwrap();
        folder.write(&EventNow::default(), &[game(1, 1, "", "1\n")]);
        assert!(!folder.failed);
        assert_eq!(fs::read_to_string(path.join("round-1/game-1.pgn")).unwrap(), "1\n");
    }
}
