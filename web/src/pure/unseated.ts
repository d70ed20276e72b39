/** Boards that have no table, as the daemon lists them, and which tables they may be. */

import { readTexts, tableIn, type Texts } from './alerts';
import { each, fields, finite, text, type Fields } from './json';
import type { TableId } from './table_id';
import type { Naming } from './topics';

export interface Offer {
  readonly table: TableId;
  readonly inPlay: boolean;
  /** Its game, and no other's, stands on the board. */
  readonly agrees: boolean;
}

export interface Unseated {
  /** The name of its hall. */
  readonly hall: string;
  readonly line: string;
  readonly port: string;
  /** Its place on a bus. */
  readonly station: number | null;
  readonly driver: string | null;
  readonly serial: string | null;
  /** What stands on it; null: not known, or only which squares are occupied. */
  readonly placement: string | null;
  readonly occupied: readonly string[] | null;
  readonly why: Texts | null;
  /** The likeliest first. */
  readonly tables: readonly Offer[];
  readonly newTable: boolean;
}

export function readUnseated(value: Fields, hall: Naming): Unseated[] {
  return each(value['boards'], (item) => {
    const board = fields(item);
    const line = text(board?.['line']);
    if (board === null || line === null) return null;
    const occupied = Array.isArray(board['occupied']) ? each(board['occupied'], text) : null;
    return {
      hall: hall.name,
      line,
      port: text(board['port']) ?? line,
      station: finite(board['station']),
      driver: text(board['driver']),
      serial: text(board['serial']),
      placement: text(board['placement']),
      occupied,
      why: readTexts(board['text']),
      tables: each(board['tables'], (it) => readOffer(it, hall)),
      newTable: board['new_table'] === true,
    };
  });
}

function readOffer(item: unknown, hall: Naming): Offer | null {
  const offer = fields(item);
  const table = tableIn(hall, offer?.['table']);
  if (offer === null || table === null) return null;
  return { table, inPlay: offer['in_play'] === true, agrees: offer['agrees'] === true };
}
