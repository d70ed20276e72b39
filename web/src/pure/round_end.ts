/** What is still to be done before a round can be closed. */

import type { Alert } from './alerts';
import type { ResultRow } from './round_results';
import { byTable, hallIn, idIn, numberOf, type TableId } from './table_id';

export interface RoundEnd {
  readonly finished: number;
  readonly games: number;
  /** Tables without a result. */
  readonly missing: readonly TableId[];
  /** Tables whose board or sheet says another result than was entered. */
  readonly contradicting: readonly TableId[];
  /** Tables at which something waits for a ruling. */
  readonly undecided: readonly TableId[];
}

export function roundEnd(rows: readonly ResultRow[], alerts: Iterable<Alert>): RoundEnd {
  const open = [...alerts].filter(({ gravity }) => gravity !== 'note');
  const contradicts = open.filter(({ kind }) => kind === 'result_mismatch');
  const others = open.filter(({ kind }) => kind !== 'result_mismatch' && kind !== 'no_result');
  const missing = rows.filter(({ result }) => result === null);
  return {
    finished: rows.length - missing.length,
    games: rows.length,
    missing: inOrder(missing.map(({ table }) => table)),
    contradicting: inOrder(contradicts.map(({ table }) => table)),
    undecided: inOrder(others.map(({ table }) => table)),
  };
}

function inOrder(tables: readonly (TableId | null)[]): TableId[] {
  const all = new Set(tables.filter((table) => table !== null));
  return [...all].sort(byTable);
}

/** "3, 7–9": not three hundred numbers. */
export function runsOf(tables: readonly (TableId | number)[]): string {
  const runs: [TableId, TableId][] = [];
  for (const table of tables.map(String)) {
    const last = runs.at(-1);
    const before = idIn(hallIn(table), numberOf(table) - 1);
    if (last !== undefined && last[1] === before) last[1] = table;
    else runs.push([table, table]);
  }
  return runs.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(', ');
}
