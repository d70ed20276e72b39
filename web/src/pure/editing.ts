/** A position being put together: from what stands on the squares to a FEN that may be played. */

import { Chess } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import type { Side } from './payloads';

export interface Draft {
  readonly placement: string;
  readonly turn: Side;
  /** Some of `KQkq`, or what Chess960 writes. */
  readonly castling: string;
  readonly moveNumber: number;
}

export function draftOf(fen: string): Draft {
  const [placement, turn, castling, , , number] = fen.trim().split(/\s+/);
  const moveNumber = Number(number);
  return {
    placement: placement ?? '',
    turn: turn === 'b' ? 'black' : 'white',
    castling: castling === undefined || castling === '-' ? '' : castling,
    moveNumber: Number.isSafeInteger(moveNumber) && moveNumber > 0 ? moveNumber : 1,
  };
}

/** Without en passant: whoever needs it writes the FEN. */
export function fenOf({ placement, turn, castling, moveNumber }: Draft): string {
  const side = turn === 'white' ? 'w' : 'b';
  return `${placement} ${side} ${castling || '-'} - 0 ${moveNumber}`;
}

/** Whether play can go on from there; a castling right nobody has is no right. */
export function isPlayable(fen: string): boolean {
  const setup = parseFen(fen);
  return setup.isOk && Chess.fromSetup(setup.value).isOk;
}

/** Some of `KQkq`, in that order, with one put in or taken out. */
export function withRight(castling: string, right: string, held: boolean): string {
  const rights = new Set(castling);
  if (held) rights.add(right);
  else rights.delete(right);
  return [...'KQkq'].filter((letter) => rights.has(letter)).join('');
}
