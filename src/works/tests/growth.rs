//! What is kept of a table does not grow with the number of its games. Exceptions are alerts
//! without a ruling, and the few last games that are kept on purpose. `cargo test --lib --
//! --nocapture growth` prints the sizes.

use std::time::Duration;

use rehearsal::{Clock, Manner, Mishap, Pace, Stage, TimeControl};
use witness::{LineNo, TableNo};

use super::super::*;
use crate::entry::{TableEntry, Watch};
use crate::lines::virtual_line;

const GAMES: u64 = 20;
/// After so many games, everything with a small bound is full: former players, settings, times.
const FILLED: usize = 8;
/// Room for closed alerts, of which 4096 are remembered, and for numbers that need another byte.
const SLACK: usize = 600;

fn bytes(it: impl Encode) -> usize {
    bincode::encode_to_vec(it, bincode::config::standard()).unwrap().len()
}

/// Plays games one after the other on one board. Returns the size of the works at the beginning of
/// each, without open alerts and former games. Returns also the number of open alerts at the end
/// and their size.
fn play(mishaps: &[Mishap], number: u64) -> (Vec<usize>, (usize, usize)) {
    let (games, control) = (rehearsal::famous(), TimeControl::new(300, 3));
    let manner = Manner { control, mishaps: mishaps.to_vec(), ..Manner::default() };
    let (mut at, mut happenings) = (Moment::ZERO, Vec::new());
    for round in 0..GAMES {
        let game = &games[usize::try_from(round * 7 + number).unwrap() % games.len()];
        let performance = rehearsal::perform(game, &manner, number << 32 | round);
        let begin = at + Duration::from_secs(8);
        let mut stage = Stage::of(begin, performance, Clock::new(control), Pace::real());
        while let Some(next) = stage.next().filter(|_| !stage.over()) {
            happenings.extend(stage.due(next).into_iter().map(|it| (next, it)));
            at = next;
        }
    }
    let records = virtual_line::heard(&dgt::DRIVER, happenings, at, LineNo::new(1));
    let watch = Watch { time_control: control.to_string(), ..Watch::default() };
    let table = TableEntry::at(TableNo::new(1), virtual_line::NAME, "dgt", &watch);
    let plan = Plan { tables: vec![table], watch, ..Plan::default() };
    let id = LineId::at(virtual_line::NAME);
    let opening = [Entry::Planned(Box::new(plan)), Entry::Opened(LineNo::new(1), id)];
    let opening = opening.map(|entry| (Moment::ZERO, entry)).into_iter();
    let (mut works, mut acts, mut sizes) = (Works::new(vec![&dgt::DRIVER]), Vec::new(), Vec::new());
    let open = |works: &Works| {
        let open =
            works.hall.table(TableNo::new(1)).into_iter().flat_map(|it| it.incidents()).map(bytes);
        open.fold((0, 0), |(count, all), one| (count + 1, all + one))
    };
    for (at, entry) in opening.chain(records) {
        works.enter(at, &entry, &mut acts);
        let begins = |act: Act| matches!(act, Act::Table(_, _, Effect::Event(Event::NewGame(_))));
        if acts.drain(..).any(begins) {
            sizes.push(bytes(&works) - open(&works).1 - bytes(&works.former));
        }
    }
    (sizes, open(&works))
}

#[test]
fn a_table_holds_the_game_that_is_played_and_alerts_on_which_nobody_has_ruled() {
    for (mishaps, number) in [(&[][..], 3), (&Mishap::ALL[..], 4)] {
        let (sizes, (open, held)) = play(mishaps, number);
        println!("{} games began at {sizes:?} bytes; {open} alerts, {held} bytes", sizes.len());
        assert!(sizes.len() > 2 * FILLED, "{sizes:?}");
        let [before, after] = [&sizes[FILLED..FILLED + 4], &sizes[sizes.len() - 4..]]
            .map(|some| some.iter().min().unwrap());
        assert!(*after < before + SLACK, "{sizes:?}");
    }
}
