//! Guideline I (Appendix E in 2014): what is written in an envelope, and a reply that is sealed in
//! its turn. Words and advice.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position};

use crate::incident::{Advice, Bilingual, Kind};
use crate::laws::case::in_both;
use crate::laws::editions;
use crate::laws::words::{both, of_player_fr, player_en, player_fr, the_player_fr};
use crate::notation::{self, Unread};
use crate::settings::Edition;

/// What is written in an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Who has sealed it.
    pub by: Color,
    /// The move, where it is one.
    pub verdict: Verdict,
    /// In words.
    pub text: Bilingual,
}

/// Whether it is a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One legal move and no other: in SAN and UCI, and whether it ends the game.
    Legal {
        /// As `Nf3`.
        san: String,
        /// As `g1f3`.
        uci: String,
        /// `checkmate` or `stalemate`.
        ends: Option<&'static str>,
    },
    /// More than one legal move is written so.
    Ambiguous,
    /// No legal move is written so.
    Illegal,
    /// It is no move in any notation that is read here.
    Unreadable,
}

impl Verdict {
    /// The stable word for machines.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Legal { .. } => "legal",
            Self::Ambiguous => "ambiguous",
            Self::Illegal => "illegal",
            Self::Unreadable => "unreadable",
        }
    }
}

/// What this is in that position.
#[must_use]
pub(crate) fn check(position: &Chess, written: &str, edition: Edition) -> Sealed {
    let by = position.turn();
    let verdict = match notation::read(position, written) {
        Ok(mv) => legal(position, mv),
        Err(Unread::Ambiguous) => Verdict::Ambiguous,
        Err(Unread::Illegal) => Verdict::Illegal,
        Err(Unread::Unreadable) => Verdict::Unreadable,
    };
    let text = told(by, written.trim(), &verdict, edition);
    Sealed { by, verdict, text }
}

fn legal(position: &Chess, mv: Move) -> Verdict {
    let san = SanPlus::from_move(position.clone(), mv).to_string();
    let uci = mv.to_uci(position.castles().mode()).to_string();
    let mut after = position.clone();
    after.play_unchecked(mv);
    let ends = match (after.is_checkmate(), after.is_stalemate()) {
        (true, _) => Some("checkmate"),
        (_, true) => Some("stalemate"),
        _ => None,
    };
    Verdict::Legal { san, uci, ends }
}

fn told(by: Color, written: &str, verdict: &Verdict, edition: Edition) -> Bilingual {
    let (en, fr) = (player_en(by), of_player_fr(by));
    let lost = lost(by, verdict, edition);
    match verdict {
        Verdict::Legal { san, ends, .. } => {
            let mv = in_both(san);
            let over = ended(*ends, edition);
            both(
                format!("{}, sealed by {en}, is one legal move.{}", mv.en, over.en),
                format!("{}, coup sous pli {fr}, est un seul coup légal.{}", mv.fr, over.fr),
            )
        }
        Verdict::Ambiguous => both(
            format!("“{written}” may be more than one legal move: {}", lost.en),
            format!("« {written} » peut être plus d'un coup légal : {}", lost.fr),
        ),
        Verdict::Illegal => both(
            format!("“{written}” is no legal move here: {}", lost.en),
            format!("« {written} » n'est pas un coup légal ici : {}", lost.fr),
        ),
        Verdict::Unreadable => both(
            format!(
                "“{written}” cannot be read as a move. If nobody can say what it means: {}",
                lost.en
            ),
            format!(
                "« {written} » ne se lit pas comme un coup. Si personne ne peut en établir le \
                 sens : {}",
                lost.fr
            ),
        ),
    }
}

/// What I.8 provides, and the exception of 6.9.
fn lost(by: Color, verdict: &Verdict, edition: Edition) -> Bilingual {
    let article = editions::sealed_article(verdict, edition);
    let (en, fr) = (player_en(by), player_fr(by));
    both(
        format!(
            "{en} loses ({article}); it is drawn if the opponent cannot mate by any series of \
             legal moves (6.9)."
        ),
        format!(
            "{fr} perdent ({article}) ; nulle si l'adversaire ne peut mater par aucune suite de \
             coups légaux (6.9)."
        ),
    )
}

fn ended(how: Option<&'static str>, edition: Edition) -> Bilingual {
    let article = editions::late_article(edition);
    match how {
        None => both("", ""),
        Some("checkmate") => both(
            format!(" It mates: the game is over, whoever is there ({article})."),
            format!(" Il mate : la partie est finie, qui que soit présent ({article})."),
        ),
        Some(_) => both(
            format!(" It is stalemate: the game is over, whoever is there ({article})."),
            format!(" Il fait pat : la partie est finie, qui que soit présent ({article})."),
        ),
    }
}

/// `known`: an arbiter has said that the other one is absent.
pub(crate) fn reply(by: Color, known: bool) -> Bilingual {
    let (en, fr, other_en, other_fr) =
        (player_en(by), player_fr(by), player_en(!by), the_player_fr(!by));
    if known {
        return both(
            format!(
                "{en} has pressed without making a move: a sealed reply, as {other_en} is absent."
            ),
            format!("{fr} ont appuyé sans jouer : une réponse sous pli, {other_fr} étant absents."),
        );
    }
    both(
        format!(
            "{en} has pressed without making a move, and {other_en}, who had sealed, has given no \
             sign since play was resumed: it may be a sealed reply."
        ),
        format!(
            "{fr} ont appuyé sans jouer, et {other_fr}, qui avaient mis leur coup sous pli, n'ont \
             donné aucun signe depuis la reprise : ce peut être une réponse sous pli."
        ),
    )
}

pub(crate) fn reply_advice(by: Color, known: bool, edition: Edition) -> Vec<Advice> {
    let article = editions::article(Kind::SealedReply, edition);
    let other = !by;
    let mut advice = vec![both(
        format!(
            "Keep the new envelope; open it when {} arrives and make the reply on the board \
             ({article}).",
            player_en(other)
        ),
        format!(
            "Garder la nouvelle enveloppe ; l'ouvrir à l'arrivée {} et jouer la réponse sur \
             l'échiquier ({article}).",
            of_player_fr(other)
        ),
    )];
    if !known {
        let pressed = editions::article(Kind::PressedWithoutMove, edition);
        advice.push(both(
            format!("If {} is at the board: a press without a move ({pressed}).", player_en(other)),
            format!(
                "Si {} sont à l'échiquier : un appui sans coup ({pressed}).",
                the_player_fr(other)
            ),
        ));
    }
    advice
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    fn verdict(fen: &str, written: &str) -> Verdict {
        let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        check(&position, written, Edition::Y2018).verdict
    }

    /// I.8.1 to I.8.3.
    #[test]
    fn a_sealed_move_is_legal_ambiguous_illegal_or_unreadable() {
        let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 40";
        assert_eq!(verdict(knights, "Nd2"), Verdict::Ambiguous);
        let Verdict::Legal { san, uci, ends } = verdict(knights, "Nbd2") else { panic!() };
        assert_eq!((san.as_str(), uci.as_str(), ends), ("Nbd2", "b1d2", None));
        assert_eq!(verdict(knights, "Nf5"), Verdict::Illegal);
        assert_eq!(verdict(knights, "b1b3"), Verdict::Illegal);
        assert_eq!(verdict(knights, "?"), Verdict::Unreadable);
        let mate = verdict("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 40", "Ra8#");
        assert!(matches!(mate, Verdict::Legal { ends: Some("checkmate"), .. }), "{mate:?}");
    }

    #[test]
    fn each_edition_names_its_own_article() {
        let position = Chess::default();
        let told = |edition| check(&position, "Ke5", edition).text.en;
        assert!(told(Edition::Y2014).contains("(E.8.c)"), "{}", told(Edition::Y2014));
        assert!(told(Edition::Y2018).contains("(I.8.3)"), "{}", told(Edition::Y2018));
    }
}
