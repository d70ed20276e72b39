//! Connections to other machines: to a broker, and single requests to other people's servers.
//! Addresses are parsed here, so that the configuration can refuse a wrong one.

pub mod link;
pub mod post;
