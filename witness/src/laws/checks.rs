//! Words and advice for results that are missing (8.7), and for players at two tables, boards that
//! are missing and games without a pairing (12.2).

use std::time::Duration;

use shakmaty::Color;

use crate::incident::{Advice, Bilingual, Kind};
use crate::laws::words::{both, of_player_fr, player_en};

/// The words for a game in which nothing has happened for this time; `stood`: the clock shows that
/// both times stand.
pub(crate) fn no_result(quiet: Duration, stood: bool) -> Bilingual {
    let minutes = quiet.as_secs() / 60;
    match stood {
        true => both(
            format!(
                "Both times have stood and nothing has moved for {minutes} min, and no result is \
                 entered."
            ),
            format!(
                "Les deux temps sont arrêtés et rien ne bouge depuis {minutes} min, et aucun \
                 résultat n'est saisi."
            ),
        ),
        false => both(
            format!("Nothing has moved for {minutes} min, and no result is entered."),
            format!("Rien ne bouge depuis {minutes} min, et aucun résultat n'est saisi."),
        ),
    }
}

/// `decided`: an arbiter has upheld what ends the game.
pub(crate) fn no_result_advice(decided: bool) -> Vec<Advice> {
    let upheld = both(
        "What ends this game was upheld, and its result is still missing.",
        "Ce qui termine cette partie a été confirmé, et son résultat manque encore.",
    );
    let seen = both(
        "See whether the game is over; if so, enter the result that both players signed (8.7).",
        "Voir si la partie est terminée ; si oui, saisir le résultat signé des deux joueurs (8.7).",
    );
    Some(upheld).filter(|_| decided).into_iter().chain([seen]).collect()
}

pub(crate) fn left_without_result() -> Bilingual {
    both(
        "The pieces are set up again, and the game before has no result.",
        "Les pièces sont remises en place, et la partie précédente n'a pas de résultat.",
    )
}

pub(crate) fn left_without_result_advice() -> Vec<Advice> {
    vec![both(
        "Ask for the score sheets (8.7), and enter the result here: what is entered at the table \
         now is of the next game.",
        "Demander les feuilles de partie (8.7) et saisir le résultat ici : ce qui est saisi à la \
         table vaut désormais pour la partie suivante.",
    )]
}

pub(crate) fn player_twice(side: Color, other: u32) -> Bilingual {
    let (en, fr) = (player_en(side), of_player_fr(side));
    both(
        format!("{en} of this table is named at table {other} too in this round."),
        format!(
            "Le joueur {fr} de cette table est aussi nommé à la table {other} dans cette ronde."
        ),
    )
}

pub(crate) fn player_twice_advice() -> Vec<Advice> {
    vec![both(
        "See who sits where, and put the pairing right at one of the two tables (12.2).",
        "Voir qui joue où, et corriger l'appariement à l'une des deux tables (12.2).",
    )]
}

/// Words and advice for a pairing without a board, or a game without a pairing; `others`: the
/// tables that may be meant.
pub(crate) fn unmatched(kind: Kind, others: &[u32]) -> (Bilingual, Vec<Advice>) {
    match kind {
        Kind::NoBoard => (no_board(others), no_board_advice()),
        _ => (no_pairing(others), no_pairing_advice()),
    }
}

/// The words for a pairing without a board; `others`: tables that play without a pairing.
fn no_board(others: &[u32]) -> Bilingual {
    let Bilingual { en, fr } = both(
        "The other tables play. This table has a pairing in the round, and no board is heard here.",
        "Les autres tables jouent. Cette table a un appariement dans la ronde, et aucun échiquier \
         n'y est entendu.",
    );
    let Some(Bilingual { en: tables, fr: tables_fr }) = tables(others) else {
        return Bilingual { en, fr };
    };
    both(
        format!("{en} A game without a pairing is played at {tables}."),
        format!("{fr} Une partie sans appariement se joue à {tables_fr}."),
    )
}

fn no_board_advice() -> Vec<Advice> {
    vec![both(
        "See whether its board is switched on and plugged in. If its players sit at another table, \
         name them there (12.2).",
        "Voir si son échiquier est allumé et branché. Si ses joueurs sont à une autre table, les y \
         inscrire (12.2).",
    )]
}

/// The words for a game without a pairing; `others`: tables that have a pairing and no board.
fn no_pairing(others: &[u32]) -> Bilingual {
    let Bilingual { en, fr } = both(
        "A game is played here, and the round has no pairing for this table.",
        "Une partie se joue ici, et la ronde n'a pas d'appariement pour cette table.",
    );
    let Some(Bilingual { en: tables, fr: tables_fr }) = tables(others) else {
        return Bilingual { en, fr };
    };
    both(
        format!("{en} A pairing without a board is at {tables}."),
        format!("{fr} Un appariement sans échiquier est à {tables_fr}."),
    )
}

fn no_pairing_advice() -> Vec<Advice> {
    vec![both(
        "See who plays, and name the players here if it is a game of the round (12.2).",
        "Voir qui joue, et inscrire ici les joueurs si c'est une partie de la ronde (12.2).",
    )]
}

/// Tables by number; none: there are none.
fn tables(numbers: &[u32]) -> Option<Bilingual> {
    let (last, others) = numbers.split_last()?;
    let others = others.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    Some(match others.is_empty() {
        true => both(format!("table {last}"), format!("la table {last}")),
        false => both(format!("table {others} or {last}"), format!("la table {others} ou {last}")),
    })
}
