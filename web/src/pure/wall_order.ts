/** Which tables a wall shows, and which of them come first. */

import type { Halls, TableState } from './halls';
import { resultText } from './result';
import { means, plain } from './search';
import { byTable, type TableId } from './table_id';

/** Below this (ms) a player is short of time, as Article 8.4 has it. */
const SHORT_OF_TIME_MS = 5 * 60_000;
/** How long (ms) a result is news. */
const NEWS_MS = 3 * 60_000;

/** Whether somebody who is looked for sits at this table, or the table itself is. */
export function isLookedFor(looked: readonly string[], table: TableId, state: TableState): boolean {
  if (looked.length === 0) return true;
  const { white, black } = state.game ?? {};
  const names = plain([white, black].map((it) => it?.name ?? '').join(' '));
  return looked.some((typed) => means(typed, table, names));
}

/** When results became known here. */
export class Results {
  private readonly results = new Map<TableId, { readonly text: string; readonly since: number }>();
  private settled = false;

  /** What was there when the page came is no news. */
  settle(): void {
    this.settled = true;
  }

  note(table: TableId, state: TableState, now: number): void {
    const text = resultText(state.position?.result ?? '');
    if (text === null) this.results.delete(table);
    else if (this.results.get(table)?.text !== text) {
      this.results.set(table, { text, since: this.settled ? now : -NEWS_MS });
    }
  }

  /** Decided so lately that people want to see it. */
  isNews(table: TableId, now: number): boolean {
    const result = this.results.get(table);
    return result !== undefined && now - result.since < NEWS_MS;
  }

  /** Tables with a result, the latest first. */
  latest(): TableId[] {
    const all = [...this.results].sort(
      ([a, one], [b, two]) => two.since - one.since || byTable(a, b),
    );
    return all.map(([table]) => table);
  }
}

/** Short of time first, then what was just decided, then what is in play, each by number. */
export function liveFirst(
  tables: readonly TableId[],
  { tables: states }: Pick<Halls, 'tables'>,
  results: Results,
  now: number,
): TableId[] {
  const rank = (table: TableId) => {
    const state = states.get(table) ?? {};
    if (isShortOfTime(state)) return 0;
    if (results.isNews(table, now)) return 1;
    return isInPlay(state) ? 2 : 3;
  };
  const ranked = tables.map((table) => ({ table, rank: rank(table) }));
  ranked.sort((a, b) => a.rank - b.rank || byTable(a.table, b.table));
  return ranked.map(({ table }) => table);
}

function isInPlay({ position }: TableState): boolean {
  const phase = position?.phase;
  return phase === 'in_play' || phase === 'paused' || phase === 'adrift';
}

function isShortOfTime(state: TableState): boolean {
  const { clock } = state;
  if (!isInPlay(state) || clock === undefined || !clock.current) return false;
  return [clock.white, clock.black].some((left) => left !== null && left < SHORT_OF_TIME_MS);
}
