/** One table, large: board, players, clocks, moves, and the positions before. */

import '../style/table.css';
import { loadConfig } from '../data/config';
import { feedOf, tablePath, wallOf } from '../pure/feed';
import type { Change, TableState } from '../pure/halls';
import { moveLabel } from '../pure/moves';
import { positionsOf, type Shown } from '../pure/positions';
import { localSan } from '../pure/san';
import { tableOfPath } from '../pure/selection';
import { byTable, hallIn, type TableId } from '../pure/table_id';
import { screenFilters } from '../pure/topics';
import { Board, pictureOf } from '../view/board';
import { byId, h, icon, setAttribute, setText } from '../view/dom';
import { Frames } from '../view/frames';
import { toolButton } from '../view/header';
import { ICONS } from '../view/icons';
import { MoveList } from '../view/move_list';
import { PlayerRow, seated } from '../view/player_row';
import { rawResult, stateLine } from '../view/state_line';
import { App } from './app';

const TICK_MS = 100;

const feed = feedOf(location.pathname);
const table = tableOfPath(location.pathname) ?? '';
const top = new PlayerRow();
const bottom = new PlayerRow();
const moves = new MoveList(view);
const boardElement = h('div', { class: 'board' });
const board = new Board(boardElement, true);
const state = h('p', { class: 'table-state' });
const heading = h('h2', {});
const wall = navLink(wallOf(feed), ICONS.grid);
const previous = navLink('', ICONS.back);
const next = navLink('', ICONS.forward);
const frames = new Frames<'table'>(draw);
const walk = h('div', { class: 'walk' });
const steps = [
  toolButton(icon(ICONS.first), () => view(0)),
  toolButton(icon(ICONS.back), () => step(-1)),
  toolButton(icon(ICONS.forward), () => step(1)),
  toolButton(icon(ICONS.last), () => view(null)),
];
const earlier = h('p', { class: 'earlier', role: 'status' });
/** The ply whose position is looked at; null: the latest, as it comes. */
let viewed: number | null = null;
let positions: readonly Shown[] = [];

const page = byId('main');
top.element.classList.add('is-top');
bottom.element.classList.add('is-bottom');
const head = h('div', { class: 'table-head' }, previous, heading, next, state);
walk.append(...steps);
const sheet = h('section', { class: 'sheet' }, head, moves.element, earlier, walk);
page.append(top.element, boardElement, sheet, bottom.element);

const app = new App(await loadConfig(), {
  filters: screenFilters(feed),
  qos: 0,
  halls: hallIn(table) === '' ? [] : [hallIn(table)],
  flippable: 'one',
  onChange,
  onRefresh: () => frames.mark('table'),
  // Only then is it known that there is no such table.
  onSettled: () => frames.mark('table'),
});
app.header.lead.append(wall);
app.connect(null);
setInterval(tick, TICK_MS);
document.addEventListener('keydown', walkByKey);
frames.mark('table');

function onChange({ subject }: Change): void {
  if (subject.about === 'table' && subject.table === table) frames.mark('table');
}

function draw(): void {
  const current = app.halls.tables.get(table) ?? {};
  drawHeading(current);
  drawNeighbours();
  for (const [row, side] of rows()) {
    const player = current.game?.[side] ?? null;
    row.draw({ player, side, result: rawResult(current), words: app.words }, null);
  }
  drawWalk(current);
  drawBoard(current);
  if (app.screens.moves) moves.draw(current.game, viewed, app);
  tick();
}

function drawHeading(current: TableState): void {
  const { words, letters } = app;
  const unheard = !app.halls.tables.has(table);
  const unknown = app.settled && unheard;
  const line = stateLine(current, words, letters, app.screens.moves);
  setText(heading, words.table(table));
  page.toggleAttribute('data-unknown', unknown);
  const told = line.mood === 'plain' ? '' : line.text;
  setText(state, unheard ? app.whereNothingIs(words.unknownTable(table)) : told);
  setAttribute(state, 'data-mood', line.mood);
  setAttribute(page, 'data-mood', line.mood);
  setAttribute(page, 'data-stale', app.staleAt(table) ? '' : null);
  document.title = [words.table(table), app.eventName].filter(Boolean).join(' · ');
}

function drawNeighbours(): void {
  const tables = app.halls.tableIds();
  const before = tables.filter((it) => byTable(it, table) < 0).pop();
  const after = tables.find((it) => byTable(it, table) > 0);
  drawLink(wall, wallOf(feed), app.words.allTables);
  const path = (number: TableId | undefined) =>
    number === undefined ? null : tablePath(feed, number);
  drawLink(previous, path(before), app.words.previousTable);
  drawLink(next, path(after), app.words.nextTable);
}

/** The game may have become another one: then there is nothing earlier to look at. */
function drawWalk({ game }: TableState): void {
  const { words, letters } = app;
  positions = game === undefined || !app.screens.moves ? [] : positionsOf(game);
  if (viewed !== null && viewed >= positions.length) viewed = null;
  walk.hidden = positions.length < 2;
  sheet.toggleAttribute('data-bare', !app.screens.moves);
  const names = [words.firstMove, words.oneBack, words.oneOn, words.lastMove];
  steps.forEach((button, index) => {
    setAttribute(button, 'aria-label', names[index] ?? '');
    setAttribute(button, 'title', names[index] ?? '');
    button.disabled = index < 2 ? viewed === 0 : viewed === null;
  });
  const move = game?.moves[(viewed ?? 0) - 1];
  const label = moveLabel(viewed ?? 0, game?.startFen ?? null);
  const place = move === undefined ? words.begun : `${label} ${localSan(move.san, letters)}`;
  setText(earlier, viewed === null ? '' : words.earlier(place));
  page.toggleAttribute('data-earlier', viewed !== null);
}

function view(ply: number | null): void {
  viewed = ply !== null && ply < positions.length - 1 ? ply : null;
  frames.mark('table');
}

function step(by: number): void {
  view(Math.max(0, (viewed ?? positions.length - 1) + by));
}

function walkByKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey || positions.length < 2) return;
  if (event.key === 'ArrowLeft') step(-1);
  else if (event.key === 'ArrowRight') step(1);
  else if (event.key === 'Home') view(0);
  else if (event.key === 'End') view(null);
  else return;
  event.preventDefault();
}

function drawBoard({ position }: TableState): void {
  const before = viewed === null ? undefined : positions[viewed];
  const { orientation, words } = app;
  if (before !== undefined) return board.draw({ ...before, orientation }, words);
  board.draw(pictureOf(position, orientation), words);
}

function tick(): void {
  const current = app.halls.tables.get(table);
  const now = current === undefined ? null : app.nowFor(table);
  const clock = app.screens.clocks ? current?.clock : undefined;
  for (const [row, side] of rows()) row.tick(clock, side, now);
}

function rows() {
  return seated(top, bottom, app.orientation);
}

function navLink(href: string, path: string): HTMLAnchorElement {
  return h('a', { class: 'tool', href }, icon(path));
}

function drawLink(link: HTMLAnchorElement, href: string | null, label: string): void {
  setAttribute(link, 'href', href);
  setAttribute(link, 'aria-label', label);
  setAttribute(link, 'title', label);
  setAttribute(link, 'role', href === null ? 'link' : null);
  setAttribute(link, 'aria-disabled', href === null ? 'true' : null);
}
