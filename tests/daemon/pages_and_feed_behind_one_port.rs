//! One port has everything a screen or a tablet needs: pages that ask for nothing from elsewhere,
//! the feed over WebSocket, sessions for arbiters, health and figures.

use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::{SinkExt, StreamExt};
use rustls::ClientConfig;
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::common::{Board, Daemon, Feed, House, Mosquitto, PATIENCE, RUNTIME, get, post, request};

const POSITION: &str = "adoubed/v1/table/1/position";

#[test]
fn pages_files_health_and_figures_answer() {
    let mut house = House::new();
    house.set("event", "name", "Open de Liège").set("event", "language", "fr");
    house.set("mqtt", "base", "adoubed").table(1, "driver = \"dgt\"");
    let daemon = Daemon::start(&house);
    for path in ["/", "/kiosk", "/table/1", "/embed/1", "/arbiter"] {
        let page = get(daemon.pages, path);
        assert_eq!(page.status, 200, "{path}");
        assert!(page.head.contains("content-type: text/html"), "{path}: {}", page.head);
        assert!(page.head.contains("content-security-policy: default-src 'self'"), "{}", page.head);
        let text = page.text();
        let files: Vec<_> = ["src=\"", "href=\""]
            .into_iter()
            .flat_map(|name| text.split(name).skip(1).filter_map(|rest| rest.split('"').next()))
            .filter(|it| !it.starts_with('#') && !it.starts_with("data:"))
            .collect();
        assert!(files.iter().any(|it| it.ends_with(".js")), "{path}: {files:?}");
        for file in files {
            assert!(!file.contains("//"), "{path} asks elsewhere for {file}");
            let file = if file.starts_with('/') { file.to_owned() } else { format!("/{file}") };
            assert_eq!(get(daemon.pages, &file).status, 200, "{path} asks for {file}");
        }
    }
    let framed = |path: &str| get(daemon.pages, path).head.contains("frame-ancestors *");
    assert!(framed("/embed/1") && !framed("/") && !framed("/arbiter"), "only for overlays");
    let config = get(daemon.pages, "/config.json");
    assert!(config.head.contains("content-type: application/json"), "{}", config.head);
    let config = config.json();
    assert_eq!((&config["base"], &config["language"]), (&json!("adoubed"), &json!("fr")));
    assert_eq!(config["event"], "Open de Liège");
    assert_eq!(config["screens"]["presses"], false, "what players must not be told");
    assert!(config["requests"].as_array().unwrap().contains(&json!("rule")), "{config}");
    what_is_kept_for_a_start_without_the_server_is_there(&daemon);
    assert_figures(&daemon);
    for path in [
        "/nothing",
        "/assets/nothing.js",
        "/assets/../../package.json",
        "/assets/%2e%2e/%2e%2e/package.json",
        "/table",
    ] {
        assert_eq!(get(daemon.pages, path).status, 404, "{path}");
    }
    assert_eq!(get(daemon.pages, "/arbiter/session").status, 405);
}

/// One file that is missing, and browsers would keep none.
fn what_is_kept_for_a_start_without_the_server_is_there(daemon: &Daemon) {
    let worker = get(daemon.pages, "/service-worker.js");
    assert!(worker.head.contains("content-type: text/javascript"), "{}", worker.head);
    let text = worker.text();
    let kept: Vec<_> = text.split('"').filter(|it| it.starts_with('/')).collect();
    assert!(kept.contains(&"/arbiter") && kept.len() > 10, "{kept:?}");
    for path in kept {
        assert_eq!(get(daemon.pages, path).status, 200, "{path}");
    }
}

/// OpenMetrics text: every figure with its help and its type, and a value.
fn assert_figures(daemon: &Daemon) {
    let _client = Feed::guest(daemon.feed());
    let metrics = get(daemon.pages, "/metrics");
    let format = "content-type: application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert!(metrics.head.contains(format), "{}", metrics.head);
    let text = metrics.text();
    assert!(text.ends_with("\n# EOF\n"), "{text}");
    let value = |name: &str| {
        let line = text.lines().find(|line| line.split(' ').next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("{name} is not in\n{text}"));
        line.split(' ').nth(1).unwrap().parse::<f64>().unwrap()
    };
    let value_of = |name: &str, labels: &str| value(&format!("adoubed_{name}{{{labels}}}"));
    assert!((value_of("tables", "device=\"absent\"") - 1.0).abs() < f64::EPSILON, "no board");
    assert!((value_of("journal_state", "state=\"kept\"") - 1.0).abs() < f64::EPSILON);
    assert!(value_of("journal_state", "state=\"failed\"").abs() < f64::EPSILON);
    assert!(value("adoubed_messages_published_total") >= 2.0, "the bridge");
    assert!((value("adoubed_broker_connected") - 1.0).abs() < f64::EPSILON);
    assert!(value("adoubed_broker_clients") >= 2.0, "the daemon and a guest");
    assert!(value("adoubed_broker_retained") >= 2.0, "the bridge");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split([' ', '{']).next().unwrap();
        let name = ["_total", "_info"].iter().fold(name, |name, end| name.trim_end_matches(end));
        assert!(text.contains(&format!("# HELP {name} ")), "{name} has no help");
        assert!(text.contains(&format!("# TYPE {name} ")), "{name} has no type");
    }
}

#[test]
fn a_session_is_given_to_this_machine_alone_and_not_to_a_foreign_page() {
    let house = House::new();
    let daemon = Daemon::start(&house);
    let port = daemon.pages.port();
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), "localhost".to_owned()] {
        let reply = request(daemon.pages, &host, "POST", "/arbiter/session", "{}");
        assert_eq!(reply.status, 200, "{host}");
        let granted = reply.json();
        assert!(granted["username"].is_string() && granted["password"].is_string(), "{granted}");
    }
    // A name that was made to point here is not this machine's name.
    for host in [
        format!("evil.example:{port}"),
        "evil.example".to_owned(),
        "127.0.0.1.evil.example".to_owned(),
        String::new(),
    ] {
        let reply = request(daemon.pages, &host, "POST", "/arbiter/session", "{}");
        assert_eq!(reply.status, 403, "{host}");
        assert!(reply.json()["error"].is_string() && reply.json()["password"].is_null(), "{host}");
    }
    assert_eq!(post(daemon.pages, "/arbiter/session", "").status, 200, "an empty question");
}

#[test]
fn the_feed_comes_over_websocket_in_both_versions() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"");
    let _board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    for version in [4, 5] {
        RUNTIME.block_on(assert_feed(&daemon, version));
    }
}

#[test]
fn the_feed_of_an_external_broker_comes_through_the_same_door() {
    let mut house = House::new();
    let Some(mosquitto) = Mosquitto::open("external broker behind the pages", house.path()) else {
        return;
    };
    house.set("mqtt", "broker", "external");
    house.set("mqtt", "url", &format!("mqtt://{}", mosquitto.address));
    house.table(1, "driver = \"dgt\"");
    let _board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(mosquitto.address);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    for version in [4, 5] {
        RUNTIME.block_on(assert_feed(&daemon, version));
    }
}

/// Connects as a page does and waits for a retained position.
pub async fn assert_feed(daemon: &Daemon, version: u8) {
    let stream = TcpStream::connect(daemon.pages).await.unwrap();
    assert_feed_on(stream, daemon.pages, version, POSITION).await;
}

/// The same at pages of other halls, for this topic of a position.
pub async fn assert_topic(pages: SocketAddr, version: u8, topic: &str) {
    let stream = TcpStream::connect(pages).await.unwrap();
    assert_feed_on(stream, pages, version, topic).await;
}

/// The same over TLS.
pub fn assert_feed_encrypted(daemon: &Daemon, client: &Arc<ClientConfig>, version: u8) {
    RUNTIME.block_on(async {
        let (connector, door) = (TlsConnector::from(Arc::clone(client)), daemon.encrypted());
        let stream = TcpStream::connect(door).await.unwrap();
        let stream = connector.connect(door.ip().into(), stream).await.unwrap();
        assert_feed_on(stream, door, version, POSITION).await;
    });
}

async fn assert_feed_on(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    address: SocketAddr,
    version: u8,
    topic: &str,
) {
    let mut request = format!("ws://{address}/mqtt").into_client_request().unwrap();
    request.headers_mut().insert("Sec-WebSocket-Protocol", "mqtt".parse().unwrap());
    let (mut socket, response) = tokio_tungstenite::client_async(request, stream).await.unwrap();
    assert_eq!(response.headers()["Sec-WebSocket-Protocol"], "mqtt");
    let properties: &[u8] = if version == 5 { &[0] } else { &[] };
    let connect =
        [&[0, 4], &b"MQTT"[..], &[version, 2, 0, 60], properties, &[0, 3], b"web"].concat();
    let length = u8::try_from(topic.len()).unwrap();
    let filter = [&[0, 1], properties, &[0, length], topic.as_bytes(), &[0]].concat();
    for (kind, body) in [(0x10, connect), (0x82, filter)] {
        let packet = [&[kind, u8::try_from(body.len()).unwrap()], &body[..]].concat();
        socket.send(Message::Binary(packet.into())).await.unwrap();
    }
    let mut heard = Vec::new();
    let looking_for = b"\"phase\":\"ready\"";
    let listening = async {
        while !heard.windows(looking_for.len()).any(|it| it == looking_for) {
            match socket.next().await {
                Some(Ok(Message::Binary(bytes))) => heard.extend(bytes),
                Some(Ok(_)) => {}
                other => panic!("{other:?} after {heard:x?}"),
            }
        }
    };
    tokio::time::timeout(PATIENCE, listening).await.expect("a position");
    assert_eq!((heard[0], heard[3]), (0x20, 0), "version {version}: {heard:x?}");
}
