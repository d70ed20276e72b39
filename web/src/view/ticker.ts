/** One line with results, some of them at a time. */

import type { Words } from '../i18n/words';
import type { Game } from '../pure/payloads';
import { resultText } from '../pure/result';
import type { TableId } from '../pure/table_id';
import { h } from './dom';

export interface Decided {
  readonly table: TableId;
  readonly game: Game;
}

export class Ticker {
  readonly element = h('ul', { class: 'ticker' });
  private first = 0;

  /** Shows the next ones of these; as many as find room are seen. */
  turn(all: readonly Decided[], words: Words): void {
    this.element.hidden = all.length === 0;
    this.element.setAttribute('aria-label', words.results);
    if (all.length === 0) return;
    this.first %= all.length;
    const from = [...all.slice(this.first), ...all.slice(0, this.first)];
    this.element.replaceChildren(...from.map((it) => line(it, words)));
    this.first += Math.max(1, this.seen());
  }

  /** How many stand in the line; the others are below it. */
  private seen(): number {
    const bottom = this.element.getBoundingClientRect().bottom;
    const lines = [...this.element.children];
    return lines.filter((it) => it.getBoundingClientRect().top < bottom).length;
  }
}

function line({ table, game }: Decided, words: Words): HTMLElement {
  const name = (side: 'white' | 'black') => game[side]?.name || words[side];
  const result = resultText(game.result) ?? '';
  return h(
    'li',
    {},
    h('b', {}, table),
    ` ${name('white')} `,
    h('b', {}, result),
    ` ${name('black')}`,
  );
}
