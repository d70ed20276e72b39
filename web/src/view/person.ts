/** Arbiters as they are named in sentences. */

import type { Words } from '../i18n/words';

/** What the daemon calls whoever did not have to say who he is; that is English. */
export const UNNAMED = 'arbiter';

/** `by`: as the daemon names him; null: nobody is named. */
export function personOf(by: string | null, words: Words): string {
  return by === null || by === UNNAMED ? words.anArbiter : by;
}
