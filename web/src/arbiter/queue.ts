/** The queue: open alerts by gravity and age, part of the hall by part, and those already seen. */

import { openAlerts, settledAlerts, type Alert } from '../pure/alerts';
import { grouped } from '../pure/sections';
import { AlertRow } from '../view/alert_row';
import { h, place, setText } from '../view/dom';
import { quiet } from '../view/form';
import type { Desk, View } from './desk';
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
  private readonly settledTitle = h('h2', {});
  private readonly settled = h('ul', { class: 'alerts is-settled' });
  private readonly who = h('span', {});
  private readonly leave = quiet('', () => this.desk.signOut());
  private readonly signedIn = h('p', { class: 'signed-in' }, this.who, this.leave);
  private readonly rows = new Map<string, AlertRow>();
  private opened: string | null = null;

  constructor(private readonly desk: Desk) {
    const { title, none, groups, settledTitle, settled, notes, signedIn } = this;
    this.which = new WhichTable(desk);
    this.element.append(this.which.element);
    this.element.append(title, none, groups, settledTitle, settled, notes, signedIn);
  }

  open(id: string | null): void {
    this.opened = id;
    this.rows.forEach((row) => row.markOpened(row.alert.id === id));
  }

  /** Language or players have changed: the rows are made anew. */
  forget(table: number | null = null): void {
    for (const [id, { alert }] of this.rows) {
      if (table === null || alert.table === table) this.rows.delete(id);
    }
  }

  draw(): void {
    const { words, hall, settled: known } = this.desk.app;
    this.which.draw();
    const isNote = ({ gravity }: Alert) => gravity === 'note';
    const all = openAlerts(hall.alerts.values());
    const settled = settledAlerts(hall.alerts.values()).filter((alert) => !isNote(alert));
    const [open, notes] = [all.filter((alert) => !isNote(alert)), all.filter(isNote)];
    const held = this.groups.contains(document.activeElement) ? document.activeElement : null;
    this.drawGroups(open);
    place(
      this.settled,
      settled.map((alert) => this.row(alert).element),
    );
    place(
      this.noted,
      notes.map((alert) => this.row(alert).element),
    );
    this.notes.hidden = notes.length === 0;
    setText(this.notesTitle, words.notes(notes.length));
    if (held !== null && document.activeElement !== held) this.holdFocus(held);
    setText(this.title, open.length === 0 ? words.alerts : words.openAlerts(open.length));
    setText(this.settledTitle, settled.length === 0 ? '' : words.settled);
    const empty = open.length === 0 && known;
    const lines = [words.noAlerts, words.noAlertsMore].map((line) => h('p', {}, line));
    this.none.replaceChildren(...(empty ? lines : []));
    this.drawSignedIn();
    this.forgetClosed();
  }

  tick(now: number | null): void {
    this.rows.forEach((row) => row.tick(now));
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
    const link = this.groups.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`);
    (link ?? this.title).focus({ preventScroll: true });
  }

  private drawGroups(open: readonly Alert[]): void {
    const { words, config } = this.desk.app;
    const groups = grouped(open, config.sections);
    const known = new Map([...this.groups.children].map((it) => [it.id, it as HTMLElement]));
    const wanted = groups.map(({ name, items }) => {
      const id = `group-${name ?? ''}`;
      const element = known.get(id) ?? section(id);
      const [heading, list] = [...element.children] as HTMLElement[];
      const nameless = config.sections.length === 0 ? '' : words.noSection;
      if (heading !== undefined) setText(heading, name ?? nameless);
      if (list !== undefined)
        place(
          list,
          items.map((alert) => this.row(alert).element),
        );
      return element;
    });
    place(this.groups, wanted);
  }

  private row(alert: Alert): AlertRow {
    const known = this.rows.get(alert.id);
    if (known?.alert === alert) return known;
    const { words, language, letters, hall } = this.desk.app;
    const game = alert.table === null ? undefined : hall.tables.get(alert.table)?.game;
    const row = new AlertRow(alert, { words, language, letters, game });
    row.markOpened(alert.id === this.opened);
    row.tick(this.desk.app.daemonNow());
    this.rows.set(alert.id, row);
    return row;
  }

  private forgetClosed(): void {
    const { alerts } = this.desk.app.hall;
    for (const id of this.rows.keys()) if (!alerts.has(id)) this.rows.delete(id);
  }
}

function section(id: string): HTMLElement {
  return h('section', { id }, h('h3', {}), h('ul', { class: 'alerts' }));
}
