/** What was decided at a table a moment ago, and can be taken back by who has decided it. */

import { fields, finite, moment, text, type Fields } from './json';
import type { TableId } from './table_id';

/** Decisions that follow each other as quickly (ms) came of one tap: no hand taps twice so soon. */
const ONE_TAP_MS = 1500;

export interface Undoable {
  /** Its number at the table. */
  readonly act: number;
  readonly by: string;
  /** Ms since 1970. */
  readonly at: number;
  readonly until: number;
  readonly verb: string;
  readonly body: Fields;
}

/** One of them, and where it was made. */
export interface Decided extends Undoable {
  readonly table: TableId;
}

export function readUndoable(value: unknown): Undoable | null {
  const it = fields(value);
  const [act, by, verb] = [finite(it?.['act']), text(it?.['by']), text(it?.['verb'])];
  const [at, until] = [moment(it?.['at']), moment(it?.['until'])];
  if (act === null || by === null || verb === null || at === null || until === null) return null;
  return { act, by, at, until, verb, body: fields(it?.['body']) ?? {} };
}

/** Tables with what can be taken back there. */
type Tables = Iterable<readonly [TableId, { readonly undo: readonly Undoable[] }]>;

/** What this arbiter decided with his last tap, the newest first: so it is taken back. */
export function lastTap(
  tables: Tables,
  by: string,
  nowAt: (table: TableId) => number | null,
): Decided[] {
  const own = [...tables].flatMap(([table, { undo }]) => {
    const now = nowAt(table) ?? Infinity;
    return undo.filter((it) => it.by === by && it.until > now).map((it) => ({ ...it, table }));
  });
  own.sort((a, b) => b.at - a.at || b.act - a.act);
  const ends = own.findIndex((it, index) => {
    const later = own[index - 1];
    return later !== undefined && later.at - it.at > ONE_TAP_MS;
  });
  return ends < 0 ? own : own.slice(0, ends);
}
