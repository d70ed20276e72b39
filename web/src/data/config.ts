/** What the server tells every page before it connects. */

import { isLanguage, languageFor, type Language } from '../i18n/language';
import { wordsIn } from '../i18n/load';
import type { Words } from '../i18n/words';
import { backoffMs } from '../pure/backoff';
import { each, parseObject, text } from '../pure/json';
import { readShown, type Shown } from '../pure/halls';
import { readScreens, type Screens } from '../pure/screens';
import { readSections, type Section } from '../pure/sections';
import { storedLanguage } from '../view/preferences';

export interface Config {
  readonly base: string;
  /** Halls of other daemons; none: the one of that base, whose record is kept here. */
  readonly halls: readonly Shown[];
  /** The one that the reader has chosen, or the one of the event. */
  readonly language: Language;
  /** What the reader may choose of. */
  readonly languages: readonly Language[];
  /** The words of the language. */
  readonly words: Words;
  readonly event: string;
  /** The requests this daemon answers: nothing else is offered. */
  readonly requests: readonly string[];
  readonly sections: readonly Section[];
  readonly screens: Screens;
  readonly setUp: SetUp;
}

/**
 * Who can set the hall up from its page: organizers; the first one, who makes an account; nobody,
 * as the broker is another one; nobody, as there is no file.
 */
export type SetUp = (typeof SET_UPS)[number];
const SET_UPS = ['organizers', 'first_organizer', 'other_broker', 'no_file'] as const;

/**
 * Keeps asking until the server answers. `own`: the languages of the reader's browser, where the
 * page is for one reader; a screen for all begins in the language of the event.
 */
export async function loadConfig(own: readonly string[] = []): Promise<Config> {
  // What was chosen here before is most likely wanted again.
  const chosen = storedLanguage();
  if (chosen !== null) void wordsIn(chosen);
  for (let failures = 0; ; failures += 1) {
    const config = await fetchConfig(own);
    if (config !== null) return config;
    await pause(backoffMs(failures, Math.random()));
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function fetchConfig(own: readonly string[]): Promise<Config | null> {
  try {
    const response = await fetch('/config.json', { cache: 'no-store' });
    return response.ok ? await readConfig(await response.text(), own) : null;
  } catch {
    return null;
  }
}

async function readConfig(raw: string, browser: readonly string[]): Promise<Config | null> {
  const value = parseObject(raw);
  if (value === null) return null;
  const offered = each(value['languages'], (it) => (isLanguage(it) ? it : null));
  const own = isLanguage(value['language']) ? value['language'] : 'en';
  const languages = offered.length === 0 ? [own] : offered;
  const chosen = storedLanguage();
  const language = languageFor(chosen, browser, languages) ?? own;
  return {
    base: text(value['base']) ?? 'adoubed',
    halls: each(value['halls'], readShown),
    language,
    languages,
    words: await wordsIn(language),
    event: text(value['event']) ?? '',
    requests: each(value['requests'], text),
    sections: readSections(value['sections']),
    screens: readScreens(value['screens']),
    setUp: SET_UPS.find((it) => it === value['set_up']) ?? 'organizers',
  };
}
