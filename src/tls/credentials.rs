//! A certificate chain and its private key, from two PEM files, and why they cannot be used. The
//! key is never printed.

use std::io;
use std::path::Path;

use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{InconsistentKeys, ServerConfig};
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};

use super::provider;
use crate::time::WallTime;

/// Browsers speak MQTT over WebSocket, which is HTTP/1.1.
const PROTOCOL: &[u8] = b"http/1.1";

/// The credentials of a server.
#[derive(Debug)]
pub struct Credentials {
    /// The server's certificate first.
    pub chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    /// The end of the server certificate's validity.
    pub expires: WallTime,
    /// Its names and addresses.
    pub names: Vec<String>,
}

/// One of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The certificate.
    Certificate,
    /// Its private key.
    Key,
}

/// Why a certificate cannot be used, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct Unusable {
    /// The file at fault.
    pub part: Part,
    /// The problem in words.
    pub problem: String,
}

impl Part {
    /// Its key in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Key => "key",
        }
    }

    fn unusable(self, path: &Path, problem: impl std::fmt::Display) -> Unusable {
        Unusable { part: self, problem: format!("{} {problem}", path.display()) }
    }
}

impl Credentials {
    /// Reads and checks both files.
    ///
    /// # Errors
    /// If a file cannot be read, has the wrong content, has expired, or does not fit the other one.
    pub fn read(certificate: &Path, key: &Path, now: WallTime) -> Result<Self, Unusable> {
        let blame = |problem: String| Part::Certificate.unusable(certificate, problem);
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| blame(unreadable(&error)))?;
        let Some(first) = chain.first() else {
            return Err(blame("holds no certificate in PEM (-----BEGIN CERTIFICATE-----)".into()));
        };
        let (_, parsed) = X509Certificate::from_der(first)
            .map_err(|error| blame(format!("holds no X.509 certificate: {error}")))?;
        let valid = &parsed.tbs_certificate.validity;
        let (begins, expires) = [valid.not_before, valid.not_after]
            .map(|at| WallTime::from_micros(at.timestamp().saturating_mul(1_000_000)))
            .into();
        if expires <= now {
            let remedy = "put a new one there, or leave certificate and key out for one of our own";
            return Err(blame(format!("expired on {}; {remedy}", expires.date())));
        }
        if begins > now {
            let remedy = "look whether this machine's clock is right";
            return Err(blame(format!("is not valid before {}; {remedy}", begins.date())));
        }
        let names = names(&parsed);
        let secret = PrivateKeyDer::from_pem_file(key)
            .map_err(|error| Part::Key.unusable(key, key_unreadable(&error)))?;
        match CertifiedKey::from_der(chain.clone(), secret.clone_key(), &provider()) {
            Ok(_) => Ok(Self { chain, key: secret, expires, names }),
            Err(rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch)) => {
                let problem = format!("is not the key of {}", certificate.display());
                Err(Part::Key.unusable(key, problem))
            }
            Err(error) => Err(Part::Key.unusable(key, format!("cannot be used: {error}"))),
        }
    }

    /// What a server needs to show them.
    ///
    /// # Errors
    /// Never, for what [`Credentials::read`] has judged.
    pub fn server(&self) -> Result<ServerConfig, rustls::Error> {
        let mut server = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(self.chain.clone(), self.key.clone_key())?;
        server.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(server)
    }
}

fn names(certificate: &X509Certificate<'_>) -> Vec<String> {
    let extension = certificate.subject_alternative_name().ok().flatten();
    let names = extension.iter().flat_map(|it| &it.value.general_names);
    let text = |name: &GeneralName<'_>| match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => super::names::address(bytes).map(|it| it.to_string()),
        _ => None,
    };
    names.filter_map(text).collect()
}

pub(super) fn unreadable(error: &pem::Error) -> String {
    match error {
        pem::Error::Io(error) => format!("cannot be read: {}", plain(error)),
        error => format!("is no PEM file: {error}"),
    }
}

fn key_unreadable(error: &pem::Error) -> String {
    match error {
        pem::Error::NoItemsFound => "holds no private key in PEM; one with a password must be \
                                     written without (openssl pkey)"
            .to_owned(),
        error => unreadable(error),
    }
}

fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "permission denied; let the user of this service read it".to_owned()
        }
        _ => error.to_string(),
    }
}
