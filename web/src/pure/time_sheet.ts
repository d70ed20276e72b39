/** The time sheet: both times and the move number of every table (6.10.1), to print or to keep. */

import { clockSetting } from './format';
import { resultText } from './result';

export interface SheetRow {
  readonly table: number;
  readonly white: string;
  readonly black: string;
  readonly moves: number;
  readonly whiteMs: number | null;
  readonly blackMs: number | null;
  readonly result: string;
}

/** Rows of text, the names of the columns first. */
export function timeSheet(rows: readonly SheetRow[], columns: readonly string[]): string[][] {
  const time = (ms: number | null) => (ms === null ? '' : clockSetting(ms));
  const lines = rows.map((row) => [
    String(row.table),
    row.white,
    row.black,
    String(row.moves),
    time(row.whiteMs),
    time(row.blackMs),
    resultText(row.result) ?? '',
  ]);
  return [[...columns], ...lines];
}
