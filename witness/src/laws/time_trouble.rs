//! Articles 8.4 and 8.5 and Guideline III (G in 2014): who is so short of time that he need not
//! write, and who may ask for what in the last two minutes.

use eboard::FaceTime;
use shakmaty::Color;

use crate::incident::{Advice, Bilingual, Kind};
use crate::laws::editions;
use crate::laws::rate::Rate;
use crate::laws::words::{both, player_en, player_fr};
use crate::settings::{Edition, Settings};
use crate::time_control::Periods;

/// Below this nobody has to write (8.4).
const TROUBLE: FaceTime = FaceTime::from_hms(0, 5, 0);
/// But with this much per move everybody has to. Seconds.
const WRITES_ON_S: u32 = 30;
/// Appendix A: below an hour the game is rapid or blitz, and nobody has to write anyway. Seconds.
const STANDARD_S: u32 = 3600;
/// Guideline III.4: with less than this, requests are possible.
const TWO_MINUTES: FaceTime = FaceTime::from_hms(0, 2, 0);

/// Whether a player with so much left in this period, from 0, need not write any more.
pub(crate) fn need_not_write(periods: &Periods, period: usize, left: FaceTime) -> bool {
    let per_move = periods.get(period).map(|it| it.per_move_s(u32::MAX));
    let standard = periods.sixty_moves_s() >= STANDARD_S;
    standard && left < TROUBLE && per_move.is_some_and(|it| it < WRITES_ON_S)
}

/// Whether a player with so much left in this period, from 0, may make the requests of Guideline
/// III when he has the move: the last period, nothing per move, not blitz.
pub(crate) fn last_two_minutes(
    settings: &Settings,
    periods: &Periods,
    period: usize,
    left: FaceTime,
) -> bool {
    let nothing = periods.get(period).is_some_and(|it| it.per_move_s(u32::MAX) == 0);
    settings.quickplay_finish
        && nothing
        && periods.is_last(period)
        && left < TWO_MINUTES
        && settings.rate_of_play() != Rate::Blitz
}

pub(crate) fn text(side: Color, left: FaceTime, still: Option<u32>) -> Bilingual {
    let (en, fr) = (player_en(side), player_fr(side));
    match still {
        Some(0) => both(
            format!("{en} has {left} in this period, and has made its moves."),
            format!("{fr} ont {left} dans cette période, et ses coups sont faits."),
        ),
        Some(1) => both(
            format!("{en} has {left} for one more move."),
            format!("{fr} ont {left} pour un coup encore."),
        ),
        Some(moves) => both(
            format!("{en} has {left} for {moves} more moves."),
            format!("{fr} ont {left} pour {moves} coups encore."),
        ),
        None => both(
            format!("{en} has {left} for all remaining moves."),
            format!("{fr} ont {left} pour tous les coups restants."),
        ),
    }
}

pub(crate) fn advice() -> Vec<Advice> {
    vec![both(
        "This player need not write any more (8.4); somebody should be there to record and to see \
         the flag (8.5).",
        "Ce joueur n'a plus à noter (8.4) ; il faut quelqu'un pour noter et voir le drapeau (8.5).",
    )]
}

pub(crate) fn two_minutes(side: Color, left: FaceTime) -> Bilingual {
    let (en, fr) = (player_en(side), player_fr(side));
    both(
        format!("{en} has the move and {left} to the end of the game."),
        format!("{fr} ont le trait et {left} jusqu'à la fin de la partie."),
    )
}

pub(crate) fn two_minutes_advice(edition: Edition) -> Vec<Advice> {
    let delay = editions::article(Kind::TwoMinutes, edition);
    let draw = editions::normal_means_article(edition);
    let increment = (edition >= Edition::Y2014).then(|| {
        both(
            format!(
                "If this player asks for it, 5 s more for each move may be introduced for both, \
                 if the clock can; it offers a draw, and the opponent gets two minutes ({delay})."
            ),
            format!(
                "À sa demande, 5 s de plus par coup peuvent être introduites pour les deux, si la \
                 pendule le permet ; c'est une offre de nulle, et l'adversaire reçoit deux minutes \
                 ({delay})."
            ),
        )
    });
    // G.4 is new in 2014, by its commentary.
    let (or_en, or_fr) = match increment {
        Some(_) => ("Where that cannot be, he", "Sinon il"),
        None => ("He", "Il"),
    };
    let claim = both(
        format!(
            "{or_en} may claim a draw before his flag falls: the opponent cannot win, or does not \
             try to, by normal means ({draw})."
        ),
        format!(
            "{or_fr} peut réclamer la nulle avant la chute de son drapeau : l'adversaire ne peut \
             gagner, ou ne cherche pas à gagner, par des moyens normaux ({draw})."
        ),
    );
    increment.into_iter().chain([claim]).collect()
}
