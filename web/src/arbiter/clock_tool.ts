/** Telling the daemon to what the clock was set, so that it does not wonder. */

import { remaining } from '../pure/clock';
import { clockSetting, readClockSetting } from '../pure/format';
import type { Side } from '../pure/payloads';
import { h, setText } from '../view/dom';
import { field } from '../view/form';
import { TableTool, type ToolOptions } from './table_tool';

/** Added with one tap, in minutes. */
const USUAL = [1, 2, 5];

export class ClockTool extends TableTool {
  private readonly times: Readonly<Record<Side, HTMLInputElement>>;
  /** All that is written down, as it would be sent. */
  private readonly written = h('p', { class: 'written', role: 'status' });

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.setTime, words.setTimeDo);
    const white = field(words.white, this.now('white'));
    const black = field(words.black, this.now('black'));
    this.times = { white: white.input, black: black.input };
    for (const { input } of [white, black]) {
      input.inputMode = 'numeric';
      input.placeholder = '0:00:00';
      input.addEventListener('input', () => this.judge());
    }
    const fields = [
      h('div', {}, white.label, this.additions('white')),
      h('div', {}, black.label, this.additions('black')),
    ];
    const hint = h('p', {}, words.setTimeHint);
    this.place(hint, h('div', { class: 'two-fields' }, ...fields), this.written);
  }

  /** A clock that is heard only now fills the fields that are still empty. */
  override news(): void {
    for (const side of ['white', 'black'] as const) {
      const { times } = this;
      if (times[side].value === '') times[side].value = this.now(side);
    }
    this.judge();
  }

  protected override request() {
    const [white_ms, black_ms] = [this.read('white'), this.read('black')];
    if (white_ms === null || black_ms === null) return null;
    return { verb: 'set_time', body: { white_ms, black_ms, running: this.running() } };
  }

  protected override judge(): void {
    super.judge();
    // The fields are not there yet when the tool is made.
    if (this.times === undefined) return;
    const { words, times } = this;
    const ready = this.request() !== null;
    const [white, black] = [times.white.value.trim(), times.black.value.trim()];
    const running = this.running();
    const then = running === null ? '' : words.runsThen[running];
    setText(this.written, ready ? words.toBeWritten(white, black, then) : '');
  }

  /** Who has the move: his time runs when the clock goes on. */
  private running(): Side | null {
    const { position } = this.state;
    return position === undefined || position.phase === 'adrift' ? null : position.turn;
  }

  protected override done(): string {
    const [white, black] = [this.times.white.value.trim(), this.times.black.value.trim()];
    return this.words.timeSet(white, black);
  }

  private now(side: Side): string {
    const { clock } = this.state;
    if (clock?.current !== true) return '';
    const now = this.options.desk.app.daemonNow(this.options.table) ?? clock.sampledAt;
    const left = remaining(clock, side, now);
    return left === null ? '' : clockSetting(left);
  }

  private read(side: Side): number | null {
    return readClockSetting(this.times[side].value);
  }

  private additions(side: Side): HTMLElement {
    return minutesToAdd(this.words[side], (minutes) => {
      const before = this.read(side);
      if (before === null) return;
      this.times[side].value = clockSetting(before + minutes * 60_000);
      this.judge();
    });
  }
}

/** Minutes to add with one tap. */
export function minutesToAdd(label: string, add: (minutes: number) => void): HTMLElement {
  const buttons = USUAL.map((minutes) => {
    const onclick = () => add(minutes);
    return h('button', { class: 'choice', type: 'button', onclick }, `+${minutes} min`);
  });
  return h('div', { class: 'choices', role: 'group', 'aria-label': label }, ...buttons);
}
