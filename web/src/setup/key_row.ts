/** One key of the configuration: what it means, its value, and what may be written. */

import { LANGUAGES } from 'words:languages';
import type { Say } from '../i18n/words';
import { fields } from '../pure/json';
import { ofTable, shownValue, typedValue, type Key } from '../pure/keys';
import { h } from '../view/dom';

export interface KeyRowOptions {
  readonly key: Key;
  /** The name of its field. */
  readonly name: string;
  readonly value: unknown;
  readonly say: Say;
  onWrite(value: unknown): void;
}

export function keyRow(options: KeyRowOptions): HTMLElement {
  const { key, say, value } = options;
  const about = h('p', { class: 'key-about' }, h('code', {}, key.key), ...remarks(options));
  const meaning = say(key.word);
  if (key.fixed !== null) {
    const shown = shownValue(value ?? key.unset);
    const why = h('p', {}, say(`fixed-${key.fixed}`));
    const now = shown === '' || key.fixed === 'people' ? null : h('p', {}, h('b', {}, shown));
    return h('div', { class: 'key-row is-fixed' }, h('p', {}, meaning), now, about, why);
  }
  if (key.kind === 'named') {
    const title = h('legend', {}, meaning);
    return h('fieldset', { class: 'key-row' }, title, named(options), about);
  }
  return h('div', { class: 'key-row' }, h('label', {}, meaning, control(options)), about);
}

/** Its range, what holds without it, and from when on it holds. */
function remarks({ key, say }: KeyRowOptions): string[] {
  const all = [];
  if (key.fixed === null) {
    if (key.range !== null) all.push(say('range', { least: key.range[0], most: key.range[1] }));
    if (key.kind === 'list' || key.kind === 'steps') all.push(say('several'));
    if (key.example !== null && !['choice', 'named', 'truth'].includes(key.kind)) {
      all.push(say('as', { value: shownValue(key.example) }));
    }
    const unset = called(key, say, shownValue(key.unset));
    const rule = ofTable(key) && key.word.startsWith('event-');
    if (rule) all.push(say('unset_event'));
    else if (unset !== '' && key.kind !== 'named') all.push(say('unset', { value: unset }));
    if (key.holds !== 'now') all.push(say(`holds-${key.holds}`));
  }
  return all.map((it) => ` · ${it}`);
}

/** What a word of the file means. The word stands beside it, for whoever reads the file as well. */
function called(key: Key, say: Say, written: string): string {
  if (key.kind === 'truth') return written === '' ? '' : say(written === 'true' ? 'yes' : 'no');
  const label = key.said.includes(written)
    ? say(`choice-${written}`)
    : key.word === 'event-language' && LANGUAGES[written]?.name;
  if (!label) return written;
  const isTheWord = label.toLowerCase().startsWith(written);
  return isTheWord ? label : say('choice_written', { label, written });
}

function control(options: KeyRowOptions): HTMLElement {
  const { key, name, value, say } = options;
  const now = shownValue(value);
  if (key.kind === 'choice' || key.kind === 'truth') {
    const words = key.kind === 'truth' ? ['true', 'false'] : key.choices;
    const choose = select(words, now, (it) => called(key, say, it));
    choose.name = name;
    choose.addEventListener('change', () => options.onWrite(typedValue(key, choose.value)));
    return choose;
  }
  const input = line(now);
  input.name = name;
  if (key.kind === 'number') input.inputMode = 'decimal';
  input.addEventListener('input', () => options.onWrite(typedValue(key, input.value)));
  return input;
}

function line(value: string): HTMLInputElement {
  const input = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', dir: 'auto' });
  input.value = value;
  return input;
}

/** A few words and none of them. A word that the file has is there, too. */
function select(words: readonly string[], now: string, called: (it: string) => string) {
  const all = ['', ...new Set(now === '' ? words : [...words, now])];
  const options = all.map((it) => h('option', { value: it }, it === '' ? '—' : called(it)));
  const element = h('select', {}, ...options);
  element.value = now;
  return element;
}

/** Values by names, and a row more than there are. */
function named(options: KeyRowOptions): HTMLElement {
  const { key, say } = options;
  const rows = h('div', { class: 'settings-parts' });
  const read = () => {
    const pairs = [...rows.children].map((row) => {
      const [name, value] = [...row.querySelectorAll<HTMLInputElement>('input, select')];
      return [name?.value.trim() ?? '', value?.value.trim() ?? ''] as const;
    });
    options.onWrite(Object.fromEntries(pairs.filter(([name]) => name !== '')));
  };
  const add = (name: string, value: string) => {
    const same = (it: string) => it;
    const word = (it: string) => called(key, say, it);
    const one = key.names.length > 0 ? select(key.names, name, same) : line(name);
    const other = key.choices.length > 0 ? select(key.choices, value, word) : line(value);
    const row = h(
      'div',
      { class: 'two-fields' },
      h('label', {}, say('name'), one),
      h('label', {}, say('value'), other),
    );
    row.addEventListener('input', () => {
      read();
      if (rows.lastElementChild === row) add('', '');
    });
    rows.append(row);
  };
  for (const [name, value] of Object.entries(fields(options.value) ?? {})) {
    add(name, shownValue(value));
  }
  add('', '');
  return rows;
}
