//! The doors of the pages. Connections are counted by address and have time limits, and the
//! processor time of each is charged to its visitor.

pub mod encrypted;
mod peer;
pub mod share;
pub mod visitor;

pub use peer::{FromHere, Peer};
pub(crate) use peer::{is_own_page, text};

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use adoubed_broker::{Seat, Seats};
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio::time::{Sleep, sleep, timeout};

use visitor::{Usher, Visitor};

/// The time for a request's header from its first byte, and the idle time between two requests.
const HEADER: Duration = Duration::from_secs(10);
/// The time from the end of the header to the answer. Passwords are checked one after another.
const ANSWER: Duration = Duration::from_secs(30);
/// How long a client may read nothing of its answer.
const WRITE: Duration = Duration::from_secs(30);
/// The longest header, in bytes. Those of our pages have some hundred.
const HEADER_BYTES: usize = 16 * 1024;
/// The pause after a failed accept. The cause is nearly always a lack of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// A source of connections.
pub trait Door: Send + 'static {
    /// A connection.
    type Io: AsyncRead + AsyncWrite + Send + Unpin + 'static;

    /// Waits for a connection that gets a seat.
    fn accept(&mut self) -> impl Future<Output = Came<Self::Io>> + Send;
}

/// A connection that was accepted.
pub struct Came<S> {
    /// Its socket.
    pub socket: S,
    /// Its far end.
    pub peer: Peer,
    /// Its seat.
    pub seat: Seat,
    /// The visitor whose time it uses.
    pub visitor: Arc<Visitor>,
}

/// The door without encryption.
pub struct Open {
    listener: TcpListener,
    seats: Seats,
    usher: Arc<Usher>,
}

impl Open {
    /// Listens at this address with these seats.
    pub fn new(listener: TcpListener, seats: Seats, usher: Arc<Usher>) -> Self {
        Self { listener, seats, usher }
    }
}

impl Door for Open {
    type Io = tokio::net::TcpStream;

    async fn accept(&mut self) -> Came<Self::Io> {
        loop {
            self.usher.opens().await;
            match self.listener.accept().await {
                Ok((socket, address)) => {
                    // Otherwise the connection is closed, and an honest client tries again.
                    if let Some(visitor) = self.usher.meet(address.ip())
                        && let Some(seat) = self.seats.take(address.ip())
                    {
                        let _ = socket.set_nodelay(true);
                        return Came { socket, peer: Peer::new(address, false), seat, visitor };
                    }
                }
                Err(error) => {
                    tracing::debug!("a connection was not accepted: {error}");
                    sleep(PAUSE).await;
                }
            }
        }
    }
}

/// The seat of a connection. It becomes free when the last holder drops it, so an upgraded
/// connection keeps it.
pub type Seated = Arc<Seat>;

/// Serves the pages at a door, for ever.
pub async fn serve(mut door: impl Door, router: Router) {
    let router = router.layer(axum::middleware::from_fn(in_time));
    loop {
        let Came { socket, peer, seat, visitor } = door.accept().await;
        let seat: Seated = Arc::new(seat);
        let router = router
            .clone()
            .layer(Extension(Arc::clone(&seat)))
            .layer(Extension(Arc::clone(&visitor)))
            .layer(Extension(ConnectInfo(peer)));
        tokio::spawn(async move {
            let socket = TokioIo::new(Patient::new(socket, WRITE));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER)
                .max_buf_size(HEADER_BYTES)
                .serve_connection(socket, TowerToHyperService::new(router))
                .with_upgrades();
            tokio::select! {
                // The client is gone, so an error has no reader.
                _ = visitor.serves(connection) => {}
                () = seat.given_away() => {}
            }
        });
    }
}

async fn in_time(
    FromHere(here): FromHere,
    Extension(visitor): Extension<Arc<Visitor>>,
    request: Request,
    next: Next,
) -> Response {
    if !here {
        visitor.asks_for_others().await;
    }
    let late = |_| (StatusCode::REQUEST_TIMEOUT, "too slow\n").into_response();
    timeout(ANSWER, next.run(request)).await.unwrap_or_else(late)
}

/// A socket that is closed if it accepts no bytes for too long.
struct Patient<S> {
    socket: S,
    patience: Duration,
    waits: Option<Pin<Box<Sleep>>>,
}

impl<S: Unpin> Patient<S> {
    fn new(socket: S, patience: Duration) -> Self {
        Self { socket, patience, waits: None }
    }

    fn patiently<T>(
        &mut self,
        cx: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.waits = None;
            return outcome;
        }
        let patience = self.patience;
        let waits = self.waits.get_or_insert_with(|| Box::pin(sleep(patience)));
        match waits.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.patiently(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(cx, pieces);
        self.patiently(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.socket).poll_flush(cx);
        self.patiently(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.socket).poll_shutdown(cx);
        self.patiently(cx, shut)
    }
}

#[cfg(test)]
mod tests;
