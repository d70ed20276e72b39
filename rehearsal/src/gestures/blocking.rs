//! From gestures to timed acts: who holds what, and when. A stage director's work, not a judge's.

use std::time::Duration;

use eboard::{Colour, Moment, Piece, Placement, Square};

use super::{Gesture, Header};
use crate::{Act, Cue, Trouble, Unplug, path};

const STARTS: Duration = Duration::from_secs(1);
pub(crate) const BETWEEN_GESTURES: Duration = Duration::from_millis(400);
pub(crate) const BEFORE_A_PRESS: Duration = Duration::from_millis(1200);
const ON_EACH_SQUARE: Duration = Duration::from_millis(150);
const REST: Duration = Duration::from_secs(2);

/// One board, and what is done to it.
struct Bench {
    placement: Placement,
    /// Pieces in the air, in the order in which they were lifted.
    air: Vec<Piece>,
    cues: Vec<Cue>,
}

/// A script in the making.
pub(super) struct Blocking {
    turn: Colour,
    /// The clock stands at the first one.
    boards: [Bench; 2],
    /// Hands are at the second board.
    second: bool,
    orders: Vec<(Moment, Gesture)>,
    /// When the last gesture was over.
    at: Duration,
    wait: Option<Duration>,
    begun: bool,
    /// When the board's cable was pulled and not put in again.
    out_since: Option<Duration>,
    unplugs: Vec<Unplug>,
}

/// What comes of it.
pub(super) struct Blocked {
    /// What is done to the first board and the clock, in order of time.
    pub cues: Vec<Cue>,
    /// What is done to the second board.
    pub second: Vec<Cue>,
    /// What an arbiter asks for.
    pub orders: Vec<(Moment, Gesture)>,
    /// When the first board's cable is out.
    pub unplugs: Vec<Unplug>,
    /// When the script is over.
    pub end: Moment,
}

impl Blocking {
    pub(super) fn of(header: &Header) -> Self {
        let board = || Bench { placement: header.placement(), air: Vec::new(), cues: Vec::new() };
        Self {
            turn: header.turn(),
            boards: [board(), board()],
            second: false,
            orders: Vec::new(),
            at: STARTS,
            wait: None,
            begun: false,
            out_since: None,
            unplugs: Vec::new(),
        }
    }

    /// Adds a gesture, at the second board or not; the error is what would have been right instead.
    pub(super) fn add(&mut self, second: bool, gesture: Gesture) -> Result<(), String> {
        if let Gesture::Wait(span) = gesture {
            self.wait = Some(self.wait.unwrap_or_default().saturating_add(span));
            return Ok(());
        }
        // A clock whose cable is out before anything else is done was never in.
        if let (false, None, Gesture::Clock(trouble @ Trouble::Plugged(false))) =
            (self.begun, self.wait, gesture)
        {
            self.boards[0].cues.push((Duration::ZERO, Act::Trouble(trouble)));
            return Ok(());
        }
        if !self.begun {
            self.begin(gesture);
        }
        self.second = second;
        let press = matches!(gesture, Gesture::Press(_));
        let gap = if press { BEFORE_A_PRESS } else { BETWEEN_GESTURES };
        self.at = self.at.saturating_add(self.wait.take().unwrap_or(gap));
        match gesture {
            Gesture::Lift(square) => {
                let piece = self.take_from(square)?;
                self.board().air.push(piece);
            }
            Gesture::Put(square) => {
                let held = self.board().air.pop().ok_or("a piece in the air: lift one first")?;
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
            Gesture::StartRound
            | Gesture::Adjourn
            | Gesture::Resume(_)
            | Gesture::Grant(..)
            | Gesture::Colours(_)
            | Gesture::Result(_) => {
                self.orders.push((Moment::ZERO + self.at, gesture));
            }
            Gesture::Set(side, time) => self.act(Act::Correct(side, time)),
            Gesture::Clock(trouble) => self.act(Act::Trouble(trouble)),
            Gesture::Line(false) => self.out_since = self.out_since.or(Some(self.at)),
            Gesture::Line(true) => self.put_in(),
            Gesture::Wait(_) => {}
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Blocked {
        if !self.begun {
            self.begin(Gesture::GoOn);
        }
        // A cable that nobody puts in again is out to the end.
        self.at = self.at.saturating_add(self.wait.unwrap_or(REST));
        self.put_in();
        let (end, [first, second]) = (Moment::ZERO + self.at, self.boards);
        let (orders, unplugs) = (self.orders, self.unplugs);
        Blocked { cues: first.cues, second: second.cues, orders, unplugs, end }
    }

    fn put_in(&mut self) {
        if let Some(since) = self.out_since.take() {
            let lasts = self.at.saturating_sub(since);
            self.unplugs.push(Unplug { at: Moment::ZERO + since, lasts });
        }
    }

    fn board(&mut self) -> &mut Bench {
        let [first, second] = &mut self.boards;
        if self.second { second } else { first }
    }

    /// The clock is started before the first gesture, unless that one says that it stands still.
    fn begin(&mut self, first: Gesture) {
        self.begun = true;
        if first != Gesture::Stop {
            self.act(Act::StartClock(self.turn));
        }
    }

    fn take_from(&mut self, square: Square) -> Result<Piece, String> {
        let piece = self.board().placement[square].take();
        let piece = piece.ok_or_else(|| format!("a square with a piece: {square} is empty"))?;
        self.act(Act::Lift(square));
        Ok(piece)
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.board().placement[square] = Some(piece);
        self.act(Act::Put(square, piece));
    }

    fn put_held(&mut self, square: Square, piece: Piece) -> Result<(), String> {
        let air = &mut self.board().air;
        let held = air.iter().rposition(|&held| held == piece);
        let held = held.ok_or_else(|| format!("a piece in the air: no {} is", piece.letter()))?;
        air.remove(held);
        self.put(square, piece);
        Ok(())
    }

    fn slide(&mut self, from: Square, to: Square) -> Result<(), String> {
        let line = path::straight(from, to)
            .ok_or("two squares on one rank, file or diagonal".to_owned())?;
        let passed = line.len() - 1;
        let placement = &self.board().placement;
        if let Some(square) = line.iter().take(passed).find(|&&it| placement[it].is_some()) {
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
        let at = self.at;
        self.board().cues.push((at, act));
    }
}
