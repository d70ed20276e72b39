/** The time sheet (6.10.1): both times and the moves of every table, as they were written down. */

import type { TableState } from './halls';
import { remaining } from './clock';
import { clockSetting } from './format';
import { each, fields, finite, moment, oneOf, type Fields } from './json';
import { sideOf } from './moves';
import type { Side } from './payloads';
import type { TableId } from './table_id';

const CAUSES = ['hour', 'period', 'result'] as const;

export type BySide<T> = Readonly<Record<Side, T>>;

/** One table at one moment. */
export interface Kept {
  /** Ms since 1970. */
  readonly at: number;
  /** Why it was written down; null: because somebody looks. */
  readonly cause: (typeof CAUSES)[number] | null;
  readonly moves: BySide<number>;
  /** What was left, in ms; null where no clock was heard. */
  readonly times: BySide<number | null>;
}

export interface SheetLine extends Kept {
  readonly table: TableId;
  readonly names: BySide<string>;
}

/** What the daemon has kept of the game at a table, in order of time. */
export function readTimeSheet(value: Fields): readonly Kept[] {
  return each(value['rows'], (item) => {
    const row = fields(item);
    const [at, cause] = [moment(row?.['at']), oneOf(row?.['cause'], CAUSES)];
    if (row === null || at === null || cause === null) return null;
    const number = (key: string) => finite(row[key]);
    const moves = { white: number('white_moves') ?? 0, black: number('black_moves') ?? 0 };
    return { at, cause, moves, times: { white: number('white_ms'), black: number('black_ms') } };
  });
}

/** As the clock stands now, not as it was last heard. */
export function standing({ game, clock }: TableState, now: number): Kept {
  const left = (side: Side) => (clock?.current !== true ? null : remaining(clock, side, now));
  const completed = (game?.moves ?? []).filter(({ status }) => status !== 'released');
  const made = (side: Side) => {
    return completed.filter(({ ply }) => sideOf(ply, game?.startFen ?? null) === side).length;
  };
  const moves = { white: made('white'), black: made('black') };
  return { at: now, cause: null, moves, times: { white: left('white'), black: left('black') } };
}

/** When all tables were written down, the latest first. */
export function hoursOf(sheets: Iterable<readonly Kept[]>): number[] {
  const hours = [...sheets].flat().filter(({ cause }) => cause === 'hour');
  return [...new Set(hours.map(({ at }) => at))].sort((a, b) => b - a);
}

/** The cells of a line as text: table, names, moves, times. */
export function cellsOf({ table, names, moves, times }: SheetLine): string[] {
  const time = (ms: number | null) => (ms === null ? '' : clockSetting(ms));
  const both = <T>(values: BySide<T>) => [values.white, values.black];
  return [table, ...both(names), ...both(moves).map(String), ...both(times).map(time)];
}
