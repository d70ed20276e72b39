/** One table as the arbiter sees it, with what he can do there. */

import { gameOf, openAlerts, settledAlerts, type Alert, type Gravity } from '../pure/alerts';
import type { Words } from '../i18n/words';
import { minuteOfDay } from '../pure/format';
import type { TableState } from '../pure/halls';
import { isWritten } from '../pure/ledger';
import { moveLabel } from '../pure/moves';
import type { Side } from '../pure/payloads';
import { alertAddress } from '../pure/place';
import { differingSquares } from '../pure/placement';
import { isUnrecorded } from '../pure/unrecorded';
import { localSan } from '../pure/san';
import type { TableId } from '../pure/table_id';
import { squaresFilter } from '../pure/topics';
import { namesOf, sentence } from '../view/alert_row';
import { Board, pictureOf } from '../view/board';
import { h, icon, refill, setAttribute, setText } from '../view/dom';
import { ICONS } from '../view/icons';
import { ledgerPage } from '../view/ledger_page';
import { sheetTable } from '../view/sheet_table';
import { PlayerRow } from '../view/player_row';
import { rawResult, stateLine } from '../view/state_line';
import { offers, type Desk, type View } from './desk';
import { ScoreSheet } from './score_sheet';
import { TableTools } from './table_tools';
import { adriftText } from './tables';
import { WithdrawTool } from './withdraw_tool';

const SIDES = ['white', 'black'] as const;
const TICK_MS = 200;

export class OneTable implements View {
  readonly element = h('div', { class: 'one-table' });
  private table: TableId = '';
  private readonly title = h('b', {});
  private readonly back = h('a', { class: 'tool sheet-back', href: '#/tables' });
  private readonly state = h('span', { class: 'tile-state' });
  private readonly last = h('p', { class: 'last-move' });
  private readonly alerts = h('ul', { class: 'table-alerts' });
  /** Apart from what concerns the players who sit there now. */
  private readonly earlierTitle = h('h3', {});
  private readonly earlier = h('ul', { class: 'table-alerts is-earlier' });
  private readonly boardElement = h('div', { class: 'board' });
  private readonly board = new Board(this.boardElement, true);
  private readonly differs = h('p', { class: 'differs', role: 'status' });
  /** How long already; apart, for it is not read out anew each second. */
  private readonly differFor = h('p', { class: 'differs' });
  private readonly rows = { white: new PlayerRow(), black: new PlayerRow() };
  private readonly ledger = h('div', { class: 'table-ledger' });
  private readonly withdrawal = h('div', {});
  private readonly timesTitle = h('summary', {});
  private readonly times = h('details', { class: 'table-times' }, this.timesTitle);
  private timesDrawn = '';
  private ledgerDrawn = '';
  private alertsDrawn = '';
  private readonly tools: TableTools;
  private readonly score: ScoreSheet;

  constructor(private readonly desk: Desk) {
    const { back, title, state, last, alerts, rows, boardElement, differs } = this;
    this.tools = new TableTools(desk);
    this.score = new ScoreSheet(desk, () => this.draw());
    back.append(icon(ICONS.back));
    const head = h('p', { class: 'sheet-head' }, back, title, state);
    const view = [rows.black.element, boardElement, rows.white.element];
    const { element: tools } = this.tools;
    const told = [last, differs, this.differFor];
    const facts = h('div', { class: 'table-facts' }, ...told, alerts, tools, this.score.element);
    facts.append(this.ledger, this.withdrawal, this.times, this.earlierTitle, this.earlier);
    this.element.append(head, h('div', { class: 'table-view' }, ...view), facts);
    setInterval(() => this.tickClocks(), TICK_MS);
  }

  open(table: TableId | null): void {
    if (table === null) return this.desk.app.link?.watch(null);
    this.watch(table);
    if (table === this.table) return;
    this.table = table;
    this.tools.open(table);
    this.score.open(table);
    this.withdrawal.replaceChildren();
    this.draw();
  }

  /** Another arbiter goes on at this tablet: what was being written is not his. */
  forget(): void {
    if (this.table === '') return;
    this.tools.open(this.table);
    this.withdrawal.replaceChildren();
  }

  /** The squares as they are; its hall may not have been heard of yet. */
  private watch(table: TableId): void {
    const { app } = this.desk;
    const hall = app.halls.hallOf(table);
    if (hall !== undefined) app.link?.watch(squaresFilter(hall.base, table));
  }

  draw(): void {
    if (this.table === '') return;
    this.watch(this.table);
    const { app } = this.desk;
    const { words, halls, settled } = app;
    const state = halls.tables.get(this.table) ?? {};
    const unheard = !halls.tables.has(this.table);
    const unknown = settled && unheard;
    const line = stateLine(state, words, app.letters);
    const known = line.mood === 'plain' ? '' : line.text;
    const told = unheard ? app.whereNothingIs(words.unknownTable(this.table)) : known;
    setAttribute(this.element, 'data-unknown', unknown ? '' : null);
    setAttribute(this.element, 'data-stale', app.staleAt(this.table) ? '' : null);
    setText(this.title, words.table(this.table));
    setText(this.state, told);
    setAttribute(this.state, 'data-mood', line.mood);
    setAttribute(this.back, 'aria-label', words.allTables);
    setText(this.last, this.lastMove(state));
    this.drawPlayers(state);
    this.score.draw(state);
    this.drawBoard(state);
    this.drawAlerts();
    this.drawLedger();
    this.drawTimes();
    this.tools.draw();
    this.tickClocks();
  }

  tick(): void {
    if (this.differFor.textContent !== '') setText(this.differFor, this.adriftText());
  }

  private tickClocks(): void {
    if (this.element.offsetParent === null) return;
    const { app } = this.desk;
    const state = app.halls.tables.get(this.table);
    const now = state === undefined ? null : app.nowFor(this.table);
    for (const side of SIDES) this.rows[side].tick(state?.clock, side, now);
  }

  /** "12… Nf6 · made on the board, clock not pressed yet": the arbiter may know. */
  private lastMove({ position, game }: TableState): string {
    const { words, letters } = this.desk.app;
    if (!position?.last) return '';
    const label = moveLabel(position.ply, game?.startFen ?? null);
    const how = position.status === 'released' ? words.releasedNotPressed : words.completedByPress;
    return `${label} ${localSan(position.last.san, letters)} · ${how}`;
  }

  private drawPlayers(state: TableState): void {
    const { words } = this.desk.app;
    for (const side of SIDES) {
      const player = state.game?.[side] ?? null;
      this.rows[side].draw({ player, side, result: rawResult(state), words }, null);
    }
  }

  /** What stands on the squares is marked where it differs from the score. */
  private drawBoard(state: TableState): void {
    const { position, board } = state;
    const { words } = this.desk.app;
    const fen = position?.fen ?? null;
    const physical = board?.placement ?? null;
    const marked = fen !== null && physical !== null ? differingSquares(fen, physical) : [];
    const doubt = position?.phase === 'adrift' && marked.length > 0;
    const unrecorded = isUnrecorded(state);
    const differs = doubt ? words.differs(marked.join(', ')) : '';
    setText(this.differs, unrecorded ? words.movesUnrecorded : differs);
    setText(this.differFor, position?.phase === 'adrift' ? this.adriftText() : '');
    const earlier = this.score.shown();
    setAttribute(this.boardElement, 'data-earlier', earlier === null ? null : '');
    if (earlier !== null) return this.board.draw({ ...earlier, orientation: 'white' }, words);
    const picture = pictureOf(position, 'white');
    const shown = unrecorded || doubt;
    this.board.draw(shown ? { ...picture, fen: physical, marked } : picture, words);
  }

  private adriftText(): string {
    const { app } = this.desk;
    return adriftText(app.halls.tables.get(this.table) ?? {}, app.daemonNow(this.table), app.words);
  }

  private drawLedger(): void {
    const { words, halls, language } = this.desk.app;
    const ledger = halls.ledgers.get(this.table);
    const written = SIDES.filter((side) => ledger !== undefined && isWritten(ledger[side]));
    const key = JSON.stringify([this.table, language, written, ledger]);
    if (key === this.ledgerDrawn) return;
    this.ledgerDrawn = key;
    const pages = written.flatMap((side) => {
      if (ledger === undefined) return [];
      const withdrawal = (given: number) => this.withdraw(side, given);
      const offered = offers(this.desk, 'penalty_withdrawn') ? withdrawal : null;
      return [h('h3', {}, words[side]), ledgerPage(ledger[side], words, offered)];
    });
    this.ledger.replaceChildren(...pages);
  }

  /** The form stands below what it is about. */
  private withdraw(side: Side, given: number): void {
    const onClose = () => this.withdrawal.replaceChildren();
    const tool = new WithdrawTool({ desk: this.desk, table: this.table, onClose }, side, given);
    this.withdrawal.replaceChildren(tool.element);
    tool.focus();
  }

  /** What was written down of its clock. */
  private drawTimes(): void {
    const { words, halls, language } = this.desk.app;
    const { table } = this;
    const kept = halls.timeSheets.get(table) ?? [];
    const key = JSON.stringify([language, table, kept]);
    if (key === this.timesDrawn) return;
    this.timesDrawn = key;
    const names = { white: words.white, black: words.black };
    const lines = kept.map((row) => ({ ...row, table, names }));
    this.times.hidden = lines.length === 0;
    setText(this.timesTitle, `${words.timeSheet} (${lines.length})`);
    this.times.replaceChildren(this.timesTitle, sheetTable(lines, words, minuteOfDay));
  }

  private drawAlerts(): void {
    const { app } = this.desk;
    const { halls } = app;
    const all = [...openAlerts(halls.alerts.values()), ...settledAlerts(halls.alerts.values())];
    const own = all.filter(({ table }) => table === this.table);
    const told = own.map((alert) => {
      const { id, gravity, earlierGame } = alert;
      const then = earlierGame ? gameThen(alert, app.words) : null;
      return { id, gravity, then, text: sentence(alert, app) };
    });
    const key = JSON.stringify([app.language, told]);
    // A finger may be on one of them while games go on.
    if (key === this.alertsDrawn) return;
    this.alertsDrawn = key;
    refill(this.alerts, told.filter(({ then }) => then === null).map(alertLink));
    const earlier = told.filter(({ then }) => then !== null);
    setText(this.earlierTitle, earlier.length === 0 ? '' : app.words.earlierGames);
    refill(this.earlier, earlier.map(alertLink));
  }
}

interface Told {
  readonly id: string;
  readonly gravity: Gravity;
  /** Which game it is of and who played it, where it is an earlier one. */
  readonly then: string | null;
  readonly text: string;
}

function alertLink({ id, gravity, then, text }: Told): HTMLElement {
  const about = then === null ? null : h('small', {}, then);
  return h('li', { 'data-gravity': gravity }, h('a', { href: alertAddress(id) }, about, text));
}

/** "Game 2 · Doe – Roe" */
function gameThen(alert: Alert, words: Words): string {
  const game = gameOf(alert.id);
  const name = game === null ? words.earlierGame : words.gameNumber(game);
  return [name, namesOf(alert.players)].filter((part) => part !== null).join(' · ');
}
