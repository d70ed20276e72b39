/** One alert as the arbiter reads it: sentence, Article, who and where, evidence, advice. */

import type { Alert, Evidence } from '../pure/alerts';
import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import { signedSeconds, spanOf } from '../pure/format';
import type { Game } from '../pure/payloads';
import { differingSquares } from '../pure/placement';
import { Board } from './board';
import { h, icon, setText } from './dom';
import { ICONS } from './icons';

export interface CardContext {
  readonly words: Words;
  readonly language: Language;
  readonly game: Game | undefined;
  readonly open: boolean;
  readonly sending: boolean;
  readonly error: string | null;
  onToggle(open: boolean): void;
  onAcknowledge(): void;
}

export class AlertCard {
  readonly element: HTMLElement;
  private readonly age = h('span', { class: 'alert-age' });

  constructor(
    readonly alert: Alert,
    private readonly context: CardContext,
  ) {
    const body = h('div', { class: 'alert-body' }, ...this.summary(), this.details());
    this.element = h(
      'li',
      { class: 'alert', 'data-gravity': alert.gravity, 'data-state': alert.state },
      this.place(),
      body,
    );
  }

  /** `now`: the daemon's ms since 1970, null when not known. */
  tick(now: number | null): void {
    const { openedAt, lapsesAt, state } = this.alert;
    const { words } = this.context;
    if (now === null || openedAt === null) return;
    const { unit, count } = spanOf(now - openedAt);
    const lapse = state === 'open' && lapsesAt !== null ? Math.ceil((lapsesAt - now) / 1000) : 0;
    const lapsing = lapse > 0 ? ` · ${words.lapsesIn(lapse)}` : '';
    setText(this.age, `${words.ago[unit](count)}${lapsing}`);
  }

  private place(): HTMLElement {
    const { table } = this.alert;
    const label = h('span', {}, this.context.words.tableWord);
    const number = h('b', {}, table === null ? '–' : String(table));
    return h('div', { class: 'alert-place' }, h('p', {}, label, number));
  }

  private summary(): (HTMLElement | null)[] {
    const { alert, context } = this;
    const { words, language } = context;
    const badge = h('span', { class: 'badge' }, words.gravity[alert.gravity]);
    const settled = alert.state === 'open' ? null : ` · ${words.alertState[alert.state]}`;
    return [
      h('p', { class: 'alert-top' }, badge, h('span', {}, this.occasion(), settled), this.age),
      h('h3', {}, alert.text?.[language] ?? alert.kind),
      this.players(),
      h('div', { class: 'alert-act' }, this.article(), this.button()),
      context.error === null ? null : h('p', { class: 'error', role: 'alert' }, context.error),
    ];
  }

  /** "White · move 12" */
  private occasion(): string {
    const { side, moveNumber } = this.alert;
    const { words } = this.context;
    const sideName = side === null ? null : side === 'white' ? words.white : words.black;
    const move = moveNumber === null ? null : words.moveNumber(moveNumber);
    return [sideName, move].filter(Boolean).join(' · ');
  }

  private players(): HTMLElement | null {
    const { game } = this.context;
    if (!game?.white && !game?.black) return null;
    const person = (side: 'white' | 'black') =>
      h(
        'span',
        { class: 'alert-player', 'data-side': side, 'data-concerned': this.alert.side === side },
        game[side]?.name ?? '?',
      );
    return h('p', { class: 'alert-players' }, person('white'), person('black'));
  }

  private article(): HTMLElement {
    const { article, edition } = this.alert;
    const { words } = this.context;
    const parts = [article && words.article(article), edition && words.edition(edition)];
    return h('p', { class: 'alert-article' }, parts.filter(Boolean).join(' · '));
  }

  private button(): HTMLElement | null {
    if (this.alert.state !== 'open') return null;
    const { sending, words, onAcknowledge } = this.context;
    return h(
      'button',
      { class: 'button', type: 'button', disabled: sending, onclick: () => onAcknowledge() },
      sending ? words.acknowledging : words.acknowledge,
    );
  }

  private details(): HTMLElement | null {
    const { evidence, advice, fen, surface } = this.alert;
    if (evidence.length === 0 && advice.length === 0 && !fen && !surface) return null;
    const { words, open, onToggle } = this.context;
    const details = h(
      'details',
      { open },
      h('summary', {}, words.details),
      h('div', { class: 'alert-details' }, this.boards(), this.evidence(), this.advice()),
    );
    details.addEventListener('toggle', () => onToggle(details.open));
    return details;
  }

  private boards(): HTMLElement | null {
    const { fen, surface } = this.alert;
    const { words } = this.context;
    if (fen === null && surface === null) return null;
    const marked = fen !== null && surface !== null ? differingSquares(fen, surface) : [];
    return h(
      'div',
      { class: 'alert-boards' },
      fen === null ? null : figure(words.before, fen, []),
      surface === null ? null : figure(words.onBoard, surface, marked),
    );
  }

  private evidence(): HTMLElement | null {
    const { evidence } = this.alert;
    if (evidence.length === 0) return null;
    const { words, language } = this.context;
    const items = evidence.map((item) => evidenceLine(item, words, language));
    return h('section', {}, h('h4', {}, words.evidence), h('ol', { class: 'evidence' }, ...items));
  }

  private advice(): HTMLElement | null {
    const { advice } = this.alert;
    if (advice.length === 0) return null;
    const { words, language } = this.context;
    const items = advice.map((item) => h('li', {}, item[language]));
    return h('section', {}, h('h4', {}, words.advice), h('ul', { class: 'advice' }, ...items));
  }
}

function evidenceLine(item: Evidence, words: Words, language: Language): HTMLElement {
  const drawing = { lift: ICONS.lift, put: ICONS.put, press: ICONS.press }[item.what] ?? ICONS.dot;
  const time = item.offsetMs === null ? '' : signedSeconds(item.offsetMs, words.decimalMark);
  const told = item.text?.[language] ?? plainly(item, words);
  return h(
    'li',
    { 'data-what': item.what },
    h('time', {}, time),
    icon(drawing),
    h('span', {}, told),
  );
}

/** For evidence that brings no text of its own. */
function plainly({ what, piece, square }: Evidence, words: Words): string {
  return [words.what[what] ?? what, piece, square].filter(Boolean).join(' ');
}

function figure(caption: string, fen: string, marked: readonly string[]): HTMLElement {
  const element = h('div', { class: 'board' });
  const board = new Board(element, true);
  const picture = { fen, lastUci: null, check: null, orientation: 'white', marked } as const;
  /** A board measures itself, so it is drawn once it has a place on the page. */
  new ResizeObserver((_, observer) => {
    if (element.clientWidth === 0) return;
    observer.disconnect();
    board.draw(picture);
  }).observe(element);
  return h('figure', {}, element, h('figcaption', {}, caption));
}
