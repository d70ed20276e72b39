//! Replays a recording: what the works did with each entry, and every game as it ends.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use eboard::{Carrier, Moment};
use witness::{Effect, Event, Facet, GameNo, LineNo, Phase, Score, TableNo};

use crate::analyst::look_to_the_end;
use crate::config::Config;
use crate::entry::{Answer, Entry};
use crate::pgn::Tags;
use crate::record::recording::Recording;
use crate::requests::Asks;
use crate::tags;
use crate::time::{Anchor, WallTime};
use crate::works::{Act, Works};

/// How long the machines may decide after the last entry. Kings that rest in the centre become a
/// result sooner than this.
const AFTERWARDS: Duration = Duration::from_millis(4200);
/// The longest step by which the works advance. It bounds the acts that are collected between two
/// entries.
const STRIDE: Duration = Duration::from_secs(60);

/// An event of the replay.
pub enum Replayed<'a> {
    /// An act of the works.
    Act {
        /// The works after the entry that caused the act.
        works: &'a Works,
        /// The time of day, once the record has one.
        anchor: Option<&'a Anchor>,
        /// The act.
        act: Act,
    },
    /// A game ended, or the recording did.
    Game {
        /// The moment.
        at: Moment,
        /// The table.
        table: TableNo,
        /// The headers of the game.
        tags: &'a Tags,
        /// The score.
        score: &'a Score,
    },
}

/// The works, and the headers of the games in play.
pub struct Chronicle {
    config: Config,
    /// Whether questions of mate are answered here. A journal holds the answers itself.
    answers: bool,
    /// Whether reads are split into single bytes, and time goes on for a while after the last
    /// entry.
    fine: bool,
    works: Works,
    anchor: Option<Anchor>,
    /// The headers before the present entry. An entry that begins a game brings other players.
    headers: BTreeMap<TableNo, Tags>,
    /// Games that are over, and whose result an arbiter enters later in the record.
    awaited: BTreeSet<(TableNo, GameNo)>,
    held: BTreeMap<(TableNo, GameNo), Over>,
}

/// A game that a table had before.
struct Over {
    at: Moment,
    tags: Tags,
    score: Score,
}

impl Chronicle {
    /// A replay before its first entry. The configuration names the event, and the players if
    /// nothing else does.
    #[must_use]
    pub fn new(config: Config, answers: bool) -> Self {
        let works = Works::new(catalog::languages());
        let (headers, awaited, held) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Self { config, answers, fine: true, works, anchor: None, headers, awaited, held }
    }

    /// Replays exactly as in the daemon that wrote the record. Reads are not split, and nothing
    /// after the last entry is shown, because the daemon may still be writing.
    #[must_use]
    pub const fn of_a_daemon(mut self) -> Self {
        self.fine = false;
        self
    }

    /// Replays a recording to its end.
    pub fn play(mut self, recording: &Recording, mut hear: impl FnMut(Replayed<'_>)) {
        let mut acts = Vec::new();
        self.awaited = recording.entries.iter().filter_map(|(_, entry)| result_of(entry)).collect();
        for (at, entry) in &recording.entries {
            while self.works.now() + STRIDE < *at {
                self.works.advance(self.works.now() + STRIDE, &mut acts);
                self.tell(&mut acts, &mut hear);
            }
            if let Entry::Wall(micros) = entry {
                self.anchor = Some(Anchor { moment: *at, wall: WallTime::from_micros(*micros) });
            }
            for part in self.parts(entry) {
                self.works.enter(*at, &part, &mut acts);
                self.answer(&mut acts);
                self.tell(&mut acts, &mut hear);
            }
        }
        if self.fine {
            self.works.advance(self.works.now() + AFTERWARDS, &mut acts);
            self.tell(&mut acts, &mut hear);
        }
        for ((table, _), over) in std::mem::take(&mut self.held) {
            hear(Replayed::Game { at: over.at, table, tags: &over.tags, score: &over.score });
        }
        for (table, machine) in self.works.hall().tables() {
            let score = machine.score();
            // A position without moves and without a result is no further game.
            let begun = !score.plies().is_empty() || score.ending().is_some();
            if machine.phase() != Phase::Unset && (begun || machine.game_number().get() <= 1) {
                let (at, tags) = (self.works.now(), &self.header(table));
                hear(Replayed::Game { at, table, tags, score });
            }
        }
    }

    /// Answers every question of mate at once.
    fn answer(&mut self, acts: &mut Vec<Act>) {
        let mut looked = 0;
        while let Some(act) = acts.get(looked).filter(|_| self.answers) {
            if let Act::Table(_, table, Effect::Asked(question)) = act {
                let mate = look_to_the_end(question);
                let answer = Answer::new(*table, question.number, mate);
                self.works.enter(self.works.now(), &Entry::Answered(answer), acts);
            }
            looked += 1;
        }
    }

    fn tell(&mut self, acts: &mut Vec<Act>, hear: &mut impl FnMut(Replayed<'_>)) {
        let mut touched = Vec::new();
        for act in acts.drain(..) {
            let mut over = None;
            if let Act::Ended(table, game, ending) = &act
                && let Some(over) = self.held.remove(&(*table, *game))
            {
                let score = over.score.ended(*ending);
                self.held.insert((*table, *game), Over { score, ..over });
            }
            if let Act::Table(at, table, effect) = &act {
                match effect {
                    Effect::Event(Event::NewGame(Some(score))) => {
                        over = Some((*at, *table, score.clone()));
                    }
                    Effect::Changed(Facet::Game) => touched.push(*table),
                    _ => {}
                }
            }
            hear(Replayed::Act { works: &self.works, anchor: self.anchor.as_ref(), act });
            if let Some((at, table, score)) = over {
                let tags = self.headers.remove(&table).unwrap_or_default();
                let number = self.works.hall().table(table).and_then(|it| it.game_before());
                match number.filter(|it| self.awaited.contains(&(table, *it))) {
                    Some(number) => {
                        let over = Over { at, tags, score: Score::clone(&score) };
                        self.held.insert((table, number), over);
                    }
                    None => hear(Replayed::Game { at, table, tags: &tags, score: &score }),
                }
            }
        }
        for table in touched {
            self.headers.insert(table, self.header(table));
        }
    }

    fn header(&self, table: TableNo) -> Tags {
        let score = self.works.hall().table(table).map(|it| it.score());
        tags::of_game(&self.config, &self.works, table, score, self.anchor.as_ref())
    }

    /// The parts of an entry. Byte by byte, each act shows the state at its own moment, however the
    /// bytes were cut into reads. An HID report is not split.
    fn parts<'a>(&self, entry: &'a Entry) -> Vec<Cow<'a, Entry>> {
        match entry {
            Entry::Bytes(line, bytes) if self.fine && self.is_serial(*line) => {
                bytes.iter().map(|byte| Cow::Owned(Entry::Bytes(*line, vec![*byte]))).collect()
            }
            whole => vec![Cow::Borrowed(whole)],
        }
    }

    fn is_serial(&self, line: LineNo) -> bool {
        self.works.line(line).is_some_and(|line| line.id.carrier == Carrier::Serial)
    }
}

/// The table and the game whose result this entry enters.
fn result_of(entry: &Entry) -> Option<(TableNo, GameNo)> {
    let Entry::Request(request) = entry else { return None };
    let Asks::SetResult(it) = &*request.asks else { return None };
    it.game.map(|game| (it.table, game))
}
