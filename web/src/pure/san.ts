/** Moves in the letters of the reader's language; the topics always use the English ones. */

import type { Language } from '../i18n/language';

const FRENCH: Readonly<Record<string, string>> = { K: 'R', Q: 'D', R: 'T', B: 'F', N: 'C' };
const SAN = /\b(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|[a-h](?:x[a-h])?[18]=[QRBN])/g;

/** `Nf6` is `Cf6` in French; squares and castling stay as they are. */
export function localSan(san: string, language: Language): string {
  return language === 'fr' ? san.replace(/[KQRBN]/g, (letter) => FRENCH[letter] ?? letter) : san;
}

/** What a reader has typed, in the letters of the topics: `Cf6` is `Nf6` to a French reader. */
export function englishSan(typed: string, language: Language): string {
  if (language !== 'fr') return typed;
  const english = Object.entries(FRENCH).map(([en, fr]) => [fr, en] as const);
  const letters = new Map(english);
  return typed.replace(/[RDTFC]/g, (letter) => letters.get(letter) ?? letter);
}

/**
 * The letters of the reader's language in a line of moves among other words, which keep theirs.
 */
export function localText(text: string, language: Language): string {
  return text.replace(SAN, (san) => localSan(san, language));
}
