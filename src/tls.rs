//! Certificates: what our pages show, made by an authority of our own or given by the organizer,
//! and whom we believe at a broker of somebody else's.

mod authority;
mod certificates;
mod credentials;
mod names;
pub mod trust;

use std::sync::Arc;

use rustls::crypto::CryptoProvider;

pub use certificates::{Certificates, Shown, Source, Trusted};
pub use credentials::{Credentials, Part, Unusable};
pub use names::{is_at_home, is_name};

/// The one library of algorithms, whatever else may be built in.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}
