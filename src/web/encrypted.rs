//! The second door of the pages: TLS, with whatever certificate is shown at the moment.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::tls::Shown;

/// Handshakes at once: all screens of a hall that come back after a power cut, within seconds.
const HANDSHAKES: usize = 512;
/// A bad radio link needs a second or two.
const PATIENCE: Duration = Duration::from_secs(10);
/// After a failed accept, which is nearly always a lack of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

type Connection = (TlsStream<TcpStream>, SocketAddr);

/// Listens for encrypted connections; nobody waits for another's handshake.
pub struct Encrypted {
    listener: TcpListener,
    shown: watch::Receiver<Shown>,
    handshakes: JoinSet<Option<Connection>>,
}

/// Who is there, and through which door.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// From where.
    pub address: SocketAddr,
    /// Whether nobody on the way can read along.
    pub encrypted: bool,
}

impl Encrypted {
    /// Listens here and shows this.
    #[must_use]
    pub fn new(listener: TcpListener, shown: watch::Receiver<Shown>) -> Self {
        Self { listener, shown, handshakes: JoinSet::new() }
    }

    fn begin(&mut self, socket: TcpStream, peer: SocketAddr) {
        let server = Arc::clone(&self.shown.borrow().server);
        self.handshakes.spawn(async move {
            let _ = socket.set_nodelay(true);
            match timeout(PATIENCE, TlsAcceptor::from(server).accept(socket)).await {
                Ok(Ok(stream)) => Some((stream, peer)),
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

impl Listener for Encrypted {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> Connection {
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if self.handshakes.len() < HANDSHAKES => {
                    match accepted {
                        Ok((socket, peer)) => self.begin(socket, peer),
                        Err(error) => {
                            tracing::debug!("a connection was not accepted: {error}");
                            tokio::time::sleep(PAUSE).await;
                        }
                    }
                }
                Some(done) = self.handshakes.join_next() => {
                    if let Ok(Some(connection)) = done {
                        return connection;
                    }
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, TcpListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        Self { address: *stream.remote_addr(), encrypted: false }
    }
}

impl Connected<IncomingStream<'_, Encrypted>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Encrypted>) -> Self {
        Self { address: *stream.remote_addr(), encrypted: true }
    }
}
