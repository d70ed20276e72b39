//! Articles 6.4, 6.8 and 6.9: a fallen flag, as far as the clock tells it, and what follows.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{FaceTime, FlagMark, Moment};
use shakmaty::{ByColor, Chess, Color, Position};

use crate::clock::FlagFall;
use crate::incident::{Advice, Bilingual};
use crate::laws::editions;
use crate::laws::words::{both, of_player_fr, player_en, player_fr, the_player_fr, to_player_fr};
use crate::settings::Edition;
use crate::unwinnable::Verdict;

/// Two reports of a clock: a fall within them needs no words about when.
const PROMPT: Duration = Duration::from_millis(2500);

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
    /// Loss or draw: whether the opponent can mate was not found out (6.9).
    Undetermined,
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
            Self::Undetermined => Some("undetermined"),
        }
    }
}

impl Fall<'_> {
    /// The stable name for machines of what follows: nothing while the fall itself is in doubt.
    pub fn follows(&self) -> Option<&'static str> {
        let passed = self.consequence == Consequence::PeriodPassed;
        self.consequence.name().filter(|_| passed || self.fall.ours.is_none())
    }
}

/// How a game ends by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnTheBoard {
    Checkmate,
    Stalemate,
    Dead,
    Fivefold,
    SeventyFive,
}

impl OnTheBoard {
    /// What this position shows, if anything.
    pub fn of(position: &Chess) -> Option<Self> {
        match position.legal_moves().is_empty() {
            true if position.is_check() => Some(Self::Checkmate),
            true => Some(Self::Stalemate),
            false => None,
        }
    }

    /// In words, with the Article up to its second number, which all editions share.
    pub(super) const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Checkmate => ("Checkmate", "Mat", "5.1"),
            Self::Stalemate => ("Stalemate", "Pat", "5.2"),
            Self::Dead => ("A dead position", "Position morte", "5.2"),
            Self::Fivefold => ("The fifth repetition", "Cinquième répétition", "9.6"),
            Self::SeventyFive => ("The 75th move", "75e coup", "9.6"),
        }
    }
}

/// The moves of the player whose flag fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Count {
    /// Completed, by the score.
    pub completed: u32,
    /// Asked for by the end of the period.
    pub required: Option<u32>,
    /// The last one was made, and the clock not pressed.
    pub unpressed: bool,
    /// How many of those that are completed nobody saw.
    pub worked_out: u32,
    /// There are no others that the score lacks.
    pub whole: bool,
}

/// Everything that is known about a fall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fall<'a> {
    pub fall: &'a FlagFall,
    pub count: Count,
    pub consequence: Consequence,
    /// Whether the opponent can mate.
    pub mate: &'a Verdict,
    /// Whose flag fell before this one.
    pub earlier: Option<Color>,
    pub around: Around,
}

/// What the event and the players' duties make of a fall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    pub edition: Edition,
    /// Rapid or blitz without adequate supervision.
    pub unsupervised: bool,
    /// Who need not have written in this period (8.4).
    pub unwritten: ByColor<bool>,
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
    let within = fall.last_above_zero.map(|above| fall.seen.since(above));
    match within.filter(|within| *within > PROMPT).map(|it| it.as_millis().div_ceil(1000)) {
        None => both(
            format!("{en}'s flag has fallen; the opponent has {left}."),
            format!("Le drapeau {fr} est tombé ; il reste {left} à l'adversaire."),
        ),
        Some(seconds) => both(
            format!(
                "{en}'s flag has fallen, some time in the last {seconds} s; the opponent has \
                 {left}."
            ),
            format!(
                "Le drapeau {fr} est tombé, à un moment des {seconds} dernières secondes ; il \
                 reste {left} à l'adversaire."
            ),
        ),
    }
}

pub(crate) fn advice(it: &Fall<'_>) -> Vec<Advice> {
    if let Some(first) = it.earlier {
        let decides = both(
            format!("{}'s flag fell first: that fall decides.", player_en(first)),
            format!(
                "Le drapeau {} est tombé le premier : c'est cette chute qui décide.",
                of_player_fr(first)
            ),
        );
        return [decides].into_iter().chain(sign(it)).collect();
    }
    let mut advice = Vec::new();
    if it.count.required.is_some() || it.consequence == Consequence::Unknown {
        advice.push(moves(it.fall.side, &it.count));
        advice.extend(unpressed(it));
        advice.extend(unseen(&it.count));
    }
    advice.extend(it.count.required.and_then(|_| score_sheets(&it.around)));
    if let Some(left) = it.fall.ours.filter(|_| it.consequence != Consequence::PeriodPassed) {
        advice.extend(faulty(it.fall.side, left));
    }
    match it.consequence {
        Consequence::Unknown => advice.push(if_lost_on_time(!it.fall.side, it.mate)),
        Consequence::PeriodPassed if it.count.required.is_none() => advice.push(both(
            "No number of moves is asked for in this period: the next one begins.",
            "Aucun nombre de coups n'est requis dans cette période : la suivante commence.",
        )),
        Consequence::PeriodPassed => advice.push(both(
            "The moves were made: the next period begins (6.4).",
            "Les coups sont faits : la période suivante commence (6.4).",
        )),
        Consequence::Loss => advice.push(both(
            "The game is lost: the opponent can still mate by a series of legal moves (6.9).",
            "La partie est perdue : une suite de coups légaux permet encore à l'adversaire de \
             mater (6.9).",
        )),
        Consequence::Draw => advice.push(both(
            "The opponent cannot mate by any series of legal moves: the game is drawn (6.9).",
            "L'adversaire ne peut mater par aucune suite de coups légaux : partie nulle (6.9).",
        )),
        Consequence::Undetermined => advice.push(both(
            "Whether the opponent can still mate by any series of legal moves is undetermined: the \
             arbiter must judge, loss or draw (6.9).",
            "Il est indéterminé si une suite de coups légaux permet encore à l'adversaire de \
             mater : à l'arbitre de juger, perte ou nulle (6.9).",
        )),
    }
    advice.extend(claim(it));
    advice.extend(sign(it));
    advice
}

/// A.4.c: up to 2014, in rapid and blitz without adequate supervision, a win on time is claimed by
/// a player who has time left himself.
fn claim(it: &Fall<'_>) -> Option<Advice> {
    let article = editions::claimed_on_time_article(it.around.edition)?;
    let open = ![Consequence::PeriodPassed, Consequence::Draw].contains(&it.consequence);
    if !it.around.unsupervised || !open {
        return None;
    }
    let (en, fr) = (player_en(!it.fall.side), the_player_fr(!it.fall.side));
    Some(match it.fall.opponent {
        FaceTime::ZERO => nobody_can_claim(article),
        _ => both(
            format!(
                "To claim the win {en} stops both clocks and calls the arbiter; the claim holds \
                 only with time left on his own clock then ({article})."
            ),
            format!(
                "Pour réclamer le gain, {fr} arrêtent les deux pendules et appellent l'arbitre ; \
                 il doit alors leur rester du temps ({article})."
            ),
        ),
    })
}

/// The same where both have used up their time.
pub(super) fn nobody_can_claim(article: &str) -> Advice {
    both(
        format!("No time is left to either: nobody can claim a win ({article})."),
        format!(
            "Il ne reste de temps à aucun des deux : nul ne peut réclamer le gain ({article})."
        ),
    )
}

/// 8.5: the score sheets at the end of a period, by who had not to write any more.
pub(super) fn score_sheets(around: &Around) -> Option<Advice> {
    let unwritten = around.unwritten;
    let neither = editions::unwritten_article(around.edition, true);
    let one = editions::unwritten_article(around.edition, false);
    match (unwritten.white, unwritten.black) {
        (true, true) => Some(both(
            format!(
                "Neither player had to write: stop the clocks; both complete their score sheets, \
                 then the game goes on ({neither})."
            ),
            format!(
                "Aucun des joueurs ne devait noter : arrêter les pendules ; tous deux complètent \
                 leur feuille, puis la partie continue ({neither})."
            ),
        )),
        (false, false) => None,
        (white, _) => {
            let side = if white { Color::White } else { Color::Black };
            Some(both(
                format!(
                    "Only {} had not to write: the clocks are not stopped, and he completes his \
                     score sheet before he moves a piece ({one}).",
                    player_en(side)
                ),
                format!(
                    "{} seuls ne devaient plus noter : sans arrêt des pendules, ils complètent \
                     leur feuille avant de jouer un coup ({one}).",
                    player_fr(side)
                ),
            ))
        }
    }
}

/// A clock with an evident defect is to be replaced (6.10): what it shows need not be what is left.
fn faulty(side: Color, left: FaceTime) -> [Advice; 2] {
    [
        both(
            format!(
                "The clock does not keep time: by our own clock {} would still have {left}. The \
                 arbiter decides whether this fall counts (6.10).",
                player_en(side)
            ),
            format!(
                "La pendule est défectueuse : selon notre horloge il resterait {left} {}. À \
                 l'arbitre de décider si cette chute compte (6.10).",
                to_player_fr(side)
            ),
        ),
        both("If it does:", "Si oui :"),
    ]
}

/// What the clock itself shows of it, but for a period that has passed.
fn sign(it: &Fall<'_>) -> Option<Advice> {
    match it.fall.mark {
        FlagMark::None => Some(both(
            "The clock shows zero but no flag sign: look at the clock.",
            "La pendule est à zéro sans signe de drapeau : regarder la pendule.",
        )),
        _ if it.consequence == Consequence::PeriodPassed => None,
        FlagMark::Final => Some(both(
            "The clock shows the flag and is blocked at zero.",
            "La pendule montre le drapeau et reste bloquée à zéro.",
        )),
        FlagMark::Passed => Some(both(
            "The clock shows the flag and may run on.",
            "La pendule montre le drapeau et peut continuer.",
        )),
    }
}

/// How long a board takes to read all its squares, at most: what it tells so soon after a reading
/// of the clock may have stood before it.
pub(crate) const SAME_MOMENT: Duration = Duration::from_millis(300);

/// Articles 5 and 6.8: the game was ended by a move made then, when the fall was seen then.
pub(crate) fn ended_after(how: OnTheBoard, made: Moment, seen: Moment) -> [Advice; 2] {
    let (en, fr, article) = how.words();
    let ends = match made.since(seen) {
        later if made > seen && later > SAME_MOMENT => {
            let (when_en, when_fr) = match later.as_secs() {
                0 => ("less than a second".to_owned(), "moins d'une seconde".to_owned()),
                seconds => (format!("{seconds} s"), format!("{seconds} s")),
            };
            both(
                format!(
                    "{en} on the board {when_en} after the fall: it ends the game if nobody had \
                     observed or claimed the fall before ({article}, 6.8)."
                ),
                format!(
                    "{fr} sur l'échiquier {when_fr} après la chute : il met fin à la partie si \
                     personne n'avait encore constaté ou signalé la chute ({article}, 6.8)."
                ),
            )
        }
        _ => both(
            format!(
                "{en} on the board as the flag fell: which came first cannot be told. It ends the \
                 game, unless somebody had observed or claimed the fall before ({article}, 6.8)."
            ),
            format!(
                "{fr} sur l'échiquier au moment de la chute : on ne peut dire lequel fut le \
                 premier. Il met fin à la partie, à moins que la chute n'ait été constatée ou \
                 signalée avant ({article}, 6.8)."
            ),
        ),
    };
    [
        ends,
        both(
            "If somebody had, the flag decides:",
            "Si la chute l'avait été avant, le drapeau décide :",
        ),
    ]
}

/// 6.4: what is checked at once when a flag has fallen.
pub(super) fn moves(side: Color, count: &Count) -> Advice {
    let (en, fr, completed) = (player_en(side), of_player_fr(side), count.completed);
    match count.required {
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

/// A move that was made and not completed is none of those that are counted.
fn unpressed(it: &Fall<'_>) -> Option<Advice> {
    let counts = it.count.required.is_some() && it.consequence != Consequence::PeriodPassed;
    (counts && it.count.unpressed).then(|| {
        both(
            "One more stands on the board, made and not pressed for: it is not completed (6.2).",
            "Un de plus est fait sur l'échiquier, sans appui : il n'est pas achevé (6.2).",
        )
    })
}

/// What the count may lack, or have too much.
fn unseen(count: &Count) -> Option<Advice> {
    match count.worked_out {
        _ if !count.whole => Some(both(
            "The board has not seen every move: count them on the score sheets.",
            "L'échiquier n'a pas vu tous les coups : les compter sur les feuilles de partie.",
        )),
        0 => None,
        1 => Some(both(
            "One of them was worked out, as nobody saw it: count on the score sheets.",
            "L'un d'eux a été déduit sans être vu : compter sur les feuilles de partie.",
        )),
        moves => Some(both(
            format!(
                "{moves} of them were worked out, as nobody saw them: count on the score sheets."
            ),
            format!(
                "{moves} d'entre eux ont été déduits sans être vus : compter sur les feuilles."
            ),
        )),
    }
}

/// Article 6.9, when it is not known whether the flag fell in time.
fn if_lost_on_time(opponent: Color, mate: &Verdict) -> Advice {
    let en = player_en(opponent);
    let fr = the_player_fr(opponent);
    match mate {
        Verdict::Winnable(_) => both(
            format!("If not: {en} wins, for {en} can still checkmate by legal moves (6.9)."),
            format!(
                "Sinon : {fr} gagnent, car une suite de coups légaux leur permet encore de \
                 mater (6.9)."
            ),
        ),
        Verdict::Unwinnable => both(
            format!("If not: draw, for {en} cannot checkmate by any series of legal moves (6.9)."),
            format!(
                "Sinon : partie nulle, car {fr} ne peuvent mater par aucune suite de coups légaux \
                 (6.9)."
            ),
        ),
        Verdict::Undetermined => both(
            format!(
                "If not: whether {en} can still checkmate by legal moves is undetermined: the \
                 arbiter must judge (6.9)."
            ),
            format!(
                "Sinon : il est indéterminé si {fr} peuvent encore mater par une suite de coups \
                 légaux : à l'arbitre de juger (6.9)."
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_within_the_interval_of_the_fall_came_with_it() {
        let at = |ms: u64| Moment::from_micros(ms * 1000);
        let said = |made| ended_after(OnTheBoard::Checkmate, at(made), at(5000))[0].en.clone();
        assert!(said(4900).starts_with("Checkmate on the board as the flag fell:"));
        assert!(said(5200).starts_with("Checkmate on the board as the flag fell:"));
        assert!(
            said(5500).starts_with("Checkmate on the board less than a second after the fall:")
        );
        assert!(said(6100).starts_with("Checkmate on the board 1 s after the fall:"));
    }
}
