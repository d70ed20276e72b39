/** The replay of an alert: board, clock, buttons, and the list of gestures it walks through. */

import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import type { Alert, Evidence } from '../pure/alerts';
import { clockSetting, signedSeconds } from '../pure/format';
import { marksOf } from '../pure/marks';
import { replayOf, type Step } from '../pure/replay';
import { h, icon, setAttribute, setText } from './dom';
import { GestureBoard } from './gesture_board';
import { ICONS } from './icons';

/** A pause longer than this (ms) is shortened to it: the list tells how long it was. */
const LONGEST_PAUSE_MS = 2500;
const SLOW = 0.25;
/** How long the end is looked at before a replay is over, in ms. */
const COMES_TO_REST_MS = 600;

export class Replay {
  /** The board with its buttons; null when there is nothing to be replayed. */
  readonly stage: HTMLElement | null;
  /** Everything that was seen, as a list. */
  readonly list: HTMLElement;
  private readonly steps: Step[];
  private readonly evidence: readonly Evidence[];
  private readonly board: GestureBoard;
  private readonly caption = h('p', { class: 'replay-caption', 'aria-live': 'polite' });
  private readonly clock = h('p', { class: 'replay-clock' });
  private readonly play: HTMLButtonElement;
  private readonly slow: HTMLButtonElement;
  private readonly range: HTMLInputElement;
  private readonly lines: HTMLElement[];
  private at: number;
  private playing = false;
  private speed = 1;

  constructor(
    alert: Alert,
    private readonly words: Words,
    private readonly language: Language,
  ) {
    this.steps = replayOf(alert);
    this.evidence = alert.evidence;
    this.at = this.steps.length - 1;
    this.board = new GestureBoard(marksOf(alert), alert.side ?? 'white');
    this.play = button(words.play, ICONS.play, () => this.toggle());
    this.slow = h('button', { class: 'tool', type: 'button', onclick: () => this.turnSlow() });
    this.range = this.slider();
    this.lines = alert.evidence.map((item) => this.line(item));
    const evidence = h('ol', { class: 'evidence' }, ...this.lines);
    this.list = h('section', { class: 'seen' }, h('h3', {}, words.evidence), evidence);
    this.stage = this.steps.length === 0 ? null : this.build(alert);
    new ResizeObserver((_, observer) => {
      if (this.board.element.clientWidth === 0) return;
      observer.disconnect();
      this.show(this.at);
    }).observe(this.board.element);
  }

  private build(alert: Alert): HTMLElement {
    const { words } = this;
    const back = button(words.stepBack, ICONS.back, () => this.step(-1));
    const on = button(words.stepOn, ICONS.forward, () => this.step(1));
    const buttons = h('div', { class: 'replay-buttons' }, back, this.play, on, this.slow);
    return h(
      'section',
      { class: 'replay', 'aria-label': words.replay },
      this.board.element,
      buttons,
      this.caption,
      this.range,
      this.clock,
      legend(alert, words),
    );
  }

  private slider(): HTMLInputElement {
    const range = h('input', {
      type: 'range', min: '0', max: String(Math.max(0, this.steps.length - 1)), step: '1',
      'aria-label': this.words.replay,
    });
    range.addEventListener('input', () => this.stopAt(Number(range.value)));
    return range;
  }

  private line(item: Evidence): HTMLElement {
    const { words, language } = this;
    const drawing = { lift: ICONS.lift, put: ICONS.put, press: ICONS.press }[item.what];
    const time = item.offsetMs === null ? '' : signedSeconds(item.offsetMs, words.decimalMark);
    const told = item.text?.[language] ?? plainly(item, words);
    const face = [h('time', {}, time), icon(drawing ?? ICONS.dot), h('span', {}, told)];
    const index = this.steps.findIndex(({ gesture }) => gesture === item);
    if (index < 0) return h('li', { 'data-what': item.what }, h('p', {}, ...face));
    const go = h('button', { type: 'button', onclick: () => this.stopAt(index) }, ...face);
    return h('li', { 'data-what': item.what }, go);
  }

  private toggle(): void {
    if (this.playing) return this.stopAt(this.at);
    if (this.at >= this.steps.length - 1) this.at = 0;
    this.playing = true;
    label(this.play, this.words.pause, ICONS.pause);
    this.run(performance.now(), this.steps[this.at]?.ms ?? 0);
  }

  private turnSlow(): void {
    this.speed = this.speed === 1 ? SLOW : 1;
    this.show(this.at);
  }

  private step(by: number): void {
    this.stopAt(Math.min(this.steps.length - 1, Math.max(0, this.at + by)));
  }

  private stopAt(index: number): void {
    this.playing = false;
    label(this.play, this.words.play, ICONS.play);
    this.show(index);
  }

  /** From `ms` of the record on, until the end or until somebody stops it. */
  private run(now: number, ms: number): void {
    requestAnimationFrame((frame) => {
      if (!this.playing || !this.range.isConnected) return;
      const next = this.steps[this.at + 1];
      const passed = (frame - now) * this.speed;
      if (next === undefined) {
        if (passed < COMES_TO_REST_MS) return this.run(now, ms);
        return this.stopAt(this.at);
      }
      const begun = Math.max(ms, next.ms - LONGEST_PAUSE_MS);
      const moment = begun + Math.max(0, passed);
      if (moment < next.ms) {
        this.draw(this.at, moment);
        return this.run(now, ms);
      }
      this.show(this.at + 1);
      this.run(frame, next.ms);
    });
  }

  private show(index: number): void {
    this.at = index;
    this.draw(index, this.steps[index]?.ms ?? 0);
    this.describe();
  }

  private draw(index: number, ms: number): void {
    const step = this.steps[index];
    if (step === undefined) return;
    this.board.draw(step, ms, index === this.steps.length - 1);
  }

  private describe(): void {
    const { words, language, steps, at } = this;
    const step = steps[at];
    const gesture = step?.gesture ?? null;
    const told = gesture === null ? words.before : (gesture.text?.[language] ?? gesture.what);
    setText(this.caption, this.playing ? '' : told);
    this.range.value = String(at);
    setAttribute(this.range, 'aria-valuetext', told);
    setText(this.slow, this.speed === 1 ? words.realSpeed : words.slowSpeed);
    setAttribute(this.slow, 'aria-pressed', String(this.speed !== 1));
    this.drawClock(step);
    const current = gesture === null ? -1 : this.evidence.indexOf(gesture);
    this.lines.forEach((line, index) => {
      setAttribute(line, 'aria-current', index === current ? 'step' : null);
    });
  }

  private drawClock(step: Step | undefined): void {
    const { words } = this;
    const half = (side: 'white' | 'black') => {
      const time = step?.clocks ? clockSetting(step.clocks[side]) : '–';
      const name = side === 'white' ? words.white : words.black;
      const pressed = step?.pressed === side;
      return h('span', { 'data-side': side, 'data-pressed': pressed }, `${name} ${time}`);
    };
    this.clock.replaceChildren(half('white'), half('black'));
  }
}

/** What the marks mean, so that no colour has to be known. */
function legend(alert: Alert, words: Words): HTMLElement | null {
  const kinds = new Set(marksOf(alert).squares.values());
  if (kinds.size === 0) return null;
  const items = [...kinds].map((kind) =>
    h('li', {}, h('i', { class: `mark-${kind}`, 'aria-hidden': 'true' }), words.mark[kind]),
  );
  return h('ul', { class: 'legend' }, ...items);
}

/** For evidence that brings no text of its own. */
function plainly({ what, piece, square }: Evidence, words: Words): string {
  return [words.what[what] ?? what, piece, square].filter(Boolean).join(' ');
}

function button(words: string, path: string, onPress: () => void): HTMLButtonElement {
  const it = h('button', { class: 'tool', type: 'button', onclick: onPress });
  label(it, words, path);
  return it;
}

function label(it: HTMLElement, words: string, path: string): void {
  it.replaceChildren(icon(path));
  setAttribute(it, 'aria-label', words);
  setAttribute(it, 'title', words);
}
