/** What the server tells every page before it connects. */

import { isLanguage, type Language } from '../i18n/language';
import { backoffMs } from '../pure/backoff';
import { each, parseObject, text } from '../pure/json';
import { readScreens, type Screens } from '../pure/screens';
import { readSections, type Section } from '../pure/sections';

export interface Config {
  readonly base: string;
  readonly language: Language;
  readonly event: string;
  /** The requests this daemon answers: nothing else is offered. */
  readonly requests: readonly string[];
  readonly sections: readonly Section[];
  readonly screens: Screens;
}

/** Keeps asking until the server answers. */
export async function loadConfig(): Promise<Config> {
  for (let failures = 0; ; failures += 1) {
    const config = await fetchConfig();
    if (config !== null) return config;
    await pause(backoffMs(failures, Math.random()));
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function fetchConfig(): Promise<Config | null> {
  try {
    const response = await fetch('/config.json', { cache: 'no-store' });
    return response.ok ? readConfig(await response.text()) : null;
  } catch {
    return null;
  }
}

function readConfig(raw: string): Config | null {
  const value = parseObject(raw);
  if (value === null) return null;
  return {
    base: text(value['base']) ?? 'adoubed',
    language: isLanguage(value['language']) ? value['language'] : 'en',
    event: text(value['event']) ?? '',
    requests: each(value['requests'], text),
    sections: readSections(value['sections']),
    screens: readScreens(value['screens']),
  };
}
