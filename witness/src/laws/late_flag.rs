//! Articles 6.2, 6.7, 6.9 and 7.1: a flag that falls after the game has ended on the board, after
//! an illegal move, or before its player has made a move. What follows from any other one is said
//! in [`super::flag`].

use shakmaty::Color;

use super::editions;
use super::flag::OnTheBoard;
use super::words::{both, of_player_fr, player_en, the_player_fr};
use crate::incident::{Advice, Kind};
use crate::settings::Edition;

/// Article 6.2: the game had ended before the flag fell, pressed or not. `sure`: the clock still
/// had time for that player when the move was made.
pub(crate) fn ended_before(how: OnTheBoard, number: u32, sure: bool) -> Advice {
    let (en, fr, article) = how.words();
    if !sure {
        return both(
            format!(
                "{en} at move {number} as the flag fell: which came first cannot be told. The game \
                 is over, unless somebody had observed or claimed the fall before ({article}, 6.8)."
            ),
            format!(
                "{fr} au coup {number}, au moment de la chute : on ne peut dire lequel fut le \
                 premier. La partie est finie, à moins que la chute n'ait été constatée ou \
                 signalée avant ({article}, 6.8)."
            ),
        );
    }
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

/// Article 5: what the board shows came before the flag, and a ruling on how that move was made
/// decides whether it ended the game.
pub(crate) fn open_before(how: OnTheBoard, sure: bool) -> Advice {
    let (en, fr, article) = how.words();
    let (when_en, when_fr) = match sure {
        true => ("before the flag fell", "avant la chute"),
        false => (
            "as the flag fell, and which came first cannot be told",
            "au moment de la chute, sans qu'on puisse dire lequel fut le premier",
        ),
    };
    both(
        format!(
            "{en} was on the board {when_en}. Whether it ended the game is to be ruled \
             on first ({article}): see how that move was made."
        ),
        format!(
            "{fr} sur l'échiquier {when_fr}. Décider d'abord s'il a mis fin à la partie \
             ({article}) : voir comment ce coup a été joué."
        ),
    )
}

/// What a player did, with its Article.
fn irregular(kind: Kind, by: Color, edition: Edition) -> (String, String) {
    let (side, article) = (player_en(by), editions::article(kind, edition));
    let (whose, who) = (of_player_fr(by), the_player_fr(by));
    match kind {
        Kind::PressedWithoutMove => (
            format!("{side} had pressed without a move ({article})"),
            format!("{who} avaient appuyé sans avoir joué ({article})"),
        ),
        _ => (
            format!("an illegal move of {side} was completed ({article})"),
            format!("un coup illégal {whose} était achevé ({article})"),
        ),
    }
}

/// Articles 7.1 and 7.5: what came before the fall, and nobody has ruled on it.
pub(crate) fn after_irregular(kind: Kind, by: Color, edition: Edition) -> [Advice; 2] {
    let (en, fr) = irregular(kind, by, edition);
    [
        both(
            format!(
                "Before the flag fell, {en}. Rule on that first: upheld, it has its own penalty, \
                 and the position before it is put back with times that the arbiter sets (7.1), so \
                 that this fall decides nothing."
            ),
            format!(
                "Avant la chute, {fr}. En décider d'abord : si c'est retenu, sa pénalité \
                 s'applique et la position antérieure est rétablie avec des temps que l'arbitre \
                 fixe (7.1) ; la chute ne décide alors de rien."
            ),
        ),
        both("If it is dismissed:", "Si c'est écarté :"),
    ]
}

/// The same once it was upheld.
pub(crate) fn irregular_upheld(kind: Kind, by: Color, edition: Edition) -> Advice {
    let (en, fr) = irregular(kind, by, edition);
    both(
        format!("Before the flag fell, {en}, which was upheld: this fall decides nothing (7.1)."),
        format!("Avant la chute, {fr}, ce qui a été retenu : elle ne décide de rien (7.1)."),
    )
}

/// Article 6.8: a flag had fallen before an illegal move was completed.
pub(crate) fn flag_was_first(side: Option<Color>) -> Advice {
    let (en, fr) = match side {
        Some(side) => (
            format!("{}'s flag", player_en(side)),
            format!("le drapeau {} était tombé", of_player_fr(side)),
        ),
        None => ("Both flags".to_owned(), "les deux drapeaux étaient tombés".to_owned()),
    };
    both(
        format!(
            "{en} had fallen before that: rule on the fall first, if it was observed or claimed \
             then (6.8)."
        ),
        format!(
            "Avant cela, {fr} : décider d'abord de la chute, si elle avait été constatée ou \
             signalée alors (6.8)."
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
            the_player_fr(side)
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
