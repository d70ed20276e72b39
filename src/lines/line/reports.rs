//! Asynchronous reads and writes of a file that keeps reports apart. It knows nothing of boards.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use tokio::net::unix::pipe::{Receiver, Sender};

/// A device or a socket that keeps reports apart.
///
/// It uses the runtime's pipes, because they can wait for any file. Their streams are not used:
/// they take a short read for the end, and a report is always short.
#[derive(Debug)]
pub struct Reports {
    from: Receiver,
    to: Sender,
}

impl Reports {
    /// Takes a file that does not block.
    ///
    /// # Errors
    /// As the system says.
    pub fn of(file: File) -> io::Result<Self> {
        let to = Sender::from_owned_fd_unchecked(OwnedFd::from(file.try_clone()?))?;
        let from = Receiver::from_owned_fd_unchecked(OwnedFd::from(file))?;
        Ok(Self { from, to })
    }

    /// Reads one report. 0 means that the other end is gone. It is cancel safe.
    ///
    /// # Errors
    /// If the file is broken.
    pub async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.from.readable().await?;
            match self.from.try_read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }

    /// Writes one report.
    ///
    /// # Errors
    /// If the file is broken.
    pub async fn write(&self, report: &[u8]) -> io::Result<()> {
        loop {
            self.to.writable().await?;
            match self.try_write(report) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return written,
            }
        }
    }

    /// Writes one report, if there is room for it.
    ///
    /// # Errors
    /// If there is none, or the file is broken.
    pub fn try_write(&self, report: &[u8]) -> io::Result<()> {
        self.to.try_write(report).map(|_| ())
    }
}
