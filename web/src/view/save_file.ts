/** A file that was made here or fetched, into the reader's downloads. */

import { h } from './dom';

/** How long (ms) it is kept for a browser that first asks where to put it. */
const KEPT_MS = 60_000;

export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
