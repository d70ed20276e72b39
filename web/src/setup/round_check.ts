/** The walk before the round: table by table, what is right and what is not. */

import type { Words } from '../i18n/words';
import { checked, kindsWithClocks, walkingOrder, type Checked, type Finding } from '../pure/check';
import { clockSetting } from '../pure/format';
import type { Halls } from '../pure/halls';
import { runsOf } from '../pure/round_end';
import type { Section } from '../pure/sections';
import type { Setup } from '../pure/setup';
import { h, setText } from '../view/dom';
import { act, quiet, tick } from '../view/form';

/** More squares than these are a board that is not set up at all. */
const SQUARES_MAX = 8;

export interface RoundCheckOptions {
  words(): Words;
  setup(): Setup;
  readonly halls: Halls;
  readonly sections: readonly Section[];
  /** Null: the round has started; else why not. */
  start(): Promise<string | null>;
}

export class RoundCheck {
  readonly element = h('section', { class: 'round-check' });
  private readonly title = h('h2', {});
  private readonly sum = h('p', { class: 'check-sum', role: 'status' });
  private readonly list = h('ol', { class: 'check-list' });
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly said = h('p', { class: 'setup-said', role: 'status' });
  private readonly begin = act('', () => void this.tapped());
  private readonly print = quiet('', () => window.print());
  private readonly onScreen = h('a', { class: 'button is-quiet', href: '#/check-screen' });
  private readonly leave = h('a', { class: 'button is-quiet leave-screen', href: '#/check' }, '×');
  private readonly only = tick('');
  private readonly onlyName = h('span', {});
  private sure = false;
  private drawn = '';

  constructor(private readonly options: RoundCheckOptions) {
    this.only.label.replaceChildren(this.only.input, this.onlyName);
    this.only.input.addEventListener('change', () => this.draw());
    this.element.append(
      this.leave,
      this.title,
      this.sum,
      this.only.label,
      this.list,
      this.refused,
      this.said,
      h('p', { class: 'confirm' }, this.begin, this.print, this.onScreen),
    );
  }

  draw(): void {
    const words = this.options.words().setUp;
    const tables = this.all();
    const ready = tables.filter((it) => it.ready);
    const others = tables.filter((it) => !it.ready).map(({ table }) => table);
    setText(this.title, words.check);
    const sum = words.checkSum(ready.length, tables.length);
    setText(this.sum, others.length === 0 ? sum : `${sum} ${words.checkLook(runsOf(others))}`);
    this.sum.toggleAttribute('data-ready', tables.length > 0 && others.length === 0);
    setText(this.onlyName, words.checkOnly);
    setText(this.print, words.print);
    setText(this.onScreen, words.checkScreen);
    this.leave.setAttribute('aria-label', words.checkLeave);
    setText(this.begin, this.sure ? words.startAllTheSame : words.startRound);
    this.begin.disabled = tables.length === 0;
    const shown = this.only.input.checked ? tables.filter((it) => !it.ready) : tables;
    const now = JSON.stringify([words.check, shown]);
    if (now === this.drawn) return;
    this.drawn = now;
    this.list.replaceChildren(...shown.map((it) => this.row(it)));
  }

  private all(): Checked[] {
    const { halls, sections, setup } = this.options;
    const known = new Set([
      ...halls.tableIds(),
      ...setup().tables.map(({ table }) => String(table)),
    ]);
    const order = walkingOrder([...known], sections);
    const clocks = kindsWithClocks(halls.tables.values());
    return order.map((table) => checked(table, halls.tables.get(table) ?? {}, clocks));
  }

  private row({ table, ready, findings, turned, names, times }: Checked): HTMLElement {
    const words = this.options.words();
    const lines = findings.map((it) => h('li', {}, this.told(it)));
    const lies =
      turned === null ? null : turned ? words.setUp.liesTurned : words.setUp.liesStraight;
    const clock = times === null ? null : shown(times.white, times.black);
    const facts = [lies, clock].filter((it) => it !== null).join(' · ');
    return h(
      'li',
      { class: `check-row ${ready ? 'is-ready' : 'is-wrong'}` },
      h('b', { class: 'check-table' }, words.table(table)),
      h('span', { class: 'check-mark' }, ready ? words.setUp.checkReady : words.setUp.checkWrong),
      h('span', { class: 'check-names' }, ...pairOf(names)),
      h('span', { class: 'check-facts' }, facts),
      lines.length === 0 ? null : h('ul', { class: 'check-findings' }, ...lines),
    );
  }

  private told(finding: Finding): string {
    const words = this.options.words().setUp;
    switch (finding.kind) {
      case 'pieces': {
        const { squares } = finding;
        const named = squares.length > 0 && squares.length <= SQUARES_MAX;
        return named ? words.piecesAt(squares.join(', ')) : words.piecesWrong;
      }
      case 'clock_set': {
        const { shows, wanted } = finding;
        return words.clockSet(shown(shows.white, shows.black), shown(wanted.white, wanted.black));
      }
      case 'battery':
        return words.batteryLow(finding.percent);
      case 'noise':
        return words.noise(finding.count);
      default:
        return words.finding[finding.kind];
    }
  }

  /** Where a table is not ready it is asked first. */
  private async tapped(): Promise<void> {
    if (!this.sure && this.all().some((it) => !it.ready)) {
      this.sure = true;
      return this.draw();
    }
    this.sure = false;
    const why = await this.options.start();
    setText(this.refused, why ?? '');
    setText(this.said, why === null ? this.options.words().setUp.roundStarted : '');
    this.draw();
  }
}

/** Each name in the direction of its letters. */
function pairOf({ white, black }: Checked['names']): (HTMLElement | string)[] {
  if (white === '' && black === '') return [];
  return [h('bdi', {}, white), ' – ', h('bdi', {}, black)];
}

/** `1:30:30 / 1:30:30`, White's first. */
function shown(white: number, black: number): string {
  return `${clockSetting(white)} / ${clockSetting(black)}`;
}
