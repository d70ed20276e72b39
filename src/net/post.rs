//! One request to a server of other people, within a time and with an answer of bounded length.
//!
//! Requests go to the configured address and nowhere else. A redirect is an answer like any other:
//! it is never followed, so the token cannot leave for another server.

mod token;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Request, Response, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::time::{WallTime, wall_now};
use crate::tls::trust;
pub use token::{Token, shown};

/// The time for one address to answer. After it the next address of the server is tried.
const CONNECT: Duration = Duration::from_secs(4);
/// The most addresses of one name that are tried.
const ADDRESSES_MAX: usize = 4;
/// The most bytes of an answer that are read. Lichess answers a hundred games in 50 KiB.
const ANSWER_MAX: usize = 1 << 20;
/// The longest wait that a server may ask for.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(3600);

/// The address that requests go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Whether it wants encryption.
    pub encrypted: bool,
    host: String,
    port: u16,
    path: String,
}

impl Target {
    /// Reads `https://host` or `http://host`, with or without a port and a path.
    ///
    /// # Errors
    /// If this is no such address. The text says what to write.
    pub fn read(url: &str) -> Result<Self, String> {
        let example = "write it as https://host/path";
        let uri: Uri = url.parse().map_err(|_| format!("\"{url}\" is no address; {example}"))?;
        let encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(format!("\"{url}\" is no address of the web; {example}")),
        };
        if uri.authority().is_some_and(|it| it.as_str().contains('@')) {
            return Err("no name and password belong here; write a token in token_file".to_owned());
        }
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        if ServerName::try_from(host.as_str()).is_err() {
            return Err(format!("\"{host}\" is no name of a server; {example}"));
        }
        let port = uri.port_u16().unwrap_or(if encrypted { 443 } else { 80 });
        let path = uri.path_and_query().map_or("/", |it| it.as_str()).to_owned();
        Ok(Self { encrypted, host, port, path })
    }

    /// Whether the server is on this machine, where nobody reads along even without encryption.
    #[must_use]
    pub fn is_here(&self) -> bool {
        let address = self.host.parse().map(|it: std::net::IpAddr| it.is_loopback());
        address.unwrap_or(self.host == "localhost")
    }

    /// The name of the server, for people and for the `Host` header. The usual port is left out.
    #[must_use]
    pub fn server(&self) -> String {
        let host =
            if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        match (self.encrypted, self.port) {
            (true, 443) | (false, 80) => host,
            (_, port) => format!("{host}:{port}"),
        }
    }

    /// The address of this path below the configured one.
    #[must_use]
    pub fn below(&self, path: &str) -> Self {
        Self { path: format!("{}{path}", self.path.trim_end_matches('/')), ..self.clone() }
    }
}

/// The answer of a server.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// How long to wait before the next request, if the server has said so; an hour at most.
    pub retry_after: Option<Duration>,
    /// Its body, up to the length that is read.
    pub body: Vec<u8>,
    /// Whether the body is complete.
    pub whole: bool,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No address of the server can be reached.
    Unreachable(String),
    /// Its certificate is not one that we believe.
    Untrusted(String),
    /// It took too long.
    Slow,
    /// It closed the connection, or does not speak HTTP.
    Cut(String),
}

impl Trouble {
    /// The kind of trouble, as a word.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::Untrusted(_) => "untrusted",
            Self::Slow => "slow",
            Self::Cut(_) => "cut",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "cannot be reached: {why}"),
            Self::Untrusted(why) => write!(f, "is not believed: {why}"),
            Self::Slow => f.write_str("does not answer in time"),
            Self::Cut(why) => write!(f, "went away in mid-answer: {why}"),
        }
    }
}

/// A client of one server.
pub struct Client {
    tls: Option<Arc<ClientConfig>>,
    kept: Option<(String, Open)>,
    keeps: bool,
    within: Duration,
}

/// An open connection. Dropping it closes it.
struct Open {
    sender: SendRequest<Full<Bytes>>,
    driver: JoinHandle<()>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Client {
    /// A client for a server. A whole request takes no longer than `within`. `ca_file` has the
    /// authorities to believe, in PEM; empty: those of this machine.
    ///
    /// # Errors
    /// If the authorities cannot be read.
    pub fn new(target: &Target, ca_file: &Path, within: Duration) -> Result<Self, String> {
        let tls = if target.encrypted { Some(trust::client(ca_file)?) } else { None };
        Ok(Self { tls, kept: None, keeps: false, within })
    }

    /// The same client, which keeps its connection for the next request as long as the server does.
    /// A request without an answer on a kept connection is sent again. So use it only if it does no
    /// harm when a server gets a request twice.
    #[must_use]
    pub fn keeping(self) -> Self {
        Self { keeps: true, ..self }
    }

    /// Posts a request, and waits for the whole answer.
    ///
    /// # Errors
    /// If no answer comes.
    pub async fn post(
        &mut self,
        target: &Target,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Answer, Trouble> {
        let kept = self.kept.take();
        let kept = kept.filter(|(of, open)| *of == target.server() && open.is_usable());
        let exchange = async {
            if let Some((_, mut open)) = kept {
                let request = request(target, headers.clone(), body.clone())?;
                if let Ok(response) = open.sender.send_request(request).await {
                    return read(response, open).await;
                }
            }
            let mut open = self.open(target).await?;
            let request = request(target, headers, body)?;
            let sent = open.sender.send_request(request).await;
            read(sent.map_err(|error| Trouble::Cut(error.to_string()))?, open).await
        };
        let (answer, open) = timeout(self.within, exchange).await.unwrap_or(Err(Trouble::Slow))?;
        self.kept = open.filter(|_| self.keeps).map(|open| (target.server(), open));
        Ok(answer)
    }

    async fn open(&self, target: &Target) -> Result<Open, Trouble> {
        let stream = connect(target).await?;
        let stream: Box<dyn Stream> = match &self.tls {
            Some(tls) if target.encrypted => Box::new(encrypted(tls, target, stream).await?),
            _ if target.encrypted => return Err(Trouble::Untrusted("nobody is".to_owned())),
            _ => Box::new(stream),
        };
        let shaken = http1::handshake(TokioIo::new(stream)).await;
        let (sender, connection) = shaken.map_err(|error| Trouble::Cut(error.to_string()))?;
        // Errors of the connection reach the requests on it, so they are not handled here.
        let driver = tokio::spawn(async move {
            let _ = connection.await;
        });
        Ok(Open { sender, driver })
    }
}

impl Open {
    fn is_usable(&self) -> bool {
        self.sender.is_ready() && !self.driver.is_finished()
    }
}

async fn encrypted(
    tls: &Arc<ClientConfig>,
    target: &Target,
    stream: TcpStream,
) -> Result<impl Stream + use<>, Trouble> {
    let name = ServerName::try_from(target.host.clone())
        .map_err(|error| Trouble::Untrusted(error.to_string()))?;
    let connector = TlsConnector::from(Arc::clone(tls));
    connector.connect(name, stream).await.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Trouble::Untrusted(error.to_string()),
        _ => Trouble::Cut(error.to_string()),
    })
}

/// Tries the addresses of a name in turn, IPv4 and IPv6 alternately: one kind may work where the
/// other one leads nowhere.
async fn connect(target: &Target) -> Result<TcpStream, Trouble> {
    let unreachable = |error: io::Error| Trouble::Unreachable(error.to_string());
    let found = lookup_host((target.host.as_str(), target.port)).await.map_err(unreachable)?;
    let mut last = io::Error::new(io::ErrorKind::NotFound, "its name has no address");
    for address in alternately(found.collect()).into_iter().take(ADDRESSES_MAX) {
        match timeout(CONNECT, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                stream.set_nodelay(true).map_err(unreachable)?;
                return Ok(stream);
            }
            Ok(Err(error)) => last = error,
            Err(_) => last = io::Error::new(io::ErrorKind::TimedOut, "nobody answers there"),
        }
    }
    Err(unreachable(last))
}

/// Alternates the addresses of both kinds. The first one stays the first.
fn alternately(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let first = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let (one, other): (Vec<_>, Vec<_>) =
        addresses.into_iter().partition(|address| address.is_ipv6() == first);
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    let mut both = Vec::new();
    loop {
        let pair = [one.next(), other.next()];
        if pair == [None, None] {
            return both;
        }
        both.extend(pair.into_iter().flatten());
    }
}

fn request(
    target: &Target,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Request<Full<Bytes>>, Trouble> {
    let failed = |error: String| Trouble::Cut(error);
    let mut request = Request::post(&target.path)
        .body(Full::new(body))
        .map_err(|error| failed(error.to_string()))?;
    let host = HeaderValue::from_str(&target.server()).map_err(|it| failed(it.to_string()))?;
    let us = HeaderValue::from_static(concat!("adoubed/", env!("CARGO_PKG_VERSION")));
    *request.headers_mut() = headers;
    request.headers_mut().insert(header::HOST, host);
    request.headers_mut().insert(header::USER_AGENT, us);
    Ok(request)
}

/// Reads an answer to its end, or up to [`ANSWER_MAX`]. Returns the connection if it can be used
/// again.
async fn read(response: Response<Incoming>, open: Open) -> Result<(Answer, Option<Open>), Trouble> {
    let (head, mut incoming) = response.into_parts();
    let retry_after = head.headers.get(header::RETRY_AFTER);
    let retry_after = retry_after.and_then(|it| wait_of(it.to_str().ok()?, wall_now()));
    let (mut body, mut whole) = (Vec::new(), true);
    while let Some(frame) = incoming.frame().await {
        let frame = frame.map_err(|error| Trouble::Cut(error.to_string()))?;
        let Ok(data) = frame.into_data() else { continue };
        let room = ANSWER_MAX - body.len();
        body.extend_from_slice(&data[..data.len().min(room)]);
        if data.len() > room {
            whole = false;
            break;
        }
    }
    let answer = Answer { status: head.status, retry_after, body, whole };
    Ok((answer, whole.then_some(open)))
}

/// `Retry-After`, in seconds or as a date.
fn wait_of(text: &str, now: WallTime) -> Option<Duration> {
    let wait = match text.trim().parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let until = WallTime::parse_http(text.trim())?;
            let micros = until.as_micros().saturating_sub(now.as_micros());
            Duration::from_micros(u64::try_from(micros).unwrap_or(0))
        }
    };
    Some(wait.min(RETRY_AFTER_MAX))
}

#[cfg(test)]
pub(crate) mod tests;
