//! Articles 6.4 and 6.8: a fallen flag, as far as the clock tells it.

use eboard::FlagMark;

use crate::clock::FlagFall;
use crate::incident::{Advice, Bilingual};
use crate::laws::words::{both, of_player_fr, player_en};

pub(crate) fn text(fall: &FlagFall) -> Bilingual {
    let (en, fr) = (player_en(fall.side), of_player_fr(fall.side));
    let left = fall.opponent;
    both(
        format!("{en}'s flag has fallen; the opponent has {left}."),
        format!("Le drapeau {fr} est tombé ; il reste {left} à l'adversaire."),
    )
}

pub(crate) fn advice(fall: &FlagFall, moves_completed: u32) -> Vec<Advice> {
    let side = fall.side;
    let mut advice = vec![both(
        format!(
            "Check at once whether {} has completed the moves required (6.4): the board counts \
             {moves_completed}.",
            player_en(side)
        ),
        format!(
            "Vérifier aussitôt si le nombre de coups requis {} est atteint (6.4) : l'échiquier en \
             compte {moves_completed}.",
            of_player_fr(side)
        ),
    )];
    if fall.mark == FlagMark::None {
        advice.push(both(
            "The clock shows zero but no flag sign: look at the clock.",
            "La pendule est à zéro sans signe de drapeau : regarder la pendule.",
        ));
    }
    advice
}
