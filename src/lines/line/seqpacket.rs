//! Local sockets that keep messages apart (`SOCK_SEQPACKET`). Emulated HID devices use them. This
//! module knows nothing of boards.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use socket2::{Domain, SockAddr, Socket, Type};
use tokio::net::unix::pipe::Receiver;

use super::reports::Reports;

/// Connects to the listener at this path.
///
/// # Errors
/// As the system says; [`io::ErrorKind::NotFound`] without a listener.
pub fn connect(path: &Path) -> io::Result<File> {
    let socket = Socket::new(Domain::UNIX, Type::SEQPACKET, None)?;
    socket.set_nonblocking(true)?;
    socket.connect(&SockAddr::unix(path)?).map_err(|error| match error.kind() {
        io::ErrorKind::ConnectionRefused => io::ErrorKind::NotFound.into(),
        // A program is connected, and another one waits already.
        io::ErrorKind::WouldBlock => io::ErrorKind::ResourceBusy.into(),
        _ => error,
    })?;
    Ok(File::from(OwnedFd::from(socket)))
}

/// A listener at a path. The path exists as long as the listener.
pub struct Listener {
    socket: Socket,
    /// The same socket, for waiting.
    ready: Receiver,
    path: PathBuf,
}

impl Listener {
    /// Listens at a path and replaces a socket that was left there.
    ///
    /// # Errors
    /// As the system says.
    pub fn bind(path: &Path) -> io::Result<Self> {
        if path.symlink_metadata().is_ok_and(|it| it.file_type().is_socket()) {
            std::fs::remove_file(path)?;
        }
        let socket = Socket::new(Domain::UNIX, Type::SEQPACKET, None)?;
        socket.set_nonblocking(true)?;
        socket.bind(&SockAddr::unix(path)?)?;
        socket.listen(1)?;
        let ready = Receiver::from_owned_fd_unchecked(OwnedFd::from(socket.try_clone()?))?;
        Ok(Self { socket, ready, path: path.to_owned() })
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits for the next connection.
    ///
    /// # Errors
    /// As the system says.
    pub async fn accept(&self) -> io::Result<Reports> {
        loop {
            self.ready.readable().await?;
            match self.ready.try_io(|| self.socket.accept()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
                Ok((socket, _)) => {
                    socket.set_nonblocking(true)?;
                    return Reports::of(File::from(OwnedFd::from(socket)));
                }
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
