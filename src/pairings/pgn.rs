//! Pairings from the tags of a PGN file: one game for each table, with or without moves.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, Visitor};
use witness::{Message, TableNo};

use super::file::{Problem, lines};
use super::{Pairing, Player, Players, Round, short};
use crate::say;

/// The tags of one game.
#[derive(Default)]
struct Tags {
    round: String,
    board: Option<TableNo>,
    white: Player,
    black: Player,
    fen: Option<String>,
    chess960: bool,
    /// Whether anything was said of a game.
    said: bool,
}

/// The rounds of the file. The table is in `Round`, as in `3.7`, or in `Board`; otherwise the games
/// of a round are in the order of the tables.
pub(super) fn read(text: &str) -> Result<Vec<Round>, Problem> {
    let mut reader = Reader::new(text.as_bytes());
    let mut rounds: Vec<Round> = Vec::new();
    let mut games = 0;
    let fail = |error: std::io::Error| Problem::unreadable(&error);
    while let Some(tags) = reader.read_game(&mut Heads).map_err(fail)? {
        games += 1;
        if !tags.said {
            continue;
        }
        let (name, table) = tags.place();
        let at = rounds.iter().position(|round| round.name == name);
        let at = at.unwrap_or_else(|| {
            rounds.push(Round { name, pairings: Vec::new() });
            rounds.len() - 1
        });
        let round = &mut rounds[at];
        let next = || TableNo::new(u32::try_from(round.pairings.len() + 1).unwrap_or(u32::MAX));
        let pairing = tags.pairing(table.unwrap_or_else(next));
        if let Some(first) = round.at(pairing.table) {
            let what = twice((games, &pairing), first, round);
            return Err(Problem::new(line_of(text, games), "Round", what));
        }
        if let Err(error) = pairing.array() {
            return Err(Problem::new(line_of(text, games), "FEN", error.text()));
        }
        round.pairings.push(pairing);
    }
    Ok(rounds)
}

/// The refusal of a game whose table has one already: which game it is, and what would be right.
/// Games of a match and of teams often count from 1 again.
fn twice((game, pairing): (usize, &Pairing), first: &Pairing, round: &Round) -> Message {
    let free = (1..).map(TableNo::new).find(|it| round.at(*it).is_none());
    let name = if round.name.is_empty() { "1" } else { &round.name };
    let right = format!("{name}.{}", free.unwrap_or(pairing.table));
    say::table_has_game(pairing.table, game, &named(pairing), &named(first), &right)
}

fn named(pairing: &Pairing) -> String {
    let [white, black] = [&pairing.players.white, &pairing.players.black]
        .map(|it| if it.name.is_empty() { "?" } else { it.name.as_str() });
    format!("{white} – {black}")
}

/// The line of the nth game, from 1.
fn line_of(text: &str, game: usize) -> usize {
    let mut whites = lines(text).filter(|(_, line)| line.starts_with("[White "));
    whites.nth(game - 1).map_or(1, |(line, _)| line)
}

impl Tags {
    /// The round, and the table if there is a tag for it.
    fn place(&self) -> (String, Option<TableNo>) {
        let known = |text: &str| if text == "?" || text == "-" { "" } else { text }.to_owned();
        match self.round.rsplit_once('.') {
            Some((round, table)) => (known(round), self.board.or(table.parse().ok())),
            None => (known(&self.round), self.board),
        }
    }

    fn pairing(self, table: TableNo) -> Pairing {
        let players = Players { white: self.white, black: self.black };
        Pairing { table, players, start_fen: self.fen, chess960: self.chess960 }
    }

    fn note(&mut self, name: &[u8], value: &str) {
        let value = Some(value).filter(|it| !["", "?", "-", "0"].contains(it)).map(short);
        let Some(value) = value else { return };
        match name {
            b"Round" => self.round = value,
            b"Board" => self.board = value.parse().ok(),
            b"FEN" => self.fen = Some(value),
            b"Variant" => self.chess960 = is_chess960(&value),
            b"White" => self.white.name = value,
            b"WhiteTitle" => self.white.title = Some(value),
            b"WhiteElo" => self.white.rating = value.parse().ok(),
            b"WhiteFed" | b"WhiteFederation" => self.white.federation = Some(value),
            b"WhiteFideId" => self.white.fide_id = value.parse().ok(),
            b"Black" => self.black.name = value,
            b"BlackTitle" => self.black.title = Some(value),
            b"BlackElo" => self.black.rating = value.parse().ok(),
            b"BlackFed" | b"BlackFederation" => self.black.federation = Some(value),
            b"BlackFideId" => self.black.fide_id = value.parse().ok(),
            _ => return,
        }
        self.said = true;
    }
}

fn is_chess960(variant: &str) -> bool {
    let letters = variant.to_lowercase().replace([' ', '-', '_'], "");
    letters.contains("960") || letters.contains("fischer") || letters.contains("freestyle")
}

/// Reads the tags of games and skips their moves.
struct Heads;

impl Visitor for Heads {
    type Tags = Tags;
    type Movetext = Tags;
    type Output = Tags;

    fn begin_tags(&mut self) -> ControlFlow<Tags, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Tags> {
        tags.note(name, &value.decode_utf8_lossy());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Tags, Tags> {
        ControlFlow::Break(tags)
    }

    fn end_game(&mut self, tags: Tags) -> Tags {
        tags
    }
}

#[cfg(test)]
mod tests {
    use words::InWords as _;

    use super::*;

    fn game(tags: &[(&str, &str)]) -> String {
        let mut text: String =
            tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        text.push_str("\n1. e4 {[%clk 0:01:00]} e5 *\n\n");
        text
    }

    #[test]
    fn a_name_turns_nothing_round_beside_it() {
        let hebrew = "\u{5d0}\u{5d1}\u{5e8}\u{5d4}\u{5dd}, \u{5d3}\u{5d5}\u{5d3}";
        let turned = "\u{202e}Doe, Jane\u{2066}";
        let text = game(&[("Round", "1.1"), ("White", turned), ("Black", hebrew)]);
        let rounds = read(&text).unwrap();
        let pairing = rounds[0].at(TableNo::new(1)).unwrap();
        assert_eq!(pairing.players.white.name, "Doe, Jane");
        assert_eq!(pairing.players.black.name, hebrew);
    }

    #[test]
    fn rounds_tables_and_players_are_in_the_tags() {
        let text = [
            game(&[
                ("Round", "3.2"),
                ("White", "Doe, Jane"),
                ("Black", "Roe, Max"),
                ("WhiteTitle", "WFM"),
                ("WhiteElo", "2105"),
                ("BlackElo", "0"),
                ("BlackFideId", "200000"),
                ("WhiteFed", "BEL"),
            ]),
            game(&[("Round", "4.1"), ("White", "Roe, Max"), ("Black", "Doe, Jane")]),
        ];
        let rounds = read(&text.concat()).unwrap();
        let names: Vec<_> = rounds.iter().map(|round| round.name.as_str()).collect();
        assert_eq!(names, ["3", "4"]);
        let pairing = rounds[0].at(TableNo::new(2)).unwrap();
        let white = Player {
            name: "Doe, Jane".to_owned(),
            title: Some("WFM".to_owned()),
            rating: Some(2105),
            federation: Some("BEL".to_owned()),
            fide_id: None,
        };
        assert_eq!(pairing.players.white, white);
        assert_eq!(
            (pairing.players.black.rating, pairing.players.black.fide_id),
            (None, Some(200_000))
        );
    }

    /// A line break in a name would end its tag when it is written, and the rest would be read as
    /// moves.
    #[test]
    fn names_are_kept_without_what_is_no_letter() {
        let tags = [("Round", "3.2"), ("White", "Evil\r1. e4 e5 1-0\0"), ("Black", "Roe\t, Max")];
        let rounds = read(&game(&tags)).unwrap();
        let players = &rounds[0].at(TableNo::new(2)).unwrap().players;
        assert_eq!(players.white.name, "Evil1. e4 e5 1-0");
        assert_eq!(players.black.name, "Roe, Max");
    }

    #[test]
    fn without_numbers_the_games_stand_in_the_order_of_the_tables() {
        let text = [
            game(&[("White", "A")]),
            game(&[("White", "C"), ("Board", "7")]),
            game(&[("White", "E")]),
        ];
        let rounds = read(&text.concat()).unwrap();
        let tables: Vec<_> = rounds[0].pairings.iter().map(|it| it.table.get()).collect();
        assert_eq!((rounds.len(), rounds[0].name.as_str(), tables), (1, "", vec![1, 7, 3]));
    }

    #[test]
    fn a_position_is_taken_over_and_one_that_is_none_is_refused_with_its_line() {
        let array = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
        let good = game(&[("White", "A"), ("Variant", "Chess 960"), ("FEN", array)]);
        let pairing = read(&good).unwrap()[0].pairings[0].clone();
        assert_eq!((pairing.start_fen.as_deref(), pairing.chess960), (Some(array), true));
        let bad = game(&[("White", "A"), ("FEN", "8/8/8/8/8/8/8/8 w - - 0 1")]);
        let problem = read(&(good + &bad)).unwrap_err();
        assert_eq!((problem.line, problem.key), (7, "FEN"), "{problem:?}");
        assert!(problem.what.en().starts_with("no legal position"), "{problem:?}");
    }
}
