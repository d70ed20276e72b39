/** One table as the arbiter sees it, with what he can do there. */

import { openAlerts, settledAlerts } from '../pure/alerts';
import type { TableState } from '../pure/hall';
import { moveLabel } from '../pure/moves';
import { differingSquares } from '../pure/placement';
import { resultText } from '../pure/result';
import { localSan } from '../pure/san';
import { squaresFilter } from '../pure/topics';
import { alertAddress } from '../view/alert_row';
import { Board } from '../view/board';
import { h, icon, setAttribute, setText } from '../view/dom';
import { ICONS } from '../view/icons';
import { PlayerRow } from '../view/player_row';
import { PositionEditor } from '../view/position_editor';
import { rawResult, stateLine } from '../view/state_line';
import { ClaimTool } from './claim_tool';
import { complaint, offers, type Desk, type View } from './desk';

const RESULTS = ['1-0', '1/2-1/2', '0-1', '*'] as const;
const BEGINNING = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const TICK_MS = 200;

export class OneTable implements View {
  readonly element = h('div', { class: 'one-table' });
  private table = 0;
  private readonly title = h('b', {});
  private readonly back = h('a', { class: 'tool sheet-back', href: '#/tables' });
  private readonly state = h('span', { class: 'tile-state' });
  private readonly last = h('p', { class: 'last-move' });
  private readonly alerts = h('ul', { class: 'table-alerts' });
  private readonly boardElement = h('div', { class: 'board' });
  private readonly board = new Board(this.boardElement, true);
  private readonly differs = h('p', { class: 'differs', role: 'status' });
  private readonly rows = { white: new PlayerRow(), black: new PlayerRow() };
  private readonly tools = h('div', { class: 'table-tools' });
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  /** The position editor or the claim check, in the place of the other tools. */
  private editor: { readonly element: HTMLElement } | null = null;
  private chosen: string | null = null;

  constructor(private readonly desk: Desk) {
    const { back, title, state, last, alerts, rows, boardElement, differs, error, tools } = this;
    back.append(icon(ICONS.back));
    const head = h('p', { class: 'sheet-head' }, back, title, state);
    const view = [rows.black.element, boardElement, rows.white.element];
    const facts = h('div', { class: 'table-facts' }, last, differs, alerts, error, tools);
    this.element.append(head, h('div', { class: 'table-view' }, ...view), facts);
    setInterval(() => this.tickClocks(), TICK_MS);
  }

  open(table: number | null): void {
    if (table === null) return this.desk.app.link?.watch(null);
    const { app } = this.desk;
    app.link?.watch(squaresFilter(app.config.base, table));
    if (table === this.table) return;
    this.table = table;
    this.editor = null;
    this.chosen = null;
    this.fail(null);
    this.draw();
  }

  draw(): void {
    if (this.table === 0) return;
    const { words, language, hall, settled } = this.desk.app;
    const state = hall.tables.get(this.table) ?? {};
    const unknown = settled && !hall.tables.has(this.table);
    const line = stateLine(state, words, language);
    const told = unknown ? words.unknownTable(this.table) : line.mood === 'plain' ? '' : line.text;
    setText(this.title, words.table(this.table));
    setText(this.state, told);
    setAttribute(this.state, 'data-mood', line.mood);
    setAttribute(this.back, 'aria-label', words.allTables);
    setText(this.last, this.lastMove(state));
    this.drawPlayers(state);
    this.drawBoard(state);
    this.drawAlerts();
    if (this.editor === null) this.drawTools(state);
    this.tickClocks();
  }

  tick(): void {
    return;
  }

  private tickClocks(): void {
    if (this.element.offsetParent === null) return;
    const { app } = this.desk;
    const state = app.hall.tables.get(this.table);
    const now = state === undefined ? null : app.nowFor(state);
    for (const side of ['white', 'black'] as const) this.rows[side].tick(state?.clock, side, now);
  }

  /** "12… Nf6 · made on the board, clock not pressed yet": the arbiter may know. */
  private lastMove({ position, game }: TableState): string {
    const { words, language } = this.desk.app;
    if (!position?.last) return '';
    const label = moveLabel(position.ply, game?.startFen ?? null);
    const how = position.status === 'released' ? words.releasedNotPressed : words.completedByPress;
    return `${label} ${localSan(position.last.san, language)} · ${how}`;
  }

  private drawPlayers(state: TableState): void {
    const { words } = this.desk.app;
    for (const side of ['white', 'black'] as const) {
      const player = state.game?.[side] ?? null;
      this.rows[side].draw({ player, side, result: rawResult(state), words }, null);
    }
  }

  /** What stands on the squares is marked where it differs from the score. */
  private drawBoard({ position, board }: TableState): void {
    const { words } = this.desk.app;
    const fen = position?.fen ?? null;
    const physical = board?.placement ?? null;
    const marked = fen !== null && physical !== null ? differingSquares(fen, physical) : [];
    const doubt = position?.phase === 'adrift' && marked.length > 0;
    setText(this.differs, doubt ? words.differs(marked.join(', ')) : '');
    this.board.draw({
      fen: doubt ? physical : fen,
      lastUci: position?.last?.uci ?? null,
      check: position?.check ? position.turn : null,
      orientation: 'white',
      marked: doubt ? marked : [],
    });
  }

  private drawAlerts(): void {
    const { hall, language } = this.desk.app;
    const all = [...openAlerts(hall.alerts.values()), ...settledAlerts(hall.alerts.values())];
    const own = all.filter(({ table }) => table === this.table);
    const links = own.map((alert) => {
      const text = alert.text?.[language] ?? alert.kind;
      const link = h('a', { href: alertAddress(alert.id) }, text);
      return h('li', { 'data-gravity': alert.gravity }, link);
    });
    this.alerts.replaceChildren(...links);
  }

  private drawTools(state: TableState): void {
    const key = JSON.stringify([this.table, this.desk.app.language, this.chosen, rawResult(state)]);
    if (this.tools.dataset['key'] === key) return;
    this.tools.dataset['key'] = key;
    const tools = [
      offers(this.desk, 'set_result') ? this.resultTool(rawResult(state)) : null,
      this.otherTools(),
    ];
    this.tools.replaceChildren(...tools.filter((tool) => tool !== null));
  }

  private resultTool(current: string): HTMLElement {
    const { words } = this.desk.app;
    const name = (result: string) => resultText(result) ?? words.goesOn;
    const choices = RESULTS.map((result) => {
      const choose = () => this.choose(this.chosen === result ? null : result);
      const pressed = String((this.chosen ?? current) === result);
      const button = { class: 'choice', type: 'button', 'aria-pressed': pressed, onclick: choose };
      return h('button', button, name(result));
    });
    const group = { class: 'choices is-four', role: 'group', 'aria-label': words.result };
    return h(
      'section',
      {},
      h('h3', {}, words.result),
      h('div', group, ...choices),
      this.chosen === null || this.chosen === current ? null : this.confirmation(name(this.chosen)),
    );
  }

  private confirmation(name: string): HTMLElement {
    const { words } = this.desk.app;
    const result = this.chosen;
    const act = () => void this.ask('set_result', { result }, words.resultSet(name));
    const cancel = () => this.choose(null);
    return h(
      'p',
      { class: 'confirm' },
      h('button', { class: 'button', type: 'button', onclick: act }, words.confirm(name)),
      h('button', { class: 'button is-quiet', type: 'button', onclick: cancel }, words.cancel),
    );
  }

  private otherTools(): HTMLElement {
    const { words } = this.desk.app;
    const button = (name: string, onclick: () => void) =>
      h('button', { class: 'button is-quiet', type: 'button', onclick }, name);
    const tools = [
      offers(this.desk, 'set_position') ? button(words.editPosition, () => this.edit()) : null,
      offers(this.desk, 'claim_check') ? button(words.claim, () => this.claim()) : null,
      offers(this.desk, 'flip')
        ? button(words.turnBoard, () => void this.ask('flip', {}, words.boardTurned))
        : null,
      offers(this.desk, 'take_back')
        ? button(words.takeBack, () => void this.ask('take_back', {}, words.tookBack))
        : null,
    ];
    return h('div', { class: 'tool-row' }, ...tools.filter((tool) => tool !== null));
  }

  private choose(result: string | null): void {
    this.chosen = result;
    this.draw();
    this.tools.querySelector<HTMLElement>('.confirm .button')?.focus();
  }

  /** From the score, from the squares or from the beginning, whichever is nearest the truth. */
  private edit(): void {
    const { words, hall } = this.desk.app;
    const { position, board } = hall.tables.get(this.table) ?? {};
    const score = position?.fen ?? BEGINNING;
    const rest = score.split(' ').slice(1).join(' ');
    const sources: [string, string][] = [[words.fromScore, score]];
    if (board?.placement) sources.push([words.fromSquares, `${board.placement} ${rest}`]);
    sources.push([words.fromBeginning, BEGINNING]);
    const editor = new PositionEditor(score, sources, words, {
      onSend: (fen) => void this.setPosition(fen),
      onCancel: () => this.closeEditor(),
    });
    this.enter(editor);
  }

  private claim(): void {
    this.enter(new ClaimTool(this.desk, this.table, () => this.closeEditor()));
  }

  private enter(editor: { readonly element: HTMLElement }): void {
    this.editor = editor;
    this.tools.dataset['key'] = '';
    this.tools.replaceChildren(editor.element);
    editor.element.scrollIntoView({ block: 'start' });
  }

  private async setPosition(fen: string): Promise<void> {
    const { app } = this.desk;
    const chess960 = app.hall.tables.get(this.table)?.game?.chess960 === true;
    const done = await this.ask('set_position', { fen, chess960 }, app.words.positionSet);
    if (done) this.closeEditor();
  }

  private closeEditor(): void {
    this.editor = null;
    this.draw();
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
    if (failed === null) this.desk.say(`${this.desk.app.words.table(table)}: ${done}`);
    return failed === null;
  }

  private fail(text: string | null): void {
    this.error.hidden = text === null;
    setText(this.error, text ?? '');
  }
}

