//! One attempt at a way out, for an organizer who wants to know before the round whether it works.
//! No game is sent, and nothing that an outlet reports of itself changes.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use witness::Message;

use super::{folder, lichess, livechess, notify};
use crate::config::Config;
use crate::net::post::{Client, Target, Token, shown};
use crate::say;

/// The time that an attempt may take.
const WITHIN: Duration = Duration::from_secs(10);
/// The most bytes of the head of an answer that are read.
const HEAD_MAX: u64 = 1024;

/// The ways out that are configured, in the order of their names.
#[must_use]
pub fn configured(config: &Config) -> Vec<&'static str> {
    let all = [
        (lichess::NAME, config.lichess.is_on()),
        (livechess::NAME, config.livechess.address().is_some()),
        (notify::NAME, config.notify.is_on()),
        (folder::NAME, !config.pgn.directory.as_os_str().is_empty()),
    ];
    all.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect()
}

/// Tries a way out.
///
/// # Errors
/// If it does not work: with what was answered, and what to do.
pub async fn attempt(config: &Config, outlet: &str) -> Result<Message, Message> {
    if !configured(config).contains(&outlet) {
        return Err(say::outlet_unknown());
    }
    match (outlet, config.livechess.address()) {
        (folder::NAME, _) => in_folder(&config.pgn.directory).await,
        (livechess::NAME, Some(address)) => at_livechess(address).await,
        (notify::NAME, _) => {
            let sent = notify::hello(config).await;
            sent.map(|status| say::try_notify(status.into())).map_err(|why| say::try_fails(&why))
        }
        _ => at_lichess(config).await,
    }
}

async fn in_folder(directory: &Path) -> Result<Message, Message> {
    let place = directory.to_owned();
    let written = tokio::task::spawn_blocking(move || {
        fs::create_dir_all(&place)?;
        let file = place.join(".adoubed-test");
        fs::write(&file, "")?;
        fs::remove_file(&file)
    });
    let shown = directory.display().to_string();
    match written.await.unwrap_or_else(|error| Err(io::Error::other(error))) {
        Ok(()) => Ok(say::try_folder(&shown)),
        Err(error) => Err(say::try_folder_fails(&shown, &error.to_string())),
    }
}

/// Opens a connection as a client does.
async fn at_livechess(address: SocketAddr) -> Result<Message, Message> {
    let reached = match address.ip() {
        IpAddr::V4(it) if it.is_unspecified() => (Ipv4Addr::LOCALHOST, address.port()).into(),
        _ => address,
    };
    let fails = |why: &str| say::try_livechess_fails(&address.to_string(), why);
    let greeted = timeout(WITHIN, greet(reached)).await;
    let line = greeted.map_err(|error| fails(&error.to_string()))?;
    match line.map_err(|error| fails(&error.to_string()))? {
        line if line.contains(" 101 ") => Ok(say::try_livechess(&address.to_string())),
        line => Err(fails(&shown(&line, None))),
    }
}

/// The first line of the answer to a request for a WebSocket.
async fn greet(address: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "GET /api/v1.0 HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YWRvdWJlZC1pcy1oZXJlIQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut head = Vec::new();
    let mut limited = stream.take(HEAD_MAX);
    while !head.contains(&b'\n') && limited.read_buf(&mut head).await? > 0 {}
    let head = String::from_utf8_lossy(&head).into_owned();
    Ok(head.lines().next().unwrap_or_default().to_owned())
}

/// Asks Lichess what the token may do, which touches no broadcast.
async fn at_lichess(config: &Config) -> Result<Message, Message> {
    let fails = |why: String| say::try_fails(&why);
    let lichess = &config.lichess;
    let target = Target::read(&lichess.url).map_err(fails)?;
    let token = Token::read_aside(&lichess.token_file).await.map_err(fails)?;
    let mut client = Client::new(&target, &lichess.ca_file, WITHIN).map_err(fails)?;
    let kind = HeaderValue::from_static("text/plain");
    let headers: HeaderMap = [(header::CONTENT_TYPE, kind)].into_iter().collect();
    let server = target.server();
    let (target, body) = (target.below("/api/token/test"), Bytes::from(token.plain().to_owned()));
    let asked = client.post(&target, headers, body);
    let answer = asked.await.map_err(|trouble| fails(format!("{server} {trouble}")))?;
    if answer.status != StatusCode::OK {
        let said = shown(&String::from_utf8_lossy(&answer.body), Some(&token));
        return Err(fails(format!("{}: {said}", answer.status.as_u16())));
    }
    let value: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let Some(known) = value.get(token.plain()).filter(|it| it.is_object()) else {
        return Err(say::try_lichess_unknown(&server));
    };
    let word = |key: &str| known.get(key).and_then(Value::as_str).unwrap_or_default();
    let user = shown(word("userId"), Some(&token));
    match word("scopes").split(',').any(|scope| scope == "study:write") {
        true => Ok(say::try_lichess(&server, &user)),
        false => Err(say::try_lichess_scope(&server, &user)),
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;
    use words::InWords as _;

    use super::*;

    fn config(text: &str) -> Config {
        toml::from_str(text).unwrap()
    }

    /// A server that gives one answer, and what it was asked.
    async fn server(body: &str) -> (String, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let length = body.len();
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}");
        let asked = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut heard = Vec::new();
            while !String::from_utf8_lossy(&heard).ends_with("lip_secret") {
                assert!(stream.read_buf(&mut heard).await.unwrap() > 0);
            }
            stream.write_all(answer.as_bytes()).await.unwrap();
            String::from_utf8_lossy(&heard).into_owned()
        });
        (format!("http://{address}"), asked)
    }

    async fn at(body: &str) -> Result<String, String> {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("token");
        fs::write(&file, "lip_secret").unwrap();
        let (url, asked) = server(body).await;
        let mut config = config("[lichess]\nround = \"abcdefgh\"\n");
        config.lichess.url = url;
        config.lichess.token_file = file;
        let outcome = attempt(&config, "lichess").await;
        let asked = asked.await.unwrap();
        assert!(asked.starts_with("POST /api/token/test "), "{asked}");
        outcome.map(|it| it.en()).map_err(|it| it.en())
    }

    #[tokio::test]
    async fn a_token_is_good_if_it_may_write_studies() {
        let good = r#"{"lip_secret":{"userId":"olga","scopes":"email:read,study:write"}}"#;
        assert!(at(good).await.unwrap().contains("knows the token of olga, and it may write"));
        let weak = r#"{"lip_secret":{"userId":"olga","scopes":"email:read"}}"#;
        assert!(at(weak).await.unwrap_err().contains("may not write studies"));
        assert!(
            at(r#"{"lip_secret":null}"#).await.unwrap_err().contains("does not know the token")
        );
    }

    #[tokio::test]
    async fn a_folder_is_written_to_and_nothing_is_left_there() {
        let place = tempfile::tempdir().unwrap();
        let mut config = config("");
        assert!(attempt(&config, "pgn_folder").await.is_err(), "none is configured");
        config.pgn.directory = place.path().join("live");
        assert!(attempt(&config, "pgn_folder").await.is_ok());
        assert_eq!(fs::read_dir(&config.pgn.directory).unwrap().count(), 0);
        fs::write(place.path().join("file"), "").unwrap();
        config.pgn.directory = place.path().join("file");
        let why = attempt(&config, "pgn_folder").await.unwrap_err().en();
        assert!(why.contains("file (") && why.contains("make room"), "{why}");
    }

    #[tokio::test]
    async fn nobody_at_the_door_of_livechess_is_said() {
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let mut config = config("");
        config.livechess.listen = address.to_string();
        let why = attempt(&config, "livechess").await.unwrap_err().en();
        assert!(why.contains(&address.to_string()), "{why}");
    }
}
