//! MQTT over WebSocket at `/mqtt`: into the embedded broker, or through to an external one.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Pages, Serves};
use crate::door::Seated;
use crate::door::visitor::Visitor;
use crate::door::{self, Peer};
use crate::net::link::Stream;

/// The processor time that the broker uses to let a client in and to end it. The time between is in
/// the broker's own shares.
const CONNECT: Duration = Duration::from_micros(300);

/// The longest time to reach an external broker.
const REACH: Duration = Duration::from_secs(5);

/// The longest message to an external broker, in bytes. An arbiter's request has a few KiB.
const MESSAGE_BYTES: usize = 32 * 1024;

/// A client of the feed.
pub async fn connect(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Extension(seat): Extension<Seated>,
    Extension(visitor): Extension<Arc<Visitor>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !door::is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "this page is of another site\n").into_response();
    }
    let Some(door) = pages.door else {
        return adoubed_broker::bounded(upgrade, MESSAGE_BYTES).protocols(["mqtt"]).on_upgrade(
            move |socket| async move {
                // If the broker cannot be reached the socket closes, and the page tries again.
                if let Some(stream) = reach(&pages).await {
                    // When the daemon moves to another broker, what this one knows is of yesterday.
                    let passed = async {
                        tokio::select! {
                            () = through(socket, stream) => {}
                            () = pages.broker.moved() => {}
                        }
                    };
                    visitor.serves(passed).await;
                }
            },
        );
    };
    visitor.spent(CONNECT);
    // From now on it is counted at the broker.
    seat.release();
    door.upgrade(upgrade, peer.address)
}

/// Connects to the external broker. If there is no daemon here that moves to the next address, this
/// does.
async fn reach(pages: &Pages) -> Option<Box<dyn Stream>> {
    let outcome = match tokio::time::timeout(REACH, pages.broker.open()).await {
        Ok(outcome) => outcome.map_err(|error| error.to_string()),
        Err(_) => Err(format!("no answer within {} s", REACH.as_secs())),
    };
    match outcome {
        Ok(stream) => {
            pages.broker_missed.store(false, Ordering::Relaxed);
            Some(stream)
        }
        Err(error) => {
            if pages.serves == Serves::Others {
                // Every screen tries again and again. One line says it for all.
                if !pages.broker_missed.swap(true, Ordering::Relaxed) {
                    tracing::warn!("no broker at {}: {error}", pages.broker.address());
                }
                pages.broker.give_up();
            }
            None
        }
    }
}

/// Serves the health of pages without a daemon: whether there is a broker to read at.
pub async fn health(State(pages): State<Pages>) -> String {
    match reach(&pages).await {
        Some(_) => "ok\nbroker: connected\n".to_owned(),
        None => "degraded\nbroker: away\n".to_owned(),
    }
}

/// Carries bytes both ways; the external broker decides who may do what.
async fn through(mut socket: WebSocket, mut stream: Box<dyn Stream>) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Binary(bytes))) => {
                    // With TLS, bytes are sent only when they are flushed.
                    let written = stream.write_all(&bytes).await;
                    if written.is_err() || stream.flush().await.is_err() {
                        return;
                    }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            read = stream.read(&mut buffer) => match read {
                Ok(0) | Err(_) => return,
                Ok(count) => {
                    let bytes = Bytes::copy_from_slice(buffer.get(..count).unwrap_or_default());
                    if socket.send(Message::Binary(bytes)).await.is_err() {
                        return;
                    }
                }
            },
        }
    }
}
