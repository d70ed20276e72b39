/** Who is short of time, as the daemon lists it: where flags will fall (8.4, 8.5). */

import { each, fields, finite, moment, type Fields } from './json';
import { tableIn } from './alerts';
import { readSide, type Side } from './payloads';
import type { TableId } from './table_id';
import type { Naming } from './topics';

export interface Watched {
  readonly table: TableId;
  readonly side: Side;
  readonly leftMs: number;
  readonly counting: boolean;
  /** When the flag falls if nothing is pressed, in ms since 1970. */
  readonly flagDueAt: number | null;
  /** Moves to the control; null: to the end of the game. */
  readonly toGo: number | null;
}

/** In the daemon's order: the least time for each move still to make first. */
export function readWatchList(value: Fields, hall: Naming): Watched[] {
  return each(value['players'], (item) => {
    const player = fields(item);
    const table = tableIn(hall, player?.['table']);
    const side = readSide(player?.['side']);
    const leftMs = finite(player?.['left_ms']);
    if (player === null || table === null || side === null || leftMs === null) return null;
    const counting = player['counting'] === true;
    const flagDueAt = moment(player['flag_due_at']);
    return { table, side, leftMs, counting, flagDueAt, toGo: finite(player['moves_to_make']) };
  });
}

/** What is left at this moment of the daemon's time: the list comes every few seconds. */
export function leftOf({ leftMs, counting, flagDueAt }: Watched, daemonNow: number | null): number {
  if (!counting || flagDueAt === null || daemonNow === null) return leftMs;
  return Math.min(leftMs, Math.max(0, flagDueAt - daemonNow));
}
