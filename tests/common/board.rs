//! An emulated board with its clock at the far end of a line, as its family has one, and hands that
//! move its pieces. It can be unplugged and plugged in again; its pieces stay where they stand.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::mpsc as answers;
use std::time::{Duration, Instant};

use adoubed::lines::far_end::{FarEnd, Pty};
use eboard::{
    Change, ClockFace, Dial, Emulator, FaceTime, FlagMark, Moment, Piece, Placement, Said,
};
use eboard::{Reason, Side, Stimulus};
use tokio::sync::mpsc;

use super::game::{Gesture, square};
use super::{Game, PATIENCE, RUNTIME};

/// How long bytes may wait for room on the line before they are lost.
const ROOM: Duration = Duration::from_secs(2);

/// What a chess clock with White on its left shows.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    pub white_s: u32,
    pub black_s: u32,
    pub white_counts: bool,
    pub running: bool,
    pub flag: Option<Side>,
}

impl From<Face> for ClockFace {
    fn from(face: Face) -> Self {
        let dial = |seconds: u32, side| {
            let flag = if face.flag == Some(side) { FlagMark::Final } else { FlagMark::None };
            Dial { time: FaceTime::from_ms(seconds * 1000), flag, per_move: false }
        };
        Self {
            left: dial(face.white_s, Side::Left),
            right: dial(face.black_s, Side::Right),
            running: face.running,
            lever: if face.white_counts { Side::Left } else { Side::Right },
            low_battery: false,
        }
    }
}

enum Order {
    Hands(Vec<Gesture>),
    Clock(Option<ClockFace>),
    Bytes(Vec<u8>),
    Unplug,
    Plug(PathBuf),
}

/// The board, seen by those who play on it.
pub struct Board {
    orders: mpsc::UnboundedSender<(Order, answers::Sender<()>)>,
    /// What stands on its squares.
    squares: Cell<Placement>,
    /// The game on it, as far as it is legal.
    pub game: Game,
    /// What its clock shows.
    pub face: Face,
}

impl Board {
    /// A board that tells its number and has a clock.
    pub fn dgt(line: &Path, serial: &str) -> Self {
        let mut board = Self::new("dgt", line, serial);
        board.show(Face { white_s: 180, black_s: 180, ..board.face });
        board
    }

    /// A board without number and clock.
    pub fn chesslink(line: &Path) -> Self {
        Self::new("chesslink", line, "")
    }

    /// A board that only senses occupied squares, without number and clock.
    pub fn tabutronic(line: &Path) -> Self {
        Self::new("tabutronic", line, "")
    }

    /// A board on HID, without number and clock.
    pub fn chessnut(line: &Path) -> Self {
        Self::new("chessnut", line, "")
    }

    /// A board on HID with a clock, without number.
    pub fn hos(line: &Path) -> Self {
        let mut board = Self::new("hos", line, "");
        board.show(Face { white_s: 180, black_s: 180, ..board.face });
        board
    }

    /// No board, but a clock: it tells where its lever is.
    pub fn clock(line: &Path) -> Self {
        Self::new("chessnutclock", line, "")
    }

    /// No board at all: it says everything back that it is told, and complains.
    pub fn stranger(line: &Path) -> Self {
        Self::made_by(|| Box::new(Stranger), open_pty, line, "")
    }

    fn new(driver: &str, line: &Path, serial: &str) -> Self {
        let driver = catalog::find(driver).expect("a driver");
        let open = move |line: &Path| FarEnd::of(driver, Some(line)).expect("a far end");
        Self::made_by(driver.emulate, open, line, serial)
    }

    fn made_by(
        make: fn() -> Box<dyn Emulator>,
        open: impl Fn(&Path) -> FarEnd + Send + 'static,
        line: &Path,
        serial: &str,
    ) -> Self {
        let serial = serial.to_owned();
        let (orders, given) = mpsc::unbounded_channel();
        RUNTIME.spawn(Device::new(make, Box::new(open), serial).live(given));
        let face = Face { white_s: 0, black_s: 0, white_counts: true, running: false, flag: None };
        let squares = Cell::new(Placement::starting());
        let board = Self { orders, squares, game: Game::default(), face };
        board.plug(line);
        board
    }

    /// Makes a move by hand; the clock is not touched.
    pub fn play(&mut self, san: &str) {
        let gestures = self.game.play(san);
        self.gestures(gestures);
    }

    /// Makes a move and presses, leaving the mover so many seconds.
    pub fn play_and_press(&mut self, san: &str, seconds: u32) {
        self.play(san);
        self.press(seconds);
    }

    pub fn lift(&self, from: &str) {
        self.gestures(vec![(square(from), None)]);
    }

    pub fn put(&self, to: &str, piece: char) {
        let piece = Piece::from_letter(piece).expect("a piece");
        self.gestures(vec![(square(to), Some(piece))]);
    }

    pub fn gestures(&self, gestures: Vec<Gesture>) {
        let mut squares = self.squares.get();
        gestures.iter().for_each(|&(square, piece)| squares[square] = piece);
        self.squares.set(squares);
        self.order(Order::Hands(gestures));
    }

    /// Puts the pieces as this game wants them, square after square.
    pub fn set_up(&mut self, game: Game) {
        let wanted = game.placement();
        self.game = game;
        let all = eboard::Square::all();
        self.gestures(all.map(|square| (square, wanted[square])).collect());
    }

    /// What stands on its squares, legal or not.
    pub fn placement(&self) -> Placement {
        self.squares.get()
    }

    /// The clock shows this from now on.
    pub fn show(&mut self, face: Face) {
        self.face = face;
        self.order(Order::Clock(Some(face.into())));
    }

    pub fn start_clock(&mut self) {
        self.show(Face { running: true, ..self.face });
    }

    /// Whoever has the move presses and has so many seconds left.
    pub fn press(&mut self, seconds: u32) {
        let Face { white_s, black_s, white_counts, .. } = self.face;
        let (white_s, black_s) = if white_counts { (seconds, black_s) } else { (white_s, seconds) };
        self.show(Face { white_s, black_s, white_counts: !white_counts, ..self.face });
    }

    /// Bytes on the line that are not the board's own.
    pub fn bytes(&self, bytes: &[u8]) {
        self.order(Order::Bytes(bytes.to_vec()));
    }

    /// Pulls the cable: the line is gone.
    pub fn unplug(&self) {
        self.order(Order::Unplug);
    }

    /// Puts the cable in, here.
    pub fn plug(&self, line: &Path) {
        self.order(Order::Plug(line.to_owned()));
    }

    /// Comes back when it has been done.
    fn order(&self, order: Order) {
        let (done, answer) = answers::channel();
        self.orders.send((order, done)).expect("the board is there");
        answer.recv_timeout(PATIENCE).expect("the board does what it is told");
    }
}

/// The board, seen from inside.
struct Device {
    make: fn() -> Box<dyn Emulator>,
    open: Box<dyn Fn(&Path) -> FarEnd + Send>,
    serial: String,
    began: Instant,
    board: Box<dyn Emulator>,
    placement: Placement,
    clock: Option<ClockFace>,
    end: Option<FarEnd>,
}

fn open_pty(line: &Path) -> FarEnd {
    FarEnd::Pty(Pty::open(Some(line)).expect("a pseudo-terminal"))
}

impl Device {
    fn new(
        make: fn() -> Box<dyn Emulator>,
        open: Box<dyn Fn(&Path) -> FarEnd + Send>,
        serial: String,
    ) -> Self {
        Self {
            board: make(),
            make,
            open,
            serial,
            began: Instant::now(),
            placement: Placement::starting(),
            clock: None,
            end: None,
        }
    }

    async fn live(mut self, mut given: mpsc::UnboundedReceiver<(Order, answers::Sender<()>)>) {
        let mut buffer = [0; 512];
        loop {
            let due = self.board.deadline().map_or(PATIENCE, |(at, _)| at.since(self.now()));
            tokio::select! {
                order = given.recv() => {
                    let Some((order, done)) = order else { return };
                    self.obey(order).await;
                    let _ = done.send(());
                }
                count = read(self.end.as_mut(), &mut buffer) => {
                    let asked = buffer[..count].to_vec();
                    let answer = self.feel(Stimulus::Host(&asked));
                    self.say(answer, Duration::ZERO).await;
                }
                () = tokio::time::sleep(due) => {
                    let report = self.feel(Stimulus::Due);
                    self.say(report, Duration::ZERO).await;
                }
            }
        }
    }

    async fn obey(&mut self, order: Order) {
        let mut heard = Vec::new();
        match order {
            Order::Hands(gestures) => {
                for (square, piece) in gestures {
                    self.placement[square] = piece;
                    heard.push(self.feel(Change::Square { square, piece }.here()));
                }
            }
            Order::Clock(face) => {
                self.clock = face;
                heard.push(self.feel(Change::Clock(face).here()));
            }
            Order::Bytes(bytes) => {
                let mut said = Said::default();
                said.report(bytes);
                heard.push(said);
            }
            Order::Unplug => self.end = None,
            Order::Plug(line) => self.plug(&line),
        }
        for said in heard {
            self.say(said, ROOM).await;
        }
    }

    /// The cable is the power too: the board begins anew.
    fn plug(&mut self, line: &Path) {
        self.board = (self.make)();
        self.board.set_serials(&[&self.serial]);
        let (placement, clock) = (self.placement, self.clock);
        self.feel(Change::Board(&placement).here());
        self.feel(Change::Clock(clock).here());
        self.end = Some((self.open)(line));
    }

    fn feel(&mut self, stimulus: Stimulus<'_>) -> Said {
        let mut heard = Said::default();
        let now = self.now();
        self.board.handle(now, stimulus, &mut heard);
        heard
    }

    /// Writes, waiting so long for room; then the rest is lost, as where nobody reads.
    async fn say(&mut self, said: Said, patience: Duration) {
        let pty = match &mut self.end {
            Some(FarEnd::Pty(pty)) => pty,
            Some(end) => return end.say(said).expect("a report is said or lost"),
            None => return,
        };
        let bytes = said.bytes();
        let (mut bytes, deadline) = (bytes.as_slice(), Instant::now() + patience);
        loop {
            let written = pty.write(bytes).unwrap_or(bytes.len());
            bytes = &bytes[written..];
            if bytes.is_empty() || Instant::now() >= deadline {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    fn now(&self) -> Moment {
        Moment::ZERO + self.began.elapsed()
    }
}

/// Without a line there is nothing to read, for ever.
async fn read(end: Option<&mut FarEnd>, buffer: &mut [u8]) -> usize {
    match end {
        Some(end) => match end.read(buffer).await {
            Ok(count) => count,
            Err(_) => std::future::pending().await,
        },
        None => std::future::pending().await,
    }
}

/// Something else that was plugged in.
struct Stranger;

impl Emulator for Stranger {
    fn handle(&mut self, _: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        if let Stimulus::Host(bytes) = stimulus {
            out.stream().extend(bytes);
            out.stream().extend(b"\r\nERROR\r\n");
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        None
    }

    fn set_serials(&mut self, _: &[&str]) {}
}
