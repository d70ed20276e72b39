/** The replay of an alert: board, clock, buttons, and the list of gestures it walks through. */

import type { Words } from '../i18n/words';
import type { Alert, Evidence, Times } from '../pure/alerts';
import { clockSetting, signedSeconds } from '../pure/format';
import { marksOf } from '../pure/marks';
import { pathsOf, replayOf, type Step } from '../pure/replay';
import { toldTo, type Reader } from '../pure/san';
import { positionTold } from '../pure/spoken';
import { tellPosition } from './board';
import { h, icon, onceLaidOut, setAttribute, setText } from './dom';
import { GestureBoard } from './gesture_board';
import { ICONS } from './icons';

/** A pause longer than this (ms) is shortened to it: the list tells how long it was. */
const LONGEST_PAUSE_MS = 2500;
const SLOW = 0.25;
/** How long the end is looked at before a replay is over, in ms. */
const COMES_TO_REST_MS = 600;

export class Replay {
  readonly element: HTMLElement;
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
    private readonly reader: Reader,
  ) {
    this.steps = replayOf(alert);
    this.evidence = alert.evidence;
    this.at = this.steps.length - 1;
    this.board = new GestureBoard(marksOf(alert), pathsOf(this.steps), alert.side ?? 'white');
    this.play = button(words.play, ICONS.play, () => this.toggle());
    const turnSlow = () => this.turnSlow();
    this.slow = h('button', { class: 'tool', type: 'button', onclick: turnSlow }, words.slowSpeed);
    this.range = this.slider();
    this.lines = alert.evidence.map((item) => this.line(item));
    const evidence = h('ol', { class: 'evidence' }, ...this.lines);
    const list = h('div', { class: 'seen' }, h('h3', {}, words.evidence), evidence);
    this.element = this.steps.length === 0 ? onlyTold(list) : this.build(alert, list);
    onceLaidOut(this.board.element, () => this.show(this.at));
  }

  /** Without gestures there is nothing to be replayed, only to be read. */
  private build(alert: Alert, list: HTMLElement): HTMLElement {
    const { words } = this;
    const back = button(words.stepBack, ICONS.back, () => this.step(-1));
    const on = button(words.stepOn, ICONS.forward, () => this.step(1));
    const { play, slow, range, caption, clock } = this;
    const buttons = h('div', { class: 'replay-buttons' }, back, play, on, range, slow);
    const aside = h('div', { class: 'replay-aside' }, clock, list);
    return h(
      'section',
      { class: 'replay', 'aria-label': words.replay },
      this.board.element,
      aside,
      caption,
      buttons,
      legend(alert, words),
    );
  }

  private slider(): HTMLInputElement {
    const range = h('input', {
      type: 'range',
      min: '0',
      max: String(Math.max(0, this.steps.length - 1)),
      step: '1',
      'aria-label': this.words.replay,
    });
    range.addEventListener('input', () => this.stopAt(Number(range.value)));
    return range;
  }

  private line(item: Evidence): HTMLElement {
    const { words } = this;
    const drawing = { lift: ICONS.lift, put: ICONS.put, press: ICONS.press }[item.what];
    const time = item.offsetMs === null ? '' : signedSeconds(item.offsetMs, words.decimalMark);
    const told = h('span', {}, h('time', {}, time), ' ', this.told(item));
    const face = [icon(drawing ?? ICONS.dot), told];
    const index = this.steps.findIndex(({ gesture }) => gesture === item);
    if (index < 0) return h('li', { 'data-what': item.what }, h('p', {}, ...face));
    const go = h('button', { type: 'button', onclick: () => this.stopAt(index) }, ...face);
    return h('li', { 'data-what': item.what }, go);
  }

  private told(item: Evidence): string {
    const { what, clocks } = item;
    if (what === 'clock' && clocks !== null) return bothTimes(clocks);
    return item.text === null ? plainly(item, this.words) : toldTo(this.reader, item.text);
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
    const { element } = this.board;
    tellPosition(element, positionTold(this.steps[index]?.placement ?? null, this.words));
  }

  private draw(index: number, ms: number): void {
    const step = this.steps[index];
    if (step === undefined) return;
    this.board.draw(step, ms, index === this.steps.length - 1);
  }

  private describe(): void {
    const { words, steps, at } = this;
    const step = steps[at];
    const gesture = step?.gesture ?? null;
    const told = gesture === null ? words.before : this.told(gesture);
    setText(this.caption, this.playing ? '' : told);
    this.range.value = String(at);
    setAttribute(this.range, 'aria-valuetext', told);
    setAttribute(this.slow, 'aria-pressed', String(this.speed !== 1));
    this.drawClock(step);
    const current = gesture === null ? -1 : this.evidence.indexOf(gesture);
    this.lines.forEach((line, index) => {
      setAttribute(line, 'aria-current', index === current ? 'step' : null);
      if (index === current) this.follow(line);
    });
  }

  /** Only the list scrolls, and only where it does: the page stays under the finger. */
  private follow(line: HTMLElement): void {
    const list = line.closest('.seen');
    if (list === null) return;
    const below = line.offsetTop + line.offsetHeight - list.clientHeight;
    list.scrollTop = Math.min(line.offsetTop, Math.max(list.scrollTop, below));
  }

  private drawClock(step: Step | undefined): void {
    const { words } = this;
    const half = (side: 'white' | 'black') => {
      const time = step?.clocks ? clockSetting(step.clocks[side]) : '–';
      const name = side === 'white' ? words.white : words.black;
      const pressed = step?.pressed === side;
      const colour = h('span', { class: 'visually-hidden' }, `${name} `);
      return h('span', { 'data-side': side, 'data-pressed': pressed }, colour, time);
    };
    this.clock.replaceChildren(half('white'), half('black'));
  }
}

function onlyTold(list: HTMLElement): HTMLElement {
  return h('section', { class: 'evidence-only' }, list);
}

/** White's time first. */
function bothTimes({ white, black }: Times): string {
  return `${clockSetting(white)} – ${clockSetting(black)}`;
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
