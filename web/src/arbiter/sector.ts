/** Which tables are this tablet's: kept in the browser, and said above the queue. */

import type { Alert } from '../pure/alerts';
import { isOwn, readSector } from '../pure/sector';
import type { Selection } from '../pure/selection';
import type { TableId } from '../pure/table_id';
import { h, setText } from '../view/dom';
import { act, leavesOnEscape, quiet } from '../view/form';
import { storedSector, storeSector } from '../view/preferences';
import type { App } from '../pages/app';

export class Sector {
  readonly element: HTMLDetailsElement;
  private readonly summary = h('summary', {});
  private readonly label = h('span', {});
  private readonly input = h('input', {
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly save = act('', () => this.choose(this.input.value));
  private readonly whole = quiet('', () => this.choose(''));
  private written: string;
  private tables: Selection | null;

  constructor(
    private readonly app: App,
    private readonly onChange: () => void,
  ) {
    this.written = storedSector() ?? '';
    this.tables = readSector(this.written);
    const { summary, label, input, error, save, whole } = this;
    input.addEventListener('keydown', ({ key }) => key === 'Enter' && this.choose(input.value));
    const field = h('label', {}, label, input);
    const buttons = h('p', { class: 'sector-do' }, save, whole);
    this.element = h('details', { class: 'sector' }, summary, field, error, buttons);
    leavesOnEscape(this.element, () => this.leave());
  }

  draw(): void {
    const { words } = this.app;
    const chosen = this.tables === null ? null : this.written;
    const { several } = this.app.halls;
    const none = several ? words.sectorAllHalls : words.sectorNone;
    setText(this.summary, chosen === null ? none : words.sector(chosen));
    setText(this.label, words.sectorHint);
    this.input.placeholder = this.app.halls.several ? 'A-1-20, B-*' : '1-20';
    setText(this.error, words.sectorWrong);
    setText(this.save, words.sectorSave);
    setText(this.whole, words.sectorWhole);
    if (!this.element.open) this.input.value = chosen ?? '';
  }

  /** Whether this tablet shows it and rings for it now. */
  owns(alert: Alert): boolean {
    return isOwn(alert, this.tables, this.app.daemonNow(alert.id));
  }

  ownsTable(table: TableId): boolean {
    return this.tables?.(table) ?? true;
  }

  private choose(written: string): void {
    const tables = readSector(written);
    this.error.hidden = tables !== null || written.trim() === '';
    if (!this.error.hidden) return;
    [this.written, this.tables] = [tables === null ? '' : written.trim(), tables];
    storeSector(this.written);
    this.leave();
    this.onChange();
  }

  private leave(): void {
    this.error.hidden = true;
    this.element.open = false;
    this.draw();
    this.summary.focus();
  }
}
