//! Articles 6.6 and 6.7: the start of the round and who is not there. Words and advice.

use std::time::Duration;

use shakmaty::Color;

use crate::incident::{Advice, Bilingual};
use crate::laws::words::{both, player_en, player_fr};

pub(crate) fn not_started() -> Bilingual {
    both(
        "The round has started, and White's clock does not run.",
        "La ronde a commencé, et la pendule des Blancs ne marche pas.",
    )
}

pub(crate) fn not_started_advice() -> Vec<Advice> {
    vec![both("Start White's clock (6.6).", "Mettre en marche la pendule des Blancs (6.6).")]
}

/// `ago`: since the round started.
pub(crate) fn default_time(side: Color, ago: Duration) -> Bilingual {
    let (en, fr, minutes) = (player_en(side), player_fr(side), ago.as_secs() / 60);
    both(
        format!(
            "{en} has touched neither a piece nor the clock since the round started, {minutes} min \
             ago."
        ),
        format!(
            "{fr} n'ont touché ni pièce ni pendule depuis le début de la ronde, il y a {minutes} \
             min."
        ),
    )
}

pub(crate) fn default_time_advice() -> Vec<Advice> {
    vec![both(
        "See who is there: whoever arrives after the default time loses, unless the arbiter \
         decides otherwise (6.7).",
        "Voir qui est là : qui arrive après le délai perd la partie, sauf décision contraire de \
         l'arbitre (6.7).",
    )]
}
