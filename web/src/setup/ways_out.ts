/** The ways out of the hall: what is set, whether each works, and a button that tries it. */

import { askSetup, type Credentials } from '../data/session';
import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import { readTexts } from '../pure/alerts';
import { timeOfDay } from '../pure/format';
import type { Outlet } from '../pure/outlets';
import type { Settings } from '../pure/settings';
import type { FileChange } from '../pure/setup';
import { h, setText } from '../view/dom';
import { act, field, quiet } from '../view/form';
import { SettingsForm, type SettingField } from './settings_form';

export interface WaysOutOptions {
  words(): Words;
  language(): Language;
  credentials(): Credentials | null;
  kept(): string;
  change(changes: readonly FileChange[], disturb: boolean): Promise<string | null>;
}

const FIELDS: readonly SettingField[] = [
  { key: 'public.delay_s', kind: 'number', name: (words) => words.publicDelay },
  { key: 'public.delay_moves', kind: 'number', name: (words) => words.publicMoves },
  { key: 'pgn.directory', kind: 'text', name: (words) => words.pgnDirectory },
  { key: 'livechess.listen', kind: 'text', name: (words) => words.livechessListen },
  { key: 'lichess.round', kind: 'text', name: (words) => words.lichessRound },
  { key: 'notify.url', kind: 'text', name: (words) => words.notifyUrl },
  { key: 'notify.pages', kind: 'text', name: (words) => words.notifyPages },
  { key: 'notify.names', kind: 'tick', name: (words) => words.notifyNames },
];

/** A way out by its name for people. */
export function outletName(name: string, { setUp }: Words): string {
  return name in setUp.outletName ? setUp.outletName[name as keyof typeof setUp.outletName] : name;
}

/** What to do where it fails; empty: it is a way out of a later program. */
export function outletRemedy(name: string, { setUp }: Words): string {
  return name in setUp.outletDo ? setUp.outletDo[name as keyof typeof setUp.outletDo] : '';
}

export class WaysOut {
  readonly element = h('section', { class: 'condition ways-out' });
  private readonly title = h('h2', {});
  private readonly list = h('ul', { class: 'condition-list' });
  private readonly form: SettingsForm;
  private readonly token = h('section', { class: 'setup-group' });
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly said = h('p', { class: 'setup-said', role: 'status' });
  private outlets: readonly Outlet[] = [];
  private hasToken = false;
  /** What came of trying a way out, by its name. */
  private readonly tried = new Map<string, string>();
  private drawn = '';
  private drawnToken = '';

  constructor(private readonly options: WaysOutOptions) {
    const { words, kept, change } = options;
    const title = (it: Words['setUp']) => it.waysSet;
    this.form = new SettingsForm({ words, kept, change, title, fields: FIELDS });
    this.element.append(this.title, this.list, this.form.element, this.token);
  }

  heard(settings: Settings | null): void {
    this.hasToken = (settings?.['lichess.token_file'] ?? '') !== '';
    this.form.heard(settings);
    this.draw();
  }

  /** What the daemon has told of them since. */
  show(outlets: readonly Outlet[]): void {
    this.outlets = outlets;
    this.draw();
  }

  draw(): void {
    const words = this.options.words();
    setText(this.title, words.setUp.waysOut);
    this.form.draw();
    this.drawToken(words.setUp);
    const now = JSON.stringify([this.outlets, [...this.tried], words.setUp.waysOut]);
    if (now === this.drawn) return;
    this.drawn = now;
    const none = h('li', {}, words.setUp.noWays);
    const ways = this.outlets.map((it) => this.way(it));
    this.list.replaceChildren(...(ways.length === 0 ? [none] : ways));
  }

  private way({ name, works, since, last }: Outlet): HTMLElement {
    const words = this.options.words();
    const [at, called] = [timeOfDay(since), outletName(name, words)];
    const state = works ? words.outletWorks(called, at) : words.outletFails(called, at);
    const attempt = quiet(words.setUp.tryIt, () => void this.attempt(name));
    attempt.setAttribute('aria-label', `${words.setUp.tryIt}: ${called}`);
    const tried = this.tried.get(name);
    const told = tried === undefined ? null : h('p', { role: 'status' }, tried);
    const about = { class: works ? '' : 'is-wrong' };
    // What was answered last is told by other programs, in their own words.
    const answered = works ? ' ' : ` (${last}) `;
    return h('li', about, h('b', {}, state), answered, attempt, told);
  }

  private async attempt(outlet: string): Promise<void> {
    const credentials = this.options.credentials();
    if (credentials === null) return;
    const words = this.options.words();
    this.tried.set(outlet, words.setUp.trying);
    this.draw();
    const told = await askSetup('try', credentials, { outlet });
    const text = told?.kind === 'told' ? readTexts(told.value['text']) : null;
    const said = text?.[this.options.language()] ?? text?.en ?? words.sessionFailed;
    this.tried.set(outlet, said);
    this.draw();
  }

  private drawToken(words: Words['setUp']): void {
    const now = JSON.stringify([words.lichessToken, this.hasToken]);
    if (now === this.drawnToken) return;
    this.drawnToken = now;
    const { label, input } = field(words.lichessToken);
    input.type = 'password';
    input.name = 'lichess-token';
    const keep = act(words.tokenKeep, () => void this.keepToken(input));
    this.token.replaceChildren(
      h('div', { class: 'setup-fields' }, label),
      h('p', {}, this.hasToken ? words.tokenThere : words.tokenNone),
      this.refused,
      this.said,
      h('p', { class: 'confirm' }, keep),
    );
  }

  private async keepToken(input: HTMLInputElement): Promise<void> {
    const credentials = this.options.credentials();
    if (credentials === null) return;
    const told = await askSetup('token', credentials, { token: input.value });
    const words = this.options.words();
    const done = told?.kind === 'told';
    const why = told?.kind === 'refused' ? told.why : null;
    const reason = why?.[this.options.language()] ?? why?.en ?? words.sessionFailed;
    setText(this.refused, done ? '' : reason);
    setText(this.said, done ? words.setUp.kept : '');
    if (done) input.value = '';
  }
}
