/** The languages of the pages. */

import { LANGUAGES } from 'words:languages';

/** Its code: `en`. */
export type Language = string;

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

/** What it is called by those who speak it. */
export function nameOf(language: Language): string {
  return LANGUAGES[language]?.name ?? language;
}

/** The letters of king, queen, rook, bishop and knight. */
export function piecesOf(language: Language): string {
  return LANGUAGES[language]?.pieces ?? 'KQRBN';
}
