//! The udev rules, made from the driver table: permission for the daemon, the names of lines, and
//! the start of the daemon. USB ids are hints and recognise no board. Only on HID are they binding,
//! because no other HID device is opened.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use eboard::Driver;

const HEAD: &str = "\
# Serial lines and HID devices that may be an electronic chess board: open to the group dialout and
# to whoever sits at the machine, and the daemon is started with the first. Lines are left alone by
# ModemManager.
#
# Written from the driver table by src/udev.rs; do not edit. The ids of lines are hints only: most
# are stock ids of chip makers and found in much else. A board is recognised by its protocol alone.
# Of HID devices these and no others are opened, and no keyboard or mouse, whatever its ids.
#
#   /dev/adoubed/at-<socket>                      whatever is plugged into this socket; unique
#   /dev/adoubed/usb-<vendor>-<product>-<number>  this adapter in any socket, if it has a number;
#                                                 some makers give all adapters the same one

ACTION==\"remove\", GOTO=\"adoubed_end\"
SUBSYSTEM==\"usb\", ENV{DEVTYPE}==\"usb_device\", GOTO=\"adoubed_ids\"
SUBSYSTEM==\"hidraw\", GOTO=\"adoubed_hid\"
SUBSYSTEM!=\"tty\", GOTO=\"adoubed_end\"
LABEL=\"adoubed_ids\"
";

const LINES: &str = "
ENV{.ADOUBED}!=\"1\", GOTO=\"adoubed_end\"

# ModemManager would talk to the board: the first mark is read from the device, the second from the
# line.
ENV{ID_MM_DEVICE_IGNORE}=\"1\"
SUBSYSTEM!=\"tty\", GOTO=\"adoubed_end\"
ENV{ID_MM_PORT_IGNORE}=\"1\"

GROUP=\"dialout\", MODE=\"0660\", TAG+=\"uaccess\"
ENV{ID_PATH}==\"?*\", SYMLINK+=\"adoubed/at-$env{ID_PATH}\"
ENV{ID_SERIAL_SHORT}==\"?*\", \\
  SYMLINK+=\"adoubed/usb-$env{ID_VENDOR_ID}-$env{ID_MODEL_ID}-$env{ID_SERIAL_SHORT}\"
TAG+=\"systemd\", ENV{SYSTEMD_WANTS}+=\"adoubed.service\"
GOTO=\"adoubed_end\"

LABEL=\"adoubed_hid\"
# What a keyboard (01) and a mouse (02) say of themselves.
ATTRS{bInterfaceProtocol}==\"01|02\", GOTO=\"adoubed_end\"
";

const HID: &str = "
ENV{.ADOUBED_HID}!=\"1\", GOTO=\"adoubed_end\"
GROUP=\"dialout\", MODE=\"0660\", TAG+=\"uaccess\"
# Nobody has looked for its socket yet, as 60-serial.rules does for lines.
IMPORT{builtin}=\"path_id\"
ENV{ID_PATH}==\"?*\", SYMLINK+=\"adoubed/at-$env{ID_PATH}\"
TAG+=\"systemd\", ENV{SYSTEMD_WANTS}+=\"adoubed.service\"

LABEL=\"adoubed_end\"
";

/// The rules file for these drivers. Each USB id has one rule, with all drivers that name it.
#[must_use]
pub fn rules(drivers: &[&Driver]) -> String {
    let mut text = HEAD.to_owned();
    let hints = drivers.iter().flat_map(|driver| {
        let ids = driver.hints().iter();
        ids.map(|hint| {
            (driver.name, hint.note, (id(hint.vendor, 0xffff), id(hint.product, 0xffff)))
        })
    });
    add(&mut text, hints, ".ADOUBED");
    text.push_str(LINES);
    let devices = drivers.iter().flat_map(|driver| {
        let ids = driver.hid().iter();
        ids.map(|it| (driver.name, it.note, (id(it.vendor, 0xffff), id(it.product, it.mask))))
    });
    add(&mut text, devices, ".ADOUBED_HID");
    text.push_str(HID);
    text
}

/// Adds one rule for each id that sets this mark, under a remark for each driver.
fn add(
    text: &mut String,
    ids: impl Iterator<Item = (&'static str, &'static str, (String, String))>,
    mark: &str,
) {
    let mut remarks: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (driver, note, id) in ids {
        let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
        remarks.entry(id).or_default().push(format!("{driver}: {note}"));
    }
    for ((vendor, product), remarks) in remarks {
        text.push('\n');
        for remark in remarks {
            let _ = writeln!(text, "# {remark}");
        }
        let _ = writeln!(
            text,
            "ATTRS{{idVendor}}==\"{vendor}\", ATTRS{{idProduct}}==\"{product}\", \
             ENV{{{mark}}}=\"1\""
        );
    }
}

/// The pattern for all ids that agree with this one in the bits of the mask, in udev's notation.
fn id(id: u16, mask: u16) -> String {
    let place = |shift: u32| {
        let fits = |digit: &u16| (digit ^ (id >> shift)) & (mask >> shift) & 0xf == 0;
        let digits = (0..16_u16).filter(fits).map(|digit| format!("{digit:x}"));
        let digits = digits.collect::<String>();
        match digits.len() {
            16 => "?".to_owned(),
            1 => digits,
            _ => format!("[{digits}]"),
        }
    };
    [12, 8, 4, 0].map(place).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_two_drivers_has_one_rule_that_names_both() {
        let rules = rules(&catalog::languages());
        let shared = "ATTRS{idVendor}==\"0403\", ATTRS{idProduct}==\"6001\"";
        assert_eq!(rules.matches(shared).count(), 1, "{rules}");
        let above: Vec<_> = rules
            .lines()
            .take_while(|line| !line.starts_with(shared))
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .take_while(|line| line.starts_with('#'))
            .collect();
        assert!(above.iter().any(|line| line.starts_with("# dgt: ")), "{above:?}");
        assert!(above.iter().any(|line| line.starts_with("# chesslink: ")), "{above:?}");
    }

    #[test]
    fn every_hint_of_the_table_has_its_rule() {
        let rules = rules(&catalog::languages());
        for hint in catalog::DRIVERS.iter().flat_map(|driver| driver.hints()) {
            let ids =
                format!("==\"{:04x}\", ATTRS{{idProduct}}==\"{:04x}\"", hint.vendor, hint.product);
            assert!(rules.contains(&ids), "{ids}");
        }
    }

    /// Whether a pattern matches, for the part of fnmatch(3) that is used here.
    fn matches(pattern: &str, id: &str) -> bool {
        let mut rest = pattern.chars();
        let fits = |digit| match rest.next() {
            Some('[') => {
                rest.by_ref().take_while(|it| *it != ']').filter(|it| *it == digit).count() > 0
            }
            it => it == Some('?') || it == Some(digit),
        };
        id.chars().all(fits) && rest.next().is_none()
    }

    #[test]
    fn hid_devices_are_opened_that_a_driver_names_and_no_others() {
        let rules = rules(&catalog::languages());
        let patterns: Vec<(&str, &str)> = rules
            .lines()
            .filter(|line| line.contains(".ADOUBED_HID}=\"1\""))
            .map(|line| {
                let quoted: Vec<_> = line.split('"').collect();
                (quoted[1], quoted[3])
            })
            .collect();
        let ids = || catalog::languages().into_iter().flat_map(|driver| driver.hid());
        let vendors = ids().flat_map(|id| [id.vendor, id.vendor ^ 1]).chain([0x046d, 0x1050]);
        for vendor in vendors {
            for product in 0..=u16::MAX {
                let named = ids().any(|id| id.names(vendor, product));
                let (of, it) = (format!("{vendor:04x}"), format!("{product:04x}"));
                let opened = patterns.iter().any(|(v, p)| matches(v, &of) && matches(p, &it));
                assert_eq!(opened, named, "{of}:{it}");
            }
        }
    }

    #[test]
    fn a_mask_opens_what_it_covers() {
        assert_eq!(id(0x8001, 0xff00), "80??");
        assert_eq!(id(0x1234, 0xffff), "1234");
        assert_eq!(id(0x00c0, 0xffc0), "00[cdef]?");
    }

    /// The hint for a serial line opens no HID device, because no driver may have named its id.
    #[test]
    fn hints_are_for_lines_and_names_for_hid_devices() {
        let rules = rules(&catalog::languages());
        let (lines, hid) = rules.split_once("LABEL=\"adoubed_hid\"").unwrap();
        assert!(!lines.contains("ADOUBED_HID") && !hid.contains("{.ADOUBED}"), "{rules}");
        let first = lines.find("LABEL=\"adoubed_ids\"").unwrap();
        assert!(lines[..first].contains("SUBSYSTEM==\"hidraw\", GOTO=\"adoubed_hid\""));
    }

    #[test]
    fn every_jump_has_its_label() {
        let rules = rules(&catalog::languages());
        for jump in rules.split("GOTO=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert_eq!(rules.matches(&format!("LABEL=\"{jump}\"")).count(), 1, "{jump}");
        }
    }
}
