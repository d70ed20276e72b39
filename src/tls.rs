//! Certificates: our own, from an authority of ours or from the organizer, and those we trust at
//! other people's servers.

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

/// The only crypto library that we use, even if another one is compiled in.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}
