/** Saying that a board lies the other way round, and what is then seen on its squares. */

import { turned } from '../pure/placement';
import { Board } from '../view/board';
import { h, onceLaidOut } from '../view/dom';
import { TableTool, type ToolOptions } from './table_tool';

export class FlipTool extends TableTool {
  private readonly boardElement = h('div', { class: 'board' });
  private readonly board = new Board(this.boardElement, true);

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.turnBoard, words.turnBoardDo);
    this.place(h('p', {}, words.turnBoardHint), this.boardElement);
    onceLaidOut(this.boardElement, () => this.draw());
    this.news();
  }

  override news(): void {
    this.draw();
    this.judge();
  }

  protected override request() {
    return { verb: 'flip', body: {} };
  }

  protected override done(): string {
    return this.words.boardTurned;
  }

  /** As it would be read. */
  private draw(): void {
    const seen = this.state.board?.placement ?? null;
    const fen = seen === null ? null : turned(seen);
    this.boardElement.hidden = fen === null;
    if (fen === null || this.boardElement.clientWidth === 0) return;
    const picture = { fen, lastUci: null, check: null, orientation: 'white' } as const;
    this.board.draw(picture, this.words);
  }
}
