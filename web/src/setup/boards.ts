/** Every line and board: its table, and what is wrong. A table can be typed. */

import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import { runsOf } from '../pure/round_end';
import {
  boardName,
  disturbed,
  exchanging,
  givenTable,
  nextTable,
  seating,
  type FileChange,
  type Setup,
  type SetupBoard,
} from '../pure/setup';
import { h, setText, typingOn } from '../view/dom';
import { act, field, quiet } from '../view/form';
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
  /** What would disturb a game waits here until somebody says so. */
  private readonly doubt = h('p', { class: 'confirm' });
  private readonly list = h('ul', { class: 'setup-list' });
  private readonly first = numberInput('');
  private readonly second = numberInput('');
  private readonly swapping = h('form', { class: 'setup-swap' });
  private shown = '';
  private dragged: SetupBoard | null = null;

  constructor(private readonly options: BoardsOptions) {
    const { title, file, refused, doubt, list, swapping } = this;
    this.element.append(title, file, refused, doubt, list, swapping);
    this.swapping.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.swap();
    });
    // The focus goes after this event. Then what came while somebody typed is shown.
    this.list.addEventListener('focusout', () => setTimeout(() => this.draw()));
  }

  draw(): void {
    const words = this.options.words();
    const { boards, file } = this.options.setup();
    const seated = boards.filter((it) => givenTable(this.options.setup(), it) !== null).length;
    setText(this.title, words.setupBoards(boards.length, seated));
    setText(this.file, file === null ? '' : words.setupFile(file));
    this.drawSwap(words);
    const { tables } = this.options.setup();
    const now = JSON.stringify([this.options.language(), boards, tables]);
    // Made anew, a row would lose what somebody types in it.
    if (now === this.shown || this.isTyping()) return;
    this.shown = now;
    const given = (it: SetupBoard) => givenTable(this.options.setup(), it);
    const order = (it: SetupBoard) => given(it) ?? Number.MAX_SAFE_INTEGER;
    const byLine = new Intl.Collator(this.options.language(), { numeric: true }).compare;
    const sorted = [...boards].sort((a, b) => order(a) - order(b) || byLine(a.line, b.line));
    const rows = sorted.map((board) => this.row(board, words));
    // Whoever has come to a field and not typed yet types in the one that takes its place.
    typingOn(this.list, () => this.list.replaceChildren(...rows));
  }

  private isTyping(): boolean {
    const input = this.list.querySelector<HTMLInputElement>('input:focus');
    const chain = this.list.querySelector('details[open]');
    return chain !== null || (input !== null && input.value !== input.defaultValue);
  }

  private row(board: SetupBoard, words: Words): HTMLElement {
    const why = board.text?.[this.options.language()] ?? board.text?.en ?? '';
    const given = givenTable(this.options.setup(), board);
    const input = numberInput(given === null ? '' : String(given));
    input.setAttribute('aria-label', `${words.tableWord}: ${boardName(board)}`);
    input.name = `${board.line} ${boardName(board)}`;
    input.addEventListener('change', () => {
      input.defaultValue = input.value;
      void this.seat(board, Number(input.value));
    });
    const seats = board.driver !== null && !board.clock;
    const name = h('b', {}, boardName(board));
    const item = h(
      'li',
      { class: why === '' ? '' : 'is-wrong' },
      seats ? h('label', {}, words.tableWord, input) : h('span', {}, '–'),
      name,
      h('span', { class: 'setup-port' }, [board.port, ...quality(board, words)].join(' · ')),
      why === '' ? null : h('p', {}, why),
      board.driver === null ? this.chain(board, words) : null,
    );
    if (seats) this.drags(board, name, item);
    return item;
  }

  /** A board is dragged by its name onto another one: they exchange their tables. */
  private drags(board: SetupBoard, name: HTMLElement, item: HTMLElement): void {
    name.draggable = true;
    name.addEventListener('dragstart', (event) => {
      this.dragged = board;
      event.dataTransfer?.setData('text/plain', boardName(board));
    });
    name.addEventListener('dragend', () => {
      this.dragged = null;
    });
    item.addEventListener('dragover', (event) => {
      if (this.dragged !== null) event.preventDefault();
    });
    item.addEventListener('drop', (event) => {
      event.preventDefault();
      const from = this.dragged;
      const changes = from === null ? [] : exchanging(this.options.setup(), from, board);
      if (changes.length > 0) void this.make(changes);
    });
  }

  /** Boards in a chain are never asked unless somebody says that they are there. */
  private chain(board: SetupBoard, words: Words): HTMLElement {
    const { setUp } = words;
    const { label, input } = field(setUp.chainNumber);
    input.inputMode = 'numeric';
    const name = quiet(setUp.chainDo, () => {
      // As it is printed: five digits.
      const serial = input.value.trim().padStart(5, '0');
      const table = nextTable(this.options.setup(), 1);
      const seat = { change: 'seat', table, port: board.line, driver: 'dgtbus', serial } as const;
      if (input.value.trim() !== '') void this.make([seat]);
    });
    const summary = h('summary', {}, setUp.chain);
    const row = h('div', { class: 'seat-buttons' }, label, name);
    return h('details', { class: 'setup-chain' }, summary, h('p', {}, setUp.chainHint), row);
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

  private forget(): void {
    this.doubt.replaceChildren();
    setText(this.refused, '');
    this.shown = '';
    this.draw();
  }

  private async swap(): Promise<void> {
    const tables = [Number(this.first.value), Number(this.second.value)] as const;
    if (!tables.every((it) => Number.isInteger(it) && it >= 1)) return;
    await this.make([{ change: 'swap', tables }]);
  }

  private async make(changes: readonly FileChange[], sure = false): Promise<void> {
    const { setUp } = this.options.words();
    const playing = disturbed(this.options.setup(), changes);
    this.doubt.replaceChildren();
    if (playing.length > 0 && !sure) {
      setText(this.refused, setUp.wouldDisturb(runsOf(playing)));
      const leave = quiet(setUp.discard, () => this.forget());
      const go = act(setUp.allTheSame, () => void this.make(changes, true));
      return this.doubt.replaceChildren(go, leave);
    }
    const why = await this.options.change(changes, sure);
    setText(this.refused, why ?? '');
    this.shown = '';
    this.list.querySelector('details[open]')?.removeAttribute('open');
    this.draw();
  }
}

/** How its battery and its line are, where that is known. */
function quality({ battery, noise, driver }: SetupBoard, { setUp }: Words): string[] {
  const charge = battery === null ? [] : [setUp.battery(battery)];
  return driver === null
    ? charge
    : [...charge, noise === 0 ? setUp.lineClean : setUp.lineNoise(noise)];
}
