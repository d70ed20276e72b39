//! The second door of the pages: TLS, with whatever certificate is shown at the moment.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use adoubed_broker::Seats;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::visitor::Usher;
use super::{Came, Door, Peer};
use crate::tls::Shown;

/// A bad radio link needs a second or two.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes that wait for a client, encrypted.
const BUFFERED: usize = 16 * 1024;
/// After a failed accept, which is nearly always a lack of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

type Connection = Came<TlsStream<TcpStream>>;

/// Listens for encrypted connections; nobody waits for another's handshake.
pub struct Encrypted {
    listener: TcpListener,
    seats: Seats,
    usher: Arc<Usher>,
    shown: watch::Receiver<Shown>,
    handshakes: JoinSet<Option<Connection>>,
}

impl Encrypted {
    /// Listens here and shows this; so many may sit.
    #[must_use]
    pub fn new(
        listener: TcpListener,
        seats: Seats,
        usher: Arc<Usher>,
        shown: watch::Receiver<Shown>,
    ) -> Self {
        Self { listener, seats, usher, shown, handshakes: JoinSet::new() }
    }

    fn begin(&mut self, socket: TcpStream, peer: SocketAddr) {
        let Some(visitor) = self.usher.meet(peer.ip()) else { return };
        let Some(seat) = self.seats.take(peer.ip()) else { return };
        let server = Arc::clone(&self.shown.borrow().server);
        self.handshakes.spawn(async move {
            let _ = socket.set_nodelay(true);
            let handshake = visitor.serves(TlsAcceptor::from(server).accept(socket));
            let handshake = timeout(PATIENCE, handshake);
            let agreed = tokio::select! {
                agreed = handshake => agreed,
                () = seat.given_away() => return None,
            };
            match agreed {
                Ok(Ok(mut socket)) => {
                    // What waits for one client is counted in kilobytes.
                    socket.get_mut().1.set_buffer_limit(Some(BUFFERED));
                    Some(Came { socket, peer: Peer::new(peer, true), seat, visitor })
                }
                Ok(Err(error)) => {
                    // Whoever does not trust the certificate ends it here, again and again.
                    tracing::debug!("{peer} did not agree on encryption: {error}");
                    None
                }
                Err(_) => None,
            }
        });
    }
}

async fn comes(usher: &Usher, listener: &TcpListener) -> io::Result<(TcpStream, SocketAddr)> {
    // Every finished handshake begins this anew. A connection that has come is not lost by that.
    usher.opens().await;
    listener.accept().await
}

impl Door for Encrypted {
    type Io = TlsStream<TcpStream>;

    async fn accept(&mut self) -> Connection {
        loop {
            tokio::select! {
                accepted = comes(&self.usher, &self.listener) => match accepted {
                    Ok((socket, peer)) => self.begin(socket, peer),
                    Err(error) => {
                        tracing::debug!("a connection was not accepted: {error}");
                        tokio::time::sleep(PAUSE).await;
                    }
                },
                Some(done) = self.handshakes.join_next() => {
                    if let Ok(Some(connection)) = done {
                        return connection;
                    }
                }
            }
        }
    }
}
