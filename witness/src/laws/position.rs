//! Articles 7.4 to 7.6: squares and score disagree, and what is said about illegal moves.

use eboard::FaceTime;
use shakmaty::{
    Bitboard, Board, ByColor, CastlingSide, Chess, Color, Move, Position, Role, Square,
};

use crate::candidates::captured;
use crate::incident::{Advice, Bilingual, Kind};
use crate::laws::case::san;
use crate::laws::editions::{self, penalty_article};
use crate::laws::illegal::{Bar, IllegalMove, Why};
use crate::laws::words::{
    self, a_piece_fr, agreeing_e, both, capital, of_player_fr, piece_en, piece_fr, player_en,
    player_fr,
};
use crate::settings::{Edition, Settings};

/// What the alert about squares that disagree says.
pub(crate) fn to_check(squares: Bitboard, candidates: usize) -> Bilingual {
    let Bilingual { en, fr } = words::squares(squares);
    match candidates {
        0 => both(
            format!("Board and score disagree on {en}."),
            format!("L'échiquier et la partie enregistrée diffèrent sur {fr}."),
        ),
        1 => both(
            format!("Moves were missed: one order explains the board. Differing: {en}."),
            format!("Des coups ont échappé : une suite l'explique. Différences : {fr}."),
        ),
        many => both(
            format!("Moves were missed: {many} orders explain the board. Differing: {en}."),
            format!("Des coups ont échappé : {many} suites l'expliquent. Différences : {fr}."),
        ),
    }
}

/// The same where an earlier doubt is still open, from this move on.
pub(crate) fn with_earlier_doubt(text: &Bilingual, number: u32) -> Bilingual {
    both(
        format!("{} An earlier doubt is still open: check from move {number} on.", text.en),
        format!("{} Un doute antérieur subsiste : vérifier depuis le coup {number}.", text.fr),
    )
}

/// The same alert without that about the move of this number.
pub(crate) fn without_earlier_doubt(text: &Bilingual, number: u32) -> Bilingual {
    let said = with_earlier_doubt(&both("", ""), number);
    let without = |text: &str, said: &str| text.strip_suffix(said).unwrap_or(text).to_owned();
    both(without(&text.en, &said.en), without(&text.fr, &said.fr))
}

/// What the alert says about moves that can be read in several ways.
pub(crate) fn ways_to_check(ways: usize) -> Bilingual {
    both(
        format!("The position is right, but {ways} orders of the last moves lead to it."),
        format!("La position est juste, mais {ways} ordres des derniers coups y mènent."),
    )
}

/// What the alert says about a board of which only changes are known.
pub(crate) fn never_told() -> Bilingual {
    both(
        "The board tells of changes but has not told its position: no score is made.",
        "L'échiquier signale des changements sans avoir dit sa position : rien n'est noté.",
    )
}

/// What the alert says when a clock is started and the board does not show a starting position.
pub(crate) fn not_set_up(squares: Bitboard) -> Bilingual {
    let Bilingual { en, fr } = words::squares(squares);
    both(
        format!(
            "The clock was started, and the board does not see the starting position on {en}: \
             no score is made. Put down again what stands there."
        ),
        format!(
            "La pendule a été lancée et l'échiquier ne voit pas la position de départ sur {fr} : \
             rien n'est noté. Reposer ce qui s'y trouve."
        ),
    )
}

/// What the alert says about moves made while both times stand.
pub(crate) fn made_while_stopped() -> Bilingual {
    both(
        "Moves are made while both clocks are stopped: do they belong to the game?",
        "Des coups sont joués alors que la pendule est arrêtée : sont-ils de la partie ?",
    )
}

/// What the alert says about moves that nobody saw, where others may lead to the same position.
pub(crate) fn moves_unseen() -> Bilingual {
    both(
        "The position is right, but nobody saw the last moves: others may lead to it.",
        "La position est juste, mais personne n'a vu les derniers coups : d'autres y mènent \
         peut-être.",
    )
}

/// What the alert says when moves were seen in an order in which they are not legal.
pub(crate) fn order_contradicted() -> Bilingual {
    both(
        "The position is right, but the last moves were seen in another order than that of the \
         score: a player may have moved twice in a row.",
        "La position est juste, mais les derniers coups ont été vus dans un autre ordre que celui \
         de la partie : un joueur a peut-être joué deux fois de suite.",
    )
}

/// What the alert says when the line was out and the board has not told all its squares since.
pub(crate) fn nobody_saw() -> Bilingual {
    both(
        "The line was out and the board does not tell its position: compare the score.",
        "La liaison a été coupée et l'échiquier ne dit pas sa position : comparer la partie.",
    )
}

/// What the alert says about moves that nobody saw and no search finds.
pub(crate) fn moves_missing() -> Bilingual {
    both(
        "The game goes on from what stands there; moves before it were not seen.",
        "La partie continue de la position réelle ; des coups avant elle n'ont pas été vus.",
    )
}

/// What the alert says when a player pressed without a move and his opponent went on.
pub(crate) fn turn_passed(by: Color) -> Bilingual {
    both(
        format!(
            "The turn of {} is passed in the score: he pressed without a move, and the opponent \
             has played on.",
            player_en(by)
        ),
        format!(
            "Le tour {} est passé dans la partie notée : appui sans coup, et l'adversaire a \
             continué.",
            of_player_fr(by)
        ),
    )
}

/// What the alert says when a game ended while something was not explained.
pub(crate) fn last_moves_to_check() -> Bilingual {
    both(
        "The result is in, but the last moves are not certain: compare the score sheets.",
        "Le résultat est là, mais les derniers coups ne sont pas sûrs : comparer les feuilles.",
    )
}

/// What the alert says where a blind board may show both kings in the centre, or a move.
pub(crate) fn result_to_check() -> Bilingual {
    both(
        "The players may have shown a result with their kings, or a move is in the hand: ask them.",
        "Les joueurs ont peut-être indiqué un résultat avec leurs rois, ou un coup est en main : \
         leur demander.",
    )
}

/// What the alert says where both kings stand in the centre, and it is no sign beyond doubt.
pub(crate) fn kings_to_check() -> Bilingual {
    both(
        "Both kings stand in the centre: a result, or an illegal move that nobody has pressed for. \
         Ask the players.",
        "Les deux rois sont au centre : un résultat, ou un coup illégal sans appui. Demander aux \
         joueurs.",
    )
}

/// What the alert says where both kings stood in the centre and were put back, and nobody has
/// pressed since.
pub(crate) fn kings_left() -> Bilingual {
    both(
        "Both kings stood in the centre and were put back; nobody has pressed since. If the game \
         is over, what is moved now is of no game: ask the players.",
        "Les deux rois étaient au centre et ont été remis ; personne n'a appuyé depuis. Si la \
         partie est finie, ce qui se joue n'en est plus : demander aux joueurs.",
    )
}

/// What the alert says after the program itself has failed at a table.
pub(crate) fn fault(again: bool) -> Bilingual {
    if again {
        return both(
            "The program failed at this table again: set the true position.",
            "Le programme a de nouveau échoué à cette table : régler la vraie position.",
        );
    }
    both(
        "The program failed at this table and gave up one message: compare score and board.",
        "Le programme a échoué à cette table et perdu un message : comparer partie et échiquier.",
    )
}

/// What an arbiter can do about squares that disagree.
pub(crate) fn to_check_advice() -> Vec<Advice> {
    vec![both(
        "Compare the board with the players' score sheets and set the true position.",
        "Comparer l'échiquier aux feuilles de partie et régler la vraie position.",
    )]
}

/// What the alert about an illegal move says.
pub(crate) fn illegal(mv: &IllegalMove, picture: &Board) -> Bilingual {
    let (en, fr) = why(mv, picture);
    let name = |square: Square| square.to_string();
    let sign = if mv.captured.is_some() { "x" } else { "–" };
    let (piece, from, to) = (mv.piece, name(mv.from), name(mv.to));
    both(
        format!(
            "{} played {} {from}{sign}{to} and pressed: {en}.",
            player_en(piece.color),
            piece_en(piece.role)
        ),
        format!(
            "{} ont joué {} {from}{sign}{to} et appuyé sur la pendule : {fr}.",
            player_fr(piece.color),
            piece_fr(piece.role)
        ),
    )
}

/// Before 2014 no arbiter pointed out an illegal move in rapid and blitz that nobody supervises: so
/// the commentary on A.4.b of 2014.
pub(crate) fn not_pointed_out(settings: &Settings) -> Option<Advice> {
    let holds = settings.edition == Edition::Y2005 && settings.is_unsupervised();
    holds.then(|| {
        both(
            "The arbiter does not point it out: the opponent may claim it before his next move.",
            "L'arbitre ne le signale pas : à l'adversaire de le réclamer avant son prochain coup.",
        )
    })
}

/// What the Laws provide after an illegal move.
pub(crate) fn illegal_advice(
    mv: &IllegalMove,
    before: &Chess,
    hands: Hands,
    clocks: Option<ByColor<FaceTime>>,
    edition: Edition,
) -> Vec<Advice> {
    let article = penalty_article(edition);
    let penalty = both(
        format!("The penalty of Article {article} applies."),
        format!("La sanction de l'article {article} s'applique."),
    );
    if mv.why == Why::NotPromoted {
        return vec![obligation(mv, before, hands, edition), penalty];
    }
    let mut advice = Vec::new();
    match clocks {
        Some(times) => advice.push(both(
            format!(
                "Stop the clocks and reinstate the position before the move; before the press \
                 they showed White {}, Black {}.",
                times.white, times.black
            ),
            format!(
                "Arrêter la pendule et rétablir la position d'avant le coup ; avant l'appui, elle \
                 affichait Blancs {}, Noirs {}.",
                times.white, times.black
            ),
        )),
        None => advice.push(both(
            "Reinstate the position before the move.",
            "Rétablir la position d'avant le coup.",
        )),
    }
    advice.push(obligation(mv, before, hands, edition));
    advice.push(penalty);
    advice
}

fn why(mv: &IllegalMove, picture: &Board) -> (String, String) {
    let en = piece_en(mv.piece.role);
    let of = |en: &str, fr: &str| (en.to_owned(), fr.to_owned());
    match mv.why {
        Why::Geometry => (
            format!("a {en} does not move so"),
            format!("{} ne se déplace pas ainsi", a_piece_fr(mv.piece.role)),
        ),
        Why::Through(square) => (
            format!("there is a piece in between on {square}"),
            format!("une pièce se trouve sur son chemin en {square}"),
        ),
        Why::OwnPiece => {
            of("a piece of the same colour stood there", "une pièce de même couleur s'y trouvait")
        }
        Why::OwnKingInCheck(attackers) => (
            format!("it leaves the king in check from {}", named(attackers, picture, piece_en)),
            format!("leur roi reste en échec par {}", named(attackers, picture, piece_fr)),
        ),
        Why::KingCaptured => of("the king was captured", "le roi a été pris"),
        Why::Castling(bar) => castling(bar, picture),
        Why::EnPassant => {
            of("no pawn could be captured en passant", "aucun pion n'était prenable en passant")
        }
        Why::NotPromoted => of("the pawn was not replaced", "le pion n'a pas été remplacé"),
    }
}

fn castling(bar: Bar, picture: &Board) -> (String, String) {
    let of = |en: &str, fr: &str| (en.to_owned(), fr.to_owned());
    match bar {
        Bar::Right => {
            of("the right to castle there had been lost", "le droit à ce roque était perdu")
        }
        Bar::Between(square) => (
            format!("no castling over the piece on {square}"),
            format!("pas de roque par-dessus la pièce en {square}"),
        ),
        Bar::Check(by) => (
            format!("no castling out of check from {}", named(by, picture, piece_en)),
            format!("pas de roque sous l'échec par {}", named(by, picture, piece_fr)),
        ),
        Bar::Attacked(square, by) => (
            format!("no castling, {square} is attacked by {}", named(by, picture, piece_en)),
            format!("pas de roque, {square} est attaqué par {}", named(by, picture, piece_fr)),
        ),
        Bar::RookLeft => {
            of("castling without moving the rook", "un roque dont la tour n'a pas été jouée")
        }
        Bar::Squares => of(
            "king and rook do not go there in castling",
            "le roi et la tour ne vont pas là en roquant",
        ),
    }
}

/// The pieces on these squares by name: `queen h5, rook e1`.
fn named(squares: Bitboard, picture: &Board, name: fn(Role) -> &'static str) -> String {
    let pieces = squares
        .into_iter()
        .filter_map(|square| Some(format!("{} {square}", name(picture.role_at(square)?))));
    pieces.collect::<Vec<_>>().join(", ")
}

/// What hands did with the other piece that an illegal move has moved or taken off.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hands {
    /// The rook that was moved with the king.
    pub rook: Option<Square>,
    /// It, or what was captured, was clearly lifted before the piece that moved.
    pub other_first: bool,
}

/// Articles 4.3 and 4.4 bind the move that replaces an illegal one: the piece that moved, or if it
/// cannot move the capture of what it captured; the other way round where that was touched first.
/// A king that was let go of two squares away has begun to castle (4.7.2); with a rook it was
/// touched to castle (4.4). Nothing: any legal move will do (4.5).
pub(crate) fn obliged(mv: &IllegalMove, before: &Chess, hands: Hands) -> Vec<Move> {
    let mut legal = before.legal_moves();
    // A king that an illegal move has left in check is not to be captured.
    let king = before.board().king_of(before.turn().other());
    legal.retain(|it| Some(it.to()) != king);
    let of = |from: Square| legal.iter().copied().filter(move |it| it.from() == Some(from));
    if mv.why == Why::NotPromoted {
        let queen = |it: &Move| it.to() == mv.to && it.promotion() == Some(Role::Queen);
        return of(mv.from).filter(queen).collect();
    }
    if let Some(rook) = hands.rook.filter(|_| hands.other_first) {
        let own: Vec<Move> = of(rook).collect();
        let beside = |it: &Move| !is_castling_with(it, rook);
        return if own.is_empty() { of(mv.from).filter(beside).collect() } else { own };
    }
    if has_begun_to_castle(mv) {
        let begun = |it: &Move| {
            it.castling_side().is_some_and(|side| side.king_to(mv.piece.color) == mv.to)
        };
        return of(mv.from).filter(begun).collect();
    }
    if let Some(castling) =
        hands.rook.and_then(|rook| of(mv.from).find(|it| is_castling_with(it, rook)))
    {
        return vec![castling];
    }
    let own: Vec<Move> = of(mv.from).collect();
    let taken = mv.taken();
    let captures = legal.iter().copied().filter(|it| taken.is_some() && captured(*it) == taken);
    let captures: Vec<Move> = captures.collect();
    if own.is_empty() || hands.other_first && !captures.is_empty() { captures } else { own }
}

/// The king stands where castling takes it.
fn has_begun_to_castle(mv: &IllegalMove) -> bool {
    let there = CastlingSide::ALL.map(|side| side.king_to(mv.piece.color)).contains(&mv.to);
    there && matches!(mv.why, Why::Castling(Bar::RookLeft | Bar::Squares))
}

fn is_castling_with(mv: &Move, rook: Square) -> bool {
    matches!(mv, Move::Castle { rook: it, .. } if *it == rook)
}

fn obligation(mv: &IllegalMove, before: &Chess, hands: Hands, edition: Edition) -> Advice {
    let begun = has_begun_to_castle(mv);
    let begun_by = editions::begun_castling_article(edition);
    let article = match mv.why {
        Why::Castling(_) => editions::article(Kind::MustMoveKing, edition),
        _ => "4.3",
    };
    let (piece_e, piece_f) = (piece_en(mv.piece.role), capital(piece_fr(mv.piece.role)));
    let e = agreeing_e(mv.piece.role);
    if mv.why == Why::NotPromoted {
        return both(
            format!("The pawn on {} is replaced by a queen.", mv.to),
            format!("Le pion en {} est remplacé par une dame.", mv.to),
        );
    }
    match obliged(mv, before, hands).first() {
        Some(Move::Castle { .. }) if begun => both(
            format!("The king was put on {}: only castling there is allowed ({begun_by}).", mv.to),
            format!("Le roi a été lâché en {} : seul ce roque est permis ({begun_by}).", mv.to),
        ),
        Some(castling) if hands.rook.is_some_and(|rook| is_castling_with(castling, rook)) => {
            touched_to_castle(&san(before, *castling), edition)
        }
        Some(first) if first.from() == Some(mv.from) => both(
            format!("The {piece_e} of {} must be moved ({article}).", mv.from),
            format!("{piece_f} de {} doit être joué{e} ({article}).", mv.from),
        ),
        Some(first) if first.from().is_some() && first.from() == hands.rook => {
            rook_first(hands.rook.unwrap_or(mv.from), edition)
        }
        Some(capture) => {
            let taken = captured(*capture).unwrap_or(mv.to);
            both(
                format!("The piece on {taken} must be captured (4.3)."),
                format!("La pièce en {taken} doit être prise (4.3)."),
            )
        }
        None => both(
            format!("The {piece_e} of {} has no legal move: any move will do (4.5).", mv.from),
            format!("{piece_f} de {} n'a pas de coup légal : coup libre (4.5).", mv.from),
        ),
    }
}

/// 4.4.1.
fn touched_to_castle(castling: &Bilingual, edition: Edition) -> Advice {
    let article = editions::article(Kind::MustCastle, edition);
    both(
        format!("King and rook were touched: {} must be played ({article}).", castling.en),
        format!("Roi et tour ont été touchés : il faut jouer {} ({article}).", castling.fr),
    )
}

/// 4.4.2.
fn rook_first(rook: Square, edition: Edition) -> Advice {
    let article = editions::article(Kind::CastledRookFirst, edition);
    both(
        format!("The rook of {rook} was touched first: it must be moved ({article})."),
        format!("La tour de {rook} a été touchée d'abord : il faut la jouer ({article})."),
    )
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;
    use crate::laws::illegal;

    #[test]
    fn an_illegal_move_obliges_to_move_the_piece_or_to_capture_or_to_nothing() {
        let cases = [
            // e2–e5.
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                "4k3/8/8/4P3/8/8/8/4K3",
                vec!["e3", "e4"],
                "e2 must be moved",
            ),
            // A pinned knight captures a pawn that the king could capture.
            (
                "4r1k1/8/8/8/8/8/3pN3/4K3 w - - 0 1",
                "4r1k1/8/8/8/8/8/3N4/4K3",
                vec!["Kxd2"],
                "d2 must be captured",
            ),
            // In passing where no pawn has passed; only the rook could capture that pawn.
            (
                "4k3/8/4n3/R2pP3/8/8/8/4K3 w - - 0 1",
                "4k3/8/3Pn3/R7/8/8/8/4K3",
                vec!["Rxd5"],
                "d5 must be captured",
            ),
            // Castling that was not to be had, and castling of which only the king was moved.
            (
                "4k3/8/8/8/8/8/5PPP/r3KN1R w K - 0 1",
                "4k3/8/8/8/8/8/5PPP/r4NKR",
                vec!["Kd2", "Ke2"],
                "e1 must be moved (4.4.3)",
            ),
            (
                "4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1",
                "4k3/8/8/8/8/8/5PPP/6KR",
                vec!["O-O"],
                "only castling there",
            ),
            (
                "4k3/6P1/8/8/8/8/8/4K3 w - - 0 1",
                "4k1P1/8/8/8/8/8/8/4K3",
                vec!["g8=Q"],
                "g8 is replaced by a queen",
            ),
            ("k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1", "k3r3/8/8/8/5N2/8/8/4K3", vec![], "any move"),
        ];
        for (fen, picture, wanted, said) in cases {
            let before: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let picture = Board::from_ascii_board_fen(picture.as_bytes()).unwrap();
            let mv = illegal::explain(&before, &picture).unwrap();
            let moves = obliged(&mv, &before, Hands::default());
            let san = moves.iter().map(|mv| San::from_move(&before, *mv).to_string());
            assert_eq!(san.collect::<Vec<_>>(), wanted, "{fen}");
            let advice = obligation(&mv, &before, Hands::default(), Edition::Y2023).en;
            assert!(advice.contains(said), "{fen}: {advice}");
        }
    }
}
