/** One table on the wall: number, state, players, clocks, board. */

import type { Tiling } from '../pure/grid';
import type { TableState } from '../pure/halls';
import { Board, pictureOf } from './board';
import type { Context } from './context';
import { fitting } from '../pure/names';
import type { TableId } from '../pure/table_id';
import { h, setAttribute, setText } from './dom';
import { nameMeasure } from './name_measure';
import { PlayerRow, seated, type NameRoom } from './player_row';
import { rawResult, stateLine, type StateLine } from './state_line';

/** Widths in multiples of the text size: padding and colour disc, points, clock. */
const MARGINS = 2.3;
/** The same where the clock has a line of its own. */
const MARGINS_BESIDE = 2.7;
const STATE_MARGINS = 4.6;
/** The name of a table stands there, too: so many signs of it, each so wide. */
const USUAL_SIGNS = 3;
const SIGN = 0.6;
/** At the edge of the board it is set smaller, in several lines if need be. */
const FLANK_MARGINS = 0.7;
const FLANK_TEXT = 0.9;
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

  constructor(
    readonly table: TableId,
    href: string,
  ) {
    const number = h('b', {}, table);
    const head = h('div', { class: 'tile-head' }, this.spoken, number, this.state);
    this.link = h(
      'a',
      { class: 'tile', href },
      head,
      this.top.element,
      this.boardElement,
      this.bottom.element,
    );
    this.element = h('li', { 'data-table': table }, this.link);
  }

  draw(state: TableState, context: Context, tiling: Tiling): void {
    const { words, letters, screens } = context;
    const line = stateLine(state, words, letters, screens.moves);
    setText(this.state, stateIn(line, tiling, this.table.length));
    setAttribute(this.state, 'data-mood', line.mood);
    setAttribute(this.link, 'data-mood', line.mood);
    setText(this.spoken, words.tableWord);
    setAttribute(this.link, 'data-stale', context.staleAt(this.table) ? '' : null);
    const room = nameRoom(state, tiling, screens.clocks);
    for (const [row, side] of this.rows(context)) {
      const player = state.game?.[side] ?? null;
      row.draw({ player, side, result: rawResult(state), words }, room);
    }
    this.board.draw(pictureOf(state.position, context.orientation));
    this.tick(state, context);
  }

  tick(state: TableState, context: Context): void {
    const now = context.nowFor(this.table);
    const clock = context.screens.clocks ? state.clock : undefined;
    for (const [row, side] of this.rows(context)) row.tick(clock, side, now);
  }

  private rows({ orientation }: Context) {
    return seated(this.top, this.bottom, orientation);
  }
}

/** `signs`: how long the name of the table beside it is. */
function stateIn({ text, short }: StateLine, tiling: Tiling, signs: number): string {
  const { layout, board, side, text: size } = tiling;
  if (layout !== 'flanked') {
    const width =
      (layout === 'beside' ? side : board) -
      size * (STATE_MARGINS + Math.max(0, signs - USUAL_SIGNS) * SIGN);
    return fitting([text, short], width, nameMeasure(size));
  }
  const measure = nameMeasure(size * FLANK_TEXT);
  const longestWord = (words: string) => Math.max(...words.split(' ').map(measure));
  return fitting([text, short], side - size * FLANK_MARGINS, longestWord);
}

function nameRoom(state: TableState, tiling: Tiling, clocks: boolean): NameRoom {
  const { layout, board, side, text } = tiling;
  const beside = layout === 'beside';
  const shown = !beside && clocks && state.clock !== undefined;
  const longest = Math.max(state.clock?.white ?? 0, state.clock?.black ?? 0);
  const face = longest >= HOUR_MS ? LONG_CLOCK : SHORT_CLOCK;
  const clock = !shown ? 0 : state.clock?.current === true ? face : face + PAST;
  const points = rawResult(state) === '*' ? 0 : POINTS;
  const besides = (beside ? MARGINS_BESIDE : MARGINS) + clock + points;
  const width = (beside ? side : board + side) - text * besides;
  return { width, measure: nameMeasure(text) };
}
