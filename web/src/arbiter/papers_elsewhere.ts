/** Where the papers of each hall are: they are made from its record, and that is not here. */

import type { Words } from '../i18n/words';
import { h, icon, setAttribute, setText } from '../view/dom';
import { elsewhere } from '../view/elsewhere';
import { ICONS } from '../view/icons';
import type { Desk, View } from './desk';

export class PapersElsewhere implements View {
  readonly element = h('div', { class: 'journal' });
  private readonly back = h('a', { class: 'tool sheet-back', href: '#/tables' });
  private readonly title = h('h2', {});
  private readonly about = h('p', {});
  private readonly list = h('div', {});
  private drawn = '';

  /** `place`: how the page of the hall itself calls it. */
  constructor(
    private readonly desk: Desk,
    private readonly place: 'journal' | 'results',
    private readonly called: (words: Words) => string,
  ) {
    const { back, title, about, list } = this;
    back.append(icon(ICONS.back));
    const lead = place === 'results' ? back : null;
    this.element.append(h('div', { class: 'tables-head' }, lead, title), about, list);
  }

  draw(): void {
    const { app } = this.desk;
    const { words, language, elsewhere: halls } = app;
    setAttribute(this.back, 'aria-label', words.allTables);
    setText(this.title, this.called(words));
    setText(this.about, words.papersElsewhere);
    const key = JSON.stringify([language, halls.map(([{ base }]) => base)]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.list.replaceChildren(elsewhere(halls, `/arbiter#/${this.place}`, words));
  }

  tick(): void {
    return;
  }
}
