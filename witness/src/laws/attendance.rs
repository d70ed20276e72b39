//! Articles 6.6 and 6.7: the start of the round and who is not there. Words and advice.

use std::time::Duration;

use shakmaty::Color;

use crate::incident::{Advice, Bilingual};
use crate::laws::editions;
use crate::laws::words::{both, player_en, player_fr, the_player_fr};
use crate::settings::Edition;

pub(crate) fn not_started() -> Bilingual {
    both(
        "The round has started, and White's clock does not run.",
        "La ronde a commencé, et la pendule des Blancs ne marche pas.",
    )
}

pub(crate) fn not_started_advice(edition: Edition) -> Vec<Advice> {
    let start = both("Start White's clock (6.6).", "Mettre en marche la pendule des Blancs (6.6).");
    vec![start, lost_time(edition)]
}

/// Whom the time is charged that passes while nobody is there.
pub(crate) fn lost_time(edition: Edition) -> Advice {
    let article = editions::lost_time_article(edition);
    both(
        format!(
            "If neither player was there, White loses the time until he arrives, unless the rules \
             of the competition share it ({article})."
        ),
        format!(
            "Si aucun joueur n'était là, les Blancs perdent le temps jusqu'à leur arrivée, sauf si \
             le règlement de la compétition le partage ({article})."
        ),
    )
}

/// Minutes that have passed since the start of the round, and what is missing of each time.
pub(crate) fn shared_unequally(late: u32, white: u32, black: u32) -> Bilingual {
    both(
        format!(
            "The clock was started {late} min after the round, with {white} min less for White and \
             {black} min less for Black: the delay is not shared equally."
        ),
        format!(
            "La pendule a été lancée {late} min après le début de la ronde, avec {white} min de \
             moins pour les Blancs et {black} min pour les Noirs : le retard n'est pas partagé en \
             parts égales."
        ),
    )
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

/// `replied`: it is the player who had sealed, and the other one has replied.
pub(crate) fn late_for_resumption(side: Color, replied: bool, ago: Duration) -> Bilingual {
    let (en, fr, minutes) = (player_en(side), player_fr(side), ago.as_secs() / 60);
    match replied {
        true => both(
            format!("{en} has given no sign since play was resumed, {minutes} min ago."),
            format!("{fr} n'ont donné aucun signe depuis la reprise, il y a {minutes} min."),
        ),
        false => both(
            format!(
                "The envelope has not been opened since play was resumed, {minutes} min ago: {en} \
                 has not arrived."
            ),
            format!(
                "L'enveloppe n'a pas été ouverte depuis la reprise, il y a {minutes} min : {} ne \
                 sont pas arrivés.",
                the_player_fr(side)
            ),
        ),
    }
}

pub(crate) fn late_for_resumption_advice(edition: Edition) -> Vec<Advice> {
    let article = editions::late_article(edition);
    vec![both(
        format!(
            "See who is there: whoever comes after the default time loses, unless the arbiter \
             decides otherwise, or the sealed move ended the game ({article})."
        ),
        format!(
            "Voir qui est là : qui arrive après le délai perd la partie, sauf décision contraire \
             de l'arbitre ou si le coup sous pli terminait la partie ({article})."
        ),
    )]
}

pub(crate) fn default_time_advice() -> Vec<Advice> {
    vec![both(
        "See who is there: whoever arrives after the default time loses, unless the arbiter \
         decides otherwise (6.7).",
        "Voir qui est là : qui arrive après le délai perd la partie, sauf décision contraire de \
         l'arbitre (6.7).",
    )]
}
