/** Which alerts have not been told yet. */

import type { Alert } from './alerts';

export class News {
  private told: Set<string> | null = null;

  /**
   * What is there at first is no news; what has come while nobody could hear it is, and so is what
   * has become graver.
   */
  of(open: readonly Alert[]): Alert[] {
    const name = ({ id, gravity }: Alert) => `${id} ${gravity}`;
    if (this.told === null) {
      this.told = new Set(open.map(name));
      return [];
    }
    const { told } = this;
    const fresh = open.filter((alert) => !told.has(name(alert)));
    fresh.forEach((alert) => told.add(name(alert)));
    return fresh;
  }
}
