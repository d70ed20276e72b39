import type { TableId } from './table_id';

/** Which tables stand on which page of a wall that shows them page by page. */

/**
 * As many pages as are needed with `room` tables each, filled evenly: the last page is no longer
 * nearly empty. Tables keep their order.
 */
export function pagesOf(tables: readonly TableId[], room: number): TableId[][] {
  const count = Math.max(1, Math.ceil(tables.length / Math.max(1, room)));
  const size = Math.ceil(tables.length / count);
  return Array.from({ length: count }, (_, page) => tables.slice(page * size, (page + 1) * size));
}

/** `1–48`, `7`: the tables of one page. */
export function spanOfTables(tables: readonly TableId[]): string {
  const [first, last] = [tables[0], tables[tables.length - 1]];
  if (first === undefined || last === undefined) return '';
  return first === last ? first : `${first}–${last}`;
}
