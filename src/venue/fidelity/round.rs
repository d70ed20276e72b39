//! One game of a model: the truth, the sightings, and what the works made of them. It judges
//! nothing.

use std::time::Duration;

use eboard::{Moment, Sighting};
use rehearsal::{Clock, Game, Happening, Pace, Performance, Stage, Truth, Unplug};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};
use witness::{LineNo, Table, TableNo};

use super::{Games, Model};
use crate::entry::{Entry, LineId, Plan, TableEntry, Watch};
use crate::lines::virtual_line;
use crate::record::journal::Record;
use crate::works::{Act, Works};

/// The players begin this long after the board is found.
const BEGIN: Duration = Duration::from_secs(3);
/// On a bus the boards are searched for first.
const BEGIN_ON_A_BUS: Duration = Duration::from_secs(20);

/// A finished game, with everything that was played, sighted and recorded.
pub(super) struct Round {
    pub game: Game,
    pub performance: Performance,
    pub truth: Truth,
    /// The times during which the line was out.
    pub unplugs: Vec<Unplug>,
    /// The sightings of the driver.
    pub sightings: Vec<(Moment, Sighting)>,
    pub acts: Vec<Act>,
    /// All entries.
    pub records: Vec<Record>,
    works: Works,
    shuffled: bool,
    begin: Moment,
    end: Moment,
}

impl Round {
    pub fn play(model: &Model, number: u64) -> Self {
        let game = model.games.game(number);
        let performance = rehearsal::perform(&game, &model.manner, number);
        let (happenings, end) = happenings(model, performance.clone(), number);
        let last = performance.made.last().copied().unwrap_or_default();
        let faults = model.faults(begin(model) + last, number);
        let mut works = Works::new(vec![model.driver]);
        let mut acts = Vec::new();
        let opening = opening(model).map(|entry| (Moment::ZERO, entry));
        for (at, entry) in &opening {
            works.enter(*at, entry, &mut acts);
        }
        let office = (&mut works, &mut acts);
        let heard = virtual_line::heard_by(office, model.driver, happenings, end, &faults, number);
        works.advance(end, &mut acts);
        let (truth, sightings) = (performance.truth, heard.sightings);
        let records = opening.into_iter().chain(heard.records).collect();
        let shuffled = matches!(model.games, Games::Chess960);
        let unplugs = faults.unplugs;
        let begin = begin(model);
        Self {
            game,
            performance,
            truth,
            unplugs,
            sightings,
            acts,
            records,
            works,
            shuffled,
            begin,
            end,
        }
    }

    pub fn table(&self) -> Option<&Table> {
        self.works.hall().table(TableNo::new(1))
    }

    /// The moves of the game in UCI notation, with castling written for this mode. Only the initial
    /// position of standard chess allows both modes.
    pub fn expected(&self, mode: CastlingMode) -> Vec<String> {
        let usual = self.game.start.board() == Chess::default().board();
        let mode = if self.shuffled && !usual { CastlingMode::Chess960 } else { mode };
        let moves = self.game.moves.iter();
        moves.map(|mv| UciMove::from_move(*mv, mode).to_string()).collect()
    }

    /// The end of the record.
    pub fn end(&self) -> Moment {
        self.end
    }

    /// The moments at which the true moves were complete on the board.
    pub fn made(&self) -> impl Iterator<Item = Moment> {
        self.performance.made.iter().map(|at| self.begin + *at)
    }
}

fn happenings(
    model: &Model,
    performance: Performance,
    number: u64,
) -> (Vec<(Moment, Happening)>, Moment) {
    let clock = Clock::new(model.manner.control);
    let begin = begin(model);
    // The pieces are set up before the line is opened, so the board does not report it.
    let opening = performance.start;
    let mut stage = Stage::of(begin, performance, clock, Pace::real());
    let (mut all, mut end) = (Vec::new(), begin);
    while !stage.over() {
        let Some(at) = stage.next() else { break };
        all.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
        end = at;
    }
    let mut seen = vec![(Moment::ZERO, Happening::Board(opening))];
    seen.extend(model.scan.seeded(number).see(&all));
    (seen, end + Duration::from_secs(40))
}

fn begin(model: &Model) -> Moment {
    Moment::ZERO + if model.driver.is_bus() { BEGIN_ON_A_BUS } else { BEGIN }
}

fn opening(model: &Model) -> [Entry; 2] {
    let port = "virtual".to_owned();
    let watch = Watch {
        time_control: model.manner.control.to_string(),
        // Only without supervision does an illegal move stand that is not claimed (A.5.2).
        unsupervised: matches!(model.games, Games::Irregular),
        ..Watch::default()
    };
    let table = TableEntry::at(TableNo::new(1), &port, model.driver.name, &watch);
    let id = LineId::at(&port).over(model.driver.emulated_over());
    let plan = Plan { tables: vec![table], watch, ..Plan::default() };
    [Entry::Planned(Box::new(plan)), Entry::Opened(LineNo::new(1), id)]
}
