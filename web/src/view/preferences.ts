/** What the reader has chosen on this device: language, colours, which side is below. */

import { isLanguage, type Language } from '../i18n/language';

export type Theme = 'light' | 'dark';

export function storedLanguage(): Language | null {
  const value = read('language');
  return isLanguage(value) ? value : null;
}

export function storeLanguage(language: Language): void {
  write('language', language);
}

/** The chosen colours, else those the system prefers. */
export function theme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function chooseTheme(chosen: Theme): void {
  document.documentElement.dataset['theme'] = chosen;
  write('theme', chosen);
}

export function storedFlip(): boolean {
  return read('flip') === 'yes';
}

export function storeFlip(flipped: boolean): void {
  write('flip', flipped ? 'yes' : 'no');
}

/** Null where nothing was chosen. */
export function storedFigurines(): boolean | null {
  const value = read('figurines');
  return value === null ? null : value === 'yes';
}

export function storeFigurines(figurines: boolean): void {
  write('figurines', figurines ? 'yes' : 'no');
}

/** Whether an alert sounds; null where nobody has said so. */
export function storedBell(): boolean | null {
  const value = read('bell');
  return value === null ? null : value === 'yes';
}

export function storeBell(on: boolean): void {
  write('bell', on ? 'yes' : 'no');
}

/** The tables of this tablet, as they were written; null where it has never had any. */
export function storedSector(): string | null {
  return read('sector');
}

export function storeSector(written: string): void {
  write('sector', written);
}

/** Whether a wall that does not fit is shown page by page. */
export function storedPaging(): boolean {
  return read('paging') !== 'no';
}

export function storePaging(paging: boolean): void {
  write('paging', paging ? 'yes' : 'no');
}

/** Storage may be switched off in a kiosk; a choice then lasts as long as the page. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(`adoubed.${key}`);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(`adoubed.${key}`, value);
  } catch {
    return;
  }
}
