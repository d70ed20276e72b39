/** The tables of the hall: who is short of time, then all of them. */

import type { Gravity } from '../pure/alerts';
import { formatClock } from '../pure/clock';
import { spanOf } from '../pure/format';
import type { Hall } from '../pure/hall';
import type { TableState } from '../pure/halls';
import { grouped } from '../pure/sections';
import { means, plain } from '../pure/search';
import type { TableId } from '../pure/table_id';
import type { Words } from '../i18n/words';
import { leftOf } from '../pure/watch';
import { h, keepingFocus, place, refill, setAttribute, setText } from '../view/dom';
import { leavesOnEscape, quiet } from '../view/form';
import { stateLine } from '../view/state_line';
import { offers, type Desk, type View } from './desk';
import { RoundTool } from './round_tool';

/** As many as arbiters can stand beside. */
const WATCHED_MAX = 20;

type Alerted = ReadonlyMap<TableId | null, Gravity>;

interface Item {
  readonly table: TableId;
  readonly names: readonly string[];
  readonly mood: string;
  readonly told: string;
  /** Of the gravest alert there, and in words. */
  readonly gravity: Gravity | null;
  readonly wanted: string;
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
  private readonly others = h('div', {});
  private readonly othersTitle = h('summary', {});
  /** Tables that are other arbiters'. */
  private readonly elsewhere = h(
    'details',
    { class: 'notes is-elsewhere' },
    this.othersTitle,
    this.others,
  );
  private readonly none = h('p', { class: 'none', role: 'status' });
  private readonly papers = h('p', { class: 'papers' });
  /** The start of a round, while it is being said. */
  private readonly tool = h('div', {});
  private round: RoundTool | null = null;
  /** The hall whose round that is. */
  private begins: Hall | null = null;
  private papersDrawn = '';
  private readonly lines = new Map<TableId, TableLine>();
  private readonly watchLines = new Map<string, WatchLine>();
  private readonly drawn = new Map<HTMLElement, string>();

  constructor(private readonly desk: Desk) {
    const { watchTitle, watch, title, search, list, none, papers, tool } = this;
    const head = h('div', { class: 'tables-head' }, title, search, papers);
    this.element.append(watchTitle, watch, head, tool, none, list, this.elsewhere);
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
    const alerted = this.alerted();
    const items = app.halls.tableIds().map((table) => this.item(table, alerted));
    const found = items.filter(({ table, text }) => means(this.search.value, table, text));
    setText(this.none, found.length === 0 && items.length > 0 ? words.noneFound : '');
    found.forEach((item) => this.line(item.table).draw(item));
    // Who looks for a table means any of them.
    const own = ({ table }: Item) => this.search.value !== '' || this.desk.sector.ownsTable(table);
    this.drawList(found.filter(own), this.list);
    const others = found.filter((item) => !own(item));
    this.elsewhere.hidden = others.length === 0;
    setText(this.othersTitle, words.otherTables(others.length));
    this.drawList(others, this.others);
  }

  /** Another order, or other tables: else every line stays where it is. */
  private drawList(found: readonly Item[], list: HTMLElement): void {
    const groups = grouped(found, this.desk.app.sections);
    const order = groups.map(({ name, items }) => [name, items.map(({ table }) => table)]);
    const key = JSON.stringify(order);
    if (key === this.drawn.get(list)) return;
    this.drawn.set(list, key);
    const sections = groups.map(({ name, items }) => {
      const heading = name === null ? null : h('h3', {}, name);
      const lines = items.map(({ table }) => this.line(table).element);
      return h('section', {}, heading, h('ul', { class: 'table-list' }, ...lines));
    });
    refill(list, sections);
  }

  private line(table: TableId): TableLine {
    const known = this.lines.get(table) ?? new TableLine(table);
    this.lines.set(table, known);
    return known;
  }

  /** The tables at which somebody is wanted, and how urgently; a note calls nobody. */
  private alerted(): Alerted {
    const alerted = new Map<TableId | null, Gravity>();
    for (const { table, gravity, state, earlierGame } of this.desk.app.halls.alerts.values()) {
      // Those whom an earlier game concerned sit there no more.
      if (state === 'lapsed' || gravity === 'note' || earlierGame) continue;
      if (alerted.get(table) !== 'summon') alerted.set(table, gravity);
    }
    return alerted;
  }

  tick(): void {
    if (this.element.offsetParent === null) return;
    this.drawAstray();
    const { app } = this.desk;
    const { words, halls } = app;
    const own = halls.watched.filter(({ table }) => this.desk.sector.ownsTable(table));
    const watched = own.slice(0, WATCHED_MAX);
    setText(this.watchTitle, watched.length === 0 ? '' : words.watchList);
    const lines = watched.map((player) => {
      const { table, side, counting, toGo } = player;
      const key = `${table} ${side}`;
      const line = this.watchLines.get(key) ?? new WatchLine(table);
      this.watchLines.set(key, line);
      const name = this.desk.playerName(table, side);
      const left = formatClock(leftOf(player, app.daemonNow(table)));
      return line.draw(name, toGo === null ? '' : words.movesToGo(toGo), left, counting);
    });
    place(this.watch, lines);
  }

  private item(table: TableId, alerted: Alerted): Item {
    const { app } = this.desk;
    const state = app.halls.tables.get(table) ?? {};
    const names = (['white', 'black'] as const).map((side) => this.desk.playerName(table, side));
    const { mood, text: told } = stateLine(state, app.words, app.letters);
    const text = plain(names.join(' '));
    const called = alerted.get(table) ?? null;
    // Nobody is called any more, and the squares still show something else.
    const astray = state.position?.phase === 'adrift' && called === null;
    const gravity = astray ? 'look' : called;
    const differs = astray ? adriftText(state, app.daemonNow(table), app.words) : '';
    const wanted = called === null ? differs : app.words.gravity[called];
    return { table, names, mood, told, gravity, wanted, text };
  }

  /** How long squares and score have differed goes on while nothing is told. */
  private drawAstray(): void {
    const alerted = this.alerted();
    for (const [table, { position }] of this.desk.app.halls.tables) {
      if (position?.phase === 'adrift') this.lines.get(table)?.draw(this.item(table, alerted));
    }
  }

  private drawPapers(): void {
    const { words, language, halls } = this.desk.app;
    const { all } = halls;
    const drawn = JSON.stringify([language, all.map(({ name }) => name)]);
    if (drawn === this.papersDrawn) return;
    this.papersDrawn = drawn;
    if (this.begins !== null) this.startRound(this.begins);
    const begin = (hall: Hall) => {
      const name = hall.name === '' ? words.startRound : words.startRoundIn(hall.name);
      return quiet(name, () => this.startRound(hall));
    };
    const starts = offers(this.desk, 'start_round') ? all.map(begin) : [];
    const sheet = h('a', { class: 'button is-quiet', href: '#/times' }, words.timeSheet);
    const short = h('a', { class: 'button is-quiet', href: '#/time' }, words.watchList);
    const results = h('a', { class: 'button is-quiet', href: '#/results' }, words.results);
    this.papers.replaceChildren(...starts, short, results, sheet);
  }

  private startRound(hall: Hall): void {
    this.begins = hall;
    const close = () => {
      [this.round, this.begins] = [null, null];
      const opener = () => this.papers.querySelector('button');
      keepingFocus(this.tool, () => this.tool.replaceChildren(), opener);
    };
    this.round = new RoundTool(this.desk, hall, close);
    leavesOnEscape(this.round.element, close);
    this.tool.replaceChildren(this.round.element);
    this.round.element.querySelector('input')?.focus();
  }
}

/** "Squares and score have differed for 12 min" */
export function adriftText({ position }: TableState, now: number | null, words: Words): string {
  const since = position?.adriftSince ?? null;
  if (since === null || now === null) return words.adriftShort;
  const { unit, count } = spanOf(now - since);
  return words.differFor(`${count} ${unit}`);
}

/** It stays the same element while games go on: a finger may be on it. */
class TableLine {
  readonly element: HTMLElement;
  private readonly names = [h('span', {}), h('span', {})] as const;
  private readonly state = h('span', { class: 'tile-state' });
  private readonly wanted = h('span', { class: 'badge' });
  private readonly link: HTMLElement;

  constructor(table: TableId) {
    const names = h('span', { class: 'table-names' }, ...this.names);
    const told = h('span', { class: 'table-told' }, this.state, this.wanted);
    const number = h('b', {}, table);
    this.link = h('a', { href: `#/table/${table}` }, number, names, told);
    this.element = h('li', {}, this.link);
  }

  draw({ names, mood, told, gravity, wanted }: Item): void {
    this.names.forEach((name, index) => setText(name, names[index] ?? ''));
    setText(this.state, told);
    setAttribute(this.state, 'data-mood', mood);
    setText(this.wanted, wanted);
    setAttribute(this.link, 'data-gravity', gravity);
  }
}

/** One player who is short of time. */
class WatchLine {
  private readonly name = h('span', {});
  private readonly toGo = h('span', {});
  private readonly left = h('time', {});
  private readonly element: HTMLElement;

  constructor(table: TableId) {
    const number = h('b', {}, table);
    const link = h('a', { href: `#/table/${table}` }, number, this.name, this.toGo, this.left);
    this.element = h('li', {}, link);
  }

  draw(name: string, toGo: string, left: string, counting: boolean): HTMLElement {
    setText(this.name, name);
    setText(this.toGo, toGo);
    setText(this.left, left);
    setAttribute(this.element, 'data-running', counting ? '' : null);
    return this.element;
  }
}
