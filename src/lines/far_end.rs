//! The far ends of lines without hardware, for emulated boards. A pseudo-terminal stands for a
//! serial line, and a local socket that keeps reports apart for a HID device.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use eboard::{Driver, Said};
use tokio::io::AsyncReadExt;
use tokio_serial::{SerialPort as _, SerialStream};

use crate::lines::line::reports::Reports;
use crate::lines::line::seqpacket::Listener;

/// The far end of a line. Other programs open [`FarEnd::path`].
pub enum FarEnd {
    /// Of a serial line.
    Pty(Pty),
    /// Of a HID device.
    Socket(Socket),
}

impl FarEnd {
    /// The far end of a board of this family. Other programs find it at `link` while it lives.
    ///
    /// # Errors
    /// If the system has no more of them, or the link cannot be made.
    pub fn of(driver: &Driver, link: Option<&Path>) -> io::Result<Self> {
        match driver.settings() {
            Some(_) => Pty::open(link).map(Self::Pty),
            None => Socket::open(link).map(Self::Socket),
        }
    }

    /// The path that other programs open.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Pty(pty) => pty.path(),
            Self::Socket(socket) => socket.listener.path(),
        }
    }

    /// Reads bytes from the other program; from a socket, one report.
    ///
    /// # Errors
    /// If the line is broken.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Pty(pty) => pty.read(buffer).await,
            Self::Socket(socket) => socket.read(buffer).await,
        }
    }

    /// Writes bytes of the board, as far as there is room. The rest is lost, as on a real line
    /// without a reader.
    ///
    /// # Errors
    /// If the line is broken.
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

/// The board's side of a pseudo-terminal.
pub struct Pty {
    ours: SerialStream,
    // It is kept open. Otherwise our reads would fail each time the last reader goes.
    _theirs: SerialStream,
    path: PathBuf,
    link: Option<PathBuf>,
}

impl Pty {
    /// A new binary-transparent pseudo-terminal. `link` points to it while it lives; one that was
    /// left there by another program is replaced.
    ///
    /// # Errors
    /// If the system has no more of them, or the link cannot be made: something else is there.
    pub fn open(link: Option<&Path>) -> io::Result<Self> {
        let (ours, theirs) = SerialStream::pair().map_err(|error| {
            io::Error::other(format!("failed to open a pseudo-terminal: {error}"))
        })?;
        let path = PathBuf::from(theirs.name().unwrap_or_default());
        if let Some(link) = link {
            make_room(link)?;
            std::os::unix::fs::symlink(&path, link)?;
        }
        Ok(Self { ours, _theirs: theirs, path, link: link.map(Path::to_owned) })
    }

    /// The path that other programs open.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads bytes from the other program.
    ///
    /// # Errors
    /// If the terminal is broken.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        AsyncReadExt::read(&mut self.ours, buffer).await
    }

    /// Writes as much as there is room for and returns its length. The rest is lost, as on a real
    /// line without a reader.
    ///
    /// # Errors
    /// If the terminal is broken.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.ours.try_write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            outcome => outcome,
        }
    }
}

/// Takes away a link that is of no more use. Anything else at its place belongs to somebody.
fn make_room(link: &Path) -> io::Result<()> {
    match link.symlink_metadata() {
        Ok(there) if there.is_symlink() => std::fs::remove_file(link),
        Ok(_) => {
            let text = format!(
                "{} is there already and is no link to a board: write another --link, or take it \
                 away",
                link.display()
            );
            Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
        }
        Err(_) => Ok(()),
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // Meanwhile another program may have put its own there.
        if let Some(link) = &self.link
            && std::fs::read_link(link).is_ok_and(|it| it == self.path)
        {
            let _ = std::fs::remove_file(link);
        }
    }
}

/// The board's side of a socket that keeps reports apart. One program at a time is connected.
pub struct Socket {
    listener: Listener,
    joined: Option<Reports>,
}

impl Socket {
    /// A new socket at this path, or in the directory for temporary files.
    ///
    /// # Errors
    /// If it cannot be made there.
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
        // If there is no room the report is lost. If the program is gone, the next read notices it.
        let _ = joined.try_write(report);
    }
}
