//! Lines that send more than any board can. The operator is told of each once a minute.

use std::collections::BTreeMap;
use std::time::Duration;

use eboard::Moment;

/// How often a line is reported in the log. It is listed in `/healthz` for the same time after its
/// last excess.
const MINUTE: Duration = Duration::from_secs(60);

/// The bytes that were left out, by line.
#[derive(Default)]
pub struct Floods {
    /// Lines by their names for people.
    lines: BTreeMap<String, Flood>,
    /// Bytes of all lines since the start.
    all: u64,
}

struct Flood {
    last: Moment,
    named: Option<Moment>,
    /// Bytes since the last report.
    unnamed: u64,
}

impl Floods {
    /// Counts bytes that were left out.
    pub fn shed(&mut self, at: Moment, line: &str, bytes: u64) {
        self.all += bytes;
        let flood = Flood { last: at, named: None, unnamed: 0 };
        let flood = self.lines.entry(line.to_owned()).or_insert(flood);
        flood.last = at;
        flood.unnamed += bytes;
    }

    /// Logs the lines whose report is due. Returns those of the last minute, by their names for
    /// people.
    pub fn look(&mut self, now: Moment) -> Vec<String> {
        for (line, flood) in &mut self.lines {
            let is_due = flood.named.is_none_or(|at| now.since(at) >= MINUTE);
            if flood.unnamed > 0 && is_due {
                let bytes = std::mem::take(&mut flood.unnamed);
                flood.named = Some(now);
                tracing::warn!(
                    "{line} says more than any board can: {bytes} bytes were left out; unplug it \
                     or mend its cable"
                );
            }
        }
        self.lines.retain(|_, it| it.unnamed > 0 || now.since(it.last) < MINUTE);
        self.lines.keys().map(|line| format!("{line} says more than any board can")).collect()
    }

    /// All bytes that were left out since the start.
    pub fn shed_bytes(&self) -> u64 {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_named_once_a_minute_and_until_a_minute_after() {
        let second = |s| Moment::ZERO + Duration::from_secs(s);
        let mut floods = Floods::default();
        assert_eq!(floods.look(second(1)), [""; 0]);
        let mut named = 0;
        for s in 1..=130 {
            floods.shed(second(s), "table 1: line", 10);
            assert_eq!(floods.look(second(s)).len(), 1);
            named += usize::from(floods.lines.values().all(|it| it.named == Some(second(s))));
        }
        assert_eq!((named, floods.shed_bytes()), (3, 1300));
        assert_eq!(floods.look(second(189)).len(), 1, "what came since it was named is told");
        assert_eq!(floods.look(second(190)), [""; 0]);
    }
}
