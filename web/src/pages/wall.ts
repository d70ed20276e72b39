/**
 * The wall: every table of the hall at a glance. What does not fit on a large screen comes page by
 * page; at `/kiosk` always, and without anything to press.
 */

import '../style/wall.css';
import { loadConfig } from '../data/config';
import { feedOf, tablePath } from '../pure/feed';
import { featuredIn, gridFitting, gridFor, pageSize, type Grid, type Tiling } from '../pure/grid';
import type { Change } from '../pure/hall';
import { pagesOf, spanOfTables } from '../pure/pages';
import { parseSelection } from '../pure/selection';
import { screenFilters } from '../pure/topics';
import { stayAwake } from '../view/awake';
import { byId, h, setAttribute, setText } from '../view/dom';
import { Frames } from '../view/frames';
import { Pager } from '../view/pager';
import { storedPaging, storePaging } from '../view/preferences';
import { Tile } from '../view/tile';
import { App } from './app';

/** Often enough that no shown second is noticeably late. */
const TICK_MS = 100;
/** The size of letters (px) where the reader has set none. */
const USUAL_LETTERS = 17;

const feed = feedOf(location.pathname);
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
/** Null before the wall was arranged for the first time. */
let grid: Grid | null = null;
let featuredTile: Tiling | null = null;
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
  filters: screenFilters(feed),
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
  const chosen = wanted.filter(app.screens.featured);
  // Where all would be larger than others, none is.
  featured = chosen.length === wanted.length ? [] : chosen;
  const others = wanted.filter((table) => !featured.includes(table));
  const room = roomForTiles();
  const paging = (kiosk || largeScreen.matches) && (kiosk || storedPaging());
  const fits = gridFitting(wanted.length, featured.length, room) !== null;
  const size = paging && !fits ? pageSize(featured.length, room) : wanted.length;
  pages = pagesOf(others, Math.max(1, size - featured.length));
  page = Math.min(page, pages.length - 1);
  const longest = Math.max(...pages.map(({ length }) => length));
  setGrid(gridFor(featured.length + longest, room, featured.length));
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
  const tile = new Tile(table, tablePath(feed, table));
  measureTile(tile, table);
  tiles.set(table, tile);
  sight.observe(tile.element);
  frames.mark(table);
  return tile;
}

function roomForTiles() {
  const style = getComputedStyle(main);
  const width = main.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const vertical = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  const scale = (parseFloat(style.getPropertyValue('--scale')) || 1) * lettersScale();
  const gap = scale * (parseFloat(style.getPropertyValue('--gap')) || 0);
  return { width, height: window.innerHeight - main.offsetTop - vertical, gap, scale };
}

/** How much larger than usual this reader wants letters. */
function lettersScale(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_LETTERS || 1;
}

function setGrid(next: Grid): void {
  const key = JSON.stringify(next);
  if (key === JSON.stringify(grid)) return;
  grid = next;
  featuredTile = featuredIn(next);
  list.style.setProperty('--columns', String(next.columns));
  list.style.setProperty('--column-gap', `${next.columnGap}px`);
  list.style.setProperty('--row-gap', `${next.rowGap}px`);
  setAttribute(list, 'data-layout', next.layout);
  setMeasures(list, next);
  tiles.forEach((tile, table) => {
    measureTile(tile, table);
    frames.mark(table);
  });
}

function setMeasures({ style }: HTMLElement, { board, side, height, text }: Tiling): void {
  for (const [name, px] of Object.entries({ board, side, height, text })) {
    style.setProperty(`--${name}`, `${px}px`);
  }
}

function measureTile({ element }: Tile, table: number): void {
  const large = featured.includes(table) ? featuredTile : null;
  element.classList.toggle('is-featured', large !== null);
  if (large !== null) setMeasures(element, large);
  else element.removeAttribute('style');
}

function tilingOf(table: number): Tiling | null {
  return featured.includes(table) ? featuredTile : grid;
}

function drawTile(table: number): void {
  const tile = tiles.get(table);
  const tiling = tilingOf(table);
  if (tile === undefined || tile.hidden || tiling === null) return;
  tile.draw(app.hall.tables.get(table) ?? {}, app, tiling);
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
