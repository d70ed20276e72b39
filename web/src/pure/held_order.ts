/** The order of the queue as it stood when a finger came down: it stays until that is gone. */

import type { Alert } from './alerts';

const NAMES = ['open', 'settled', 'elsewhere', 'earlier', 'notes'] as const;

/** What stands in each list, in order. */
export type Lists = Readonly<Record<(typeof NAMES)[number], readonly Alert[]>>;

export interface Arranged {
  readonly lists: Lists;
  /** How many that call somebody are not shown yet; the gravest of them stands first. */
  readonly waiting: readonly Alert[];
}

export class HeldOrder {
  private shown: Lists | null = null;

  /** `now`: what there is, in its own order; while `held`, what was shown stays where it was. */
  arrange(now: Lists, held: boolean): Arranged {
    const { shown } = this;
    if (!held || shown === null || isEmpty(shown)) {
      this.shown = now;
      return { lists: now, waiting: [] };
    }
    const latest = new Map(NAMES.flatMap((name) => now[name]).map((it) => [it.id, it]));
    // What is closed meanwhile keeps its place too: whatever is below it would move up.
    const same = (list: readonly Alert[]) => list.map((it) => latest.get(it.id) ?? it);
    this.shown = {
      open: same(shown.open),
      settled: same(shown.settled),
      elsewhere: same(shown.elsewhere),
      earlier: same(shown.earlier),
      notes: same(shown.notes),
    };
    const known = new Set(NAMES.flatMap((name) => shown[name]).map(({ id }) => id));
    return { lists: this.shown, waiting: now.open.filter(({ id }) => !known.has(id)) };
  }
}

function isEmpty(lists: Lists): boolean {
  return NAMES.every((name) => lists[name].length === 0);
}
