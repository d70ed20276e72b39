//! Finds the lines of this machine and their names. It opens none of them.

pub mod hid;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serialport::{SerialPortType, UsbPortInfo};
use tokio::sync::mpsc;

use crate::entry::LineId;

/// How often lines are searched for when no change is reported.
const RESCAN: Duration = Duration::from_secs(2);
/// Directories of links that name a line by its device and not by the order of plugging in.
const LINKS: [&str; 3] = ["/dev/serial/by-id", "/dev/serial/by-path", "/dev/adoubed"];

/// A line that is present.
#[derive(Clone, Debug, PartialEq)]
pub struct Present {
    /// Its names.
    pub id: LineId,
    /// The USB descriptor, if it is on USB.
    pub usb: Option<Usb>,
}

/// The USB descriptor of a line's adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usb {
    /// Vendor id.
    pub vendor: u16,
    /// Product id.
    pub product: u16,
    /// The name of the product.
    pub name: Option<String>,
    /// The serial number of the adapter, which is not that of the board.
    pub serial: Option<String>,
}

/// All lines that a board may be on: USB and Bluetooth serial lines, or all entries of a directory.
#[must_use]
pub fn scan(directory: &Path) -> Vec<Present> {
    let mut present = if directory.as_os_str().is_empty() { machine() } else { entries(directory) };
    present.sort_by(|one, other| one.id.path.cmp(&other.id.path));
    present
}

/// The file behind a path, through all links.
#[must_use]
pub fn real(path: &str) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path))
}

/// Reports when lines may have come or gone. Ends with its receiver.
pub async fn watch(directory: PathBuf, changed: mpsc::Sender<()>) {
    let watched = if directory.as_os_str().is_empty() { PathBuf::from("/dev") } else { directory };
    let mut events = watched_events(&watched);
    loop {
        match &mut events {
            Some(stream) => {
                use futures_util::StreamExt as _;
                let _ = tokio::time::timeout(RESCAN, stream.next()).await;
            }
            None => tokio::time::sleep(RESCAN).await,
        }
        if changed.send(()).await.is_err() {
            return;
        }
    }
}

fn watched_events(directory: &Path) -> Option<inotify::EventStream<[u8; 4096]>> {
    use inotify::{Inotify, WatchMask};
    let inotify = Inotify::init().ok()?;
    inotify
        .watches()
        .add(directory, WatchMask::CREATE | WatchMask::DELETE | WatchMask::ATTRIB)
        .ok()?;
    inotify.into_event_stream([0; 4096]).ok()
}

fn machine() -> Vec<Present> {
    let links = links();
    let ports = serialport::available_ports().unwrap_or_default();
    let usb = ports.into_iter().filter(|it| matches!(it.port_type, SerialPortType::UsbPort(_)));
    usb.map(|port| {
        let usb = match port.port_type {
            SerialPortType::UsbPort(usb) => Some(usb),
            _ => None,
        };
        let mut names = vec![port.port_name.clone()];
        names.extend(links.get(&real(&port.port_name)).into_iter().flatten().cloned());
        names.extend(usb.as_ref().and_then(location));
        let usb = usb.map(|usb| Usb {
            vendor: usb.vid,
            product: usb.pid,
            name: usb.product,
            serial: usb.serial_number,
        });
        Present { id: LineId { names, ..LineId::at(&port.port_name) }, usb }
    })
    .chain(bluetooth(Path::new("/dev"), &links))
    .chain(hid_devices(&links))
    .collect()
}

/// The device files of bound Bluetooth boards. No crate lists them without libudev.
fn bluetooth(
    directory: &Path,
    links: &BTreeMap<PathBuf, Vec<String>>,
) -> impl Iterator<Item = Present> {
    let is_node = |path: &String| {
        let number = Path::new(path).file_name()?.to_str()?.strip_prefix("rfcomm")?;
        let device = fs::metadata(path).ok()?.file_type().is_char_device();
        let numbered = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        (device && numbered).then_some(())
    };
    let nodes = paths(directory).into_iter().filter(move |path| is_node(path).is_some());
    nodes.map(|path| {
        let mut names = vec![path.clone()];
        names.extend(links.get(&real(&path)).into_iter().flatten().cloned());
        Present { id: LineId { names, ..LineId::at(&path) }, usb: None }
    })
}

fn hid_devices(links: &BTreeMap<PathBuf, Vec<String>>) -> impl Iterator<Item = Present> {
    hid::scan().into_iter().map(|(path, device)| {
        let path = path.to_string_lossy().into_owned();
        let mut names = vec![path.clone()];
        names.extend(links.get(Path::new(&path)).into_iter().flatten().cloned());
        let hid::Device { vendor, product, .. } = device;
        if !device.place.is_empty() {
            names.push(format!("hid:{vendor:04x}:{product:04x}:{}", device.place));
        }
        let id = LineId { path, names, carrier: device.carrier() };
        let usb = Usb { vendor, product, name: Some(device.name), serial: None };
        Present { id, usb: Some(usb) }
    })
}

/// The adapter's serial number, or the socket it is plugged into.
fn location(usb: &UsbPortInfo) -> Option<String> {
    match usb.serial_number.as_deref().filter(|serial| !serial.is_empty()) {
        Some(serial) => Some(format!("usb:{:04x}:{:04x}:{serial}", usb.vid, usb.pid)),
        None => usb.location.as_ref().map(|place| format!("usb-socket:{place:?}")),
    }
}

fn links() -> BTreeMap<PathBuf, Vec<String>> {
    let mut links: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for path in LINKS.iter().flat_map(|directory| paths(Path::new(directory))) {
        links.entry(real(&path)).or_default().push(path);
    }
    links
}

fn entries(directory: &Path) -> Vec<Present> {
    let present = paths(directory).into_iter().filter(|path| Path::new(path).exists());
    present.map(|path| Present { id: LineId::at(&path), usb: None }).collect()
}

fn paths(directory: &Path) -> Vec<String> {
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    files.filter_map(|file| file.path().to_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bluetooth_board_is_a_numbered_node_that_is_a_device() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        for name in ["rfcomm0", "rfcomm12", "rfcomm", "rfcommx", "ttyS0"] {
            std::os::unix::fs::symlink("/dev/null", at(name)).unwrap();
        }
        fs::write(at("rfcomm3"), "no device").unwrap();
        let links = BTreeMap::from([(real("/dev/null"), vec!["/dev/adoubed/hall".to_owned()])]);
        let mut found: Vec<_> = bluetooth(directory.path(), &links).map(|it| it.id).collect();
        found.sort_by(|one, other| one.path.cmp(&other.path));
        let paths: Vec<_> = found.iter().map(|it| PathBuf::from(&it.path)).collect();
        assert_eq!(paths, [at("rfcomm0"), at("rfcomm12")]);
        assert!(found[0].names.contains(&"/dev/adoubed/hall".to_owned()));
    }
}
