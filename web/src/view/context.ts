/** What every drawing needs to know besides the table itself. */

import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import type { TableState } from '../pure/hall';
import type { Side } from '../pure/payloads';
import type { Screens } from '../pure/screens';

export interface Context {
  readonly words: Words;
  readonly language: Language;
  /** The side drawn below. */
  readonly orientation: Side;
  /** What the organizer wants shown. */
  readonly screens: Screens;
  /** The daemon's time of day, or null when nothing is known of this table's present. */
  nowFor(state: TableState): number | null;
}
