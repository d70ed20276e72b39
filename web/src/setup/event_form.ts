/** The event: its name, its rules and its time control. */

import type { Credentials } from '../data/session';
import { isLanguage, nameOf, type Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import {
  asLocal,
  changed,
  settings,
  waitsForNextGame,
  withOffset,
  type Draft,
  type EventKeys,
  type EventSetup,
} from '../pure/event';
import { runsOf } from '../pure/round_end';
import type { FileChange, Setup } from '../pure/setup';
import { h, setText, typingOn } from '../view/dom';
import { act, choiceGroup, field, quiet, tick } from '../view/form';
import { ControlForm } from './control_form';

export interface EventFormOptions {
  words(): Words;
  language(): Language;
  /** Every language that the pages have words for. */
  readonly languages: readonly Language[];
  credentials(): Credentials | null;
  setup(): Setup;
  change(changes: readonly FileChange[], disturb: boolean): Promise<string | null>;
}

const EDITIONS = ['2023', '2018', '2014', '2005'];

export class EventForm {
  readonly element = h('section', { class: 'event-form' });
  private readonly control: ControlForm;
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly said = h('p', { class: 'setup-said', role: 'status' });
  private readonly waits = h('p', { class: 'round-about', role: 'status' });
  private readonly keep = act('', () => void this.tapped());
  private readonly leave = quiet('', () => this.forget());
  private event: EventSetup | null = null;
  /** What was typed and is not in the file yet. */
  private draft: Draft = {};
  /** A time control is half typed. */
  private unfinished = false;
  private sure = false;
  private busy = false;
  private shown = '';

  constructor(private readonly options: EventFormOptions) {
    this.control = new ControlForm({
      words: options.words,
      language: options.language,
      credentials: options.credentials,
      onWrite: (time_control) => {
        this.unfinished = time_control === null;
        this.write(time_control === null ? {} : { time_control });
      },
    });
  }

  heard(event: EventSetup | null): void {
    const before = this.event;
    this.event = event;
    // Somebody may be typing: what the form shows besides is what the file says.
    if (event !== null) this.draft = keptOf(event.keys, this.draft);
    this.draw();
    if (event === null || before === null) return;
    const others = changed(before.keys, event.keys);
    const edited = changed(event.keys, this.draft).some((key) => others.includes(key));
    if (edited) setText(this.refused, this.options.words().setUp.editedMeanwhile);
  }

  draw(): void {
    const now = JSON.stringify([this.options.language(), this.event]);
    if (now !== this.shown) {
      this.shown = now;
      typingOn(this.element, () => this.build());
    }
    this.judge();
  }

  private value(): EventKeys | null {
    return this.event === null ? null : { ...this.event.keys, ...this.draft };
  }

  private write(what: Draft): void {
    this.draft = { ...this.draft, ...what };
    this.sure = false;
    setText(this.refused, '');
    setText(this.said, '');
    this.judge();
  }

  private forget(): void {
    this.draft = {};
    this.unfinished = false;
    this.shown = '';
    setText(this.refused, '');
    this.draw();
  }

  private build(): void {
    const words = this.options.words();
    const value = this.value();
    const title = h('h2', {}, words.setUp.event);
    if (value === null) return this.element.replaceChildren(title);
    this.control.show(value.time_control);
    this.element.replaceChildren(
      title,
      h(
        'div',
        { class: 'setup-fields' },
        this.line('name', words.setUp.eventName, value.name),
        this.line('site', words.setUp.eventSite, value.site),
        this.line('round', words.setUp.eventRound, value.round),
        this.start(value.start),
      ),
      this.control.element,
      this.laws(value.laws),
      this.rules(value),
      this.languages(value),
      this.waits,
      this.refused,
      this.said,
      h('p', { class: 'confirm' }, this.keep, this.leave),
    );
  }

  private line(key: 'name' | 'site' | 'round', name: string, value: string): HTMLElement {
    const { label, input } = field(name, value);
    input.name = key;
    input.dir = 'auto';
    input.addEventListener('input', () => this.write({ [key]: input.value.trim() }));
    return label;
  }

  private start(start: string | null): HTMLElement {
    const words = this.options.words();
    const input = h('input', { type: 'datetime-local', name: 'start' });
    input.value = asLocal(start);
    input.addEventListener('input', () => this.write({ start: withOffset(input.value) }));
    return h('label', {}, words.setUp.eventStart, input);
  }

  private laws(laws: string): HTMLElement {
    const label = this.options.words().setUp.eventLaws;
    const choices = EDITIONS.map((it) => ({ value: it, name: it }));
    const chosen = { label, across: 'is-four', chosen: laws } as const;
    const group = choiceGroup(choices, { ...chosen, onChoose: (it) => this.write({ laws: it }) });
    return h('div', { class: 'setup-group' }, h('h3', {}, label), group);
  }

  private rules(value: EventKeys): HTMLElement {
    const words = this.options.words().setUp;
    const supervised = [
      { value: 'adequate', name: words.supervised },
      { value: 'inadequate', name: words.unsupervised },
    ];
    const group = choiceGroup(supervised, {
      label: words.supervision,
      across: 'is-two',
      chosen: value.supervision ?? 'adequate',
      onChoose: (supervision) => this.write({ supervision }),
    });
    const late = this.number('default', words.defaultTime, minutesOf(value.default_time_s));
    late.input.addEventListener('input', () => {
      const minutes = whole(late.input.value);
      this.write({ default_time_s: minutes === null ? null : minutes * 60 });
    });
    const draw = this.number('draw', words.drawMove, value.min_draw_move);
    draw.input.addEventListener('input', () => {
      this.write({ min_draw_move: whole(draw.input.value) });
    });
    const result = this.number('result', words.resultAfter, value.result_after_min);
    result.input.addEventListener('input', () => {
      this.write({ result_after_min: whole(result.input.value) ?? 0 });
    });
    const finish = tick(words.quickplay);
    finish.input.checked = value.quickplay_finish;
    finish.input.addEventListener('change', () => {
      this.write({ quickplay_finish: finish.input.checked });
    });
    const numbers = [late, draw, result].map(({ label }) => label);
    return h(
      'div',
      { class: 'setup-group' },
      h('h3', {}, words.supervision),
      group,
      h('div', { class: 'setup-fields' }, ...numbers),
      finish.label,
    );
  }

  private number(name: string, label: string, value: number | null) {
    const parts = field(label, value === null ? '' : String(value));
    parts.input.name = name;
    parts.input.inputMode = 'numeric';
    return parts;
  }

  private languages(value: EventKeys): HTMLElement {
    const words = this.options.words().setUp;
    const ticks = this.options.languages.map((language) => {
      const { label, input } = tick(nameOf(language));
      input.checked = value.languages.includes(language);
      input.addEventListener('change', () => {
        const before = this.value()?.languages ?? [];
        const others = before.filter((it) => it !== language);
        this.write({ languages: input.checked ? [...others, language] : others });
      });
      return label;
    });
    const begin = choiceGroup(
      this.options.languages.map((it) => ({ value: it, name: nameOf(it) })),
      {
        label: words.firstLanguage,
        chosen: isLanguage(value.language) ? value.language : null,
        onChoose: (language) => this.write({ language }),
      },
    );
    return h(
      'div',
      { class: 'setup-group' },
      h('h3', {}, words.languages),
      h('div', { class: 'setup-ticks' }, ...ticks),
      h('h3', {}, words.firstLanguage),
      begin,
    );
  }

  private judge(): void {
    const { event, draft } = this;
    const words = this.options.words().setUp;
    const pending = event !== null && changed(event.keys, draft).length > 0;
    const tables = this.options.setup().tables.filter((it) => it.inPlay);
    const waits = pending && waitsForNextGame(event.keys, draft) ? tables : [];
    const playing = runsOf(waits.map(({ table }) => table));
    const own = event?.own ?? [];
    const notes = [
      waits.length === 0 ? '' : words.playOn(playing),
      pending && own.length > 0 ? words.ownRules(runsOf(own)) : '',
    ];
    setText(this.waits, notes.filter(Boolean).join(' '));
    this.waits.toggleAttribute('data-playing', waits.length > 0);
    setText(this.keep, this.sure ? words.keepSure : words.keep);
    setText(this.leave, words.discard);
    this.keep.disabled = this.busy || !pending || this.unfinished;
    this.leave.disabled = this.busy || !pending;
  }

  /** Where games are in play it is asked first. */
  private async tapped(): Promise<void> {
    const { event, draft } = this;
    if (event === null) return;
    if (!this.sure && this.waits.hasAttribute('data-playing')) {
      this.sure = true;
      return this.judge();
    }
    this.busy = true;
    this.judge();
    const why = await this.options.change(settings(event.keys, draft), false);
    [this.busy, this.sure] = [false, false];
    setText(this.refused, why ?? '');
    setText(this.said, why === null ? this.options.words().setUp.kept : '');
    this.judge();
  }
}

/** What of a draft the file does not say yet. */
function keptOf(keys: EventKeys, draft: Draft): Draft {
  const still = changed(keys, draft);
  return Object.fromEntries(still.map((key) => [key, draft[key]]));
}

function minutesOf(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds / 60);
}

function whole(text: string): number | null {
  return /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : null;
}
