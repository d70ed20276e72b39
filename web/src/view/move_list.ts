/** The moves of a game, two to a line, the last one in view. */

import type { Context } from './context';
import { formatClock } from '../pure/clock';
import { moveRows, type MoveRow } from '../pure/moves';
import type { Game, Move } from '../pure/payloads';
import { localSan } from '../pure/san';
import { h } from './dom';

/** Closer than this to the end counts as being there. */
const NEAR_END_PX = 24;

export class MoveList {
  readonly element = h('div', { class: 'moves', tabindex: '0', role: 'region' });
  private drawn: string | null = null;
  /** Until the reader scrolls away from it, the last move stays in view. */
  private following = true;

  constructor() {
    this.element.addEventListener('scroll', () => (this.following = this.atEnd()));
    new ResizeObserver(() => this.follow()).observe(this.element);
  }

  draw(game: Game | undefined, context: Context): void {
    const last = game?.moves[game.moves.length - 1];
    const key = JSON.stringify([game?.startFen, game?.moves, context.language]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.element.setAttribute('aria-label', context.words.moves);
    this.element.replaceChildren(
      last === undefined || game === undefined
        ? h('p', { class: 'moves-none' }, context.words.noMoves)
        : h('ol', {}, ...moveRows(game).map((row) => line(row, last, context))),
    );
    this.follow();
  }

  private follow(): void {
    if (this.following) this.element.scrollTop = this.element.scrollHeight;
  }

  private atEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  }
}

function line(row: MoveRow, last: Move, context: Context): HTMLElement {
  const number = h('span', { class: 'move-number' }, `${row.number}.`);
  return h(
    'li',
    {},
    number,
    cell(row.white, row.black === null ? '' : '…', last, context),
    cell(row.black, '', last, context),
  );
}

function cell(move: Move | null, blank: string, last: Move, context: Context): HTMLElement {
  if (move === null) return h('span', { class: 'move' }, blank);
  const { words, language } = context;
  return h(
    'span',
    {
      class: 'move',
      'data-last': move === last,
      'data-inferred': move.inferred,
      title: move.inferred && words.inferred,
    },
    h('b', {}, localSan(move.san, language)),
    move.clockMs === null ? null : h('small', {}, formatClock(move.clockMs)),
  );
}
