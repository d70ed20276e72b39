//! Holds back, from one client, the messages it may not read, and answers for the client so that
//! the library goes on; takes from 3.1.1 clients what only version 5 knows. Bytes in, bytes out:
//! no socket, no session, no opinion on who may what.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::frames::{self, BadLength, Frames};

const PUBLISH: u8 = 3;
const PUBACK: u8 = 4;
const PUBREC: u8 = 5;
const PUBREL: u8 = 6;
const PUBCOMP: u8 = 7;
const DISCONNECT: u8 = 14;

/// Whether the client may read this topic.
pub(crate) type Gate = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// One client's packets on their way out.
pub(crate) struct Sieve {
    gate: Gate,
    version: u8,
    frames: Frames,
    begun: Vec<u8>,
    /// Withheld QoS 2 messages whose PUBREL is still to come.
    half_done: BTreeSet<u16>,
    answers: Vec<u8>,
    withheld: Arc<AtomicU64>,
}

impl Sieve {
    /// For a client of protocol `version` 4 (3.1.1) or 5; counts in `withheld`.
    pub(crate) fn new(gate: Gate, version: u8, withheld: Arc<AtomicU64>) -> Self {
        Self {
            gate,
            version,
            // What goes out once came in, and grew by a few properties at most.
            frames: Frames::new(2 * crate::limits::PACKET_BYTES),
            begun: Vec::new(),
            half_done: BTreeSet::new(),
            answers: Vec::new(),
            withheld,
        }
    }

    /// Takes the library's bytes and appends to `out` what the client is to get of them.
    pub(crate) fn pass(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) -> Result<(), BadLength> {
        while !bytes.is_empty() {
            let step = self.frames.step(bytes)?;
            let (piece, rest) = bytes.split_at_checked(step.used).unwrap_or((bytes, &[]));
            bytes = rest;
            if !step.ended {
                self.begun.extend_from_slice(piece);
            } else if self.begun.is_empty() {
                self.sift(piece, out);
            } else {
                let mut packet = std::mem::take(&mut self.begun);
                packet.extend_from_slice(piece);
                self.sift(&packet, out);
            }
        }
        Ok(())
    }

    /// Answers the library is to read as if the client had sent them: whole packets.
    pub(crate) fn answers(&mut self) -> &mut Vec<u8> {
        &mut self.answers
    }

    fn sift(&mut self, packet: &[u8], out: &mut Vec<u8>) {
        if self.may_go(packet) {
            match self.plain_acknowledgement(packet) {
                Some(plain) => out.extend_from_slice(&plain),
                None => out.extend_from_slice(packet),
            }
        }
    }

    /// An acknowledgement as 3.1.1 knows it: the library adds version 5's reasons to a refusal.
    fn plain_acknowledgement(&self, packet: &[u8]) -> Option<[u8; 4]> {
        let first = *packet.first()?;
        let [high, low] = *frames::body(packet)?.first_chunk::<2>()?;
        let plain = self.version < 5 && (PUBACK..=PUBCOMP).contains(&(first >> 4));
        plain.then_some([first, 2, high, low])
    }

    fn may_go(&mut self, packet: &[u8]) -> bool {
        let Some(&first) = packet.first() else { return false };
        match first >> 4 {
            PUBLISH => self.publish(first, packet),
            PUBREL => !self.finish(packet),
            // 3.1.1 knows no DISCONNECT from the server; the library sends it on takeover.
            DISCONNECT => self.version >= 5,
            _ => true,
        }
    }

    fn publish(&mut self, first: u8, packet: &[u8]) -> bool {
        let head = frames::body(packet).and_then(PublishHead::read);
        let topic = head.as_ref().and_then(|head| std::str::from_utf8(head.topic).ok());
        if topic.is_some_and(|topic| (self.gate)(topic)) {
            return true;
        }
        self.withheld.fetch_add(1, Ordering::Relaxed);
        if let Some(id) = head.and_then(|head| head.id) {
            match first >> 1 & 3 {
                1 => self.answer(PUBACK, id),
                2 => {
                    self.half_done.insert(id);
                    self.answer(PUBREC, id);
                }
                _ => {}
            }
        }
        false
    }

    fn finish(&mut self, packet: &[u8]) -> bool {
        let id = frames::body(packet).and_then(|body| body.first_chunk::<2>());
        let Some(id) = id.map(|&id| u16::from_be_bytes(id)) else { return false };
        let ours = self.half_done.remove(&id);
        if ours {
            self.answer(PUBCOMP, id);
        }
        ours
    }

    fn answer(&mut self, kind: u8, id: u16) {
        let [high, low] = id.to_be_bytes();
        self.answers.extend_from_slice(&[kind << 4, 2, high, low]);
    }
}

struct PublishHead<'a> {
    topic: &'a [u8],
    /// The two bytes after the topic: the packet's identifier at QoS 1 and 2.
    id: Option<u16>,
}

impl<'a> PublishHead<'a> {
    fn read(body: &'a [u8]) -> Option<Self> {
        let (length, rest) = body.split_first_chunk::<2>()?;
        let (topic, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
        let id = rest.first_chunk::<2>().map(|&id| u16::from_be_bytes(id));
        Some(Self { topic, id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn publish(qos: u8, topic: &str, id: u16, payload: &[u8]) -> Vec<u8> {
        let mut body = u16::try_from(topic.len()).unwrap().to_be_bytes().to_vec();
        body.extend_from_slice(topic.as_bytes());
        if qos > 0 {
            body.extend_from_slice(&id.to_be_bytes());
        }
        body.extend_from_slice(payload);
        let mut packet = vec![PUBLISH << 4 | qos << 1, u8::try_from(body.len()).unwrap()];
        packet.extend(body);
        packet
    }

    fn sieve() -> Sieve {
        let gate: Gate = Box::new(|topic| topic.starts_with("open/"));
        Sieve::new(gate, 4, Arc::default())
    }

    fn through(sieve: &mut Sieve, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        sieve.pass(bytes, &mut out).unwrap();
        out
    }

    #[test]
    fn what_may_be_read_goes_through_unchanged() {
        let mut sieve = sieve();
        for packet in [publish(0, "open/a", 0, b"x"), publish(2, "open/b", 9, b""), vec![0xd0, 0]] {
            assert_eq!(through(&mut sieve, &packet), packet);
        }
        assert!(sieve.answers().is_empty());
    }

    #[test]
    fn qos_0_is_dropped_without_an_answer() {
        let mut sieve = sieve();
        assert!(through(&mut sieve, &publish(0, "shut/a", 0, b"xyz")).is_empty());
        assert!(sieve.answers().is_empty());
        assert_eq!(sieve.withheld.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn qos_1_is_dropped_and_acknowledged() {
        let mut sieve = sieve();
        assert!(through(&mut sieve, &publish(1, "shut/a", 0x1234, b"xyz")).is_empty());
        assert_eq!(*sieve.answers(), [0x40, 2, 0x12, 0x34]);
    }

    #[test]
    fn qos_2_is_dropped_and_carried_to_its_end() {
        let mut sieve = sieve();
        assert!(through(&mut sieve, &publish(2, "shut/a", 7, b"")).is_empty());
        assert_eq!(*sieve.answers(), [0x50, 2, 0, 7]);
        sieve.answers().clear();
        assert!(through(&mut sieve, &[0x62, 2, 0, 7]).is_empty());
        assert_eq!(*sieve.answers(), [0x70, 2, 0, 7]);
        sieve.answers().clear();
        assert_eq!(through(&mut sieve, &[0x62, 2, 0, 7]), [0x62, 2, 0, 7]);
        assert!(sieve.answers().is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_dropped() {
        let mut sieve = sieve();
        for packet in [vec![0x30, 0], vec![0x30, 1, 0], vec![0x30, 3, 0, 9, b'o'], {
            let mut packet = publish(0, "open/a", 0, b"");
            packet[4] = 0xff;
            packet
        }] {
            assert!(through(&mut sieve, &packet).is_empty(), "{packet:x?}");
        }
        assert!(through(&mut sieve, &publish(1, "", 5, b"an alias names the topic")).is_empty());
        assert_eq!(*sieve.answers(), [0x40, 2, 0, 5]);
    }

    #[test]
    fn a_server_says_goodbye_in_version_5_only() {
        assert!(through(&mut sieve(), &[0xe0, 2, 0x8e, 0]).is_empty());
        let mut five = Sieve::new(Box::new(|_| false), 5, Arc::default());
        assert_eq!(through(&mut five, &[0xe0, 2, 0x8e, 0]), [0xe0, 2, 0x8e, 0]);
    }

    #[test]
    fn acknowledgements_carry_reasons_in_version_5_only() {
        let refusal = [0x40, 4, 0x12, 0x34, 0x87, 0];
        assert_eq!(through(&mut sieve(), &refusal), [0x40, 2, 0x12, 0x34]);
        assert_eq!(through(&mut sieve(), &[0x62, 4, 0, 1, 0x92, 0]), [0x62, 2, 0, 1]);
        let mut five = Sieve::new(Box::new(|_| false), 5, Arc::default());
        assert_eq!(through(&mut five, &refusal), refusal);
    }

    proptest! {
        #[test]
        fn any_cutting_gives_the_same(
            messages in prop::collection::vec((0_u8..3, any::<bool>(), any::<u16>()), 0..20),
            cut in 1_usize..40,
        ) {
            let packets = messages.iter().map(|&(qos, open, id)| {
                (open, publish(qos, if open { "open/x" } else { "shut/x" }, id, b"payload"))
            });
            let (mut stream, mut expected) = (Vec::new(), Vec::new());
            for (open, packet) in packets {
                stream.extend_from_slice(&packet);
                if open {
                    expected.extend_from_slice(&packet);
                }
            }
            let mut sieve = sieve();
            let mut out = Vec::new();
            for piece in stream.chunks(cut) {
                sieve.pass(piece, &mut out).unwrap();
            }
            prop_assert_eq!(out, expected);
            let answered = messages.iter().filter(|(qos, open, _)| *qos > 0 && !open).count();
            prop_assert_eq!(sieve.answers().len(), 4 * answered);
        }

        #[test]
        fn noise_never_panics(noise in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut out = Vec::new();
            let _ = sieve().pass(&noise, &mut out);
            prop_assert!(out.len() <= noise.len());
        }
    }
}
