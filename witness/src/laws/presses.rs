//! Articles 7.5.3 and the games that go on from an illegal position: what a press tells beside the
//! move it completes.

use shakmaty::{Bitboard, Board, Color, Rank};

use super::editions;
use super::words::{both, of_player_fr, player_en, player_fr};
use crate::incident::{Advice, Bilingual, Kind};
use crate::ledger::Ledger;
use crate::settings::{Edition, Settings};

/// What the Laws end a game for when it is still there after the next completed move.
pub(crate) fn irregular(picture: &Board) -> Option<Kind> {
    let attacked = |side: Color| {
        picture
            .king_of(side)
            .is_some_and(|king| picture.attacks_to(king, side.other(), picture.occupied()).any())
    };
    let pawns = |side: Color, rank: Rank| picture.by_piece(side.pawn()) & Bitboard::from_rank(rank);
    if Color::ALL.into_iter().all(attacked) {
        Some(Kind::KingsInCheck)
    } else if (pawns(Color::White, Rank::Eighth) | pawns(Color::Black, Rank::First)).any() {
        Some(Kind::PawnOnLastRank)
    } else {
        None
    }
}

pub(crate) fn irregular_text(kind: Kind) -> Bilingual {
    match kind {
        Kind::KingsInCheck => both(
            "Both kings are attacked, and another move has been completed.",
            "Les deux rois sont attaqués, et un autre coup a été achevé.",
        ),
        _ => both(
            "A pawn still stands on the last rank, and another move has been completed.",
            "Un pion est toujours sur la dernière rangée, et un autre coup a été achevé.",
        ),
    }
}

pub(crate) fn irregular_advice() -> Advice {
    both("The game is declared drawn.", "La partie est déclarée nulle.")
}

pub(crate) fn empty_text(by: Color) -> Bilingual {
    both(
        format!("{} pressed the clock without having made a move.", player_en(by)),
        format!("{} ont appuyé sur la pendule sans avoir joué.", player_fr(by)),
    )
}

/// Article 6.6: nobody has moved yet.
pub(crate) fn before_the_first_move() -> Advice {
    both(
        "No move was made yet: the clock may have been started for the wrong player, or for one \
         who is absent (6.6, 6.7). If not:",
        "Aucun coup encore : la pendule a pu être lancée pour le mauvais joueur, ou pour un absent \
         (6.6, 6.7). Sinon :",
    )
}

pub(crate) fn empty_advice(edition: Edition) -> Advice {
    match edition {
        Edition::Y2005 | Edition::Y2014 => both(
            "Improper use of the clock: a penalty of Article 12.9.",
            "Usage incorrect de la pendule : une sanction de l'article 12.9.",
        ),
        Edition::Y2018 | Edition::Y2023 => both(
            "It is penalized as an illegal move (7.5.5); the clock goes back to this player.",
            "Sanctionné comme un coup illégal (7.5.5) ; la pendule revient à ce joueur.",
        ),
    }
}

/// The opponent made his move all the same. A.4.2, A.5.2: where nobody supervises, that is the end
/// of it if the press counts as an illegal move.
pub(crate) fn played_on(by: Color, settings: &Settings) -> Advice {
    let edition = settings.edition;
    let stands = settings.is_unsupervised() && Ledger::counts(Kind::PressedWithoutMove, edition);
    let then = match stands {
        true => {
            let article = editions::article(Kind::IllegalStands, edition);
            both(
                format!("It stands, as nobody had intervened ({article})."),
                format!("C'est acquis, personne n'étant intervenu avant ({article})."),
            )
        }
        false => both(
            "Whether the position before the press is put back is for the arbiter.",
            "À l'arbitre de décider si l'on revient à la position d'avant l'appui.",
        ),
    };
    let (en, fr) = (player_en(by), of_player_fr(by));
    both(
        format!(
            "{} has played on from the same position: in the score the turn of {en} is passed. {}",
            player_en(!by),
            then.en
        ),
        format!(
            "{} ont continué à partir de la même position : dans la partie notée, le tour {fr} est \
             passé. {}",
            player_fr(!by),
            then.fr
        ),
    )
}

pub(crate) fn stands_text(side: Color) -> Bilingual {
    both(
        format!("The illegal move of {} stands: the opponent has made his move.", player_en(side)),
        format!(
            "Le coup illégal {} est acquis : l'adversaire a joué son coup.",
            of_player_fr(side)
        ),
    )
}
