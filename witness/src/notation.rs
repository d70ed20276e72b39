//! A move as people write it (Appendix C of the Laws), read in a position.

use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position, Square};

/// Why what is written is not one legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// More than one legal move is written so.
    Ambiguous,
    /// It is a move, and not a legal one here.
    Illegal,
    /// It is no move in any notation that is read here.
    Unreadable,
}

/// Reads algebraic notation, short (`Nf3`) or long (`Ng1-f3`), and the two squares (`g1f3`), the
/// pieces by their English letters. What C.8 and C.13 leave to the player may be there or not:
/// `x`, `:`, `-`, `e.p.`, `=`, `+`, `#`, and castling with zeros.
pub(crate) fn read(position: &Chess, written: &str) -> Result<Move, Unread> {
    let plain = plain(written);
    let by_piece = plain.parse::<SanPlus>().ok().map(|it| by_piece(position, it.san));
    // Two squares without a letter are a pawn's move in long notation, and any piece's by UCI.
    let by_squares = plain.parse::<UciMove>().ok().map(|it| it.to_move(position));
    match (by_piece, by_squares) {
        (Some(Ok(mv)), _) | (_, Some(Ok(mv))) => Ok(mv),
        (Some(Err(why)), _) => Err(why),
        (None, Some(Err(_))) => Err(Unread::Illegal),
        (None, None) => Err(Unread::Unreadable),
    }
}

/// The legal move of this piece to this square, whether or not a capture is written as one.
fn by_piece(position: &Chess, san: San) -> Result<Move, Unread> {
    let San::Normal { role, file, rank, to, promotion, .. } = san else {
        return san.to_move(position).map_err(|_| Unread::Illegal);
    };
    let mut fitting = position.legal_moves().into_iter().filter(|mv| {
        let from = mv.from().filter(|_| mv.castling_side().is_none());
        let here = |it: Square| {
            file.is_none_or(|file| it.file() == file) && rank.is_none_or(|rank| it.rank() == rank)
        };
        let moved = mv.role() == role && mv.to() == to && mv.promotion() == promotion;
        moved && from.is_some_and(here)
    });
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(Unread::Ambiguous),
        (None, _) => Err(Unread::Illegal),
    }
}

/// The same move without what may be left out.
fn plain(written: &str) -> String {
    let written = written.trim().replace("e.p.", "").replace("ep", "");
    let mut plain: String =
        written.chars().filter(|it| !it.is_whitespace() && !"+#!?()-–—:x×".contains(*it)).collect();
    match plain.as_str() {
        "00" | "OO" | "oo" => "O-O".clone_into(&mut plain),
        "000" | "OOO" | "ooo" => "O-O-O".clone_into(&mut plain),
        // `a8Q`, without the `=`: the two squares have a small letter there.
        _ if plain.ends_with(['Q', 'R', 'B', 'N']) && !plain.contains('=') => {
            plain.insert(plain.len() - 1, '=');
        }
        _ => {}
    }
    plain
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use shakmaty::san::San;

    use super::*;

    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    fn san(fen: &str, written: &str) -> Result<String, Unread> {
        let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        read(&position, written).map(|mv| San::from_move(&position, mv).to_string())
    }

    #[test]
    fn a_move_is_read_however_it_is_written() {
        for (fen, written, wanted) in [
            (CASTLING, "0-0", "O-O"),
            (CASTLING, "O-O-O", "O-O-O"),
            (CASTLING, "0-0-0+", "O-O-O"),
            (CASTLING, "e1g1", "O-O"),
            (CASTLING, "Ra1-a5", "Ra5"),
            (CASTLING, "a1a5", "Ra5"),
            (CASTLING, "a1–a5", "Ra5"),
            (CASTLING, "Rh1:h8+", "Rxh8"),
            (CASTLING, "Rh8", "Rxh8"),
            (CASTLING, " Ke2 ", "Ke2"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6 e.p.", "exd6"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "ed6", "exd6"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 2", "a8=Q", "a8=Q"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 2", "a8Q+", "a8=Q"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 2", "a7-a8 (N)", "a8=N"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 2", "a7a8n", "a8=N"),
            ("4k3/8/8/8/8/8/1B6/4K3 w - - 0 2", "Bb2-c3", "Bc3"),
        ] {
            assert_eq!(san(fen, written).as_deref(), Ok(wanted), "{written}");
        }
    }

    #[test]
    fn what_is_no_legal_move_is_distinguished() {
        let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 40";
        for (written, wanted) in [
            ("Nd2", Unread::Ambiguous),
            ("Nf5", Unread::Illegal),
            ("b1b3", Unread::Illegal),
            ("0-0", Unread::Illegal),
            ("a1a2", Unread::Illegal),
            ("", Unread::Unreadable),
            ("?", Unread::Unreadable),
            ("Nf9", Unread::Unreadable),
        ] {
            assert_eq!(san(knights, written), Err(wanted), "{written}");
        }
    }
}
