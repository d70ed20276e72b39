//! The second door of the pages: TLS, with the certificate that is current when a client connects.

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

/// The longest TLS handshake. A bad radio link needs a second or two.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most encrypted bytes that wait for a client.
const BUFFERED: usize = 16 * 1024;
/// The pause after a failed accept. The cause is nearly always a lack of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

type Connection = Came<TlsStream<TcpStream>>;

/// Listens for encrypted connections. Handshakes run side by side, so a slow one delays no other.
pub struct Encrypted {
    listener: TcpListener,
    seats: Seats,
    usher: Arc<Usher>,
    shown: watch::Receiver<Shown>,
    handshakes: JoinSet<Option<Connection>>,
}

impl Encrypted {
    /// Listens at this address with these certificates and seats.
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
                    // The default would let megabytes wait for each client.
                    socket.get_mut().1.set_buffer_limit(Some(BUFFERED));
                    Some(Came { socket, peer: Peer::new(peer, true), seat, visitor })
                }
                Ok(Err(error)) => {
                    // A browser that does not trust the certificate ends every handshake here.
                    tracing::debug!("{peer} did not agree on encryption: {error}");
                    None
                }
                Err(_) => None,
            }
        });
    }
}

async fn comes(usher: &Usher, listener: &TcpListener) -> io::Result<(TcpStream, SocketAddr)> {
    // `select!` restarts this after each finished handshake. No connection is lost by that.
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
