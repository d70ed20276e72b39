/** Every line and board: its table, and what is wrong. A table can be typed. */

import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import {
  boardName,
  givenTable,
  seating,
  type FileChange,
  type Setup,
  type SetupBoard,
} from '../pure/setup';
import { h, setText } from '../view/dom';
import { quiet } from '../view/form';
import { numberInput } from './seat_hall';

export interface BoardsOptions {
  words(): Words;
  language(): Language;
  setup(): Setup;
  change(changes: readonly FileChange[], disturb: boolean): Promise<string | null>;
}

export class Boards {
  readonly element = h('section', { class: 'setup-boards' });
  private readonly title = h('h2', {});
  private readonly file = h('p', { class: 'setup-file' });
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly list = h('ul', { class: 'setup-list' });
  private readonly first = numberInput('');
  private readonly second = numberInput('');
  private readonly swapping = h('form', { class: 'setup-swap' });
  private shown = '';

  constructor(private readonly options: BoardsOptions) {
    this.element.append(this.title, this.file, this.refused, this.list, this.swapping);
    this.swapping.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.swap();
    });
  }

  draw(): void {
    const words = this.options.words();
    const { boards, file } = this.options.setup();
    const seated = boards.filter((it) => givenTable(this.options.setup(), it) !== null).length;
    setText(this.title, words.setupBoards(boards.length, seated));
    setText(this.file, file === null ? '' : words.setupFile(file));
    this.drawSwap(words);
    // Somebody may be typing: the rows are made anew only when something of them changes.
    const { tables } = this.options.setup();
    const now = JSON.stringify([this.options.language(), boards, tables]);
    if (now === this.shown) return;
    this.shown = now;
    const given = (it: SetupBoard) => givenTable(this.options.setup(), it);
    const order = (it: SetupBoard) => given(it) ?? Number.MAX_SAFE_INTEGER;
    const sorted = [...boards].sort((a, b) => order(a) - order(b));
    this.list.replaceChildren(...sorted.map((board) => this.row(board, words)));
  }

  private row(board: SetupBoard, words: Words): HTMLElement {
    const why = board.text?.[this.options.language()] ?? board.text?.en ?? '';
    const given = givenTable(this.options.setup(), board);
    const input = numberInput(given === null ? '' : String(given));
    input.setAttribute('aria-label', `${words.tableWord}: ${boardName(board)}`);
    input.addEventListener('change', () => void this.seat(board, Number(input.value)));
    const seats = board.driver !== null && !board.clock;
    return h(
      'li',
      { class: why === '' ? '' : 'is-wrong' },
      seats ? h('label', {}, words.tableWord, input) : h('span', {}, '–'),
      h('b', {}, boardName(board)),
      h('span', { class: 'setup-port' }, board.port),
      why === '' ? null : h('p', {}, why),
    );
  }

  private drawSwap(words: Words): void {
    if (this.swapping.childElementCount > 0 && this.swapping.lang === this.options.language())
      return;
    this.swapping.lang = this.options.language();
    this.first.setAttribute('aria-label', words.seatSwapFirst);
    this.second.setAttribute('aria-label', words.seatSwapSecond);
    const swap = quiet(words.seatSwap, () => this.swapping.requestSubmit());
    this.swapping.replaceChildren(words.tableWord, this.first, '⇄', this.second, swap);
  }

  private async seat(board: SetupBoard, table: number): Promise<void> {
    const setup = this.options.setup();
    if (!Number.isInteger(table) || table < 1 || table === givenTable(setup, board)) return;
    await this.make(seating(this.options.setup(), board, table));
  }

  private async swap(): Promise<void> {
    const tables = [Number(this.first.value), Number(this.second.value)] as const;
    if (!tables.every((it) => Number.isInteger(it) && it >= 1)) return;
    await this.make([{ change: 'swap', tables }]);
  }

  private async make(changes: readonly FileChange[]): Promise<void> {
    const why = await this.options.change(changes, false);
    setText(this.refused, why ?? '');
    this.shown = '';
    this.draw();
  }
}
