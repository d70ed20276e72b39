/** A score with a passage that is put right: whether all of it can be made then. */

import { Chess, normalizeMove } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import { parseUci } from 'chessops/util';
import type { Game } from './payloads';

export type Tried =
  /** All can be made; what stands after the passage, and the passage in SAN. */
  | { readonly fits: true; readonly fen: string; readonly moves: readonly string[] }
  /** This one of the passage is no legal move. */
  | { readonly fits: false; readonly written: string }
  /** This ply of the score could not have been made. */
  | { readonly fits: false; readonly ply: number; readonly moves: readonly string[] };

/** Moves as they are written one after the other, without numbers and results. */
export function movesIn(written: string): string[] {
  const words = written.replace(/\d+\s*(?:\.+|…)/g, ' ').split(/[\s,;]+/);
  return words.filter((word) => word !== '' && !/^[.…]+$/.test(word));
}

/**
 * `after` half moves stay, `replaces` go, and these in English letters stand there. Null where the
 * score cannot be followed so far: the daemon knows more of it.
 */
export function tried(
  game: Game,
  after: number,
  replaces: number,
  written: readonly string[],
): Tried | null {
  const setup = parseFen(game.startFen ?? INITIAL_FEN);
  const begun = setup.isOk ? Chess.fromSetup(setup.value) : null;
  if (begun === null || begun.isErr) return null;
  const position = begun.value;
  const plays = (uci: string | null) => {
    const move = uci === null ? undefined : parseUci(uci);
    if (move === undefined || !position.isLegal(normalizeMove(position, move))) return false;
    position.play(normalizeMove(position, move));
    return true;
  };
  if (!game.moves.slice(0, after).every(({ uci }) => plays(uci))) return null;
  const moves: string[] = [];
  for (const word of written) {
    const move = parseSan(position, word.replace(/0/g, 'O')) ?? parseUci(word);
    if (move === undefined || !position.isLegal(move)) return { fits: false, written: word };
    moves.push(makeSan(position, move));
    position.play(move);
  }
  const fen = makeFen(position.toSetup());
  const unplayable = game.moves.slice(after + replaces).find(({ uci }) => !plays(uci));
  if (unplayable !== undefined) return { fits: false, ply: unplayable.ply, moves };
  return { fits: true, fen, moves };
}
