/** The queue: open alerts by gravity and age, part of the hall by part, and those already seen. */

import { isPast, openAlerts, settledAlerts, type Alert } from '../pure/alerts';
import { HeldOrder, type Lists } from '../pure/held_order';
import { alertAddress } from '../pure/place';
import { grouped } from '../pure/sections';
import type { TableId } from '../pure/table_id';
import { AlertRow } from '../view/alert_row';
import { h, place, setAttribute, setText } from '../view/dom';
import { quiet } from '../view/form';
import { movesRows, UnderFinger } from '../view/under_finger';
import type { Desk, View } from './desk';
import { EarlierGames } from './earlier_games';
import { WhichTable } from './which_table';

export class Queue implements View {
  readonly element = h('div', { class: 'queue' });
  private readonly which: WhichTable;
  private readonly title = h('h2', { tabindex: '-1' });
  private readonly groups = h('div', {});
  private readonly none = h('div', { class: 'none' });
  /** What is only noted is there to be looked up, and calls nobody. */
  private readonly noted = h('ul', { class: 'alerts is-settled' });
  private readonly notesTitle = h('summary', {});
  private readonly notes = h('details', { class: 'notes' }, this.notesTitle, this.noted);
  private readonly past: EarlierGames;
  /** Of tables that are other arbiters'. */
  private readonly others = h('ul', { class: 'alerts is-settled' });
  private readonly othersTitle = h('summary', {});
  private readonly elsewhere = h(
    'details',
    { class: 'notes is-elsewhere' },
    this.othersTitle,
    this.others,
  );
  private readonly settledTitle = h('h2', {});
  private readonly settled = h('ul', { class: 'alerts is-settled' });
  private readonly who = h('span', {});
  private readonly leave = quiet('', () => this.desk.signOut());
  private readonly signedIn = h('p', { class: 'signed-in' }, this.who, this.leave);
  private readonly rows = new Map<string, AlertRow>();
  private opened: string | null = null;
  private readonly order = new HeldOrder();
  private shown: Lists = { open: [], settled: [], elsewhere: [], earlier: [], notes: [] };
  /** What came while a hand was at the list. */
  private readonly news = h('button', { class: 'button', type: 'button', hidden: true });
  private readonly lists = h('div', { class: 'queue-lists' });
  private readonly hand = new UnderFinger(
    this.lists,
    () => this.draw(),
    (id) => (location.hash = alertAddress(id)),
  );

  constructor(private readonly desk: Desk) {
    const { title, none, groups, settledTitle, settled, notes, signedIn, lists, news } = this;
    this.which = new WhichTable(desk);
    this.past = new EarlierGames(desk, () => this.hand.release());
    news.addEventListener('click', () => this.showNews());
    lists.append(groups, settledTitle, settled, this.elsewhere, this.past.element, notes);
    this.element.append(this.which.element, title, desk.sector.element, none);
    this.element.append(h('div', { class: 'queue-news' }, news), lists, signedIn);
  }

  open(id: string | null): void {
    this.opened = id;
    this.rows.forEach((row) => row.markOpened(row.alert.id === id));
  }

  /** The language has changed: the rows are made anew. */
  forget(): void {
    this.rows.clear();
  }

  /** More is known of a game, with each move, too: its rows are made anew where others play. */
  forgetPlayers(table: TableId): void {
    const game = this.desk.app.halls.tables.get(table)?.game;
    for (const row of this.rows.values()) {
      if (row.alert.table === table && !row.names(game)) row.isOld = true;
    }
  }

  draw(): void {
    const { app } = this.desk;
    const { words } = app;
    this.which.draw();
    const waiting = this.arrange();
    const { open, settled, elsewhere, earlier, notes } = this.shown;
    this.desk.sector.draw();
    const held = this.lists.contains(document.activeElement) ? document.activeElement : null;
    this.drawGroups(open);
    this.fill(this.settled, settled);
    this.fill(this.others, elsewhere);
    this.elsewhere.hidden = elsewhere.length === 0;
    setText(this.othersTitle, words.elsewhere(elsewhere.length));
    this.fill(this.past.list, earlier);
    this.past.draw(earlier);
    this.fill(this.noted, notes);
    this.notes.hidden = notes.length === 0;
    setText(this.notesTitle, words.notes(notes.length));
    if (held !== null && document.activeElement !== held) this.holdFocus(held);
    const unsettled = earlier.filter(({ state }) => state === 'open');
    const count = open.length + unsettled.length + waiting.length;
    setText(this.title, count === 0 ? words.alerts : words.openAlerts(count));
    setText(this.settledTitle, settled.length === 0 ? '' : words.settled);
    const more = app.settled ? [words.noAlertsMore] : [];
    const none = count > 0 ? [] : [app.whereNothingIs(words.noAlerts), ...more];
    this.none.replaceChildren(...none.map((line) => h('p', {}, line)));
    this.drawNews(waiting);
    this.drawSignedIn();
    this.forgetClosed();
  }

  /** Nothing changes its place under a hand; what came meanwhile is given back. */
  private arrange(): readonly Alert[] {
    const { alerts } = this.desk.app.halls;
    const isNote = ({ gravity }: Alert) => gravity === 'note';
    const all = openAlerts(alerts.values());
    const seen = settledAlerts(alerts.values()).filter((alert) => !isNote(alert));
    const open = all.filter((it) => !isNote(it));
    const own = (it: Alert) => this.desk.sector.owns(it);
    const current = [open, seen].map((them) => them.filter((it) => !isPast(it)));
    const [called = [], answered = []] = current;
    const now = {
      open: called.filter(own),
      settled: answered.filter(own),
      elsewhere: [...called, ...answered].filter((it) => !own(it)),
      earlier: [...open, ...seen].filter(isPast),
      notes: all.filter(isNote),
    };
    const { lists, waiting } = this.order.arrange(now, this.hand.holds);
    const before = Object.values(this.shown).flat();
    if (movesRows(before, Object.values(lists).flat())) this.hand.aboutToMove();
    this.shown = lists;
    return waiting;
  }

  private fill(list: Element, alerts: readonly Alert[]): void {
    place(
      list,
      alerts.map((alert) => this.row(alert).element),
    );
  }

  /** "3 new ↑", over the list and not in it. */
  private drawNews(waiting: readonly Alert[]): void {
    const { words } = this.desk.app;
    this.news.hidden = waiting.length === 0;
    setAttribute(this.news, 'data-gravity', waiting[0]?.gravity ?? null);
    setText(this.news, waiting.length === 0 ? '' : words.newAlerts(waiting.length));
  }

  private showNews(): void {
    this.hand.release();
    this.groups.querySelector<HTMLElement>('.alert-link')?.focus({ preventScroll: true });
  }

  tick(): void {
    this.rows.forEach((row, id) => row.tick(this.desk.app.daemonNow(id)));
  }

  /** Under whose name everything here is done, and the way out before another one takes over. */
  private drawSignedIn(): void {
    const { desk } = this;
    const { words } = desk.app;
    this.signedIn.hidden = desk.signedIn === null;
    setText(this.who, desk.signedIn === null ? '' : words.signedInAs(desk.signedIn));
    setText(this.leave, words.signOut);
  }

  /** Whoever works with the keyboard stays at the alert he was at, though others came before it. */
  private holdFocus(held: Element): void {
    const id = held.closest<HTMLElement>('.alert')?.dataset['id'] ?? '';
    const link = this.lists.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`);
    (link ?? this.title).focus({ preventScroll: true });
  }

  private drawGroups(open: readonly Alert[]): void {
    const { words, sections } = this.desk.app;
    const groups = grouped(open, sections);
    const known = new Map([...this.groups.children].map((it) => [it.id, it as HTMLElement]));
    const wanted = groups.map(({ name, items }) => {
      const id = `group-${name ?? ''}`;
      const element = known.get(id) ?? section(id);
      const [heading, list] = [...element.children] as HTMLElement[];
      const nameless = sections.length === 0 ? '' : words.noSection;
      if (heading !== undefined) setText(heading, name ?? nameless);
      if (list !== undefined) this.fill(list, items);
      return element;
    });
    place(this.groups, wanted);
  }

  private row(alert: Alert): AlertRow {
    const known = this.rows.get(alert.id);
    const pressed = this.hand.isOn(alert.id);
    if (known !== undefined && (pressed || (known.alert === alert && !known.isOld))) return known;
    const { words, language, letters, halls } = this.desk.app;
    const game = alert.table === null ? undefined : halls.tables.get(alert.table)?.game;
    const row = new AlertRow(alert, { words, language, letters, game });
    row.markOpened(alert.id === this.opened);
    row.tick(this.desk.app.daemonNow(alert.id));
    this.rows.set(alert.id, row);
    return row;
  }

  private forgetClosed(): void {
    const { alerts } = this.desk.app.halls;
    const shown = new Set(
      Object.values(this.shown)
        .flat()
        .map(({ id }) => id),
    );
    for (const [id, { element }] of this.rows) {
      setAttribute(element, 'data-gone', alerts.has(id) ? null : '');
      if (!alerts.has(id) && !shown.has(id)) this.rows.delete(id);
    }
  }
}

function section(id: string): HTMLElement {
  return h('section', { id }, h('h3', {}), h('ul', { class: 'alerts' }));
}
