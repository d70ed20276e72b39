/** Every key of the configuration, what the file says of it, and what a draft makes of that. */

import { each, fields, finite, list, oneOf, text, type Fields } from './json';
import type { FileChange, Setup } from './setup';

const KINDS = ['text', 'number', 'truth', 'choice', 'list', 'steps', 'named'] as const;
const HOLDS = ['now', 'next_game', 'next_start'] as const;

export interface Key {
  /** Its whole name: `web.screens.clocks`. */
  readonly key: string;
  /** The name of the sentence about it. */
  readonly word: string;
  readonly kind: (typeof KINDS)[number];
  /** What holds without it; null: nothing of its own. */
  readonly unset: unknown;
  readonly example: unknown;
  readonly choices: readonly string[];
  /** Those of the choices that have a sentence. The others are names. */
  readonly said: readonly string[];
  readonly names: readonly string[];
  readonly range: readonly [number, number] | null;
  readonly holds: (typeof HOLDS)[number];
  /** After the next start something is elsewhere by it. */
  readonly asks: boolean;
  /** Why it is not set here; null: it is. */
  readonly fixed: string | null;
  /** What the file says; null: nothing. */
  readonly value: unknown;
}

export interface Keys {
  readonly revision: string | null;
  readonly keys: readonly Key[];
  /** What the file says of each table. */
  readonly tables: ReadonlyMap<number, Fields>;
}

/** By `key`, or by `7/table.laws` for that of a table; null: it is to be removed. */
export type KeyDraft = Readonly<Record<string, unknown>>;

export function readKeys(value: Fields): Keys {
  const tables = each(value['tables'], (item) => {
    const table = fields(item);
    const number = finite(table?.['number']);
    return number === null ? null : ([number, fields(table?.['values']) ?? {}] as const);
  });
  return {
    revision: text(value['revision']),
    keys: each(value['keys'], readKey),
    tables: new Map(tables),
  };
}

function readKey(item: unknown): Key | null {
  const value = fields(item);
  const [key, word, kind] = [text(value?.['key']), text(value?.['word']), value?.['kind']];
  const takes = oneOf(kind, KINDS);
  if (value === null || key === null || word === null || takes === null) return null;
  const [least, most] = list(value['range']).map(finite);
  const some = (it: unknown) => it ?? null;
  return {
    key,
    word,
    kind: takes,
    unset: some(value['default']),
    example: some(value['example']),
    choices: each(value['choices'], text),
    said: each(value['said'], text),
    names: each(value['names'], text),
    range: least == null || most == null ? null : [least, most],
    holds: oneOf(value['holds'], HOLDS) ?? 'now',
    asks: value['asks'] === true,
    fixed: text(value['fixed']),
    value: some(value['value']),
  };
}

export function ofTable(key: Key): boolean {
  return key.key.startsWith('table.');
}

/** The name of a value in a draft. */
export function draftName(key: Key, table: number | null): string {
  return ofTable(key) ? `${table ?? ''}/${key.key}` : key.key;
}

/** What the file says of a draft's name; null: nothing. */
export function writtenOf(all: Keys, name: string): unknown {
  const [table, key] = split(name);
  if (table !== null) return all.tables.get(table)?.[key] ?? null;
  return all.keys.find((it) => it.key === key)?.value ?? null;
}

function split(name: string): [number | null, string] {
  const [before, after] = name.split('/');
  return after === undefined ? [null, name] : [Number(before), after];
}

/** What of a draft is not in the file yet. */
export function undone(all: Keys, draft: KeyDraft): string[] {
  const same = (name: string) => alike(draft[name], writtenOf(all, name));
  return Object.keys(draft).filter((name) => !same(name));
}

/** Names have no order. */
function alike(one: unknown, other: unknown): boolean {
  const plain = (it: unknown) => {
    const named = fields(it);
    return JSON.stringify(named === null ? (it ?? null) : Object.entries(named).sort());
  };
  return plain(one) === plain(other);
}

/** The changes of the file that make a draft true. */
export function changesOfKeys(all: Keys, draft: KeyDraft): FileChange[] {
  return undone(all, draft).map((name) => {
    const [table, key] = split(name);
    const change = { change: 'set', key, value: draft[name] ?? null } as const;
    return table === null ? change : { ...change, table };
  });
}

/** What a draft would move: keys after which something is elsewhere, and tables in play. */
export function moved(all: Keys, draft: KeyDraft, setup: Setup) {
  const about = undone(all, draft).map(split);
  const asks = (key: string) => all.keys.some((it) => it.key === key && it.asks);
  const ofBoard = /^table\.(serial|port|driver|station|second_board\..*|clock\..*)$/;
  const tables = about.filter(([, key]) => ofBoard.test(key)).map(([table]) => table);
  const playing = setup.tables.filter((it) => it.inPlay && tables.includes(it.table));
  return {
    keys: about.map(([, key]) => key).filter(asks),
    tables: playing.map(({ table }) => table),
  };
}

/** What is typed into a field, as the file has it. What cannot be meant is left to the daemon. */
export function typedValue(key: Key, typed: string): unknown {
  const plain = typed.trim();
  if (plain === '') return null;
  if (key.kind === 'number') return numberOr(plain);
  if (key.kind === 'truth') return plain === 'true';
  if (key.kind !== 'list' && key.kind !== 'steps') return plain;
  const parts = plain.split(',').map((it) => it.trim());
  const all = parts.filter((it) => it !== '');
  if (key.kind === 'steps') return all.map(numberOr);
  // One address is a text, as somebody would write it.
  return key.key === 'mqtt.url' && all.length === 1 ? all[0] : all;
}

function numberOr(plain: string): number | string {
  return /^\d+([.,]\d+)?$/.test(plain) ? Number(plain.replace(',', '.')) : plain;
}

/** A value as a field shows it. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownValue).join(', ');
  if (fields(value) !== null) return JSON.stringify(value);
  return value === null || value === undefined ? '' : String(value);
}

/** The penalties of editions that nobody plays by are left out, unless the file has some. */
export function isShown(all: Keys, key: Key): boolean {
  const [, edition] = /^laws\.penalties\.(\d+)\./.exec(key.key) ?? [];
  if (edition === undefined || key.value !== null) return true;
  const laws = all.keys.find((it) => it.key === 'event.laws');
  const own = [...all.tables.values()].map((it) => it['table.laws']);
  return [laws?.value ?? laws?.unset, ...own].includes(edition);
}
