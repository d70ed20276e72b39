/** A form for keys of the configuration: what is typed holds when it is kept, and not before. */

import type { Words } from '../i18n/words';
import { changesOf, pending, wholeNumber, type Setting, type Settings } from '../pure/settings';
import type { FileChange } from '../pure/setup';
import { h, setText } from '../view/dom';
import { act, field, quiet, tick } from '../view/form';

export interface SettingField {
  /** The key, as the request `configure` names it. */
  readonly key: string;
  readonly kind: 'text' | 'number' | 'tick' | 'parts';
  name(words: Words['setUp']): string;
}

export interface SettingsFormOptions {
  words(): Words;
  title(words: Words['setUp']): string;
  hint?(words: Words['setUp']): string;
  readonly fields: readonly SettingField[];
  /** What is said when it is done. */
  kept(): string;
  /** Null: it is done; else why not, for the reader. */
  change(changes: readonly FileChange[], disturb: boolean): Promise<string | null>;
}

export class SettingsForm {
  readonly element = h('section', { class: 'settings-form setup-form' });
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly said = h('p', { class: 'setup-said', role: 'status' });
  private readonly keep = act('', () => void this.tapped());
  private readonly leave = quiet('', () => this.forget());
  private now: Settings | null = null;
  private draft: Settings = {};
  private busy = false;
  private shown = '';

  constructor(private readonly options: SettingsFormOptions) {}

  heard(settings: Settings | null): void {
    const before = this.now;
    this.now = settings;
    // Somebody may be typing: what the form shows besides is what the file says.
    if (settings !== null) {
      const still = pending(settings, this.draft);
      this.draft = Object.fromEntries(still.map((key) => [key, this.draft[key] ?? null]));
      const others = before === null ? [] : pending(before, settings);
      const edited = still.some((key) => others.includes(key));
      if (edited) setText(this.refused, this.options.words().setUp.editedMeanwhile);
    }
    this.draw();
  }

  draw(): void {
    const words = this.options.words().setUp;
    const own = this.options.fields.map(({ key }) => this.now?.[key] ?? null);
    const now = JSON.stringify([words.keep, own]);
    if (now !== this.shown) {
      this.shown = now;
      this.build();
    }
    this.judge();
  }

  private build(): void {
    const words = this.options.words().setUp;
    const title = h('h2', {}, this.options.title(words));
    if (this.now === null) return this.element.replaceChildren(title);
    const hint = this.options.hint?.(words) ?? '';
    const rows = this.options.fields.map((it) => this.row(it, words));
    this.element.replaceChildren(
      title,
      ...(hint === '' ? [] : [h('p', {}, hint)]),
      h('div', { class: 'setup-fields' }, ...rows),
      this.refused,
      this.said,
      h('p', { class: 'confirm' }, this.keep, this.leave),
    );
  }

  private value(key: string): Setting {
    return key in this.draft ? (this.draft[key] ?? null) : (this.now?.[key] ?? null);
  }

  private row(about: SettingField, words: Words['setUp']): HTMLElement {
    const { key, kind } = about;
    const value = this.value(key);
    if (kind === 'parts') return this.parts(about, value, words);
    if (kind === 'tick') {
      const { label, input } = tick(about.name(words));
      input.name = key;
      input.checked = value === true;
      input.addEventListener('change', () => this.write(key, input.checked));
      return label;
    }
    const { label, input } = field(about.name(words), String(value ?? ''));
    input.name = key;
    if (kind === 'number') input.inputMode = 'numeric';
    input.addEventListener('input', () => {
      this.write(key, kind === 'number' ? wholeNumber(input.value) : input.value.trim());
    });
    return label;
  }

  /** Parts of the hall: a name and its tables, and a row more than there are. */
  private parts(about: SettingField, value: Setting, words: Words['setUp']): HTMLElement {
    const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const list = h('div', { class: 'settings-parts' });
    const written = () => {
      const rows = [...list.children].map((row) => {
        const [name, tables] = [...row.querySelectorAll('input')].map((it) => it.value.trim());
        return [name ?? '', tables ?? ''] as const;
      });
      this.write(about.key, Object.fromEntries(rows.filter(([name]) => name !== '')));
    };
    const add = (name: string, tables: string) => {
      const [one, other] = [field(words.partName, name), field(words.partTables, tables)];
      for (const { input } of [one, other]) {
        input.dir = 'auto';
        input.addEventListener('input', () => {
          written();
          if (list.lastElementChild === row) add('', '');
        });
      }
      const row = h('div', { class: 'two-fields' }, one.label, other.label);
      list.append(row);
    };
    for (const [name, tables] of parts) add(name, tables);
    add('', '');
    return list;
  }

  private write(key: string, value: Setting): void {
    this.draft = { ...this.draft, [key]: value };
    setText(this.refused, '');
    setText(this.said, '');
    this.judge();
  }

  private forget(): void {
    this.draft = {};
    this.shown = '';
    setText(this.refused, '');
    this.draw();
  }

  private judge(): void {
    const words = this.options.words().setUp;
    setText(this.keep, words.keep);
    setText(this.leave, words.discard);
    const waits = this.now !== null && pending(this.now, this.draft).length > 0;
    this.keep.disabled = this.busy || !waits;
    this.leave.disabled = this.busy || !waits;
  }

  private async tapped(): Promise<void> {
    if (this.now === null) return;
    this.busy = true;
    this.judge();
    const why = await this.options.change(changesOf(this.now, this.draft), false);
    this.busy = false;
    setText(this.refused, why ?? '');
    setText(this.said, why === null ? this.options.kept() : '');
    this.judge();
  }
}
