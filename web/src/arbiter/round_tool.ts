/** The official start of a round, at all tables or at some: default time counts from it. */

import { h, setAttribute, setText } from '../view/dom';
import { act, confirmation, field, quiet } from '../view/form';
import { runsOf } from '../pure/round_end';
import { aboutToStart } from '../pure/round_start';
import { tablesOf } from '../pure/selection';
import { complaint, type Desk } from './desk';

export class RoundTool {
  readonly element: HTMLElement;
  private readonly round: HTMLInputElement;
  private readonly tables: HTMLInputElement;
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly send: HTMLButtonElement;
  private asked = false;
  private readonly about = h('p', { class: 'round-about', role: 'status' });
  /** What was tapped once, and is asked for. */
  private sure = false;

  constructor(
    private readonly desk: Desk,
    private readonly onClose: () => void,
  ) {
    const { words } = desk.app;
    const round = field(words.roundAsked);
    const tables = field(words.roundTables);
    [this.round, this.tables] = [round.input, tables.input];
    this.tables.placeholder = '1-40,50';
    this.send = act(words.startRoundDo, () => void this.tapped());
    for (const it of [this.round, this.tables]) {
      it.addEventListener('input', () => this.begin());
    }
    this.element = h(
      'section',
      { class: 'editor', 'aria-label': words.startRound },
      h('h3', {}, words.startRound),
      h('p', {}, words.startRoundHint),
      h('div', { class: 'two-fields' }, round.label, tables.label),
      this.error,
      this.about,
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
    const wanted = this.wanted();
    this.send.disabled = this.asked || wanted === null;
    const { hall, words } = this.desk.app;
    const tables = wanted === 'all' ? hall.tableNumbers() : (wanted ?? []);
    const { tables: count, playing } = aboutToStart(tables, hall.tables);
    const still = playing.length === 0 ? words.nonePlays : words.stillPlay(runsOf(playing));
    setText(this.about, wanted === null ? '' : `${words.startsAt(count)} ${still}`);
    setAttribute(this.about, 'data-playing', playing.length > 0 ? '' : null);
    setText(this.send, this.sure ? words.startRoundSure(count) : words.startRoundDo);
  }

  /** Other tables: what was asked is asked anew. */
  private begin(): void {
    this.sure = false;
    this.judge();
  }

  /** Once to be asked, and once to do it. */
  private tapped(): void {
    if (this.sure) return void this.start();
    this.sure = true;
    this.judge();
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
    [this.asked, this.sure] = [false, false];
    this.error.hidden = failed === null;
    setText(this.error, failed ?? '');
    this.judge();
    if (failed !== null) return;
    const started = round === '' ? words.roundWord : words.round(round);
    desk.say(words.about(started, words.roundStarted));
    this.onClose();
  }
}
