//! The doors (TCP, WebSocket, and one for its own process), and the broker's beginning and end.
//! What happens behind a door is the engine's.

use std::collections::BTreeSet;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::response::Response;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tracing::{info, warn};

use crate::access::Access;
use crate::engine::{Engine, Figures, Peer};
use crate::limits;
use crate::websocket::WebSocketBytes;

/// What a broker needs to know.
#[derive(Clone)]
pub struct Settings {
    /// Where MQTT clients connect by TCP; port 0 takes any free one.
    pub listen: SocketAddr,
    /// Who may do what.
    pub access: Arc<dyn Access>,
    /// Seats for guests in all.
    pub guests: usize,
    /// Seats for guests from one address; this machine may take them all.
    pub guests_per_address: usize,
}

/// Why there is no broker.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken, not this machine's, or needs rights we lack.
    #[error("listen for MQTT on {address}: {source}")]
    Listen {
        /// The address asked for.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
}

/// A running broker. Dropped, it closes its doors and cuts its clients.
pub struct Broker {
    address: SocketAddr,
    door: Door,
    tasks: [AbortHandle; 2],
}

impl Broker {
    /// Starts listening; must be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When the address cannot be listened on.
    pub async fn start(settings: Settings) -> Result<Self, StartError> {
        let address = settings.listen;
        let refused = |source| StartError::Listen { address, source };
        let listener = listen(address).map_err(refused)?;
        let bound = listener.local_addr().map_err(refused)?;
        Ok(Self::open(listener, bound, &settings))
    }

    // Not in the future above: what that holds is generated again in each caller's crate.
    fn open(listener: TcpListener, address: SocketAddr, settings: &Settings) -> Self {
        let door = Door { shared: Arc::new(Shared::new(Engine::new(settings))) };
        let house = Arc::clone(&door.shared);
        let tasks = [
            tokio::spawn(accept(listener, door.clone())).abort_handle(),
            tokio::spawn(async move { house.engine.keep_house().await }).abort_handle(),
        ];
        info!(%address, "MQTT broker listening");
        Self { address, door, tasks }
    }

    /// Where TCP clients connect: the address asked for, with the port the system gave for 0.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The way in for all who do not come by TCP.
    #[must_use]
    pub fn door(&self) -> Door {
        self.door.clone()
    }

    /// Closes the doors, takes leave of the clients (version 5 is told why), and cuts those that
    /// have not left after two seconds.
    pub async fn shutdown(self) {
        self.close();
        let shared = &self.door.shared;
        if timeout(limits::FAREWELL, shared.empty()).await.is_err() {
            shared.phase.send_replace(Phase::Cut);
            shared.empty().await;
        }
        info!(address = %self.address, "MQTT broker stopped");
    }

    fn close(&self) {
        for task in &self.tasks {
            task.abort();
        }
        self.door.shared.phase.send_replace(Phase::Closing);
        self.door.shared.engine.stop();
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.close();
        self.door.shared.phase.send_replace(Phase::Cut);
    }
}

/// The way in for WebSockets, and for a client of this process. Cheap to clone.
#[derive(Clone)]
pub struct Door {
    shared: Arc<Shared>,
}

impl Door {
    /// Answers an upgrade request of axum's and serves the client that comes of it.
    #[must_use]
    pub fn upgrade(&self, upgrade: WebSocketUpgrade, peer: SocketAddr) -> Response {
        let door = self.clone();
        bounded(upgrade, limits::WEBSOCKET_BYTES)
            // The second is what old Paho clients ask for; both mean the same stream.
            .protocols(["mqtt", "mqttv3.1"])
            .on_upgrade(move |socket| async move { door.websocket(socket, peer).await })
    }

    /// Serves one MQTT client until it leaves. Prefer [`Door::upgrade`], which sets the limits of
    /// the WebSocket.
    pub async fn websocket(&self, socket: WebSocket, peer: SocketAddr) {
        self.serve_websocket(socket, peer).await;
    }

    /// Opens a connection of this process, without a socket, and serves its far end. Must be called
    /// within a tokio runtime.
    #[must_use]
    pub fn inside(&self) -> DuplexStream {
        let (client, far_end) = tokio::io::duplex(limits::INSIDE_BYTES);
        let shared = Arc::clone(&self.shared);
        let serve =
            async move { shared.admit(far_end, Peer::inside(), limits::PACKET_BYTES).await };
        tokio::spawn(serve);
        client
    }

    /// Tells the clients of these users to leave, politely: what the answers of [`Access`] would be
    /// if they came back is the caller's matter.
    pub fn dismiss(&self, users: BTreeSet<String>) {
        self.shared.engine.dismiss(&users);
    }

    /// Counts for the curious.
    pub async fn figures(&self) -> Figures {
        self.shared.engine.figures()
    }

    // Boxed, so that the broker's code is generated in this crate and not again in each caller's.
    fn serve_websocket(
        &self,
        socket: WebSocket,
        peer: SocketAddr,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let peer = Peer::outside(peer);
            shared.admit(WebSocketBytes::new(socket), peer, limits::WEBSOCKET_BYTES).await;
        })
    }

    async fn serve_tcp(self, socket: TcpStream, peer: SocketAddr) {
        if let Err(error) = socket.set_nodelay(true) {
            warn!(%peer, %error, "small packets may be late");
        }
        self.shared.admit(socket, Peer::outside(peer), limits::PACKET_BYTES).await;
    }
}

/// An upgrade whose WebSocket holds little while it waits: a message of so many bytes that is not
/// whole yet, or one that its socket does not take. Left alone it takes 128 KiB for each direction,
/// and messages of 64 MiB.
pub fn bounded(upgrade: WebSocketUpgrade, message: usize) -> WebSocketUpgrade {
    upgrade
        .read_buffer_size(limits::INBOUND_BYTES)
        .write_buffer_size(0)
        .max_message_size(message)
        .max_frame_size(message)
}

/// Listens for strangers: what the system holds of bytes for each of them is bounded too.
///
/// # Errors
///
/// When the address is taken, not this machine's, or needs rights we lack.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // What is accepted here inherits them.
    socket.set_send_buffer_size(limits::SOCKET_BYTES)?;
    socket.set_recv_buffer_size(limits::SOCKET_BYTES)?;
    socket.bind(address)?;
    socket.listen(limits::KNOCKING)
}

async fn accept(listener: TcpListener, door: Door) {
    loop {
        match listener.accept().await {
            Ok((socket, peer)) => {
                tokio::spawn(door.clone().serve_tcp(socket, peer));
            }
            Err(error) => {
                warn!(%error, "cannot accept an MQTT client");
                tokio::time::sleep(limits::ACCEPT_PAUSE).await;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    Closing,
    Cut,
}

struct Shared {
    engine: Engine,
    phase: watch::Sender<Phase>,
    /// Connections that are served.
    served: watch::Sender<usize>,
}

impl Shared {
    fn new(engine: Engine) -> Self {
        Self { engine, phase: watch::Sender::new(Phase::Open), served: watch::Sender::new(0) }
    }

    /// Serves a client whose packets have so many bytes at most.
    async fn admit<S>(&self, socket: S, peer: Peer, longest: usize)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin,
    {
        let _served = Served::new(&self.served);
        let mut phase = self.phase.subscribe();
        if *phase.borrow() != Phase::Open {
            return;
        }
        tokio::select! {
            () = self.engine.serve(socket, peer, longest) => {}
            _ = phase.wait_for(|phase| *phase == Phase::Cut) => {}
        }
    }

    /// Waits until nobody is served any more.
    async fn empty(&self) {
        // The sender is ours: it cannot be gone.
        let _ = self.served.subscribe().wait_for(|served| *served == 0).await;
    }
}

/// Counts a connection as long as it is served.
struct Served<'a>(&'a watch::Sender<usize>);

impl<'a> Served<'a> {
    fn new(count: &'a watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count)
    }
}

impl Drop for Served<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}
