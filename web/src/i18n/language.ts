/** The languages of the pages. */

import { LANGUAGES } from 'words:languages';

/** Its code: `en`. */
export type Language = string;

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

/** Every language that there are words in. */
export function allLanguages(): Language[] {
  return Object.keys(LANGUAGES);
}

/** What it is called by those who speak it. */
export function nameOf(language: Language): string {
  return LANGUAGES[language]?.name ?? language;
}

/** The letters of king, queen, rook, bishop and knight. */
export function piecesOf(language: Language): string {
  return LANGUAGES[language]?.pieces ?? 'KQRBN';
}

/**
 * Of those that are offered: the one that was chosen, else the first that the browser wants
 * (`fr-BE` is `fr`); null where there is none.
 */
export function languageFor(
  chosen: Language | null,
  browser: readonly string[],
  offered: readonly Language[],
): Language | null {
  const plain = browser.map((tag) => tag.split('-')[0] ?? tag);
  const wanted = [...(chosen === null ? [] : [chosen]), ...plain];
  return wanted.find((language) => offered.includes(language)) ?? null;
}
