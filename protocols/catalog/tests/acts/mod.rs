//! What happens on a board and its clock in these tests, drawn at random. No chess: any piece may
//! appear anywhere.

use std::time::Duration;

use eboard::{
    Change, ClockFace, Dial, Driver, FaceTime, FlagMark, Piece, Placement, Side, Square, Station,
};
use proptest::prelude::*;

use crate::line::{Line, Shown};

/// So long a starting position stands before a learner.
const LESSON: Duration = Duration::from_secs(2);

/// So long a board on HID, which may be known by what stands on it, shows the starting position.
const SHOWN: Duration = Duration::from_secs(1);

/// What a hand or a clock does, and how long nothing more happens.
#[derive(Clone, Debug)]
pub struct Act {
    /// On which board, counted around.
    who: usize,
    deed: Deed,
    then_ms: u64,
}

#[derive(Clone, Debug)]
enum Deed {
    Put(Square, Option<Piece>),
    SetUp(Placement),
    Clock(Option<ClockFace>),
}

/// How things stand on one board after all acts.
pub struct Truth {
    pub station: Station,
    pub board: Placement,
    pub clock: Option<ClockFace>,
}

/// Does all this, from the starting position and without a clock.
pub fn play(driver: &Driver, line: &mut Line, acts: &[Act]) -> Vec<Truth> {
    let begin = |&station: &Station| Truth { station, board: Placement::starting(), clock: None };
    let mut boards: Vec<Truth> = line.stations.iter().map(begin).collect();
    for truth in &boards {
        line.happen(Change::Board(&truth.board).at(truth.station));
    }
    teach(driver, line);
    if driver.settings().is_none() {
        line.run(SHOWN);
    }
    for act in acts {
        let who = act.who % boards.len();
        let truth = &mut boards[who];
        match act.deed {
            Deed::Put(square, piece) => {
                truth.board[square] = piece;
                line.happen(Change::Square { square, piece }.at(truth.station));
            }
            Deed::SetUp(placement) => {
                truth.board = placement;
                line.happen(Change::Board(&placement).at(truth.station));
            }
            Deed::Clock(face) => {
                truth.clock = face;
                line.happen(Change::Clock(face).at(truth.station));
            }
        }
        line.run(Duration::from_millis(act.then_ms));
    }
    boards
}

/// Lets the starting position that is on the board stand, if this driver learns from it, and then a
/// pawn in the middle for a while: from there on men that stand otherwise correct no lesson.
pub fn teach(driver: &Driver, line: &mut Line) {
    if !driver.learns {
        return;
    }
    let start = Placement::starting();
    let mut begun = start;
    let [e2, e4] = [52, 36].map(|square| Square::new(square).expect("below 64"));
    begun[e4] = begun[e2].take();
    for board in [start, begun, start] {
        line.happen(Change::Board(&board).here());
        line.run(LESSON);
    }
}

/// A fixed beginning: pieces lifted and put down, and the clock started.
pub fn some_acts() -> Vec<Act> {
    let put = |square, piece| Deed::Put(Square::new(square).expect("below 64"), piece);
    let white = Dial { time: FaceTime::from_hms(1, 29, 58), ..Dial::default() };
    let black = Dial { time: FaceTime::from_hms(1, 30, 0), ..Dial::default() };
    let face = ClockFace {
        left: white,
        right: black,
        running: true,
        lever: Side::Right,
        low_battery: false,
    };
    let deeds = [
        put(52, None),
        put(36, Some(Piece::WhitePawn)),
        Deed::Clock(Some(face)),
        put(12, None),
        put(28, Some(Piece::BlackPawn)),
        Deed::SetUp(Placement::EMPTY),
        Deed::Clock(None),
    ];
    deeds.into_iter().map(|deed| Act { who: 0, deed, then_ms: 900 }).collect()
}

/// Pieces of which a board does not show this. A board that only senses occupied squares shows the
/// same of a turned starting position.
pub fn other_than(shown: Option<Shown>) -> Placement {
    let start = Placement::starting();
    match shown {
        Some(Shown::Pieces(placement)) if placement == start => start.turned(),
        Some(Shown::Occupied(whole)) if whole == start.occupancy() => Placement::EMPTY,
        _ => start,
    }
}

pub fn any_acts() -> impl Strategy<Value = Vec<Act>> {
    let deed = prop_oneof![
        12 => (any_square(), any_content()).prop_map(|(square, piece)| Deed::Put(square, piece)),
        1 => any_placement().prop_map(Deed::SetUp),
        3 => prop::option::weighted(0.9, any_face()).prop_map(Deed::Clock),
    ];
    let act = (0..60_usize, deed, 0..1500u64);
    let act = act.prop_map(|(who, deed, then_ms)| Act { who, deed, then_ms });
    prop::collection::vec(act, 0..25)
}

/// Bursts of random bytes.
pub fn any_noise() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 1..60), 0..12)
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..64u8).prop_map(|index| Square::new(index).expect("below 64"))
}

fn any_content() -> impl Strategy<Value = Option<Piece>> {
    prop::option::of(prop::sample::select(&Piece::ALL[..]))
}

fn any_placement() -> impl Strategy<Value = Placement> {
    prop::collection::vec(any_content(), 64)
        .prop_map(|squares| Placement::from_squares(squares.try_into().expect("64 squares")))
}

/// Whole seconds, at most what four or five digits show on every clock.
fn any_face() -> impl Strategy<Value = ClockFace> {
    (any_dial(), any_dial(), any::<[bool; 3]>()).prop_map(
        |(left, right, [running, right_moves, low_battery])| {
            let lever = if right_moves { Side::Right } else { Side::Left };
            ClockFace { left, right, running, lever, low_battery }
        },
    )
}

fn any_dial() -> impl Strategy<Value = Dial> {
    let flag = prop_oneof![
        8 => Just(FlagMark::None),
        1 => Just(FlagMark::Passed),
        1 => Just(FlagMark::Final),
    ];
    (0..36_000u32, flag, any::<bool>()).prop_map(|(seconds, flag, per_move)| Dial {
        time: FaceTime::from_ms(seconds * 1000),
        flag,
        per_move,
    })
}
