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

  /** `onChoose`: somebody wants to see the position after this ply. */
  constructor(private readonly onChoose: (ply: number) => void) {
    this.element.addEventListener('scroll', () => (this.following = this.atEnd()));
    new ResizeObserver(() => this.follow()).observe(this.element);
  }

  /** `viewed`: the ply whose position is shown; null: the latest. */
  draw(game: Game | undefined, viewed: number | null, context: Context): void {
    const last = game?.moves.find(({ ply }) => ply === viewed) ?? latest(game);
    const { language, letters } = context;
    const key = JSON.stringify([game?.startFen, game?.moves, viewed, language, letters]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.element.setAttribute('aria-label', context.words.moves);
    this.element.replaceChildren(
      last === undefined || game === undefined
        ? h('p', { class: 'moves-none' }, context.words.noMoves)
        : h('ol', {}, ...moveRows(game).map((row) => this.line(row, last, context))),
    );
    if (viewed === null) this.follow();
    else this.element.querySelector('[data-last]')?.scrollIntoView({ block: 'nearest' });
  }

  private follow(): void {
    if (this.following) this.element.scrollTop = this.element.scrollHeight;
  }

  private atEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  }

  private line(row: MoveRow, last: Move, context: Context): HTMLElement {
    const number = h('span', { class: 'move-number' }, `${row.number}.`);
    const white = this.cell(row.white, row.black === null ? '' : '…', last, context);
    return h('li', {}, number, white, this.cell(row.black, '', last, context));
  }

  private cell(move: Move | null, blank: string, last: Move, context: Context): HTMLElement {
    if (move === null) return h('span', { class: 'move' }, blank);
    const { words, letters, screens } = context;
    const released = screens.presses && move.status === 'released';
    const time = screens.clocks && move.clockMs !== null ? formatClock(move.clockMs) : null;
    return h(
      'button',
      {
        class: 'move',
        type: 'button',
        'data-last': move === last,
        'data-inferred': move.inferred,
        'data-released': released,
        title: move.inferred ? words.inferred : released && words.released,
        onclick: () => this.onChoose(move.ply),
      },
      h('b', {}, localSan(move.san, letters)),
      time === null ? null : h('small', {}, time),
    );
  }
}

function latest(game: Game | undefined): Move | undefined {
  return game?.moves[game.moves.length - 1];
}
