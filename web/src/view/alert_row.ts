/** One alert in the queue: where, what, since when, how much longer. A tap opens it. */

import type { Words } from '../i18n/words';
import { playersThen, type Alert } from '../pure/alerts';
import { formatClock } from '../pure/clock';
import { spanOf } from '../pure/format';
import type { Game, Players } from '../pure/payloads';
import { alertAddress } from '../pure/place';
import { toldTo, type Reader } from '../pure/san';
import { h, setAttribute, setText } from './dom';
import { kindIcon } from './kind_icon';
import { personOf } from './person';

export interface RowContext extends Reader {
  readonly words: Words;
  readonly game: Game | undefined;
}

export class AlertRow {
  readonly element: HTMLElement;
  /** Others play at its table than those it names. */
  isOld = false;
  private readonly age = h('span', { class: 'alert-age' });
  private readonly window = h('span', { class: 'alert-window', hidden: true });
  private readonly link: HTMLElement;

  constructor(
    readonly alert: Alert,
    private readonly context: RowContext,
  ) {
    const body = h('span', { class: 'alert-body' }, ...this.summary());
    const href = alertAddress(alert.id);
    this.link = h('a', { class: 'alert-link', href }, this.place(), body, this.window);
    const data = { 'data-gravity': alert.gravity, 'data-state': alert.state };
    this.element = h('li', { class: 'alert', 'data-id': alert.id, ...data }, this.link);
  }

  /** `now`: the daemon's ms since 1970, null when not known. */
  tick(now: number | null): void {
    const { openedAt } = this.alert;
    if (now === null || openedAt === null) return;
    setText(this.age, ageText(this.alert, now, this.context.words));
    const left = windowLeft(this.alert, now);
    this.window.hidden = left === null;
    if (left !== null) this.window.style.setProperty('--left', String(left));
  }

  /** Whether it names those who play in this game. */
  names(game: Game | undefined): boolean {
    const told = (it: Game | undefined) => namesOf(playersThen(this.alert, it));
    return told(this.context.game) === told(game);
  }

  markOpened(opened: boolean): void {
    setAttribute(this.link, 'aria-current', opened ? 'true' : null);
  }

  private place(): HTMLElement {
    const { table } = this.alert;
    const label = h('span', {}, this.context.words.tableWord);
    const number = h('b', {}, table === null ? '–' : table);
    return h('span', { class: 'alert-place' }, label, number);
  }

  private summary(): (HTMLElement | null)[] {
    const { alert, context } = this;
    const { words } = context;
    const sign = kindIcon(alert.kind);
    const badge = h('span', { class: 'badge' }, sign, words.gravity[alert.gravity]);
    const settled = stateText(alert, words);
    const top = h('span', { class: 'alert-top' }, badge, h('span', {}, settled), this.age);
    const told = h('span', { class: 'alert-text' }, sentence(alert, context));
    const foot = h('span', { class: 'alert-foot' }, ...this.foot());
    return [top, told, foot];
  }

  private foot(): (HTMLElement | null)[] {
    const { alert, context } = this;
    const { words, game } = context;
    const article = alert.article === null ? null : words.article(alert.article);
    const about = told(article, alert.earlierGame ? words.earlierGame : null);
    const names = this.players(playersThen(alert, game));
    return [about[0] ?? null, names, ...about.slice(1)];
  }

  /** The one whom it concerns is named so that he is found at the table. */
  private players(then: Partial<Players> | undefined): HTMLElement | null {
    if (namesOf(then) === null) return null;
    const { side } = this.alert;
    const [white, black] = (['white', 'black'] as const).map((colour) => {
      const name = then?.[colour]?.name.split(',')[0] ?? '?';
      if (colour !== side) return h('span', {}, name);
      return h('b', { class: 'concerned', 'data-side': colour }, name);
    });
    return h('span', {}, white ?? null, ' – ', black ?? null);
  }
}

/** "Doe – Roe"; null where nobody has told. */
export function namesOf(players: Partial<Players> | undefined): string | null {
  const both = [players?.white?.name, players?.black?.name].map((name) => name?.split(',')[0]);
  return both.some(Boolean) ? both.map((name) => name ?? '?').join(' – ') : null;
}

function told(...parts: (string | null)[]): (HTMLElement | null)[] {
  return parts.map((part) => (part === null ? null : h('span', {}, part)));
}

/** What happened, in one sentence. */
export function sentence({ text, kind }: Alert, reader: Reader): string {
  return text === null ? kind : toldTo(reader, text);
}

/** "Acknowledged by Claire", "Lapsed"; nothing while it is open. */
export function stateText({ state, by }: Alert, words: Words): string {
  if (state === 'open') return '';
  if (state === 'acknowledged' && by !== null) {
    return words.acknowledgedBy(personOf(by, words));
  }
  return words.alertState[state];
}

/** "2 min ago · lapses in 40 s" */
export function ageText(alert: Alert, now: number, words: Words): string {
  const { openedAt, lapsesAt, state } = alert;
  if (openedAt === null) return '';
  const { unit, count } = spanOf(now - openedAt);
  const lapse = state !== 'lapsed' && lapsesAt !== null ? lapsesAt - now : 0;
  const lapsing = lapse > 0 ? ` · ${words.lapsesIn(formatClock(lapse))}` : '';
  return `${words.ago[unit](count)}${lapsing}`;
}

/** How much of the time to act is left, 1 to 0; null where it does not close by the clock. */
function windowLeft({ openedAt, lapsesAt, state }: Alert, now: number): number | null {
  if (openedAt === null || lapsesAt === null || state === 'lapsed') return null;
  const left = (lapsesAt - now) / Math.max(1, lapsesAt - openedAt);
  return Math.min(1, Math.max(0, left));
}
