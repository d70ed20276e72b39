/** What is pointed out on the board of an alert. */

import { Chess } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import { parseSan } from 'chessops/san';
import { makeSquare } from 'chessops/util';
import type { Alert } from './alerts';
import { squareOf } from './placement';
import type { Path } from './replay';

/**
 * `from`: where the move began. `illegal`: what cannot stand there. `obliged`: must be moved or
 * captured. `doubt`: differs from the score.
 */
export type Mark = 'from' | 'illegal' | 'obliged' | 'attacker' | 'doubt';

export interface Marks {
  readonly squares: ReadonlyMap<string, Mark>;
  /** From an attacker to the king it attacks. */
  readonly arrows: readonly Path[];
}

const ILLEGAL = ['illegal_move', 'pawn_not_promoted', 'illegal_stands', 'pawn_on_last_rank'];
const DOUBTFUL = [
  'position_to_check',
  'displaced',
  'wrong_start',
  'boards_differ',
  'resumption_differs',
];

export function marksOf({ kind, side, facts }: Alert): Marks {
  const squares = new Map<string, Mark>();
  if (DOUBTFUL.includes(kind)) facts.squares.forEach((square) => squares.set(square, 'doubt'));
  const [, origin, target] = /^([a-h][1-8])([a-h][1-8])/.exec(facts.move ?? '') ?? [];
  if (origin !== undefined) squares.set(origin, 'from');
  obligedSquares(facts.fen, facts.obliged).forEach((square) => squares.set(square, 'obliged'));
  if (ILLEGAL.includes(kind) && target !== undefined) squares.set(target, 'illegal');
  facts.attackers.forEach((square) => squares.set(square, 'attacker'));
  const board = facts.surface ?? facts.fen ?? '';
  const king = side === null ? null : squareOf(board, side === 'white' ? 'K' : 'k');
  const arrows = king === null ? [] : facts.attackers.map((from) => [from, king] as const);
  return { squares, arrows };
}

/** The pieces that moves in SAN begin with: from these squares one must move. */
function obligedSquares(fen: string | null, moves: readonly string[]): string[] {
  const setup = fen === null ? null : parseFen(fen);
  if (setup === null || setup.isErr) return [];
  const position = Chess.fromSetup(setup.value);
  if (position.isErr) return [];
  return moves.flatMap((san) => {
    const move = parseSan(position.value, san);
    return move !== undefined && 'from' in move ? [makeSquare(move.from)] : [];
  });
}
