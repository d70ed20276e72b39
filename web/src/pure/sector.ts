/** A tablet's own tables: it shows and rings for these, and for what nobody has gone to. */

import type { Alert } from './alerts';
import { parseSelection, tablesOf, type Selection } from './selection';

/** After so long (ms) a summons that nobody has acknowledged calls every arbiter. */
const EVERYBODY_MS = 30_000;

/** Tables as they are written, `1-20,30`; null where that cannot be read. */
export function readSector(written: string): Selection | null {
  return tablesOf(written, []) === null ? null : parseSelection(written);
}

/** A summons that was left alone. */
export function isLeftAlone({ gravity, state, openedAt }: Alert, now: number | null): boolean {
  if (gravity !== 'summon' || state !== 'open' || openedAt === null || now === null) return false;
  return now - openedAt >= EVERYBODY_MS;
}

/** `sector`: null where the whole hall is this tablet's. */
export function isOwn(alert: Alert, sector: Selection | null, now: number | null): boolean {
  const { table } = alert;
  return sector === null || table === null || sector(table) || isLeftAlone(alert, now);
}
