/** Move numbering: a list of plies laid out as a score sheet. */

import type { Game, Move, Side } from './payloads';

export interface MoveRow {
  readonly number: number;
  readonly white: Move | null;
  readonly black: Move | null;
}

interface Start {
  readonly turn: Side;
  readonly number: number;
}

export function moveRows(game: Game): MoveRow[] {
  const start = startOf(game.startFen);
  const rows = new Map<number, { white: Move | null; black: Move | null }>();
  for (const move of game.moves) {
    const { number, side } = placeOf(move.ply, start);
    const row = rows.get(number) ?? { white: null, black: null };
    row[side] = move;
    rows.set(number, row);
  }
  return [...rows.entries()]
    .sort(([a], [b]) => a - b)
    .map(([number, { white, black }]) => ({ number, white, black }));
}

/** `23.` for White's move, `23…` for Black's; `ply` counts from 1. */
export function moveLabel(ply: number, startFen: string | null): string {
  const { number, side } = placeOf(ply, startOf(startFen));
  return side === 'white' ? `${number}.` : `${number}…`;
}

/** Whose move this was. */
export function sideOf(ply: number, startFen: string | null): Side {
  return placeOf(ply, startOf(startFen)).side;
}

function placeOf(ply: number, start: Start): { number: number; side: Side } {
  const half = ply - 1 + (start.turn === 'black' ? 1 : 0);
  return {
    number: start.number + Math.floor(half / 2),
    side: half % 2 === 0 ? 'white' : 'black',
  };
}

/** Who has the move in a position. */
export function turnOf(fen: string): Side {
  return startOf(fen).turn;
}

function startOf(fen: string | null): Start {
  const parts = (fen ?? '').trim().split(/\s+/);
  const number = Number(parts[5]);
  return {
    turn: parts[1] === 'b' ? 'black' : 'white',
    number: Number.isSafeInteger(number) && number > 0 ? number : 1,
  };
}

/** What tells one move of a game from another one. */
export function moveName(move: Move | undefined): string {
  return move === undefined ? '' : `${move.ply} ${move.uci ?? move.san}`;
}
