/** The parts forms are made of: choices, fields, and what is pressed at the end. */

import { h } from './dom';
import { SeenFirst } from './reaction';

export interface Choice<T> {
  readonly value: T;
  readonly name: string;
}

export interface ChoiceOptions<T> {
  readonly label: string;
  /** How many stand side by side; else three. */
  readonly across?: 'is-two' | 'is-four';
  readonly chosen: T | null;
  onChoose(value: T): void;
}

/** One of a few, all in sight; what is chosen is marked at once. */
export function choiceGroup<T>(choices: readonly Choice<T>[], options: ChoiceOptions<T>) {
  const buttons = choices.map(({ value, name }) => {
    const button = choice(name, options.chosen === value, () => {
      buttons.forEach((it) => it.setAttribute('aria-pressed', String(it === button)));
      options.onChoose(value);
    });
    return button;
  });
  const classes = ['choices', options.across].filter(Boolean).join(' ');
  return h('div', { class: classes, role: 'group', 'aria-label': options.label }, ...buttons);
}

export function choice(name: string, chosen: boolean, onclick: () => void): HTMLButtonElement {
  const about = { class: 'choice', type: 'button', 'aria-pressed': String(chosen), onclick };
  return h('button', about, name);
}

export function act(name: string, onclick: () => void): HTMLButtonElement {
  return h('button', { class: 'button', type: 'button', onclick }, name);
}

export function quiet(name: string, onclick: () => void): HTMLButtonElement {
  return h('button', { class: 'button is-quiet', type: 'button', onclick }, name);
}

/** What it comes to, and the way out. It often comes under the finger that has asked for it. */
export function confirmation(...buttons: HTMLButtonElement[]): HTMLElement {
  const element = h('p', { class: 'confirm' }, ...buttons);
  new SeenFirst(element).appears();
  return element;
}

/** Escape leaves what is open. */
export function leavesOnEscape(element: HTMLElement, leave: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  });
}

/** A line to write in, with its name above. */
export function field(name: string, value = ''): { label: HTMLElement; input: HTMLInputElement } {
  const input = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  input.value = value;
  return { label: h('label', {}, name, input), input };
}

/** Yes or no. */
export function tick(name: string): { label: HTMLElement; input: HTMLInputElement } {
  const input = h('input', { type: 'checkbox' });
  return { label: h('label', { class: 'tick' }, input, name), input };
}
