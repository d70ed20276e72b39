/** Which alerts have not been told yet. */

import { graver, type Alert, type Gravity } from './alerts';

export class News {
  /** How grave each was when it was last seen open. */
  private seen: Map<string, Gravity> | null = null;

  /**
   * What is there at first is no news; what has come while nobody could hear it is, and so is what
   * has become graver. What has become less grave calls nobody a second time.
   */
  of(open: readonly Alert[]): Alert[] {
    const first = this.seen === null;
    this.seen ??= new Map();
    const { seen } = this;
    const fresh = open.filter(({ id, gravity }) => {
      const before = seen.get(id);
      return before === undefined || graver(gravity, before);
    });
    open.forEach(({ id, gravity }) => seen.set(id, gravity));
    return first ? [] : fresh;
  }
}
