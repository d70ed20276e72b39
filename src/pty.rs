//! Pseudo-terminals: lines without hardware, whose far end is ours. For emulated boards only.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd;
use tokio::io::unix::AsyncFd;

/// Our end of a pseudo-terminal. Other programs open [`Pty::path`].
pub struct Pty {
    ours: AsyncFd<OwnedFd>,
    // Kept open, or reading our end would fail each time the last reader goes.
    _theirs: OwnedFd,
    path: PathBuf,
    link: Option<PathBuf>,
}

impl Pty {
    /// A new pseudo-terminal, binary transparent; `link` will point to it while it lives.
    ///
    /// # Errors
    /// When the system has no more of them, or the link cannot be made.
    pub fn open(link: Option<&Path>) -> io::Result<Self> {
        let pair = openpty(None, None)?;
        let mut terminal = tcgetattr(&pair.slave)?;
        cfmakeraw(&mut terminal);
        tcsetattr(&pair.slave, SetArg::TCSANOW, &terminal)?;
        let flags = OFlag::from_bits_truncate(fcntl(&pair.master, FcntlArg::F_GETFL)?);
        fcntl(&pair.master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        let path = unistd::ttyname(&pair.slave)?;
        if let Some(link) = link {
            let _ = std::fs::remove_file(link);
            std::os::unix::fs::symlink(&path, link)?;
        }
        let ours = AsyncFd::new(pair.master)?;
        Ok(Self { ours, _theirs: pair.slave, path, link: link.map(Path::to_owned) })
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
    pub async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut guard = self.ours.readable().await?;
            let read = guard.try_io(|ours| {
                unistd::read(ours.get_ref().as_fd(), buffer).map_err(io::Error::from)
            });
            if let Ok(read) = read {
                return read;
            }
        }
    }

    /// Writes as much as the other end has room for; the rest is lost, as on a real line that
    /// nobody reads. Gives how much was written.
    ///
    /// # Errors
    /// When the terminal is broken.
    pub fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match unistd::write(self.ours.get_ref().as_fd(), bytes) {
            Ok(count) => Ok(count),
            Err(nix::errno::Errno::EAGAIN) => Ok(0),
            Err(error) => Err(error.into()),
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
