//! The authorities that we trust when we connect to others.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

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
