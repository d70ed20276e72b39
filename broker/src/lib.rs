//! The embedded MQTT broker: starts, admits clients by TCP, by WebSocket and from its own process,
//! and hands each only what it may read. It knows no topic of the house and no chess; who may do
//! what is the caller's [`Access`].
//!
//! # How it works
//!
//! There is one `Log` of all that was published. A client has no queue; it has a place in that
//! log and reads on when its socket takes more. A retained topic stands there once, at its newest
//! version. So a client that is slow, or does not read at all, costs a publication nothing and
//! holds no memory but its own few kilobytes; when it catches up it is sent what is true now.
//! Payloads are shared by all who are to get them, and written from where they are.
//!
//! *Rights.* A guest who subscribes to `#` gets every topic it may read and nothing else:
//! [`Access::may_read`] is asked for each message and receiver, as Mosquitto does with its access
//! lists. Refusing the filter would lock out every ordinary tool.
//!
//! *Budgets.* All guests together hold a bounded part of memory (`budget::Budget`) and of time
//! (`share::Share`), however many they are. Who makes no progress, in bytes or in
//! acknowledgements, is cut.
//!
//! *Seats.* Connections without a CONNECT, guests and users have seats of their own, so guests keep
//! no arbiter out; each address has its share, and the greediest gives way when all are taken.
//!
//! *WebSocket* ends in axum; the packets are read and written by `mqtt-protocol-core`.
//!
//! # What is refused
//!
//! Shared subscriptions (a guest could join an arbiter's group and swallow its alerts), a client
//! id that belongs to another user's session, packets of guests above 16 KiB. A guest's session
//! outlives its connection for ten minutes, and only a few of them do; a guest's will is not kept,
//! because guests publish nothing. Nobody may be silent for ever: version 5 is given a keep-alive
//! of a minute at most, 3.1.1 five minutes.

mod access;
mod admission;
mod budget;
mod codec;
mod connection;
mod engine;
mod exchange;
pub mod filter;
mod hub;
mod limits;
mod log;
mod message;
mod outbox;
mod refusals;
mod seats;
mod server;
mod session;
mod share;
mod subscriptions;
#[cfg(test)]
mod tests;
mod time;
mod turns;
mod websocket;

pub use access::{Access, Principal, SENDER_PROPERTY};
pub use engine::Figures;
pub use refusals::Refusals;
pub use seats::{Seat, Seats, household};
pub use server::{Broker, Door, Settings, StartError, bounded, listen};
pub use turns::{Turn, Turns};
