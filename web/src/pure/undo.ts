/** What was decided at a table a moment ago, and can be taken back by who has decided it. */

import { fields, finite, moment, text, type Fields } from './json';
import type { TableId } from './table_id';

export interface Undoable {
  /** Its number at the table. */
  readonly act: number;
  readonly by: string;
  /** Ms since 1970. */
  readonly at: number;
  readonly until: number;
  readonly verb: string;
  readonly body: Fields;
  /** The name of what one tap has decided by several requests; null: by this one. */
  readonly group: string | null;
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
  const group = text(it?.['group']);
  return { act, by, at, until, verb, body: fields(it?.['body']) ?? {}, group };
}

/** Tables with what can be taken back there. */
type Tables = Iterable<readonly [TableId, { readonly undo: readonly Undoable[] }]>;

/**
 * What this arbiter decided with his last tap, the newest first: so it is taken back. How far apart
 * its requests came says nothing: on a slow network that is seconds.
 */
export function lastTap(
  tables: Tables,
  by: string,
  nowAt: (table: TableId) => number | null,
): Decided[] {
  const known = [...tables].flatMap(([table, { undo }]) => undo.map((it) => ({ ...it, table })));
  const own = known.filter((it) => it.by === by && it.until > (nowAt(it.table) ?? Infinity));
  own.sort((a, b) => b.at - a.at || b.act - a.act);
  // The daemon takes nothing back on which a later decision rests.
  const onTop = ({ table, act }: Decided, others: readonly Decided[]) =>
    others.every((other) => other.table !== table || other.act < act);
  const foreign = known.filter((it) => it.by !== by);
  const last = own.find((it) => onTop(it, foreign));
  if (last === undefined) return [];
  const together = (it: Decided) => it === last || (it.by === by && isOneTap(it, last));
  const others = known.filter((it) => !together(it));
  return own.filter((it) => together(it) && onTop(it, others));
}

function isOneTap(one: Decided, other: Decided): boolean {
  return one.group !== null && one.group === other.group;
}
