//! A file that carries reports: each read is one, each write is one. Knows nothing of boards.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use tokio::net::unix::pipe::{Receiver, Sender};

/// A device or a socket that keeps reports, awaited.
///
/// The runtime's pipes are taken because they await any file there is. Only what they try is used:
/// their streams take a short read for the last one, and a report is always short.
#[derive(Debug)]
pub struct Reports {
    from: Receiver,
    to: Sender,
}

impl Reports {
    /// Of a file that does not block.
    ///
    /// # Errors
    /// As the system says.
    pub fn of(file: File) -> io::Result<Self> {
        let to = Sender::from_owned_fd_unchecked(OwnedFd::from(file.try_clone()?))?;
        let from = Receiver::from_owned_fd_unchecked(OwnedFd::from(file))?;
        Ok(Self { from, to })
    }

    /// The next report; 0: the other end is gone. Given up half way, nothing is lost.
    ///
    /// # Errors
    /// When the file is broken.
    pub async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.from.readable().await?;
            match self.from.try_read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }

    /// One report.
    ///
    /// # Errors
    /// When the file is broken.
    pub async fn write(&self, report: &[u8]) -> io::Result<()> {
        loop {
            self.to.writable().await?;
            match self.try_write(report) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return written,
            }
        }
    }

    /// One report, if there is room for it.
    ///
    /// # Errors
    /// When there is none, or the file is broken.
    pub fn try_write(&self, report: &[u8]) -> io::Result<()> {
        self.to.try_write(report).map(|_| ())
    }
}
