/** The event as the configuration has it, and what an organizer changes of it. */

import { readTexts, type Texts } from './alerts';
import { each, fields, finite, text, type Fields } from './json';
import { tableNumber } from './payloads';
import type { FileChange } from './setup';

/** The keys of `[event]`; null where the file does not have one. */
export interface EventKeys {
  readonly name: string;
  readonly site: string;
  readonly round: string;
  readonly laws: string;
  readonly time_control: string;
  readonly language: string;
  readonly languages: readonly string[];
  readonly supervision: string | null;
  readonly default_time_s: number | null;
  readonly min_draw_move: number | null;
  readonly quickplay_finish: boolean;
  readonly result_after_min: number;
  readonly start: string | null;
}

export interface EventSetup {
  readonly revision: string | null;
  readonly keys: EventKeys;
  /** What the time control means; null: it is not known. */
  readonly control: Texts | null;
  /** The name of the file with the pairings. */
  readonly pairings: string | null;
  readonly rounds: readonly string[];
  /** Tables with rules of their own in the file. */
  readonly own: readonly number[];
}

export type Draft = Partial<EventKeys>;

/** What holds for a game from its beginning to its end: a game in play keeps it. */
const OF_A_GAME: readonly (keyof EventKeys)[] = [
  'laws',
  'time_control',
  'supervision',
  'default_time_s',
  'min_draw_move',
  'quickplay_finish',
  'result_after_min',
];

export function readEvent(value: Fields): EventSetup | null {
  const keys = fields(value['event']);
  if (keys === null) return null;
  const word = (key: string) => text(keys[key]) ?? '';
  return {
    revision: text(value['revision']),
    keys: {
      name: word('name'),
      site: word('site'),
      round: word('round'),
      laws: word('laws'),
      time_control: word('time_control'),
      language: word('language'),
      languages: each(keys['languages'], text),
      supervision: text(keys['supervision']),
      default_time_s: finite(keys['default_time_s']),
      min_draw_move: finite(keys['min_draw_move']),
      quickplay_finish: keys['quickplay_finish'] === true,
      result_after_min: finite(keys['result_after_min']) ?? 0,
      start: text(keys['start']),
    },
    control: readTexts(value['time_control']),
    pairings: text(keys['pairings']),
    rounds: each(value['rounds'], text),
    own: each(value['own'], tableNumber),
  };
}

/** What of a draft is not in the file yet. */
export function changed(keys: EventKeys, draft: Draft): (keyof EventKeys)[] {
  const same = (key: keyof EventKeys) => JSON.stringify(draft[key]) === JSON.stringify(keys[key]);
  return (Object.keys(draft) as (keyof EventKeys)[]).filter((key) => !same(key));
}

/** The changes of the file that make a draft true. */
export function settings(keys: EventKeys, draft: Draft): FileChange[] {
  return changed(keys, draft).map((key) => {
    const value = draft[key];
    // What is empty needs no line in the file.
    const none = value === '' || value === undefined;
    return { change: 'set', key, value: none ? null : value };
  });
}

/** Whether games in play keep what was, and only the next ones get what is drafted. */
export function waitsForNextGame(keys: EventKeys, draft: Draft): boolean {
  return changed(keys, draft).some((key) => OF_A_GAME.includes(key));
}

/** `2026-11-20T14:00` here, with the offset that holds here then. */
export function withOffset(local: string): string | null {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(local) ?? [];
  const at = new Date(local);
  if (date === undefined || time === undefined || Number.isNaN(at.getTime())) return null;
  const minutes = -at.getTimezoneOffset();
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${date}T${time}:00${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`;
}

/** The same moment as a field for date and time shows it here. */
export function asLocal(start: string | null): string {
  const at = new Date(start ?? '');
  if (Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
