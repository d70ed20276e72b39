//! Writes acts down as gestures, with the waits between them. It keeps what it must to choose the
//! words: who holds what, whose clock runs.

use std::time::Duration;

use eboard::{Colour, Moment, Piece, Placement};

use crate::gestures::{BEFORE_A_PRESS, BETWEEN_GESTURES, Gesture};
use crate::{Act, Clock, Cue, TimeControl};

/// Where a script begins.
pub(super) struct Opening {
    pub(super) fen: String,
    pub(super) placement: Placement,
    pub(super) turn: Colour,
}

impl Opening {
    /// Of which no more is known than what stands there and who is to move.
    pub(super) fn bare(placement: Placement, turn: Colour) -> Self {
        let letter = if turn == Colour::White { 'w' } else { 'b' };
        Self { fen: format!("{placement} {letter} - - 0 1"), placement, turn }
    }

    /// The script of these acts, which are in order of time.
    pub(super) fn write(&self, control: TimeControl, acts: &[Cue]) -> String {
        let mut text = String::new();
        if self.placement != Placement::starting() || self.turn != Colour::White {
            text = format!("# fen: {}\n", self.fen);
        }
        text.push_str(&format!("# time_control: {control}\n"));
        let mut scribe = Scribe {
            text,
            column: 0,
            placement: self.placement,
            clock: Clock::new(control).giving_move_to(self.turn),
            at: Duration::ZERO,
            air: Vec::new(),
        };
        let mut rest = acts;
        if let Some((&(at, act), others)) = acts.split_first() {
            scribe.at = whole_micros(at);
            if act == Act::StartClock(self.turn) {
                scribe.apply(at, act);
                rest = others;
            } else {
                scribe.word(Gesture::Stop);
            }
        }
        let fates = fates(self.placement, rest);
        for (&(at, act), returns) in rest.iter().zip(fates) {
            scribe.act(whole_micros(at), act, returns);
        }
        scribe.end_line();
        scribe.text
    }
}

/// For each act: of a lift, whether the piece is put again; of a put, whether it was in the air.
fn fates(mut placement: Placement, acts: &[Cue]) -> Vec<bool> {
    let mut fates = vec![false; acts.len()];
    let mut air: Vec<(usize, Piece)> = Vec::new();
    for (index, &(_, act)) in acts.iter().enumerate() {
        match act {
            Act::Lift(square) => air.extend(placement[square].take().map(|it| (index, it))),
            Act::Put(square, piece) => {
                placement[square] = Some(piece);
                if let Some(latest) = air.iter().rposition(|&(_, held)| held == piece) {
                    let (lifted, _) = air.remove(latest);
                    for at in [lifted, index] {
                        fates.get_mut(at).into_iter().for_each(|fate| *fate = true);
                    }
                }
            }
            _ => {}
        }
    }
    fates
}

fn whole_micros(at: Duration) -> Duration {
    Duration::new(at.as_secs(), at.subsec_micros() * 1000)
}

struct Scribe {
    text: String,
    column: usize,
    placement: Placement,
    clock: Clock,
    /// When the last gesture was made.
    at: Duration,
    /// What is held and will be put, in the order in which it was lifted.
    air: Vec<Piece>,
}

impl Scribe {
    fn act(&mut self, at: Duration, act: Act, returns: bool) {
        for gesture in self.gestures(at, act, returns).into_iter().flatten() {
            let press = matches!(gesture, Gesture::Press(_));
            let usual = if press { BEFORE_A_PRESS } else { BETWEEN_GESTURES };
            let gap = at.saturating_sub(self.at);
            if gap != usual {
                self.word(Gesture::Wait(gap));
            }
            self.at = at;
            self.word(gesture);
            if press {
                self.end_line();
            }
        }
        self.apply(at, act);
    }

    /// One gesture or two, none if the act changes nothing.
    fn gestures(&mut self, at: Duration, act: Act, returns: bool) -> [Option<Gesture>; 2] {
        let running = self.clock.is_running(Moment::ZERO + at);
        let gesture = match act {
            Act::Lift(square) => self.placement[square].map(|piece| {
                if returns {
                    self.air.push(piece);
                    Gesture::Lift(square)
                } else {
                    Gesture::Remove(square)
                }
            }),
            Act::Put(square, piece) if returns => {
                let last = self.air.last() == Some(&piece);
                if let Some(held) = self.air.iter().rposition(|&held| held == piece) {
                    self.air.remove(held);
                }
                let put = Gesture::Put(square);
                Some(if last { put } else { Gesture::PutPiece(square, piece) })
            }
            Act::Put(square, piece) => Some(Gesture::New(square, piece)),
            Act::Press(side) => {
                let pressed = if running { None } else { Some(side) };
                (side == self.clock.to_move()).then_some(Gesture::Press(pressed))
            }
            Act::PressRunning => Some(Gesture::Press(None)),
            Act::StartClock(side) if side != self.clock.to_move() => {
                let lever = Gesture::Press(Some(self.clock.to_move()));
                return [Some(lever), (!running).then_some(Gesture::GoOn)];
            }
            Act::StartClock(_) | Act::GoOn => (!running).then_some(Gesture::GoOn),
            Act::StopClock => Some(Gesture::Stop),
            Act::Flag(side) => Some(Gesture::Flag(side)),
            Act::Correct(side, time) => Some(Gesture::Set(side, time)),
            Act::Trouble(trouble) => Some(Gesture::Clock(trouble)),
        };
        [gesture, None]
    }

    fn apply(&mut self, at: Duration, act: Act) {
        act.apply(Moment::ZERO + at, &mut self.placement, &mut self.clock);
    }

    fn word(&mut self, gesture: Gesture) {
        const WIDTH: usize = 96;
        let word = gesture.to_string();
        if self.column + word.len() >= WIDTH {
            self.end_line();
        }
        if self.column > 0 {
            self.text.push(' ');
        }
        self.text.push_str(&word);
        self.column += word.len() + 1;
    }

    fn end_line(&mut self) {
        if self.column > 0 {
            self.text.push('\n');
            self.column = 0;
        }
    }
}
