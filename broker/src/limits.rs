//! Every bound of the broker with its reason. Nothing else.

use std::time::Duration;

/// Bytes of one packet, in and out. A game of 300 moves with all its facts is below 100 KiB.
pub(crate) const PACKET_BYTES: usize = 1 << 20;

/// Bytes of one packet from someone who is not, or not yet, a known user: room for names, a
/// password and a will in CONNECT, and for some hundred filters in SUBSCRIBE.
pub(crate) const STRANGER_PACKET_BYTES: usize = 16 * 1024;

/// Clients by TCP. Tools and loggers are few; each costs a file descriptor and some 20 KiB.
pub(crate) const TCP_CLIENTS: u32 = 512;

/// Clients by WebSocket: the phones and screens of a large hall. Apart from the TCP ones, so that
/// a crowd of spectators leaves the daemon's own way in open.
pub(crate) const WEBSOCKET_CLIENTS: u32 = 2048;

/// From the connection to the end of CONNECT; a bad radio link needs a second or two.
pub(crate) const CONNECT_PATIENCE: Duration = Duration::from_secs(10);

/// A client that accepts no byte for so long is gone or hopeless; keep-alives are of this order.
pub(crate) const WRITE_PATIENCE: Duration = Duration::from_secs(30);

/// Bytes waiting for the socket before the next packet waits: one full packet may follow.
pub(crate) const OUTBOUND_BYTES: usize = 64 * 1024;

/// Bytes fetched from a socket at once: the library's own reading unit, twice.
pub(crate) const INBOUND_BYTES: usize = 8 * 1024;

/// Passwords checked at a time: a hash takes some 20 MiB and one core for 50 ms.
pub(crate) const PASSWORDS_AT_ONCE: usize = 2;

/// Retained messages: 1000 tables with nine topics each (five live, four delayed), and alerts.
pub(crate) const RETAINED_MESSAGES: usize = 16_384;

/// Messages waiting per client and lane: all retained ones, or a new subscriber would miss some.
pub(crate) const QUEUED_MESSAGES: usize = RETAINED_MESSAGES;

/// Bytes waiting per client at QoS 1 and 2: the retained state of 1000 tables at 30 KiB each.
pub(crate) const QUEUED_BYTES: usize = 32 << 20;

/// QoS 1 and 2 messages under way to a client: 6400 a second at 10 ms there and back.
pub(crate) const IN_FLIGHT: u16 = 64;

/// QoS 2 messages from a client that may be half done; common clients keep 10 to 100.
pub(crate) const RECEIVE_MAXIMUM: u16 = 256;

/// Topic aliases a client may set, each up to one topic long; clients seldom use any.
pub(crate) const TOPIC_ALIASES: u16 = 32;

/// Filters per client: a screen that names each of six topics of twenty tables. Routing looks at
/// every filter for every message.
pub(crate) const SUBSCRIPTIONS: usize = 128;

/// How long a user's session outlives its connection: a tablet that changes rooms or batteries.
pub(crate) const USER_SESSION: Duration = Duration::from_secs(60 * 60);

/// The same for a guest: a logger that is restarted.
pub(crate) const GUEST_SESSION: Duration = Duration::from_secs(10 * 60);

/// Guests' sessions that may outlive their connections at a time; each may hold [`QUEUED_BYTES`].
pub(crate) const GUEST_SESSIONS: usize = 16;

/// Between two looks for sessions that have run out.
pub(crate) const HOUSEKEEPING: Duration = Duration::from_secs(60);

/// Wait after a failed accept, which is nearly always a lack of file descriptors.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Given to clients to take their leave on shutdown.
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);

/// Dismissals that a connection may not have looked at yet; organizers change arbiters seldom.
pub(crate) const DISMISSALS: usize = 16;
