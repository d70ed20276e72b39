/** An alert opened: what happened, what the Laws provide, and what the arbiter says to it. */

import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import type { Alert } from '../pure/alerts';
import { clockChange } from '../pure/consequences';
import { clockSetting } from '../pure/format';
import type { Game, Side } from '../pure/payloads';
import { localText } from '../pure/san';
import { ageText, stateText } from './alert_row';
import { h, icon, setAttribute, setText } from './dom';
import { ICONS } from './icons';
import { Replay } from './replay';

export type Ruling = 'upheld' | 'dismissed' | 'noted';

const RULINGS: readonly Ruling[] = ['upheld', 'dismissed', 'noted'];

export interface SheetContext {
  readonly words: Words;
  readonly language: Language;
  readonly game: Game | undefined;
  /** The requests the daemon answers. */
  readonly requests: readonly string[];
  onAcknowledge(): void;
  onRule(ruling: Ruling, note: string): void;
  /** The time was added on the clock, for a fault of this side. */
  onPenalty(side: Side, seconds: number): void;
}

export class AlertSheet {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  private readonly state = h('p', { class: 'sheet-state', role: 'status' });
  private readonly age = h('span', { class: 'alert-age' });
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly acknowledge: HTMLButtonElement;
  private readonly decision: HTMLElement;
  private readonly note: HTMLTextAreaElement;
  private readonly players = h('ul', { class: 'sheet-players' });
  private chosen: Ruling | null = null;
  private closed = false;

  constructor(
    private alert: Alert,
    private readonly context: SheetContext,
  ) {
    const { words, language } = context;
    this.heading = h('h2', { tabindex: '-1' }, alert.text?.[language] ?? alert.kind);
    this.acknowledge = h(
      'button',
      { class: 'button', type: 'button', onclick: () => context.onAcknowledge() },
      words.acknowledge,
    );
    this.note = h('textarea', { rows: '2', maxlength: '500', 'aria-label': words.note });
    this.note.placeholder = words.note;
    this.decision = h('div', { class: 'decision' });
    this.element = h('article', { class: 'alert-sheet', 'data-gravity': alert.gravity });
    this.element.append(...this.content());
    this.update(alert, context.game);
  }

  /** Whether this sheet can go on showing `alert`: only who looks after it has changed. */
  shows(alert: Alert): boolean {
    return substance(alert) === substance(this.alert);
  }

  update(alert: Alert, game: Game | undefined): void {
    this.alert = alert;
    const { words } = this.context;
    setAttribute(this.players, 'aria-label', words.clocksThen);
    const rows = (['white', 'black'] as const).map((side) => this.player(side, game));
    this.players.replaceChildren(...rows);
    setAttribute(this.element, 'data-state', alert.state);
    setText(this.state, stateText(alert, words));
    this.acknowledge.hidden = alert.state !== 'open' || !this.offers('acknowledge');
    this.drawDecision();
  }

  /** Ruled on, here or elsewhere, or no longer so: nothing can be done to it any more. */
  close(text: string): void {
    if (this.closed) return;
    this.closed = true;
    setAttribute(this.element, 'data-state', 'closed');
    setText(this.state, text);
    this.acknowledge.hidden = true;
    this.decision.replaceChildren();
    this.fail(null);
  }

  fail(text: string | null): void {
    this.error.hidden = text === null;
    setText(this.error, text ?? '');
    this.busy(false);
  }

  busy(busy: boolean): void {
    this.element.querySelectorAll<HTMLButtonElement>('.sheet-acts button').forEach((button) => {
      button.disabled = busy;
    });
  }

  tick(now: number | null): void {
    if (now === null || this.closed) return;
    setText(this.age, ageText(this.alert, now, this.context.words));
  }

  private content(): HTMLElement[] {
    const { alert, context } = this;
    const replay = new Replay(alert, context.words, context.language);
    const told = h('div', { class: 'sheet-told' }, ...this.consequences(), replay.list);
    const acts = h('div', { class: 'sheet-acts' }, this.error, this.acknowledge, this.decision);
    const parts = [
      this.head(), this.heading, this.article(), this.state, this.players, replay.stage, told, acts,
    ];
    return parts.filter((part) => part !== null);
  }

  private head(): HTMLElement {
    const { alert, context } = this;
    const { words } = context;
    const back = h('a', { class: 'tool sheet-back', href: '#/', title: words.openQueue });
    back.setAttribute('aria-label', words.openQueue);
    back.append(icon(ICONS.back));
    const place = alert.table === null ? '–' : words.table(alert.table);
    const badge = h('span', { class: 'badge' }, words.gravity[alert.gravity]);
    const { moveNumber } = alert;
    const move = h('span', {}, moveNumber === null ? '' : words.moveNumber(moveNumber));
    return h('p', { class: 'sheet-head' }, back, h('b', {}, place), badge, move, this.age);
  }

  private article(): HTMLElement {
    const { article, edition } = this.alert;
    const { words } = this.context;
    const parts = [article && words.article(article), edition && words.edition(edition)];
    return h('p', { class: 'alert-article' }, parts.filter(Boolean).join(' · '));
  }

  private player(side: Side, game: Game | undefined): HTMLElement {
    const { alert, context } = this;
    const { words } = context;
    const colour = side === 'white' ? words.white : words.black;
    const player = game?.[side] ?? null;
    const name = [player?.title, player?.name ?? colour].filter(Boolean).join(' ');
    const time = alert.facts.clocks?.[side];
    return h(
      'li',
      { class: 'alert-player', 'data-side': side, 'data-concerned': alert.side === side },
      h('span', {}, name, player === null ? null : h('small', {}, ` ${colour}`)),
      time === undefined ? null : h('time', { title: words.clocksThen }, clockSetting(time)),
    );
  }

  private consequences(): HTMLElement[] {
    const { alert, context } = this;
    const { words, language } = context;
    const change = clockChange(alert);
    const items = alert.advice.map((item) => h('li', {}, item[language]));
    const { obliged, candidates } = alert.facts;
    const told = (sans: readonly string[]) => sans.map((san) => localText(san, language));
    const moves = (sans: readonly string[]) => told(sans).join(', ');
    if (obliged.length > 0) items.push(h('li', {}, words.obliged(moves(obliged))));
    if (candidates.length > 0) items.push(h('li', {}, words.candidates(moves(candidates))));
    const title = h('h3', {}, words.advice);
    const list = h('section', {}, title, h('ul', { class: 'advice' }, ...items));
    return [change === null ? null : this.setting(change), items.length === 0 ? null : list].filter(
      (part) => part !== null,
    );
  }

  /** "Black 0:14:37 → 0:16:37" */
  private setting(change: NonNullable<ReturnType<typeof clockChange>>): HTMLElement {
    const { words } = this.context;
    const colour = change.side === 'white' ? words.white : words.black;
    const [before, after] = [clockSetting(change.beforeMs), clockSetting(change.afterMs)];
    const side = change.side === 'white' ? 'black' : 'white';
    const give = () => this.context.onPenalty(side, (change.afterMs - change.beforeMs) / 1000);
    const button = { class: 'button is-quiet', type: 'button', onclick: give } as const;
    const given = this.context.requests.includes('penalty_given')
      ? h('button', button, words.penaltyGiven(colour))
      : null;
    return h(
      'section',
      { class: 'setting' },
      h('h3', {}, words.clockToSet),
      h('p', {}, `${colour} `, h('span', {}, before), ' → ', h('b', {}, after)),
      given,
    );
  }

  private offers(verb: string): boolean {
    return !this.closed && this.context.requests.includes(verb);
  }

  /** First what is decided, then a word on it, then the tap that cannot be taken back. */
  private drawDecision(): void {
    if (this.closed || !this.offers('rule')) return this.decision.replaceChildren();
    const { words } = this.context;
    const choices = RULINGS.map((ruling) => {
      const choose = () => this.choose(ruling);
      const pressed = { 'aria-pressed': String(this.chosen === ruling) };
      const button = { class: 'choice', type: 'button', onclick: choose, ...pressed };
      return h('button', button, words.ruling[ruling]);
    });
    const about = { class: 'choices', role: 'group', 'aria-label': words.decision };
    const group = h('div', about, ...choices);
    this.decision.replaceChildren(group, ...this.confirmation());
  }

  private confirmation(): HTMLElement[] {
    const { chosen } = this;
    if (chosen === null) return [];
    const { words, onRule } = this.context;
    const confirm = () => onRule(chosen, this.note.value.trim());
    const button = { class: 'button', type: 'button', onclick: confirm } as const;
    const act = h('button', button, words.confirm(words.ruling[chosen]));
    const cancel = h(
      'button',
      { class: 'button is-quiet', type: 'button', onclick: () => this.choose(null) },
      words.cancel,
    );
    return [this.note, h('p', { class: 'confirm' }, act, cancel)];
  }

  private choose(ruling: Ruling | null): void {
    this.chosen = ruling;
    this.drawDecision();
    const focus = ruling === null ? '.choice' : 'textarea';
    this.decision.querySelector<HTMLElement>(focus)?.focus();
  }
}

/** Everything but who looks after it. */
function substance({ state: _, by: __, lapsesAt: ___, ...rest }: Alert): string {
  return JSON.stringify(rest);
}
