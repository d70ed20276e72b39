//! The connection to a broker: a stream of bytes, with TLS if the address asks for it. It knows
//! nothing of MQTT.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::tls::trust;

/// The usual ports of a broker, without and with TLS.
const PORTS: [u16; 2] = [1883, 8883];

/// The parts of `mqtt://host:port` or `mqtts://host:port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Whether it uses TLS.
    pub encrypted: bool,
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
}

/// A stream of bytes with or without TLS.
pub trait Stream: AsyncRead + AsyncWrite + Send + Sync + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Sync + Unpin> Stream for T {}

/// How to connect to a broker.
#[derive(Clone, Debug)]
pub struct Link {
    address: Address,
    tls: Option<(Arc<ClientConfig>, ServerName<'static>)>,
}

impl Address {
    /// Parses a URL; none: it is not that of a broker.
    #[must_use]
    pub fn read(url: &str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let encrypted = match scheme {
            "mqtt" => false,
            "mqtts" => true,
            _ => return None,
        };
        let rest = rest.trim_end_matches('/');
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().ok()?),
            None => (rest, PORTS[usize::from(encrypted)]),
        };
        let good = ServerName::try_from(host).is_ok();
        good.then(|| Self { encrypted, host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl Link {
    /// A link without TLS.
    #[must_use]
    pub fn open_to_all(host: String, port: u16) -> Self {
        Self { address: Address { encrypted: false, host, port }, tls: None }
    }

    /// A link to an address. `ca_file` has the authorities to believe; empty: those of this
    /// machine.
    ///
    /// # Errors
    /// If there is no authority to believe. The text says so.
    pub fn new(address: Address, ca_file: &Path) -> Result<Self, String> {
        if !address.encrypted {
            return Ok(Self { address, tls: None });
        }
        let name = ServerName::try_from(address.host.clone())
            .map_err(|_| format!("{} is neither a name nor an address", address.host))?;
        let tls = Some((trust::client(ca_file)?, name));
        Ok(Self { address, tls })
    }

    /// The address.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Connects.
    ///
    /// # Errors
    /// If the broker cannot be reached, or its certificate is not believed.
    pub async fn open(&self) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect((self.address.host.as_str(), self.address.port)).await?;
        // Without this, a move waits for the acknowledgement of the one before it: up to 40 ms at a
        // broker that delays acknowledgements too.
        stream.set_nodelay(true)?;
        let Some((client, name)) = &self.tls else { return Ok(Box::new(stream)) };
        let connector = TlsConnector::from(Arc::clone(client));
        match connector.connect(name.clone(), stream).await {
            Ok(stream) => Ok(Box::new(stream)),
            Err(error) if error.to_string().contains("invalid peer certificate") => {
                let text = format!("{error}; [mqtt] ca_file names whom to believe");
                Err(io::Error::new(error.kind(), text))
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let address =
            |encrypted, host: &str, port| Some(Address { encrypted, host: host.to_owned(), port });
        assert_eq!(Address::read("mqtt://hall:1884"), address(false, "hall", 1884));
        assert_eq!(Address::read("mqtt://hall/"), address(false, "hall", 1883));
        assert_eq!(Address::read("mqtts://hall"), address(true, "hall", 8883));
        assert_eq!(Address::read("mqtts://hall:1/"), address(true, "hall", 1));
        for bad in ["http://hall", "mqtt://:1", "mqtts://hall:x", "mqtt://a b", "hall"] {
            assert_eq!(Address::read(bad), None, "{bad}");
        }
    }
}
