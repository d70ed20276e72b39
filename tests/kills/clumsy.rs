//! Games of clumsy players at a natural pace, who play on while the daemon is down.

use std::time::Duration;

use eboard::{Moment, Placement};
use rehearsal::{Clock, Happening, Manner, Pace, Scan, Stage, famous, perform};
use shakmaty::{CastlingMode, uci::UciMove};

use crate::room::{Room, UnderWay};

/// The indices of the famous games that are played.
const GAMES: [u64; 2] = [0, 1];
/// The daemon is killed at one touch in this many, at a different one in each game.
const EVERY: usize = 8;

/// What happens at a table and when, and the moves that were played.
struct Played {
    control: String,
    happenings: Vec<(Moment, Happening)>,
    moves: Vec<String>,
}

fn play(number: u64) -> Played {
    let game = famous().swap_remove(usize::try_from(number).unwrap());
    let manner = Manner { tidy_up: false, ..Manner::clumsy() };
    let performance = perform(&game, &manner, number);
    let plies = performance.truth.plies;
    let uci = |mv: &_| UciMove::from_move(*mv, CastlingMode::Standard).to_string();
    let moves = game.moves.iter().take(plies).map(uci).collect();
    let begin = Moment::ZERO + Duration::from_secs(3);
    let mut stage = Stage::of(begin, performance, Clock::new(manner.control), Pace::real());
    let mut all = Vec::new();
    while let Some(at) = stage.next().filter(|_| !stage.over()) {
        all.extend(stage.due(at).into_iter().map(|it| (at, it)));
    }
    let happenings = Scan::dgt(0).seeded(number).see(&all);
    Played { control: manner.control.to_string(), happenings, moves }
}

/// Plays this before a daemon that is killed at one touch, or never.
fn watched(played: &Played, kill: Option<(usize, Duration)>) -> Room {
    let mut room = Room::new(&played.control, &Placement::starting());
    let mut up: Option<Moment> = None;
    for (index, (at, happening)) in played.happenings.iter().enumerate() {
        if let Some(up) = up.take_if(|up| *up <= *at) {
            room.pass(up.since(room.now()));
            room.start();
        }
        room.pass(at.since(room.now()));
        room.show(happening.change());
        if let Some((_, away)) = kill.filter(|(touch, _)| *touch == index) {
            room.kill(UnderWay::Kept);
            up = Some(room.now() + away);
        }
    }
    room.pass(Duration::from_secs(10));
    if !room.is_up() {
        room.start();
    }
    room.pass(Duration::from_secs(30));
    room
}

#[test]
fn clumsy_games_that_go_on_meanwhile_are_right_or_doubted() {
    for number in GAMES {
        let played = play(number);
        let whole = watched(&played, None);
        assert_eq!((whole.moves(), whole.is_in_doubt()), (played.moves.clone(), false));
        let touches = played.happenings.iter().enumerate();
        let touches = touches.filter(|(_, (_, it))| matches!(it, Happening::Square { .. }));
        let first = usize::try_from(number).unwrap();
        for (index, _) in touches.skip(first).step_by(EVERY) {
            for ms in [150, 700, 2500] {
                let room = watched(&played, Some((index, Duration::from_millis(ms))));
                let right = room.moves() == played.moves;
                assert!(right || room.is_in_doubt(), "game {number}, {index}, {ms} ms");
                assert!(room.faults.is_empty(), "game {number}, {index}, {ms}: {:?}", room.faults);
            }
        }
    }
}
