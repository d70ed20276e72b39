//! Guideline I (Appendix E in 2014): what is written in an envelope, and a reply that is sealed in
//! its turn. Words and advice.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position};

use crate::ending::EndedBy;
use crate::incident::{Advice, Kind};
use crate::laws::editions;
use crate::message::{Message, Written};
use crate::notation::{self, Unread};
use crate::say;
use crate::settings::Edition;

/// What is written in an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Who has sealed it.
    pub by: Color,
    /// The move, where it is one.
    pub verdict: Verdict,
    /// In words.
    pub text: Message,
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
        /// Checkmate or stalemate.
        ends: Option<EndedBy>,
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
    let text = text_of(by, written.trim(), &verdict, edition);
    Sealed { by, verdict, text }
}

fn legal(position: &Chess, mv: Move) -> Verdict {
    let san = SanPlus::from_move(position.clone(), mv).to_string();
    let uci = mv.to_uci(position.castles().mode()).to_string();
    let mut after = position.clone();
    after.play_unchecked(mv);
    let ends = match (after.is_checkmate(), after.is_stalemate()) {
        (true, _) => Some(EndedBy::Checkmate),
        (_, true) => Some(EndedBy::Stalemate),
        _ => None,
    };
    Verdict::Legal { san, uci, ends }
}

fn text_of(by: Color, written: &str, verdict: &Verdict, edition: Edition) -> Message {
    let lost = lost(by, verdict, edition);
    match verdict {
        Verdict::Legal { san, ends, .. } => {
            let legal = say::sealed_legal(Written(san.clone()), by);
            match ended(*ends, edition) {
                Some(over) => legal.then(over),
                None => legal,
            }
        }
        Verdict::Ambiguous => say::sealed_ambiguous(written, lost),
        Verdict::Illegal => say::sealed_illegal(written, lost),
        Verdict::Unreadable => say::sealed_unreadable(written, lost),
    }
}

/// What I.8 provides, and the exception of 6.9.
fn lost(by: Color, verdict: &Verdict, edition: Edition) -> Message {
    let article = editions::sealed_article(verdict, edition);
    say::sealer_loses(by, article)
}

fn ended(how: Option<EndedBy>, edition: Edition) -> Option<Message> {
    let article = editions::late_article(edition);
    match how? {
        EndedBy::Checkmate => Some(say::sealed_mates(article)),
        _ => Some(say::sealed_stalemates(article)),
    }
}

/// `known`: an arbiter has said that the other one is absent.
pub(crate) fn reply(by: Color, known: bool) -> Message {
    if known {
        return say::sealed_reply(by, !by);
    }
    say::maybe_sealed_reply(by, !by)
}

pub(crate) fn reply_advice(by: Color, known: bool, edition: Edition) -> Vec<Advice> {
    let article = editions::article(Kind::SealedReply, edition);
    let other = !by;
    let mut advice = vec![say::keep_the_envelope(other, article)];
    if !known {
        let pressed = editions::article(Kind::PressedWithoutMove, edition);
        advice.push(say::if_at_the_board(other, pressed));
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
        assert!(matches!(mate, Verdict::Legal { ends: Some(EndedBy::Checkmate), .. }), "{mate:?}");
    }

    #[test]
    fn each_edition_names_its_own_article() {
        let position = Chess::default();
        let text = |edition| check(&position, "Ke5", edition).text;
        let said = |article| say::sealed_illegal("Ke5", say::sealer_loses(Color::White, article));
        assert_eq!(text(Edition::Y2014), said("E.8.c"));
        assert_eq!(text(Edition::Y2018), said("I.8.3"));
    }
}
