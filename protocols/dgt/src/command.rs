//! The orders a host may give a single board. A closed list, so that no other byte can be sent.
//!
//! Left out on purpose: 2b and 2c (speak to the clock and disturb it), 49 (a log of eight seconds),
//! 4a (bus mode), 4e (boot loader), 51, 53 and 54 (written to the board's EEPROM), 60 (lamps; has
//! frozen boards that have none).

/// One order of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Command {
    /// End every update mode.
    Reset = 0x40,
    /// Report the clock once.
    Clock = 0x41,
    /// Dump the board once.
    Board = 0x42,
    /// From now on tell of changed squares, and the clock at least every second.
    Update = 0x43,
    /// From now on tell of changed squares only.
    UpdateBoard = 0x44,
    /// The serial number of five digits.
    Serial = 0x45,
    /// The address on a bus.
    BusAddress = 0x46,
    /// The text the board introduces itself with.
    Trademark = 0x47,
    /// The version of the hardware.
    HardwareVersion = 0x48,
    /// From now on tell of changed squares, and of the clock when it has changed.
    UpdateNice = 0x4b,
    /// The state of the battery, where there is one.
    Battery = 0x4c,
    /// The version of the firmware.
    Version = 0x4d,
    /// The serial number of ten digits.
    LongSerial = 0x55,
}

impl Command {
    /// All there are.
    pub const ALL: [Self; 13] = [
        Self::Reset,
        Self::Clock,
        Self::Board,
        Self::Update,
        Self::UpdateBoard,
        Self::Serial,
        Self::BusAddress,
        Self::Trademark,
        Self::HardwareVersion,
        Self::UpdateNice,
        Self::Battery,
        Self::Version,
        Self::LongSerial,
    ];

    /// Its byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self as u8
    }

    /// The order with this byte.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.byte() == byte)
    }
}

/// What a board reads out of what a host writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One of ours.
    Command(Command),
    /// Other software speaks to the clock; this is the order's own byte.
    Clock(u8),
}

/// Reads orders out of what a host writes, as a board does; cut anywhere.
///
/// Orders of several bytes (to the clock, to lamps, a developer's key) are passed over by their
/// size byte, unknown bytes one by one.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    skip: Skip,
    /// Of an order to the clock: how many of its bytes were read, and which order it is.
    clock: Option<(u8, u8)>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Skip {
    #[default]
    Nothing,
    Size,
    Bytes(u8),
}

/// Announces an order to the clock; in it stands which one, after its size and a byte of its own.
const TO_CLOCK: u8 = 0x2b;
const WHICH: u8 = 2;

impl Orders {
    /// Hands each order to `order`.
    pub fn feed(&mut self, bytes: &[u8], mut order: impl FnMut(Order)) {
        for &byte in bytes {
            self.skip = match (self.skip, byte) {
                (Skip::Nothing, TO_CLOCK | 0x2c | 0x60 | 0x63) => {
                    self.clock = (byte == TO_CLOCK).then_some((0, 0));
                    Skip::Size
                }
                (Skip::Nothing, _) => {
                    if let Some(command) = Command::from_byte(byte) {
                        order(Order::Command(command));
                    }
                    Skip::Nothing
                }
                (Skip::Size, 1..=0x7f) => Skip::Bytes(byte),
                (Skip::Bytes(left @ 2..), _) => {
                    self.note(byte);
                    Skip::Bytes(left - 1)
                }
                (Skip::Bytes(_), _) => {
                    if let Some((WHICH.., which)) = self.clock.take() {
                        order(Order::Clock(which));
                    }
                    Skip::Nothing
                }
                (Skip::Size, _) => Skip::Nothing,
            };
        }
    }

    fn note(&mut self, byte: u8) {
        if let Some((read, which)) = &mut self.clock {
            *read += 1;
            if *read == WHICH {
                *which = byte;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(bytes: &[u8]) -> Vec<Order> {
        let mut orders = Vec::new();
        Orders::default().feed(bytes, |order| orders.push(order));
        orders
    }

    fn read(bytes: &[u8]) -> Vec<Command> {
        let commands = orders(bytes).into_iter().filter_map(|order| match order {
            Order::Command(command) => Some(command),
            Order::Clock(_) => None,
        });
        commands.collect()
    }

    #[test]
    fn harmful_orders_have_no_variant() {
        for byte in [0x2b, 0x2c, 0x49, 0x4a, 0x4e, 0x51, 0x53, 0x54, 0x60, 0x63] {
            assert_eq!(Command::from_byte(byte), None, "{byte:02x}");
        }
        let known = (0..=0xff).filter_map(Command::from_byte).count();
        assert_eq!(known, Command::ALL.len());
    }

    #[test]
    fn orders_to_the_clock_are_passed_over_whole() {
        // setnrun 1:30:00 holds a 1e and 01; the ASCII text holds 43 ('C') and 42 ('B').
        let setnrun = [0x2b, 0x0a, 0x03, 0x0a, 0x01, 0x1e, 0x00, 0x01, 0x1e, 0x00, 0x01, 0x00];
        let text =
            [0x2b, 0x0c, 0x03, 0x0c, 0x43, 0x42, 0x41, 0x40, 0x44, 0x45, 0x46, 0x47, 0x00, 0x00];
        let key = [0x63, 0x07, 0xbe, 0xf5, 0xae, 0xdd, 0xa9, 0x5f, 0x00];
        let lamps_off = [0x60, 0x04, 0x00, 0x40, 0x40, 0x00];
        for skipped in [&setnrun[..], &text, &key, &lamps_off] {
            let all = [&[0x4d], skipped, &[0x42]].concat();
            assert_eq!(read(&all), [Command::Version, Command::Board], "{skipped:02x?}");
        }
        assert_eq!(orders(&setnrun), [Order::Clock(0x0a)]);
        assert_eq!(orders(&text), [Order::Clock(0x0c)]);
        assert_eq!(orders(&key), []);
    }

    #[test]
    fn unknown_bytes_are_ignored_and_a_size_of_nothing_skips_nothing() {
        assert_eq!(read(&[0xdf, 0x00, 0x45, 0x4e, 0x51]), [Command::Serial]);
        assert_eq!(
            read(&[0x2b, 0x00, 0x45, 0x60, 0xdf, 0x46]),
            [Command::Serial, Command::BusAddress]
        );
    }
}
