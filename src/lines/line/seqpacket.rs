//! Local sockets that keep where each message ends (`SOCK_SEQPACKET`): what an emulated HID device
//! is reached by. Knows nothing of boards.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use socket2::{Domain, SockAddr, Socket, Type};
use tokio::net::unix::pipe::Receiver;

use super::reports::Reports;

/// Joins whoever listens at this path.
///
/// # Errors
/// As the system says; [`io::ErrorKind::NotFound`] where nobody listens any more.
pub fn connect(path: &Path) -> io::Result<File> {
    let socket = Socket::new(Domain::UNIX, Type::SEQPACKET, None)?;
    socket.set_nonblocking(true)?;
    socket.connect(&SockAddr::unix(path)?).map_err(|error| match error.kind() {
        io::ErrorKind::ConnectionRefused => io::ErrorKind::NotFound.into(),
        // Somebody is joined to it, and a second one waits already.
        io::ErrorKind::WouldBlock => io::ErrorKind::ResourceBusy.into(),
        _ => error,
    })?;
    Ok(File::from(OwnedFd::from(socket)))
}

/// Listens at a path. The path is there as long as this is.
pub struct Listener {
    socket: Socket,
    /// The same, awaited.
    ready: Receiver,
    path: PathBuf,
}

impl Listener {
    /// Listens at this path, in place of whatever socket was left there.
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

    /// Where it listens.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whoever joins next.
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
