//! A hall of emulated DGT boards with clocks, on pseudo-terminals, in blitz tempo unless a slower
//! one is asked for: a move at every board each two to three seconds, lifts and puts one by one,
//! presses, a clock that ticks.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use adoubed::lines::far_end::Pty;
use adoubed::time::Clock;
use dgt::VirtualBoard;
use eboard::Stimulus;
use eboard::{
    Change, ClockFace, Dial, Emulator, FaceTime, Moment, Piece, Placement, Said, Side, Square,
};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use super::player::Player;

/// From the press of one player to the first touch of the other: this, and up to a second more.
const THINKING: u64 = 1300;
/// From one touch to the next, and from the last one to the press.
const REACH: Duration = Duration::from_millis(350);
/// One tick of the chess clock.
const TICK: Duration = Duration::from_secs(1);
/// What a player gets for each move.
const BONUS_MS: u32 = 2000;

/// A square's report that is about to be written to the line.
pub struct Touch {
    /// Whose table it is.
    pub table: u32,
    /// When.
    pub at: Instant,
    /// What stands on all squares from then on.
    pub placement: Placement,
    /// The knight's move that this completes, in UCI notation.
    pub knight: Option<String>,
    /// Moves of this game, with the one that hands are at.
    pub ply: usize,
}

type Watcher = Arc<dyn Fn(Touch) + Send + Sync>;

/// Boards that have been set up, at their lines.
pub struct Hall {
    runtime: Runtime,
    boards: Vec<Board>,
    begin: watch::Sender<bool>,
}

impl Hall {
    /// So many boards; every touch is told.
    pub fn open(boards: u32, watcher: impl Fn(Touch) + Send + Sync + 'static) -> Self {
        Self::with(boards, THINKING, watcher)
    }

    /// The same with players who think for so many milliseconds, and up to a second more.
    pub fn with(
        boards: u32,
        thinking: u64,
        watcher: impl Fn(Touch) + Send + Sync + 'static,
    ) -> Self {
        let watcher: Watcher = Arc::new(watcher);
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        // Pseudo-terminals belong to the runtime they are opened in.
        let entered = runtime.enter();
        let board = |number| Board::new(number, thinking, Arc::clone(&watcher));
        let boards = (1..=boards).map(board).collect();
        drop(entered);
        Self { runtime, boards, begin: watch::channel(false).0 }
    }

    /// Their lines, table 1 first.
    pub fn lines(&self) -> Vec<&Path> {
        self.boards.iter().map(|board| board.pty.path()).collect()
    }

    /// Switches the boards on. They answer, and wait for the game to begin.
    pub fn live(self) -> Round {
        let Self { runtime, boards, begin } = self;
        let begun = begin.subscribe();
        thread::spawn(move || {
            runtime.block_on(async {
                let tasks = boards.into_iter().map(|board| board.live(begun.clone()));
                let tasks: Vec<_> = tasks.map(tokio::spawn).collect();
                for task in tasks {
                    let _ = task.await;
                }
            });
        });
        Round(begin)
    }
}

/// A round that can be begun; dropped, it is over.
pub struct Round(watch::Sender<bool>);

impl Round {
    /// Starts the clocks.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }
}

#[derive(Clone)]
enum Act {
    Touch { square: Square, piece: Option<Piece>, knight: Option<String> },
    Press,
}

struct Board {
    number: u32,
    pty: Pty,
    board: VirtualBoard,
    clock: Clock,
    /// In ms.
    thinking: u64,
    watcher: Watcher,
    player: Player,
    ply: usize,
    placement: Placement,
    times_ms: [u32; 2],
    /// 0: White's time counts, 1: Black's; none before the round has begun.
    running: Option<usize>,
    tick: Moment,
    acts: VecDeque<(Moment, Act)>,
}

impl Board {
    fn new(number: u32, thinking: u64, watcher: Watcher) -> Self {
        let mut board = VirtualBoard::new();
        board.set_serials(&[&format!("{:05}", 10_000 + number)]);
        Self {
            number,
            pty: Pty::open(None).expect("a pseudo-terminal"),
            board,
            clock: Clock::starting_at(Moment::ZERO),
            thinking,
            watcher,
            player: Player::new(number.into()),
            ply: 0,
            placement: Placement::starting(),
            times_ms: [180_000; 2],
            running: None,
            tick: Moment::ZERO,
            acts: VecDeque::new(),
        }
    }

    /// Until nobody holds the round any more.
    async fn live(mut self, mut begin: watch::Receiver<bool>) {
        self.show();
        let mut buffer = [0; 64];
        loop {
            let sleep = self.next().map_or(TICK, |at| self.clock.until(at));
            tokio::select! {
                read = self.pty.read(&mut buffer) => {
                    let Ok(count) = read else { return };
                    self.feel(Stimulus::Host(&buffer[..count]));
                }
                watcher = begin.changed() => match watcher {
                    Ok(()) => self.begin(),
                    Err(_) => return,
                },
                () = tokio::time::sleep(sleep), if self.running.is_some() => self.act(),
            }
        }
    }

    fn begin(&mut self) {
        self.running = Some(0);
        self.show();
        // Boards tick and move at times of their own.
        self.tick = self.clock.now() + TICK.mul_f64(self.share());
        let first = self.clock.now() + (TICK * 3).mul_f64(self.share());
        self.plan(first);
    }

    fn share(&mut self) -> f64 {
        f64::from(u32::try_from(self.player.roll(1000)).unwrap_or_default()) / 1000.0
    }

    fn next(&self) -> Option<Moment> {
        let act = self.acts.front().map(|(at, _)| *at);
        self.running?;
        Some(act.map_or(self.tick, |at| at.min(self.tick)))
    }

    fn act(&mut self) {
        let now = self.clock.now();
        if self.tick <= now {
            self.tick = self.tick + TICK;
            if let Some(left) = self.running.and_then(|side| self.times_ms.get_mut(side)) {
                *left = left.saturating_sub(1000);
            }
            self.show();
        }
        if self.acts.front().is_some_and(|(at, _)| *at <= now)
            && let Some((_, act)) = self.acts.pop_front()
        {
            match act {
                Act::Touch { square, piece, knight } => self.touch(square, piece, knight),
                Act::Press => self.press(),
            }
        }
    }

    fn touch(&mut self, square: Square, piece: Option<Piece>, knight: Option<String>) {
        self.placement[square] = piece;
        let (table, ply, placement) = (self.number, self.ply, self.placement);
        (self.watcher)(Touch { table, at: Instant::now(), placement, knight, ply });
        self.feel(Change::Square { square, piece }.here());
    }

    fn press(&mut self) {
        if let Some(side) = self.running {
            self.times_ms[side] += BONUS_MS;
            self.running = Some(1 - side);
        }
        self.show();
        let thinking = Duration::from_millis(self.thinking + self.player.roll(1000));
        self.plan(self.clock.now() + thinking);
    }

    /// The next move, from this moment on.
    fn plan(&mut self, mut at: Moment) {
        let Some(turn) = self.player.turn() else { return };
        self.ply += 1;
        let last = turn.touches.len() - 1;
        for (index, (square, piece)) in turn.touches.into_iter().enumerate() {
            let knight = (turn.knight && index == last).then(|| turn.uci.clone());
            self.acts.push_back((at, Act::Touch { square, piece, knight }));
            at = at + REACH;
        }
        self.acts.push_back((at, Act::Press));
    }

    fn show(&mut self) {
        let dial = |ms| Dial { time: FaceTime::from_ms(ms), ..Dial::default() };
        let [white, black] = self.times_ms;
        let face = ClockFace {
            left: dial(white),
            right: dial(black),
            running: self.running.is_some(),
            lever: if self.running == Some(1) { Side::Right } else { Side::Left },
            low_battery: false,
        };
        self.feel(Change::Clock(Some(face)).here());
    }

    fn feel(&mut self, stimulus: Stimulus<'_>) {
        let mut bytes = Said::default();
        self.board.handle(self.clock.now(), stimulus, &mut bytes);
        let bytes = bytes.bytes();
        if !bytes.is_empty() {
            let _ = self.pty.write(&bytes);
        }
    }
}
