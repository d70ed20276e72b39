/** The official start of a round, at all tables or at some: default time counts from it. */

import type { Hall } from '../pure/hall';
import { h, setAttribute, setText } from '../view/dom';
import { act, confirmation, field, quiet } from '../view/form';
import { runsOf } from '../pure/round_end';
import { aboutToStart } from '../pure/round_start';
import { tablesOf } from '../pure/selection';
import { hallIn, numberOf, withoutHall, type TableId } from '../pure/table_id';
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

  /** A round begins in one hall at a time. */
  constructor(
    private readonly desk: Desk,
    private readonly hall: Hall,
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
      h('h3', {}, hall.name === '' ? words.startRound : words.startRoundIn(hall.name)),
      h('p', {}, words.startRoundHint),
      h('div', { class: 'two-fields' }, round.label, tables.label),
      this.error,
      this.about,
      confirmation(this.send, quiet(words.close, onClose)),
    );
    this.judge();
  }

  /** The tables of the hall, as it calls them itself. */
  private known(): TableId[] {
    const { halls } = this.desk.app;
    return halls
      .tableIds()
      .filter((it) => hallIn(it) === this.hall.name)
      .map(withoutHall);
  }

  /** Null: what is written names no tables. */
  private wanted(): TableId[] | 'all' | null {
    const { value } = this.tables;
    return value.trim() === '' ? 'all' : tablesOf(value, this.known());
  }

  /** Also when tables come that were not known yet. */
  judge(): void {
    this.round.placeholder = this.hall.info?.round ?? '';
    const wanted = this.wanted();
    this.send.disabled = this.asked || wanted === null;
    const { halls, words } = this.desk.app;
    const tables = wanted === 'all' ? this.known() : (wanted ?? []);
    const { tables: count, playing } = aboutToStart(
      tables.map((it) => this.hall.idOf(it)),
      halls.tables,
    );
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
    const body = {
      hall: this.hall.name,
      ...(round && { round }),
      ...(wanted !== 'all' && { tables: wanted.map(numberOf) }),
    };
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
