/** The results of a round: to look through, to print, and to take home to the pairing program. */

import { askFile, askPaper } from '../data/session';
import { writtenText } from '../pure/result';
import { roundEnd, runsOf } from '../pure/round_end';
import { readResults, type ResultRow, type RoundResults } from '../pure/round_results';
import { toldTo } from '../pure/san';
import type { TableId } from '../pure/table_id';
import { h, icon, setAttribute, setText } from '../view/dom';
import { choice, quiet } from '../view/form';
import { ICONS } from '../view/icons';
import { printPage } from '../view/printed_page';
import { saveFile } from '../view/save_file';
import { complaint, offers, type Desk, type View } from './desk';
import { Outlets } from './outlets';

/** What can be downloaded: its form for the daemon, and how the file ends. */
type Form = readonly [form: string, ending: string];

/** How long after a change the results are asked for, in ms: more may come with it. */
const RENEW_MS = 500;

const USUAL = ['1-0', '1/2-1/2', '0-1'] as const;
const FORFEITS = ['+/-', '-/+', '-/-'] as const;
const COLUMNS = ['is-table', 'is-white', 'is-result', 'is-black'] as const;

export class Results implements View {
  readonly element = h('div', { class: 'time-sheets results' });
  private readonly back = h('a', { class: 'tool sheet-back', href: '#/tables' });
  private readonly title = h('h2', {});
  private readonly papers = h('p', { class: 'papers' });
  private readonly rounds = h('div', { class: 'moments', role: 'group' });
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly remarks = h('ul', { class: 'remarks' });
  /** What is still to be done before the round can be closed. */
  private readonly end = h('ul', { class: 'round-end' });
  private readonly list = h('div', {});
  private readonly outlets: Outlets;
  private readonly paper = h('div', { class: 'paper' });
  /** Null: the round that is played. */
  private round: string | null = null;
  private told: RoundResults | null = null;
  /** The answer that `told` was read from. */
  private body = '';
  private drawnHead = '';
  private drawnList = '';
  private drawnEnd = '';
  /** Of which results and names of the hall the last answer is. */
  private asked = '';
  private renewing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly desk: Desk) {
    const { back, title, papers, rounds, error, end, remarks, list, paper } = this;
    back.append(icon(ICONS.back));
    this.outlets = new Outlets(desk);
    const head = h('div', { class: 'tables-head' }, back, title, papers);
    const parts = [head, rounds, error, end, remarks, list, this.outlets.element, paper];
    this.element.append(...parts);
  }

  /** Asked anew each time it is looked at. */
  async open(): Promise<void> {
    this.paper.replaceChildren();
    this.asked = this.known();
    await Promise.all([this.renew(), this.outlets.renew()]);
  }

  /** An arbiter was answered: what was entered may be of a game that is no longer at its table. */
  heard(): void {
    this.renewSoon();
  }

  private async renew(): Promise<void> {
    const body = await this.ask('about');
    const told = body === null ? null : readResults(body);
    this.error.hidden = told !== null;
    if (told !== null) [this.told, this.body] = [told, body ?? ''];
    this.draw();
  }

  /** What the feed tells of results and names: tablets, boards and pairings change it. */
  private known(): string {
    const games = [...this.desk.app.halls.tables].map(([table, { game }]) => [
      table,
      game?.white?.name,
      game?.black?.name,
      game?.result,
      game?.termination,
    ]);
    return JSON.stringify(games);
  }

  /** A round ends at many tables within a minute, and each answer has all of them. */
  private renewSoon(): void {
    this.renewing ??= setTimeout(() => {
      this.renewing = undefined;
      void this.renew();
    }, RENEW_MS);
  }

  draw(): void {
    const known = this.known();
    if (known !== this.asked && this.desk.credentials !== null) {
      this.asked = known;
      this.renewSoon();
    }
    this.drawHead();
    this.drawList();
    this.drawEnd();
    this.outlets.draw();
  }

  /** Buttons stay while they are the same: a finger may be on one. */
  private drawHead(): void {
    const { words, language } = this.desk.app;
    const { round = '', rounds = [], report = null } = this.told ?? {};
    const failed = this.error.hidden ? '' : words.resultsUnread;
    const key = JSON.stringify([language, failed, this.told === null, round, rounds, report]);
    if (key === this.drawnHead) return;
    this.drawnHead = key;
    setAttribute(this.back, 'aria-label', words.allTables);
    setText(this.error, failed);
    setText(this.title, [words.results, round].filter(Boolean).join(' '));
    this.papers.replaceChildren(...this.downloads());
    this.rounds.setAttribute('aria-label', words.results);
    const shown = rounds.filter((name) => name !== '');
    const choices = shown.map((name) => choice(name, name === round, () => this.choose(name)));
    this.rounds.replaceChildren(...choices);
  }

  private drawList(): void {
    const awaited = this.told?.rows.filter(({ nextGame }) => nextGame !== null) ?? [];
    const away = awaited.map(({ table }) => this.isAway(table));
    const key = JSON.stringify([this.desk.app.language, this.desk.app.letters, this.body, away]);
    if (key === this.drawnList) return;
    this.drawnList = key;
    const remarks = this.told?.remarks ?? [];
    this.remarks.replaceChildren(...remarks.map((it) => h('li', {}, toldTo(this.desk.app, it))));
    this.list.replaceChildren(this.table());
  }

  tick(): void {
    this.outlets.tick();
  }

  private choose(round: string): void {
    this.round = round;
    void this.open().then(() =>
      this.rounds.querySelector<HTMLElement>('[aria-pressed=true]')?.focus(),
    );
  }

  private downloads(): HTMLElement[] {
    const { words } = this.desk.app;
    const { told } = this;
    if (told === null) return [];
    const save = (name: string, form: Form) => quiet(name, () => void this.save(form));
    const print = quiet(words.print, () => void this.print());
    const lists = [
      save('Swiss-Manager', ['swiss_manager', '-swiss-manager.csv']),
      save('CSV', ['csv', '.csv']),
      save(words.crosstable, ['crosstable', '-crosstable.csv']),
    ];
    const ofReport = [save('TRF', ['report', '']), save('Vega', ['vega', '.res'])];
    return [print, ...(told.report === null ? [] : ofReport), ...lists];
  }

  private table(): HTMLElement {
    const { words } = this.desk.app;
    const rows = this.told?.rows ?? [];
    if (rows.length === 0) return h('p', { class: 'none' }, words.resultsEmpty);
    const line = (row: ResultRow) =>
      h(
        'tr',
        {},
        h('td', { class: COLUMNS[0] }, h('a', { href: `#/table/${row.table}` }, String(row.table))),
        h('td', { class: 'is-white' }, row.white),
        h('td', { class: 'is-result' }, ...this.result(row)),
        h('td', { class: 'is-black' }, row.black),
      );
    const names = words.resultsColumns.map((name, index) =>
      h('th', { class: COLUMNS[index] ?? '' }, name),
    );
    const head = h('thead', {}, h('tr', {}, ...names));
    return h('table', { class: 'time-sheet' }, head, h('tbody', {}, ...rows.map(line)));
  }

  private drawEnd(): void {
    const lines = this.roundEnd();
    this.end.hidden = lines.length === 0;
    const key = JSON.stringify(lines);
    if (key === this.drawnEnd) return;
    this.drawnEnd = key;
    this.end.replaceChildren(...lines.map(([told, open]) => h('li', { 'data-open': open }, told)));
  }

  /** Line by line, and whether something is still to be done there. */
  private roundEnd(): readonly (readonly [string, boolean])[] {
    const { words, halls } = this.desk.app;
    const rows = this.told?.rows ?? [];
    if (rows.length === 0) return [];
    const end = roundEnd(rows, halls.alerts.values());
    const line = (tables: readonly TableId[], say: (told: string) => string) =>
      tables.length === 0 ? [] : [[say(runsOf(tables)), true] as const];
    return [
      [words.endFinished(end.finished, end.games), end.finished < end.games],
      ...line(end.missing, words.endMissing),
      ...line(end.contradicting, words.endContradicting),
      ...line(end.undecided, words.endUndecided),
    ];
  }

  /** What can be entered here only: at its table another game is played, or none will begin. */
  private result(row: ResultRow): (HTMLElement | string)[] {
    if (row.result !== null) return [writtenText(row.result)];
    if (!offers(this.desk, 'set_result')) return [];
    if (row.earlierGame !== null) return [this.entries(row, row.earlierGame, USUAL)];
    if (row.nextGame === null || !this.isAway(row.table)) return [];
    return [this.entries(row, row.nextGame, [...USUAL, ...FORFEITS])];
  }

  private isAway(table: TableId): boolean {
    return this.desk.app.halls.tables.get(table)?.device?.state !== 'online';
  }

  private entries({ table }: ResultRow, game: number, results: readonly string[]): HTMLElement {
    const button = (result: string) =>
      quiet(writtenText(result), () => void this.enter({ table, game, result }));
    return h('div', { class: 'mends' }, ...results.map(button));
  }

  /** The round is named too: what is entered after the hall has gone on is refused. */
  private async enter(entered: { table: TableId; game: number; result: string }): Promise<void> {
    const { words } = this.desk.app;
    const body = { ...entered, round: this.told?.round };
    const outcome = await this.desk.requests.ask('set_result', body);
    const failed = complaint(outcome, this.desk);
    const done = words.resultSet(writtenText(entered.result));
    if (failed === null) this.desk.decided(entered.table, done);
    else this.desk.say(words.about(words.table(entered.table), failed));
  }

  private async ask(form: string): Promise<string | null> {
    const { credentials, app } = this.desk;
    const wanted = { form, round: this.round, language: app.language };
    return credentials === null ? null : askPaper('results', credentials, wanted);
  }

  private async print(): Promise<void> {
    const page = await this.ask('html');
    if (page === null) return this.desk.say(this.desk.app.words.resultsUnread);
    const { words } = this.desk.app;
    const state = this.roundEnd().map(([told]) => h('p', {}, told));
    const lines = words.journalSign.map((name) => h('span', {}, `${name}:`));
    const signature = h('p', { class: 'journal-signature' }, ...lines);
    printPage(this.paper, page, h('div', { class: 'paper-foot' }, ...state, signature));
  }

  private async save([form, ending]: Form): Promise<void> {
    const { credentials, app } = this.desk;
    const wanted = { form, round: this.round, language: app.language };
    const file = credentials === null ? null : await askFile('results', credentials, wanted);
    if (file === null) return this.desk.say(app.words.resultsUnread);
    const name = form === 'report' ? this.told?.report : `round-${this.told?.round ?? ''}${ending}`;
    saveFile(file, name ?? 'results');
  }
}
