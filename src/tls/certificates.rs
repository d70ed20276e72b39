//! The present certificate of the pages. It is read again when its files change, and made anew when
//! it ends or the machine gets another address. Neither needs a restart.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::CertificateDer;
use sha2::{Digest as _, Sha256};
use tokio::sync::watch;

use super::authority;
use super::credentials::{Credentials, Unusable};
use super::names;
use crate::exit::{self, Failure};
use crate::time::{self, WallTime};

/// How often files, addresses and dates are checked.
const LOOK: Duration = Duration::from_secs(60);
/// How many days before its end the organizer is warned.
const SOON_DAYS: i64 = 14;

/// The source of the certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The organizer's files.
    Given {
        /// The chain, with the certificate of the pages first.
        certificate: PathBuf,
        /// The private key.
        key: PathBuf,
    },
    /// An authority of our own, for these names and those of the machine.
    Own {
        /// The directory of its certificates.
        directory: PathBuf,
        /// In lower case.
        names: Vec<String>,
    },
}

/// The present certificate.
#[derive(Clone, Debug)]
pub struct Shown {
    chain: Vec<CertificateDer<'static>>,
    /// The configuration for new connections.
    pub server: Arc<ServerConfig>,
    /// The end of its validity.
    pub expires: WallTime,
    /// Its names and addresses.
    pub names: Vec<String>,
    /// The authority that tablets must trust, if it is our own.
    pub authority: Option<Trusted>,
}

/// A certificate to trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trusted {
    /// In DER.
    pub der: Vec<u8>,
    /// In PEM.
    pub pem: String,
    /// SHA-256, in the notation of devices.
    pub fingerprint: String,
}

/// The certificate of the pages.
pub struct Certificates {
    source: Mutex<Source>,
    shown: watch::Sender<Shown>,
    /// The last problem. It is reported once.
    complaint: Mutex<String>,
}

impl Certificates {
    /// Reads or makes the certificate.
    ///
    /// # Errors
    /// If files cannot be read or written, or cannot be used.
    pub fn open(source: Source) -> Result<Arc<Self>, Failure> {
        let shown = source.show()?;
        shown.tell();
        let certificates = Self {
            source: Mutex::new(source),
            shown: watch::Sender::new(shown),
            complaint: Mutex::default(),
        };
        certificates.warn_of_the_end();
        Ok(Arc::new(certificates))
    }

    /// The present certificate.
    #[must_use]
    pub fn shown(&self) -> Shown {
        self.shown.borrow().clone()
    }

    /// The configuration for new connections.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Shown> {
        self.shown.subscribe()
    }

    /// Changes the source of the certificate.
    pub fn configure(&self, source: Source) {
        *lock(&self.source) = source;
        self.look();
    }

    /// Checks for changes without end.
    pub async fn keep(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK).await;
            let it = Arc::clone(&self);
            // Reading files and making keys block, so they run on another thread.
            let _ = tokio::task::spawn_blocking(move || it.look()).await;
        }
    }

    fn look(&self) {
        let source = lock(&self.source).clone();
        match source.show() {
            Ok(shown) => {
                let changed = shown.chain != self.shown.borrow().chain;
                if changed {
                    self.shown.send_replace(shown.clone());
                    shown.tell();
                }
                self.warn_of_the_end();
            }
            Err(failure) => {
                self.complain(format!("the old certificate stays: {}", failure.message));
            }
        }
    }

    fn warn_of_the_end(&self) {
        let expires = self.shown.borrow().expires;
        let left = expires.as_micros().saturating_sub(time::wall_now().as_micros());
        let days = left.div_euclid(24 * 3600 * 1_000_000);
        match days {
            SOON_DAYS.. => lock(&self.complaint).clear(),
            0.. => self.complain(format!("the pages' certificate ends in {days} days")),
            _ => self.complain(format!("the pages' certificate ended on {}", expires.date())),
        }
    }

    fn complain(&self, problem: String) {
        let mut last = lock(&self.complaint);
        if *last != problem {
            tracing::warn!("{problem}");
            *last = problem;
        }
    }
}

impl Source {
    fn show(&self) -> Result<Shown, Failure> {
        let now = time::wall_now();
        let (credentials, authority) = match self {
            Self::Given { certificate, key } => {
                let refused = |error: Unusable| {
                    Failure::new(exit::CONFIG, format!("{}: {error}", error.part.name()))
                };
                (Credentials::read(certificate, key, now).map_err(refused)?, None)
            }
            Self::Own { directory, names } => {
                let wanted = [&names[..], &names::of_this_machine()].concat();
                let (authority, credentials) = authority::credentials(directory, &wanted, now)?;
                let (der, pem) = (authority.certificate.to_vec(), authority.pem);
                let fingerprint = fingerprint(&der);
                (credentials, Some(Trusted { der, pem, fingerprint }))
            }
        };
        let server = credentials.server().map_err(|error| Failure::new(exit::SOFTWARE, error))?;
        let Credentials { chain, expires, names, .. } = credentials;
        Ok(Shown { chain, server: Arc::new(server), expires, names, authority })
    }
}

impl Shown {
    fn tell(&self) {
        let (expires, names) = (self.expires.date(), self.names.join(", "));
        tracing::info!("the pages' certificate is good until {expires}, for {names}");
        if let Some(Trusted { fingerprint, .. }) = &self.authority {
            tracing::info!("tablets learn at /trust to trust its authority: SHA-256 {fingerprint}");
        }
    }
}

/// `AB:CD:…`
fn fingerprint(der: &[u8]) -> String {
    let bytes: Vec<_> = Sha256::digest(der).iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(":")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
