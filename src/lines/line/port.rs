//! The two kinds of port: one that carries a stream of bytes, and one that carries reports and
//! keeps where each of them ends. The only file that opens either.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

use eboard::{Carrier, LineSettings};
use nix::fcntl::OFlag;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_serial::{SerialPort, SerialPortBuilderExt, SerialStream};

use super::reports::Reports;
use super::seqpacket;
use crate::lines::discovery::hid;

/// A port that is open, for ourselves alone.
pub enum Port {
    /// A serial line.
    Stream(SerialStream),
    /// A HID device, or a socket that stands for one: each read is one report, each write too.
    Reports(Reports, Carrier),
}

impl Port {
    /// Opens what is at this path: a HID device if some driver names it, a socket, or else a serial
    /// line.
    ///
    /// # Errors
    /// As the system says; a HID device that no driver names is not permitted.
    pub fn open(path: &str, settings: Option<LineSettings>) -> io::Result<Self> {
        let kind = std::fs::metadata(path).map(|it| it.file_type());
        if kind.as_ref().is_ok_and(std::fs::FileType::is_socket) {
            let socket = Reports::of(seqpacket::connect(Path::new(path))?)?;
            return Ok(Self::Reports(socket, Carrier::Socket));
        }
        if hid::is_raw(Path::new(path)) {
            return hid_device(path);
        }
        let baud = settings.map_or(9600, |settings| settings.baud);
        let port = tokio_serial::new(path, baud).open_native_async().map_err(io_error)?;
        let mut port = Self::Stream(port);
        if let Some(settings) = settings {
            port.set(settings);
        }
        Ok(port)
    }

    /// What carries its bytes.
    #[must_use]
    pub const fn carrier(&self) -> Carrier {
        match self {
            Self::Stream(_) => Carrier::Serial,
            Self::Reports(_, carrier) => *carrier,
        }
    }

    /// Bytes that have come, or one report; 0: the other end is gone. Given up half way, nothing is
    /// lost.
    ///
    /// # Errors
    /// When the port is broken.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Stream(port) => AsyncReadExt::read(port, buffer).await,
            Self::Reports(reports, _) => reports.read(buffer).await,
        }
    }

    /// Writes all of this: to a port that carries reports, as one.
    ///
    /// # Errors
    /// When the port is broken.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Stream(port) => AsyncWriteExt::write_all(port, bytes).await,
            Self::Reports(reports, _) => reports.write(bytes).await,
        }
    }

    /// Pseudo-terminals have no modem lines and some adapters no choice of speed: both do no harm.
    pub fn set(&mut self, settings: LineSettings) {
        let Self::Stream(port) = self else { return };
        let outcomes = [
            port.set_baud_rate(settings.baud),
            port.write_data_terminal_ready(settings.dtr),
            port.write_request_to_send(settings.rts),
        ];
        for error in outcomes.into_iter().filter_map(Result::err) {
            tracing::debug!("a line kept its setting: {error}");
        }
    }
}

/// The number of a HID device may be another one's by now: who it is, is asked of what was opened,
/// before anything is read or written.
fn hid_device(path: &str) -> io::Result<Port> {
    let flags = (OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits();
    let file = File::options().read(true).write(true).custom_flags(flags).open(path)?;
    let Some(device) = hid::of(&file).filter(hid::Device::is_named) else {
        let text = format!("{path} is a HID device that no driver names");
        return Err(io::Error::new(io::ErrorKind::Unsupported, text));
    };
    file.try_lock().map_err(|_| io::Error::from(io::ErrorKind::ResourceBusy))?;
    Ok(Port::Reports(Reports::of(file)?, device.carrier()))
}

fn io_error(error: tokio_serial::Error) -> io::Error {
    match error.kind() {
        tokio_serial::ErrorKind::NoDevice => {
            let text = error.to_string();
            let denied = text.contains("ermission") || text.contains("denied");
            let busy = text.contains("exclusive") || text.contains("busy");
            let kind = match (denied, busy) {
                (true, _) => io::ErrorKind::PermissionDenied,
                (_, true) => io::ErrorKind::ResourceBusy,
                _ => io::ErrorKind::NotFound,
            };
            io::Error::new(kind, text)
        }
        tokio_serial::ErrorKind::Io(kind) => io::Error::new(kind, error.to_string()),
        _ => io::Error::other(error.to_string()),
    }
}
