/** An alert as the arbiter's page reads it, and the order alerts are listed in. */

import { each, fields, finite, moment, oneOf, text, type Fields } from './json';
import { readSide, tableNumber, type Side } from './payloads';

export type Gravity = 'summon' | 'look' | 'note';
export type AlertState = 'open' | 'acknowledged' | 'lapsed';

const GRAVITIES = ['summon', 'look', 'note'] as const;
const STATES = ['open', 'acknowledged', 'lapsed'] as const;

export interface Bilingual {
  readonly en: string;
  readonly fr: string;
}

export interface Evidence {
  /** Relative to the incident, in ms; negative before it. */
  readonly offsetMs: number | null;
  readonly what: string;
  readonly square: string | null;
  readonly piece: string | null;
  readonly text: Bilingual | null;
}

export interface Alert {
  readonly id: string;
  readonly kind: string;
  readonly article: string | null;
  readonly edition: string | null;
  readonly table: number | null;
  readonly side: Side | null;
  readonly moveNumber: number | null;
  readonly gravity: Gravity;
  readonly state: AlertState;
  readonly openedAt: number | null;
  readonly lapsesAt: number | null;
  readonly text: Bilingual | null;
  readonly fen: string | null;
  readonly surface: string | null;
  readonly evidence: readonly Evidence[];
  readonly advice: readonly Bilingual[];
}

/** `id` is the topic's last level; an unknown gravity is listed as `look`, not lost. */
export function readAlert(id: string, value: Fields): Alert | null {
  const state = oneOf(value['state'], STATES);
  const kind = text(value['kind']);
  if (state === null || kind === null) return null;
  const facts = fields(value['facts']);
  return {
    id,
    kind,
    article: text(value['article']),
    edition: text(value['edition']),
    table: tableNumber(value['table']),
    side: readSide(value['side']),
    moveNumber: finite(value['move_number']),
    gravity: oneOf(value['gravity'], GRAVITIES) ?? 'look',
    state,
    openedAt: moment(value['opened_at']) ?? moment(value['at']),
    lapsesAt: moment(value['lapses_at']),
    text: readBilingual(value['text']),
    fen: text(facts?.['fen']),
    surface: text(facts?.['surface']),
    evidence: each(value['evidence'], readEvidence),
    advice: each(value['advice'], readBilingual),
  };
}

/** Summon before look before note, then the newest first; the id keeps equals steady. */
export function byGravityThenNewest(a: Alert, b: Alert): number {
  return (
    GRAVITIES.indexOf(a.gravity) - GRAVITIES.indexOf(b.gravity) ||
    (b.openedAt ?? 0) - (a.openedAt ?? 0) ||
    (a.id < b.id ? -1 : 1)
  );
}

export function openAlerts(alerts: Iterable<Alert>): Alert[] {
  return [...alerts].filter((alert) => alert.state === 'open').sort(byGravityThenNewest);
}

/** Acknowledged or lapsed, not yet closed by a ruling. */
export function settledAlerts(alerts: Iterable<Alert>): Alert[] {
  return [...alerts].filter((alert) => alert.state !== 'open').sort(byGravityThenNewest);
}

/** A text in one language may stand in for the other; better than silence. */
function readBilingual(value: unknown): Bilingual | null {
  const both = fields(value);
  const en = text(both?.['en']);
  const fr = text(both?.['fr']);
  const any = en ?? fr;
  return any === null ? null : { en: en ?? any, fr: fr ?? any };
}

function readEvidence(value: unknown): Evidence | null {
  const item = fields(value);
  const what = text(item?.['what']);
  if (item === null || what === null) return null;
  return {
    offsetMs: finite(item['t_ms']),
    what,
    square: text(item['square']),
    piece: text(item['piece']),
    text: readBilingual(item['text']),
  };
}
