/** The words of a language, fetched when they are wanted. */

import { FluentBundle, FluentNumber, FluentResource } from '@fluent/bundle';
import { LANGUAGES } from 'words:languages';
import type { Language } from './language';
import { wordsOf, type Say, type Words } from './words';

const loaded = new Map<Language, Promise<Words>>();

/** They are fetched once; where that fails, the next who asks tries again. */
export function wordsIn(language: Language): Promise<Words> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const words = load(language);
  loaded.set(language, words);
  words.catch(() => loaded.delete(language));
  return words;
}

async function load(language: Language): Promise<Words> {
  const spoken = LANGUAGES[language];
  if (spoken === undefined) throw new Error(`there are no words in ${language}`);
  return wordsOf(sayIn(language, (await spoken.load()).default));
}

/** What the Articles say, by the names of their rules; fetched when somebody wants to read one. */
export async function articlesIn(language: Language): Promise<Say> {
  const spoken = LANGUAGES[language];
  if (spoken === undefined) throw new Error(`there are no words in ${language}`);
  return sayIn(language, (await spoken.articles()).default);
}

/** What the keys of the configuration mean; fetched by the page that lists them. */
export async function settingsIn(language: Language): Promise<Say> {
  const spoken = LANGUAGES[language];
  if (spoken === undefined) throw new Error(`there are no words in ${language}`);
  return sayIn(language, (await spoken.settings()).default);
}

/** Says messages of a file; what it lacks is named, which a test does not let happen. */
export function sayIn(language: Language, file: string): Say {
  const bundle = new FluentBundle(language, { useIsolating: false });
  bundle.addResource(new FluentResource(file));
  return (name, values = {}) => {
    const pattern = bundle.getMessage(name)?.value;
    if (pattern === undefined || pattern === null) return name;
    const told = Object.entries(values).map(([key, value]) => [key, plain(value)]);
    return bundle.formatPattern(pattern, Object.fromEntries(told), []);
  };
}

/** Tables are numbered 1000, not 1,000. */
function plain(value: string | number): string | FluentNumber {
  return typeof value === 'number' ? new FluentNumber(value, { useGrouping: false }) : value;
}
