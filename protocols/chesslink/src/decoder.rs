//! Finds messages in a stream that may begin anywhere and may be damaged. It knows lengths, parity
//! and checks; what a message means is the business of [`crate::frame`].

use bincode::{Decode, Encode};
use eboard::Anomaly;

use crate::frame::{Follow, Language, check_of, is_odd};

/// After this many messages in a row that have only their parity wrong, parity is not looked at.
const PATIENCE: u8 = 3;

/// Reads one direction of a line, byte by byte: how the stream is cut makes no difference.
///
/// There is no start mark, so a message is searched for at every byte. One that fails, for a
/// character that cannot be, for its check or for parity, gives up its *first* byte only, and what
/// came after is searched again: a stray letter cannot take a good message with it.
///
/// Some boards (eONE) send other parity than they should. Therefore messages with wrong parity and
/// everything else right are dropped twice and believed from the third in a row, until one comes
/// with parity right throughout.
#[derive(Debug, Encode, Decode)]
pub struct Decoder<L> {
    /// As received.
    raw: Vec<u8>,
    /// The same without bit 7. Never longer than the longest message.
    text: Vec<u8>,
    /// How many characters of `text` have been accepted.
    accepted: usize,
    /// Bytes are being skipped, and this has been said.
    adrift: bool,
    unparitied: u8,
    found: Vec<Result<L, Anomaly>>,
}

impl<L> Default for Decoder<L> {
    fn default() -> Self {
        Self {
            raw: Vec::new(),
            text: Vec::new(),
            accepted: 0,
            adrift: false,
            unparitied: 0,
            found: Vec::new(),
        }
    }
}

impl<L: Language> Decoder<L> {
    /// Takes bytes in; gives what they completed, in order.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Result<L, Anomaly>> {
        for &byte in bytes {
            self.raw.push(byte);
            self.text.push(byte & 0x7f);
            self.search();
        }
        std::mem::take(&mut self.found)
    }

    fn search(&mut self) {
        while let Some(text) = self.text.get(..=self.accepted) {
            match L::follow(text) {
                Follow::More => self.accepted += 1,
                Follow::End => self.settle(),
                Follow::Wrong if self.accepted == 0 => self.skip(Anomaly::Stray),
                Follow::Wrong => self.skip(Anomaly::Truncated),
            }
        }
    }

    /// A message is complete, and it is the whole buffer up to here.
    fn settle(&mut self) {
        let length = self.accepted + 1;
        let odd = self.raw.iter().take(length).all(|&byte| is_odd(byte));
        let Some((body, check)) = self.text.get(..length).and_then(|it| it.split_last_chunk())
        else {
            return self.skip(Anomaly::BadLength);
        };
        if check_of(body) != *check {
            return self.fail(if odd { Anomaly::BadCheck } else { Anomaly::BadParity });
        }
        self.unparitied = if odd { 0 } else { self.unparitied.saturating_add(1) };
        if !odd && (!L::FORGIVES_PARITY || self.unparitied < PATIENCE) {
            return self.fail(Anomaly::BadParity);
        }
        self.found.push(L::read(body));
        self.drop_first(length);
        self.adrift = false;
    }

    /// A complete message that cannot be believed is always counted.
    fn fail(&mut self, anomaly: Anomaly) {
        self.adrift = false;
        self.skip(anomaly);
    }

    /// Of bytes that make no sense only the first is counted until something does.
    fn skip(&mut self, anomaly: Anomaly) {
        if !self.adrift {
            self.found.push(Err(anomaly));
        }
        self.adrift = true;
        self.drop_first(1);
    }

    fn drop_first(&mut self, count: usize) {
        self.raw.drain(..count.min(self.raw.len()));
        self.text.drain(..count.min(self.text.len()));
        self.accepted = 0;
    }
}
