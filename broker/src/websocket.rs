//! A WebSocket seen as the byte stream it carries: binary messages, cut anywhere, as MQTT wants.
//! It knows nothing of MQTT itself.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use futures_util::{Sink, Stream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::connection::Allowance;
use crate::limits;
use crate::time;

/// One client's WebSocket. A write is one message, and a long one several: the WebSocket holds a
/// copy of it until its socket takes it.
pub(crate) struct WebSocketBytes {
    socket: WebSocket,
    unread: Bytes,
    /// Frames that carry nothing: MQTT never sees them, so nobody else counts them.
    empty: Allowance,
}

impl WebSocketBytes {
    pub(crate) fn new(socket: WebSocket) -> Self {
        Self { socket, unread: Bytes::new(), empty: Allowance::new(true, time::now()) }
    }

    fn socket(self: Pin<&mut Self>) -> Pin<&mut WebSocket> {
        Pin::new(&mut self.get_mut().socket)
    }
}

impl AsyncRead for WebSocketBytes {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        while self.unread.is_empty() {
            match ready!(self.as_mut().socket().poll_next(cx)) {
                Some(Ok(Message::Binary(bytes))) if !bytes.is_empty() => self.unread = bytes,
                Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => {
                    if self.empty.spend(time::now()).is_some() {
                        let error = io::Error::new(io::ErrorKind::InvalidData, "nothing is said");
                        return Poll::Ready(Err(error));
                    }
                }
                Some(Ok(Message::Close(_))) | None => return Poll::Ready(Ok(())),
                Some(Ok(Message::Text(_))) => {
                    let error = io::Error::new(io::ErrorKind::InvalidData, "text is not MQTT");
                    return Poll::Ready(Err(error));
                }
                Some(Err(error)) => return Poll::Ready(Err(io::Error::other(error))),
            }
        }
        let length = self.unread.len().min(buf.remaining());
        buf.put_slice(&self.unread.split_to(length));
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for WebSocketBytes {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.as_mut().socket().poll_ready(cx)).map_err(io::Error::other)?;
        let part = buf.get(..limits::OUTBOUND_BYTES).unwrap_or(buf);
        let message = Message::Binary(Bytes::copy_from_slice(part));
        self.socket().start_send(message).map_err(io::Error::other)?;
        Poll::Ready(Ok(part.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket().poll_flush(cx).map_err(io::Error::other)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket().poll_close(cx).map_err(io::Error::other)
    }
}
