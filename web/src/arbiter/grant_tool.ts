/** Time an arbiter grants: for each move from now on, at once, or both (Guideline III.4, 12.5). */

import { remaining } from '../pure/clock';
import { clockSetting, readClockSetting } from '../pure/format';
import type { Side } from '../pure/payloads';
import { h, setText } from '../view/dom';
import { choiceGroup, field } from '../view/form';
import { minutesToAdd } from './clock_tool';
import { TableTool, type ToolOptions } from './table_tool';

const SIDES: readonly Side[] = ['white', 'black'];
const PER_MOVE = ['nothing', 'increment', 'delay'] as const;
/** No clock gives more for a move, in s. */
const PER_MOVE_MAX_S = 60;
const NOTHING = '0:00:00';

export class GrantTool extends TableTool {
  private perMove: (typeof PER_MOVE)[number] = 'nothing';
  private readonly seconds: ReturnType<typeof field>;
  private readonly added: Readonly<Record<Side, HTMLInputElement>>;
  private readonly shown = { white: h('p', {}), black: h('p', {}) };

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.grantTime, words.grantTimeDo);
    this.seconds = field(words.secondsPerMove, '5');
    this.seconds.label.hidden = true;
    const fields = { white: this.adding('white'), black: this.adding('black') };
    this.added = { white: fields.white.input, black: fields.black.input };
    for (const input of [this.seconds.input, fields.white.input, fields.black.input]) {
      input.inputMode = 'numeric';
      input.addEventListener('input', () => this.news());
    }
    const both = SIDES.map((side) => {
      const add = (minutes: number) => this.add(side, minutes);
      return h('div', {}, fields[side].label, minutesToAdd(words[side], add), this.shown[side]);
    });
    const times = h('div', { class: 'two-fields' }, ...both);
    this.place(h('p', {}, words.grantHint), this.choices(), this.seconds.label, times);
    this.news();
  }

  /** What each clock shows, and what it will. */
  override news(): void {
    for (const side of SIDES) setText(this.shown[side], this.future(side));
    this.judge();
  }

  protected override request() {
    const [white_ms, black_ms] = [this.read('white'), this.read('black')];
    const seconds = this.granted();
    if (white_ms === null || black_ms === null || seconds === null) return null;
    const perMove = this.perMove === 'nothing' ? {} : { [this.perMove]: seconds };
    if (this.perMove === 'nothing' && white_ms + black_ms === 0) return null;
    const body = { ...perMove, white_s: white_ms / 1000, black_s: black_ms / 1000 };
    return { verb: 'grant_time', body };
  }

  protected override done(): string {
    return this.words.timeGranted;
  }

  private adding(side: Side) {
    return field(`${this.words[side]}, ${this.words.timeAdded}`, NOTHING);
  }

  private add(side: Side, minutes: number): void {
    this.added[side].value = clockSetting((this.read(side) ?? 0) + minutes * 60_000);
    this.news();
  }

  private choices(): HTMLElement {
    const { words } = this;
    const choices = PER_MOVE.map((value) => ({ value, name: words.perMove[value] }));
    const onChoose = (chosen: (typeof PER_MOVE)[number]) => {
      this.perMove = chosen;
      this.seconds.label.hidden = chosen === 'nothing';
      this.judge();
    };
    const group = choiceGroup(choices, { label: words.perMoveNow, chosen: this.perMove, onChoose });
    return h('div', { class: 'tool-answer' }, h('p', {}, words.perMoveNow), group);
  }

  /** Seconds a move; null: not a number a clock can be set to. */
  private granted(): number | null {
    if (this.perMove === 'nothing') return 0;
    const typed = this.seconds.input.value.trim();
    const seconds = /^\d{1,2}$/.test(typed) ? Number(typed) : 0;
    return seconds >= 1 && seconds <= PER_MOVE_MAX_S ? seconds : null;
  }

  private read(side: Side): number | null {
    return readClockSetting(this.added[side].value);
  }

  private future(side: Side): string {
    const { clock } = this.state;
    if (clock?.current !== true) return '';
    const now = this.options.desk.app.daemonNow(this.options.table) ?? clock.sampledAt;
    const left = remaining(clock, side, now);
    const more = this.read(side);
    if (left === null || more === null) return '';
    const shows = clockSetting(left);
    return more === 0 ? shows : `${shows} → ${clockSetting(left + more)}`;
  }
}
