//! Pairings from a tournament report (TRF16, TRF26): lines `001`, one for each player, with fixed
//! columns and ten more for every round.
//!
//! A report does not name tables. The games of a round are put in the order in which FIDE has them
//! published (C.04.2): by the score of the higher ranked player, the sum of both scores, and the
//! higher ranked player's number.

use std::collections::BTreeMap;

use super::file::{Problem, lines};
use super::{Pairing, Player, Players, Round, short};

/// What a line says of a round.
#[derive(Clone, Copy)]
struct Cell {
    opponent: u32,
    white: bool,
    /// In half points.
    points: u32,
}

struct Entrant {
    player: Player,
    line: usize,
    cells: Vec<Option<Cell>>,
}

pub(super) fn read(text: &str) -> Result<Vec<Round>, Problem> {
    let mut entrants = BTreeMap::new();
    for (number, line) in lines(text).filter(|(_, line)| line.starts_with("001 ")) {
        let letters: Vec<char> = line.chars().collect();
        let start: Option<u32> = column(&letters, 5, 8).parse().ok();
        let Some(start) = start.filter(|it| *it > 0) else {
            let what = "no starting number in columns 5 to 8";
            return Err(Problem::new(number, "001", what));
        };
        if entrants.insert(start, entrant(&letters, number)).is_some() {
            let what = format!("starting number {start} stands twice");
            return Err(Problem::new(number, "001", what));
        }
    }
    let rounds = entrants.values().map(|it| it.cells.len()).max().unwrap_or(0);
    let rounds = (0..rounds).map(|round| {
        let name = (round + 1).to_string();
        Ok(Round { name, pairings: pairings(&entrants, round)? })
    });
    let rounds: Result<Vec<_>, _> = rounds.collect();
    Ok(rounds?.into_iter().filter(|round| !round.pairings.is_empty()).collect())
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
    let cells = (92..=letters.len()).step_by(10).map(|at| cell(letters, at));
    Entrant { player, line, cells: cells.collect() }
}

fn cell(letters: &[char], at: usize) -> Option<Cell> {
    let opponent = column(letters, at, at + 3).parse().unwrap_or(0);
    let points = match column(letters, at + 7, at + 7).as_str() {
        "1" | "+" | "W" | "w" | "U" | "u" | "F" | "f" => 2,
        "=" | "D" | "d" | "H" | "h" => 1,
        _ => 0,
    };
    let colour = column(letters, at + 5, at + 5).to_lowercase();
    (opponent > 0 || points > 0).then_some(Cell { opponent, white: colour == "w", points })
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

fn pairings(entrants: &BTreeMap<u32, Entrant>, round: usize) -> Result<Vec<Pairing>, Problem> {
    let mut games = Vec::new();
    for (&number, entrant) in entrants {
        let cell = entrant.cells.get(round).copied().flatten();
        let Some(cell) = cell.filter(|cell| cell.opponent > 0 && cell.white) else { continue };
        let other = entrants.get(&cell.opponent);
        let back = other.and_then(|it| it.cells.get(round).copied().flatten());
        let Some(other) = other.filter(|_| back.is_some_and(|it| it.opponent == number)) else {
            let opponent = cell.opponent;
            let what = format!(
                "in round {}, {number} has White against {opponent}, and {opponent} not Black",
                round + 1
            );
            return Err(Problem::new(entrant.line, "001", what));
        };
        let players = Players { white: entrant.player.clone(), black: other.player.clone() };
        let score = |it: &Entrant| before(it, round);
        let (one, two) = ((score(entrant), number), (score(other), cell.opponent));
        let first = one.0 > two.0 || one.0 == two.0 && one.1 < two.1;
        let higher = if first { one } else { two };
        let order = (u32::MAX - higher.0, u32::MAX - one.0 - two.0, higher.1);
        games.push((order, players));
    }
    games.sort_by_key(|(order, _)| *order);
    let numbered = (1..).zip(games);
    Ok(numbered
        .map(|(table, (_, players))| Pairing { table, players, ..Pairing::default() })
        .collect())
}

/// Half points before a round.
fn before(entrant: &Entrant, round: usize) -> u32 {
    entrant.cells.iter().take(round).flatten().map(|cell| cell.points).sum()
}

#[cfg(test)]
mod tests {
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
        let told = |round: usize| {
            let pairings = rounds[round].pairings.iter();
            let names = |it: &Pairing| {
                let last = |player: &Player| player.name.split(',').next().unwrap().to_owned();
                format!("{} {}-{}", it.table, last(&it.players.white), last(&it.players.black))
            };
            pairings.map(names).collect::<Vec<_>>()
        };
        assert_eq!(told(0), ["1 Adams-Davis", "2 Évrard-Brown", "3 Clark-Fox"]);
        // Clark and Adams have a point each, Brown and Fox none.
        assert_eq!(told(1), ["1 Clark-Adams", "2 Brown-Fox"]);
        // Adams and Clark have 1½ each, their opponents 1, and 1 comes before 3.
        assert_eq!(told(2), ["1 Adams-Brown", "2 Évrard-Clark"]);
        let white = &rounds[0].pairings[0].players.white;
        assert_eq!((white.title.as_deref(), white.rating), (Some("GM"), Some(2000)));
        assert_eq!((white.federation.as_deref(), white.fide_id), (Some("BEL"), Some(77)));
    }

    #[test]
    fn what_does_not_fit_together_is_refused_with_its_line() {
        let lonely = [line(1, "", "A", "   2 w 1"), line(2, "", "B", "   3 b 0")].join("\n");
        let problem = read(&lonely).unwrap_err();
        assert_eq!(problem.line, 1);
        assert!(problem.what.contains("1 has White against 2"), "{problem:?}");
        let twice = [line(1, "", "A", ""), line(1, "", "B", "")].join("\n");
        assert_eq!(read(&twice).unwrap_err().line, 2);
        assert_eq!(
            read("001      m     A").unwrap_err().what,
            "no starting number in columns 5 to 8"
        );
    }
}
