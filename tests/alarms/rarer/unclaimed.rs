//! Illegal positions that both players leave standing: there is no such game to be played, so it
//! is cut off and goes on by two moves of its own.

use std::time::Duration;

use adoubed::entry::Watch;
use eboard::Piece;
use rehearsal::{Act, Performance, Rng};
use shakmaty::{Bitboard, Board, Chess, Color, Position, Rank, Role};

use super::{sides_after, square};
use crate::offence::{Expected, Planted, about_the_game, manner, number_of};
use crate::room::Scene;

/// Seeds of games that are tried before it is given up.
const TRIES: u64 = 200;

/// Nothing happens any more after the press for this ply. When that was; none if anybody did
/// anything before it was pressed.
pub fn cut_after(performance: &mut Performance, ply: usize) -> Option<Duration> {
    let made = *performance.made.get(ply)?;
    let after = performance.acts.partition_point(|&(at, _)| at <= made);
    let (_, by) = sides_after(ply);
    let &(pressed, act) = performance.acts.get(after)?;
    if act != Act::Press(by) {
        return None;
    }
    performance.acts.truncate(after + 1);
    performance.made.truncate(ply + 1);
    performance.truth.plies = ply + 1;
    Some(pressed)
}

/// From where to where a piece goes, taking nothing.
type Way = (shakmaty::Square, shakmaty::Square);

pub fn kings_in_check(number: u64, dice: &mut Rng) -> Planted {
    unclaimed(number, dice, "kings_in_check", |position, dice| {
        let (us, them) = (position.turn(), !position.turn());
        let both = |board: &Board| Color::ALL.into_iter().all(|side| is_attacked(board, side));
        let first = quiet_ways(position.board(), us, both);
        let first = dice.pick(&first)?;
        let after = moved(position.board(), first);
        let second = dice.pick(&quiet_ways(&after, them, both))?;
        Some([first, second])
    })
}

pub fn pawn_on_last_rank(number: u64, dice: &mut Rng) -> Planted {
    unclaimed(number, dice, "pawn_on_last_rank", |position, dice| {
        let (us, them) = (position.turn(), !position.turn());
        let seventh = Rank::Seventh;
        let rank = if us == Color::White { seventh } else { seventh.flip_vertical() };
        let pawns = position.our(Role::Pawn) & Bitboard::from_rank(rank);
        let pushes = pawns.into_iter().filter_map(|from| Some((from, ahead(from, us)?)));
        let free = |it: &(_, shakmaty::Square)| !position.board().occupied().contains(it.1);
        let safe = |board: &Board| !is_attacked(board, us);
        let pushes: Vec<_> =
            pushes.filter(free).filter(|it| safe(&moved(position.board(), *it))).collect();
        let first = dice.pick(&pushes)?;
        let after = moved(position.board(), first);
        let legal = |board: &Board| !is_attacked(board, them) && !is_attacked(board, us);
        let second = dice.pick(&quiet_ways(&after, them, legal))?;
        Some([first, second])
    })
}

/// A game that is cut off where these two moves can be made, and then they are.
fn unclaimed(
    number: u64,
    dice: &mut Rng,
    kind: &'static str,
    ways: impl Fn(&Chess, &mut Rng) -> Option<[Way; 2]>,
) -> Planted {
    let (game, ply, ways) = (0..TRIES).find_map(|more| {
        let game = rehearsal::random_game(number + more * 7919, 110, Chess::default());
        let positions: Vec<_> = game.positions().enumerate().skip(8).collect();
        let found = positions.into_iter().filter(|(_, it)| !it.is_game_over());
        let found: Vec<_> = found.filter_map(|(ply, it)| Some((ply, ways(&it, dice)?))).collect();
        let (ply, ways) = dice.pick(&found)?;
        Some((game, ply, ways))
    })?;
    let manner = manner(Vec::new());
    let mut performance = rehearsal::perform(&game, &manner, number);
    let mut at = cut_after(&mut performance, ply)?;
    let board = game.positions().nth(ply)?.board().clone();
    let (mover, other) = sides_after(ply);
    for ((from, to), side) in ways.into_iter().zip([mover, other]) {
        at = carry(&mut performance, at, dice, &board, (from, to));
        at += dice.between((Duration::from_millis(400), Duration::from_millis(1200)));
        performance.acts.push((at, Act::Press(side)));
    }
    performance.acts.push((at + Duration::from_secs(8), Act::StopClock));
    let mut scene = Scene::of(performance, manner.control, number);
    scene.watch = Watch { rate: "blitz".into(), unsupervised: true, ..scene.watch };
    let articles = ["A.4.d", "A.4.4", "A.5.4"];
    let expected = about_the_game(kind, "", number_of(ply + 1));
    Some((scene, Expected { articles, within: 1, ..expected }, game))
}

/// A piece goes there, after some thought.
fn carry(
    performance: &mut Performance,
    since: Duration,
    dice: &mut Rng,
    board: &Board,
    (from, to): Way,
) -> Duration {
    let at = since + dice.between((Duration::from_secs(2), Duration::from_secs(6)));
    let put = at + dice.between((Duration::from_millis(300), Duration::from_millis(800)));
    let piece = board.piece_at(from).and_then(|it| Piece::from_letter(it.char())).unwrap();
    performance.acts.push((at, Act::Lift(square(from))));
    performance.acts.push((put, Act::Put(square(to), piece)));
    put
}

fn is_attacked(board: &Board, side: Color) -> bool {
    let king = board.king_of(side).unwrap();
    board.attacks_to(king, !side, board.occupied()).any()
}

fn ahead(from: shakmaty::Square, side: Color) -> Option<shakmaty::Square> {
    from.offset(if side == Color::White { 8 } else { -8 })
}

fn moved(board: &Board, (from, to): Way) -> Board {
    let mut after = board.clone();
    let piece = after.remove_piece_at(from).unwrap();
    after.set_piece_at(to, piece);
    after
}

/// Where knights, bishops, rooks and queens may go by their geometry, taking nothing, so that this
/// is true then.
fn quiet_ways(board: &Board, side: Color, wanted: impl Fn(&Board) -> bool) -> Vec<Way> {
    let men = board.by_color(side) & !board.pawns() & !board.kings();
    let ways = men.into_iter().flat_map(|from| {
        let free = board.attacks_from(from) & !board.occupied();
        free.into_iter().map(move |to| (from, to))
    });
    ways.filter(|way| wanted(&moved(board, *way))).collect()
}
