/** Which words to use, chosen by language. */

import { en, type Words } from './en';
import { fr } from './fr';
import type { Language } from './language';

export type { Words };

const WORDS: Readonly<Record<Language, Words>> = { en, fr };

export function wordsFor(language: Language): Words {
  return WORDS[language];
}
