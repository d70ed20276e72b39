/** All of an alert from the record, and the alerts of a table that are closed. */

import { readAlert, readTexts, type Alert, type Gravity, type Texts } from './alerts';
import { each, fields, finite, moment, oneOf, parseObject, text } from './json';
import { readSide, type Side } from './payloads';

/** Its own record names no other hall. */
const OWN = { name: '', idOf: String };

/** What can become of an alert, in the words of the daemon. */
export const BECAME = [
  'acknowledged',
  'lapsed',
  'closed',
  'set_aside',
  'upheld',
  'dismissed',
  'noted',
  'reopened',
] as const;

/** Something that was done about an alert, or that it came to. */
export interface Became {
  /** Ms since 1970. */
  readonly at: number | null;
  readonly what: (typeof BECAME)[number];
  readonly by: string | null;
  readonly note: string | null;
}

export interface Dossier {
  readonly alert: Alert;
  readonly round: string | null;
  readonly turn: Side;
  /** What could legally be played then, in SAN. */
  readonly legal: readonly string[];
  readonly became: readonly Became[];
  /** Which piece of the record it is. */
  readonly record: {
    readonly from: number | null;
    readonly to: number | null;
    readonly records: number;
    readonly sha256: string;
  };
}

/** A closed alert in a list. */
export interface ClosedAlert {
  readonly id: string;
  readonly kind: string;
  readonly article: string | null;
  readonly moveNumber: number | null;
  readonly gravity: Gravity;
  readonly text: Texts | null;
  /** The last that was done about it. */
  readonly last: Became | null;
}

export function readDossier(raw: string): Dossier | null {
  const value = parseObject(raw);
  const payload = fields(value?.['alert']);
  const alert = payload === null ? null : readAlert(text(payload['id']) ?? '', payload, OWN);
  const record = fields(value?.['record']);
  const [records, sha256] = [finite(record?.['records']), text(record?.['sha256'])];
  if (value === null || alert === null || records === null || sha256 === null) return null;
  return {
    alert,
    round: text(value['round']),
    turn: readSide(value['turn']) ?? 'white',
    legal: each(value['legal'], text),
    became: each(value['became'], readBecame),
    record: { from: moment(record?.['from']), to: moment(record?.['to']), records, sha256 },
  };
}

export function readClosed(raw: string): ClosedAlert[] | null {
  try {
    const value: unknown = JSON.parse(raw);
    return Array.isArray(value) ? each(value, readClosedAlert) : null;
  } catch {
    return null;
  }
}

/** Those of this game: an id is table, game and number. */
export function ofGame(closed: readonly ClosedAlert[], game: number | null): ClosedAlert[] {
  return closed.filter(({ id }) => Number(id.split('-')[1]) === game);
}

function readClosedAlert(value: unknown): ClosedAlert | null {
  const it = fields(value);
  const [id, kind] = [text(it?.['id']), text(it?.['kind'])];
  if (it === null || id === null || kind === null) return null;
  return {
    id,
    kind,
    article: text(it['article']),
    moveNumber: finite(it['move_number']),
    gravity: oneOf(it['gravity'], ['summon', 'look', 'note'] as const) ?? 'look',
    text: readTexts(it['text']),
    last: each(it['became'], readBecame).at(-1) ?? null,
  };
}

function readBecame(value: unknown): Became | null {
  const it = fields(value);
  const what = oneOf(it?.['what'], BECAME);
  if (it === null || what === null) return null;
  return { at: moment(it['at']), what, by: text(it['by']), note: text(it['note']) };
}
