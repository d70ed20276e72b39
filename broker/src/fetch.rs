//! Bytes from a socket, in one call of the system as a rule.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

use crate::limits;

thread_local! {
    /// For all connections of a thread: a client that is silent holds no room for what it may send.
    static ROOM: RefCell<[u8; limits::INBOUND_BYTES]> =
        const { RefCell::new([0; limits::INBOUND_BYTES]) };
}

/// Appends what has come, and waits until something has. Returns how many bytes; 0: there will be
/// no more.
pub(crate) async fn fetch<R>(reader: &mut R, inbox: &mut Vec<u8>) -> io::Result<usize>
where
    R: AsyncRead + Unpin,
{
    poll_fn(|context| {
        ROOM.with_borrow_mut(|room| {
            let mut came = ReadBuf::new(room);
            ready!(Pin::new(&mut *reader).poll_read(context, &mut came))?;
            inbox.extend_from_slice(came.filled());
            Poll::Ready(Ok(came.filled().len()))
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test]
    async fn what_has_come_is_there_at_once_and_follows_what_was_there() {
        let (mut client, mut socket) = tokio::io::duplex(3 * limits::INBOUND_BYTES);
        let sent: Vec<u8> = (0..=250).cycle().take(limits::INBOUND_BYTES + 7).collect();
        client.write_all(&sent).await.unwrap();
        drop(client);
        let mut inbox = vec![255];
        let mut counts = Vec::new();
        while let Ok(count @ 1..) = fetch(&mut socket, &mut inbox).await {
            counts.push(count);
        }
        assert_eq!(counts, [limits::INBOUND_BYTES, 7]);
        assert_eq!((inbox[0], &inbox[1..]), (255, &*sent));
    }
}
