//! Articles 6.2, 6.7 and 6.9: a flag that falls after the game has ended on the board, or before
//! its player has made a move. What follows from any other one is said in [`super::flag`].

use shakmaty::Color;

use super::flag::OnTheBoard;
use super::words::{both, player_en};
use crate::incident::Advice;

/// Article 6.2: the game had ended before the flag fell, pressed or not.
pub(crate) fn ended_before(how: OnTheBoard, number: u32) -> Advice {
    let (en, fr, article) = how.words();
    both(
        format!(
            "{en} ended the game at move {number}, before the flag fell ({article}, 6.2): the fall \
             means nothing, unless that is dismissed."
        ),
        format!(
            "{fr} au coup {number}, avant la chute : la partie était finie ({article}, 6.2). La \
             chute ne compte pas, à moins que cela ne soit écarté."
        ),
    )
}

/// A mate stands on the board, and it is not decided whether it ended the game.
pub(crate) fn mated_before(how: OnTheBoard) -> Advice {
    let (en, fr, article) = how.words();
    both(
        format!(
            "{en} was on the board before the flag fell. Whether it ended the game is to be ruled \
             on first ({article}): see how that move was made."
        ),
        format!(
            "{fr} sur l'échiquier avant la chute. Décider d'abord s'il a mis fin à la partie \
             ({article}) : voir comment ce coup a été joué."
        ),
    )
}

/// Articles 6.7 and 6.9: a player lost on time without having made a move.
pub(crate) fn without_a_move(side: Color) -> Advice {
    both(
        format!(
            "{} has made no move. Who was not there by the default time has lost by forfeit (6.7); \
             who was there loses on time (6.9). Competition rules may count both as a forfeit.",
            player_en(side)
        ),
        format!(
            "Aucun coup joué par {}. Absent au délai de forfait : perte par forfait (6.7) ; \
             présent : perte au temps (6.9). Un règlement de compétition peut compter les deux \
             comme forfait.",
            side.fold_wb("les Blancs", "les Noirs")
        ),
    )
}

/// A time ran out that counted before its player had the move.
pub(crate) fn without_the_move(side: Color) -> Advice {
    both(
        format!(
            "{} never had the move: the opponent pressed without having made one. Rule on that \
             first (6.6, 6.7, 7.5).",
            player_en(side)
        ),
        format!(
            "Le trait n'a jamais été {} : l'adversaire a appuyé sans avoir joué. Décider d'abord \
             de cela (6.6, 6.7, 7.5).",
            side.fold_wb("aux Blancs", "aux Noirs")
        ),
    )
}
