//! The connection to a broker: a stream of bytes, over TCP, over TLS, or in memory where the broker
//! is in this process. It knows nothing of MQTT.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
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

/// A stream of bytes to a broker, whatever carries it.
pub trait Stream: AsyncRead + AsyncWrite + Send + Sync + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Sync + Unpin> Stream for T {}

/// How to connect to a broker that has one address or several. One of them is current.
#[derive(Debug)]
pub struct Link {
    first: Place,
    others: Vec<Place>,
    current: watch::Sender<usize>,
}

#[derive(Debug)]
struct Place {
    address: Address,
    way: Way,
}

/// How bytes get to an address.
enum Way {
    Plain,
    Encrypted(Arc<ClientConfig>, ServerName<'static>),
    /// Not by the network: the broker is in this process.
    Inside(Box<dyn Fn() -> Box<dyn Stream> + Send + Sync>),
}

impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain",
            Self::Encrypted(..) => "encrypted",
            Self::Inside(_) => "inside",
        })
    }
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
    /// A link to the broker in this process. `address` is only what logs and clients call it.
    #[must_use]
    pub fn inside<S>(address: Address, open: impl Fn() -> S + Send + Sync + 'static) -> Self
    where
        S: Stream + 'static,
    {
        let way = Way::Inside(Box::new(move || Box::new(open())));
        Self::among(Place { address, way }, Vec::new())
    }

    /// A link to these addresses. `ca_file` has the authorities to believe; empty:
    /// those of this machine.
    ///
    /// # Errors
    /// If there is no authority to believe. The text says so.
    pub fn new(first: Address, others: Vec<Address>, ca_file: &Path) -> Result<Self, String> {
        let encrypted = first.encrypted || others.iter().any(|it| it.encrypted);
        let client = encrypted.then(|| trust::client(ca_file)).transpose()?;
        let place = |address: Address| {
            let Some(client) = client.clone().filter(|_| address.encrypted) else {
                return Ok(Place { address, way: Way::Plain });
            };
            let name = ServerName::try_from(address.host.clone())
                .map_err(|_| format!("{} is neither a name nor an address", address.host))?;
            Ok::<_, String>(Place { address, way: Way::Encrypted(client, name) })
        };
        let others = others.into_iter().map(place).collect::<Result<_, _>>()?;
        Ok(Self::among(place(first)?, others))
    }

    fn among(first: Place, others: Vec<Place>) -> Self {
        Self { first, others, current: watch::Sender::new(0) }
    }

    /// How many addresses there are.
    #[must_use]
    pub fn addresses(&self) -> usize {
        1 + self.others.len()
    }

    /// The current address.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.place().address
    }

    fn place(&self) -> &Place {
        let current = *self.current.borrow();
        current.checked_sub(1).and_then(|other| self.others.get(other)).unwrap_or(&self.first)
    }

    /// Gives the current address up for the next one. The first comes after the last.
    pub fn give_up(&self) {
        if !self.others.is_empty() {
            self.current.send_modify(|at| *at = (*at + 1) % self.addresses());
        }
    }

    /// Waits until another address is current.
    pub async fn moved(&self) {
        let mut current = self.current.subscribe();
        // The sender lives as long as this link.
        let _ = current.changed().await;
    }

    /// Connects to the current address.
    ///
    /// # Errors
    /// If the broker cannot be reached, or its certificate is not believed.
    pub async fn open(&self) -> io::Result<Box<dyn Stream>> {
        let Place { address, way } = self.place();
        if let Way::Inside(open) = way {
            return Ok(open());
        }
        let stream = TcpStream::connect((address.host.as_str(), address.port)).await?;
        // Without this, a move waits for the acknowledgement of the one before it: up to 40 ms at a
        // broker that delays acknowledgements too.
        stream.set_nodelay(true)?;
        let Way::Encrypted(client, name) = way else { return Ok(Box::new(stream)) };
        let connector = TlsConnector::from(Arc::clone(client));
        match connector.connect(name.clone(), stream).await {
            Ok(stream) => Ok(Box::new(stream)),
            Err(error) => match trust::remedy(&error, &address.host) {
                Some(remedy) => Err(io::Error::new(error.kind(), format!("{error}; {remedy}"))),
                None => Err(error),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_address_comes_after_the_last() {
        let read = |url: &str| Address::read(url).unwrap();
        let link = Link::new(read("mqtt://a"), vec![read("mqtt://b:1")], Path::new("")).unwrap();
        let mut shown = Vec::new();
        for _ in 0..3 {
            shown.push(link.address().to_string());
            link.give_up();
        }
        assert_eq!(shown, ["a:1883", "b:1", "a:1883"]);
        let one = Link::new(read("mqtt://a"), Vec::new(), Path::new("")).unwrap();
        one.give_up();
        assert_eq!(one.address().to_string(), "a:1883");
    }

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
