//! Kill at any event, go on, same score. A daemon at a board with a clock is killed in virtual
//! time. Another one goes on from its journal, with a checkpoint or without one.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail, and prints its seed"
)]

mod clumsy;
#[path = "../common/game.rs"]
#[allow(dead_code, reason = "each test uses its own part")]
mod game;
mod room;
#[path = "../common/seed.rs"]
#[allow(dead_code, reason = "each test uses its own part")]
mod seed;

use std::time::Duration;

use eboard::{Change, ClockFace, Dial, FaceTime, FlagMark, Moment, Placement, Side};
use game::{LONG_GAME_TIME, Step, long_game};
use room::{Room, UnderWay};
use seed::Seed;

/// Games with four kills each; `$ADOUBED_KILLS` may ask for more.
const GAMES: usize = 40;
const UNDER_WAY: [UnderWay; 3] = [UnderWay::Kept, UnderWay::Lost, UnderWay::Held];

/// The seconds of White and Black, and whose time counts.
#[derive(Clone, Copy)]
struct Face {
    seconds: [u32; 2],
    white_counts: bool,
    running: bool,
}

impl Face {
    fn shown(self) -> ClockFace {
        let dial = |seconds: u32| Dial {
            time: FaceTime::from_ms(seconds * 1000),
            flag: FlagMark::None,
            per_move: false,
        };
        let lever = if self.white_counts { Side::Left } else { Side::Right };
        let [left, right] = self.seconds.map(dial);
        ClockFace { left, right, running: self.running, lever, low_battery: false }
    }
}

/// Two players who touch something every few milliseconds, and wait while nobody watches.
struct Players {
    room: Room,
    squares: Placement,
    face: Face,
}

impl Players {
    fn sit_down() -> Self {
        let squares = Placement::starting();
        let mut room = Room::new("", &squares);
        let face = Face { seconds: [LONG_GAME_TIME; 2], white_counts: true, running: false };
        room.show(Change::Clock(Some(face.shown())));
        room.pass(Duration::from_secs(3));
        let mut players = Self { room, squares, face };
        players.clock(Face { running: true, ..face });
        players
    }

    fn clock(&mut self, face: Face) {
        self.face = face;
        self.room.show(Change::Clock(Some(face.shown())));
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Hand((square, piece)) => {
                self.squares[square] = piece;
                self.room.show(Change::Square { square, piece });
            }
            Step::Press(left) => {
                let Face { mut seconds, white_counts, .. } = self.face;
                seconds[usize::from(!white_counts)] = left;
                self.clock(Face { seconds, white_counts: !white_counts, ..self.face });
            }
        }
    }

    /// Kills the daemon during this step. The players go on when the next daemon has asked the
    /// board for its squares and its clock.
    fn take_and_kill(&mut self, step: Step, kill: &Kill) {
        if kill.checkpoint {
            self.room.keep();
        }
        self.room.hold();
        self.take(step);
        self.room.pass(Duration::from_millis(kill.after_ms));
        let killed = self.room.now();
        self.room.kill(kill.under_way);
        self.room.pass(Duration::from_millis(kill.away_ms));
        self.room.start();
        if kill.waits && !self.room.pass_until(Duration::from_secs(20), self.is_surveyed(killed)) {
            self.room.faults.push("the board was not surveyed".to_owned());
        }
    }

    fn is_surveyed(&self, since: Moment) -> impl Fn(&Room) -> bool + use<> {
        let (squares, seconds) = (self.squares.to_string(), self.face.seconds);
        move |room: &Room| {
            let read = room.table().clocks().state().filter(|it| it.sampled > since);
            let shown = read.map(|it| [it.times.white, it.times.black].map(|it| it.as_ms()));
            let answers = room.announced > 0 && room.table().device().answering;
            answers && shown == Some(seconds.map(|it| it * 1000)) && room.squares() == squares
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Kill {
    step: usize,
    under_way: UnderWay,
    /// Milliseconds from the step to the kill.
    after_ms: u64,
    /// Milliseconds from the kill to the next start.
    away_ms: u64,
    /// A checkpoint was made before the step.
    checkpoint: bool,
    /// The players wait until the board was surveyed.
    waits: bool,
}

/// Plays the game with these kills. Gives everything that is wrong afterwards.
fn played(kills: &[Kill], gap_ms: u64) -> Vec<String> {
    let (steps, game) = long_game();
    let mut players = Players::sit_down();
    for (index, step) in steps.iter().enumerate() {
        players.room.pass(Duration::from_millis(gap_ms));
        match kills.iter().find(|kill| kill.step == index) {
            None => players.take(*step),
            Some(kill) => players.take_and_kill(*step, kill),
        }
    }
    players.room.pass(Duration::from_secs(30));
    let mut room = players.room;
    let mut plies = room.table().score().plies().to_vec();
    // Mate ends the game before the clock is pressed.
    plies.pop();
    for (ply, made) in (0..).zip(plies) {
        let expected = (LONG_GAME_TIME - 1 - ply / 2) * 1000;
        if let Some(shown) = made.clock.filter(|it| it.as_ms() != expected) {
            let fault = format!("after {} the clock showed {expected}, not {shown:?}", made.uci);
            room.faults.push(fault);
            break;
        }
    }
    if room.moves() != game.uci() {
        room.faults.push(format!("the score is {}", room.moves().join(" ")));
    } else if room.is_in_doubt() || room.table().score().result() != "1-0" {
        room.faults.push("a doubt stays".to_owned());
    }
    room.faults
}

#[test]
fn killed_at_any_event_it_goes_on_with_the_same_score() {
    for step in 0..long_game().0.len() {
        let under_way = UNDER_WAY[step % 3];
        for (after_ms, away_ms) in [(3, 100), (400, 1900)] {
            let checkpoint = step % 2 == 0;
            let kill = Kill { step, under_way, after_ms, away_ms, checkpoint, waits: true };
            assert_eq!(played(&[kill], 5), Vec::<String>::new(), "{kill:?}");
        }
    }
}

#[test]
fn killed_again_and_again_it_goes_on_with_the_same_score() {
    let asked = std::env::var("ADOUBED_KILLS").ok().and_then(|it| it.parse::<usize>().ok());
    let mut seed = Seed::draw("killed again and again");
    let count = long_game().0.len();
    for _ in 0..asked.map_or(GAMES, |kills| kills.div_ceil(4)) {
        let mut kill = || Kill {
            step: seed.below(count),
            under_way: UNDER_WAY[seed.below(3)],
            after_ms: seed.below(6) as u64,
            away_ms: 50 + seed.below(500) as u64,
            checkpoint: seed.below(2) == 0,
            waits: true,
        };
        let kills = [kill(), kill(), kill(), kill()];
        let gap_ms = 1 + seed.below(20) as u64;
        assert_eq!(played(&kills, gap_ms), Vec::<String>::new(), "{gap_ms} ms, {kills:?}");
    }
}

/// People do not touch ten squares in the quarter of a second before a board is asked. Programs do.
#[test]
fn what_is_done_before_the_board_is_asked_is_followed() {
    for step in 0..long_game().0.len() {
        let under_way = [UnderWay::Kept, UnderWay::Held][step % 2];
        let kill =
            Kill { step, under_way, after_ms: 3, away_ms: 0, checkpoint: false, waits: false };
        assert_eq!(played(&[kill], 20), Vec::<String>::new(), "{kill:?}");
    }
}
