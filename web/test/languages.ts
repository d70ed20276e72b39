/** The words of the languages that tests look at. */

import enFile from 'words:en';
import esFile from 'words:es';
import frFile from 'words:fr';
import { sayIn } from '../src/i18n/load';
import { wordsOf } from '../src/i18n/words';

export const FILES = { en: enFile, es: esFile, fr: frFile };
export const en = wordsOf(sayIn('en', enFile));
export const fr = wordsOf(sayIn('fr', frFile));
export const es = wordsOf(sayIn('es', esFile));
