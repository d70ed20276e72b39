/** An alert opened: what happened, what the Laws provide, and what the arbiter says to it. */

import type { Words } from '../i18n/words';
import { playersThen, type Alert, type Times } from '../pure/alerts';
import { rulesOf } from '../pure/articles';
import { clockSetting } from '../pure/format';
import type { Fields } from '../pure/json';
import type { Given } from '../pure/ledger';
import type { Game, Player, Side } from '../pure/payloads';
import { localText, toldTo, type Reader } from '../pure/san';
import { ageText, sentence, stateText } from './alert_row';
import { articleText } from './article_text';
import { h, icon, setAttribute, setText } from './dom';
import { act, choiceGroup, confirmation, leavesOnEscape, quiet } from './form';
import { ICONS } from './icons';
import { Replay } from './replay';
import { DoNowCard } from './do_now';
import { Setting, type Due } from './setting';

export type Ruling = 'upheld' | 'dismissed' | 'noted';

const RULINGS: readonly Ruling[] = ['upheld', 'dismissed', 'noted'];

/** What is half decided: it waits while something else is looked at. */
export interface Draft {
  ruling: Ruling | null;
  note: string;
}

export interface SheetContext extends Reader {
  readonly words: Words;
  readonly game: Game | undefined;
  /** The requests the daemon answers. */
  readonly requests: readonly string[];
  /** Where all of it can be read; null: nowhere that is known. */
  readonly dossier: string | null;
  /** What puts it right with one tap. */
  readonly mends: HTMLElement;
  readonly draft: Draft;
  /** What stands in the ledger for this alert. */
  given(): Given | null;
  /** What was given for it and counts no more, for it was dismissed. */
  dismissed(): Given | null;
  /** Whether the times of its clock can be written down now. */
  takesTimes(): boolean;
  /** Both times while they stand, and whose runs when they go on. */
  standing(): { readonly times: Times; readonly running: Side | null } | null;
  /** The clock was set again after a dismissal. */
  onSet(asked: Fields): void;
  onAcknowledge(): void;
  onRule(ruling: Ruling, note: string): void;
  /** The time was added on the clock: all that is written down of it. */
  onGive(due: Due): void;
  /** The same, and the alert is upheld by it. */
  onSettle(due: Due): void;
}

/** What is being confirmed: a ruling, or that time was given, with or without one. */
type Choosing = Ruling | 'given';

export class AlertSheet {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  private readonly state = h('p', { class: 'sheet-state', role: 'status' });
  private readonly age = h('span', { class: 'alert-age' });
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly acknowledge: HTMLButtonElement;
  private readonly decision: HTMLElement;
  private readonly note: HTMLTextAreaElement;
  private readonly move = h('span', {});
  private readonly toSet: Setting | null;
  private readonly now: DoNowCard | null;
  private readonly players = h('ul', { class: 'sheet-players' });
  private readonly acts = h('div', { class: 'sheet-acts' });
  private waiting = false;
  private chosen: Choosing | null;
  private decisionDrawn = '';
  private closed = false;

  constructor(
    private alert: Alert,
    private readonly context: SheetContext,
  ) {
    const { words } = context;
    this.heading = h('h2', { tabindex: '-1' }, sentence(alert, context));
    this.acknowledge = act(words.acknowledge, () => this.waiting || context.onAcknowledge());
    this.note = h('textarea', { rows: '2', maxlength: '500', 'aria-label': words.note });
    this.note.placeholder = words.note;
    this.note.value = context.draft.note;
    this.note.addEventListener('input', () => (context.draft.note = this.note.value));
    this.chosen = context.draft.ruling;
    this.decision = h('div', { class: 'decision' });
    leavesOnEscape(this.decision, () => this.choose(null));
    this.element = h('article', { class: 'alert-sheet', 'data-gravity': alert.gravity });
    const { requests } = context;
    const offered = requests.includes('penalty_given');
    this.toSet = Setting.of(alert, { ...context, offered, onGive: () => this.giving() });
    this.now = DoNowCard.of(alert, this.toSet, context);
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
    const earlier = alert.earlierGame;
    const seated = playersThen(alert, game);
    const rows = (['white', 'black'] as const).map((side) => this.player(side, seated?.[side]));
    this.players.replaceChildren(...rows);
    const move = alert.moveNumber === null ? null : words.moveNumber(alert.moveNumber);
    setText(this.move, [move, earlier ? words.earlierGame : null].filter(Boolean).join(' · '));
    // Clock and board belong to other players by now.
    if (this.now !== null) this.now.element.hidden = earlier;
    this.now?.update();
    setAttribute(this.element, 'data-state', alert.state);
    setText(this.state, stateText(alert, words));
    this.drawDecision();
    const held = document.activeElement === this.acknowledge;
    this.acknowledge.hidden = alert.state !== 'open' || !this.offers('acknowledge');
    if (!held || !this.acknowledge.hidden) return;
    (this.decision.querySelector<HTMLElement>('.choice') ?? this.heading).focus();
  }

  /** Ruled on, here or elsewhere, or no longer so: nothing can be done to it any more. */
  close(text: string): void {
    if (this.closed) return;
    this.closed = true;
    setAttribute(this.element, 'data-state', 'closed');
    setText(this.state, text);
    const held = this.acts.contains(document.activeElement);
    this.acknowledge.hidden = true;
    this.decision.replaceChildren();
    this.now?.close(this.context.given() !== null);
    this.fail(null);
    if (held) this.heading.focus({ preventScroll: true });
  }

  /** More is known of how it was closed. */
  retell(text: string): void {
    if (this.closed) setText(this.state, text);
  }

  fail(text: string | null): void {
    this.error.hidden = text === null;
    setText(this.error, text ?? '');
    this.busy(false);
    // What was given is written down: the alert waits for a ruling as before.
    if (text === null && this.chosen === 'given') this.choose(null);
  }

  /** An answer that came late stands in the place of that there was none. */
  answered(text: string | null): void {
    if (this.error.hidden || this.waiting) return;
    this.error.hidden = text === null;
    setText(this.error, text ?? '');
  }

  /** Until there is an answer nothing more is sent. */
  busy(busy: boolean): void {
    this.waiting = busy;
    this.acts.querySelectorAll('button').forEach((button) => {
      setAttribute(button, 'aria-disabled', busy ? 'true' : null);
    });
    this.toSet?.wait(busy);
  }

  tick(now: number | null): void {
    this.now?.update();
    if (now === null || this.closed) return;
    setText(this.age, ageText(this.alert, now, this.context.words));
  }

  private content(): HTMLElement[] {
    const { alert, context } = this;
    const replay = new Replay(alert, context.words, context);
    this.acts.append(this.error, context.mends, this.acknowledge, this.decision);
    const now = this.now?.element ?? null;
    const seen = h('div', { class: 'sheet-seen' }, replay.element, this.provided());
    const what = [this.head(), this.heading, now, this.article(), this.state, this.players];
    return [...what, seen, this.acts].filter((part) => part !== null);
  }

  private head(): HTMLElement {
    const { alert, context } = this;
    const { words } = context;
    const back = h('a', { class: 'tool sheet-back', href: '#/', title: words.openQueue });
    back.setAttribute('aria-label', words.openQueue);
    back.append(icon(ICONS.back));
    const badge = h('span', { class: 'badge' }, words.gravity[alert.gravity]);
    const { dossier: href } = context;
    const about = { class: 'tool', href, title: words.dossier, 'aria-label': words.dossier };
    const paper = href === null ? null : h('a', { ...about, href }, icon(ICONS.print));
    return h('p', { class: 'sheet-head' }, back, this.place(), badge, this.age, paper);
  }

  /** One tap from here to the board, the score and the tools of the table. */
  private place(): HTMLElement {
    const { table } = this.alert;
    if (table === null) return h('b', {}, '–');
    const { words } = this.context;
    const href = `#/table/${table}`;
    const about = { class: 'to-table', href, title: words.openTable };
    return h('a', about, h('b', {}, words.table(table)), icon(ICONS.forward));
  }

  private article(): HTMLElement {
    const { article, edition } = this.alert;
    const { words } = this.context;
    const parts = [article && words.article(article), edition && words.edition(edition)];
    const told = parts.filter(Boolean).join(' · ');
    const rules = article === null || edition === null ? [] : rulesOf(article, edition);
    if (rules.length === 0) return h('p', { class: 'alert-article' }, told, this.move);
    return articleText({ told, rules, aside: this.move }, this.context);
  }

  private player(side: Side, player: Player | null = null): HTMLElement {
    const { alert, context } = this;
    const { words } = context;
    const colour = side === 'white' ? words.white : words.black;
    const name = [player?.title, player?.name ?? colour].filter(Boolean).join(' ');
    const time = alert.facts.clocks?.[side];
    return h(
      'li',
      { class: 'alert-player', 'data-side': side, 'data-concerned': alert.side === side },
      h('span', {}, name, player === null ? null : h('small', {}, ` ${colour}`)),
      time === undefined ? null : h('time', { title: words.clocksThen }, clockSetting(time)),
    );
  }

  private provided(): HTMLElement | null {
    const { alert, context } = this;
    const { words, letters } = context;
    const items = alert.advice.map((item) => h('li', {}, toldTo(context, item)));
    const { obliged, candidates } = alert.facts;
    const told = (sans: readonly string[]) => sans.map((san) => localText(san, 'en', letters));
    if (obliged.length > 0 && this.now?.saysMoves !== true)
      items.push(h('li', {}, words.obliged(told(obliged).join(words.or))));
    if (candidates.length > 0) {
      items.push(h('li', {}, words.candidates(told(candidates).join(', '))));
    }
    if (items.length === 0) return null;
    return h('section', {}, h('h3', {}, words.advice), h('ul', { class: 'advice' }, ...items));
  }

  private offers(verb: string): boolean {
    return !this.closed && this.context.requests.includes(verb);
  }

  /** First what is decided, then a word on it, then the tap that cannot be taken back. */
  private drawDecision(): void {
    if (this.closed || !this.offers('rule')) return this.decision.replaceChildren();
    // What is being written there stays under the hand while games go on.
    const key = String(this.chosen);
    if (key === this.decisionDrawn) return;
    this.decisionDrawn = key;
    const { words } = this.context;
    const choices = RULINGS.map((value) => ({ value, name: words.ruling[value] }));
    const onChoose = (ruling: Ruling) => this.choose(ruling);
    if (this.chosen === 'given') return this.decision.replaceChildren(this.settling());
    const group = choiceGroup(choices, { label: words.decision, chosen: this.chosen, onChoose });
    this.decision.replaceChildren(group, ...this.confirmation(this.chosen));
  }

  /** Time was given: nearly always that settles the alert, and sometimes it is only given. */
  private giving(): void {
    if (this.offers('rule')) return this.choose('given');
    this.written((due) => this.context.onGive(due));
  }

  private settling(): HTMLElement {
    const { words, onSettle, onGive } = this.context;
    const settle = act(words.settle, () => this.written((due) => onSettle(due)));
    const only = quiet(words.givenOnly, () => this.written((due) => onGive(due)));
    const leave = quiet(words.cancel, () => this.choose(null));
    const buttons = confirmation(settle, only, leave);
    buttons.classList.add('is-settling');
    return buttons;
  }

  /** As it stands there at this moment: the clock may have been stopped since the first tap. */
  private written(then: (due: Due) => void): void {
    const due = this.toSet?.due() ?? null;
    if (due === null || this.waiting) return;
    then(due);
  }

  private confirmation(chosen: Ruling | null): HTMLElement[] {
    if (chosen === null) return [];
    const { words, onRule } = this.context;
    const doing = act(words.confirm(words.ruling[chosen]), () => {
      if (!this.waiting) onRule(chosen, this.note.value.trim());
    });
    return [
      this.note,
      confirmation(
        doing,
        quiet(words.cancel, () => this.choose(null)),
      ),
    ];
  }

  /** The focus goes to the button: in the note it would call up the keyboard of a tablet. */
  private choose(choosing: Choosing | null): void {
    const before = this.chosen;
    this.chosen = choosing;
    this.context.draft.ruling = choosing === 'given' ? null : choosing;
    this.drawDecision();
    const at = before === null || before === 'given' ? 0 : RULINGS.indexOf(before);
    const choice = this.decision.querySelectorAll<HTMLElement>('.choice')[at];
    (this.decision.querySelector<HTMLElement>('.confirm .button') ?? choice)?.focus();
  }
}

/** Everything but who looks after it. */
function substance(alert: Alert): string {
  const { state: _, by: __, lapsesAt: ___, players: ____, earlierGame: _____, ...rest } = alert;
  return JSON.stringify(rest);
}
