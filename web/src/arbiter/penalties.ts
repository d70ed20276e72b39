/** The penalties of the hall: which players have made illegal moves, and what comes next. */

import { isWritten } from '../pure/ledger';
import type { Side } from '../pure/payloads';
import { grouped } from '../pure/sections';
import { byTable, type TableId } from '../pure/table_id';
import { h, refill, setText } from '../view/dom';
import { ledgerPage } from '../view/ledger_page';
import type { Desk, View } from './desk';

const SIDES: readonly Side[] = ['white', 'black'];

export class Penalties implements View {
  readonly element = h('div', { class: 'penalties' });
  private readonly title = h('h2', {});
  private readonly about = h('p', {});
  private readonly list = h('div', {});
  private drawn = '';

  constructor(private readonly desk: Desk) {
    this.element.append(this.title, this.about, this.list);
  }

  draw(): void {
    const { app } = this.desk;
    const { words, halls, sections, language } = app;
    const tables = [...halls.ledgers.keys()].sort(byTable);
    const lines = tables.flatMap((table) => this.written(table).map((side) => ({ table, side })));
    const told = lines.map(({ table, side }) => {
      return [table, side, this.desk.playerName(table, side), halls.ledgers.get(table)?.[side]];
    });
    const about = lines.length === 0 ? app.whereNothingIs(words.noPenalties) : '';
    const key = JSON.stringify([language, about, told]);
    if (key === this.drawn) return;
    this.drawn = key;
    setText(this.title, words.penaltiesTitle);
    setText(this.about, about);
    const groups = grouped(lines, sections).map(({ name, items }) => {
      const heading = name === null ? null : h('h3', {}, name);
      const each = items.map(({ table, side }) => this.line(table, side));
      return h('section', {}, heading, h('ul', { class: 'ledgers' }, ...each));
    });
    refill(this.list, groups);
  }

  tick(): void {
    return;
  }

  private written(table: TableId): Side[] {
    const ledger = this.desk.app.halls.ledgers.get(table);
    return ledger === undefined ? [] : SIDES.filter((side) => isWritten(ledger[side]));
  }

  private line(table: TableId, side: Side): HTMLElement {
    const { words, halls } = this.desk.app;
    const page = halls.ledgers.get(table)?.[side];
    const colour = side === 'white' ? words.white : words.black;
    const name = this.desk.playerName(table, side);
    const about = name === colour ? '' : ` ${colour}`;
    const head = h(
      'a',
      { href: `#/table/${table}` },
      h('b', {}, table),
      h('span', { class: 'ledger-name' }, name, h('small', {}, about)),
    );
    return h('li', {}, head, page === undefined ? null : ledgerPage(page, words));
  }
}
