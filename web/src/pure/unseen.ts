/** Which summonses nobody can have seen on this page: they came while something else was open. */

import type { Alert } from './alerts';

export class Unseen {
  private readonly seen = new Set<string>();

  /** What is in sight is seen from now on; `sight`: the whole queue, or the one that is opened. */
  of(open: readonly Alert[], sight: 'queue' | { readonly opened: string | null }): Alert[] {
    const summonses = open.filter(({ gravity }) => gravity === 'summon');
    const inSight = ({ id }: Alert) => sight === 'queue' || sight.opened === id;
    summonses.filter(inSight).forEach(({ id }) => this.seen.add(id));
    return summonses.filter(({ id }) => !this.seen.has(id));
  }
}
