//! Writes pairings as PGN, as they are read again.

use super::{Pairing, Player, Round};

/// The pairings of these rounds, one game for each table.
#[must_use]
pub fn write(rounds: &[Round]) -> String {
    let games =
        rounds.iter().flat_map(|round| round.pairings.iter().map(|it| game(&round.name, it)));
    games.collect::<Vec<_>>().join("\n")
}

fn game(round: &str, pairing: &Pairing) -> String {
    let round = if round.is_empty() { "?" } else { round };
    let mut text = tag("Round", &format!("{round}.{}", pairing.table));
    text += &player("White", &pairing.players.white);
    text += &player("Black", &pairing.players.black);
    if let Some(fen) = &pairing.start_fen {
        text += &tag("SetUp", "1");
        text += &tag("FEN", fen);
    }
    if pairing.chess960 {
        text += &tag("Variant", "Chess960");
    }
    text + &tag("Result", "*") + "\n*\n"
}

fn player(side: &str, player: &Player) -> String {
    let name = if player.name.is_empty() { "?" } else { &player.name };
    let number = |it: Option<u32>| it.map(|it| it.to_string());
    let more = [
        ("Title", player.title.clone()),
        ("Elo", number(player.rating.map(u32::from))),
        ("Fed", player.federation.clone()),
        ("FideId", number(player.fide_id)),
    ];
    let more = more.into_iter().filter_map(|(key, value)| Some((key, value?)));
    let more = more.map(|(key, value)| tag(&format!("{side}{key}"), &value));
    tag(side, name) + &more.collect::<String>()
}

/// A tag on its line.
pub(crate) fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", in_a_tag(value))
}

/// Escapes a value. Without it a name could end the tag and begin the moves.
fn in_a_tag(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use witness::TableNo;

    use super::super::{Players, read};
    use super::*;

    #[test]
    fn no_name_ends_its_tag_and_goes_on_as_moves() {
        let value = in_a_tag("Evil\"]\n\n1. e4 e5 1-0\r\0\\");
        assert_eq!(value, "Evil\\\"]  1. e4 e5 1-0  \\\\");
    }

    #[test]
    fn what_is_written_is_read_again_as_it_was() {
        let named = |name: &str| Player { name: name.to_owned(), ..Player::default() };
        let known = Player {
            title: Some("WFM".to_owned()),
            rating: Some(2105),
            federation: Some("BEL".to_owned()),
            fide_id: Some(200_000),
            ..named("Doe, \"Jane\" \\ Émilie")
        };
        let array = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
        let pairing = |table: u32, white: &Player, black: &Player| Pairing {
            table: TableNo::new(table),
            players: Players { white: white.clone(), black: black.clone() },
            ..Pairing::default()
        };
        let started = Pairing {
            start_fen: Some(array.to_owned()),
            chess960: true,
            ..pairing(7, &named("כהן, דוד"), &named(&"ü".repeat(100)))
        };
        let round = |name: &str, pairings| Round { name: name.to_owned(), pairings };
        let rounds = vec![
            round("3.1", vec![pairing(2, &known, &named("")), started]),
            round("", vec![pairing(1, &named("Roe, Max"), &known)]),
        ];
        assert_eq!(read(&write(&rounds)).unwrap(), rounds);
    }
}
