//! The views as they were published last. An alert may cause a view to be written again without a
//! difference, and publishing it would reveal the alert to guests.

use std::collections::BTreeMap;
use std::ops::Range;

use witness::TableNo;

use crate::mqtt::payload;
use crate::mqtt::topic::Topic;

/// The last payload of each view.
#[derive(Default)]
pub struct Shown(BTreeMap<Topic, Last>);

/// A payload without its number and time, and without the moves of a game.
#[derive(Default)]
struct Last {
    before_moves: Vec<u8>,
    after_moves: Vec<u8>,
    /// The version of the moves.
    moves: u64,
}

impl Shown {
    /// Whether a payload equals the last one on its topic, apart from number and time. The moves of
    /// a game are compared by their place and version, because they may be long.
    pub fn has(
        &mut self,
        topic: &Topic,
        payload: &[u8],
        moves: Option<(Range<usize>, u64)>,
    ) -> bool {
        let (place, moves) = moves.unwrap_or((payload.len()..payload.len(), 0));
        let part = |range| payload.get(range).unwrap_or_default();
        let before_moves = payload::without_stamp(part(0..place.start));
        let after_moves = part(place.end..payload.len());
        let last = self.0.entry(topic.clone()).or_default();
        let same = last.before_moves == before_moves
            && last.after_moves == after_moves
            && last.moves == moves;
        if !same {
            last.moves = moves;
            for (last, now) in
                [(&mut last.before_moves, before_moves), (&mut last.after_moves, after_moves)]
            {
                last.clear();
                last.extend_from_slice(now);
            }
        }
        same
    }

    /// Forgets the views of a table.
    pub fn forget(&mut self, table: TableNo) {
        self.0.retain(|topic, _| !matches!(topic, Topic::Table(of, _) if *of == table));
    }
}
