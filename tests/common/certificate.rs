//! Certificates made for one test, and a client that believes in them.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::PATIENCE;
use super::http::{Reply, exchange};

/// An organizer's authority: it vouches for 127.0.0.1 and localhost.
pub struct Organizer {
    issuer: Issuer<'static, KeyPair>,
    pub pem: String,
    secret: String,
    directory: PathBuf,
}

impl Organizer {
    pub fn new(directory: &Path) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let pem = params.self_signed(&key).expect("a certificate").pem();
        let (secret, directory) = (key.serialize_pem(), directory.to_owned());
        Self { issuer: Issuer::new(params, key), pem, secret, directory }
    }

    /// Writes `name.crt` and `name.key`, good until the end of this year.
    pub fn issue(&self, name: &str, year: i32) -> (PathBuf, PathBuf) {
        let names = ["127.0.0.1".to_owned(), "localhost".to_owned()];
        let mut params = CertificateParams::new(names).expect("names");
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(year, 12, 31);
        let key = KeyPair::generate().expect("a key");
        let made = params.signed_by(&key, &self.issuer).expect("a certificate");
        let [certificate, secret] =
            ["crt", "key"].map(|it| self.directory.join(name).with_extension(it));
        fs::write(&certificate, made.pem()).expect("a file");
        fs::write(&secret, key.serialize_pem()).expect("a file");
        (certificate, secret)
    }

    /// The authority's own certificate and key, as if it were a server's.
    pub fn as_a_server(&self) -> (PathBuf, PathBuf) {
        let key = self.directory.join("ca.key");
        fs::write(&key, &self.secret).expect("a file");
        (self.file(), key)
    }

    /// The authority's certificate as a file.
    pub fn file(&self) -> PathBuf {
        let path = self.directory.join("ca.pem");
        fs::write(&path, &self.pem).expect("a file");
        path
    }
}

/// A client that believes whom this certificate vouches for.
pub fn believing(pem: &str) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_slice(pem.as_bytes()).expect("PEM");
    roots.add(certificate).expect("a certificate");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let client = ClientConfig::builder_with_provider(provider);
    let client = client.with_safe_default_protocol_versions().expect("versions");
    Arc::new(client.with_root_certificates(roots).with_no_client_auth())
}

/// A request over TLS, and what the server showed; an error when it is not believed.
pub fn ask_encrypted(
    client: &Arc<ClientConfig>,
    address: SocketAddr,
    name: &str,
    method: &str,
    path: &str,
    body: &str,
) -> std::io::Result<(Reply, Vec<u8>)> {
    let server = ServerName::try_from(name.to_owned()).expect("a name");
    let tls = ClientConnection::new(Arc::clone(client), server).expect("a client");
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut stream = StreamOwned::new(tls, stream);
    let host = format!("{name}:{}", address.port());
    let reply = exchange(&mut stream, &host, method, path, body)?;
    let shown = stream.conn.peer_certificates().expect("a certificate")[0].to_vec();
    Ok((reply, shown))
}
