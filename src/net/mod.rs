//! Ways to other machines: to a broker, and one request at a time to a server of other people. What
//! an address says is read here, so that the configuration can refuse one.

pub mod link;
pub mod post;
