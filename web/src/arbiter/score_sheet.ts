/** The score beside the board: moves, times, what was worked out, and what happened at a move. */

import { askPaper } from '../data/session';
import { openAlerts, settledAlerts } from '../pure/alerts';
import { scoreRows, type Remark, type ScoreRow } from '../pure/arbiter_score';
import { formatClock } from '../pure/clock';
import { ofGame, readClosed, type ClosedAlert } from '../pure/dossier';
import type { TableState } from '../pure/halls';
import { moveLabel } from '../pure/moves';
import type { Move } from '../pure/payloads';
import { alertAddress, dossierAddress } from '../pure/place';
import { positionsOf, type Shown } from '../pure/positions';
import { localSan, toldTo } from '../pure/san';
import { numberOf, type TableId } from '../pure/table_id';
import { sentence } from '../view/alert_row';
import { h, icon, setAttribute, setText } from '../view/dom';
import { quiet } from '../view/form';
import { toolButton } from '../view/header';
import { ICONS } from '../view/icons';
import type { Desk } from './desk';
import { becameText } from './dossier';

/** Closer than this to the end counts as being there. */
const NEAR_END_PX = 24;

export class ScoreSheet {
  readonly element = h('section', { class: 'score', hidden: true });
  private readonly title = h('h3', {});
  private readonly legend = h('p', { class: 'score-legend' });
  /** Alerts that are closed are made from the record, when somebody wants them. */
  private readonly past = quiet('', () => void this.askClosed());
  private readonly pastTold = h('p', { class: 'score-legend', role: 'status' });
  private closed: readonly ClosedAlert[] = [];
  private readonly list = h('div', { class: 'moves', tabindex: '0', role: 'region' });
  private readonly earlier = h('p', { class: 'earlier', role: 'status' });
  private readonly steps = [
    toolButton(icon(ICONS.first), () => this.view(0)),
    toolButton(icon(ICONS.back), () => this.step(-1)),
    toolButton(icon(ICONS.forward), () => this.step(1)),
    toolButton(icon(ICONS.last), () => this.view(null)),
  ];
  private table: TableId = '';
  private drawn = '';
  private played = '';
  private positions: readonly Shown[] = [];
  /** The ply whose position is looked at; null: the latest, as it comes. */
  private viewed: number | null = null;
  /** Until the reader scrolls away from it, the last move stays in view. */
  private following = true;

  /** `onView`: another position is looked at. */
  constructor(
    private readonly desk: Desk,
    private readonly onView: () => void,
  ) {
    const walk = h('div', { class: 'walk' }, ...this.steps);
    const { title, legend, list, earlier, past, pastTold } = this;
    this.element.append(title, legend, list, earlier, walk, past, pastTold);
    this.list.addEventListener('scroll', () => (this.following = this.atEnd()));
    new ResizeObserver(() => this.follow()).observe(this.list);
  }

  open(table: TableId): void {
    this.table = table;
    [this.viewed, this.following, this.drawn, this.played] = [null, true, '', ''];
    this.closed = [];
    setText(this.pastTold, '');
  }

  /** The earlier position that is looked at. */
  shown(): Shown | null {
    return this.viewed === null ? null : (this.positions[this.viewed] ?? null);
  }

  draw(state: TableState): void {
    const { game } = state;
    const { words, letters, language } = this.desk.app;
    this.element.hidden = game === undefined;
    if (game === undefined) return;
    const played = JSON.stringify([game.startFen, game.moves.map(({ uci }) => uci)]);
    if (played !== this.played) {
      this.played = played;
      this.positions = positionsOf(game);
      // The game may have become another one: then there is nothing earlier to look at.
      if (this.viewed !== null && this.viewed >= this.positions.length) this.viewed = null;
    }
    setText(this.title, words.gameScore);
    setText(this.past, words.closedAlerts);
    this.past.hidden = !this.desk.app.hasPapers;
    this.list.setAttribute('aria-label', words.gameScore);
    const ledger = this.desk.app.halls.ledgers.get(this.table);
    const closed = ofGame(this.closed, game.number);
    const rows = scoreRows(game, this.alerts(), ledger, closed);
    const told = rows.map(({ remarks }) => remarks.map((it) => this.told(it)));
    const key = JSON.stringify([game.startFen, game.moves, told, this.viewed, language, letters]);
    this.drawWalk(state);
    if (key === this.drawn) return;
    this.drawn = key;
    this.drawRows(rows);
  }

  private alerts() {
    const { alerts } = this.desk.app.halls;
    const all = [...openAlerts(alerts.values()), ...settledAlerts(alerts.values())];
    return all.filter(({ table, earlierGame }) => table === this.table && !earlierGame);
  }

  private async askClosed(): Promise<void> {
    const { credentials } = this.desk;
    const { words } = this.desk.app;
    const { table } = this;
    setText(this.pastTold, words.dossierReading);
    const raw =
      credentials === null
        ? null
        : await askPaper('alerts', credentials, { table: numberOf(table) });
    if (table !== this.table) return;
    const closed = raw === null ? null : readClosed(raw);
    this.closed = closed ?? [];
    const game = this.desk.app.halls.tables.get(table)?.game?.number ?? null;
    const own = ofGame(this.closed, game).length;
    setText(this.pastTold, closed === null ? words.dossierUnread : words.closedCount(own));
    this.onView();
  }

  private drawRows(rows: readonly ScoreRow[]): void {
    const { words } = this.desk.app;
    const moves = rows.flatMap(({ white, black }) => [white, black]).filter((it) => it !== null);
    const last = moves.find(({ ply }) => ply === this.viewed) ?? moves.at(-1) ?? null;
    const inferred = moves.some((move) => move.inferred);
    setText(this.legend, inferred ? `≈ ${words.inferred}` : '');
    const lines = rows.flatMap((row) => [this.line(row, last), ...this.remarks(row)]);
    const none = h('p', { class: 'moves-none' }, words.noMoves);
    this.list.replaceChildren(lines.length === 0 ? none : h('ol', {}, ...lines));
    if (this.viewed === null) this.follow();
    else this.list.querySelector('[data-last]')?.scrollIntoView({ block: 'nearest' });
  }

  private line({ number, white, black }: ScoreRow, last: Move | null): HTMLElement {
    const begun = h('span', { class: 'move-number' }, `${number}.`);
    const first = this.cell(white, black === null ? '' : '…', last);
    return h('li', {}, begun, first, this.cell(black, '', last));
  }

  private cell(move: Move | null, blank: string, last: Move | null): HTMLElement {
    if (move === null) return h('span', { class: 'move' }, blank);
    const { words, letters } = this.desk.app;
    const released = move.status === 'released';
    const time = move.clockMs === null ? null : h('small', {}, formatClock(move.clockMs));
    const about = {
      class: 'move',
      type: 'button',
      'data-last': move === last,
      'data-inferred': move.inferred,
      'data-released': released,
      title: move.inferred ? words.inferred : released && words.released,
      onclick: () => this.view(move.ply),
    };
    const hidden = move.inferred ? ` ${words.inferred}` : '';
    const san = h('b', {}, localSan(move.san, letters));
    if (hidden !== '') san.append(h('span', { class: 'visually-hidden' }, hidden));
    return h('button', about, san, time);
  }

  private remarks({ remarks }: ScoreRow): HTMLElement[] {
    return remarks.map((remark) => {
      const told = this.told(remark);
      if (remark.about === 'fault') return h('li', { class: 'remark' }, told);
      if (remark.about === 'closed') {
        const link = h('a', { href: dossierAddress(remark.closed.id) }, told);
        return h('li', { class: 'remark is-closed' }, link);
      }
      const href = alertAddress(remark.alert.id);
      const about = { class: 'remark', 'data-gravity': remark.gravity };
      return h('li', about, h('a', { href }, told));
    });
  }

  private told(remark: Remark): string {
    const { app } = this.desk;
    if (remark.about === 'alert') return sentence(remark.alert, app);
    const { words } = app;
    if (remark.about === 'closed') {
      const { text, kind, last } = remark.closed;
      const what = text === null ? (words.kinds[kind] ?? kind) : toldTo(app, text);
      return last === null ? what : words.about(what, becameText(last, this.desk));
    }
    const { kind, article, ruling } = remark.fault;
    const what = words.kinds[kind] ?? kind.replaceAll('_', ' ');
    const ruled = ruling === null ? words.notRuled : words.ruled[ruling];
    return [words[remark.side], what, words.article(article), ruled].join(' · ');
  }

  private drawWalk({ game }: TableState): void {
    const { words, letters } = this.desk.app;
    const names = [words.firstMove, words.oneBack, words.oneOn, words.lastMove];
    this.steps.forEach((button, index) => {
      setAttribute(button, 'aria-label', names[index] ?? '');
      setAttribute(button, 'title', names[index] ?? '');
      const nowhere = index < 2 ? this.viewed === 0 : this.viewed === null;
      button.disabled = nowhere || this.positions.length < 2;
    });
    const move = game?.moves[(this.viewed ?? 0) - 1];
    const label = moveLabel(this.viewed ?? 0, game?.startFen ?? null);
    const place = move === undefined ? words.begun : `${label} ${localSan(move.san, letters)}`;
    setText(this.earlier, this.viewed === null ? '' : words.earlier(place));
  }

  private view(ply: number | null): void {
    this.viewed = ply !== null && ply < this.positions.length - 1 ? ply : null;
    this.onView();
  }

  private step(by: number): void {
    this.view(Math.max(0, (this.viewed ?? this.positions.length - 1) + by));
  }

  private follow(): void {
    if (this.following) this.list.scrollTop = this.list.scrollHeight;
  }

  private atEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.list;
    return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  }
}
