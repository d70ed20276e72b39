//! The certificate the pages show at this moment: read again when its files change, made anew
//! when it ends or when this machine gets another address, without a restart.

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

/// Between two looks at files, addresses and dates.
const LOOK: Duration = Duration::from_secs(60);
/// An organizer is told this many days before his certificate ends.
const SOON_DAYS: i64 = 14;

/// Where the certificate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The organizer's files.
    Given {
        /// The chain, the pages' own first.
        certificate: PathBuf,
        /// Its key.
        key: PathBuf,
    },
    /// Our own authority in this directory, for these names besides those of the machine.
    Own {
        /// Where its certificates are kept.
        directory: PathBuf,
        /// In lower case.
        names: Vec<String>,
    },
}

/// What is shown now.
#[derive(Clone, Debug)]
pub struct Shown {
    chain: Vec<CertificateDer<'static>>,
    /// How connections are begun.
    pub server: Arc<ServerConfig>,
    /// Until when it is good.
    pub expires: WallTime,
    /// The names and addresses it is for.
    pub names: Vec<String>,
    /// Whom a tablet must be told to trust, if it is an authority of ours.
    pub authority: Option<Trusted>,
}

/// A certificate to be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trusted {
    /// As bytes.
    pub der: Vec<u8>,
    /// As text.
    pub pem: String,
    /// SHA-256, as devices show it.
    pub fingerprint: String,
}

/// The certificate of the pages.
pub struct Certificates {
    source: Mutex<Source>,
    shown: watch::Sender<Shown>,
    /// What was complained of last: it is said once.
    complaint: Mutex<String>,
}

impl Certificates {
    /// Reads or makes it.
    ///
    /// # Errors
    /// When files cannot be read or written, or are of no use.
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

    /// What is shown now.
    #[must_use]
    pub fn shown(&self) -> Shown {
        self.shown.borrow().clone()
    }

    /// What new connections are shown.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Shown> {
        self.shown.subscribe()
    }

    /// Takes the certificate from where the configuration says now.
    pub fn configure(&self, source: Source) {
        *lock(&self.source) = source;
        self.look();
    }

    /// Looks for changes, for ever.
    pub async fn keep(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK).await;
            let it = Arc::clone(&self);
            // Files are read and keys are made: not on the threads that serve.
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
