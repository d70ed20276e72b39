//! Pairings from a tournament report (TRF16, TRF26): lines `001`, one for each player, with fixed
//! columns and ten more for every round.
//!
//! A report does not name tables. The games of a round are put in the order in which FIDE has them
//! published (C.04.2): by the score of the higher ranked player, the sum of both scores, and the
//! higher ranked player's number.

use std::collections::BTreeMap;

use witness::TableNo;

use super::file::{Problem, lines};
use super::{Pairing, Player, Players, Round, short};
use crate::say;

/// The first and the last column of the points, counted from 1.
pub(crate) const POINTS: (usize, usize) = (81, 84);
/// The first column of the first round.
const FIRST_ROUND: usize = 92;
/// Columns of a round.
const ROUND_WIDTH: usize = 10;

/// The column of a round's result. Rounds are counted from 0.
pub(crate) const fn result_column(round: usize) -> usize {
    FIRST_ROUND + ROUND_WIDTH * round + 7
}

/// A player's entry for one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Starting number; 0: nobody.
    pub opponent: u32,
    /// `w`, `b`, or none of them.
    pub colour: char,
    /// The result as the report writes it; a blank: none yet.
    pub mark: char,
}

impl Cell {
    /// The result in half points, with the usual values.
    fn half_points(self) -> u32 {
        match self.mark {
            '1' | '+' | 'W' | 'w' | 'U' | 'u' | 'F' | 'f' => 2,
            '=' | 'D' | 'd' | 'H' | 'h' => 1,
            _ => 0,
        }
    }

    fn is_white(self) -> bool {
        self.colour.eq_ignore_ascii_case(&'w')
    }
}

/// A player and his rounds.
pub(crate) struct Entrant {
    pub player: Player,
    /// The line of the file, counted from 1.
    pub line: usize,
    pub cells: Vec<Option<Cell>>,
}

/// A game of a round.
pub(crate) struct Game {
    /// Its number in the order in which pairings are published.
    pub table: TableNo,
    /// The starting numbers of White and of Black.
    pub players: [u32; 2],
}

/// A whole report, by starting number.
pub(crate) struct Report {
    pub entrants: BTreeMap<u32, Entrant>,
}

pub(super) fn read(text: &str) -> Result<Vec<Round>, Problem> {
    let report = Report::read(text)?;
    let rounds = (0..report.rounds()).map(|round| {
        let name = (round + 1).to_string();
        let games = report.games(round)?;
        let pairings = games.iter().map(|game| report.pairing(game)).collect();
        Ok(Round { name, pairings })
    });
    let rounds: Result<Vec<_>, _> = rounds.collect();
    Ok(rounds?.into_iter().filter(|round| !round.pairings.is_empty()).collect())
}

impl Report {
    pub(crate) fn read(text: &str) -> Result<Self, Problem> {
        let mut entrants = BTreeMap::new();
        let text = text.trim_start_matches('\u{feff}');
        for (number, line) in lines(text).filter(|(_, line)| line.starts_with("001 ")) {
            let letters: Vec<char> = line.chars().collect();
            let start: Option<u32> = column(&letters, 5, 8).parse().ok();
            let Some(start) = start.filter(|it| *it > 0) else {
                return Err(Problem::new(number, "001", say::report_no_number()));
            };
            if entrants.insert(start, entrant(&letters, number)).is_some() {
                return Err(Problem::new(number, "001", say::report_number_twice(start)));
            }
        }
        Ok(Self { entrants })
    }

    pub(crate) fn rounds(&self) -> usize {
        self.entrants.values().map(|it| it.cells.len()).max().unwrap_or(0)
    }

    pub(crate) fn cell(&self, number: u32, round: usize) -> Option<Cell> {
        self.entrants.get(&number)?.cells.get(round).copied().flatten()
    }

    /// The games of a round, counted from 0, in the order of their tables.
    pub(crate) fn games(&self, round: usize) -> Result<Vec<Game>, Problem> {
        let mut games = Vec::new();
        for (&number, entrant) in &self.entrants {
            let cell = self.cell(number, round);
            let Some(cell) = cell.filter(|it| it.opponent > 0 && it.is_white()) else { continue };
            let opponent = cell.opponent;
            let back = self.cell(opponent, round);
            if back.is_none_or(|it| it.opponent != number) {
                let what = say::report_one_sided(round + 1, number, opponent);
                return Err(Problem::new(entrant.line, "001", what));
            }
            let (one, two) =
                ((self.before(number, round), number), (self.before(opponent, round), opponent));
            let first = one.0 > two.0 || one.0 == two.0 && one.1 < two.1;
            let higher = if first { one } else { two };
            let order = (u32::MAX - higher.0, u32::MAX - one.0 - two.0, higher.1);
            games.push((order, [number, opponent]));
        }
        games.sort_by_key(|(order, _)| *order);
        let numbered = (1..).map(TableNo::new).zip(games);
        Ok(numbered.map(|(table, (_, players))| Game { table, players }).collect())
    }

    /// Half points before a round.
    fn before(&self, number: u32, round: usize) -> u32 {
        let cells = self.entrants.get(&number).map_or(&[][..], |it| &it.cells);
        cells.iter().take(round).flatten().map(|cell| cell.half_points()).sum()
    }

    pub(crate) fn pairing(&self, game: &Game) -> Pairing {
        let player =
            |number| self.entrants.get(number).map_or_else(Player::default, |it| it.player.clone());
        let [white, black] = &game.players;
        let players = Players { white: player(white), black: player(black) };
        Pairing { table: game.table, players, ..Pairing::default() }
    }
}

fn entrant(letters: &[char], line: usize) -> Entrant {
    let text = |from, to| Some(short(&column(letters, from, to))).filter(|it| !it.is_empty());
    let player = Player {
        name: text(15, 47).unwrap_or_default(),
        title: text(11, 13).map(|it| title(&it)),
        rating: text(49, 52).and_then(|it| it.parse().ok()).filter(|it| *it > 0),
        federation: text(54, 56),
        fide_id: text(58, 68).and_then(|it| it.parse().ok()).filter(|it| *it > 0),
    };
    let cells = (FIRST_ROUND..=letters.len()).step_by(ROUND_WIDTH).map(|at| cell(letters, at));
    Entrant { player, line, cells: cells.collect() }
}

fn cell(letters: &[char], at: usize) -> Option<Cell> {
    let opponent = column(letters, at, at + 3).parse().unwrap_or(0);
    let letter = |at: usize| column(letters, at, at).chars().next().unwrap_or(' ');
    let cell = Cell { opponent, colour: letter(at + 5), mark: letter(at + 7) };
    (opponent > 0 || cell.mark != ' ').then_some(cell)
}

/// Columns are counted from 1, in letters.
fn column(letters: &[char], from: usize, to: usize) -> String {
    let letters = letters.iter().skip(from - 1).take(to + 1 - from);
    letters.collect::<String>().trim().to_owned()
}

/// Older reports have one letter for a title.
fn title(text: &str) -> String {
    let whole = match text.to_lowercase().as_str() {
        "g" => "GM",
        "m" => "IM",
        "f" => "FM",
        "c" => "CM",
        "wg" => "WGM",
        "wm" => "WIM",
        "wf" => "WFM",
        "wc" => "WCM",
        _ => text,
    };
    whole.to_uppercase()
}

#[cfg(test)]
mod tests {
    use words::InWords as _;

    use super::*;

    fn line(number: u32, title: &str, name: &str, rounds: &str) -> String {
        let head = format!("001 {number:>4} m{title:>3} {name:<33} {:>4} BEL {:>11}", 2000, 77);
        format!("{head:<91}{rounds}")
    }

    #[test]
    fn tables_are_in_the_order_in_which_pairings_are_published() {
        let text = [
            "012 Open".to_owned(),
            line(1, "g", "Adams, Ann", "   4 w 1     3 b =     2 w  "),
            line(2, "", "Brown, Ben", "   5 b 0     6 w 1     1 b  "),
            line(3, "WFM", "Clark, Cleo", "   6 w 1     1 w =     5 b  "),
            line(4, "", "Davis, Dan", "   1 b 0  0000 - U  0000 - H"),
            line(5, "", "Évrard, Éva", "   2 w 1  0000 - -     3 w  "),
            line(6, "", "Fox, Finn", "   3 b 0     2 b 0  "),
            "XXR 5".to_owned(),
        ];
        let rounds = read(&text.join("\r\n")).unwrap();
        assert_eq!(rounds.len(), 3);
        let games = |round: usize| {
            let pairings = rounds[round].pairings.iter();
            let names = |it: &Pairing| {
                let last = |player: &Player| player.name.split(',').next().unwrap().to_owned();
                format!("{} {}-{}", it.table, last(&it.players.white), last(&it.players.black))
            };
            pairings.map(names).collect::<Vec<_>>()
        };
        assert_eq!(games(0), ["1 Adams-Davis", "2 Évrard-Brown", "3 Clark-Fox"]);
        // Clark and Adams have a point each, Brown and Fox none.
        assert_eq!(games(1), ["1 Clark-Adams", "2 Brown-Fox"]);
        // Adams and Clark have 1½ each, their opponents 1, and 1 comes before 3.
        assert_eq!(games(2), ["1 Adams-Brown", "2 Évrard-Clark"]);
        let white = &rounds[0].pairings[0].players.white;
        assert_eq!((white.title.as_deref(), white.rating), (Some("GM"), Some(2000)));
        assert_eq!((white.federation.as_deref(), white.fide_id), (Some("BEL"), Some(77)));
    }

    #[test]
    fn what_does_not_fit_together_is_refused_with_its_line() {
        let lonely = [line(1, "", "A", "   2 w 1"), line(2, "", "B", "   3 b 0")].join("\n");
        let problem = read(&lonely).unwrap_err();
        assert_eq!(problem.line, 1);
        assert!(problem.what.en().contains("1 has White against 2"), "{problem:?}");
        let twice = [line(1, "", "A", ""), line(1, "", "B", "")].join("\n");
        assert_eq!(read(&twice).unwrap_err().line, 2);
        assert_eq!(
            read("001      m     A").unwrap_err().what.en(),
            "no starting number in columns 5 to 8"
        );
    }
}
