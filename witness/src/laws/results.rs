//! Articles 8.7 and 9.1.1: results that contradict the board or the regulations of the event.

use shakmaty::KnownOutcome;

use super::editions;
use super::words::both;
use crate::incident::{Advice, Bilingual, Kind};
use crate::settings::Edition;

pub(crate) fn mismatch(told: KnownOutcome, on_board: KnownOutcome) -> Bilingual {
    both(
        format!("The result is {told}; the board shows {on_board}."),
        format!("Le résultat est {told} ; l'échiquier montre {on_board}."),
    )
}

/// By the kings, when there was a result before.
pub(crate) fn signed_otherwise(told: KnownOutcome, signed: KnownOutcome) -> Bilingual {
    both(
        format!("The result is {told}; then the kings were put in the centre for {signed}."),
        format!("Le résultat est {told} ; puis les rois ont été mis au centre pour {signed}."),
    )
}

pub(crate) fn signed_otherwise_advice(told: KnownOutcome) -> Advice {
    both(
        format!("Ask both players: {told} stands here until another result is entered (8.7)."),
        format!(
            "Demander aux deux joueurs : {told} reste noté ici tant qu'aucun autre résultat n'est \
             saisi (8.7)."
        ),
    )
}

pub(crate) fn mismatch_advice() -> Advice {
    both(
        "A result that both players signed stands unless the arbiter decides otherwise (8.7).",
        "Un résultat signé des deux joueurs vaut, sauf décision contraire de l'arbitre (8.7).",
    )
}

pub(crate) fn early(moves: u32, least: u32) -> Bilingual {
    let s = if moves == 1 { "" } else { "s" };
    both(
        format!("Drawn after {moves} move{s}; this event allows it from move {least}."),
        format!("Nulle après {moves} coup{s} ; l'épreuve la permet au {least}e coup."),
    )
}

pub(crate) fn early_advice(edition: Edition) -> Advice {
    let article = editions::article(Kind::EarlyDraw, edition);
    both(
        format!("Without the arbiter's consent the game goes on ({article})."),
        format!("Sans l'accord de l'arbitre, la partie continue ({article})."),
    )
}
