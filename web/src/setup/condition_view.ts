/** What is wrong in the hall and on its ways out, since when, and what to do about it. */

import { askPaper, type Credentials } from '../data/session';
import type { Words } from '../i18n/words';
import { missing, readCondition, unseatedBoards, type Condition } from '../pure/condition';
import { timeOfDay } from '../pure/format';
import { readOutlets, type Outlet } from '../pure/outlets';
import { runsOf } from '../pure/round_end';
import { boardName, type Setup } from '../pure/setup';
import { h, setText } from '../view/dom';
import { quiet } from '../view/form';
import { outletName, outletRemedy } from './ways_out';

/** How often it is asked for while it is looked at, in ms. */
const RENEW_MS = 5000;

export interface ConditionOptions {
  words(): Words;
  language(): string;
  credentials(): Credentials | null;
  setup(): Setup;
  onOutlets(outlets: readonly Outlet[]): void;
}

export class ConditionView {
  readonly element = h('section', { class: 'condition' });
  private readonly title = h('h2', {});
  private readonly sum = h('p', { class: 'check-sum', role: 'status' });
  private readonly wrong = h('ul', { class: 'condition-list' });
  private readonly again = quiet('', () => void this.renew());
  private condition: Condition | null = null;
  private outlets: readonly Outlet[] = [];
  private timer: ReturnType<typeof setInterval> | undefined;
  private drawn = '';

  constructor(private readonly options: ConditionOptions) {
    this.element.append(this.title, this.sum, this.wrong, this.again);
  }

  /** Looked at, or not any more. */
  open(shown: boolean): void {
    clearInterval(this.timer);
    if (!shown) return;
    this.timer = setInterval(() => void this.renew(), RENEW_MS);
    void this.renew();
  }

  draw(): void {
    const words = this.options.words().setUp;
    setText(this.title, words.health);
    setText(this.again, words.lookAgain);
    const told = this.told();
    setText(this.sum, told.length === 0 ? words.allWell : words.somethingWrong(told.length));
    this.sum.toggleAttribute('data-ready', this.condition !== null && told.length === 0);
    const now = JSON.stringify(told);
    if (now === this.drawn) return;
    this.drawn = now;
    this.wrong.replaceChildren(...told.map((it) => h('li', {}, it)));
  }

  private async renew(): Promise<void> {
    const credentials = this.options.credentials();
    const body = credentials === null ? null : await askPaper('outlets', credentials, {});
    if (body !== null) {
      this.outlets = readOutlets(body);
      this.options.onOutlets(this.outlets);
    }
    try {
      const response = await fetch('/healthz', { cache: 'no-store' });
      this.condition = readCondition(await response.text());
    } catch {
      // The bar says that nobody answers.
      return;
    }
    this.draw();
  }

  private told(): string[] {
    const words = this.options.words().setUp;
    const setup = this.options.setup();
    const { condition } = this;
    const free = unseatedBoards(setup);
    return [
      condition?.stalled ? words.stalled : '',
      condition?.broker === false ? words.brokerAway : '',
      condition !== null && condition.refused.length > 0
        ? words.brokerRefuses(condition.refused.join(', '))
        : '',
      condition !== null && condition.tooLong.length > 0
        ? words.brokerTooLong(condition.tooLong.join(', '))
        : '',
      ...this.handed(),
      condition?.journal === 'late' ? words.journalLate : '',
      condition?.journal === 'failed' ? words.journalFailed : '',
      condition !== null && condition.damaged > 0 ? words.damaged(condition.damaged) : '',
      ...(condition?.floods ?? []).map((line) => words.flood(line.replace(/ says more .*/, ''))),
      ...this.missingSince(),
      ...this.noisySince(),
      free > 0 ? words.boardsFree(free) : '',
      ...this.failing(),
    ].filter(Boolean);
  }

  /** Another machine is gone, and should be looked at while this one goes on. */
  private handed(): string[] {
    const handed = this.condition?.handed ?? null;
    if (handed === null) return [];
    const { to, from, since } = handed;
    return [this.options.words().setUp.handed(to, from, timeOfDay(since))];
  }

  /** Boards that were away first come first; those of one minute in one sentence. */
  private missingSince(): string[] {
    const words = this.options.words().setUp;
    const setup = this.options.setup();
    const away = missing(setup);
    const since = (table: number) => {
      const at = setup.tables.find((it) => it.table === table)?.missingSince ?? null;
      return at === null ? '' : timeOfDay(at);
    };
    const times = [...new Set(away.map(since))].sort();
    return times.map((time) => {
      return words.boardsMissing(runsOf(away.filter((it) => since(it) === time)), time);
    });
  }

  private noisySince(): string[] {
    const words = this.options.words();
    return this.options.setup().boards.flatMap((board) => {
      if (board.noisySince === null) return [];
      const where = board.table === null ? boardName(board) : words.table(String(board.table));
      return [words.setUp.noisySince(where, timeOfDay(board.noisySince), board.noise)];
    });
  }

  private failing(): string[] {
    const words = this.options.words();
    const wrong = this.outlets.filter(({ works }) => !works);
    return wrong.map(({ name, since, last }) => {
      const fails = words.outletFails(outletName(name, words), timeOfDay(since));
      // What was answered last is told by other programs, in their own words.
      return [fails, outletRemedy(name, words), `(${last})`].filter(Boolean).join(' ');
    });
  }
}
