//! The embedded MQTT broker: starts, admits clients by TCP and WebSocket, and hands each only what
//! it may read. It knows no topic of the house and no chess; who may do what is the caller's
//! [`Access`].
//!
//! # Why there is code of ours around a library
//!
//! Sessions, subscriptions, retained messages, wills and the two protocol versions (3.1.1 and 5)
//! are `mqtt5`'s. Its listeners are not used: both doors are ours and give it a byte stream.
//!
//! *Delivery.* A guest who subscribes to `#` must get every topic it may read and nothing else.
//! The library asks for permission at SUBSCRIBE only, never per message and receiver. Refusing
//! the filter would lock out every ordinary tool, and narrowing it would change what SUBACK and
//! UNSUBSCRIBE speak of. So each connection runs through a `Sieve`: PUBLISH packets on their way
//! out are shown to [`Access::may_read`], those not allowed are dropped and, for QoS 1 and 2,
//! answered to the library as the client would have done. This is what Mosquitto does with its
//! read access lists. It sits in the byte stream, so it costs no second socket, needs only the
//! fixed header and the topic of a packet, holds for live, retained, queued and resumed messages
//! alike, and does not depend on the library's inside. What it cannot read, it drops.
//!
//! *Slow clients.* The library lets one PUBLISH wait up to 2 s for a QoS 1 subscriber whose lane
//! is full. Here QoS 1 and 2 never enter that lane: each session's queue, bounded and dropping
//! its oldest, is used from the start (see `tuning::Unhurried`), and a client that accepts no
//! byte for half a minute is cut. A display that was cut finds the retained state on its return.
//!
//! *WebSocket* ends in axum, because the library accepts one handshake at a time and an idle
//! connection would hold up all others.
//!
//! # What is refused
//!
//! Shared subscriptions (a guest could join an arbiter's group and swallow its alerts), client ids
//! with `/` or `\`, a client id that belongs to another user's session, CONNECT packets above
//! 16 KiB. A guest's session outlives its connection for ten minutes, and only a few of them do.

mod access;
mod admission;
mod engine;
pub mod filter;
mod frames;
mod limits;
mod server;
mod sieve;
mod tuning;
mod websocket;
mod wire;

pub use access::{Access, Principal, SENDER_PROPERTY};
pub use engine::Figures;
pub use server::{Broker, Door, Settings, StartError};
