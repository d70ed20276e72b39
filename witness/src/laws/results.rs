//! Articles 5.2.3, 8.7 and 9.1.1: results that contradict the board, or come too early.

use shakmaty::KnownOutcome;

use super::editions;
use super::flag::OnTheBoard;
use super::words::both;
use crate::ending::{Award, EndedBy, Ending};
use crate::incident::{Advice, Bilingual, Kind};
use crate::settings::{Edition, Settings};

pub(crate) fn mismatch(told: KnownOutcome, on_board: KnownOutcome) -> Bilingual {
    both(
        format!("The result is {told}; the board shows {on_board}."),
        format!("Le résultat est {told} ; l'échiquier montre {on_board}."),
    )
}

/// By the kings, when there was a result before.
pub(crate) fn signed_otherwise(told: Award, signed: KnownOutcome) -> Bilingual {
    both(
        format!("The result is {told}; then the kings were put in the centre for {signed}."),
        format!("Le résultat est {told} ; puis les rois ont été mis au centre pour {signed}."),
    )
}

pub(crate) fn signed_otherwise_advice(told: Award) -> Advice {
    both(
        format!("Ask both players: {told} stands here until another result is entered (8.7)."),
        format!(
            "Demander aux deux joueurs : {told} reste noté ici tant qu'aucun autre résultat n'est \
             saisi (8.7)."
        ),
    )
}

/// A result that nobody had entered, when the game goes on.
pub(crate) fn withdrawn(Ending { outcome, reason }: Ending) -> Bilingual {
    let (en, fr) = match reason {
        EndedBy::Checkmate => {
            ("The checkmate on the board was", "Le mat sur l'échiquier avait été lu")
        }
        EndedBy::Stalemate => {
            ("The stalemate on the board was", "Le pat sur l'échiquier avait été lu")
        }
        EndedBy::Signalled | EndedBy::Arbiter | EndedBy::Forfeit => {
            ("The kings in the centre were", "Les rois au centre avaient été lus")
        }
    };
    both(
        format!("{en} taken for {outcome}; play goes on: {outcome} is withdrawn."),
        format!("{fr} comme {outcome} ; la partie continue : {outcome} est retiré."),
    )
}

pub(crate) fn withdrawn_advice() -> Advice {
    both(
        "Nobody has signed a result (8.7). If the game is over all the same, enter the result.",
        "Aucun résultat n'est signé (8.7). Si la partie est finie malgré tout, saisir le résultat.",
    )
}

fn article(how: OnTheBoard, edition: Edition) -> &'static str {
    match (how, edition <= Edition::Y2014) {
        (OnTheBoard::Checkmate, true) => "5.1.a",
        (OnTheBoard::Checkmate, false) => "5.1.1",
        (_, true) => "5.2.a",
        (_, false) => "5.2.1",
    }
}

fn named(how: OnTheBoard) -> (&'static str, &'static str) {
    match how {
        OnTheBoard::Checkmate => ("The checkmate", "Le mat"),
        _ => ("The stalemate", "Le pat"),
    }
}

/// Articles 5.1.1 and 5.2.1 since 2014: how the move was made decides whether the game is over.
pub(crate) fn awaits_ruling(how: OnTheBoard, edition: Edition) -> Advice {
    let ((en, fr), article) = (named(how), article(how, edition));
    both(
        format!(
            "{en} ends the game only if this move was in accordance with Articles 4.2 to 4.7 \
             ({article}): there is no result until somebody rules on it."
        ),
        format!(
            "{fr} ne met fin à la partie que si ce coup respecte les articles 4.2 à 4.7 \
             ({article}) : aucun résultat avant une décision."
        ),
    )
}

/// Articles 5.1.1, 5.2.1 and 4.7: the move that stands has ended the game.
pub(crate) fn released_end(how: OnTheBoard) -> Advice {
    let (en, fr, article) = how.words();
    both(
        format!(
            "{en} ends the game as it is released ({article}): what was played after it counts \
             only if this is dismissed."
        ),
        format!(
            "{fr} : la partie finit dès que le coup est lâché ({article}) ; la suite ne compte \
             que si ceci est écarté."
        ),
    )
}

/// The same, when the game seems to be over once more.
pub(crate) fn after_released_end(how: OnTheBoard) -> Advice {
    let (en, fr) = named(how);
    both(
        format!("{en} came after that: no result until somebody rules on it."),
        format!("{fr} est venu après : aucun résultat avant une décision."),
    )
}

/// Articles 7.5.1 and 7.5.5: before it somebody made an illegal move, and nobody has ruled on it.
pub(crate) fn after_illegal(how: OnTheBoard, kind: Kind, edition: Edition) -> Advice {
    let ((en, fr), article) = (named(how), editions::article(kind, edition));
    both(
        format!("{en} came after this ({article}): no result until somebody rules on it."),
        format!("{fr} est venu après cela ({article}) : aucun résultat avant une décision."),
    )
}

/// Article 6.8: a flag had fallen, and nobody has ruled on it.
pub(crate) fn after_flag(how: OnTheBoard) -> Advice {
    let (en, fr) = named(how);
    both(
        format!("{en} is no result until somebody rules on the flag."),
        format!("{fr} n'est pas un résultat avant une décision sur le drapeau."),
    )
}

/// The same of the kings in the centre.
pub(crate) fn signed_after_flag(signed: KnownOutcome) -> Advice {
    both(
        format!(
            "Then the kings were put in the centre for {signed}: no result until somebody rules on \
             the flag or enters one."
        ),
        format!(
            "Puis les rois ont été mis au centre pour {signed} : aucun résultat avant une décision \
             sur le drapeau ou une saisie."
        ),
    )
}

/// It was shown while both times stood: nobody knows whether it was of the game.
pub(crate) fn while_stopped(how: OnTheBoard) -> Advice {
    let (en, fr) = named(how);
    both(
        format!("{en} was made while both clocks were stopped: no result until that is settled."),
        format!("{fr} est venu pendules arrêtées : aucun résultat avant que ce soit réglé."),
    )
}

/// Article 9.6: what came first has ended the game.
pub(crate) fn ended_before(how: OnTheBoard, first: Kind, edition: Edition) -> Advice {
    let ((en, fr), article) = (named(how), editions::article(first, edition));
    both(
        format!("{en} came later: what came first ended the game ({article}). Enter the result."),
        format!(
            "{fr} est venu après : ce qui est venu d'abord a fini la partie ({article}). Saisir \
             le résultat."
        ),
    )
}

pub(crate) fn mismatch_advice() -> Advice {
    both(
        "A result that both players signed stands unless the arbiter decides otherwise (8.7).",
        "Un résultat signé des deux joueurs vaut, sauf décision contraire de l'arbitre (8.7).",
    )
}

/// Why a draw by agreement may have come too early, and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Early {
    /// A player has not made a single move (5.2.3, since 2018).
    Unplayed,
    /// The regulations of the event allow it later (9.1.1): after so many moves by each.
    Regulated(u32),
}

impl Early {
    /// The Article that says so.
    pub fn article(self, edition: Edition) -> &'static str {
        match self {
            Self::Unplayed => editions::FIRST_MOVES,
            Self::Regulated(_) => editions::article(Kind::EarlyDraw, edition),
        }
    }
}

/// Whether players who have made so many moves could not agree to a draw yet.
pub(crate) fn early(moves: u32, settings: &Settings) -> Option<Early> {
    let least = settings.min_draw_move;
    match settings.edition {
        Edition::Y2018 | Edition::Y2023 if moves == 0 => Some(Early::Unplayed),
        _ => (moves < least).then_some(Early::Regulated(least)),
    }
}

pub(crate) fn early_text(early: Early, moves: u32) -> Bilingual {
    let s = if moves == 1 { "" } else { "s" };
    match early {
        Early::Unplayed => both(
            "Drawn before each player has made a move.",
            "Nulle avant que chacun des joueurs ait joué un coup.",
        ),
        Early::Regulated(least) => both(
            format!("Drawn after {moves} move{s}; this event allows it from move {least}."),
            format!("Nulle après {moves} coup{s} ; l'épreuve la permet au {least}e coup."),
        ),
    }
}

pub(crate) fn early_advice(early: Early, edition: Edition) -> Advice {
    let article = early.article(edition);
    match early {
        Early::Unplayed => both(
            format!("A draw can be agreed once both players have moved ({article})."),
            format!("La nulle ne peut être convenue qu'après un coup de chacun ({article})."),
        ),
        Early::Regulated(_) => both(
            format!(
                "If it was agreed: without the arbiter's consent the game goes on ({article})."
            ),
            format!(
                "Si elle a été convenue : sans l'accord de l'arbitre, la partie continue \
                 ({article})."
            ),
        ),
    }
}

/// 9.2 and 9.3 hold whatever an event says of draws by agreement: a claim may have been made with
/// this move.
pub(crate) fn may_be_claimed(mv: &Bilingual) -> Advice {
    both(
        format!("A claim with {} would have been right: such a draw needs no consent.", mv.en),
        format!("Une demande avec {} aurait été juste : cette nulle se passe d'accord.", mv.fr),
    )
}

/// III.5, G.5: the same of a claim in the last two minutes.
pub(crate) fn may_be_granted(edition: Edition) -> Advice {
    let article = editions::normal_means_article(edition);
    both(
        format!("If it was a claim of the last two minutes, it needs no consent ({article})."),
        format!(
            "Si c'était une demande des deux dernières minutes, elle se passe d'accord \
                 ({article})."
        ),
    )
}
