/** What is still to be done before a round can be closed. */

import type { Alert } from './alerts';
import type { ResultRow } from './round_results';

export interface RoundEnd {
  readonly finished: number;
  readonly games: number;
  /** Tables without a result. */
  readonly missing: readonly number[];
  /** Tables whose board or sheet says another result than was entered. */
  readonly contradicting: readonly number[];
  /** Tables at which something waits for a ruling. */
  readonly undecided: readonly number[];
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

function inOrder(tables: readonly (number | null)[]): number[] {
  const all = new Set(tables.filter((table) => table !== null));
  return [...all].sort((a, b) => a - b);
}

/** "3, 7–9": not three hundred numbers. */
export function runsOf(tables: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const table of tables) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === table - 1) last[1] = table;
    else runs.push([table, table]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}
