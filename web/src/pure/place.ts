/** Where on the arbiter's page one is, from the part of the address after `#`. */

export type Place =
  | { readonly at: 'queue' }
  | { readonly at: 'alert'; readonly id: string }
  | { readonly at: 'tables' }
  | { readonly at: 'table'; readonly table: number }
  | { readonly at: 'times' }
  | { readonly at: 'results' }
  | { readonly at: 'penalties' }
  | { readonly at: 'journal' };

/** Whatever is not understood leads to the queue. */
export function readPlace(hash: string): Place {
  const [name, argument] = hash.replace(/^#\/?/, '').split('/');
  if (name === 'alert' && argument) return { at: 'alert', id: decode(argument) };
  if (name === 'tables') return { at: 'tables' };
  if (name === 'table' && /^[1-9]\d{0,5}$/.test(argument ?? '')) {
    return { at: 'table', table: Number(argument) };
  }
  if (name === 'journal' || name === 'penalties') return { at: name };
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
