/** The fields above the decisions that say which of them are told. */

import type { Words } from '../i18n/words';
import { ALL, choicesOf, type Asked } from '../pure/decision_filter';
import type { Decision } from '../pure/decisions';
import { personOf } from '../view/person';
import { h } from '../view/dom';
import { field } from '../view/form';

export class JournalFilter {
  readonly element = h('details', { class: 'journal-filter', hidden: true });
  asked: Asked = ALL;
  private drawn: readonly unknown[] = [];

  constructor(private readonly onChange: () => void) {}

  /** The fields stay while the same is to be chosen from: somebody may be writing there. */
  draw(decisions: readonly Decision[] | null, words: Words): void {
    const wanted = [decisions, words];
    if (wanted.every((part, index) => part === this.drawn[index])) return;
    this.drawn = wanted;
    this.element.hidden = decisions === null || decisions.length === 0;
    if (decisions === null) return;
    const who = choicesOf(decisions, 'by').map((by) => [by, personOf(by, words)] as const);
    const rules = choicesOf(decisions, 'article');
    const articles = rules.map((article) => [article, words.article(article)] as const);
    const [everybody, anything] = words.journalAny;
    this.element.replaceChildren(
      h('summary', {}, words.journalFilter),
      h(
        'div',
        { class: 'two-fields' },
        this.text('typed', words.search),
        this.select('by', words.journalColumns[3] ?? '', everybody ?? '', who),
        this.select('article', words.articleWord, anything ?? '', articles),
        this.time('from', words.journalFrom),
        this.time('to', words.journalTo),
      ),
    );
  }

  private say(of: keyof Asked, value: string): void {
    this.asked = { ...this.asked, [of]: value };
    this.onChange();
  }

  private text(of: keyof Asked, name: string): HTMLElement {
    const { label, input } = field(name, this.asked[of]);
    input.addEventListener('input', () => this.say(of, input.value));
    return label;
  }

  private time(of: keyof Asked, name: string): HTMLElement {
    const { label, input } = field(name, this.asked[of]);
    input.type = 'time';
    input.addEventListener('input', () => this.say(of, input.value));
    return label;
  }

  private select(
    of: keyof Asked,
    name: string,
    all: string,
    choices: readonly (readonly [string, string])[],
  ): HTMLElement {
    const option = (value: string, told: string) => {
      return h('option', { value, selected: value === this.asked[of] }, told);
    };
    const options = choices.map(([value, told]) => option(value, told));
    const select = h('select', {}, option('', all), ...options);
    select.addEventListener('change', () => this.say(of, select.value));
    return h('label', {}, name, select);
  }
}
