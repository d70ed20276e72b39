/** The keys of the configuration besides those of the event, as organizers change them. */

import { each, fields, text, type Fields } from './json';
import type { FileChange } from './setup';

/** By the names of the request `configure`. Sections are parts of the hall and their tables. */
export type Setting = string | number | boolean | null | Readonly<Record<string, string>>;
export type Settings = Readonly<Record<string, Setting>>;

export interface People {
  readonly organizers: readonly string[];
  readonly arbiters: readonly string[];
}

export function readSettings(value: Fields): Settings {
  const told = Object.entries(fields(value['settings']) ?? {});
  return Object.fromEntries(told.flatMap(([key, it]) => (isSetting(it) ? [[key, it]] : [])));
}

function isSetting(value: unknown): value is Setting {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  return fields(value) !== null && Object.values(value as object).every((it) => text(it) !== null);
}

export function readPeople(value: Fields): People {
  const people = fields(value['people']);
  const of = (role: string) => each(people?.[role], text);
  return { organizers: of('organizers'), arbiters: of('arbiters') };
}

/** What of a draft is not in the file yet. */
export function pending(now: Settings, draft: Settings): string[] {
  const same = (key: string) => JSON.stringify(draft[key]) === JSON.stringify(now[key] ?? null);
  return Object.keys(draft).filter((key) => !same(key));
}

/** The changes of the file that make a draft true. What is empty needs no line in it. */
export function changesOf(now: Settings, draft: Settings): FileChange[] {
  return pending(now, draft).map((key) => {
    const value = draft[key] ?? null;
    return { change: 'set', key, value: value === '' ? null : value };
  });
}

/** What somebody has typed into a field for whole numbers; null: nothing, or no such number. */
export function wholeNumber(typed: string): number | null {
  return /^\s*\d{1,6}\s*$/.test(typed) ? Number(typed) : null;
}
