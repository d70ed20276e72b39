//! `adoubed demo --setup`: a hall on the morning of a tournament. The boards are plugged in and set
//! up, and no table has a number yet. The organizer does the rest at `/setup`, and lifts kings
//! here.

use std::io::BufRead as _;
use std::path::Path;
use std::time::Duration;

use eboard::{Moment, Piece, Placement, Square};
use rehearsal::{Act, Game, Manner, Pace, Stage, TimeControl};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use witness::TableNo;

use super::{Arguments, Ports, board, game, manner, say, start};
use crate::config;
use crate::exit::{self, Failure};
use crate::lines::far_end::FarEnd;
use crate::run;
use crate::setup::WISHES;
use crate::setup::code::Code;
use crate::time::Clock;
use crate::venue::tables::VirtualTable;

/// The boards of a hall, unless the command line says how many.
pub(super) const BOARDS: u32 = 40;
/// What every clock is set to at first: the commonest time control of long games.
const CLOCKS: (u32, u32) = (5400, 30);
/// How long a king is held above its square.
const HELD: Duration = Duration::from_millis(1500);
/// The most lines that wait to be obeyed. Nobody types faster than they are.
const LINES: usize = 16;
/// The most orders that wait at a board.
const ORDERS: usize = 4;
/// What can be typed.
const HELP: &str = "Enter lifts the white king of the next board; a number and Enter that of \
                    another one\n\
                    clocks 900+10  sets every clock;  play  lets every board play;  Ctrl-C ends it";

/// What the organizer types.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Typed {
    /// Lift the king of the next board.
    Next,
    /// Lift the king of this one.
    Board(u32),
    /// Set every clock.
    Clocks(TimeControl),
    /// Let everybody play.
    Play,
}

/// The boards of the hall, whose hands do what is ordered.
struct Boards {
    orders: Vec<mpsc::Sender<Stage>>,
    clock: Clock,
    control: TimeControl,
    /// The number of the board whose king was lifted last.
    lifted: u32,
}

pub(super) async fn hall(
    arguments: &Arguments,
    games: &[Game],
    state: &Path,
) -> Result<(), Failure> {
    let failed = |error| Failure::new(exit::SOFTWARE, error);
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let lines = state.join("boards");
    std::fs::create_dir_all(&lines).map_err(|error| Failure::file(&lines, &error))?;
    let mut boards = Boards::plug_in(arguments.tables.unwrap_or(BOARDS), &lines)?;
    let file = state.join("adoubed.toml");
    let (wishes, mut wished) = mpsc::channel(WISHES);
    // A file that nobody has written in yet.
    let hall = start(Some(wishes), |ports| {
        let text = configuration(arguments, state, ports);
        std::fs::write(&file, text).map_err(|error| Failure::file(&file, &error))?;
        config::load(&file).map_err(|error| Failure::new(exit::CONFIG, error))
    });
    let hall = hall.await?;
    introduce(&hall, boards.orders.len(), state)?;
    let mut typed = typed();
    let outcome = loop {
        tokio::select! {
            Some(line) = typed.recv() => boards.obey(&line, games, arguments),
            Some(wish) = wished.recv() => {
                hall.grant(&file, wish).await;
            }
            _ = terminate.recv() => break Ok(()),
            _ = tokio::signal::ctrl_c() => break Ok(()),
            part = hall.failed() => break Err(super::super::ended(part)),
        }
    };
    hall.stop().await;
    outcome
}

fn configuration(arguments: &Arguments, state: &Path, ports: Ports) -> String {
    let (mut web, mut mqtt) = (arguments.web, arguments.mqtt);
    [&mut web, &mut mqtt].into_iter().for_each(|it| ports.apply(it));
    let quoted = |path: &Path| toml::Value::from(path.display().to_string()).to_string();
    format!(
        "# The hall of `adoubed demo --setup`. It is taken away when the demo ends.\n\
         [event]\nlanguage = \"{}\"\n\n[web]\nlisten = \"{web}\"\n\n[mqtt]\nlisten = \"{mqtt}\"\n\n\
         [ports]\ndirectory = {}\n\n[journal]\ndirectory = {}\n",
        arguments.language,
        quoted(&state.join("boards")),
        quoted(state),
    )
}

fn introduce(hall: &run::Hall, boards: usize, state: &Path) -> Result<(), Failure> {
    let code = Code::of(state).shown().map_err(|error| Failure::file(state, &error))?;
    let pages = hall.pages;
    say(format_args!("{boards} boards are plugged in and set up, and no table has a number yet"));
    say(format_args!("set up the hall  http://{pages}/setup   code {code}"));
    say(format_args!("wall of boards   http://{pages}/"));
    say(format_args!("arbiter          http://{pages}/arbiter"));
    if let Some(feed) = hall.feed {
        say(format_args!("feed             mqtt://{feed}"));
    }
    say(HELP);
    Ok(())
}

/// The lines that are typed here.
fn typed() -> mpsc::Receiver<String> {
    let (lines, typed) = mpsc::channel(LINES);
    // A read of the terminal cannot be given up: this thread ends with the program.
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if lines.blocking_send(line).is_err() {
                return;
            }
        }
    });
    typed
}

impl Typed {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let typed = match (words.next(), words.next()) {
            (None, _) => Self::Next,
            (Some("play"), None) => Self::Play,
            (Some("clocks"), Some(control)) => Self::Clocks(control.parse().ok()?),
            (Some(number), None) => Self::Board(number.parse().ok()?),
            _ => return None,
        };
        words.next().is_none().then_some(typed)
    }
}

impl Boards {
    /// Boards that are set up, each with a number of its own and a clock beside it.
    fn plug_in(count: u32, lines: &Path) -> Result<Self, Failure> {
        let unavailable = |error| Failure::new(exit::UNAVAILABLE, error);
        let (clock, control) =
            (Clock::starting_at(Moment::ZERO), TimeControl::new(CLOCKS.0, CLOCKS.1));
        let mut all = Self { orders: Vec::new(), clock, control, lifted: 0 };
        for number in 1..=count {
            let line = lines.join(format!("board-{number:03}"));
            let end = FarEnd::of(&dgt::DRIVER, Some(&line)).map_err(unavailable)?;
            let (orders, ordered) = mpsc::channel(ORDERS);
            let mut first = Some(all.standing(Vec::new()));
            let table = VirtualTable::new(end, board(number), clock).ordered(ordered);
            tokio::spawn(table.live(move |_| first.take()));
            all.orders.push(orders);
        }
        Ok(all)
    }

    /// A table where the pieces and the clock are set up, and where this is done.
    fn standing(&self, acts: Vec<(Duration, Act)>) -> Stage {
        // Without any act it would be over before it is set up.
        let still = (Duration::ZERO, Act::StopClock);
        let acts: Vec<_> = [still].into_iter().chain(acts).collect();
        let clock = rehearsal::Clock::new(self.control);
        Stage::new(self.clock.now(), Placement::starting(), acts, clock, Pace::real())
    }

    fn obey(&mut self, line: &str, games: &[Game], arguments: &Arguments) {
        match Typed::read(line) {
            Some(Typed::Next) => self.lift(next(self.lifted, self.orders.len())),
            Some(Typed::Board(number)) => self.lift(number),
            Some(Typed::Clocks(control)) => {
                self.control = control;
                let all = self.orders.iter();
                all.for_each(|it| order(it, self.standing(Vec::new())));
                say("every clock is set");
            }
            Some(Typed::Play) => {
                self.play(games, arguments);
                say("every board plays");
            }
            None => say(HELP),
        }
    }

    /// Lifts the white king of a board for a moment.
    fn lift(&mut self, number: u32) {
        let board = number.checked_sub(1).and_then(|it| self.orders.get(it as usize));
        let Some(board) = board else {
            let last = self.orders.len();
            return say(format_args!("there are boards 1 to {last}; a number lifts its king"));
        };
        self.lifted = number;
        let Some(e1) = Square::at(4, 0) else { return };
        let acts = vec![(Duration::ZERO, Act::Lift(e1)), (HELD, Act::Put(e1, Piece::WhiteKing))];
        order(board, self.standing(acts));
        say(format_args!("board {number}: the white king is lifted"));
    }

    fn play(&self, games: &[Game], arguments: &Arguments) {
        let count = u32::try_from(self.orders.len()).unwrap_or(u32::MAX);
        let manner = Manner { control: self.control, ..manner(arguments) };
        let pace = Pace::times(arguments.speed);
        for (table, board) in (1..).map(TableNo::new).zip(&self.orders) {
            let Some(game) = game(games, table, 1, count) else { return };
            let performance = rehearsal::perform(game, &manner, u64::from(table.get()));
            let clock = rehearsal::Clock::new(self.control);
            order(board, Stage::of(self.clock.now(), performance, clock, pace));
        }
    }
}

/// The board after this one. After the last comes the first again: whoever has lifted every king
/// before the page listened goes round once more.
fn next(lifted: u32, boards: usize) -> u32 {
    if (lifted as usize) < boards { lifted + 1 } else { 1 }
}

/// Gives an order. A board that has many waiting does not hear it: somebody leans on the key.
fn order(board: &mpsc::Sender<Stage>, stage: Stage) {
    let _ = board.try_send(stage);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_last_board_comes_the_first_again() {
        assert_eq!([0, 1, 7, 8].map(|it| next(it, 8)), [1, 2, 8, 1]);
    }

    #[test]
    fn what_is_typed_is_a_king_the_clocks_or_play() {
        assert_eq!(Typed::read(""), Some(Typed::Next));
        assert_eq!(Typed::read(" 12 "), Some(Typed::Board(12)));
        assert_eq!(Typed::read("play"), Some(Typed::Play));
        let clocks = Typed::Clocks(TimeControl::new(900, 10));
        assert_eq!(Typed::read("clocks 900+10"), Some(clocks));
        for nothing in ["clocks", "clocks soon", "king", "-1", "1 2", "play it again"] {
            assert_eq!(Typed::read(nothing), None, "{nothing}");
        }
    }
}
