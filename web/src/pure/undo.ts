/** What was decided at a table a moment ago, and can be taken back by who has decided it. */

import { fields, finite, moment, text, type Fields } from './json';
import type { TableId } from './table_id';

/** Decisions that follow each other as quickly (ms) may have come of one tap. */
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
    // The daemon takes nothing back on which a later decision of somebody else rests.
    const others = Math.max(...undo.filter((it) => it.by !== by).map(({ act }) => act), -1);
    const mine = undo.filter((it) => it.by === by && it.act > others && it.until > now);
    return mine.map((it) => ({ ...it, table }));
  });
  own.sort((a, b) => b.at - a.at || b.act - a.act);
  const ends = own.findIndex((it, index) => {
    const later = own[index - 1];
    return later !== undefined && !(later.at - it.at <= ONE_TAP_MS && cameTogether(it, later));
  });
  return ends < 0 ? own : own.slice(0, ends);
}

/**
 * Two orders that one tap can send: time was given and its alert upheld, or alerts were cleared
 * together. At other tables somebody else may decide under the same name at the same moment.
 */
function cameTogether(earlier: Decided, later: Decided): boolean {
  const [one, other] = [earlier.body, later.body];
  if (earlier.table === later.table && one['alert'] === other['alert']) return true;
  return [one, other].every((it) => it['ruling'] === 'noted');
}
