/** Adjourning a game (Guidelines I), and going on with it where it was left. */

import { pause } from '../data/config';
import { askPaper } from '../data/session';
import { readTexts } from '../pure/alerts';
import { readSealed } from '../pure/claims';
import { clockSetting } from '../pure/format';
import { fields } from '../pure/json';
import type { Adjournment, Side } from '../pure/payloads';
import { englishSan, toldTo } from '../pure/san';
import { numberOf } from '../pure/table_id';
import { h, setText } from '../view/dom';
import { choiceGroup, field, quiet } from '../view/form';
import { printPage } from '../view/printed_page';
import { TableTool, type Shown, type ToolOptions } from './table_tool';

const SIDES: readonly Side[] = ['white', 'black'];
const ABSENT = ['unknown', 'nobody', 'white', 'black', 'both'] as const;
/** How often the sheet is asked for, and how soon again (ms). */
const ASKED_MAX = 10;
const ASKED_AGAIN_MS = 1000;

export class AdjournTool extends TableTool {
  private offeredBy: Side | 'nobody' = 'nobody';
  private readonly sealed = h('p', {});
  private readonly resumption: HTMLInputElement;
  private readonly site: HTMLInputElement;

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.adjourn, words.adjournDo);
    const resumption = field(words.resumption);
    const site = field(words.place);
    [this.resumption, this.site] = [resumption.input, site.input];
    const fields = h('div', { class: 'two-fields' }, resumption.label, site.label);
    this.place(this.sealed, this.offers(), fields);
    this.news();
  }

  /** Only the player who has the move can seal one. */
  override news(): void {
    const { words } = this;
    const turn = this.turn;
    setText(this.sealed, turn === null ? '' : `${words.sealedBy} ${words[turn]}`);
    this.judge();
  }

  private get turn(): Side | null {
    return this.state.position?.turn ?? null;
  }

  protected override request() {
    if (this.turn === null) return null;
    const body = {
      sealed_by: this.turn,
      draw_offer: this.offeredBy === 'nobody' ? null : this.offeredBy,
      resumption: this.resumption?.value.trim() ?? '',
      place: this.site?.value.trim() ?? '',
    };
    return { verb: 'adjourn', body };
  }

  protected override done(): string {
    return this.words.adjourned;
  }

  private offers(): HTMLElement {
    const { words } = this;
    const named = SIDES.map((value) => ({ value, name: words[value] }));
    const nobody = { value: 'nobody' as const, name: words.nobody };
    const offered = choiceGroup<Side | 'nobody'>([nobody, ...named], {
      label: words.drawOffer,
      chosen: this.offeredBy,
      onChoose: (side) => (this.offeredBy = side),
    });
    return h('div', { class: 'tool-answer' }, h('p', {}, words.drawOffer), offered);
  }
}

/** The answer says what is not as on the sheet: that is put right before the clock is started. */
export class ResumeTool extends TableTool {
  private readonly paper = h('div', { class: 'paper' });
  private absent: (typeof ABSENT)[number] = 'unknown';

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.resume, words.resumeDo);
    const sheet = this.state.game?.adjournment ?? null;
    if (sheet === null) return;
    const print = quiet(words.printSheet, () => void this.print());
    this.place(this.sheet(sheet), h('div', { class: 'tool-row' }, print), this.attendance());
    this.element.append(this.paper);
  }

  protected override request() {
    const { absent } = this;
    return { verb: 'resume', body: absent === 'unknown' ? {} : { absent } };
  }

  protected override done(): string {
    return this.words.resumed;
  }

  protected override show(data: unknown): Shown {
    const answer = fields(data);
    const told = readTexts(answer?.['text']);
    if (answer?.['agrees'] !== false || told === null) return null;
    const spelled = toldTo(this.options.desk.app, told);
    return [h('p', { class: 'claim' }, spelled)];
  }

  /** On it depends whose clock is started, and what a press without a move is (I.9). */
  private attendance(): HTMLElement {
    const { words } = this;
    const choices = ABSENT.map((value) => ({ value, name: words.absentees[value] }));
    const onChoose = (absent: (typeof ABSENT)[number]) => (this.absent = absent);
    const group = choiceGroup(choices, { label: words.whoIsAbsent, chosen: this.absent, onChoose });
    return h('div', { class: 'tool-answer' }, h('p', {}, words.whoIsAbsent), group);
  }

  /** The sheet for the envelope, as the daemon makes it from the record. */
  private async print(): Promise<void> {
    const { desk, table } = this.options;
    const { language, words } = desk.app;
    const wanted = { table: numberOf(table), language };
    const page = await this.ask(wanted);
    if (page !== null) printPage(this.paper, page);
    else desk.say(words.sheetUnread);
  }

  /** The record has it a moment after the game was adjourned. */
  private async ask(wanted: object): Promise<string | null> {
    const { credentials } = this.options.desk;
    if (credentials === null) return null;
    for (let asked = 1; ; asked += 1) {
      const page = await askPaper('adjournment', credentials, wanted);
      if (page !== null || asked === ASKED_MAX) return page;
      await pause(ASKED_AGAIN_MS);
    }
  }

  private sheet({ sealedBy, times, resumption, place }: Adjournment): HTMLElement {
    const { words } = this;
    const told = SIDES.map((side) => {
      const time = times === null ? '–' : clockSetting(times[side]);
      return `${words[side]} ${time}`;
    });
    const sealed = `${words.sealedBy} ${words[sealedBy]}`;
    const lines = [sealed, told.join(' · '), [resumption, place].filter(Boolean).join(' · ')];
    return h('div', {}, ...lines.filter(Boolean).map((line) => h('p', {}, line)));
  }
}

/** Whether what is in the envelope is one legal move, and what follows where it is none (I.8). */
export class SealedTool extends TableTool {
  private readonly written: HTMLInputElement;

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.sealedMove, words.sealedMoveDo);
    const { label, input } = field(words.sealedWritten);
    this.written = input;
    input.addEventListener('input', () => this.judge());
    const envelope = this.state.game?.envelope ?? null;
    const by = envelope === null ? '' : `${words.sealedBy} ${words[envelope.by]}`;
    const number = envelope?.moveNumber ?? null;
    const about = [by, number === null ? '' : words.moveNumber(number)].filter(Boolean).join(', ');
    this.place(h('p', {}, about), label);
  }

  protected override request() {
    const typed = this.written?.value.trim() ?? '';
    if (typed === '') return null;
    const { language } = this.options.desk.app;
    return { verb: 'sealed_move', body: { move: englishSan(typed, language) } };
  }

  protected override show(data: unknown): Shown {
    const { app } = this.options.desk;
    const answer = readSealed(data);
    if (answer === null) return null;
    const { verdict, text } = answer;
    const named = app.words.sealedVerdicts[verdict];
    const told = text === null ? named : app.words.about(named, toldTo(app, text));
    return [h('p', { class: 'claim', 'data-right': verdict === 'legal' }, told)];
  }
}
