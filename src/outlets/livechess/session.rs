//! One client on WebSocket, from its upgrade to its end. It gets the newest state. While it reads
//! nothing, only the messages that are being written are kept for it.

use std::error::Error;
use std::io;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::Shown;
use super::calls::{FEEDS_MAX, Feeds};
use crate::door::Seated;

/// The longest message of a client, in bytes. Theirs have some hundred.
pub const MESSAGE_MAX: usize = 64 * 1024;
/// How often a client is pinged.
const PING: Duration = Duration::from_secs(30);
/// How many pings in a row may remain without an answer.
const SILENT_MAX: u32 = 3;
/// Calls that are answered at once after a client has connected. It asks for every board of a large
/// hall then, and the last answer must not take seconds.
const AT_FIRST: usize = FEEDS_MAX;
/// Calls that are answered at once in each later period; others wait. A client that asks in a loop
/// must not take the time of the tables.
const CALLS: usize = 50;
/// The length of a period.
const PERIOD: Duration = Duration::from_secs(1);

/// Why a client is not served any longer.
enum End {
    /// It is gone, or does not speak WebSocket.
    Gone,
    /// It reads nothing.
    Lags,
}

/// Serves a client until it goes.
pub async fn serve(socket: WebSocket, shown: Shown, seat: Seated) {
    let figures = shown.figures.clone();
    let _present = shown.client();
    let mut session = Session::new(socket, shown);
    let ended = tokio::select! {
        ended = session.go() => ended,
        () = seat.given_away() => End::Gone,
    };
    if matches!(ended, End::Lags) {
        figures.lags();
        tracing::debug!("a LiveChess client takes nothing: it is cut");
    }
}

struct Session {
    socket: WebSocket,
    shown: Shown,
    feeds: Feeds,
    /// Pings since the client was heard last.
    silent: u32,
    /// Calls that are still answered at once.
    calls_left: usize,
}

impl Session {
    fn new(socket: WebSocket, shown: Shown) -> Self {
        Self { socket, shown, feeds: Feeds::default(), silent: 0, calls_left: AT_FIRST }
    }

    async fn go(&mut self) -> End {
        let (mut ping, mut period) = (every(PING), every(PERIOD));
        loop {
            let done = tokio::select! {
                message = self.socket.recv(), if self.calls_left > 0 => match message {
                    Some(Ok(message)) => self.hear(message).await,
                    Some(Err(_)) | None => Err(End::Gone),
                },
                changed = self.shown.hall.changed() => match changed {
                    Ok(()) => self.tell().await,
                    Err(_) => Err(End::Gone),
                },
                _ = ping.tick() => self.ask().await,
                _ = period.tick(), if self.calls_left < CALLS => {
                    self.calls_left = CALLS;
                    Ok(())
                }
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    async fn hear(&mut self, message: Message) -> Result<(), End> {
        self.silent = 0;
        self.calls_left -= 1;
        let text = match &message {
            Message::Text(text) => text.as_str(),
            // Some clients send text as bytes.
            Message::Binary(bytes) => std::str::from_utf8(bytes).unwrap_or_default(),
            // Pings were answered already.
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(End::Gone),
        };
        let hall = self.shown.hall.borrow_and_update().clone();
        let answer = self.feeds.answer(text, &hall);
        if answer.refused {
            self.shown.figures.refuses();
        }
        self.send(answer.text).await?;
        // The first message of a new feed follows at once.
        self.tell().await
    }

    async fn tell(&mut self) -> Result<(), End> {
        let hall = self.shown.hall.borrow_and_update().clone();
        for text in self.feeds.news(&hall) {
            self.send(text).await?;
        }
        Ok(())
    }

    async fn ask(&mut self) -> Result<(), End> {
        if self.silent >= SILENT_MAX {
            return Err(End::Lags);
        }
        self.silent += 1;
        self.socket.send(Message::Ping("".into())).await.map_err(why)
    }

    async fn send(&mut self, text: String) -> Result<(), End> {
        self.shown.figures.sent();
        self.socket.send(Message::Text(text.into())).await.map_err(why)
    }
}

fn every(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// The reason of an error. The door closes a socket that reads nothing with this error.
fn why(error: axum::Error) -> End {
    let mut cause: Option<&dyn Error> = Some(&error);
    while let Some(error) = cause {
        match error.downcast_ref::<io::Error>() {
            Some(error) if error.kind() == io::ErrorKind::TimedOut => return End::Lags,
            _ => cause = error.source(),
        }
    }
    End::Gone
}
