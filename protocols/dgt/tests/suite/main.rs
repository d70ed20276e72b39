//! Host and virtual board together, real recordings, and laws that hold for any bytes.

mod bench;
mod bus;
mod bus_bench;
mod bus_laws;
mod captures;
mod conversation;
mod latency;
mod laws;
mod probing;
