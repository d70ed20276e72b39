//! Every bound of the broker with its reason. Nothing else.

use std::time::Duration;

/// Bytes of one packet of a user. A game of 300 moves with all its facts is below 100 KiB.
pub(crate) const PACKET_BYTES: usize = 1 << 20;

/// Bytes of one packet from someone who is not, or not yet, a known user: room for names, a
/// password and a will in CONNECT, and for some hundred filters in SUBSCRIBE.
pub(crate) const STRANGER_PACKET_BYTES: usize = 16 * 1024;

/// Bytes of one message of a WebSocket, and so of one packet in it, whoever sends it: the message
/// is whole before anybody knows whose it is. An arbiter's requests have a few KiB.
pub(crate) const WEBSOCKET_BYTES: usize = 32 * 1024;

/// Connections whose CONNECT is still to come, and those of one address.
pub(crate) const STRANGERS: usize = 256;
pub(crate) const STRANGERS_PER_ADDRESS: usize = 64;

/// Connections of users: the tablets and tools of arbiters.
pub(crate) const USERS: usize = 256;

/// Connections of the broker's own process, of which each takes two until its CONNECT is answered.
pub(crate) const INSIDE: usize = 16;

/// From the connection to the end of CONNECT; a bad radio link needs a second or two.
pub(crate) const CONNECT_PATIENCE: Duration = Duration::from_secs(10);

/// A client with something to take makes progress within this time, or is cut: it acknowledges
/// something, and accepts [`PROGRESS_BYTES`]. Keep-alives are of this order.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The same while the guests' budget is nearly spent.
pub(crate) const PATIENCE_UNDER_PRESSURE: Duration = Duration::from_secs(5);

/// What a client accepts within [`PATIENCE`], if so much waits for it. The slowest radio links
/// carry twice as much; whoever reads a byte now and then only holds a seat.
pub(crate) const PROGRESS_BYTES: usize = 16 * 1024;

/// Packets of a user that are taken before others have their turn.
pub(crate) const PACKETS_AT_ONCE: usize = 64;

/// Bytes waiting for the socket before the next message waits in the log. One message may follow;
/// a long payload is not copied.
pub(crate) const OUTBOUND_BYTES: usize = 8 * 1024;

/// Payloads up to this are copied behind their header, longer ones are written from where they are.
pub(crate) const COPIED_BYTES: usize = 4 * 1024;

/// Bytes that wait in each direction between the broker and a client of its own process. A packet
/// of the longest goes in beside whatever else waits: two ends that both write without reading
/// would stand still. Only what waits is held.
pub(crate) const INSIDE_BYTES: usize = 2 * PACKET_BYTES;

/// Room to read into: for a CONNECT, for a user, for a WebSocket. It holds several messages of a
/// game. Guests begin without it.
pub(crate) const INBOUND_BYTES: usize = 4 * 1024;

/// What all guests together may hold: connections, filters, and payloads on their way. The unit
/// gives the daemon 1 GiB, of which a large hall needs less than 200 MiB.
pub(crate) const GUESTS_BYTES: usize = 128 << 20;

/// Of these, what only those may hold whose address holds less than an equal part: 400 screens
/// that come before one of the others has given way.
pub(crate) const MODEST_BYTES: usize = 16 << 20;

/// What a connection costs before it has done anything: its task, its buffers, its session.
pub(crate) const CONNECTION_BYTES: usize = 32 * 1024;

/// What a level of a filter costs: a node of a tree and its key.
pub(crate) const FILTER_LEVEL_BYTES: usize = 128;

/// What the filters of one guest may hold: each of six topics of twenty tables.
pub(crate) const FILTERS_BYTES: usize = 96 * 1024;

/// Levels of a filter. The deepest topic of the hall has five.
pub(crate) const FILTER_LEVELS: usize = 32;

/// Filters per client: a screen that names each of six topics of twenty tables.
pub(crate) const SUBSCRIPTIONS: usize = 128;

/// Bytes of a client id.
pub(crate) const CLIENT_ID_BYTES: usize = 256;

/// Passwords checked at a time: a hash takes some 20 MiB and one core for 50 ms.
pub(crate) const PASSWORDS_AT_ONCE: usize = 2;

/// Bytes of what the host retains: 1000 tables at 256 KiB each would be absurd. He bounds the
/// number of his topics himself; one that is refused would be an alert that no arbiter sees.
pub(crate) const HOST_RETAINED_BYTES: usize = 256 << 20;

/// Messages that all other users together retain, and their bytes: whatever their tools note there.
pub(crate) const RETAINED_MESSAGES: usize = 1024;
pub(crate) const RETAINED_BYTES: usize = 8 << 20;

/// Bytes of messages that are not retained and wait for slow clients: 300 boards in blitz publish
/// 90 KB a second, so that whoever was away for three minutes misses nothing.
pub(crate) const PASSING_BYTES: usize = 16 << 20;

/// Topics that were cleared and whose clearing slow clients may still be told: a day's alerts.
pub(crate) const CLEARED_TOPICS: usize = 4096;

/// What a message costs besides its topic, properties and payload.
pub(crate) const MESSAGE_BYTES: usize = 256;

/// QoS 1 and 2 messages under way to a client: 6400 a second at 10 ms there and back.
pub(crate) const IN_FLIGHT: u16 = 64;

/// QoS 2 messages from a client that may be half done; common clients keep 10 to 100.
pub(crate) const RECEIVE_MAXIMUM: u16 = 256;

/// Topic aliases a user may set, each up to one topic long; clients seldom use any. Guests, who
/// publish nothing, have none.
pub(crate) const TOPIC_ALIASES: u16 = 32;

/// The longest silence a client may ask for. Version 5 is told; what most clients ask for anyway.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(60);

/// The same for 3.1.1, which cannot be told.
pub(crate) const KEEP_ALIVE_UNTOLD: Duration = Duration::from_secs(300);

/// Messages of the log looked at before others have their turn.
pub(crate) const LOOKS_AT_ONCE: usize = 256;

/// Packets besides acknowledgements a guest may send at once, and then for each second: a page
/// subscribes to some filters, and says every half minute that it is there.
pub(crate) const GUEST_PACKETS_AT_ONCE: u32 = 100;
pub(crate) const GUEST_PACKETS_PER_SECOND: u32 = 10;

/// What all guests together may use, as a part of a core: half of one. The tables of 300 boards
/// take 5 ms for each screen, and 100 screens come back at once after a power cut.
pub(crate) const GUESTS_PART: u32 = 2;

/// For how long a share that is not used is saved up.
pub(crate) const SHARE_PERIOD: Duration = Duration::from_millis(100);

/// What an address that was away has before the others: some turns, for the messages of a round
/// that begins. While 160 that come together use theirs, nobody else has a turn for 0.16 s.
pub(crate) const SHARE_SAVED: Duration = Duration::from_micros(500);

/// Between two looks for time, if guests wait for it.
pub(crate) const SHARE_PAUSE: Duration = Duration::from_millis(1);

/// Addresses of which it is remembered how much they have used: more than guests have seats.
pub(crate) const ORIGINS: usize = 4096;

/// Packets of a guest that are taken in one turn: a page begins with a few.
pub(crate) const PACKETS_IN_A_TURN: usize = 16;

/// What it takes to wake a client and write to its socket, to look at a message, to put one into
/// words, and for each KiB of it: an order of magnitude, as measured on a small machine.
pub(crate) const TIME_OF_TURN: Duration = Duration::from_micros(12);
pub(crate) const TIME_OF_LOOK: Duration = Duration::from_nanos(300);
pub(crate) const TIME_OF_MESSAGE: Duration = Duration::from_micros(1);
pub(crate) const TIME_OF_KIB: Duration = Duration::from_micros(1);

/// The same to read from a socket, to take a packet and each filter in it, to let a client in, and
/// what a turn is taken for before it is over.
pub(crate) const TIME_OF_READING: Duration = Duration::from_micros(10);
pub(crate) const TIME_OF_PACKET: Duration = Duration::from_micros(3);
pub(crate) const TIME_OF_FILTER: Duration = Duration::from_micros(1);
pub(crate) const TIME_OF_COMING: Duration = Duration::from_micros(100);
pub(crate) const TIME_OF_A_TURN: Duration = Duration::from_micros(50);

/// How long a user's session outlives its connection: a tablet that changes rooms or batteries.
pub(crate) const USER_SESSION: Duration = Duration::from_secs(60 * 60);

/// The same for a guest: a logger that is restarted.
pub(crate) const GUEST_SESSION: Duration = Duration::from_secs(10 * 60);

/// Guests' sessions that may outlive their connections at a time.
pub(crate) const GUEST_SESSIONS: usize = 16;

/// Between two looks for sessions that have run out, and for wills that fall due.
pub(crate) const HOUSEKEEPING: Duration = Duration::from_secs(1);

/// Wait after a failed accept, which is nearly always a lack of file descriptors.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Given to clients to take their leave on shutdown.
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);

/// Bytes still read of a client that is told why it has to leave.
pub(crate) const LAST_BYTES: u64 = 1 << 20;

/// Bytes the system may hold for a connection in each direction; it takes twice as much for them.
/// Of its own accord it would take megabytes for each client that does not read.
pub(crate) const SOCKET_BYTES: u32 = 32 * 1024;

/// Connections that wait to be accepted: all screens of a hall after a power cut.
pub(crate) const KNOCKING: u32 = 1024;

/// Between two lines in the log about what strangers did: one line for each would fill a disk.
pub(crate) const REFUSALS_LOGGED: Duration = Duration::from_secs(60);

/// Characters of a stranger's name that are logged.
pub(crate) const NAME_LOGGED: usize = 64;
