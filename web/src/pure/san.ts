/** Moves in the letters of the reader's language; the topics always use the English ones. */

import type { Language } from '../i18n/language';

const FRENCH: Readonly<Record<string, string>> = { K: 'R', Q: 'D', R: 'T', B: 'F', N: 'C' };
const SAN = /\b(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|[a-h](?:x[a-h])?[18]=[QRBN])/g;

/** `Nf6` is `Cf6` in French; squares and castling stay as they are. */
export function localSan(san: string, language: Language): string {
  return language === 'fr' ? san.replace(/[KQRBN]/g, (letter) => FRENCH[letter] ?? letter) : san;
}

/** The same for a line of moves among other words, which keep their letters. */
export function localText(text: string, language: Language): string {
  return text.replace(SAN, (san) => localSan(san, language));
}
