//! From gestures to timed acts: who holds what, and when. A stage director's work, not a judge's.

use std::time::Duration;

use eboard::{Colour, Moment, Piece, Placement, Square};

use super::{Gesture, Header};
use crate::{Act, Cue, path};

const STARTS: Duration = Duration::from_secs(1);
pub(crate) const BETWEEN_GESTURES: Duration = Duration::from_millis(400);
pub(crate) const BEFORE_A_PRESS: Duration = Duration::from_millis(1200);
const ON_EACH_SQUARE: Duration = Duration::from_millis(150);
const REST: Duration = Duration::from_secs(2);

/// A script in the making.
pub(super) struct Blocking {
    turn: Colour,
    placement: Placement,
    /// Pieces in the air, in the order in which they were lifted.
    air: Vec<Piece>,
    /// When the last gesture was over.
    at: Duration,
    wait: Option<Duration>,
    begun: bool,
    cues: Vec<Cue>,
}

impl Blocking {
    pub(super) fn of(header: &Header) -> Self {
        Self {
            turn: header.turn(),
            placement: header.placement(),
            air: Vec::new(),
            at: STARTS,
            wait: None,
            begun: false,
            cues: Vec::new(),
        }
    }

    /// Adds a gesture; the error is what would have been right instead.
    pub(super) fn add(&mut self, gesture: Gesture) -> Result<(), String> {
        if let Gesture::Wait(span) = gesture {
            self.wait = Some(self.wait.unwrap_or_default().saturating_add(span));
            return Ok(());
        }
        if !self.begun {
            self.begin(gesture);
        }
        let press = matches!(gesture, Gesture::Press(_));
        let gap = if press { BEFORE_A_PRESS } else { BETWEEN_GESTURES };
        self.at = self.at.saturating_add(self.wait.take().unwrap_or(gap));
        match gesture {
            Gesture::Lift(square) => {
                let piece = self.take_from(square)?;
                self.air.push(piece);
            }
            Gesture::Put(square) => {
                let held = self.air.pop().ok_or("a piece in the air: lift one first")?;
                self.put(square, held);
            }
            Gesture::PutPiece(square, piece) => self.put_held(square, piece)?,
            Gesture::New(square, piece) => self.put(square, piece),
            Gesture::Remove(square) => {
                self.take_from(square)?;
            }
            Gesture::Slide(from, to) => self.slide(from, to)?,
            Gesture::Press(side) => self.act(side.map_or(Act::PressRunning, Act::Press)),
            Gesture::Stop => self.act(Act::StopClock),
            Gesture::GoOn => self.act(Act::GoOn),
            Gesture::Flag(side) => self.act(Act::Flag(side)),
            Gesture::Wait(_) => {}
        }
        Ok(())
    }

    /// The acts in order of time, and when the script is over.
    pub(super) fn finish(mut self) -> (Vec<Cue>, Moment) {
        if !self.begun {
            self.begin(Gesture::GoOn);
        }
        let end = self.at.saturating_add(self.wait.unwrap_or(REST));
        (self.cues, Moment::ZERO + end)
    }

    /// The clock is started before the first gesture, unless that one says that it stands still.
    fn begin(&mut self, first: Gesture) {
        self.begun = true;
        if first != Gesture::Stop {
            self.act(Act::StartClock(self.turn));
        }
    }

    fn take_from(&mut self, square: Square) -> Result<Piece, String> {
        let piece = self.placement[square].take();
        let piece = piece.ok_or_else(|| format!("a square with a piece: {square} is empty"))?;
        self.act(Act::Lift(square));
        Ok(piece)
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.placement[square] = Some(piece);
        self.act(Act::Put(square, piece));
    }

    fn put_held(&mut self, square: Square, piece: Piece) -> Result<(), String> {
        let held = self.air.iter().rposition(|&held| held == piece);
        let held = held.ok_or_else(|| format!("a piece in the air: no {} is", piece.letter()))?;
        self.air.remove(held);
        self.put(square, piece);
        Ok(())
    }

    fn slide(&mut self, from: Square, to: Square) -> Result<(), String> {
        let line = path::straight(from, to)
            .ok_or("two squares on one rank, file or diagonal".to_owned())?;
        let passed = line.len() - 1;
        if let Some(square) = line.iter().take(passed).find(|&&it| self.placement[it].is_some()) {
            return Err(format!("a free way: {square} is occupied"));
        }
        let piece = self.take_from(from)?;
        for (step, square) in line.into_iter().enumerate() {
            if step < passed {
                self.put(square, piece);
                self.at = self.at.saturating_add(ON_EACH_SQUARE);
                self.take_from(square)?;
            } else {
                self.put(square, piece);
            }
        }
        Ok(())
    }

    fn act(&mut self, act: Act) {
        self.cues.push((self.at, act));
    }
}
