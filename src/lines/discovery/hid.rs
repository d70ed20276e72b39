//! Finds HID devices from what the kernel reports of them. It opens none: a hidraw may be a
//! keyboard or a security key. A device that no driver names is left alone.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use eboard::{Carrier, HidId};

/// The kernel's folder of raw HID devices.
const CLASS: &str = "/sys/class/hidraw";
/// The bus number of USB.
const USB: &str = "0003";
/// The first usage page that belongs to makers (HID Usage Tables, 3).
const OWN_PAGES: u16 = 0xff00;

/// A raw HID device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Vendor id.
    pub vendor: u16,
    /// Product id.
    pub product: u16,
    /// Its name.
    pub name: String,
    /// Its serial number, or the socket it is plugged into.
    pub place: String,
    /// The first usage page of its report descriptor.
    pub usage_page: Option<u16>,
}

impl Device {
    /// The carrier for the bytes of this device.
    #[must_use]
    pub const fn carrier(&self) -> Carrier {
        Carrier::Hid { vendor: self.vendor, product: self.product }
    }

    /// Whether a driver names it.
    #[must_use]
    pub fn is_named(&self) -> bool {
        let ids = catalog::languages().into_iter().flat_map(|driver| driver.hid());
        ids.into_iter().any(|id| self.is(id))
    }

    fn is(&self, id: &HidId) -> bool {
        let page = match id.usage_page {
            Some(page) => self.usage_page == Some(page),
            None => self.usage_page.is_some_and(|page| page >= OWN_PAGES),
        };
        page && id.names(self.vendor, self.product)
    }
}

/// All devices that a driver names, by their files in `/dev`.
#[must_use]
pub fn scan() -> Vec<(PathBuf, Device)> {
    let all = devices(Path::new(CLASS));
    all.into_iter().filter(|(_, device)| device.is_named()).collect()
}

/// Whether a path is a raw HID device of any maker.
#[must_use]
pub fn is_raw(path: &Path) -> bool {
    let name = fs::canonicalize(path).ok();
    let name = name.as_deref().and_then(Path::file_name).and_then(|it| it.to_str());
    name.is_some_and(|it| it.starts_with("hidraw"))
}

/// The device of an open file.
#[must_use]
pub fn of(file: &File) -> Option<Device> {
    let number = file.metadata().ok()?.rdev();
    let (major, minor) = (nix::sys::stat::major(number), nix::sys::stat::minor(number));
    read(&PathBuf::from(format!("/sys/dev/char/{major}:{minor}/device")))
}

fn devices(class: &Path) -> Vec<(PathBuf, Device)> {
    let entries = fs::read_dir(class).into_iter().flatten().flatten();
    let device = |entry: fs::DirEntry| {
        let device = read(&entry.path().join("device"))?;
        Some((Path::new("/dev").join(entry.file_name()), device))
    };
    entries.filter_map(device).collect()
}

/// Reads a USB HID device from its folder in sysfs.
fn read(folder: &Path) -> Option<Device> {
    let text = fs::read_to_string(folder.join("uevent")).ok()?;
    let fact = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.filter(|it| !it.is_empty())
    };
    let mut ids = fact("HID_ID")?.split(':');
    let bus = ids.next()?;
    let mut id = || u32::from_str_radix(ids.next()?, 16).ok()?.try_into().ok();
    let (vendor, product) = (id()?, id()?);
    let place = fact("HID_UNIQ").or(fact("HID_PHYS")).unwrap_or_default().to_owned();
    let descriptor = fs::read(folder.join("report_descriptor")).unwrap_or_default();
    let name = fact("HID_NAME").unwrap_or_default().to_owned();
    let usage_page = usage_page(&descriptor);
    (bus == USB).then_some(Device { vendor, product, name, place, usage_page })
}

/// The first usage page of a report descriptor (HID 1.11, 6.2.2.2 and 6.2.2.7).
fn usage_page(descriptor: &[u8]) -> Option<u16> {
    match *descriptor {
        [0x05, page, ..] => Some(u16::from(page)),
        [0x06, low, high, ..] => Some(u16::from_le_bytes([low, high])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folder of a keyboard, and that of a device with a maker's page.
    fn folder(uevent: &str, descriptor: &[u8]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let device = folder.path().join("hidraw7/device");
        fs::create_dir_all(&device).unwrap();
        fs::write(device.join("uevent"), uevent).unwrap();
        fs::write(device.join("report_descriptor"), descriptor).unwrap();
        folder
    }

    const BOARD: &str = "DRIVER=hid-generic\nHID_ID=0003:00002D80:00008001\n\
        HID_NAME=Chessnut Air\nHID_PHYS=usb-0000:00:14.0-2/input0\nHID_UNIQ=\n";

    #[test]
    fn a_device_is_read_as_the_kernel_shows_it() {
        let found = devices(folder(BOARD, &[0x06, 0x00, 0xff, 0x09, 0x01]).path());
        let device = Device {
            vendor: 0x2d80,
            product: 0x8001,
            name: "Chessnut Air".to_owned(),
            place: "usb-0000:00:14.0-2/input0".to_owned(),
            usage_page: Some(0xff00),
        };
        assert_eq!(found, [(PathBuf::from("/dev/hidraw7"), device)]);
    }

    #[test]
    fn what_no_driver_names_is_left_alone() {
        let keyboard = BOARD.replace("2D80", "046D");
        let found = devices(folder(&keyboard, &[0x05, 0x01, 0x09, 0x06]).path());
        assert_eq!(found[0].1.usage_page, Some(1));
        assert!(!found[0].1.is_named());
    }

    #[test]
    fn a_board_is_the_interface_with_its_own_page() {
        for (descriptor, named) in
            [(&[0x06, 0x00, 0xff][..], true), (&[0x05, 0x01], false), (&[0x06, 0xa0, 0xff], false)]
        {
            assert_eq!(devices(folder(BOARD, descriptor).path())[0].1.is_named(), named);
        }
    }

    /// The vendor id is also used for joypads and for bar code readers, which type.
    #[test]
    fn a_board_whose_page_is_not_known_is_still_no_keyboard() {
        let board = BOARD.replace("2D80", "0925");
        for (descriptor, named) in [
            (&[0x06, 0xa0, 0xff][..], true),
            (&[0x06, 0x00, 0xff], true),
            (&[0x05, 0x01], false),
            (&[0x05, 0x0c], false),
            (&[0x06, 0xd0, 0xf1], false),
            (&[], false),
        ] {
            let found = devices(folder(&board, descriptor).path());
            assert_eq!(found[0].1.is_named(), named, "{descriptor:02x?}");
        }
    }

    #[test]
    fn what_is_not_on_usb_or_makes_no_sense_is_no_device() {
        for uevent in [&BOARD.replace("0003:", "0005:"), "", "HID_ID=0003", "HID_ID=x:y:z"] {
            assert_eq!(devices(folder(uevent, &[]).path()), [], "{uevent}");
        }
    }
}
