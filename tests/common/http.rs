//! As much of HTTP as a test of pages needs: one request, one whole answer.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::PATIENCE;

#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    /// Everything before the empty line, in small letters.
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

pub fn get(address: SocketAddr, path: &str) -> Reply {
    request(address, &address.to_string(), "GET", path, "")
}

/// What a page says, once it is good: figures are counted every few seconds, and documents rest.
pub fn once(
    address: SocketAddr,
    path: &str,
    (what, patience): (&str, Duration),
    good: impl Fn(&Reply) -> bool,
) -> Reply {
    let begun = Instant::now();
    loop {
        let reply = get(address, path);
        if good(&reply) {
            return reply;
        }
        assert!(begun.elapsed() < patience, "{path} never says {what}, but\n{}", reply.text());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A request with these lines in its head.
pub fn get_with(address: SocketAddr, method: &str, path: &str, lines: &[&str]) -> Reply {
    let mut stream = TcpStream::connect(address).expect("the pages are there");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    // The name of the host is the first of them.
    let host = [&[address.to_string().as_str()], lines].concat().join("\r\n");
    exchange(&mut stream, &host, method, path, "").expect("it answers")
}

pub fn post(address: SocketAddr, path: &str, body: &str) -> Reply {
    request(address, &address.to_string(), "POST", path, body)
}

/// A request that names any host.
pub fn request(address: SocketAddr, host: &str, method: &str, path: &str, body: &str) -> Reply {
    let mut stream = TcpStream::connect(address).expect("the pages are there");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    exchange(&mut stream, host, method, path, body).expect("it answers")
}

/// One request and its answer on any stream.
pub fn exchange(
    stream: &mut (impl Read + Write),
    host: &str,
    method: &str,
    path: &str,
    body: &str,
) -> io::Result<Reply> {
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    let length = format!("Content-Length: {length}\r\n\r\n{body}");
    stream.write_all(format!("{head}{length}").as_bytes())?;
    let mut bytes = Vec::new();
    // Whoever has said everything may leave without a farewell.
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error),
        _ => {}
    }
    Ok(parse(&bytes).unwrap_or_else(|| panic!("no HTTP: {}", String::from_utf8_lossy(&bytes))))
}

fn parse(bytes: &[u8]) -> Option<Reply> {
    let end = bytes.windows(4).position(|it| it == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Reply { status, head, body: bytes[end + 4..].to_vec() })
}
