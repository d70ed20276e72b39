/** The score compared with a scoresheet: a move that was missed is inserted, or one is replaced. */

import { movesIn, tried, type Tried } from '../pure/correction';
import { moveLabel, moveName } from '../pure/moves';
import type { Move } from '../pure/payloads';
import { englishSan, localSan } from '../pure/san';
import { Board } from '../view/board';
import { h, onceLaidOut, setAttribute, setText } from '../view/dom';
import { choiceGroup, field } from '../view/form';
import { TableTool, type ToolOptions } from './table_tool';

const MODES = ['replace', 'insert'] as const;

export class CorrectTool extends TableTool {
  private readonly list = h('div', { class: 'sheet-moves', tabindex: '0', role: 'group' });
  private readonly written: HTMLInputElement;
  private readonly label: HTMLElement;
  private readonly name = document.createTextNode('');
  private readonly verdict = h('p', { class: 'claim', role: 'status', hidden: true });
  private readonly boardElement = h('div', { class: 'board', hidden: true });
  private readonly board = new Board(this.boardElement, true);
  private mode: (typeof MODES)[number] = 'replace';
  /** The first half move that is not as on the sheet; null: that one is no more. */
  private at: { readonly index: number; readonly move: string } | null = null;
  private begun = false;
  private drawn = '';

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.correctScore, words.correctDo);
    const { label, input } = field('');
    this.label = label;
    this.written = input;
    label.prepend(this.name);
    this.list.setAttribute('aria-label', words.correctFrom);
    input.addEventListener('input', () => this.news());
    const hint = h('p', {}, words.correctFrom);
    this.place(hint, this.list, this.modes(), this.label, this.verdict, this.boardElement);
    onceLaidOut(this.list, () => this.news());
  }

  /** Moves go on being made: the one that was chosen stays so, but not that of another game. */
  override news(): void {
    const { at, moves } = this;
    if (!this.begun && moves.length > 0) this.choose(moves.length - 1);
    if (at !== null && moveName(moves[at.index]) !== at.move) this.at = null;
    this.drawList();
    this.drawVerdict();
    this.judge();
  }

  protected override request() {
    const outcome = this.outcome();
    const { at } = this;
    if (at === null || outcome === null || !('moves' in outcome)) return null;
    const { moves } = outcome;
    if (moves.length === 0) return null;
    const body = { after: at.index, replaces: this.replaces(moves.length), moves };
    return { verb: 'correct_score', body: { ...body, of: this.moves.length } };
  }

  protected override done(): string {
    return this.words.scoreCorrected;
  }

  private get moves(): readonly Move[] {
    return this.state.game?.moves ?? [];
  }

  /** As many as are written, where there are so many. */
  private replaces(count: number): number {
    const left = this.moves.length - (this.at?.index ?? 0);
    return this.mode === 'insert' ? 0 : Math.min(count, left);
  }

  private typed(): string[] {
    const { language } = this.options.desk.app;
    return movesIn(this.written.value).map((move) => englishSan(move, language));
  }

  /** What the passage comes to; where the score cannot be followed here, the daemon judges. */
  private outcome(): Tried | null {
    const { at } = this;
    const { game } = this.state;
    const typed = this.typed();
    if (at === null || game === undefined || typed.length === 0) return null;
    const replaces = this.replaces(typed.length);
    const known = tried(game, at.index, replaces, typed);
    return known ?? { fits: false, ply: 0, moves: typed };
  }

  private modes(): HTMLElement {
    const { words } = this;
    const choices = MODES.map((value) => ({ value, name: words.correctModes[value] }));
    const onChoose = (mode: (typeof MODES)[number]) => {
      this.mode = mode;
      this.news();
    };
    const label = words.correctScore;
    return choiceGroup(choices, { label, across: 'is-two', chosen: this.mode, onChoose });
  }

  private drawList(): void {
    const { app } = this.options.desk;
    const startFen = this.state.game?.startFen ?? null;
    const names = this.moves.map(({ ply, san }) => {
      return `${moveLabel(ply, startFen)} ${localSan(san, app.letters)}`;
    });
    const chosen = this.at?.index ?? null;
    this.name.data = this.words.correctWritten(names[chosen ?? -1] ?? '–');
    const key = JSON.stringify([names, chosen]);
    if (key === this.drawn) return;
    const first = this.drawn === '';
    this.drawn = key;
    const held = this.list.contains(document.activeElement);
    const top = this.list.scrollTop;
    const buttons = names.map((name, index) => this.button(name, index, index === chosen));
    this.list.replaceChildren(...buttons);
    this.list.scrollTop = first ? this.list.scrollHeight : top;
    if (held) buttons[chosen ?? -1]?.focus({ preventScroll: true });
  }

  private button(name: string, index: number, chosen: boolean): HTMLButtonElement {
    const onclick = () => {
      this.choose(index);
      this.news();
    };
    const about = { class: 'choice', type: 'button', 'data-index': String(index), onclick };
    return h('button', { ...about, 'aria-pressed': String(chosen) }, name);
  }

  private choose(index: number): void {
    this.begun = true;
    this.at = { index, move: moveName(this.moves[index]) };
  }

  private drawVerdict(): void {
    const outcome = this.outcome();
    this.verdict.hidden = outcome === null;
    setText(this.verdict, outcome === null ? '' : this.told(outcome));
    setAttribute(this.verdict, 'data-right', outcome?.fits === true ? '' : null);
    const fen = outcome?.fits === true ? outcome.fen : null;
    this.boardElement.hidden = fen === null;
    if (fen === null || this.boardElement.clientWidth === 0) return;
    this.board.draw({ fen, lastUci: null, check: null, orientation: 'white' }, this.words);
  }

  private told(outcome: Tried): string {
    const { words, options } = this;
    const { letters } = options.desk.app;
    if (outcome.fits) return words.correctFits;
    if ('written' in outcome) return words.correctNotSo(localSan(outcome.written, letters));
    const move = this.moves.find(({ ply }) => ply === outcome.ply);
    if (move === undefined) return words.correctUnknown;
    const label = moveLabel(move.ply, this.state.game?.startFen ?? null);
    return words.correctRestNot(`${label} ${localSan(move.san, letters)}`);
  }
}
