//! The far ends of lines without hardware, for emulated boards: a pseudo-terminal where a serial
//! line is meant, a local socket that keeps reports where a HID device is.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use eboard::{Driver, Said};
use tokio::io::AsyncReadExt;
use tokio_serial::{SerialPort as _, SerialStream};

use crate::lines::line::reports::Reports;
use crate::lines::line::seqpacket::Listener;

/// Our end of a line. Other programs open [`FarEnd::path`].
pub enum FarEnd {
    /// Of a serial line.
    Pty(Pty),
    /// Of a HID device.
    Socket(Socket),
}

impl FarEnd {
    /// A far end for a board of this family, which other programs find at `link` while it lives.
    ///
    /// # Errors
    /// When the system has no more of them, or the link cannot be made.
    pub fn of(driver: &Driver, link: Option<&Path>) -> io::Result<Self> {
        match driver.settings() {
            Some(_) => Pty::open(link).map(Self::Pty),
            None => Socket::open(link).map(Self::Socket),
        }
    }

    /// What other programs open.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Pty(pty) => pty.path(),
            Self::Socket(socket) => socket.listener.path(),
        }
    }

    /// Reads what the other end has written: from a socket, one report.
    ///
    /// # Errors
    /// When the line is broken.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Pty(pty) => pty.read(buffer).await,
            Self::Socket(socket) => socket.read(buffer).await,
        }
    }

    /// Writes what a board says, as far as the other end has room for it; the rest is lost, as on a
    /// real line that nobody reads.
    ///
    /// # Errors
    /// When the line is broken.
    pub fn say(&mut self, said: Said) -> io::Result<()> {
        for bytes in said.writes() {
            match self {
                Self::Pty(pty) => _ = pty.write(&bytes)?,
                Self::Socket(socket) => socket.write(&bytes),
            }
        }
        Ok(())
    }
}

/// Our end of a pseudo-terminal.
pub struct Pty {
    ours: SerialStream,
    // Kept open, or reading our end would fail each time the last reader goes.
    _theirs: SerialStream,
    path: PathBuf,
    link: Option<PathBuf>,
}

impl Pty {
    /// A new pseudo-terminal, binary transparent; `link` will point to it while it lives.
    ///
    /// # Errors
    /// When the system has no more of them, or the link cannot be made.
    pub fn open(link: Option<&Path>) -> io::Result<Self> {
        let (ours, theirs) = SerialStream::pair().map_err(|error| {
            io::Error::other(format!("failed to open a pseudo-terminal: {error}"))
        })?;
        let path = PathBuf::from(theirs.name().unwrap_or_default());
        if let Some(link) = link {
            let _ = std::fs::remove_file(link);
            std::os::unix::fs::symlink(&path, link)?;
        }
        Ok(Self { ours, _theirs: theirs, path, link: link.map(Path::to_owned) })
    }

    /// What other programs open.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads what the other end has written.
    ///
    /// # Errors
    /// When the terminal is broken.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        AsyncReadExt::read(&mut self.ours, buffer).await
    }

    /// Writes as much as the other end has room for; the rest is lost, as on a real line that
    /// nobody reads. Gives how much was written.
    ///
    /// # Errors
    /// When the terminal is broken.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.ours.try_write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            outcome => outcome,
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if let Some(link) = &self.link {
            let _ = std::fs::remove_file(link);
        }
    }
}

/// Our end of a socket that keeps reports: one program at a time is joined to it.
pub struct Socket {
    listener: Listener,
    joined: Option<Reports>,
}

impl Socket {
    /// A new socket at this path, or somewhere among the temporary files.
    ///
    /// # Errors
    /// When it cannot be made there.
    pub fn open(link: Option<&Path>) -> io::Result<Self> {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let own = format!("adoubed-{}-{number}.sock", std::process::id());
        let path = link.map_or_else(|| std::env::temp_dir().join(own), Path::to_owned);
        Ok(Self { listener: Listener::bind(&path)?, joined: None })
    }

    async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(joined) = &self.joined else {
                self.joined = Some(self.listener.accept().await?);
                continue;
            };
            match joined.read(buffer).await {
                Ok(0) | Err(_) => self.joined = None,
                read => return read,
            }
        }
    }

    fn write(&mut self, report: &[u8]) {
        let Some(joined) = &self.joined else { return };
        // No room, or nobody there any more: reading will tell.
        let _ = joined.try_write(report);
    }
}
