/** What every drawing needs to know besides the table itself. */

import type { Words } from '../i18n/words';
import type { Side } from '../pure/payloads';
import type { Reader } from '../pure/san';
import type { Screens } from '../pure/screens';
import type { TableId } from '../pure/table_id';

export interface Context extends Reader {
  readonly words: Words;
  /** The side drawn below. */
  readonly orientation: Side;
  /** What the organizer wants shown. */
  readonly screens: Screens;
  /** The daemon's time of day, or null when nothing is known of this table's present. */
  nowFor(table: TableId): number | null;
  /** One of several halls is silent, and this is of it. */
  staleAt(table: TableId): boolean;
}
