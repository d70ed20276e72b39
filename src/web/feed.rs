//! MQTT over WebSocket at `/mqtt`: into the embedded broker, or through to an external one.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::Pages;
use crate::door::Seated;
use crate::door::visitor::Visitor;
use crate::door::{self, Peer};
use crate::net::link::Stream;

/// The processor time that the broker uses to let a client in and to end it. The time between is in
/// the broker's own shares.
const CONNECT: Duration = Duration::from_micros(300);

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
                if let Ok(stream) = pages.broker.open().await {
                    visitor.serves(through(socket, stream)).await;
                }
            },
        );
    };
    visitor.spent(CONNECT);
    // From now on it is counted at the broker.
    seat.release();
    door.upgrade(upgrade, peer.address)
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
