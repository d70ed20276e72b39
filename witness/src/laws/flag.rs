//! Articles 6.4, 6.8 and 6.9: a fallen flag, as far as the clock tells it, and what follows.

use eboard::FlagMark;
use shakmaty::Color;

use crate::clock::FlagFall;
use crate::incident::{Advice, Bilingual};
use crate::laws::words::{both, of_player_fr, player_en};

/// What follows from a fallen flag, as far as score and time control tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// The time control is not told.
    Unknown,
    /// The moves were made: the next period begins (6.4).
    PeriodPassed,
    /// The game is lost (6.9).
    Loss,
    /// The opponent cannot mate by any series of legal moves: a draw (6.9).
    Draw,
}

impl Consequence {
    /// The stable name for machines.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Unknown => None,
            Self::PeriodPassed => Some("period_passed"),
            Self::Loss => Some("loss"),
            Self::Draw => Some("draw"),
        }
    }
}

/// Everything that is known about a fall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fall<'a> {
    pub fall: &'a FlagFall,
    /// Moves completed, by the score.
    pub completed: u32,
    /// Moves that the period asks for.
    pub required: Option<u32>,
    pub consequence: Consequence,
    /// Whose flag fell before this one.
    pub earlier: Option<Color>,
}

/// How surely it fell, in a stable word.
pub(crate) const fn grade(mark: FlagMark) -> &'static str {
    match mark {
        FlagMark::Final => "final",
        FlagMark::Passed => "passed",
        FlagMark::None => "zero",
    }
}

pub(crate) fn text(fall: &FlagFall) -> Bilingual {
    let (en, fr) = (player_en(fall.side), of_player_fr(fall.side));
    let left = fall.opponent;
    both(
        format!("{en}'s flag has fallen; the opponent has {left}."),
        format!("Le drapeau {fr} est tombé ; il reste {left} à l'adversaire."),
    )
}

pub(crate) fn both_text() -> Bilingual {
    both(
        "Both flags have fallen, and no reading tells which was first.",
        "Les deux drapeaux sont tombés, et rien ne dit lequel en premier.",
    )
}

pub(crate) fn both_advice(last_period: Option<bool>) -> Vec<Advice> {
    let mut advice = vec![both(
        "If the clock does not show which flag fell first: in the last period the game is drawn, \
         in an earlier one it goes on.",
        "Si la pendule ne montre pas quel drapeau est tombé le premier : en dernière période la \
         partie est nulle, avant elle continue.",
    )];
    if let Some(last) = last_period {
        advice.push(match last {
            true => both("This is the last period.", "C'est la dernière période."),
            false => both("Another period follows.", "Une autre période suit."),
        });
    }
    advice
}

pub(crate) fn advice(it: &Fall<'_>) -> Vec<Advice> {
    let mut advice = vec![moves(it)];
    match it.consequence {
        Consequence::Unknown => {}
        Consequence::PeriodPassed => advice.push(both(
            "The moves were made: the next period begins (6.4).",
            "Les coups sont faits : la période suivante commence (6.4).",
        )),
        Consequence::Loss => advice.push(both(
            "The game is lost, unless the opponent cannot mate by any series of legal moves (6.9).",
            "La partie est perdue, sauf si l'adversaire ne peut mater par aucune suite de coups \
             légaux (6.9).",
        )),
        Consequence::Draw => advice.push(both(
            "The opponent cannot mate by any series of legal moves: the game is drawn (6.9).",
            "L'adversaire ne peut mater par aucune suite de coups légaux : partie nulle (6.9).",
        )),
    }
    if let Some(first) = it.earlier {
        advice.push(both(
            format!("{}'s flag fell first.", player_en(first)),
            format!("Le drapeau {} est tombé le premier.", of_player_fr(first)),
        ));
    }
    if it.fall.mark == FlagMark::None {
        advice.push(both(
            "The clock shows zero but no flag sign: look at the clock.",
            "La pendule est à zéro sans signe de drapeau : regarder la pendule.",
        ));
    }
    advice
}

fn moves(it: &Fall<'_>) -> Advice {
    let (en, fr, completed) = (player_en(it.fall.side), of_player_fr(it.fall.side), it.completed);
    match it.required {
        Some(required) => both(
            format!("{en} had to complete {required} moves; the board counts {completed} (6.4)."),
            format!("Coups requis {fr} : {required} ; l'échiquier en compte {completed} (6.4)."),
        ),
        None => both(
            format!(
                "Check at once whether {en} has completed the moves required (6.4): the board \
                 counts {completed}."
            ),
            format!(
                "Vérifier aussitôt si le nombre de coups requis {fr} est atteint (6.4) : \
                 l'échiquier en compte {completed}."
            ),
        ),
    }
}
