/** How the daemon is, from the lines of `/healthz` (docs/monitoring.md). */

import { oneOf } from './json';
import { givenTable, type Setup } from './setup';

export interface Condition {
  /** Nothing has been understood any more. */
  readonly stalled: boolean;
  readonly broker: boolean;
  /** Topics that the broker does not take from the daemon, the first ones. */
  readonly refused: readonly string[];
  readonly journal: 'kept' | 'late' | 'failed';
  /** Damaged places in the record that the start has read. */
  readonly damaged: number;
  /** Lines that say more than any board can. */
  readonly floods: readonly string[];
}

const JOURNAL = ['kept', 'late', 'failed'] as const;

export function readCondition(body: string): Condition {
  const lines = body.split('\n');
  const of = (name: string) =>
    lines.filter((it) => it.startsWith(`${name}: `)).map((it) => it.slice(name.length + 2));
  const damaged = /damaged places: (\d+)/.exec(of('record')[0] ?? '')?.[1];
  return {
    stalled: (lines[0] ?? '').startsWith('stalled'),
    broker: of('broker')[0] !== 'away',
    refused: of('refused').flatMap((it) =>
      / since /.test(it) ? [it.replace(/ since .*/, '')] : [],
    ),
    journal: oneOf(of('journal')[0], JOURNAL) ?? 'kept',
    damaged: Number(damaged ?? 0),
    floods: of('flood'),
  };
}

/** Tables of the file whose boards are not there. */
export function missing({ tables }: Setup): number[] {
  return tables.filter((it) => it.configured && !it.board).map(({ table }) => table);
}

/** Boards that answer and sit nowhere that the file knows. */
export function unseatedBoards(setup: Setup): number {
  const answer = setup.boards.filter((it) => it.driver !== null && !it.clock);
  return answer.filter((it) => givenTable(setup, it) === null).length;
}
