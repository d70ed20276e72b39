//! The udev rules of the house, written from the driver table: who may open a board's line, under
//! which names it stands, and that the daemon is started with it. Opens no line and recognises no
//! board: the ids are hints.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use eboard::Driver;

const HEAD: &str = "\
# Serial lines behind which an electronic chess board may be: open to the group dialout and to
# whoever sits at the machine, left alone by ModemManager, and the daemon is started with the first.
#
# Written from the driver table by src/udev.rs; do not edit. The ids are hints only: most are stock
# ids of chip makers and found in much else. A board is recognised by its protocol alone.
#
#   /dev/adoubed/at-<socket>                      whatever is plugged into this socket; unique
#   /dev/adoubed/usb-<vendor>-<product>-<number>  this adapter in any socket, if it has a number;
#                                                 some makers give all adapters the same one

ACTION==\"remove\", GOTO=\"adoubed_end\"
SUBSYSTEM==\"usb\", ENV{DEVTYPE}==\"usb_device\", GOTO=\"adoubed_ids\"
SUBSYSTEM!=\"tty\", GOTO=\"adoubed_end\"
LABEL=\"adoubed_ids\"
";

const TAIL: &str = "
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

LABEL=\"adoubed_end\"
";

/// The rules file for these drivers: one rule per USB id, with the drivers that hint at it.
#[must_use]
pub fn rules(drivers: &[&Driver]) -> String {
    let mut text = HEAD.to_owned();
    for ((vendor, product), remarks) in by_id(drivers) {
        text.push('\n');
        for remark in remarks {
            let _ = writeln!(text, "# {remark}");
        }
        let _ = writeln!(
            text,
            "ATTRS{{idVendor}}==\"{vendor:04x}\", ATTRS{{idProduct}}==\"{product:04x}\", \
             ENV{{.ADOUBED}}=\"1\""
        );
    }
    text.push_str(TAIL);
    text
}

/// Every id that any driver hints at, once, with a remark for each of these drivers.
fn by_id(drivers: &[&Driver]) -> BTreeMap<(u16, u16), Vec<String>> {
    let mut ids: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for driver in drivers {
        for hint in driver.hints() {
            let note = hint.note.split_whitespace().collect::<Vec<_>>().join(" ");
            let remark = format!("{}: {note}", driver.name);
            ids.entry((hint.vendor, hint.product)).or_default().push(remark);
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_two_drivers_has_one_rule_that_names_both() {
        let rules = rules(catalog::DRIVERS);
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
        let rules = rules(catalog::DRIVERS);
        for hint in catalog::DRIVERS.iter().flat_map(|driver| driver.hints()) {
            let ids =
                format!("==\"{:04x}\", ATTRS{{idProduct}}==\"{:04x}\"", hint.vendor, hint.product);
            assert!(rules.contains(&ids), "{ids}");
        }
    }

    #[test]
    fn every_jump_has_its_label() {
        let rules = rules(catalog::DRIVERS);
        for jump in rules.split("GOTO=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert_eq!(rules.matches(&format!("LABEL=\"{jump}\"")).count(), 1, "{jump}");
        }
    }
}
