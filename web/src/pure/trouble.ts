/** The tables where time is shortest, each in the place where it was seen last. */

import type { TableId } from './table_id';
import type { Watched } from './watch';

/** As many as can be read from where an arbiter stands. */
export const WORST = 8;

/** Tables of the list, the worst first; those of one table count once. */
export function worstTables(watched: readonly Watched[], most = WORST): TableId[] {
  return [...new Set(watched.map(({ table }) => table))].slice(0, most);
}

/** A table that stays among them stays where it is; those that come take the free places. */
export function inPlace(before: readonly TableId[], now: readonly TableId[]): TableId[] {
  const come = now.filter((table) => !before.includes(table));
  const places = before.flatMap((table) => (now.includes(table) ? table : (come.shift() ?? [])));
  return [...places, ...come];
}
