//! Host and virtual board together, real recordings, and laws that hold for any bytes.

mod bench;
mod captures;
mod conversation;
mod laws;
mod probing;
