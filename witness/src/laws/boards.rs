//! Appendix D: the two boards of a game with a visually impaired player. Words and advice.

use shakmaty::{Color, Square};

use crate::incident::{Advice, Bilingual};
use crate::laws::words::{self, both, of_player_fr, player_en};

/// What the alert about boards that differ says; `right` is whose board agrees with the score.
pub(crate) fn differ(squares: &[Square], right: Option<Color>) -> Bilingual {
    let Bilingual { en, fr } = words::squares(squares.iter().copied());
    let Some(right) = right else {
        return both(
            format!("The two boards differ, and neither agrees with the score: {en}."),
            format!(
                "Les deux échiquiers diffèrent et aucun n'est conforme à la partie enregistrée : \
                 {fr}."
            ),
        );
    };
    let wrong = right.other();
    both(
        format!(
            "The two boards differ on {en}: {}'s agrees with the score, {}'s does not.",
            player_en(right),
            player_en(wrong)
        ),
        format!(
            "Les deux échiquiers diffèrent sur {fr} : celui {} est conforme à la partie \
             enregistrée, pas celui {}.",
            of_player_fr(right),
            of_player_fr(wrong)
        ),
    )
}

/// What Article D.2.9 provides (2014: D.2.8).
pub(crate) fn advice() -> Advice {
    both(
        "Put the boards right with both score sheets. If the sheets agree, the player who wrote \
         the right move and made another one corrects his board; if not, go back to where they \
         agree and set the clock accordingly.",
        "Rétablir les échiquiers avec les deux feuilles de partie. Si elles concordent, le joueur \
         qui a noté le bon coup et en a joué un autre corrige son échiquier ; sinon, revenir au \
         dernier coup concordant et régler la pendule en conséquence.",
    )
}
