//! The clock report 8d: seven data bytes to a face and back. No opinion on who plays White.

use eboard::{ClockFace, Dial, FaceTime, FlagMark, Side};

/// Data bytes of a clock report.
pub(crate) const REPORT: usize = 7;

/// The most an hours nibble can carry: 10 and more is no time but the mark of an acknowledgement.
const LONGEST_S: u32 = 9 * 3600 + 59 * 60 + 59;

/// What a clock report says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// What the clock shows.
    Face(ClockFace),
    /// No clock is connected; the times beside that bit mean nothing.
    NoClock,
    /// All zero: says nothing, and certainly not that two flags have fallen.
    Null,
    /// The four bytes of an acknowledgement, or of a button pressed on the clock.
    Ack([u8; 4]),
}

impl Report {
    /// Reads the data of a report; `None` when it holds digits no clock can show.
    #[must_use]
    pub fn decode(data: &[u8; REPORT]) -> Option<Self> {
        let [right_hours, right_ack0, right_ack1, left_hours, left_ack2, left_ack3, status] = *data;
        if *data == [0; REPORT] {
            return Some(Self::Null);
        }
        if right_hours & 0x0f == 0x0a || left_hours & 0x0f == 0x0a {
            return Some(Self::Ack([
                right_ack0 & 0x7f | left_hours << 3 & 0x80,
                right_ack1 & 0x7f | left_hours << 2 & 0x80,
                left_ack2 & 0x7f | right_hours << 3 & 0x80,
                left_ack3 & 0x7f | right_hours << 2 & 0x80,
            ]));
        }
        if status & STATUS_NO_CLOCK != 0 {
            return Some(Self::NoClock);
        }
        Some(Self::Face(ClockFace {
            left: dial([left_hours, left_ack2, left_ack3])?,
            right: dial([right_hours, right_ack0, right_ack1])?,
            running: status & STATUS_RUNNING != 0,
            lever: if status & STATUS_LEVER_RIGHT != 0 { Side::Right } else { Side::Left },
            low_battery: status & STATUS_LOW_BATTERY != 0,
        }))
    }

    /// The data of this report. Times above 9:59:59 are shown as 9:59:59, parts of a second as the
    /// whole next one.
    #[must_use]
    pub fn encode(&self) -> [u8; REPORT] {
        match self {
            Self::Face(face) => {
                let [right_hours, right_minutes, right_seconds] = dial_bytes(face.right);
                let [left_hours, left_minutes, left_seconds] = dial_bytes(face.left);
                let status = status(face);
                [
                    right_hours,
                    right_minutes,
                    right_seconds,
                    left_hours,
                    left_minutes,
                    left_seconds,
                    status,
                ]
            }
            Self::NoClock => [0, 0, 0, 0, 0, 0, STATUS_NO_CLOCK],
            Self::Null => [0; REPORT],
            Self::Ack([ack0, ack1, ack2, ack3]) => [
                0x0a | ack2 >> 3 & 0x10 | ack3 >> 2 & 0x20,
                ack0 & 0x7f,
                ack1 & 0x7f,
                0x0a | ack0 >> 3 & 0x10 | ack1 >> 2 & 0x20,
                ack2 & 0x7f,
                ack3 & 0x7f,
                0,
            ],
        }
    }
}

const STATUS_RUNNING: u8 = 0x01;
/// The right side has the move. D3 and D4 say the same again, and documents quarrel over which is
/// which; in every captured frame D4 goes with this bit and D3 against it.
const STATUS_LEVER_RIGHT: u8 = 0x02;
const STATUS_LOW_BATTERY: u8 = 0x04;
const STATUS_LEFT_TURN: u8 = 0x08;
const STATUS_RIGHT_TURN: u8 = 0x10;
const STATUS_NO_CLOCK: u8 = 0x20;

const HOURS_FLAG_FINAL: u8 = 0x10;
const HOURS_PER_MOVE: u8 = 0x20;
const HOURS_FLAG_PASSED: u8 = 0x40;

fn dial([hours, minutes, seconds]: [u8; 3]) -> Option<Dial> {
    let flag = match (hours & HOURS_FLAG_FINAL != 0, hours & HOURS_FLAG_PASSED != 0) {
        (true, _) => FlagMark::Final,
        (false, true) => FlagMark::Passed,
        (false, false) => FlagMark::None,
    };
    Some(Dial {
        time: FaceTime::from_hms(
            digits(hours & 0x0f, 9)?,
            digits(minutes, 59)?,
            digits(seconds, 59)?,
        ),
        flag,
        per_move: hours & HOURS_PER_MOVE != 0,
    })
}

/// Two decimal digits in the nibbles of a byte, up to `most`.
fn digits(byte: u8, most: u32) -> Option<u32> {
    let (tens, ones) = (u32::from(byte >> 4), u32::from(byte & 0x0f));
    let value = tens * 10 + ones;
    (ones <= 9 && value <= most).then_some(value)
}

/// Minutes or seconds as they stand on the wire.
pub(crate) fn two_digits(byte: u8) -> Option<u32> {
    digits(byte, 59)
}

/// Hours, minutes and seconds as they stand on the wire.
pub(crate) fn time_bytes(time: FaceTime) -> [u8; 3] {
    let seconds = time.as_ms().div_ceil(1000).min(LONGEST_S);
    [seconds / 3600, seconds / 60 % 60, seconds % 60].map(bcd)
}

fn dial_bytes(dial: Dial) -> [u8; 3] {
    let flag = match dial.flag {
        FlagMark::None => 0,
        FlagMark::Passed => HOURS_FLAG_PASSED,
        FlagMark::Final => HOURS_FLAG_FINAL,
    };
    let per_move = if dial.per_move { HOURS_PER_MOVE } else { 0 };
    let [hours, minutes, seconds] = time_bytes(dial.time);
    [hours | flag | per_move, minutes, seconds]
}

/// Two decimal digits as nibbles; `value` is below 60 here.
fn bcd(value: u32) -> u8 {
    u8::try_from(value / 10 * 16 + value % 10).unwrap_or_default()
}

fn status(face: &ClockFace) -> u8 {
    let lever = match face.lever {
        Side::Left => STATUS_LEFT_TURN,
        Side::Right => STATUS_RIGHT_TURN | STATUS_LEVER_RIGHT,
    };
    let running = if face.running { STATUS_RUNNING } else { 0 };
    let battery = if face.low_battery { STATUS_LOW_BATTERY } else { 0 };
    lever | running | battery
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(bytes: [u8; REPORT]) -> ClockFace {
        match Report::decode(&bytes) {
            Some(Report::Face(face)) => face,
            other => panic!("{bytes:02x?} read as {other:?}"),
        }
    }

    const fn shown(minutes: u32, seconds: u32) -> Dial {
        Dial { time: FaceTime::from_hms(0, minutes, seconds), flag: FlagMark::None, per_move: true }
    }

    /// Frames of real clocks (facts collected in `README.md`, section "Clock").
    #[test]
    fn captured_reports_read_as_they_were_played() {
        for (bytes, left, right, running, lever) in [
            ([0x20, 3, 2, 0x20, 3, 2, 0x08], shown(3, 2), shown(3, 2), false, Side::Left),
            ([0x20, 3, 2, 0x20, 3, 1, 0x09], shown(3, 1), shown(3, 2), true, Side::Left),
            ([0x20, 3, 1, 0x20, 3, 1, 0x13], shown(3, 1), shown(3, 1), true, Side::Right),
            ([0x20, 3, 3, 0x20, 3, 1, 0x09], shown(3, 1), shown(3, 3), true, Side::Left),
            ([0x20, 5, 5, 0x20, 5, 5, 0x08], shown(5, 5), shown(5, 5), false, Side::Left),
            ([0x20, 0, 1, 0x20, 0, 0x16, 0x13], shown(0, 16), shown(0, 1), true, Side::Right),
        ] {
            let expected = ClockFace { left, right, running, lever, low_battery: false };
            assert_eq!(face(bytes), expected);
            assert_eq!(Report::Face(expected).encode(), bytes);
        }
    }

    #[test]
    fn the_captured_flag_fall_is_final_and_stops_the_clock() {
        let fallen = [0x30, 0, 0, 0x20, 0, 0x16, 0x12];
        let face = face(fallen);
        assert_eq!(face.right, Dial { flag: FlagMark::Final, ..shown(0, 0) });
        assert_eq!(face.left, shown(0, 16));
        assert!(!face.running);
        assert_eq!(face.lever, Side::Right);
        assert_eq!(Report::Face(face).encode(), fallen);
    }

    #[test]
    fn a_passed_flag_is_not_final_unless_both_bits_say_so() {
        assert_eq!(face([0x40, 0, 0, 0, 1, 0, 0x13]).right.flag, FlagMark::Passed);
        assert_eq!(face([0x50, 0, 0, 0, 1, 0, 0x12]).right.flag, FlagMark::Final);
        assert!(face([0x00, 1, 0, 0, 1, 0, 0x0d]).low_battery);
    }

    #[test]
    fn the_turn_bits_are_never_believed() {
        for status in [0x02, 0x0a, 0x12, 0x1a] {
            assert_eq!(face([0, 1, 0, 0, 1, 0, status]).lever, Side::Right);
        }
        for status in [0x00, 0x08, 0x10, 0x18] {
            assert_eq!(face([0, 1, 0, 0, 1, 0, status]).lever, Side::Left);
        }
    }

    #[test]
    fn an_acknowledgement_is_known_by_either_nibble() {
        for (bytes, ack) in [
            ([0x0a, 0x10, 0x09, 0x0a, 0x20, 0x00, 0], [0x10, 0x09, 0x20, 0x00]),
            ([0x0a, 0x10, 0x09, 0x0a, 0x1e, 0x00, 0], [0x10, 0x09, 0x1e, 0x00]),
            ([0x0a, 0x10, 0x08, 0x2a, 0x05, 0x31, 0], [0x10, 0x88, 0x05, 0x31]),
            ([0x0a, 0x40, 0x0a, 0x0a, 0x00, 0x00, 0], [0x40, 0x0a, 0x00, 0x00]),
            ([0x0a, 0x20, 0x00, 0x0a, 0x00, 0x00, 0], [0x20, 0x00, 0x00, 0x00]),
        ] {
            assert_eq!(Report::decode(&bytes), Some(Report::Ack(ack)));
            assert_eq!(Report::Ack(ack).encode(), bytes);
        }
        let only_right = [0x0a, 0x10, 0x09, 0x00, 0x20, 0x00, 0];
        let only_left = [0x00, 0x10, 0x09, 0x0a, 0x20, 0x00, 0];
        for bytes in [only_right, only_left] {
            assert_eq!(Report::decode(&bytes), Some(Report::Ack([0x10, 0x09, 0x20, 0x00])));
        }
        let high_bits_right = [0x3a, 0x10, 0x09, 0x00, 0x20, 0x00, 0];
        let high_bits_left = [0x00, 0x10, 0x09, 0x3a, 0x20, 0x00, 0];
        for (bytes, ack) in [
            (high_bits_right, [0x10, 0x09, 0xa0, 0x80]),
            (high_bits_left, [0x90, 0x89, 0x20, 0x00]),
        ] {
            assert_eq!(Report::decode(&bytes), Some(Report::Ack(ack)));
        }
    }

    #[test]
    fn zero_says_nothing_and_a_missing_clock_says_so() {
        assert_eq!(Report::decode(&[0; REPORT]), Some(Report::Null));
        let stale = [0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x29];
        assert_eq!(Report::decode(&stale), Some(Report::NoClock));
        assert_eq!(Report::decode(&[0, 0, 0, 0, 0, 0, 0x20]), Some(Report::NoClock));
    }

    #[test]
    fn digits_no_clock_can_show_are_refused() {
        for bytes in [
            [0x0b, 0, 0, 0, 0, 0, 0x09],
            [0, 0x60, 0, 0, 0, 0, 0x09],
            [0, 0, 0x5a, 0, 0, 0, 0x09],
            [0, 0, 0, 0x0f, 0, 0, 0x09],
            [0, 0, 0, 0, 0x7f, 0, 0x09],
            [0, 0, 0, 0, 0, 0x60, 0x09],
        ] {
            assert_eq!(Report::decode(&bytes), None, "{bytes:02x?}");
        }
    }

    #[test]
    fn parts_of_a_second_count_as_a_whole_one_and_hours_end_at_nine() {
        let dial = |ms| Dial { time: FaceTime::from_ms(ms), ..Dial::default() };
        assert_eq!(dial_bytes(dial(1)), [0, 0, 1]);
        assert_eq!(dial_bytes(dial(0)), [0, 0, 0]);
        assert_eq!(dial_bytes(dial(35_999_000)), [0x09, 0x59, 0x59]);
        assert_eq!(dial_bytes(dial(u32::MAX)), [0x09, 0x59, 0x59]);
    }
}
