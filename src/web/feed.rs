//! MQTT over WebSocket at `/mqtt`: into the embedded broker, or through to an external one.

use std::net::SocketAddr;

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Pages, session};

/// A client of the feed.
pub async fn connect(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !session::is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "this page is of another site\n").into_response();
    }
    match (pages.door, pages.broker) {
        (Some(door), _) => door.upgrade(upgrade, peer),
        (None, Some((host, port))) => {
            upgrade.protocols(["mqtt"]).on_upgrade(move |socket| async move {
                // A broker that cannot be reached ends the socket: the page tries again.
                if let Ok(stream) = TcpStream::connect((host.as_str(), port)).await {
                    through(socket, stream).await;
                }
            })
        }
        (None, None) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// Carries bytes both ways; the external broker decides who may do what.
async fn through(mut socket: WebSocket, mut stream: TcpStream) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Binary(bytes))) => {
                    if stream.write_all(&bytes).await.is_err() {
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
