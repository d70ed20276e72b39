/** What the tools of a table have in common: they are asked of the daemon, and may be refused. */

import type { TableState } from '../pure/halls';
import type { TableId } from '../pure/table_id';
import { h, setText } from '../view/dom';
import { act, confirmation, quiet } from '../view/form';
import type { Outcome } from '../pages/requests';
import { complaint, type Desk } from './desk';

export interface ToolOptions {
  readonly desk: Desk;
  readonly table: TableId;
  onClose(): void;
}

/** What is open in the place of the tools. */
export interface OpenTool {
  readonly element: HTMLElement;
  /** Something of the table has changed, or has come at last. */
  news(): void;
}

/** Tells what was done with an answer; null: nothing to show, the tool may close. */
export type Shown = readonly HTMLElement[] | null;

export abstract class TableTool implements OpenTool {
  readonly element: HTMLElement;
  protected readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  protected readonly answer = h('div', { class: 'tool-answer', role: 'status' });
  private readonly send: HTMLButtonElement;
  private asked = false;
  /** How often something has been asked: an answer that comes late may be to what was before. */
  private askedSoFar = 0;

  constructor(
    protected readonly options: ToolOptions,
    title: string,
    doing: string,
  ) {
    this.send = act(doing, () => void this.perform());
    const { words } = options.desk.app;
    const foot = confirmation(
      this.send,
      quiet(words.close, () => options.onClose()),
    );
    this.element = h('section', { class: 'editor', 'aria-label': title }, h('h3', {}, title));
    this.element.append(this.error, foot, this.answer);
  }

  news(): void {
    this.judge();
  }

  /** What is asked for, or null while it cannot be. */
  protected abstract request(): { readonly verb: string; readonly body: object } | null;

  /** What is said for a moment when it was done; null: the answer says it. */
  protected done(_data: unknown): string | null {
    return null;
  }

  /** An answer worth more than a moment. */
  protected show(_data: unknown): Shown {
    return null;
  }

  /** Puts the fields before the complaint and the buttons. */
  protected place(...parts: HTMLElement[]): void {
    this.error.before(...parts);
    this.judge();
  }

  protected judge(): void {
    this.send.disabled = this.asked || this.request() === null;
  }

  protected get words() {
    return this.options.desk.app.words;
  }

  protected get state(): TableState {
    return this.options.desk.app.halls.tables.get(this.options.table) ?? {};
  }

  private async perform(): Promise<void> {
    const { desk, table } = this.options;
    const asked = this.request();
    if (asked === null) return;
    const held = document.activeElement === this.send;
    this.asked = true;
    this.askedSoFar += 1;
    const { askedSoFar } = this;
    this.error.hidden = true;
    // What was answered before is no answer to this.
    this.answer.replaceChildren();
    this.judge();
    const outcome = await desk.requests.ask(asked.verb, { table, ...asked.body });
    this.asked = false;
    this.hear(outcome);
    // A button that may not be pressed for a while loses the focus; who has gone on keeps it.
    if (held && document.activeElement === document.body) this.send.focus();
    if (outcome.kind !== 'no_answer') return;
    const late = await outcome.later;
    if (askedSoFar === this.askedSoFar && this.element.isConnected) this.hear(late);
  }

  private hear(outcome: Outcome): void {
    const { desk, table, onClose } = this.options;
    const failed = complaint(outcome, desk);
    this.error.hidden = failed === null;
    setText(this.error, failed ?? '');
    this.judge();
    if (outcome.kind !== 'done') return;
    const done = this.done(outcome.data);
    if (done !== null) desk.say(this.words.about(this.words.table(table), done));
    const shown = this.show(outcome.data);
    if (shown === null) {
      // Whoever has left it for another tool keeps that one.
      if (this.element.isConnected) onClose();
      return;
    }
    this.answer.replaceChildren(...shown);
    this.answer.scrollIntoView({ block: 'nearest' });
  }
}
