/** The results of a round, as the daemon tells them. */

import { readTexts, type Texts } from './alerts';
import { fields, finite, parseObject, text } from './json';
import type { TableId } from './table_id';

export interface ResultRow {
  readonly table: TableId;
  readonly white: string;
  readonly black: string;
  /** As it is entered: `1-0`, `+/-`; null: none yet. */
  readonly result: string | null;
  /** The number of the game, if another one is played at its table by now. */
  readonly earlierGame: number | null;
  /** The number that the game will have, if its table still has that of the round before. */
  readonly nextGame: number | null;
}

export interface RoundResults {
  readonly round: string;
  readonly rounds: readonly string[];
  /** The name of the report the pairings came from; null: they came from none. */
  readonly report: string | null;
  readonly rows: readonly ResultRow[];
  readonly remarks: readonly Texts[];
}

export function readResults(body: string): RoundResults | null {
  const value = fields(parseObject(body));
  const round = text(value?.['round']);
  if (value === null || round === null) return null;
  const list = (key: string): readonly unknown[] => {
    const all = value[key];
    return Array.isArray(all) ? all : [];
  };
  const rounds = list('rounds').flatMap((it) => text(it) ?? []);
  const rows = list('rows').flatMap((it) => readRow(it) ?? []);
  const remarks = list('remarks').flatMap((it) => readTexts(it) ?? []);
  return { round, rounds, report: text(value['report']), rows, remarks };
}

function readRow(raw: unknown): ResultRow | null {
  const value = fields(raw);
  const table = finite(value?.['table']);
  if (table === null) return null;
  const name = (key: string) => text(value?.[key]) ?? '';
  const [white, black] = [name('white'), name('black')];
  const earlierGame = finite(value?.['earlier_game']);
  const nextGame = finite(value?.['next_game']);
  return {
    table: String(table),
    white,
    black,
    result: text(value?.['result']),
    earlierGame,
    nextGame,
  };
}
