//! The format of captures: the bytes of a device, as text with moments. This module reads and
//! writes the text and plays nothing.

use std::fmt::Write as _;

use eboard::{Carrier, Moment};

/// The header lines of a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// `Device`, `Laws`, `TimeControl` and so on, in the order of the file.
    pub facts: Vec<(String, String)>,
}

impl Header {
    /// The first fact of this name, whatever its case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let fact = self.facts.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        fact.map(|(_, value)| value.as_str())
    }

    /// What carried the bytes; a serial line if the header does not say.
    ///
    /// # Errors
    /// With the text of the header, if it names no carrier.
    pub fn carrier(&self) -> Result<Carrier, &str> {
        let Some(text) = self.get("Carrier") else { return Ok(Carrier::Serial) };
        let id = |text| u16::from_str_radix(text, 16).ok();
        let hid = || {
            let (vendor, product) = text.strip_prefix("hid ")?.split_once(':')?;
            Some(Carrier::Hid { vendor: id(vendor)?, product: id(product)? })
        };
        match text {
            "serial" => Ok(Carrier::Serial),
            "socket" => Ok(Carrier::Socket),
            _ => hid().ok_or(text),
        }
    }
}

/// The header's text for a carrier.
#[must_use]
pub fn carrier(carrier: Carrier) -> String {
    match carrier {
        Carrier::Serial => "serial".to_owned(),
        Carrier::Socket => "socket".to_owned(),
        Carrier::Hid { vendor, product } => format!("hid {vendor:04x}:{product:04x}"),
    }
}

/// One line of a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Bytes from the device.
    Read(Moment, Vec<u8>),
    /// Bytes to the device.
    Written(Moment, Vec<u8>),
}

/// A capture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// The header lines.
    pub header: Header,
    /// The events, in the order of the file.
    pub events: Vec<Event>,
}

/// A capture that could not be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct CaptureError {
    /// The line in the file, from 1.
    pub line: usize,
    /// The error, and what is expected.
    pub problem: String,
}

/// Parses a capture.
///
/// # Errors
/// If a line is not of the format.
pub fn parse(text: &str) -> Result<Capture, CaptureError> {
    let mut capture = Capture::default();
    for (index, line) in text.lines().enumerate() {
        let fail = |problem: &str| CaptureError { line: index + 1, problem: problem.to_owned() };
        if line.trim().is_empty() {
            continue;
        }
        if let Some(fact) = line.strip_prefix('#') {
            if let Some((key, value)) = fact.split_once(':') {
                capture.header.facts.push((key.trim().to_owned(), value.trim().to_owned()));
            }
            continue;
        }
        let mut words = line.split_whitespace();
        let at = words.next().and_then(seconds).ok_or_else(|| fail("begin with seconds.micros"))?;
        let sign = words.next();
        if sign == Some("#") {
            continue;
        }
        let bytes: Option<Vec<_>> = words
            .map(|word| u8::from_str_radix(word, 16).ok().filter(|_| word.len() == 2))
            .collect();
        let bytes = bytes.ok_or_else(|| fail("write bytes as two hexadecimal digits each"))?;
        capture.events.push(match sign {
            Some("<") => Event::Read(at, bytes),
            Some(">") => Event::Written(at, bytes),
            _ => return Err(fail("write '<' for bytes read, '>' for written, '#' for a remark")),
        });
    }
    Ok(capture)
}

/// An event as a line, with its line feed.
#[must_use]
pub fn line(event: &Event) -> String {
    let (at, sign, bytes) = match event {
        Event::Read(at, bytes) => (at, '<', bytes),
        Event::Written(at, bytes) => (at, '>', bytes),
    };
    let micros = at.as_micros();
    let mut line = format!("{}.{:06} {sign}", micros / 1_000_000, micros % 1_000_000);
    for byte in bytes {
        let _ = write!(line, " {byte:02x}");
    }
    line.push('\n');
    line
}

fn seconds(word: &str) -> Option<Moment> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let digits = fraction.len();
    if digits > 6 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let micros: u64 = format!("{fraction:0<6}").parse().ok()?;
    whole.checked_mul(1_000_000)?.checked_add(micros).map(Moment::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_written_is_read_back() {
        let event = Event::Read(Moment::from_micros(1_333_333), vec![0x8e, 0, 5, 0x34, 0]);
        assert_eq!(line(&event), "1.333333 < 8e 00 05 34 00\n");
        assert_eq!(parse(&line(&event)).unwrap().events, [event]);
    }

    #[test]
    fn headers_remarks_and_short_fractions() {
        let text = "# Laws: 2018\n# no fact\n\n0.5 # hello\n1.25 > 42\n";
        let capture = parse(text).unwrap();
        assert_eq!(capture.header.get("laws"), Some("2018"));
        assert_eq!(capture.events, [Event::Written(Moment::from_micros(1_250_000), vec![0x42])]);
    }

    #[test]
    fn what_carried_the_bytes_is_written_and_read() {
        let hid = Carrier::Hid { vendor: 0x2d80, product: 0x8001 };
        for it in [Carrier::Serial, Carrier::Socket, hid] {
            let text = format!("# Carrier: {}\n", carrier(it));
            assert_eq!(parse(&text).unwrap().header.carrier(), Ok(it));
        }
        assert_eq!(Header::default().carrier(), Ok(Carrier::Serial));
        for text in ["hid", "hid 2d80", "hid 2d80:x", "USB"] {
            let capture = parse(&format!("# Carrier: {text}\n")).unwrap();
            assert_eq!(capture.header.carrier(), Err(text));
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, line) in
            [("x < 00", 1), ("0.1 < 0", 1), ("0.1 < 00\n0.2 ? 00", 2), ("1.0000001 < 00", 1)]
        {
            assert_eq!(parse(text).unwrap_err().line, line, "{text}");
        }
    }
}
