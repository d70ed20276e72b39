/** The time sheet of the hall: what was written down each half hour, and what stands there now. */

import type { TableState } from '../pure/halls';
import { dayAndMinute, minuteOfDay } from '../pure/format';
import { grouped } from '../pure/sections';
import type { TableId } from '../pure/table_id';
import { cellsOf, hoursOf, standing, type Kept, type SheetLine } from '../pure/time_sheet';
import { h, icon, setAttribute, setText } from '../view/dom';
import { choice, quiet } from '../view/form';
import { ICONS } from '../view/icons';
import { saveFile } from '../view/save_file';
import { remark, sheetTable } from '../view/sheet_table';
import type { Desk, View } from './desk';

/** A moment in ms since 1970, or one of the others. */
type Chosen = number | 'now' | 'all';

export class TimeSheets implements View {
  readonly element = h('div', { class: 'time-sheets' });
  private readonly back = h('a', { class: 'tool sheet-back', href: '#/tables' });
  private readonly title = h('h2', {});
  private readonly papers = h('p', { class: 'papers' });
  private readonly moments = h('div', { class: 'moments', role: 'group' });
  private readonly about = h('p', { class: 'journal-about' });
  private readonly list = h('div', {});
  private chosen: Chosen = 'now';
  private drawn = '';

  constructor(private readonly desk: Desk) {
    const { back, title, papers, moments, about, list } = this;
    back.append(icon(ICONS.back));
    const head = h('div', { class: 'tables-head' }, back, title, papers);
    this.element.append(head, moments, about, list);
  }

  /** Looked at anew: as the clocks stand now. */
  open(): void {
    this.chosen = 'now';
    this.drawn = '';
  }

  draw(): void {
    const { language, halls, settled } = this.desk.app;
    const hours = hoursOf(halls.timeSheets.values());
    if (typeof this.chosen === 'number' && !hours.includes(this.chosen)) this.chosen = 'now';
    const sheets = [...halls.timeSheets].map(([n, rows]) => [n, rows.length, rows.at(-1)?.at]);
    // Until everything has come.
    const heard = [...halls.tables.values()].filter(({ clock }) => clock !== undefined).length;
    const kept = this.chosen === 'now' ? [settled, heard] : sheets;
    const names = halls.tableIds().map((table) => this.names(table));
    const event = this.desk.app.eventName;
    // What stands there now is written down when it is asked for, and then stays.
    const key = JSON.stringify([language, this.chosen, hours, event, names, kept]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.drawHead(event);
    this.drawMoments(hours);
    this.drawLines();
  }

  tick(): void {
    return;
  }

  private drawHead(event: string): void {
    const { words, language } = this.desk.app;
    setAttribute(this.back, 'aria-label', words.allTables);
    setText(this.title, words.timeSheet);
    const print = quiet(words.print, () => window.print());
    this.papers.replaceChildren(
      print,
      quiet('CSV', () => this.save()),
    );
    const at = typeof this.chosen === 'number' ? this.chosen : this.now();
    setText(this.about, [event, dayAndMinute(at, language)].filter(Boolean).join(' · '));
  }

  private drawMoments(hours: readonly number[]): void {
    const { words } = this.desk.app;
    const choices: [Chosen, string][] = [
      ['now', words.sheetNow],
      ...hours.map((at): [Chosen, string] => [at, minuteOfDay(at)]),
      ['all', words.sheetAll],
    ];
    const buttons = choices.map(([value, name]) =>
      choice(name, value === this.chosen, () => this.choose(value)),
    );
    this.moments.setAttribute('aria-label', words.timeSheet);
    this.moments.replaceChildren(...buttons);
  }

  private choose(chosen: Chosen): void {
    this.chosen = chosen;
    this.drawn = '';
    this.draw();
    this.moments.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  }

  private drawLines(): void {
    const { words, sections } = this.desk.app;
    const lines = this.lines();
    const groups = grouped(lines, sections).map(({ name, items }) => {
      const heading = name === null ? null : h('h3', {}, name);
      return h('section', {}, heading, sheetTable(items, words, this.when()));
    });
    const none = h('p', { class: 'none' }, words.sheetEmpty);
    this.list.replaceChildren(...(lines.length === 0 ? [none] : groups));
  }

  /** Where all lines are of one moment, that stands above them. */
  private when(): ((at: number) => string) | null {
    return this.chosen === 'all' ? minuteOfDay : null;
  }

  private lines(): SheetLine[] {
    const { halls } = this.desk.app;
    return halls.tableIds().flatMap((table) => {
      const rows = this.rows(table, halls.tables.get(table) ?? {});
      return rows.map((row) => ({ ...row, table, names: this.names(table) }));
    });
  }

  private rows(table: TableId, state: TableState): readonly Kept[] {
    const { chosen } = this;
    if (chosen === 'now') return [standing(state, this.now(table))];
    const kept = this.desk.app.halls.timeSheets.get(table) ?? [];
    if (chosen === 'all') return kept;
    return kept.filter(({ at, cause }) => at === chosen && cause === 'hour');
  }

  private names(table: TableId) {
    const { desk } = this;
    return { white: desk.playerName(table, 'white'), black: desk.playerName(table, 'black') };
  }

  private now(table?: TableId): number {
    return this.desk.app.daemonNow(table) ?? Date.now();
  }

  private save(): void {
    const { words } = this.desk.app;
    const iso = (at: number) => new Date(at).toISOString();
    const cells = (line: SheetLine) => [...cellsOf(line), remark(line, words, iso)];
    const rows = [[...words.sheetColumns, words.sheetWhen], ...this.lines().map(cells)];
    const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    const quoted = rows.map((row) => row.map(quote).join(','));
    const file = new Blob([`${quoted.join('\r\n')}\r\n`], { type: 'text/csv' });
    saveFile(file, 'time-sheet.csv');
  }
}
