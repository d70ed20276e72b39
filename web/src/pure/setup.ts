/** What an organizer is shown of lines, boards and tables, and what seating one comes to. */

import { readTexts, type Texts } from './alerts';
import { each, fields, finite, text, type Fields } from './json';
import { tableNumber } from './payloads';

export interface SetupBoard {
  readonly line: string;
  readonly port: string;
  /** Its place on a bus. */
  readonly station: number | null;
  /** Null: nobody answers on the line. */
  readonly driver: string | null;
  readonly serial: string | null;
  readonly table: number | null;
  readonly clock: boolean;
  /** Percent; null: it does not tell. */
  readonly battery: number | null;
  /** Messages on its line that made no sense. */
  readonly noise: number;
  /** Since when there are too many of them, in ms since 1970; null: there are not. */
  readonly noisySince: number | null;
  /** What is wrong and what to do. */
  readonly text: Texts | null;
}

export interface SetupTable {
  readonly table: number;
  /** The file names it. */
  readonly configured: boolean;
  readonly board: boolean;
  readonly inPlay: boolean;
  /** Since when its board is away, in ms since 1970; null: it is there. */
  readonly missingSince: number | null;
}

export interface Setup {
  readonly file: string | null;
  readonly revision: string | null;
  readonly boards: readonly SetupBoard[];
  readonly tables: readonly SetupTable[];
}

/** A board whose white king was lifted. */
export interface Lift {
  readonly line: string;
  readonly station: number | null;
  readonly driver: string | null;
  readonly serial: string | null;
  readonly table: number | null;
}

/** One change of the file, as the request `configure` wants it. */
export type FileChange =
  | {
      readonly change: 'seat';
      readonly table: number;
      readonly line: string;
      readonly station: number | null;
    }
  | {
      readonly change: 'seat';
      readonly table: number;
      readonly port: string;
      readonly driver: string;
      readonly serial: string;
    }
  | { readonly change: 'unseat'; readonly table: number }
  | { readonly change: 'swap'; readonly tables: readonly [number, number] }
  | {
      readonly change: 'set';
      readonly key: string;
      readonly value: unknown;
      readonly table?: number;
    };

export function readSetup(value: Fields): Setup {
  return {
    file: text(value['file']),
    revision: text(value['revision']),
    boards: each(value['boards'], readBoard),
    tables: each(value['tables'], readTable),
  };
}

function readBoard(item: unknown): SetupBoard | null {
  const board = fields(item);
  const lift = board === null ? null : readLift(board);
  if (board === null || lift === null) return null;
  const port = text(board['port']) ?? lift.line;
  return {
    ...lift,
    port,
    clock: board['clock'] === true,
    battery: finite(board['battery']),
    noise: finite(board['noise']) ?? 0,
    noisySince: momentOf(board['noisy_since']),
    text: readTexts(board['text']),
  };
}

function readTable(item: unknown): SetupTable | null {
  const value = fields(item);
  const table = tableNumber(value?.['table']);
  if (value === null || table === null) return null;
  const is = (key: string) => value[key] === true;
  const missingSince = momentOf(value['missing_since']);
  const flags = { configured: is('configured'), board: is('board'), inPlay: is('in_play') };
  return { table, ...flags, missingSince };
}

function momentOf(value: unknown): number | null {
  const at = Date.parse(text(value) ?? '');
  return Number.isNaN(at) ? null : at;
}

export function readLift(value: Fields): Lift | null {
  const line = text(value['line']);
  if (line === null) return null;
  return {
    line,
    station: finite(value['station']),
    driver: text(value['driver']),
    serial: text(value['serial']),
    table: tableNumber(value['table']),
  };
}

/** The table that the file gives to a board; null: none, even where it has one meanwhile. */
export function givenTable(setup: Setup, board: Lift): number | null {
  const table = setup.tables.find((it) => it.table === board.table);
  return table?.configured === true ? table.table : null;
}

/** Whether the file gives this table a board. */
export function isGiven(setup: Setup, table: number): boolean {
  return setup.tables.some((it) => it.table === table && it.configured);
}

/** Whether its game goes on: a king that is lifted there shows nothing. */
export function isInPlay(setup: Setup, board: Lift): boolean {
  return setup.tables.some((it) => it.table === board.table && it.inPlay);
}

/** The first table from this one that the file gives no board. */
export function nextTable(setup: Setup, from: number): number {
  const taken = new Set(setup.tables.filter((it) => it.configured).map((it) => it.table));
  let table = from;
  while (taken.has(table)) table += 1;
  return table;
}

/** The board gets this table; the one that the file gave it before is removed. */
export function seating(setup: Setup, board: Lift, table: number): FileChange[] {
  const before = givenTable(setup, board);
  const { line, station } = board;
  const seat = { change: 'seat', table, line, station } as const;
  return before === null || before === table ? [seat] : [{ change: 'unseat', table: before }, seat];
}

/** Tables whose game would lose its board by these changes. */
export function disturbed(setup: Setup, changes: readonly FileChange[]): number[] {
  const touched = changes.flatMap((it): (number | null)[] => {
    if (it.change === 'unseat') return [it.table];
    if (it.change === 'swap') return [...it.tables];
    if (it.change === 'set') return [];
    if (!('line' in it)) return [it.table];
    const { line, station } = it;
    const board = setup.boards.find((at) => at.line === line && at.station === station);
    return board?.table === it.table ? [] : [it.table, board?.table ?? null];
  });
  const playing = setup.tables.filter((it) => it.inPlay && touched.includes(it.table));
  return playing.map(({ table }) => table);
}

/** Two boards exchange their tables, where at least one of them has any. */
export function exchanging(setup: Setup, from: SetupBoard, onto: SetupBoard): FileChange[] {
  const [one, other] = [givenTable(setup, from), givenTable(setup, onto)];
  if (one !== null && other !== null) {
    return one === other ? [] : [{ change: 'swap', tables: [one, other] }];
  }
  if (other !== null) return seating(setup, from, other);
  return one === null ? [] : seating(setup, onto, one);
}

/** What takes a seating back, as the hall was before it. */
export function undoing(before: Setup, board: Lift, table: number): FileChange[] {
  const there = before.boards.find((it) => it.table === table);
  const was = givenTable(before, board);
  const taken = before.tables.some((it) => it.table === table && it.configured);
  const { line, station } = board;
  const again: FileChange[] = was === null ? [] : [{ change: 'seat', table: was, line, station }];
  if (!taken || there === undefined) return [{ change: 'unseat', table }, ...again];
  const back = { change: 'seat', table, line: there.line, station: there.station } as const;
  return [back, ...again];
}

/** A board by what is written on it, or else by its socket. */
export function boardName(board: Lift & { readonly port?: string }): string {
  const path = board.port ?? board.line;
  const where = board.serial ?? path.split('/').pop() ?? path;
  const station = board.station === null ? '' : ` (${board.station})`;
  return [board.driver, `${where}${station}`].filter(Boolean).join(' ');
}
