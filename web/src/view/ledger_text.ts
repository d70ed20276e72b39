/** By whom and when time was given, and why it counts no more. */

import type { Words } from '../i18n/words';
import { timeOfDay } from '../pure/format';
import type { Given, Withdrawal } from '../pure/ledger';
import { personOf } from './person';

/** "Given by Ann, 14:03:20" */
export function givenText({ by, at }: Given, words: Words): string {
  const when = at === null ? '' : timeOfDay(at);
  return [words.givenBy(personOf(by, words)), when].filter(Boolean).join(', ');
}

/** "withdrawn by Ann, 14:05:02: the alert was dismissed" */
export function endText({ by, at, reason, undone }: Withdrawal, words: Words): string {
  const who = words.withdrawnBy(personOf(by, words));
  const when = at === null ? null : timeOfDay(at);
  const unsaid = undone ? words.undone : words.alertDismissed;
  const why = reason === null ? unsaid : words.quoted(reason);
  return words.about([who, when].filter(Boolean).join(', '), why);
}
