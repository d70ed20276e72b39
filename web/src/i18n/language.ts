/** The languages of the pages. */

export type Language = 'en' | 'fr';

export const LANGUAGES: readonly Language[] = ['en', 'fr'];

export function isLanguage(value: unknown): value is Language {
  return value === 'en' || value === 'fr';
}
