/** Which tables a wall shows just now, and the way to the others. */

import type { Words } from '../i18n/words';
import { h, icon, setAttribute, setText } from './dom';
import { toolButton } from './header';
import { ICONS } from './icons';

export interface PagerActions {
  onTurn(by: number): void;
  onPaging(on: boolean): void;
}

export interface Paging {
  /** Whether there is a choice between pages and one long list. */
  readonly offered: boolean;
  readonly paging: boolean;
  readonly page: number;
  readonly pages: number;
  /** The span of the tables of this page; null: they are in another order. */
  readonly tables: string | null;
}

export class Pager {
  readonly element = h('div', { class: 'pager', role: 'group' });
  private readonly text = h('span', {});
  private readonly back: HTMLButtonElement;
  private readonly on: HTMLButtonElement;
  private readonly mode: HTMLButtonElement;
  private paging = false;

  constructor(actions: PagerActions) {
    this.back = toolButton(icon(ICONS.back), () => actions.onTurn(-1));
    this.on = toolButton(icon(ICONS.forward), () => actions.onTurn(1));
    this.mode = toolButton('', () => actions.onPaging(!this.paging));
    this.element.append(this.text, this.back, this.on, this.mode);
  }

  draw(words: Words, { offered, paging, page, pages, tables }: Paging): void {
    this.paging = paging;
    this.element.hidden = !offered && pages < 2;
    setAttribute(this.element, 'aria-label', words.pages);
    const span = tables === null ? [] : [`${words.tables} ${tables}`];
    setText(this.text, pages > 1 ? [...span, `${page + 1}/${pages}`].join(' · ') : '');
    for (const [button, name] of [
      [this.back, words.previousPage],
      [this.on, words.nextPage],
    ] as const) {
      button.hidden = !offered || pages < 2;
      setAttribute(button, 'aria-label', name);
      setAttribute(button, 'title', name);
    }
    this.mode.hidden = !offered;
    setText(this.mode, paging ? words.showAll : words.byPage);
  }
}
