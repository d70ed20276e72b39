/** Adjourning a game (Guidelines I), and going on with it where it was left. */

import { askPaper } from '../data/session';
import { clockSetting } from '../pure/format';
import { fields, text } from '../pure/json';
import type { Adjournment, Side } from '../pure/payloads';
import { toldTo } from '../pure/san';
import { h } from '../view/dom';
import { choiceGroup, field, quiet } from '../view/form';
import { printPage } from '../view/printed_page';
import { TableTool, type Shown, type ToolOptions } from './table_tool';

const SIDES: readonly Side[] = ['white', 'black'];

export class AdjournTool extends TableTool {
  private offeredBy: Side | 'nobody' = 'nobody';
  private readonly choices = h('div', { class: 'tool-answer' });
  private readonly resumption: HTMLInputElement;
  private readonly site: HTMLInputElement;

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.adjourn, words.adjournDo);
    const resumption = field(words.resumption);
    const site = field(words.place);
    [this.resumption, this.site] = [resumption.input, site.input];
    const fields = h('div', { class: 'two-fields' }, resumption.label, site.label);
    // Only the player who has the move can seal one.
    const turn = this.state.position?.turn ?? 'white';
    const sealed = h('p', {}, `${words.sealedBy} ${words[turn]}`);
    this.place(sealed, this.choices, fields);
    this.draw();
  }

  protected override request() {
    const body = {
      draw_offer: this.offeredBy === 'nobody' ? null : this.offeredBy,
      resumption: this.resumption?.value.trim() ?? '',
      place: this.site?.value.trim() ?? '',
    };
    return { verb: 'adjourn', body };
  }

  protected override done(): string {
    return this.words.adjourned;
  }

  private draw(): void {
    const { words } = this;
    const named = SIDES.map((value) => ({ value, name: words[value] }));
    const nobody = { value: 'nobody' as const, name: words.nobody };
    const offered = choiceGroup<Side | 'nobody'>([nobody, ...named], {
      label: words.drawOffer,
      chosen: this.offeredBy,
      onChoose: (side) => {
        this.offeredBy = side;
        this.draw();
      },
    });
    this.choices.replaceChildren(h('p', {}, words.drawOffer), offered);
  }
}

/** The answer says what is not as on the sheet: that is put right before the clock is started. */
export class ResumeTool extends TableTool {
  private readonly paper = h('div', { class: 'paper' });

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.resume, words.resumeDo);
    const sheet = this.state.game?.adjournment ?? null;
    if (sheet === null) return;
    const print = quiet(words.printSheet, () => void this.print());
    this.place(this.sheet(sheet), h('div', { class: 'tool-row' }, print));
    this.element.append(this.paper);
  }

  protected override request() {
    return { verb: 'resume', body: {} };
  }

  protected override done(): string {
    return this.words.resumed;
  }

  protected override show(data: unknown): Shown {
    const answer = fields(data);
    const told = fields(answer?.['text']);
    const [en, fr] = [text(told?.['en']), text(told?.['fr'])];
    if (answer?.['agrees'] !== false || en === null) return null;
    const spelled = toldTo(this.options.desk.app, { en, fr: fr ?? en });
    return [h('p', { class: 'claim' }, spelled)];
  }

  /** The sheet for the envelope, as the daemon makes it from the record. */
  private async print(): Promise<void> {
    const { desk, table } = this.options;
    const { language, words } = desk.app;
    const wanted = { table, language };
    const page = desk.credentials && (await askPaper('adjournment', desk.credentials, wanted));
    if (page) printPage(this.paper, page);
    else desk.say(words.sheetUnread);
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
