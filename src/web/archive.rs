//! All that a round leaves behind as one archive, for organizers: results, games, pairings, and the
//! record with its captures. The configuration is not in it, as it has hashes of passwords.
//!
//! It is written while it is sent, so that a long record takes no memory.

use std::fs::{self, File};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream;
use serde::Deserialize;
use tar::{Builder, Header};
use tokio::sync::mpsc;

use super::Pages;
use super::results;
use super::session::unauthorized;
use super::who::Session;
use crate::outlets::documents::joined;
use crate::record::journal;
use crate::record::nameless::Nameless;
use crate::say;
use crate::time::wall_now;

/// Pieces that wait for a slow client. Each is as long as the compression makes it, 32 KiB at most.
const PIECES: usize = 8;
/// The mode of the files in it.
const MODE: u32 = 0o640;

/// The session, and the language of the pages to be printed.
#[derive(Deserialize)]
struct Wanted {
    #[serde(flatten)]
    session: Session,
    language: String,
    /// Whether people are named in it.
    #[serde(default = "named")]
    names: bool,
}

const fn named() -> bool {
    true
}

/// Serves the archive.
pub async fn serve(State(pages): State<Pages>, body: Bytes) -> Response {
    let wanted: Option<Wanted> = serde_json::from_slice(&body).ok();
    let Some(Wanted { language, names, .. }) = wanted.filter(|it| pages.is_organizer(&it.session))
    else {
        return unauthorized(&say::log_in());
    };
    // One at a time: it reads the whole record. The semaphore is never closed.
    let turn = Arc::clone(&pages.readers).acquire_owned().await;
    let (sender, receiver) = mpsc::channel(PIECES);
    tokio::task::spawn_blocking(move || {
        let pipe = Pipe(sender.clone());
        let written = match names {
            true => write(&pages, &language, pipe),
            false => write_nameless(&pages, pipe),
        };
        if let Err(error) = written {
            tracing::warn!("the archive was not sent whole: {error}");
            // Whoever gets it learns that it is not whole.
            let _ = sender.blocking_send(Err(error));
        }
        drop(turn);
    });
    let pieces = stream::unfold(receiver, async |mut receiver| {
        receiver.recv().await.map(|piece| (piece, receiver))
    });
    let name = format!("attachment; filename=\"adoubed-{}.tar.gz\"", wall_now().date());
    let headers = [
        (header::CONTENT_TYPE, "application/gzip".to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}

/// Takes what is written to the client.
struct Pipe(mpsc::Sender<io::Result<Bytes>>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = Ok(Bytes::copy_from_slice(bytes));
        self.0.blocking_send(piece).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write(pages: &Pages, language: &str, out: impl Write) -> io::Result<()> {
    let config = pages.config();
    let mut archive = Builder::new(GzEncoder::new(out, Compression::fast()));
    for (name, bytes) in results::papers(&config, &pages.games, language) {
        add(&mut archive, &name, bytes.len(), &*bytes)?;
    }
    let games = joined(&pages.games.all());
    add(&mut archive, "games.pgn", games.len(), games.as_bytes())?;
    let pairings = config.event.pairings.iter().cloned().map(|it| ("", it));
    let journals = journal::segments(&pages.record).unwrap_or_default();
    let journals = journals.into_iter().map(|it| ("record/", it));
    add_files(&mut archive, pairings.chain(journals).chain(captured(pages)))?;
    archive.into_inner()?.finish()?.flush()
}

/// The record without names, and the captures, which have none: for somebody who looks for a fault.
/// What else is in an archive would be nothing without names.
fn write_nameless(pages: &Pages, out: impl Write) -> io::Result<()> {
    let mut archive = Builder::new(GzEncoder::new(out, Compression::fast()));
    let (mut counted, mut written) = (Nameless::default(), Nameless::default());
    for path in journal::segments(&pages.record).unwrap_or_default() {
        let Some(name) = path.file_name().and_then(|it| it.to_str()) else { continue };
        // A file in an archive begins with its length. What the record gets meanwhile is not in it.
        let length = counted.segment(&path, u64::MAX, io::sink())?;
        let (reader, writer) = io::pipe()?;
        std::thread::scope(|scope| {
            let writes = scope.spawn(|| written.segment(&path, length.records, writer));
            let bytes = usize::try_from(length.bytes).map_err(io::Error::other)?;
            add(&mut archive, &format!("record/{name}"), bytes, reader)?;
            let done = writes.join().map_err(|_| io::Error::other("the writer failed"))??;
            if done == length { Ok(()) } else { Err(io::Error::other("the record has changed")) }
        })?;
    }
    add_files(&mut archive, captured(pages))?;
    archive.into_inner()?.finish()?.flush()
}

fn captured(pages: &Pages) -> impl Iterator<Item = (&'static str, PathBuf)> {
    captures(&pages.record).into_iter().map(|it| ("captures/", it))
}

fn add_files(
    archive: &mut Builder<impl Write>,
    files: impl Iterator<Item = (&'static str, PathBuf)>,
) -> io::Result<()> {
    for (folder, path) in files {
        let Some(name) = path.file_name().and_then(|it| it.to_str()) else { continue };
        let file = File::open(&path)?;
        // The record goes on: what comes later is not in it.
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        add(archive, &format!("{folder}{name}"), length, file.take(length as u64))?;
    }
    Ok(())
}

fn add(
    archive: &mut Builder<impl Write>,
    name: &str,
    length: usize,
    bytes: impl io::Read,
) -> io::Result<()> {
    let mut header = Header::new_gnu();
    header.set_size(length as u64);
    header.set_mode(MODE);
    header.set_mtime(wall_now().as_micros().unsigned_abs() / 1_000_000);
    archive.append_data(&mut header, name, bytes)
}

/// Recordings of single boards that lie beside the record.
fn captures(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut captures: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "cap")).collect();
    captures.sort();
    captures
}
