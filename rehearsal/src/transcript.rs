//! What was done at a table, written in gesture notation, to be pasted into a test of a scenario.
//! It says what hands did and never what it meant.

mod scribe;

use std::ops::Range;
use std::time::Duration;

use eboard::{ClockFace, Colour, FlagMark, Moment, Placement, Side};
use shakmaty::{EnPassantMode, Position, fen::Fen};

use crate::{Act, Cue, Game, Happening, Performance, TimeControl, Trouble, convert};
use scribe::Opening;

impl Performance {
    /// The whole of it. `turn` has the first move.
    #[must_use]
    pub fn transcript(&self, turn: Colour, control: TimeControl) -> String {
        Opening::bare(self.start, turn).write(control, &self.acts)
    }

    /// These plies of it (0 is the first): what was done after the move before them up to the press
    /// that ends them. The clock begins anew, as it is set.
    #[must_use]
    pub fn excerpt(&self, game: &Game, control: TimeControl, plies: Range<usize>) -> String {
        let before = plies.start.checked_sub(1);
        let position = before.and_then(|ply| game.positions().nth(ply));
        let position = position.unwrap_or_else(|| game.start.clone());
        let turn = convert::colour(position.turn());
        let opening = Opening {
            fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
            placement: convert::placement(position.board()),
            turn,
        };
        let made = |ply: usize| self.made.get(ply).copied();
        let first = before.map_or(0, |ply| self.completed(made(ply)));
        let last = plies.end.checked_sub(1).map_or(0, |ply| self.completed(made(ply)));
        let acts = self.acts.get(first..last).unwrap_or_default();
        let begin = first.checked_sub(1).and_then(|index| self.acts.get(index));
        let mut cues: Vec<Cue> = Vec::with_capacity(acts.len() + 1);
        cues.extend(begin.map(|&(at, _)| (at, Act::StartClock(turn))));
        cues.extend(acts);
        opening.write(control, &cues)
    }

    /// How many acts were done up to the press after this moment; all without a moment.
    fn completed(&self, made: Option<Duration>) -> usize {
        let Some(made) = made else { return self.acts.len() };
        let (done, rest) = self.acts.split_at(self.acts.partition_point(|&(at, _)| at <= made));
        done.len() + rest.iter().take_while(|(_, act)| matches!(act, Act::Press(_))).count()
    }
}

/// What was seen or happened, in order of time and a whole board first, as gestures. The clock's
/// faces are read for the presses alone; White sits on the left.
#[must_use]
pub fn transcript_of(truth: &[(Moment, Happening)], control: TimeControl) -> String {
    let opening = truth.iter().find_map(|&(_, happened)| match happened {
        Happening::Board(board) => Some(board),
        _ => None,
    });
    let (cues, turn) = cues_of(truth);
    Opening::bare(opening.unwrap_or(Placement::EMPTY), turn).write(control, &cues)
}

/// Acts that make this happen, and who has the first move.
fn cues_of(truth: &[(Moment, Happening)]) -> (Vec<Cue>, Colour) {
    let mut cues: Vec<Cue> = Vec::new();
    let (mut standing, mut shown, mut turn) = (None::<Placement>, None::<ClockFace>, None);
    for &(at, happened) in truth {
        let mut tell = |act| cues.push((at.since(Moment::ZERO), act));
        match happened {
            Happening::Board(board) => {
                for square in standing.unwrap_or(board).differing(&board) {
                    tell(board[square].map_or(Act::Lift(square), |it| Act::Put(square, it)));
                }
                standing = Some(board);
            }
            Happening::Square { square, piece } => {
                tell(piece.map_or(Act::Lift(square), |it| Act::Put(square, it)));
                if let Some(standing) = &mut standing {
                    standing[square] = piece;
                }
            }
            Happening::Clock(face) => {
                for act in clock_acts(shown, face, turn.is_none()).into_iter().flatten() {
                    tell(act);
                }
                if face.running {
                    turn = turn.or(Some(player(face.lever)));
                }
                shown = Some(face);
            }
            Happening::NoClock => tell(Act::Trouble(Trouble::Plugged(false))),
            Happening::Disturbed(it) => tell(Act::Trouble(Trouble::Wire(it))),
        }
    }
    let resting = shown.map_or(Colour::White, |face| player(face.lever));
    (cues, turn.unwrap_or(resting))
}

/// What was done to the clock between two faces: its lever, and then its start or stop.
fn clock_acts(was: Option<ClockFace>, is: ClockFace, fresh: bool) -> [Option<Act>; 2] {
    let lever = player(is.lever);
    let moved = was.filter(|was| was.lever != is.lever).map(|was| Act::Press(player(was.lever)));
    let fell = |side: Side| {
        let before = was.map_or(FlagMark::None, |was| was.dial(side).flag);
        before == FlagMark::None && is.dial(side).flag != FlagMark::None
    };
    let flag = [Side::Left, Side::Right].into_iter().find(|&side| fell(side));
    if let Some(side) = flag {
        return [moved, Some(Act::Flag(player(side)))];
    }
    match (was.is_some_and(|was| was.running), is.running) {
        (false, true) if fresh => [None, Some(Act::StartClock(lever))],
        (false, true) => [moved, Some(Act::GoOn)],
        (true, false) => [moved, Some(Act::StopClock)],
        _ => [moved, None],
    }
}

const fn player(side: Side) -> Colour {
    match side {
        Side::Left => Colour::White,
        Side::Right => Colour::Black,
    }
}

#[cfg(test)]
mod tests;
