/** An Article, and on a tap what it says. */

import type { Language } from '../i18n/language';
import { articlesIn } from '../i18n/load';
import type { Words } from '../i18n/words';
import type { Rule } from '../pure/articles';
import { h } from './dom';

interface Told {
  /** The number and the edition. */
  readonly told: string;
  readonly rules: readonly Rule[];
  /** What stands at the other end of the line. */
  readonly aside: HTMLElement;
}

interface Reading {
  readonly words: Words;
  readonly language: Language;
}

export function articleText({ told, rules, aside }: Told, { words, language }: Reading) {
  const summary = h('summary', { title: words.articleSays }, h('span', {}, told), aside);
  const body = h('div', { class: 'article-text', 'aria-live': 'polite' });
  const element = h('details', { class: 'alert-article' }, summary, body);
  const fill = async () => {
    const say = await articlesIn(language).catch(() => null);
    if (say === null) return body.replaceChildren(h('p', {}, words.notConnected));
    const texts = rules.map(({ name, number }) => h('p', {}, h('b', {}, number), ` ${say(name)}`));
    body.replaceChildren(...texts, h('small', {}, words.ownWords));
  };
  element.addEventListener('toggle', () => {
    if (element.open && body.childElementCount < 2) void fill();
  });
  return element;
}
