/** The official start of a round, at all tables or at some: default time counts from it. */

import { h, setText } from '../view/dom';
import { act, confirmation, field, quiet } from '../view/form';
import { tablesOf } from '../pure/selection';
import { complaint, type Desk } from './desk';

export class RoundTool {
  readonly element: HTMLElement;
  private readonly round: HTMLInputElement;
  private readonly tables: HTMLInputElement;
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly send: HTMLButtonElement;
  private asked = false;

  constructor(
    private readonly desk: Desk,
    private readonly onClose: () => void,
  ) {
    const { words } = desk.app;
    const round = field(words.roundAsked);
    const tables = field(words.roundTables);
    [this.round, this.tables] = [round.input, tables.input];
    this.tables.placeholder = '1-40,50';
    this.send = act(words.startRoundDo, () => void this.start());
    this.tables.addEventListener('input', () => this.judge());
    this.element = h(
      'section',
      { class: 'editor', 'aria-label': words.startRound },
      h('h3', {}, words.startRound),
      h('p', {}, words.startRoundHint),
      h('div', { class: 'two-fields' }, round.label, tables.label),
      this.error,
      confirmation(this.send, quiet(words.close, onClose)),
    );
    this.judge();
  }

  /** Null: what is written names no tables. */
  private wanted(): number[] | 'all' | null {
    const { value } = this.tables;
    return value.trim() === '' ? 'all' : tablesOf(value, this.desk.app.hall.tableNumbers());
  }

  /** Also when tables come that were not known yet. */
  judge(): void {
    this.round.placeholder = this.desk.app.hall.info?.round ?? '';
    this.send.disabled = this.asked || this.wanted() === null;
  }

  private async start(): Promise<void> {
    const { desk } = this;
    const { words } = desk.app;
    const wanted = this.wanted();
    if (wanted === null) return;
    const round = this.round.value.trim();
    const body = { ...(round && { round }), ...(wanted !== 'all' && { tables: wanted }) };
    this.asked = true;
    this.judge();
    const failed = complaint(await desk.requests.ask('start_round', body), desk);
    this.asked = false;
    this.error.hidden = failed === null;
    setText(this.error, failed ?? '');
    this.judge();
    if (failed !== null) return;
    const started = round === '' ? words.roundWord : words.round(round);
    desk.say(words.about(started, words.roundStarted));
    this.onClose();
  }
}
