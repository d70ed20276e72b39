/** What the Laws give to the opponent: the times to set, all that is written down with one tap, and
 * by whom it was given. */

import type { Words } from '../i18n/words';
import { giftAsked, giftOf, type Gift } from '../pure/consequences';
import type { Alert } from '../pure/alerts';
import { clockSetting, timeOfDay } from '../pure/format';
import type { Given } from '../pure/ledger';
import type { Side } from '../pure/payloads';
import { personOf } from './alert_row';
import { h, setAttribute, setText } from './dom';
import { quiet } from './form';

export interface SettingContext {
  readonly words: Words;
  /** Whether the daemon takes a penalty down. */
  readonly offered: boolean;
  /** What stands in the ledger for this alert: every tablet sees the same. */
  given(): Given | null;
  /** Whether the times of the clock can be written down now. */
  takesTimes(): boolean;
  onGive(asked: object, offender: Side): void;
}

export class Setting {
  readonly element: HTMLElement;
  private readonly next = h('p', { class: 'setting-then', role: 'status' });
  private readonly give: HTMLButtonElement | null;
  /** Exactly what stands there now, as it would be sent. */
  private asked: object = {};
  private busy = false;

  /** Null where no time is due. */
  static of(alert: Alert, context: SettingContext): Setting | null {
    const gift = giftOf(alert);
    return gift === null ? null : new Setting(alert, gift, context);
  }

  private constructor(
    private readonly alert: Alert,
    private readonly gift: Gift,
    private readonly context: SettingContext,
  ) {
    const { words, offered } = context;
    this.give = offered ? quiet(words.penaltyGiven, () => this.press()) : null;
    const times = (['white', 'black'] as const).map((side) => this.time(side));
    this.element = h(
      'section',
      { class: 'setting', 'aria-label': words.clockToSet },
      h('div', { class: 'setting-times' }, h('h3', {}, words.clockToSet), ...times),
      this.give,
      this.next,
    );
    this.update();
  }

  /** The clock may have been stopped, or the time been given elsewhere. */
  update(): void {
    const { words } = this.context;
    const given = this.context.given();
    const withTimes = this.context.takesTimes();
    this.asked = giftAsked(this.alert, this.gift, withTimes);
    setText(this.next, given === null ? this.written(withTimes) : givenText(given, words));
    setAttribute(this.element, 'data-given', given === null ? null : '');
    if (this.give === null) return;
    setAttribute(this.give, 'aria-disabled', given !== null || this.busy ? 'true' : null);
  }

  /** Until there is an answer nothing more is sent. */
  wait(busy: boolean): void {
    this.busy = busy;
    this.update();
  }

  private press(): void {
    if (this.busy || this.context.given() !== null) return;
    this.context.onGive(this.asked, this.gift.offender);
  }

  /** "Black 1:19:02 → 1:21:02", and the other one as it stays. */
  private time(side: Side): HTMLElement {
    const { before, after } = this.gift.clock;
    const face = h('b', {}, clockSetting(after[side]));
    const same = before[side] === after[side];
    const from = same ? null : h('small', {}, `${clockSetting(before[side])} → `);
    return h('span', { 'data-side': side }, `${this.context.words[side]} `, from, face);
  }

  private written(withTimes: boolean): string {
    const { words } = this.context;
    const { running } = this.gift.clock;
    if (!withTimes) return words.timesNotWritten;
    return running === null ? words.timesWritten : words.timesWrittenThen(words.runsThen[running]);
  }
}

/** "Given by Ann, 14:03:20" */
export function givenText({ by, at }: Given, words: Words): string {
  const when = at === null ? '' : timeOfDay(at);
  return [words.givenBy(personOf(by ?? 'arbiter', words)), when].filter(Boolean).join(', ');
}
