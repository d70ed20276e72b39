/** The time control: a known one, or by hand; what it means is read back as it is typed. */

import { askSetup, type Credentials } from '../data/session';
import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import { readTexts } from '../pure/alerts';
import { oneOf } from '../pure/json';
import { byHand, PRESETS, written, type Extra, type Hand } from '../pure/time_control';
import { h, setText } from '../view/dom';
import { choice, choiceGroup, field, quiet } from '../view/form';

/** How long a hand may rest (ms) before what it has typed is read back. */
const REST_MS = 250;
/** The notation of the file has no more. */
const PERIODS_MAX = 5;
const RATES = ['standard', 'rapid', 'blitz'] as const;
const FIRST: Hand = { periods: [{ moves: '', minutes: '' }], extra: 'increment', seconds: '' };

export interface ControlFormOptions {
  words(): Words;
  language(): Language;
  credentials(): Credentials | null;
  /** Null: what is typed is not finished. */
  onWrite(control: string | null): void;
}

export class ControlForm {
  readonly element = h('div', { class: 'setup-group control-form' });
  private readonly means = h('p', { class: 'control-means', role: 'status' });
  private readonly presets = h('div', { class: 'choices is-presets', role: 'group' });
  private readonly own = h('details', { class: 'control-own' });
  private readonly notation = h('input', { type: 'text', autocomplete: 'off', name: 'control' });
  private control = '';
  private hand: Hand = FIRST;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;

  constructor(private readonly options: ControlFormOptions) {
    this.notation.spellcheck = false;
    this.notation.addEventListener('input', () => {
      this.hand = byHand(this.notation.value.trim()) ?? FIRST;
      this.take(this.notation.value.trim());
    });
  }

  /** Drawn anew, with this one. */
  show(control: string): void {
    const words = this.options.words().setUp;
    this.control = control;
    this.hand = byHand(control) ?? FIRST;
    this.notation.value = control;
    this.presets.setAttribute('aria-label', words.timeControl);
    this.drawOwn();
    this.mark();
    this.element.replaceChildren(
      h('h3', {}, words.timeControl),
      this.presets,
      this.own,
      this.means,
    );
    void this.readBack();
  }

  private mark(): void {
    const words = this.options.words().setUp;
    const unknown = [
      [words.controlUnknown, ''],
      [words.controlUnlimited, '-'],
    ] as const;
    const buttons = [...PRESETS, ...unknown].map(([name, control]) => {
      const button = choice(name, control === this.control, () => this.choose(control));
      button.dataset['control'] = control;
      return button;
    });
    // The one that was pressed keeps the keyboard.
    const held = this.presets.querySelector(':focus');
    const again = held instanceof HTMLElement ? held.dataset['control'] : undefined;
    this.presets.replaceChildren(...buttons);
    buttons.find((it) => again !== undefined && it.dataset['control'] === again)?.focus();
  }

  private choose(control: string): void {
    this.hand = byHand(control) ?? FIRST;
    this.notation.value = control;
    this.drawOwn();
    this.take(control);
  }

  private take(control: string): void {
    this.control = control;
    this.mark();
    clearTimeout(this.rest);
    this.rest = setTimeout(() => void this.readBack(), REST_MS);
    this.options.onWrite(control);
  }

  private drawOwn(): void {
    const words = this.options.words().setUp;
    const periods = this.hand.periods.map((period, index) => {
      const moves = field(words.periodMoves(index + 1), period.moves);
      const minutes = field(words.periodMinutes(index + 1), period.minutes);
      for (const { input } of [moves, minutes]) input.inputMode = 'decimal';
      moves.input.name = `moves-${index + 1}`;
      minutes.input.name = `minutes-${index + 1}`;
      const typed = () => {
        const now = { moves: moves.input.value, minutes: minutes.input.value };
        this.compose({ periods: this.hand.periods.map((it, at) => (at === index ? now : it)) });
      };
      moves.input.addEventListener('input', typed);
      minutes.input.addEventListener('input', typed);
      return h('div', { class: 'two-fields' }, moves.label, minutes.label);
    });
    const seconds = field(words.perMove, this.hand.seconds);
    seconds.input.inputMode = 'numeric';
    seconds.input.name = 'seconds';
    seconds.input.addEventListener('input', () => this.compose({ seconds: seconds.input.value }));
    const kinds = (['increment', 'delay', 'bronstein'] as const).map((value: Extra) => ({
      value,
      name: words.extra[value],
    }));
    const extra = choiceGroup(kinds, {
      label: words.perMove,
      chosen: this.hand.extra,
      onChoose: (it) => this.compose({ extra: it }),
    });
    const more = quiet(words.onePeriodMore, () => this.periods(1));
    const less = quiet(words.onePeriodLess, () => this.periods(-1));
    more.disabled = this.hand.periods.length >= PERIODS_MAX;
    less.disabled = this.hand.periods.length <= 1;
    const asWritten = h('label', {}, words.controlWritten, this.notation);
    this.own.replaceChildren(
      h('summary', {}, words.controlByHand),
      ...periods,
      h('p', { class: 'confirm is-even' }, more, less),
      seconds.label,
      extra,
      asWritten,
    );
  }

  private periods(by: 1 | -1): void {
    const { periods } = this.hand;
    const wanted = by === 1 ? [...periods, { moves: '', minutes: '' }] : periods.slice(0, -1);
    this.compose({ periods: wanted });
    this.drawOwn();
  }

  private compose(part: Partial<Hand>): void {
    this.hand = { ...this.hand, ...part };
    const control = written(this.hand);
    if (control === null) {
      this.options.onWrite(null);
      return this.say(this.options.words().setUp.controlUnfinished, true);
    }
    this.notation.value = control;
    this.take(control);
  }

  private async readBack(): Promise<void> {
    const { control, options } = this;
    const words = options.words().setUp;
    if (control === '' || control === '?') return this.say(words.controlUnknownMeans, false);
    const credentials = options.credentials();
    if (credentials === null) return;
    this.asked += 1;
    const turn = this.asked;
    const told = await askSetup('time_control', credentials, { time_control: control });
    // Something else was typed meanwhile.
    if (turn !== this.asked || told === null) return;
    const language = options.language();
    if (told.kind === 'refused') return this.say(told.why?.[language] ?? told.why?.en ?? '', true);
    const text = readTexts(told.value['text']);
    const rate = oneOf(told.value['rate'], RATES);
    const means = text?.[language] ?? text?.en ?? '';
    this.say(rate === null ? means : words.controlMeans(means, words.rates[rate]), false);
  }

  private say(text: string, wrong: boolean): void {
    // The answer to what was typed before would be said of this.
    if (wrong || this.control === '') this.asked += 1;
    setText(this.means, text);
    this.means.toggleAttribute('data-wrong', wrong);
  }
}
