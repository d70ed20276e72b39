/** How the ways out of the hall are, as the daemon tells arbiters. */

import { fields, text } from './json';

export interface Outlet {
  readonly name: string;
  readonly works: boolean;
  /** Since when, in ms since 1970. */
  readonly since: number;
  /** What came of the last attempt. */
  readonly last: string;
}

export function readOutlets(body: string): readonly Outlet[] {
  try {
    const all: unknown = JSON.parse(body);
    return Array.isArray(all) ? all.flatMap((it) => readOutlet(it) ?? []) : [];
  } catch {
    return [];
  }
}

function readOutlet(raw: unknown): Outlet | null {
  const value = fields(raw);
  const [name, last] = [text(value?.['name']), text(value?.['last'])];
  const since = Date.parse(text(value?.['since']) ?? '');
  if (name === null || Number.isNaN(since)) return null;
  return { name, works: value?.['works'] === true, since, last: last ?? '' };
}
