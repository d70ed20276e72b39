/** How the daemon is, from the lines of `/healthz` (docs/monitoring.md). */

import { oneOf } from './json';
import { givenTable, type Setup } from './setup';

export interface Condition {
  /** Nothing has been understood any more. */
  readonly stalled: boolean;
  readonly broker: boolean;
  /** Topics that the broker does not take from the daemon, the first ones. */
  readonly refused: readonly string[];
  /** Topics whose messages are longer than the broker takes, the first ones. */
  readonly tooLong: readonly string[];
  /** Another machine has died, and this one goes on with its games. */
  readonly handed: Handed | null;
  readonly journal: 'kept' | 'late' | 'failed';
  /** Damaged places in the record that the start has read. */
  readonly damaged: number;
  /** Lines that say more than any board can. */
  readonly floods: readonly string[];
}

export interface Handed {
  readonly to: string;
  readonly from: string;
  /** In ms since 1970. */
  readonly since: number;
}

/** The reason of MQTT 5 for a message that is too long. */
const TOO_LONG = '(reason 149)';

const JOURNAL = ['kept', 'late', 'failed'] as const;

export function readCondition(body: string): Condition {
  const lines = body.split('\n');
  const of = (name: string) =>
    lines.filter((it) => it.startsWith(`${name}: `)).map((it) => it.slice(name.length + 2));
  const damaged = /damaged places: (\d+)/.exec(of('record')[0] ?? '')?.[1];
  const refused = of('refused').filter((it) => it.includes(' since '));
  return {
    stalled: (lines[0] ?? '').startsWith('stalled'),
    broker: of('broker')[0] !== 'away',
    refused: topics(refused.filter((it) => !it.includes(TOO_LONG))),
    tooLong: topics(refused.filter((it) => it.includes(TOO_LONG))),
    handed: readHanded(of('machine')[0] ?? ''),
    journal: oneOf(of('journal')[0], JOURNAL) ?? 'kept',
    damaged: Number(damaged ?? 0),
    floods: of('flood'),
  };
}

function topics(refused: readonly string[]): string[] {
  return refused.map((it) => it.replace(/ since .*/, ''));
}

function readHanded(line: string): Handed | null {
  const [, to, from, since] = /^(.+) goes on with the games of (.+) since (\S+)$/.exec(line) ?? [];
  if (to === undefined || from === undefined || since === undefined) return null;
  return { to, from, since: Date.parse(since) };
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
