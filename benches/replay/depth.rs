//! How far bytes go: each depth does all that the one before it does, and more.

use std::hash::{DefaultHasher, Hasher as _};
use std::hint::black_box;
use std::sync::Arc;

use adoubed::config::Config;
use adoubed::mqtt::snapshot::{Message, Snapshot};
use adoubed::mqtt::speaker::Speaker;
use adoubed::publish::Publisher;
use adoubed::run::ROUND;
use adoubed::time::{Anchor, WallTime};
use adoubed::works::{Act, Works};
use dgt::Decoder;
use eboard::{Input, Moment};
use futures_util::FutureExt as _;

use crate::samples::Sample;

/// How far the bytes go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Cut into frames.
    Frames,
    /// A whole conversation: sightings, and what is to be sent.
    Sightings,
    /// Through the works: moves, incidents, results. What `replay` does before it prints.
    Moves,
    /// And every message made that is to go out, as by a daemon behind with its work: together
    /// for as many entries as it takes in a round.
    Rounds,
    /// The same as by a daemon that keeps up: for each entry by itself.
    Messages,
}

impl Depth {
    pub const ALL: [Self; 5] =
        [Self::Frames, Self::Sightings, Self::Moves, Self::Rounds, Self::Messages];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Sightings => "sightings",
            Self::Moves => "moves",
            Self::Rounds => "messages-by-round",
            Self::Messages => "messages",
        }
    }

    pub fn play(self, sample: &Sample) -> u64 {
        match self {
            Self::Frames => frames(sample),
            Self::Sightings => sightings(sample),
            Self::Moves => moves(sample),
            Self::Rounds => published(sample, ROUND),
            Self::Messages => published(sample, 1),
        }
    }
}

fn frames(sample: &Sample) -> u64 {
    let mut decoder = Decoder::default();
    let mut heard = 0;
    for (_, bytes) in &sample.reads {
        decoder.feed(bytes, |frame| {
            black_box(frame);
            heard += 1;
        });
    }
    heard
}

fn sightings(sample: &Sample) -> u64 {
    let mut host = (dgt::DRIVER.converse)();
    let mut answers = Vec::new();
    let mut heard = 0;
    host.handle(Moment::ZERO, Input::Opened, &mut answers);
    for (at, bytes) in &sample.reads {
        while let Some((due, _)) = host.deadline().filter(|(due, _)| due <= at) {
            host.handle(due, Input::Due, &mut answers);
        }
        host.handle(*at, Input::Bytes(bytes), &mut answers);
        heard += black_box(&answers).len() as u64;
        answers.clear();
    }
    heard
}

fn moves(sample: &Sample) -> u64 {
    let mut works = Works::new(vec![&dgt::DRIVER]);
    let mut acts = Vec::new();
    let mut done = 0;
    for (at, entry) in &sample.entries {
        works.enter(*at, entry, &mut acts);
        done += black_box(&acts).len() as u64;
        acts.clear();
    }
    done
}

fn published(sample: &Sample, round: usize) -> u64 {
    let mut bytes = 0;
    publish(sample, round, |message| bytes += payload(black_box(message)).len() as u64);
    bytes
}

/// A hash of every message, by which two builds can be compared.
pub fn hash(samples: &[Sample]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for sample in samples {
        publish(sample, 1, |message| {
            if let Message::Ours(topic, _) = message {
                hasher.write(topic.to_string().as_bytes());
            }
            hasher.write(payload(message));
        });
    }
    hasher.finish()
}

/// Plays a sample, and publishes after as many entries.
fn publish(sample: &Sample, round: usize, mut take: impl FnMut(&Message)) {
    let mut works = Works::new(vec![&dgt::DRIVER]);
    let snapshot = Arc::new(Snapshot::default());
    let anchor = Anchor { moment: Moment::ZERO, wall: WallTime::from_micros(0) };
    let rooms = (Arc::clone(&snapshot), Arc::default());
    let mut publisher = Publisher::new(rooms, Config::default(), anchor, Speaker::default());
    let mut acts = Vec::new();
    for entries in sample.entries.chunks(round) {
        for (at, entry) in entries {
            works.enter(*at, entry, &mut acts);
            for act in acts.drain(..) {
                match act {
                    Act::Table(at, table, effect) => publisher.effect(&works, at, table, effect),
                    Act::Recognised(line) => publisher.recognised(&works, line),
                    _ => {}
                }
            }
        }
        publisher.draw(&works);
        publisher.release();
        while let Some(Some(message)) = snapshot.next().now_or_never() {
            take(&message);
        }
    }
}

fn payload(message: &Message) -> &[u8] {
    match message {
        Message::Ours(_, payload) => payload,
        Message::Reply(reply) => &reply.payload,
    }
}
