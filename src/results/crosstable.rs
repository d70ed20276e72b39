//! The crosstable: every player with his rounds and his points up to a round, ordered by points.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::into_report::marks;
use super::points::PointSystem;
use super::{Row, is_entered_as};
use crate::pairings::Player;
use crate::pairings::trf::{Cell, Entrant, Report};

/// How one player stands.
pub struct Standing {
    /// The rank, from 1. Players with the same points have the same rank.
    pub rank: usize,
    /// His starting number.
    pub number: u32,
    /// The player.
    pub player: Player,
    /// `12w1` for each round: opponent, colour, result.
    pub cells: Vec<String>,
    /// Points, in tenths.
    pub tenths: i32,
}

/// All players after a number of rounds. Ties are left to the pairing program.
pub fn standings(report: &Report, system: &PointSystem, rounds: usize) -> Vec<Standing> {
    let all = report.entrants.iter().map(|(number, entrant)| {
        let cells = (0..rounds).map(|round| report.cell(*number, round));
        let cells: Vec<Option<Cell>> = cells.collect();
        let worth = |cell: &Cell| system.worth(cell.mark, cell.colour != 'b');
        let tenths = cells.iter().flatten().map(worth).sum();
        let (player, cells) = (entrant.player.clone(), cells.iter().map(shown).collect());
        Standing { rank: 0, number: *number, player, cells, tenths }
    });
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|it| (Reverse(it.tenths), it.number));
    for at in 0..all.len() {
        let before = at.checked_sub(1).map(|it| &all[it]);
        let shared = before.filter(|it| it.tenths == all[at].tenths).map(|it| it.rank);
        all[at].rank = shared.unwrap_or(at + 1);
    }
    all
}

fn shown(cell: &Option<Cell>) -> String {
    let Some(Cell { opponent, colour, mark }) = cell else { return String::new() };
    let mark = match mark {
        '=' => "½".to_owned(),
        ' ' => String::new(),
        other => other.to_string(),
    };
    match opponent {
        // A bye.
        0 => mark,
        opponent => format!("{opponent}{}{mark}", colour.to_ascii_lowercase()),
    }
}

/// Makes a report of rounds that have none. The players are numbered by their ratings.
pub fn report_of(rounds: &[Vec<Row>]) -> Report {
    let mut players: Vec<Player> = Vec::new();
    for row in rounds.iter().flatten() {
        for player in [&row.players.white, &row.players.black] {
            if !player.name.is_empty() && !players.iter().any(|it| is_entered_as(it, player)) {
                players.push(player.clone());
            }
        }
    }
    players.sort_by_key(|it| (Reverse(it.rating), it.name.clone()));
    let mut entrants: BTreeMap<u32, Entrant> = BTreeMap::new();
    for (number, player) in (1..).zip(&players) {
        let cells = vec![None; rounds.len()];
        entrants.insert(number, Entrant { player: player.clone(), line: 0, cells });
    }
    let number = |player: &Player| {
        (1..).zip(&players).find(|(_, it)| is_entered_as(it, player)).map(|(number, _)| number)
    };
    for (round, rows) in rounds.iter().enumerate() {
        for row in rows {
            let numbers = [number(&row.players.white), number(&row.players.black)];
            let [Some(white), Some(black)] = numbers else { continue };
            let marks = row.ending.map_or([' '; 2], marks);
            for (side, own, opponent) in [(0, white, black), (1, black, white)] {
                let cell = Cell { opponent, colour: ['w', 'b'][side], mark: marks[side] };
                if let Some(place) = entrants.get_mut(&own).and_then(|it| it.cells.get_mut(round)) {
                    *place = Some(cell);
                }
            }
        }
    }
    Report { entrants }
}
