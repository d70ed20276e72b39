/**
 * The wall: every table of the hall at a glance. What does not fit on a large screen comes page by
 * page; at `/kiosk` always, and without anything to press.
 */

import '../style/wall.css';
import { loadConfig } from '../data/config';
import {
  FEATURED_SPAN, FEATURED_TEXT, gridFitting, gridFor, pageGrid, type Grid,
} from '../pure/grid';
import type { Change } from '../pure/hall';
import { pagesOf, spanOfTables } from '../pure/pages';
import { parseSelection } from '../pure/selection';
import { hallFilters } from '../pure/topics';
import { stayAwake } from '../view/awake';
import { byId, h, setText } from '../view/dom';
import { Frames } from '../view/frames';
import { Pager } from '../view/pager';
import { storedPaging, storePaging } from '../view/preferences';
import { Tile } from '../view/tile';
import { App } from './app';

/** Often enough that no shown second is noticeably late. */
const TICK_MS = 100;

const selected = parseSelection(new URLSearchParams(location.search).get('tables'));
const list = h('ul', { class: 'wall' });
const empty = h('p', { class: 'empty' });
const main = byId('main');
const tiles = new Map<number, Tile>();
/** The tables something was heard of when the wall was arranged last. */
let known = new Set<number>();
const frames = new Frames<number>(drawTile);
const layout = new Frames<'layout'>(arrange);
const sight = new IntersectionObserver(noteSight, { rootMargin: '200px' });
let grid: Grid = { columns: 1, rows: 1, board: 0, side: 0, text: 0 };
let gap = 0;
/** The tables that are shown, the featured ones first. */
let shown: readonly number[] = [];
let featured: readonly number[] = [];
let pages: readonly (readonly number[])[] = [[]];
let page = 0;
const kiosk = location.pathname.startsWith('/kiosk');
const largeScreen = matchMedia('(min-width: 1200px) and (min-height: 700px)');
document.body.classList.toggle('is-kiosk', kiosk);

main.append(empty, list);
const app = new App(await loadConfig(), {
  filters: hallFilters,
  qos: 0,
  flippable: 'all',
  onChange,
  onRefresh: refresh,
  onReboot: () => kiosk && location.reload(),
});
const pager = new Pager({
  onTurn: (by) => turn(by),
  onPaging: (on) => {
    storePaging(on);
    refresh();
  },
});
app.header.element.insertBefore(pager.element, app.header.tools);
app.connect(null);
if (kiosk) stayAwake();
new ResizeObserver(arrange).observe(main);
setInterval(tick, TICK_MS);
setInterval(() => pages.length > 1 && turn(1), app.screens.pageS * 1000);
void document.fonts.ready.then(refresh);
refresh();

function onChange({ subject }: Change): void {
  if (subject.about !== 'table') return;
  const { table } = subject;
  if (known.has(table) !== app.hall.tables.has(table)) layout.mark('layout');
  frames.mark(table);
}

function refresh(): void {
  const { words, hall, config } = app;
  document.title = [words.wall, hall.info?.event || config.event].filter(Boolean).join(' · ');
  arrange();
  tiles.forEach((_, table) => frames.mark(table));
}

function wantedTables(): number[] {
  return app.hall.tableNumbers().filter(selected);
}

/** What is shown, and how large; then the tiles are brought into that order. */
function arrange(): void {
  const wanted = wantedTables();
  known = new Set(app.hall.tables.keys());
  featured = wanted.filter(app.screens.featured);
  const others = wanted.filter((table) => !featured.includes(table));
  const room = roomForTiles();
  const paging = (kiosk || largeScreen.matches) && (kiosk || storedPaging());
  const fits = gridFitting(wanted.length, featured.length, room) !== null;
  const byPage = paging && !fits ? pageGrid(featured.length, room) : null;
  pages = byPage === null ? [others] : pagesOf(others, byPage.tables - featured.length);
  page = Math.min(page, pages.length - 1);
  setGrid(byPage?.grid ?? gridFor(wanted.length, room, featured.length));
  showPage();
  setText(empty, wanted.length === 0 && app.settled ? app.words.noTables : '');
  pager.draw(app.words, {
    offered: !fits && largeScreen.matches && !kiosk,
    paging,
    page,
    pages: pages.length,
    tables: spanOfTables(pages[page] ?? []),
  });
}

function turn(by: number): void {
  page = (page + by + pages.length) % pages.length;
  arrange();
}

function showPage(): void {
  shown = [...featured, ...(pages[page] ?? [])];
  for (const [table, tile] of tiles) {
    if (shown.includes(table)) continue;
    sight.unobserve(tile.element);
    tile.element.remove();
    tiles.delete(table);
  }
  const elements = shown.map((table) => (tiles.get(table) ?? addTile(table)).element);
  const inOrder = elements.every((element, index) => element === list.children[index]);
  if (!inOrder) list.replaceChildren(...elements);
}

function addTile(table: number): Tile {
  const tile = new Tile(table);
  tile.element.classList.toggle('is-featured', featured.includes(table));
  tiles.set(table, tile);
  sight.observe(tile.element);
  frames.mark(table);
  return tile;
}

function roomForTiles() {
  const style = getComputedStyle(main);
  const width = main.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const vertical = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  gap = parseFloat(getComputedStyle(list).columnGap) || 0;
  return { width, height: window.innerHeight - main.offsetTop - vertical, gap };
}

function setGrid(next: Grid): void {
  list.style.setProperty('--columns', String(next.columns));
  list.style.setProperty('--board', `${next.board}px`);
  list.style.setProperty('--side', `${next.side}px`);
  list.style.setProperty('--text', `${next.text}px`);
  list.classList.toggle('is-beside', next.side > 0);
  if (sameMeasures(next, grid)) return;
  grid = next;
  tiles.forEach((_, table) => frames.mark(table));
}

function sameMeasures(next: Grid, last: Grid): boolean {
  return next.board === last.board && next.side === last.side && next.text === last.text;
}

/** A featured tile is as large as four others with the gaps between them. */
function gridOf(table: number): Grid {
  if (!featured.includes(table)) return grid;
  const board = FEATURED_SPAN * grid.board + (FEATURED_SPAN - 1) * gap;
  return { ...grid, board, text: FEATURED_TEXT * grid.text };
}

function drawTile(table: number): void {
  const tile = tiles.get(table);
  if (tile === undefined || tile.hidden || grid.board === 0) return;
  tile.draw(app.hall.tables.get(table) ?? {}, app, gridOf(table));
}

function tick(): void {
  for (const [table, tile] of tiles) {
    const state = app.hall.tables.get(table);
    if (!tile.hidden && state?.clock?.running) tile.tick(state, app);
  }
}

function noteSight(entries: readonly IntersectionObserverEntry[]): void {
  for (const entry of entries) {
    const table = Number((entry.target as HTMLElement).dataset['table']);
    const tile = tiles.get(table);
    if (tile === undefined) continue;
    tile.hidden = !entry.isIntersecting;
    if (!tile.hidden) frames.mark(table);
  }
}
