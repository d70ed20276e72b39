//! Finds where MQTT packets begin and end in a stream of bytes. Looks at nothing but the fixed
//! header, and keeps no byte of a packet.

/// Follows one direction of a connection.
#[derive(Debug)]
pub(crate) struct Frames {
    place: Place,
    limit: usize,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Start,
    Length { header: usize, body: usize },
    Body { left: usize },
}

/// A packet that announces more bytes than allowed, or whose length is not a number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadLength;

/// What one step over some bytes came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Bytes that belong to the current packet.
    pub used: usize,
    /// The packet ends with the last of them.
    pub ended: bool,
}

impl Frames {
    /// For packets of at most `limit` bytes, the fixed header included.
    pub(crate) fn new(limit: usize) -> Self {
        Self { place: Place::Start, limit }
    }

    /// Whether the next byte begins a packet.
    pub(crate) fn between_packets(&self) -> bool {
        matches!(self.place, Place::Start)
    }

    /// Goes on to the end of the current packet, or of `bytes` if that comes first.
    pub(crate) fn step(&mut self, bytes: &[u8]) -> Result<Step, BadLength> {
        let mut used = 0;
        let mut rest = bytes;
        while let Some((&byte, tail)) = rest.split_first() {
            let consumed = match self.place {
                Place::Start => {
                    self.place = Place::Length { header: 1, body: 0 };
                    1
                }
                Place::Length { header, body } => {
                    self.place = self.length(header, body, byte)?;
                    1
                }
                Place::Body { left } => {
                    let taken = left.min(1 + tail.len());
                    self.place = Place::Body { left: left - taken };
                    taken
                }
            };
            used += consumed;
            rest = rest.get(consumed..).unwrap_or_default();
            if let Place::Body { left: 0 } = self.place {
                self.place = Place::Start;
                return Ok(Step { used, ended: true });
            }
        }
        Ok(Step { used, ended: false })
    }

    fn length(&self, header: usize, body: usize, byte: u8) -> Result<Place, BadLength> {
        if header > 4 {
            return Err(BadLength);
        }
        let body = body | usize::from(byte & 0x7f) << (7 * (header - 1));
        if byte & 0x80 != 0 {
            return Ok(Place::Length { header: header + 1, body });
        }
        if header + 1 + body > self.limit {
            return Err(BadLength);
        }
        Ok(Place::Body { left: body })
    }
}

/// The part of a whole packet after its fixed header.
pub(crate) fn body(packet: &[u8]) -> Option<&[u8]> {
    let length = packet.iter().skip(1).position(|byte| byte & 0x80 == 0)? + 1;
    packet.get(1 + length..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PINGREQ: [u8; 2] = [0xc0, 0x00];

    fn packet(body: usize) -> Vec<u8> {
        let mut packet = vec![0x30];
        let mut left = body;
        loop {
            let low = u8::try_from(left % 128).expect("below 128");
            left /= 128;
            packet.push(if left > 0 { low | 0x80 } else { low });
            if left == 0 {
                break;
            }
        }
        packet.extend(std::iter::repeat_n(7, body));
        packet
    }

    #[test]
    fn the_shortest_packet_ends_with_its_length() {
        let mut frames = Frames::new(16);
        assert_eq!(frames.step(&PINGREQ), Ok(Step { used: 2, ended: true }));
        assert!(frames.between_packets());
    }

    #[test]
    fn lengths_of_one_to_three_bytes_are_read() {
        for length in [0, 1, 127, 128, 16_383, 16_384, 100_000] {
            let bytes = packet(length);
            let step = Frames::new(1 << 20).step(&bytes);
            assert_eq!(step, Ok(Step { used: bytes.len(), ended: true }), "{length}");
            assert_eq!(body(&bytes).map(<[u8]>::len), Some(length));
        }
    }

    #[test]
    fn the_limit_counts_the_whole_packet() {
        assert!(Frames::new(102).step(&packet(100)).is_ok());
        assert_eq!(Frames::new(101).step(&packet(100)), Err(BadLength));
        assert_eq!(Frames::new(1 << 20).step(&[0x10, 0xff, 0xff, 0xff, 0x7f]), Err(BadLength));
    }

    #[test]
    fn a_length_of_five_bytes_is_none() {
        assert_eq!(
            Frames::new(1 << 30).step(&[0x10, 0x80, 0x80, 0x80, 0x80, 0x01]),
            Err(BadLength)
        );
        assert_eq!(body(&[0x10]), None);
        assert_eq!(body(&[]), None);
    }

    proptest! {
        #[test]
        fn any_cutting_finds_the_same_packets(
            bodies in prop::collection::vec(0_usize..300, 1..8),
            cut in 1_usize..50,
        ) {
            let packets: Vec<Vec<u8>> = bodies.iter().map(|&length| packet(length)).collect();
            let stream = packets.concat();
            let mut frames = Frames::new(1 << 20);
            let mut found = Vec::new();
            let mut current = Vec::new();
            for mut piece in stream.chunks(cut) {
                while !piece.is_empty() {
                    let step = frames.step(piece).expect("lengths are within the limit");
                    current.extend_from_slice(&piece[..step.used]);
                    if step.ended {
                        found.push(std::mem::take(&mut current));
                    }
                    piece = &piece[step.used..];
                }
            }
            prop_assert_eq!(found, packets);
        }

        #[test]
        fn noise_never_panics_and_is_used_up(noise in prop::collection::vec(any::<u8>(), 0..64)) {
            let mut frames = Frames::new(1 << 20);
            let mut rest = noise.as_slice();
            while let Ok(step) = frames.step(rest) {
                prop_assert!(step.used > 0 || rest.is_empty());
                if rest.is_empty() {
                    break;
                }
                rest = &rest[step.used..];
            }
            let _ = body(&noise);
        }
    }
}
