//! How times are settled when a clock was faulty: the six cases that the commentary on 6.10.1 goes
//! through, and a jump. Words for an arbiter, who has the last one.

use super::words::{both, player_en, to_player_fr};
use crate::clock::Fault;
use crate::incident::Bilingual;

/// What becomes of the difference between the times shown and those by our own clock.
pub(super) fn of(fault: Fault) -> Bilingual {
    match fault {
        Fault::BothRun => both(
            "each gets back what it took from him, or half of the excess where nobody can say in \
             whose turns that was",
            "à chacun est rendu ce qu'il y a perdu, ou la moitié de l'excédent si l'on ignore \
             pendant quels tours",
        ),
        Fault::NeverStops(side) => both(
            format!("the whole excess is given back to {}", player_en(side)),
            format!("tout l'excédent est rendu {}", to_player_fr(side)),
        ),
        Fault::Fast => both(
            "both get back half of the difference, as nobody can say that only one half is fast",
            "la différence est rendue aux deux par moitié, car nul ne peut dire qu'un seul avance",
        ),
        Fault::Slow => both(
            "but the times shown stand, unless both players agree to take off the difference and \
             it leaves neither in a hopeless position",
            "mais les temps affichés restent, sauf si les deux joueurs acceptent d'en retrancher \
             la différence et qu'aucun ne se retrouve dans une position désespérée",
        ),
        Fault::StandsStill(side) => both(
            format!("what was not counted is taken off the time of {}", player_en(side)),
            format!("le temps non décompté est imputé {}", to_player_fr(side)),
        ),
        Fault::BothStand => both(
            "but what was not counted is shared between both, so that neither is left in a \
             hopeless position; times that were noted may help",
            "mais le temps non décompté est partagé entre les deux, sans position désespérée pour \
             l'un d'eux ; les temps notés peuvent aider",
        ),
        Fault::Jumped(_) | Fault::AddsAfterFlag(_) => both(
            "what a player lost by it is given back, what he gained is charged",
            "ce qu'un joueur y a perdu lui est rendu, ce qu'il y a gagné lui est compté",
        ),
    }
}
