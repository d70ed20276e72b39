/** The tables of the hall: who is short of time, then all of them. */

import { formatClock } from '../pure/clock';
import { grouped } from '../pure/sections';
import { leftOf } from '../pure/watch';
import { h, keepingFocus, refill, setText } from '../view/dom';
import { leavesOnEscape, quiet } from '../view/form';
import { stateLine } from '../view/state_line';
import { offers, type Desk, type View } from './desk';
import { RoundTool } from './round_tool';

/** As many as arbiters can stand beside. */
const WATCHED_MAX = 20;

interface Item {
  readonly table: number;
  readonly names: readonly string[];
  readonly mood: string;
  readonly told: string;
  readonly alerts: number;
  /** What a search looks into. */
  readonly text: string;
}

export class Tables implements View {
  readonly element = h('div', { class: 'tables' });
  private readonly watchTitle = h('h2', {});
  private readonly watch = h('ol', { class: 'watch' });
  private readonly title = h('h2', {});
  private readonly search = h('input', { type: 'search', autocomplete: 'off' });
  private readonly list = h('div', {});
  private readonly papers = h('p', { class: 'papers' });
  /** The start of a round, while it is being said. */
  private readonly tool = h('div', {});
  private round: RoundTool | null = null;
  private drawn = '';

  constructor(private readonly desk: Desk) {
    const { watchTitle, watch, title, search, list, papers, tool } = this;
    const head = h('div', { class: 'tables-head' }, title, search, papers);
    this.element.append(watchTitle, watch, head, tool, list);
    search.addEventListener('input', () => this.draw());
  }

  draw(): void {
    const { app } = this.desk;
    const { words } = app;
    setText(this.title, words.tables);
    this.search.placeholder = words.search;
    this.search.setAttribute('aria-label', words.search);
    this.drawPapers();
    this.round?.judge();
    const wanted = this.search.value.trim().toLocaleLowerCase();
    const items = app.hall.tableNumbers().map((table) => this.item(table));
    const found = items.filter(({ table, text }) => {
      return wanted === '' || String(table) === wanted || text.includes(wanted);
    });
    const key = JSON.stringify([app.language, found]);
    if (key === this.drawn) return;
    this.drawn = key;
    const groups = grouped(found, app.config.sections).map(({ name, items: own }) => {
      const heading = name === null ? null : h('h3', {}, name);
      return h('section', {}, heading, h('ul', { class: 'table-list' }, ...own.map(line)));
    });
    refill(this.list, groups);
  }

  tick(now: number | null): void {
    if (this.element.offsetParent === null || now === null) return;
    const { words, hall } = this.desk.app;
    const watched = hall.watched.slice(0, WATCHED_MAX);
    setText(this.watchTitle, watched.length === 0 ? '' : words.watchList);
    const lines = watched.map((player) => {
      const { table, side, counting, toGo } = player;
      return h(
        'li',
        { 'data-running': counting },
        h(
          'a',
          { href: `#/table/${table}` },
          h('b', {}, String(table)),
          h('span', {}, this.desk.playerName(table, side)),
          h('span', {}, toGo === null ? '' : words.movesToGo(toGo)),
          h('time', {}, formatClock(leftOf(player, now))),
        ),
      );
    });
    refill(this.watch, lines);
  }

  private item(table: number): Item {
    const { app } = this.desk;
    const state = app.hall.tables.get(table) ?? {};
    const names = (['white', 'black'] as const).map((side) => this.desk.playerName(table, side));
    const { mood, text: told } = stateLine(state, app.words, app.letters);
    const alerts = [...app.hall.alerts.values()].filter((alert) => {
      return alert.table === table && alert.state !== 'lapsed';
    }).length;
    return { table, names, mood, told, alerts, text: names.join(' ').toLocaleLowerCase() };
  }

  private drawPapers(): void {
    const { words } = this.desk.app;
    if (this.papers.childElementCount > 0 && this.papers.lang === this.desk.app.language) return;
    this.papers.lang = this.desk.app.language;
    const start = offers(this.desk, 'start_round')
      ? quiet(words.startRound, () => this.startRound())
      : null;
    const sheet = h('a', { class: 'button is-quiet', href: '#/times' }, words.timeSheet);
    this.papers.replaceChildren(...[start, sheet].filter((part) => part !== null));
  }

  private startRound(): void {
    const close = () => {
      this.round = null;
      const opener = () => this.papers.querySelector('button');
      keepingFocus(this.tool, () => this.tool.replaceChildren(), opener);
    };
    this.round = new RoundTool(this.desk, close);
    leavesOnEscape(this.round.element, close);
    this.tool.replaceChildren(this.round.element);
    this.round.element.querySelector('input')?.focus();
  }
}

function line(item: Item): HTMLElement {
  const { table, names, mood, told, alerts } = item;
  const link = h(
    'a',
    { href: `#/table/${table}`, 'data-alert': alerts > 0 },
    h('b', {}, String(table)),
    h('span', { class: 'table-names' }, ...names.map((name) => h('span', {}, name))),
    h('span', { class: 'tile-state', 'data-mood': mood }, told),
  );
  return h('li', {}, link);
}
