/** Seat the hall: kings are lifted, table after table. */

import type { Words } from '../i18n/words';
import {
  boardName,
  givenTable,
  isGiven,
  isInPlay,
  nextTable,
  seating,
  undoing,
  type FileChange,
  type Lift,
  type Setup,
} from '../pure/setup';
import { Bell } from '../view/bell';
import { h, setText } from '../view/dom';
import { act, quiet } from '../view/form';

/** Where the number goes over a reload. */
const KEY = 'adoubed.seating';

/** For how long (ms) a lift may still be meant for the number on the screen. */
const LIFT_HOLDS_MS = 5000;

export interface SeatHallOptions {
  words(): Words;
  setup(): Setup;
  /** Null: it is done; else why not, for the reader. */
  change(changes: readonly FileChange[], disturb: boolean): Promise<string | null>;
}

interface Step {
  readonly changes: readonly FileChange[];
  readonly table: number;
}

export class SeatHall {
  readonly element = h('section', { class: 'seat-hall' });
  private readonly prompt = h('p', { class: 'seat-prompt', role: 'status' });
  private readonly told = h('p', { class: 'seat-told', role: 'status' });
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly number = numberInput('1');
  /** A board that has its table already. What was seated last stays above it. */
  private readonly moving = h('p', { class: 'seat-moving', role: 'status' });
  private readonly buttons = h('div', { class: 'seat-buttons' });
  private readonly bell = new Bell();
  /** The table whose king is awaited; null: not begun. */
  private table: number | null = kept();
  private busy = false;
  /** A lift that was refused, as it is where the file has just changed, and when. */
  private refusedLift: { readonly lift: Lift; readonly at: number } | null = null;
  private undo: Step[] = [];

  constructor(private readonly options: SeatHallOptions) {
    this.bell.on = false;
  }

  draw(): void {
    const words = this.options.words();
    const { table } = this;
    setText(this.prompt, table === null ? words.seatHint : words.seatLift(table));
    this.prompt.toggleAttribute('data-waits', table !== null);
    const begin = act(table === null ? words.seatBegin : words.seatGoTo, () => this.begin());
    const lead = h('label', { class: 'seat-number' }, words.seatFrom, this.number);
    const running = [
      quiet(words.seatSkip, () => this.skip()),
      quiet(words.seatUndo, () => void this.takeBack()),
      quiet(words.seatStop, () => this.stop()),
    ];
    if (running[1] !== undefined) running[1].disabled = this.undo.length === 0;
    this.buttons.replaceChildren(lead, begin, ...(table === null ? [] : running));
    this.element.replaceChildren(
      h('h2', {}, words.seatHall),
      this.prompt,
      this.told,
      this.refused,
      this.moving,
      this.buttons,
    );
  }

  /** A king was lifted somewhere. */
  lifted(lift: Lift): void {
    const { table, busy } = this;
    const setup = this.options.setup();
    if (table === null || busy || isInPlay(setup, lift)) return;
    const words = this.options.words();
    const given = givenTable(setup, lift);
    if (given === null) return void this.seat(lift, table);
    // A hand may have touched the wrong king: nobody's table is taken without a word.
    const move = quiet(words.seatMove(table), () => void this.seat(lift, table));
    const isOf = `${words.seatIsOf(boardName(lift), given)} `;
    this.moving.replaceChildren(isOf, ...(given === table ? [] : [move]));
  }

  /** The hall is otherwise than it was: somebody else may have seated the table that is awaited. */
  heard(before: Setup): void {
    const { table, busy, refusedLift } = this;
    const now = this.options.setup();
    if (table === null || busy) return;
    const waits = refusedLift !== null && performance.now() - refusedLift.at < LIFT_HOLDS_MS;
    if (waits && now.revision !== before.revision && !isGiven(now, table)) {
      this.refusedLift = null;
      return this.lifted(refusedLift.lift);
    }
    if (isGiven(before, table) || !isGiven(now, table)) return;
    const board = now.boards.find((it) => it.table === table);
    const words = this.options.words();
    setText(this.refused, '');
    setText(this.told, board === undefined ? '' : words.seatDone(table, boardName(board)));
    this.bell.ring();
    this.go(nextTable(now, table + 1));
  }

  private async seat(lift: Lift, table: number): Promise<void> {
    const before = this.options.setup();
    const done = await this.make(seating(before, lift, table));
    // Two people seat the hall: the other one's page was first.
    if (!done) {
      this.refusedLift = { lift, at: performance.now() };
      return this.heard(before);
    }
    this.undo.push({ changes: undoing(before, lift, table), table });
    setText(this.told, this.options.words().seatDone(table, boardName(lift)));
    this.bell.ring();
    this.go(nextTable(this.options.setup(), table + 1));
  }

  private async takeBack(): Promise<void> {
    const step = this.undo.at(-1);
    if (step === undefined || !(await this.make(step.changes))) return;
    this.undo.pop();
    setText(this.told, this.options.words().seatUndone(step.table));
    this.go(step.table);
  }

  private async make(changes: readonly FileChange[]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    const why = await this.options.change(changes, false);
    this.busy = false;
    setText(this.refused, why ?? '');
    if (why === null) this.moving.replaceChildren();
    return why === null;
  }

  private begin(): void {
    // A tap is what lets the browser make sounds.
    if (!this.bell.on) this.bell.toggle();
    const wanted = Math.trunc(Number(this.number.value));
    setText(this.refused, '');
    this.go(Number.isNaN(wanted) ? 1 : Math.max(wanted, 1));
  }

  private skip(): void {
    if (this.table !== null) this.go(nextTable(this.options.setup(), this.table + 1));
  }

  private stop(): void {
    this.go(null);
  }

  private go(table: number | null): void {
    this.table = table;
    this.refusedLift = null;
    keep(table);
    if (table !== null) this.number.value = String(table);
    this.moving.replaceChildren();
    this.draw();
  }
}

export function numberInput(value: string): HTMLInputElement {
  const digits = { inputmode: 'numeric', pattern: '[0-9]*', size: '4' };
  return h('input', { type: 'text', ...digits, value });
}

function kept(): number | null {
  try {
    const number = Number(sessionStorage.getItem(KEY) ?? '');
    return Number.isInteger(number) && number >= 1 ? number : null;
  } catch {
    return null;
  }
}

function keep(table: number | null): void {
  try {
    if (table === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, String(table));
  } catch {
    return;
  }
}
