/** Every key of the configuration in one form, made of what the daemon lists. */

import { askSetup, type Credentials } from '../data/session';
import type { Language } from '../i18n/language';
import { settingsIn } from '../i18n/load';
import type { Say, Words } from '../i18n/words';
import {
  changesOfKeys,
  draftName,
  isShown,
  moved,
  readKeys,
  undone,
  writtenOf,
  type Key,
  type KeyDraft,
  type Keys,
} from '../pure/keys';
import type { FileChange, Setup } from '../pure/setup';
import { h, setText, typingOn } from '../view/dom';
import { act, field, quiet } from '../view/form';
import { keyRow } from './key_row';

export interface KeysFormOptions {
  words(): Words;
  language(): Language;
  credentials(): Credentials | null;
  setup(): Setup;
  kept(): string;
  /** Null: it is done; else why not, for the reader. */
  change(
    changes: readonly FileChange[],
    disturb: boolean,
    revision?: string | null,
  ): Promise<string | null>;
}

/** How long it says that all is kept: long enough to be read, and then the bar is gone. */
const SAID_MS = 6000;

export class KeysForm {
  readonly element = h('section', { class: 'keys-form setup-form' });
  private readonly sections = h('div', { class: 'keys-sections' });
  private readonly none = h('p', { role: 'status' });
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly said = h('p', { class: 'setup-said', role: 'status' });
  private readonly keep = act('', () => void this.tapped());
  private readonly leave = quiet('', () => this.forget());
  private readonly confirm = h('p', { class: 'confirm' }, this.keep, this.leave);
  private readonly news = [this.refused, this.said];
  private readonly keeping = h('div', { class: 'keys-keep' }, ...this.news, this.confirm);
  private all: Keys | null = null;
  private draft: KeyDraft = {};
  private table = 1;
  private find = '';
  /** Sections that somebody has opened. */
  private readonly open = new Set<string>();
  private busy = false;
  private sure = false;
  /** The words of the reader's language, once they are there. */
  private say: Say | null = null;
  private sayIn: Language | null = null;
  private shown = '';
  private asked: string | null | undefined;

  constructor(private readonly options: KeysFormOptions) {}

  /** The place is looked at, or the file has changed meanwhile: lists the keys of this version. */
  draw(): void {
    const { revision } = this.options.setup();
    if (this.asked !== revision) {
      this.asked = revision;
      void this.fetch();
    }
    const language = this.options.language();
    if (this.sayIn !== language) {
      this.sayIn = language;
      void this.speak(language);
    }
    this.build();
    this.judge();
  }

  private async fetch(): Promise<void> {
    const credentials = this.options.credentials();
    if (credentials === null) {
      this.asked = undefined;
      return;
    }
    const answer = await askSetup('keys', credentials, {});
    if (answer?.kind !== 'told') return;
    const before = this.all;
    const now = readKeys(answer.value);
    this.all = now;
    // What somebody is typing stays; of what others have changed under it he is told.
    const still = undone(now, this.draft);
    this.draft = Object.fromEntries(still.map((name) => [name, this.draft[name]]));
    const other = (it: string) =>
      before !== null &&
      JSON.stringify(writtenOf(before, it)) !== JSON.stringify(writtenOf(now, it));
    if (still.some(other)) setText(this.refused, this.options.words().setUp.editedMeanwhile);
    this.draw();
  }

  private async speak(language: Language): Promise<void> {
    const say = await settingsIn(language).catch(() => null);
    if (this.sayIn !== language || say === null) return;
    this.say = say;
    this.shown = '';
    this.draw();
  }

  /** The fields are made anew where what they show has changed, and never for what is typed. */
  private build(): void {
    const { all, say } = this;
    if (all === null || say === null) return;
    const now = JSON.stringify([this.sayIn, all.revision, this.table]);
    if (now === this.shown) return;
    const whole = this.shown === '';
    this.shown = now;
    typingOn(this.element, () => {
      if (whole) this.frame(say);
      this.fill(all, say);
    });
  }

  private frame(say: Say): void {
    const { label, input } = field(say('find'), this.find);
    input.type = 'search';
    input.name = 'find-setting';
    input.addEventListener('input', () => {
      this.find = input.value;
      this.filter();
    });
    this.element.replaceChildren(
      h('h2', {}, this.options.words().setUp.everySetting),
      h('p', {}, say('hint')),
      h('div', { class: 'setup-fields' }, label),
      this.none,
      this.sections,
      this.keeping,
    );
  }

  private fill(all: Keys, say: Say): void {
    const names = [...new Set(all.keys.map(({ key }) => sectionOf(key)))];
    const sections = names.map((name) => {
      const own = all.keys.filter((it) => sectionOf(it.key) === name && isShown(all, it));
      const chooser = name === 'table' ? [this.tableChooser(say)] : [];
      const rows = own.map((it) => this.row(it, all, say));
      const summary = h('summary', {}, say(`in-${name}`));
      const element = h('details', { class: 'keys-section' }, summary, ...chooser, ...rows);
      element.dataset['section'] = name;
      element.addEventListener('toggle', () => {
        // While somebody searches, sections open by themselves.
        if (this.find !== '') return;
        if (element.open) this.open.add(name);
        else this.open.delete(name);
      });
      return element;
    });
    this.sections.replaceChildren(...sections);
    this.filter();
  }

  private tableChooser(say: Say): HTMLElement {
    const { label, input } = field(say('table_number'), String(this.table));
    input.name = 'table-of-keys';
    input.inputMode = 'numeric';
    input.addEventListener('change', () => {
      this.table = Math.max(1, Math.trunc(Number(input.value)) || 1);
      this.build();
    });
    return h('div', { class: 'setup-fields' }, label);
  }

  private row(key: Key, all: Keys, say: Say): HTMLElement {
    const name = draftName(key, this.table);
    const value = name in this.draft ? this.draft[name] : writtenOf(all, name);
    const row = keyRow({ key, name, value, say, onWrite: (it) => this.write(name, it) });
    row.dataset['find'] = `${key.key} ${say(key.word)}`.toLowerCase();
    return row;
  }

  /** What is searched for is open, and all else as somebody has left it. */
  private filter(): void {
    const wanted = this.find.trim().toLowerCase();
    let found = 0;
    for (const section of this.sections.querySelectorAll('details')) {
      const rows = [...section.querySelectorAll<HTMLElement>('.key-row')];
      for (const row of rows) row.hidden = !(row.dataset['find'] ?? '').includes(wanted);
      const here = rows.filter((it) => !it.hidden).length;
      found += here;
      section.hidden = here === 0;
      section.open = wanted !== '' || this.open.has(section.dataset['section'] ?? '');
    }
    setText(this.none, found === 0 && this.say !== null ? this.say('none_found') : '');
  }

  private write(name: string, value: unknown): void {
    this.draft = { ...this.draft, [name]: value };
    this.sure = false;
    setText(this.refused, '');
    setText(this.said, '');
    this.judge();
  }

  private forget(): void {
    this.draft = {};
    this.sure = false;
    this.shown = '';
    setText(this.refused, '');
    this.draw();
  }

  private judge(): void {
    const words = this.options.words().setUp;
    setText(this.keep, this.sure ? words.allTheSame : words.keep);
    setText(this.leave, words.discard);
    const waits = this.all !== null && undone(this.all, this.draft).length > 0;
    this.keep.disabled = this.busy;
    this.leave.disabled = this.busy;
    this.confirm.hidden = !this.busy && !waits;
    // An empty bar would cover what somebody reads on a phone.
    this.keeping.classList.toggle('is-empty', this.confirm.hidden && !this.hasNews());
  }

  private hasNews(): boolean {
    return this.news.some((it) => it.textContent !== '');
  }

  private async tapped(): Promise<void> {
    const { all, say, sure } = this;
    if (all === null || say === null) return;
    const words = this.options.words().setUp;
    const { keys, tables } = moved(all, this.draft, this.options.setup());
    if (!sure && (keys.length > 0 || tables.length > 0)) {
      this.sure = true;
      const elsewhere = keys.length > 0 ? say('asks', { keys: keys.join(', ') }) : '';
      const disturbs = tables.length > 0 ? words.wouldDisturb(tables.join(', ')) : '';
      setText(this.refused, [elsewhere, disturbs].filter(Boolean).join(' '));
      return this.judge();
    }
    this.busy = true;
    this.judge();
    const why = await this.options.change(changesOfKeys(all, this.draft), sure, all.revision);
    this.busy = false;
    this.sure = false;
    setText(this.refused, why ?? '');
    setText(this.said, why === null ? this.options.kept() : '');
    this.judge();
    setTimeout(() => {
      setText(this.said, '');
      this.judge();
    }, SAID_MS);
  }
}

function sectionOf(key: string): string {
  return key.split('.')[0] ?? key;
}
