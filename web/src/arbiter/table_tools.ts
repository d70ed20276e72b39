/** What an arbiter can do at a table: its result, and tools that open in each other's place. */

import type { Language } from '../i18n/language';
import type { TableState } from '../pure/halls';
import { writtenAs, writtenText } from '../pure/result';
import type { TableId } from '../pure/table_id';
import { h, keepingFocus, setAttribute, setText } from '../view/dom';
import { act, choice, confirmation, leavesOnEscape, quiet } from '../view/form';
import { PositionEditor, type Source } from '../view/position_editor';
import { rawResult } from '../view/state_line';
import { AdjournTool, ResumeTool, SealedTool } from './adjournment_tools';
import { ClaimTool } from './claim_tool';
import { ClockTool } from './clock_tool';
import { CorrectTool } from './correct_tool';
import { complaint, offers, type Desk } from './desk';
import { FlipTool } from './flip_tool';
import { GrantTool } from './grant_tool';
import { PairingTool } from './pairing_tool';
import { ScoreTool } from './score_tool';
import type { OpenTool, ToolOptions } from './table_tool';
import { TakeBackTool } from './take_back_tool';

const RESULTS = ['1-0', '1/2-1/2', '0-1', '*'] as const;
/** A game that was not played, and what an arbiter may award besides: behind one more tap. */
const SELDOM = ['+/-', '-/-', '-/+', '1/2-0', '0-0', '0-1/2'] as const;
const BEGINNING = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

interface ResultChoice {
  readonly element: HTMLElement;
  readonly choices: readonly HTMLElement[];
  readonly confirm: HTMLElement;
  /** The result that can be confirmed there. */
  confirmed: string | null;
}

/** What is in the place of the tools while none is open. */
interface Offered {
  readonly parts: readonly HTMLElement[];
  readonly result: ResultChoice | null;
  readonly verbs: readonly HTMLElement[];
}

export class TableTools {
  readonly element = h('div', {});
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly tools = h('div', { class: 'table-tools' });
  private table: TableId = '';
  /** The result that is about to be entered. */
  private chosen: string | null = null;
  /** The tool that is open, and the verb of the button that opened it. */
  private opened: OpenTool | null = null;
  private openedBy: string | null = null;
  private openedIn: Language | null = null;
  /** Stays while the same table is shown in the same words: a finger may be on it. */
  private offered: Offered | null = null;
  private built = '';

  constructor(private readonly desk: Desk) {
    this.element.append(this.error, this.tools);
  }

  open(table: TableId): void {
    this.table = table;
    this.chosen = null;
    this.fail(null);
    this.close();
  }

  draw(): void {
    const { app } = this.desk;
    if (this.opened !== null && this.openedIn === app.language) return this.opened.news();
    if (this.opened !== null) return this.openAnew();
    const { table } = this;
    const key = JSON.stringify([table, app.language, app.letters, this.known()]);
    if (key !== this.built || this.offered === null) {
      this.built = key;
      this.offered = this.build();
      this.tools.replaceChildren(...this.offered.parts);
    }
    this.update(this.offered);
  }

  /** In the other language: what was being written there is lost. */
  private openAnew(): void {
    const { openedBy } = this;
    this.close();
    this.tools.querySelector<HTMLElement>(`[data-verb=${openedBy}]`)?.click();
  }

  private state(): TableState {
    return this.desk.app.halls.tables.get(this.table) ?? {};
  }

  /** A tool opened before the game has come would start from nothing. */
  private known(): boolean {
    return this.state().game !== undefined || this.desk.app.settled;
  }

  /** The requests that make no sense at this table now. */
  private idle(): string[] {
    const { game, position, clock } = this.state();
    const adjourned = (game?.adjournment ?? null) !== null;
    const begun = ['in_play', 'paused', 'adrift'].includes(position?.phase ?? 'unset');
    const plays = begun && !adjourned;
    const counts = this.desk.app.halls.ledgers.get(this.table)?.scoreShown ?? null;
    const sense = {
      adjourn: !adjourned,
      resume: adjourned,
      sealed_move: (game?.envelope ?? null) !== null,
      grant_time: plays && clock?.current === true,
      correct_score: plays && (game?.moves.length ?? 0) > 0,
      score_shown: plays && counts !== null && counts.of !== null,
    };
    return Object.entries(sense).flatMap(([verb, makes]) => (makes ? [] : [verb]));
  }

  private build(): Offered {
    const result = offers(this.desk, 'set_result') ? this.result() : null;
    const others = this.known() ? this.others() : null;
    const parts = [result?.element ?? null, others?.element ?? null].filter((it) => it !== null);
    return { parts, result, verbs: others?.verbs ?? [] };
  }

  /** What has changed is marked where it stands. */
  private update({ result, verbs }: Offered): void {
    const idle = this.idle();
    const held = verbs.find((button) => button === document.activeElement);
    for (const button of verbs) button.hidden = idle.includes(button.dataset['verb'] ?? '');
    if (held?.hidden === true) verbs.find((button) => !button.hidden)?.focus();
    if (result === null) return;
    const { chosen } = this;
    const current = this.current();
    for (const button of result.choices) {
      const pressed = button.dataset['result'] === (chosen ?? current);
      setAttribute(button, 'aria-pressed', String(pressed));
    }
    const confirmed = chosen === current ? null : chosen;
    if (confirmed === result.confirmed) return;
    result.confirmed = confirmed;
    result.confirm.replaceChildren(...(confirmed === null ? [] : [this.enter(confirmed)]));
  }

  private result(): ResultChoice {
    const { words } = this.desk.app;
    const button = (value: string) => {
      const name = this.nameOf(value);
      const button = choice(name, false, () => this.choose(this.chosen === value ? null : value));
      button.dataset['result'] = value;
      return button;
    };
    const usual = RESULTS.map(button);
    const seldom = SELDOM.map(button);
    const about = { class: 'choices is-four', role: 'group', 'aria-label': words.result };
    const group = h('div', about, ...usual);
    const others = { class: 'choices', role: 'group', 'aria-label': words.otherResults };
    const more = h(
      'details',
      { class: 'seldom' },
      h('summary', {}, words.otherResults),
      h('div', others, ...seldom),
    );
    more.toggleAttribute(
      'open',
      seldom.some((it) => it.dataset['result'] === this.current()),
    );
    const confirm = h('div', {});
    const element = h('section', {}, h('h3', {}, words.result), group, more, confirm);
    return { element, choices: [...usual, ...seldom], confirm, confirmed: null };
  }

  /** The result that stands there, as it would be entered. */
  private current(): string {
    const { game } = this.state();
    return writtenAs(rawResult(this.state()), game?.termination ?? null);
  }

  private nameOf(result: string): string {
    return result === '*' ? this.desk.app.words.goesOn : writtenText(result);
  }

  private enter(result: string): HTMLElement {
    const { words } = this.desk.app;
    const name = this.nameOf(result);
    const send = () => void this.ask('set_result', { result }, words.resultSet(name));
    const cancel = quiet(words.cancel, () => this.choose(null));
    return confirmation(act(words.confirm(name), send), cancel);
  }

  private others(): { element: HTMLElement; verbs: readonly HTMLElement[] } {
    const { words } = this.desk.app;
    const begin = (tool: new (options: ToolOptions) => OpenTool) => () => {
      const onClose = () => this.close();
      this.show(new tool({ desk: this.desk, table: this.table, onClose }));
    };
    const all: readonly (readonly [string, string, () => void])[] = [
      ['set_position', words.editPosition, () => this.edit()],
      ['take_back', words.takeBack, begin(TakeBackTool)],
      ['correct_score', words.correctScore, begin(CorrectTool)],
      ['claim_check', words.claim, begin(ClaimTool)],
      ['set_time', words.setTime, begin(ClockTool)],
      ['grant_time', words.grantTime, begin(GrantTool)],
      ['score_shown', words.scoreShown, begin(ScoreTool)],
      ['set_pairing', words.pairing, begin(PairingTool)],
      ['adjourn', words.adjourn, begin(AdjournTool)],
      ['resume', words.resume, begin(ResumeTool)],
      ['sealed_move', words.sealedMove, begin(SealedTool)],
      ['flip', words.turnBoard, begin(FlipTool)],
    ];
    const offered = all.filter(([verb]) => offers(this.desk, verb));
    const verbs = offered.map(([verb, name, open]) => {
      const button = quiet(name, () => {
        this.openedBy = verb;
        open();
      });
      button.dataset['verb'] = verb;
      return button;
    });
    return { element: h('div', { class: 'tool-row' }, ...verbs), verbs };
  }

  private choose(result: string | null): void {
    const { chosen } = this;
    this.chosen = result;
    this.draw();
    const choice = [...this.tools.querySelectorAll<HTMLElement>('.choice')].find(
      (it) => it.dataset['result'] === (result ?? chosen),
    );
    (this.tools.querySelector<HTMLElement>('.confirm .button') ?? choice)?.focus();
  }

  /** From the score, from the squares or from the beginning, whichever is nearest the truth. */
  private edit(): void {
    const { words } = this.desk.app;
    const score = () => this.state().position?.fen ?? null;
    const squares = () => {
      const placement = this.state().board?.placement ?? null;
      const rest = (score() ?? BEGINNING).split(' ').slice(1).join(' ');
      return placement === null ? null : `${placement} ${rest}`;
    };
    const sources: readonly Source[] = [
      { name: words.fromScore, fen: score },
      { name: words.fromSquares, fen: squares },
      { name: words.fromBeginning, fen: () => BEGINNING },
    ];
    const editor = new PositionEditor(sources, words, {
      onSend: (fen) => void this.setPosition(fen),
      onCancel: () => this.close(),
    });
    this.show(editor);
  }

  private show(tool: OpenTool): void {
    const { element } = tool;
    this.opened = tool;
    this.openedIn = this.desk.app.language;
    this.fail(null);
    this.tools.replaceChildren(element);
    element.setAttribute('tabindex', '-1');
    leavesOnEscape(element, () => this.close());
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: 'start' });
  }

  private close(): void {
    this.opened = null;
    this.offered = null;
    const button = () => {
      const own = this.tools.querySelector<HTMLElement>(`[data-verb=${this.openedBy}]`);
      const shown = own !== null && !own.hidden;
      return shown ? own : this.tools.querySelector<HTMLElement>('[data-verb]:not([hidden])');
    };
    keepingFocus(this.tools, () => this.draw(), button);
  }

  private async setPosition(fen: string): Promise<void> {
    const chess960 = this.state().game?.chess960 === true;
    const { positionSet } = this.desk.app.words;
    if (await this.ask('set_position', { fen, chess960 }, positionSet)) this.close();
  }

  private async ask(verb: string, body: object, done: string): Promise<boolean> {
    const { table } = this;
    const outcome = await this.desk.requests.ask(verb, { table, ...body });
    const failed = complaint(outcome, this.desk);
    if (table === this.table) {
      this.chosen = null;
      this.fail(failed);
      this.draw();
    }
    const { words } = this.desk.app;
    if (failed === null && verb === 'set_result') this.desk.decided(table, done);
    else if (failed === null) this.desk.say(words.about(words.table(table), done));
    return failed === null;
  }

  private fail(text: string | null): void {
    this.error.hidden = text === null;
    setText(this.error, text ?? '');
  }
}
