//! Keeps one line open: it is read, written, and opened again as long as it is wanted. This module
//! knows bytes, reports and settings, and no protocol.

mod port;
mod quota;
pub mod reports;
pub mod seqpacket;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use eboard::{LineSettings, Moment};
use tokio::sync::{mpsc, watch};
use witness::LineNo;

use crate::entry::LineId;
use crate::time::Clock;
pub use port::Port;
use quota::Quota;

/// The first wait before a line is opened again.
const RETRY_MIN: Duration = Duration::from_millis(100);
/// The longest wait before that.
const RETRY_MAX: Duration = Duration::from_secs(2);
/// The most bytes of one read: more than any frame, less than a page of memory.
const READ_MAX: usize = 2048;
/// The most orders that wait for a port. A conversation never has more than a few under way.
const ORDERS: usize = 64;
/// How long a line that sends too much is left unread. It saves the processor, and 400 kB a second
/// are still more than any adapter carries.
const PAUSE: Duration = Duration::from_millis(5);

/// An event of a line.
#[derive(Debug)]
pub enum LineEvent {
    /// It is open under a new number. Orders to it go to this channel.
    Opened(LineNo, LineId, mpsc::Sender<LineOrder>),
    /// Bytes were read.
    Bytes(LineNo, Vec<u8>),
    /// This many bytes were left out, because no board sends as much.
    Shed(LineNo, u64),
    /// It was closed.
    Closed(LineNo),
}

/// An order to a line.
#[derive(Debug)]
pub enum LineOrder {
    /// Write these bytes.
    Write(Vec<u8>),
    /// Change the settings.
    Set(LineSettings),
}

/// Why a line cannot be used, as far as a person can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The daemon may not open it.
    Denied,
    /// Another program has it open.
    Busy,
    /// It does not exist.
    Absent,
    /// A HID device that is no board.
    Foreign,
    /// Anything else.
    Other,
}

/// What all line tasks share.
#[derive(Clone)]
pub struct Lines {
    /// The channel for events with their moments.
    pub events: mpsc::Sender<(Moment, LineEvent)>,
    /// Our clock.
    pub clock: Clock,
    /// The last number that was given to a line.
    pub numbers: Arc<AtomicU32>,
}

/// Keeps a line open until it is not wanted any more, or its events are not. A line that was opened
/// is always reported as closed at the end.
pub async fn keep(id: LineId, lines: Lines, mut wanted: watch::Receiver<()>) {
    let mut wait = RETRY_MIN;
    let mut reported = None;
    // The quota belongs to the line and not to one opening, so unplugging renews nothing.
    let mut quota = Quota::default();
    loop {
        match Port::open(&id.path, None) {
            Ok(port) => {
                reported = None;
                match serve(port, &id, &lines, (&mut quota, &mut wanted)).await {
                    Ok(spoken) => wait = next_wait(wait, spoken),
                    Err(()) => return,
                }
            }
            Err(error) => {
                let trouble = trouble(&error);
                if reported != Some(trouble) && trouble != Trouble::Absent {
                    tracing::warn!("failed to open {}: {error}{}", id.path, remedy(trouble));
                }
                reported = Some(trouble);
                wait = next_wait(wait, false);
            }
        }
        if lines.events.is_closed() {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            // Only the end of the channel can arrive; nothing is ever sent.
            _ = wanted.changed() => return,
        }
    }
}

/// A line that has spoken may be back at once. A port that merely opens is tried less and less,
/// because some open and end at once for ever.
fn next_wait(wait: Duration, spoken: bool) -> Duration {
    if spoken { RETRY_MIN } else { (wait * 2).min(RETRY_MAX) }
}

/// The trouble behind an error.
#[must_use]
pub fn trouble(error: &io::Error) -> Trouble {
    match error.kind() {
        io::ErrorKind::PermissionDenied => Trouble::Denied,
        io::ErrorKind::NotFound => Trouble::Absent,
        io::ErrorKind::ResourceBusy => Trouble::Busy,
        io::ErrorKind::Unsupported => Trouble::Foreign,
        _ if error.to_string().contains("exclusive lock") => Trouble::Busy,
        _ => Trouble::Other,
    }
}

/// What a person can do about it.
#[must_use]
pub const fn remedy(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Denied => {
            " (install udev/70-adoubed.rules, or: sudo usermod -aG dialout $USER and log in again)"
        }
        Trouble::Busy => " (another program has it open: end that one)",
        Trouble::Foreign => " (name the port of the board itself; adoubed list shows it)",
        Trouble::Absent | Trouble::Other => "",
    }
}

/// Carries bytes both ways until the line breaks. Returns whether any came.
///
/// # Errors
/// If the receiver of events is gone.
async fn serve(
    mut port: Port,
    id: &LineId,
    lines: &Lines,
    (quota, wanted): (&mut Quota, &mut watch::Receiver<()>),
) -> Result<bool, ()> {
    let number = LineNo::new(lines.numbers.fetch_add(1, Ordering::Relaxed) + 1);
    let (orders, mut incoming) = mpsc::channel(ORDERS);
    let tell =
        |event| async { lines.events.send((lines.clock.now(), event)).await.map_err(|_| ()) };
    let opened = LineId { carrier: port.carrier(), ..id.clone() };
    tell(LineEvent::Opened(number, opened, orders)).await?;
    let mut buffer = vec![0; READ_MAX];
    let mut spoken = false;
    loop {
        if let Some(shed) =
            quota.due().filter(|at| *at <= lines.clock.now()).and_then(|_| quota.take_shed())
        {
            tell(LineEvent::Shed(number, shed)).await?;
        }
        let summary = quota.due().map(|at| lines.clock.until(at));
        tokio::select! {
            read = port.read(&mut buffer) => match read {
                // A pseudo-terminal without its other end returns 0 for ever.
                Ok(0) | Err(_) => break,
                Ok(count) if !quota.takes(lines.clock.now(), count) => {
                    tokio::time::sleep(PAUSE).await;
                }
                Ok(count) => {
                    spoken = true;
                    let bytes = buffer.get(..count).unwrap_or_default().to_vec();
                    tell(LineEvent::Bytes(number, bytes)).await?;
                }
            },
            order = incoming.recv() => match order {
                Some(LineOrder::Write(bytes)) => {
                    if port.write(&bytes).await.is_err() {
                        break;
                    }
                }
                Some(LineOrder::Set(settings)) => port.set(settings),
                None => break,
            },
            () = tokio::time::sleep(summary.unwrap_or_default()), if summary.is_some() => {}
            _ = wanted.changed() => break,
        }
    }
    if let Some(shed) = quota.take_shed() {
        tell(LineEvent::Shed(number, shed)).await?;
    }
    tell(LineEvent::Closed(number)).await.map(|()| spoken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_opens_and_says_nothing_is_tried_less_and_less() {
        let waits = std::iter::successors(Some(RETRY_MIN), |wait| Some(next_wait(*wait, false)));
        let waits: Vec<_> = waits.take(100).collect();
        assert!(waits.is_sorted());
        assert_eq!(waits.last(), Some(&RETRY_MAX));
        assert!(waits.iter().take_while(|wait| **wait < RETRY_MAX).count() < 10);
        assert_eq!(next_wait(RETRY_MAX, true), RETRY_MIN);
    }
}
