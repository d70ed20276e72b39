/** Who is short of time: the list that tells arbiters where flags will fall (8.4). */

import { remaining } from './clock';
import type { TableState } from './hall';
import type { Game, Side } from './payloads';
import { movesToGo, periodsOf } from './time_control';

/** Below this much time left (ms) a player need not record, unless an increment is long enough. */
const SHORT_MS = 300_000;
const LONG_INCREMENT_S = 30;

export interface Watched {
  readonly table: number;
  readonly side: Side;
  readonly leftMs: number;
  readonly running: boolean;
  /** Moves to the control; null: to the end of the game. */
  readonly toGo: number | null;
}

/** The least time for each move still required first. */
export function watchList(
  tables: Iterable<readonly [number, TableState]>,
  daemonNow: number,
): Watched[] {
  const sides = ['white', 'black'] as const;
  const all = [...tables].flatMap(([table, state]) =>
    sides.flatMap((side) => watched(table, state, side, daemonNow) ?? []),
  );
  return all.sort((a, b) => perMove(a) - perMove(b) || a.table - b.table);
}

function watched(
  table: number,
  { position, clock, game }: TableState,
  side: Side,
  now: number,
): Watched | null {
  if (clock === undefined || position === undefined) return null;
  if (position.phase === 'ended' || position.phase === 'unset') return null;
  const leftMs = remaining(clock, side, now);
  if (leftMs === null || leftMs >= SHORT_MS || leftMs === 0) return null;
  const periods = periodsOf(game?.timeControl ?? '');
  const period = clock.period[side];
  if ((periods[period - 1]?.incrementS ?? 0) >= LONG_INCREMENT_S) return null;
  const toGo = movesToGo(periods, period, game === undefined ? 0 : completedBy(game, side));
  return { table, side, leftMs, running: clock.running === side, toGo };
}

function completedBy(game: Game, side: Side): number {
  const blackBegins = / b /.test(game.startFen ?? '');
  const odd = (side === 'white') !== blackBegins;
  return game.moves.filter(({ ply }) => (ply % 2 === 1) === odd).length;
}

function perMove({ leftMs, toGo }: Watched): number {
  return leftMs / Math.max(1, toGo ?? 1);
}
