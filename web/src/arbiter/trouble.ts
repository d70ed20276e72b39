/** Where time is shortest: big clocks, moves to go, and boards as they are played. */

import type { TableState } from '../pure/halls';
import type { Side } from '../pure/payloads';
import { parseSelection } from '../pure/selection';
import type { TableId } from '../pure/table_id';
import { inPlace, worstTables } from '../pure/trouble';
import type { Watched } from '../pure/watch';
import { Board, pictureOf } from '../view/board';
import { h, icon, onceLaidOut, place, setAttribute, setText } from '../view/dom';
import { ICONS } from '../view/icons';
import { PlayerRow } from '../view/player_row';
import { rawResult } from '../view/state_line';
import type { Desk, View } from './desk';

const SIDES = ['black', 'white'] as const;
/** Often enough that no shown second is noticeably late. */
const TICK_MS = 100;

export class Trouble implements View {
  readonly element = h('div', { class: 'trouble' });
  private readonly back = h('a', { class: 'tool sheet-back', href: '#/tables' });
  private readonly title = h('h2', {});
  private readonly none = h('p', { class: 'none', role: 'status' });
  private readonly list = h('ul', { class: 'trouble-list' });
  private readonly tiles = new Map<TableId, TroubleTile>();
  private readonly asked = parseSelection(new URLSearchParams(location.search).get('tables'));
  private shown: readonly TableId[] = [];

  constructor(private readonly desk: Desk) {
    const { back, title, none, list } = this;
    back.append(icon(ICONS.back));
    this.element.append(h('p', { class: 'trouble-head' }, back, title), none, list);
    setInterval(() => this.tickClocks(), TICK_MS);
  }

  draw(): void {
    const { app, sector } = this.desk;
    const { words, halls } = app;
    const own = halls.watched.filter(({ table }) => sector.ownsTable(table) && this.asked(table));
    setText(this.title, words.watchList);
    setAttribute(this.back, 'aria-label', words.allTables);
    this.shown = inPlace(this.shown, worstTables(own));
    setText(this.none, this.shown.length === 0 ? app.whereNothingIs(words.nobodyShort) : '');
    for (const table of this.tiles.keys()) {
      if (!this.shown.includes(table)) this.tiles.delete(table);
    }
    const tiles = this.shown.map((table) => this.tile(table));
    place(
      this.list,
      tiles.map(({ element }) => element),
    );
    for (const tile of tiles) {
      const watched = own.filter(({ table }) => table === tile.table);
      tile.draw(halls.tables.get(tile.table) ?? {}, watched, this.desk);
    }
    this.tickClocks();
  }

  tick(): void {
    return;
  }

  private tile(table: TableId): TroubleTile {
    const known = this.tiles.get(table) ?? new TroubleTile(table);
    this.tiles.set(table, known);
    return known;
  }

  private tickClocks(): void {
    if (this.element.offsetParent === null) return;
    const { app } = this.desk;
    for (const tile of this.tiles.values()) {
      const state = app.halls.tables.get(tile.table);
      if (state !== undefined) tile.tick(state, app.nowFor(tile.table));
    }
  }
}

/** It stays the same element while the game goes on: a finger may be on it. */
class TroubleTile {
  readonly element: HTMLElement;
  private readonly rows = { white: new PlayerRow(), black: new PlayerRow() };
  private readonly toGo = { white: h('span', {}), black: h('span', {}) };
  private readonly boardElement = h('div', { class: 'board', 'aria-hidden': 'true' });
  private readonly board = new Board(this.boardElement, false);
  private laidOut = false;

  constructor(readonly table: TableId) {
    const player = (side: Side) =>
      h('div', { class: 'trouble-player' }, this.rows[side].element, this.toGo[side]);
    const [above, below] = SIDES.map(player);
    const beside = h('div', { class: 'trouble-beside' }, h('b', {}, table));
    beside.append(...[above, below].filter((it) => it !== undefined));
    const link = h('a', { href: `/arbiter#/table/${table}` }, this.boardElement, beside);
    this.element = h('li', { 'data-table': table }, link);
    onceLaidOut(this.boardElement, () => (this.laidOut = true));
  }

  draw(state: TableState, watched: readonly Watched[], { app }: Desk): void {
    const { words } = app;
    for (const side of SIDES) {
      const player = state.game?.[side] ?? null;
      this.rows[side].draw({ player, side, result: rawResult(state), words }, null);
      const short = watched.find((it) => it.side === side);
      const toGo = short?.toGo ?? null;
      setText(this.toGo[side], toGo === null ? '' : words.movesToGo(toGo));
      setAttribute(this.rows[side].element, 'data-short', short === undefined ? null : '');
    }
    if (this.laidOut) this.board.draw(pictureOf(state.position, 'white'));
  }

  tick(state: TableState, now: number | null): void {
    for (const side of SIDES) this.rows[side].tick(state.clock, side, now);
  }
}
