/** Taking moves back: which ones go, and what will stand there then. */

import { moveLabel } from '../pure/moves';
import type { Move } from '../pure/payloads';
import { positionsOf } from '../pure/positions';
import { localSan } from '../pure/san';
import { Board } from '../view/board';
import { h } from '../view/dom';
import { TableTool, type ToolOptions } from './table_tool';

/** More than these are set as a position. */
const MOST = 6;

export class TakeBackTool extends TableTool {
  private readonly moves: readonly Move[];
  private readonly list = h('div', { class: 'tool-row', role: 'group' });
  private readonly boardElement = h('div', { class: 'board' });
  private readonly board = new Board(this.boardElement, true);
  private plies = 1;

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.takeBack, words.takeBackDo);
    this.moves = (this.state.game?.moves ?? []).slice(-MOST);
    this.list.setAttribute('aria-label', words.takeBackFrom);
    this.place(h('p', {}, words.takeBackFrom), this.list, this.boardElement);
    new ResizeObserver((_, observer) => {
      if (this.boardElement.clientWidth === 0) return;
      observer.disconnect();
      this.draw();
    }).observe(this.boardElement);
    this.draw();
  }

  protected override request() {
    return this.moves.length === 0 ? null : { verb: 'take_back', body: { plies: this.plies } };
  }

  protected override done(): string {
    return this.words.tookBack;
  }

  /** The first move that goes is chosen; all after it go with it. */
  private draw(): void {
    const { app } = this.options.desk;
    const { game } = this.state;
    const buttons = this.moves.map(({ ply, san }, index) => {
      const plies = this.moves.length - index;
      const onclick = () => {
        this.plies = plies;
        this.draw();
      };
      const pressed = String(plies <= this.plies);
      const name = `${moveLabel(ply, game?.startFen ?? null)} ${localSan(san, app.letters)}`;
      const button = { class: 'choice', type: 'button', 'aria-pressed': pressed, onclick };
      return h('button', button, name);
    });
    this.list.replaceChildren(...buttons);
    const positions = game === undefined ? [] : positionsOf(game);
    const left = positions[(game?.moves.length ?? 0) - this.plies];
    this.boardElement.hidden = left === undefined;
    if (left !== undefined && this.boardElement.clientWidth > 0) {
      this.board.draw({ ...left, orientation: 'white' });
    }
  }
}
