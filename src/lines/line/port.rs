//! The two kinds of port. One carries a stream of bytes; the other carries reports and keeps them
//! apart. Only this file opens ports.

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

/// An open port that no other program can open.
pub enum Port {
    /// A serial line.
    Stream(SerialStream),
    /// A HID device, or a socket in its place. Each read and each write is one report.
    Reports(Reports, Carrier),
}

impl Port {
    /// Opens a path: a HID device that a driver names, a socket, or else a serial line.
    ///
    /// # Errors
    /// As the system says. For a HID device that no driver names: permission denied.
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

    /// The carrier of its bytes.
    #[must_use]
    pub const fn carrier(&self) -> Carrier {
        match self {
            Self::Stream(_) => Carrier::Serial,
            Self::Reports(_, carrier) => *carrier,
        }
    }

    /// Reads bytes, or one report. 0 means that the other end is gone. It is cancel safe.
    ///
    /// # Errors
    /// If the port is broken.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Stream(port) => AsyncReadExt::read(port, buffer).await,
            Self::Reports(reports, _) => reports.read(buffer).await,
        }
    }

    /// Writes all bytes; a port that carries reports writes them as one.
    ///
    /// # Errors
    /// If the port is broken.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Stream(port) => AsyncWriteExt::write_all(port, bytes).await,
            Self::Reports(reports, _) => reports.write(bytes).await,
        }
    }

    /// Changes the settings. Errors are ignored: pseudo-terminals have no modem lines, and some
    /// adapters have only one speed.
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

/// Another device may have got the number of a HID device meanwhile. So the opened file is asked
/// what it is, before anything is read or written.
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
