/** Taking moves back: which ones go, and what will stand there then. */

import { moveLabel, moveName } from '../pure/moves';
import type { Move } from '../pure/payloads';
import { positionsOf } from '../pure/positions';
import { localSan } from '../pure/san';
import { Board } from '../view/board';
import { h, onceLaidOut } from '../view/dom';
import { choice } from '../view/form';
import { TableTool, type ToolOptions } from './table_tool';

/** More than these are set as a position. */
const MOST = 6;

export class TakeBackTool extends TableTool {
  private readonly list = h('div', { class: 'tool-row', role: 'group' });
  private readonly boardElement = h('div', { class: 'board' });
  private readonly board = new Board(this.boardElement, true);
  /** The first move that goes, at first the last one; null: that one is no more. */
  private from: { readonly index: number; readonly move: string } | null = null;
  private begun = false;
  private drawn = '';

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.takeBack, words.takeBackDo);
    this.list.setAttribute('aria-label', words.takeBackFrom);
    this.place(h('p', {}, words.takeBackFrom), this.list, this.boardElement);
    onceLaidOut(this.boardElement, () => this.drawBoard());
    this.news();
  }

  /** Moves go on being made: those that were chosen stay chosen, but not those of another game. */
  override news(): void {
    const { from, moves } = this;
    if (from !== null && moveName(moves[from.index]) !== from.move) this.from = null;
    this.draw();
    this.judge();
  }

  /** Whoever takes back other moves than he has seen is refused. */
  protected override request() {
    const { from, moves } = this;
    const of = moves.length;
    return from === null ? null : { verb: 'take_back', body: { plies: of - from.index, of } };
  }

  protected override done(): string {
    return this.words.tookBack;
  }

  private get moves(): readonly Move[] {
    return this.state.game?.moves ?? [];
  }

  /** The first move that goes is chosen; all after it go with it. */
  private draw(): void {
    const { app } = this.options.desk;
    const { game } = this.state;
    if (!this.begun && this.moves.length > 0) this.choose(this.moves.length - 1);
    const left = this.from?.index ?? this.moves.length;
    const first = Math.min(left, Math.max(0, this.moves.length - MOST));
    const names = this.moves.slice(first).map(({ ply, san }) => {
      return `${moveLabel(ply, game?.startFen ?? null)} ${localSan(san, app.letters)}`;
    });
    const key = JSON.stringify([first, left, names]);
    if (key === this.drawn) return;
    this.drawn = key;
    const held = this.list.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-index')
      : null;
    const buttons = names.map((name, offset) => this.button(first + offset, name, left));
    this.list.replaceChildren(...buttons);
    buttons.find((button) => button.dataset['index'] === held)?.focus();
    this.drawBoard();
  }

  private button(index: number, name: string, left: number): HTMLButtonElement {
    const button = choice(name, index >= left, () => {
      this.choose(index);
      this.news();
    });
    button.dataset['index'] = String(index);
    return button;
  }

  private choose(index: number): void {
    this.begun = true;
    this.from = { index, move: moveName(this.moves[index]) };
  }

  private drawBoard(): void {
    const { game } = this.state;
    const { from } = this;
    const left = game === undefined || from === null ? null : positionsOf(game)[from.index];
    this.boardElement.hidden = !left;
    if (left && this.boardElement.clientWidth > 0) {
      this.board.draw({ ...left, orientation: 'white' }, this.words);
    }
  }
}
