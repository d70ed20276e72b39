/** What the Laws give to the opponent: the times to set, all that is written down with one tap, and
 * by whom it was given. */

import type { Words } from '../i18n/words';
import { giftAsked, giftOf, takenBack, timesAsked, type Gift } from '../pure/consequences';
import type { Alert, Times } from '../pure/alerts';
import { clockSetting } from '../pure/format';
import type { Fields } from '../pure/json';
import type { Given } from '../pure/ledger';
import type { Side } from '../pure/payloads';
import { h, setAttribute, setText } from './dom';
import { quiet } from './form';
import { endText, givenText } from './ledger_text';

export interface SettingContext {
  readonly words: Words;
  /** Whether the daemon takes a penalty down. */
  readonly offered: boolean;
  /** What stands in the ledger for this alert: every tablet sees the same. */
  given(): Given | null;
  /** What was given for it, and counts no more because the alert was dismissed. */
  dismissed(): Given | null;
  /** Whether the times of the clock can be written down now. */
  takesTimes(): boolean;
  /** Both times while they stand and are heard, and whose runs when they go on. */
  standing(): { readonly times: Times; readonly running: Side | null } | null;
  /** It was added on the clock: what is written down, and whether it settles the alert, follows. */
  onGive(): void;
  /** The time was taken off the clock again: to what it was set. */
  onSet(asked: Fields): void;
}

/** A penalty as it is asked to be written down. */
export interface Due {
  readonly asked: Fields;
  readonly offender: Side;
}

const SIDES = ['white', 'black'] as const;
/** A clock shows whole seconds, and is set to them by hand. */
const SHOWN_MS = 1000;

export class Setting {
  readonly element: HTMLElement;
  private readonly next = h('p', { class: 'setting-then', role: 'status' });
  private readonly give: HTMLButtonElement | null;
  /** Exactly what stands there now, as it would be sent. */
  private asked: Fields = {};
  private busy = false;
  private readonly title = h('h3', {});
  private readonly times = { white: h('span', {}), black: h('span', {}) };
  private closed = false;
  /** What the clock stood at when the alert was dismissed: by that what is done later shows. */
  private stood: { readonly times: Times } | null = null;

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
    const { title, times } = this;
    this.element = h(
      'section',
      { class: 'setting' },
      h('div', { class: 'setting-times' }, title, times.white, times.black),
      this.give,
      this.next,
    );
    this.showTimes(words.clockToSet, gift.clock);
    this.update();
  }

  /** Its alert is over: nothing more is given, and what was given may have to come off again. */
  close(): void {
    this.closed = true;
    this.update();
  }

  /** The clock may have been stopped, or the time been given elsewhere. */
  update(): void {
    if (this.closed) return this.updateClosed();
    const { words } = this.context;
    const given = this.context.given();
    const withTimes = this.context.takesTimes();
    this.asked = giftAsked(this.alert, this.gift, withTimes);
    setText(this.next, given === null ? this.written(withTimes) : givenText(given, words));
    setAttribute(this.element, 'data-given', given === null ? null : '');
    if (this.give === null) return;
    setAttribute(this.give, 'aria-disabled', given !== null || this.busy ? 'true' : null);
  }

  private updateClosed(): void {
    const { words } = this.context;
    const [given, dismissed] = [this.context.given(), this.context.dismissed()];
    this.element.hidden = given === null && dismissed === null;
    if (this.give !== null) this.give.hidden = true;
    setAttribute(this.element, 'data-given', '');
    if (given !== null) setText(this.next, givenText(given, words));
    else if (dismissed !== null) this.updateDismissed(dismissed);
  }

  /** It counts no more; on the clock it stays until somebody takes it off. */
  private updateDismissed(dismissed: Given): void {
    const { words } = this.context;
    const now = this.context.standing();
    this.stood ??= now;
    const due = this.stood === null ? null : takenBack(this.gift, this.stood.times);
    const { to, seconds } = this.gift;
    const end = dismissed.withdrawn === null ? null : endText(dismissed.withdrawn, words);
    const told = [givenText(dismissed, words), end].filter((part) => part !== null).join(' · ');
    const minutes = words.takeTimeOff(words[to], seconds / 60);
    if (due === null) {
      // Where the clock runs, or is not heard, nobody knows to what it is to be set.
      const lead = this.stood === null ? minutes : words.timeNotOn;
      this.showTimes('', this.stood && same(this.stood.times));
      return setText(this.next, `${lead} ${told}`);
    }
    const isOff = now !== null && now.times[to] < due.after[to] + SHOWN_MS;
    this.showTimes(isOff ? '' : words.clockToSet, isOff ? same(now.times) : due);
    setText(this.next, `${isOff ? words.timeTakenOff : minutes} ${told}`);
    if (this.give === null || isOff) return;
    this.give.hidden = !this.context.takesTimes();
    setText(this.give, words.setTimeDo);
    const times = timesAsked({ ...due, running: now?.running ?? null });
    this.asked = { table: this.alert.table, ...times };
    setAttribute(this.give, 'aria-disabled', this.busy ? 'true' : null);
  }

  /** Until there is an answer nothing more is sent. */
  wait(busy: boolean): void {
    this.busy = busy;
    this.update();
  }

  /** What is to be written down, exactly as it stands there now; null where it is given already. */
  due(): Due | null {
    if (this.busy || this.closed || this.context.given() !== null) return null;
    return { asked: this.asked, offender: this.gift.offender };
  }

  private press(): void {
    if (this.closed && !this.busy) return this.context.onSet(this.asked);
    if (this.due() !== null) this.context.onGive();
  }

  /** "Black 1:19:02 → 1:21:02", and the other one as it stays; null: nobody knows them. */
  private showTimes(title: string, times: { before: Times; after: Times } | null): void {
    const { words } = this.context;
    setText(this.title, title);
    setAttribute(this.element, 'aria-label', words.clockToSet);
    for (const side of SIDES) {
      const place = this.times[side];
      const told = times === null ? '' : `${times.before[side]} ${times.after[side]}`;
      if (place.dataset['told'] === told) continue;
      place.dataset['told'] = told;
      place.replaceChildren(...(times === null ? [] : face(words[side], times, side)));
    }
  }

  private written(withTimes: boolean): string {
    const { words } = this.context;
    const { running } = this.gift.clock;
    if (!withTimes) {
      const then = running === null ? '' : words.runsThen[running];
      return [then, words.timesNotWritten].filter(Boolean).join(' · ');
    }
    return running === null ? words.timesWritten : words.timesWrittenThen(words.runsThen[running]);
  }
}

function same(times: Times) {
  return { before: times, after: times };
}

function face(name: string, { before, after }: { before: Times; after: Times }, side: Side) {
  const from = before[side] === after[side] ? '' : `${clockSetting(before[side])} → `;
  const parts = [`${name} `, from && h('small', {}, from), h('b', {}, clockSetting(after[side]))];
  return parts.filter((part) => part !== '');
}
