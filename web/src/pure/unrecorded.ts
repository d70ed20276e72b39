/** Moves that are made beside a clock that nobody has started: they are in no score. */

import type { TableState } from './halls';
import { differingSquares } from './placement';

/** A move changes two squares; one that differs is a piece that is put straight. */
const MOVED = 2;

/**
 * Whether pieces are moved from the set-up of a game while its clock is there and stands. One that
 * shows nothing but zeros is not used.
 */
export function isUnrecorded({ position, board, clock }: TableState): boolean {
  if (position?.phase !== 'ready' || clock === undefined || board === undefined) return false;
  const shows = (clock.white ?? 0) > 0 || (clock.black ?? 0) > 0;
  const stands = clock.current && clock.running === null && shows;
  const { fen } = position;
  const { placement } = board;
  if (!stands || fen === null || placement === null) return false;
  return differingSquares(fen, placement).length >= MOVED;
}
