import { readTableId, type TableId } from './table_id';

/** Where on the arbiter's page one is, from the part of the address after `#`. */

export type Place =
  | { readonly at: 'queue' }
  | { readonly at: 'alert'; readonly id: string }
  | { readonly at: 'dossier'; readonly id: string }
  | { readonly at: 'tables' }
  | { readonly at: 'table'; readonly table: TableId }
  | { readonly at: 'trouble' }
  | { readonly at: 'times' }
  | { readonly at: 'results' }
  | { readonly at: 'penalties' }
  | { readonly at: 'journal' };

/** A screen that shows one place, whatever its address says after `#`. */
export function placeOfPath(path: string): Place | null {
  return path.startsWith('/kiosk/time') ? { at: 'trouble' } : null;
}

/** Whatever is not understood leads to the queue. */
export function readPlace(hash: string): Place {
  const [name, argument] = hash.replace(/^#\/?/, '').split('/');
  if ((name === 'alert' || name === 'dossier') && argument) {
    return { at: name, id: decode(argument) };
  }
  if (name === 'tables') return { at: 'tables' };
  const table = name === 'table' ? readTableId(decode(argument ?? '')) : null;
  if (table !== null) return { at: 'table', table };
  if (name === 'journal' || name === 'penalties') return { at: name };
  if (name === 'time') return { at: 'trouble' };
  if (name === 'times' || name === 'results') return { at: name };
  return { at: 'queue' };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where an alert is opened. */
export function alertAddress(id: string): string {
  return `#/alert/${encodeURIComponent(id)}`;
}

/** Where all of it can be read. */
export function dossierAddress(id: string): string {
  return `#/dossier/${encodeURIComponent(id)}`;
}
