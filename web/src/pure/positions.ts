/** The positions of a game, from its moves. */

import { Chess, normalizeMove } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { parseUci } from 'chessops/util';
import type { Game, Side } from './payloads';

export interface Shown {
  readonly fen: string;
  readonly lastUci: string | null;
  readonly check: Side | null;
}

/**
 * After each ply, the beginning first. It ends before the first move that the rules of play do
 * not know: what stood there afterwards cannot be told from the moves.
 */
export function positionsOf(game: Game): Shown[] {
  const setup = parseFen(game.startFen ?? INITIAL_FEN);
  if (setup.isErr) return [];
  const begun = Chess.fromSetup(setup.value);
  if (begun.isErr) return [];
  const position = begun.value;
  const shown = [look(position, null)];
  for (const { uci } of game.moves) {
    const move = uci === null ? undefined : parseUci(uci);
    if (move === undefined || !position.isLegal(normalizeMove(position, move))) return shown;
    position.play(normalizeMove(position, move));
    shown.push(look(position, uci));
  }
  return shown;
}

function look(position: Chess, lastUci: string | null): Shown {
  const check = position.isCheck() ? position.turn : null;
  return { fen: makeFen(position.toSetup()), lastUci, check };
}
