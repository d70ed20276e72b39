/** One table on the wall: number, state, players, clocks, board. */

import type { Grid } from '../pure/grid';
import type { TableState } from '../pure/hall';
import { Board, pictureOf } from './board';
import type { Context } from './context';
import { fitting } from '../pure/names';
import { h, setAttribute, setText } from './dom';
import { nameMeasure } from './name_measure';
import { PlayerRow, seated, type NameRoom } from './player_row';
import { rawResult, stateLine } from './state_line';

/** Widths in multiples of the text size: padding and colour disc, points, clock. */
const MARGINS = 2.3;
/** The same where the clock has a line of its own. */
const MARGINS_BESIDE = 2.7;
const STATE_MARGINS = 4.6;
const POINTS = 1.1;
const SHORT_CLOCK = 3.0;
const LONG_CLOCK = 4.0;
/** The question mark of a time that is not heard any more. */
const PAST = 0.8;
const HOUR_MS = 3_600_000;

export class Tile {
  readonly element: HTMLElement;
  /** Set while the tile is scrolled out of sight: it then draws nothing. */
  hidden = false;
  private readonly top = new PlayerRow();
  private readonly bottom = new PlayerRow();
  private readonly state = h('span', { class: 'tile-state' });
  /** Read out before the number. */
  private readonly spoken = h('span', { class: 'visually-hidden' });
  private readonly boardElement = h('div', { class: 'board', 'aria-hidden': 'true' });
  private readonly board = new Board(this.boardElement, false);
  private readonly link: HTMLAnchorElement;

  constructor(readonly table: number) {
    const number = h('b', {}, String(table));
    const head = h('div', { class: 'tile-head' }, this.spoken, number, this.state);
    this.link = h(
      'a',
      { class: 'tile', href: `/table/${table}` },
      head,
      this.top.element,
      this.boardElement,
      this.bottom.element,
    );
    this.element = h('li', { 'data-table': String(table) }, this.link);
  }

  draw(state: TableState, context: Context, grid: Grid): void {
    const { words, letters, screens } = context;
    const line = stateLine(state, words, letters, screens.moves);
    setText(this.state, fitting([line.text, line.short], stateWidth(grid), nameMeasure(grid.text)));
    setAttribute(this.state, 'data-mood', line.mood);
    setAttribute(this.link, 'data-mood', line.mood);
    setText(this.spoken, words.tableWord);
    const room = nameRoom(state, grid, screens.clocks);
    for (const [row, side] of this.rows(context)) {
      const player = state.game?.[side] ?? null;
      row.draw({ player, side, result: rawResult(state), words }, room);
    }
    this.board.draw(pictureOf(state.position, context.orientation));
    this.tick(state, context);
  }

  tick(state: TableState, context: Context): void {
    const now = context.nowFor(state);
    const clock = context.screens.clocks ? state.clock : undefined;
    for (const [row, side] of this.rows(context)) row.tick(clock, side, now);
  }

  private rows({ orientation }: Context) {
    return seated(this.top, this.bottom, orientation);
  }
}

function stateWidth({ board, side, text }: Grid): number {
  return (side || board) - text * STATE_MARGINS;
}

function nameRoom(state: TableState, { board, side, text }: Grid, clocks: boolean): NameRoom {
  const shown = side === 0 && clocks && state.clock !== undefined;
  const longest = Math.max(state.clock?.white ?? 0, state.clock?.black ?? 0);
  const face = longest >= HOUR_MS ? LONG_CLOCK : SHORT_CLOCK;
  const clock = !shown ? 0 : state.clock?.current === true ? face : face + PAST;
  const points = rawResult(state) === '*' ? 0 : POINTS;
  const besides = (side > 0 ? MARGINS_BESIDE : MARGINS) + clock + points;
  const width = (side || board) - text * besides;
  return { width, measure: nameMeasure(text) };
}
