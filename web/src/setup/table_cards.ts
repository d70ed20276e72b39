/** A card for each table, to be printed and cut: its number, and the code that opens its game. */

import type { Words } from '../i18n/words';
import { tablesOf } from '../pure/selection';
import type { TableId } from '../pure/table_id';
import { h, setText } from '../view/dom';
import { field, quiet } from '../view/form';

export interface TableCardsOptions {
  words(): Words;
  /** The tables of the hall. */
  tables(): readonly TableId[];
  /** The code of an address; null: the daemon gives none. */
  code(url: string, name: string): Promise<SVGElement | null>;
}

/** More than any hall has: a slip of the finger asks for no thousands. */
const MOST = 400;

export class TableCards {
  readonly element = h('div', { class: 'table-cards' });
  readonly paper = h('div', { class: 'card-sheet' });
  private readonly which = field('');
  private readonly name = h('span', {});
  private readonly make = quiet('', () => void this.print());
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private busy = false;

  constructor(private readonly options: TableCardsOptions) {
    this.which.label.prepend(this.name);
    this.element.append(this.which.label, this.make, this.error);
  }

  draw(): void {
    const { setUp, sectorWrong } = this.options.words();
    setText(this.name, setUp.cardsFor);
    setText(this.make, setUp.cardsDo);
    setText(this.error, sectorWrong);
    const tables = this.options.tables();
    const last = tables.at(-1);
    this.which.input.placeholder = last === undefined ? '1-40' : `${tables[0]}-${last}`;
  }

  private async print(): Promise<void> {
    if (this.busy) return;
    const all = this.options.tables();
    const typed = this.which.input.value.trim();
    const tables = typed === '' ? all : numbers(typed, all);
    this.error.hidden = tables !== null && tables.length > 0;
    if (tables === null || tables.length === 0) return;
    this.busy = true;
    try {
      const cards: HTMLElement[] = [];
      for (const table of tables) cards.push(await this.card(table));
      this.paper.replaceChildren(...cards);
      // Not every browser waits for the printer here.
      window.addEventListener('afterprint', () => this.paper.replaceChildren(), { once: true });
      window.print();
    } finally {
      this.busy = false;
    }
  }

  private async card(table: TableId): Promise<HTMLElement> {
    const words = this.options.words();
    const name = words.table(table);
    const url = new URL(`/table/${table}`, location.origin).href;
    const code = await this.options.code(url, name);
    const says = h('p', {}, h('b', {}, name), h('span', {}, words.setUp.cardSays));
    return h('article', {}, says, h('div', { class: 'screens-code' }, code), h('small', {}, url));
  }
}

/** Tables may be given cards before their boards are there. */
function numbers(typed: string, all: readonly TableId[]): TableId[] | null {
  const ends = tablesOf(typed, all);
  if (ends === null) return null;
  const [first = 0, last = 0] = [ends[0], ends.at(-1)].map(Number);
  if (last - first >= MOST) return null;
  const span = Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  return tablesOf(typed, span);
}
