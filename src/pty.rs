//! Pseudo-terminals: lines without hardware, whose far end is ours. For emulated boards only.

use std::io;
use std::path::{Path, PathBuf};

use tokio::io::AsyncReadExt;
use tokio_serial::{SerialPort as _, SerialStream};

/// Our end of a pseudo-terminal. Other programs open [`Pty::path`].
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
        self.ours.read(buffer).await
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
