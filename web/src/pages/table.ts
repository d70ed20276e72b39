/** One table, large: board, players, clocks, moves. */

import '../style/table.css';
import { loadConfig } from '../data/config';
import type { Change, TableState } from '../pure/hall';
import type { Side } from '../pure/payloads';
import { tableOfPath } from '../pure/selection';
import { hallFilters } from '../pure/topics';
import { Board } from '../view/board';
import { byId, h, icon, setAttribute, setText } from '../view/dom';
import { Frames } from '../view/frames';
import { ICONS } from '../view/icons';
import { MoveList } from '../view/move_list';
import { PlayerRow } from '../view/player_row';
import { rawResult, stateLine } from '../view/state_line';
import { App } from './app';

const TICK_MS = 100;

const table = tableOfPath(location.pathname) ?? 0;
const top = new PlayerRow();
const bottom = new PlayerRow();
const moves = new MoveList();
const boardElement = h('div', { class: 'board' });
const board = new Board(boardElement, true);
const state = h('p', { class: 'table-state' });
const heading = h('h2', {});
const wall = navLink('/', ICONS.grid);
const previous = navLink('', ICONS.back);
const next = navLink('', ICONS.forward);
const frames = new Frames<'table'>(draw);

const page = byId('main');
top.element.classList.add('is-top');
bottom.element.classList.add('is-bottom');
const head = h('div', { class: 'table-head' }, previous, heading, next, state);
const sheet = h('section', { class: 'sheet' }, head, moves.element);
page.append(top.element, boardElement, sheet, bottom.element);

const app = new App(await loadConfig(), {
  filters: hallFilters,
  qos: 0,
  flippable: 'one',
  onChange,
  onRefresh: () => frames.mark('table'),
});
app.header.lead.append(wall);
app.connect(null);
setInterval(tick, TICK_MS);
frames.mark('table');

function onChange({ subject }: Change): void {
  if (subject.about === 'table' && subject.table === table) frames.mark('table');
}

function draw(): void {
  const current = app.hall.tables.get(table) ?? {};
  drawHeading(current);
  drawNeighbours();
  for (const [row, side] of rows()) {
    const player = current.game?.[side] ?? null;
    row.draw({ player, side, result: rawResult(current), words: app.words }, null);
  }
  drawBoard(current);
  moves.draw(current.game, app);
  tick();
}

function drawHeading(current: TableState): void {
  const { words, language } = app;
  const unknown = app.settled && !app.hall.tables.has(table);
  const line = stateLine(current, words, language);
  setText(heading, words.table(table));
  setText(state, unknown ? words.unknownTable(table) : line.mood === 'plain' ? '' : line.text);
  setAttribute(state, 'data-mood', line.mood);
  setAttribute(page, 'data-mood', line.mood);
  document.title = [words.table(table), app.hall.info?.event || app.config.event]
    .filter(Boolean)
    .join(' · ');
}

function drawNeighbours(): void {
  const numbers = app.hall.tableNumbers();
  const before = numbers.filter((number) => number < table).pop();
  const after = numbers.find((number) => number > table);
  drawLink(wall, '/', app.words.allTables);
  drawLink(previous, before === undefined ? null : `/table/${before}`, app.words.previousTable);
  drawLink(next, after === undefined ? null : `/table/${after}`, app.words.nextTable);
}

function drawBoard({ position }: TableState): void {
  board.draw({
    fen: position?.fen ?? null,
    lastUci: position?.last?.uci ?? null,
    check: position?.check ? position.turn : null,
    orientation: app.orientation,
  });
}

function tick(): void {
  const current = app.hall.tables.get(table);
  const now = current === undefined ? null : app.nowFor(current);
  for (const [row, side] of rows()) row.tick(current?.clock, side, now);
}

function rows(): [PlayerRow, Side][] {
  const below = app.orientation;
  return [
    [top, below === 'white' ? 'black' : 'white'],
    [bottom, below],
  ];
}

function navLink(href: string, path: string): HTMLAnchorElement {
  return h('a', { class: 'tool', href }, icon(path));
}

function drawLink(link: HTMLAnchorElement, href: string | null, label: string): void {
  setAttribute(link, 'href', href);
  setAttribute(link, 'aria-label', label);
  setAttribute(link, 'title', label);
  setAttribute(link, 'aria-disabled', href === null ? 'true' : null);
}
