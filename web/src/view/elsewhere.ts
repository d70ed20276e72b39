/** What is to be had at the pages of each hall itself, and not here. */

import type { Hall } from '../pure/hall';
import type { Words } from '../i18n/words';
import { h } from './dom';

/** A hall, and where its own pages are; empty: nobody has said. */
export type Elsewhere = readonly [hall: Hall, pages: string];

/** `place`: the part of the address behind the pages, `/arbiter#/journal`. */
export function elsewhere(halls: readonly Elsewhere[], place: string, words: Words): HTMLElement {
  const lines = halls.map(([{ name, base }, pages]) => {
    const told = name === '' ? base : words.hall(name);
    return pages === ''
      ? h('li', {}, words.about(told, words.pagesUnknown))
      : h('li', {}, h('a', { class: 'button is-quiet', href: `${pages}${place}` }, told));
  });
  return h('ul', { class: 'elsewhere' }, ...lines);
}
