//! Words and advice for results that are missing (8.7) and for players at two tables (12.2).

use std::time::Duration;

use shakmaty::Color;

use crate::incident::{Advice, Bilingual};
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

pub(crate) fn no_result_advice() -> Vec<Advice> {
    vec![both(
        "See whether the game is over; if so, enter the result that both players signed (8.7).",
        "Voir si la partie est terminée ; si oui, saisir le résultat signé des deux joueurs (8.7).",
    )]
}

pub(crate) fn left_without_result() -> Bilingual {
    both(
        "The pieces are set up again, and the game before has no result.",
        "Les pièces sont remises en place, et la partie précédente n'a pas de résultat.",
    )
}

pub(crate) fn left_without_result_advice() -> Vec<Advice> {
    vec![both(
        "Ask for the score sheets (8.7). What is entered at this table now is of the next game: \
         enter this result in the pairing program.",
        "Demander les feuilles de partie (8.7). Ce qui est saisi ici vaut désormais pour la partie \
         suivante : saisir ce résultat dans le logiciel d'appariement.",
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
