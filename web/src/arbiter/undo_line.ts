/** *Undo*, for as long as it is offered: at the foot, on every place of the page. */

import type { TableId } from '../pure/table_id';
import { lastTap, type Decided } from '../pure/undo';
import { decidedText } from '../view/decided_text';
import { h, setAttribute, setText } from '../view/dom';
import { quiet } from '../view/form';
import { UNNAMED } from '../view/person';
import { SeenFirst } from '../view/reaction';
import { complaint, offers, type Desk } from './desk';

/** What it offers is drawn anew so often, in ms. */
const TICK_MS = 200;
/** How much of the foot (px) it takes, with what is round it. */
const ROOM = 76;

export class UndoLine {
  readonly element: HTMLElement;
  private readonly what = h('span', { role: 'status' });
  private readonly left = h('small', { 'aria-hidden': 'true' });
  private readonly bar = h('i', { 'aria-hidden': 'true' });
  private readonly undo: HTMLButtonElement;
  private shown: readonly Decided[] = [];
  private asking = false;
  private readonly seen: SeenFirst;
  /** Which decisions it offers, and how far (px) over the foot it stands; null: nowhere. */
  private drawn = '[]';
  private from: number | null = null;

  constructor(
    private readonly desk: Desk,
    private readonly onOffered: () => void,
  ) {
    this.undo = quiet('', () => void this.takeBack());
    const { what, left, bar, undo } = this;
    this.element = h('div', { class: 'undo', hidden: true }, what, left, undo, bar);
    this.seen = new SeenFirst(this.element);
    setInterval(() => this.draw(), TICK_MS);
    // A tap may open an alert, or more buttons at the foot of one.
    document.addEventListener('click', () => requestAnimationFrame(() => this.stand()));
  }

  /** Whether a decision at this table stands on it. */
  tells(table: TableId | null): boolean {
    return this.shown.some((it) => it.table === table);
  }

  draw(): void {
    const { app, signedIn, requests } = this.desk;
    const ledgers = app.halls.ledgers.entries();
    const nowAt = (table: TableId) => app.daemonNow(table);
    const known = offers(this.desk, 'undo');
    const decided = known ? lastTap(ledgers, signedIn ?? UNNAMED, nowAt) : [];
    // One part of it taken back while the next is on its way would leave half a decision.
    const whole = decided.every(({ group }) => group === null || !requests.sends(group));
    this.shown = whole ? decided : [];
    const [last] = this.shown;
    const now = last === undefined ? null : nowAt(last.table);
    const key = JSON.stringify(this.shown.map(({ table, act }) => [table, act]));
    const other = key !== this.drawn;
    this.drawn = key;
    this.element.hidden = last === undefined;
    this.stand();
    if (last === undefined || now === null) return setText(this.what, '');
    if (other) this.seen.appears();
    if (other) this.onOffered();
    const { words } = app;
    setText(this.what, this.told());
    setText(this.undo, words.undo);
    const ends = Math.min(...this.shown.map(({ until }) => until));
    setText(this.left, `${Math.max(0, Math.ceil((ends - now) / 1000))} s`);
    const part = Math.max(0, Math.min(1, (ends - now) / (last.until - last.at)));
    setAttribute(this.bar, 'style', `transform: scaleX(${part.toFixed(3)})`);
  }

  /**
   * Over the buttons at the foot of what is opened, never on them: there a tap means a ruling on
   * another alert. Where there are none the page keeps as much room at its end.
   */
  private stand(): void {
    const from = this.element.hidden ? null : this.foot();
    document.documentElement.toggleAttribute('data-undo', from === 0);
    if (from === this.from) return;
    this.from = from;
    this.element.style.setProperty('--from', `${from ?? 0}px`);
    // It has moved: whoever taps there has not seen it.
    if (from !== null) this.seen.appears();
  }

  /** How high (px) the buttons stand that it would cover at the foot of the screen. */
  private foot(): number {
    const acts = document.querySelector('.sheet-acts')?.getBoundingClientRect();
    const { innerHeight } = window;
    if (acts === undefined || acts.height === 0 || acts.top > innerHeight) return 0;
    return acts.bottom < innerHeight - ROOM ? 0 : Math.round(innerHeight - acts.top);
  }

  /** "Table 7: dismissed", or how many it were where one tap has decided many. */
  private told(): string {
    const { words } = this.desk.app;
    const tables = new Set(this.shown.map(({ table }) => table));
    const [first] = this.shown;
    if (first === undefined) return '';
    if (tables.size > 1 || this.shown.length > 2) return words.decided(this.shown.length);
    const acts = [...this.shown].reverse().map(({ verb, body }) => decidedText(verb, body, words));
    return words.about(words.table(first.table), [...new Set(acts)].join(', '));
  }

  /** The last first: what was decided later may rest on what was decided before. */
  private async takeBack(): Promise<void> {
    if (this.asking) return;
    this.wait(true);
    const { shown } = this;
    const { words } = this.desk.app;
    let told = words.undone;
    for (const { table, act } of shown) {
      const outcome = await this.desk.requests.ask('undo', { table, act });
      const failed = complaint(outcome, this.desk);
      if (failed === null) continue;
      told = words.about(words.table(table), failed);
      break;
    }
    this.wait(false);
    this.draw();
    this.desk.say(told);
  }

  private wait(asking: boolean): void {
    this.asking = asking;
    setAttribute(this.undo, 'aria-disabled', asking ? 'true' : null);
  }
}
