//! The cable of an emulated bus: it carries 960 bytes a second, and two who speak at once destroy
//! what both of them say. What the host says is never destroyed.

use std::time::Duration;

use eboard::Moment;

/// One byte takes so long.
pub(crate) const BYTE: Duration = Duration::from_nanos(10_000_000_000 / 9600);
/// So many bytes are handed over at once, as the adapters of serial lines do.
const CHUNK: usize = 16;

/// What is on its way to the host.
#[derive(Debug, Default)]
pub(crate) struct Wire {
    chunks: Vec<Chunk>,
}

#[derive(Debug)]
struct Chunk {
    from: Moment,
    to: Moment,
    bytes: Vec<u8>,
    broken: bool,
}

impl Wire {
    /// A board speaks from this moment on. Answers when it has ended.
    pub(crate) fn say(&mut self, from: Moment, bytes: &[u8]) -> Moment {
        let mut at = from;
        for bytes in bytes.chunks(CHUNK) {
            let to = at + time(bytes.len());
            let mut chunk = Chunk { from: at, to, bytes: bytes.to_vec(), broken: false };
            for other in &mut self.chunks {
                if chunk.from < other.to && other.from < chunk.to {
                    (chunk.broken, other.broken) = (true, true);
                }
            }
            self.chunks.push(chunk);
            at = to;
        }
        at
    }

    /// When the next bytes have reached the host.
    pub(crate) fn next(&self) -> Option<Moment> {
        self.chunks.iter().map(|chunk| chunk.to).min()
    }

    /// What has reached the host by now.
    pub(crate) fn deliver(&mut self, now: Moment, out: &mut Vec<u8>) {
        self.chunks.sort_by_key(|chunk| chunk.to);
        let arrived = self.chunks.iter().take_while(|chunk| chunk.to <= now).count();
        for chunk in self.chunks.drain(..arrived) {
            // A line pulled by two follows neither: every third bit or so is another's.
            let mixed = |byte: u8| if chunk.broken { byte & 0xb6 } else { byte };
            out.extend(chunk.bytes.into_iter().map(mixed));
        }
    }
}

/// How long so many bytes take.
pub(crate) fn time(bytes: usize) -> Duration {
    BYTE.saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX))
}
