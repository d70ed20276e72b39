//! The byte stream between the library and one client: the client's packets are measured, the
//! library's pass the sieve, and the sieve's answers are slipped in between two packets.
//! No decision is taken here.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use mqtt5::broker::transport::WebSocketTransport;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use crate::frames::{BadLength, Frames};
use crate::limits::{INBOUND_BYTES, OUTBOUND_BYTES};
use crate::sieve::Sieve;

/// One client's stream as the library sees it.
pub(crate) struct Wire<S> {
    /// The library wants `Sync`, which a WebSocket is not; the lock is never contended, never held.
    socket: Mutex<S>,
    peer: SocketAddr,
    inbound: Backlog,
    frames: Frames,
    outbound: Backlog,
    sieve: Sieve,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    laggards: Arc<AtomicU64>,
}

/// What a wire is made from besides its socket.
pub(crate) struct Terms {
    pub peer: SocketAddr,
    /// Bytes the client has already sent, to be read first.
    pub read: Vec<u8>,
    /// The longest packet this client may send, in bytes.
    pub limit: usize,
    pub sieve: Sieve,
    /// How long the client may accept no byte.
    pub patience: Duration,
    /// Counts the clients cut for not reading.
    pub laggards: Arc<AtomicU64>,
}

impl<S> Wire<S> {
    pub(crate) fn new(socket: S, terms: Terms) -> Self {
        Self {
            socket: Mutex::new(socket),
            peer: terms.peer,
            inbound: Backlog { bytes: terms.read, done: 0 },
            frames: Frames::new(terms.limit),
            outbound: Backlog::default(),
            sieve: terms.sieve,
            patience: terms.patience,
            stalled: None,
            laggards: terms.laggards,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        let before = buf.filled().len();
        loop {
            wire.read_answers(buf);
            wire.read_inbound(buf)?;
            if buf.filled().len() > before || buf.remaining() == 0 {
                return Poll::Ready(Ok(()));
            }
            if !ready!(wire.poll_fetch(cx))? {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl<S: AsyncRead + Unpin> Wire<S> {
    fn read_answers(&mut self, buf: &mut ReadBuf<'_>) {
        if self.frames.between_packets() {
            let answers = self.sieve.answers();
            let length = answers.len().min(buf.remaining());
            buf.put_slice(answers.get(..length).unwrap_or_default());
            answers.drain(..length);
        }
    }

    /// Hands on what has come, but stops between two packets while answers wait.
    fn read_inbound(&mut self, buf: &mut ReadBuf<'_>) -> io::Result<()> {
        let blocked =
            |wire: &mut Self| wire.frames.between_packets() && !wire.sieve.answers().is_empty();
        while !blocked(self) {
            let piece = self.inbound.front(buf.remaining());
            if piece.is_empty() {
                break;
            }
            let step = self.frames.step(piece).map_err(invalid)?;
            buf.put_slice(piece.get(..step.used).unwrap_or(piece));
            self.inbound.advance(step.used);
        }
        Ok(())
    }

    /// Waits for bytes of the client; false at the end of its stream.
    fn poll_fetch(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<bool>> {
        let mut space = [0; INBOUND_BYTES];
        let mut fetched = ReadBuf::new(&mut space);
        let socket = self.socket.get_mut().unwrap_or_else(PoisonError::into_inner);
        ready!(Pin::new(socket).poll_read(cx, &mut fetched))?;
        self.inbound.bytes.extend_from_slice(fetched.filled());
        Poll::Ready(Ok(!fetched.filled().is_empty()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        if wire.outbound.len() >= OUTBOUND_BYTES {
            ready!(wire.poll_patiently(cx, Self::poll_drain))?;
        }
        wire.sieve.pass(bytes, &mut wire.outbound.bytes).map_err(invalid)?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().poll_patiently(cx, |wire, cx| {
            ready!(wire.poll_drain(cx))?;
            wire.socket().poll_flush(cx)
        })
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().poll_patiently(cx, |wire, cx| {
            ready!(wire.poll_drain(cx))?;
            wire.socket().poll_shutdown(cx)
        })
    }
}

impl<S: AsyncWrite + Unpin> Wire<S> {
    fn socket(&mut self) -> Pin<&mut S> {
        Pin::new(self.socket.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// Gives the socket all that waits.
    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.outbound.len() > 0 {
            let socket = self.socket.get_mut().unwrap_or_else(PoisonError::into_inner);
            let piece = self.outbound.front(usize::MAX);
            let written = ready!(Pin::new(socket).poll_write(cx, piece))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.outbound.advance(written);
            self.stalled = None;
        }
        Poll::Ready(Ok(()))
    }

    /// Does `work`, and gives up when it has not moved for too long.
    fn poll_patiently(
        &mut self,
        cx: &mut Context<'_>,
        work: impl FnOnce(&mut Self, &mut Context<'_>) -> Poll<io::Result<()>>,
    ) -> Poll<io::Result<()>> {
        let outcome = work(self, cx);
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let sleep = || Box::pin(tokio::time::sleep(self.patience));
        ready!(self.stalled.get_or_insert_with(sleep).as_mut().poll(cx));
        self.laggards.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(peer = %self.peer, "cut a client that has stopped reading");
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> WebSocketTransport for Wire<S> {
    fn peer_addr(&self) -> mqtt5::Result<SocketAddr> {
        Ok(self.peer)
    }
}

fn invalid(_: BadLength) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a packet longer than allowed")
}

/// Bytes that wait, taken from the front.
#[derive(Default)]
struct Backlog {
    bytes: Vec<u8>,
    done: usize,
}

impl Backlog {
    fn len(&self) -> usize {
        self.bytes.len().saturating_sub(self.done)
    }

    fn front(&self, most: usize) -> &[u8] {
        let rest = self.bytes.get(self.done..).unwrap_or_default();
        rest.get(..most).unwrap_or(rest)
    }

    fn advance(&mut self, count: usize) {
        self.done += count;
        if self.len() == 0 {
            self.done = 0;
            self.bytes.clear();
            self.bytes.shrink_to(OUTBOUND_BYTES);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::PACKET_BYTES;
    use std::time::Instant;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    fn wire(read: &[u8], limit: usize, width: usize) -> (Wire<DuplexStream>, DuplexStream) {
        let (ours, theirs) = duplex(width);
        let sieve = Sieve::new(Box::new(|topic| topic != "no"), 4, Arc::default());
        let peer = SocketAddr::from(([127, 0, 0, 1], 1));
        let laggards = Arc::default();
        let patience = Duration::from_secs(60);
        let terms = Terms { peer, read: read.to_vec(), limit, sieve, patience, laggards };
        (Wire::new(ours, terms), theirs)
    }

    const WITHHELD: [u8; 8] = [0x32, 6, 0, 2, b'n', b'o', 0, 9];

    async fn read(wire: &mut Wire<DuplexStream>, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        wire.read_exact(&mut bytes).await.unwrap();
        bytes
    }

    #[tokio::test]
    async fn an_answer_waits_for_the_end_of_the_packet_being_read() {
        let (mut wire, mut client) = wire(&[0x30, 4, 0], PACKET_BYTES, 1024);
        assert_eq!(read(&mut wire, 3).await, [0x30, 4, 0]);
        wire.write_all(&WITHHELD).await.unwrap();
        client.write_all(&[1, b't', b'x', 0xc0, 0]).await.unwrap();
        let expected = [1, b't', b'x', 0x40, 2, 0, 9, 0xc0, 0];
        assert_eq!(read(&mut wire, expected.len()).await, expected);
    }

    #[tokio::test]
    async fn an_answer_is_read_even_when_the_client_is_silent() {
        let (mut wire, _client) = wire(&[], PACKET_BYTES, 1024);
        wire.write_all(&WITHHELD).await.unwrap();
        assert_eq!(read(&mut wire, 1).await, [0x40]);
        assert_eq!(read(&mut wire, 3).await, [2, 0, 9]);
    }

    #[tokio::test]
    async fn a_packet_above_the_limit_ends_the_stream() {
        let (mut wire, mut client) = wire(&[], 100, 1024);
        client.write_all(&[0x30, 0x80, 0x01]).await.unwrap();
        let error = wire.read_u8().await.and(wire.read_u16().await).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    fn long_message() -> Vec<u8> {
        let mut message = vec![0x30, 100, 0, 1, b'y'];
        message.resize(102, 0);
        message
    }

    #[tokio::test]
    async fn a_client_that_never_reads_is_cut() {
        let (mut wire, _client) = wire(&[], PACKET_BYTES, 16);
        wire.patience = Duration::from_millis(50);
        wire.write_all(&long_message()).await.unwrap();
        let begun = Instant::now();
        assert_eq!(wire.flush().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() >= wire.patience);
        assert_eq!(wire.laggards.load(Ordering::Relaxed), 1);
    }

    /// Seven readings of 16 bytes take longer than the patience, each of them less.
    #[tokio::test]
    async fn a_slow_client_that_reads_is_not_cut() {
        let (mut wire, mut client) = wire(&[], PACKET_BYTES, 16);
        wire.patience = Duration::from_millis(1500);
        wire.write_all(&long_message()).await.unwrap();
        let reader = tokio::spawn(async move {
            let mut got = Vec::new();
            while got.len() < 102 {
                tokio::time::sleep(Duration::from_millis(300)).await;
                let mut space = [0; 16];
                let count = client.read(&mut space).await.unwrap();
                got.extend_from_slice(&space[..count]);
            }
            got
        });
        let begun = Instant::now();
        wire.flush().await.unwrap();
        assert!(begun.elapsed() > wire.patience);
        assert_eq!(reader.await.unwrap(), long_message());
    }
}
