/** Moves in the letters of the reader's language; the topics always use the English ones. */

import type { Language } from '../i18n/language';

const FRENCH: Readonly<Record<string, string>> = { K: 'R', Q: 'D', R: 'T', B: 'F', N: 'C' };

/** `Nf6` is `Cf6` in French; squares and castling stay as they are. */
export function localSan(san: string, language: Language): string {
  return language === 'fr' ? san.replace(/[KQRBN]/g, (letter) => FRENCH[letter] ?? letter) : san;
}
