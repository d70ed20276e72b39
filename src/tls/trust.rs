//! The authorities that we trust when we connect to others.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, ClientConfig, RootCertStore};

use super::credentials::unreadable;
use super::provider;

/// A configuration that trusts the authorities of a file, or without a file those of this machine.
///
/// # Errors
/// If there is no authority to trust. The text says what to do.
pub fn client(ca_file: &Path) -> Result<Arc<ClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    let named = !ca_file.as_os_str().is_empty();
    let certificates = if named { of_file(ca_file)? } else { of_this_machine() };
    roots.add_parsable_certificates(certificates);
    if roots.is_empty() {
        return Err(match named {
            true => format!("{} holds no certificate in PEM", ca_file.display()),
            false => "this machine trusts no authority (Debian: install ca-certificates); write \
                      the server's in ca_file"
                .to_owned(),
        });
    }
    let client = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(Arc::new(client.with_root_certificates(roots).with_no_client_auth()))
}

/// What to do about a server at this host whose certificate is not believed, where `ca_file` has
/// the authorities to believe. None: the error is another one.
#[must_use]
pub fn remedy(error: &io::Error, host: &str) -> Option<String> {
    let error = error.get_ref()?.downcast_ref::<rustls::Error>()?;
    let rustls::Error::InvalidCertificate(why) = error else { return None };
    let name = match host.parse::<std::net::IpAddr>() {
        Ok(_) => format!("IP:{host}"),
        Err(_) => format!("DNS:{host}"),
    };
    Some(match why {
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            format!("it is for another name; make it with -addext subjectAltName={name}")
        }
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => {
            "make a new one, or look whether this machine's clock is right".to_owned()
        }
        // What webpki says of it has no name of its own here.
        CertificateError::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            format!(
                "it is that of an authority, as \"openssl req -x509\" makes it; add -addext \
                 basicConstraints=critical,CA:FALSE -addext subjectAltName={name}"
            )
        }
        _ => "ca_file names whom to believe".to_owned(),
    })
}

fn of_file(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect)
        .map_err(|error| format!("{} {}", path.display(), unreadable(&error)))
}

fn of_this_machine() -> Vec<CertificateDer<'static>> {
    let found = rustls_native_certs::load_native_certs();
    for error in found.errors {
        tracing::warn!("an authority of this machine is left out: {error}");
    }
    found.certs
}
