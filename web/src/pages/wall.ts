/**
 * The wall: every table of the hall at a glance. What does not fit on a large screen comes page by
 * page; at `/kiosk` always, and without anything to press.
 */

import '../style/wall.css';
import { loadConfig } from '../data/config';
import { feedOf, tablePath } from '../pure/feed';
import { featuredIn, gridFitting, gridFor, pageSize, type Grid, type Tiling } from '../pure/grid';
import type { Change } from '../pure/halls';
import { pagesOf, spanOfTables } from '../pure/pages';
import type { TableId } from '../pure/table_id';
import { screenFilters } from '../pure/topics';
import { readPlayers, wallChoices } from '../pure/wall_choices';
import { isLookedFor, liveFirst, Results } from '../pure/wall_order';
import { stayAwake } from '../view/awake';
import { byId, h, setAttribute, setText } from '../view/dom';
import { Frames } from '../view/frames';
import { Pager } from '../view/pager';
import { storedPaging, storePaging } from '../view/preferences';
import { Ticker, type Decided } from '../view/ticker';
import { Tile } from '../view/tile';
import { App } from './app';

/** Often enough that no shown second is noticeably late. */
const TICK_MS = 100;
/** The size of letters (px) where the reader has set none. */
const USUAL_LETTERS = 17;

const feed = feedOf(location.pathname);
const choices = wallChoices(new URLSearchParams(location.search));
const list = h('ul', { class: 'wall' });
const empty = h('p', { class: 'empty' });
const main = byId('main');
const tiles = new Map<TableId, Tile>();
/** The tables something was heard of when the wall was arranged last. */
let known = new Set<TableId>();
const frames = new Frames<TableId>(drawTile);
const layout = new Frames<'layout'>(arrange);
const sight = new IntersectionObserver(noteSight, { rootMargin: '200px' });
/** Null before the wall was arranged for the first time. */
let grid: Grid | null = null;
let featuredTile: Tiling | null = null;
/** The tables that are shown, the featured ones first. */
let shown: readonly TableId[] = [];
let featured: readonly TableId[] = [];
let pages: readonly (readonly TableId[])[] = [[]];
let page = 0;
/** The order of the tables; it changes only where a screen begins from the front. */
let order: readonly TableId[] = [];
/** What somebody looks for: a table or names. */
let looked = choices.players;
const results = new Results();
const ticker = choices.ticker ? new Ticker() : null;
const find = h('input', { class: 'find', type: 'search', autocomplete: 'off' });
const kiosk = location.pathname.startsWith('/kiosk');
const largeScreen = matchMedia('(min-width: 1200px) and (min-height: 700px)');
document.body.classList.toggle('is-kiosk', kiosk);

main.append(empty, list, ...(ticker === null ? [] : [ticker.element]));
const app = new App(await loadConfig(), {
  filters: screenFilters(feed),
  qos: 0,
  flippable: 'all',
  halls: choices.halls,
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
if (!kiosk) app.header.element.insertBefore(find, pager.element);
find.value = choices.players.join('; ');
find.addEventListener('input', () => {
  look(find.value);
});
app.connect(null);
if (kiosk) stayAwake();
new ResizeObserver(arrange).observe(main);
setInterval(tick, TICK_MS);
setInterval(goOn, app.screens.pageS * 1000);
void document.fonts.ready.then(refresh);
refresh();

function onChange({ subject }: Change): void {
  if (subject.about !== 'table') return;
  const { table, kind } = subject;
  if (kind === 'position') results.note(table, app.halls.tables.get(table) ?? {}, Date.now());
  const came = known.has(table) !== app.halls.tables.has(table);
  // In the next round who is looked for sits elsewhere.
  const seated = kind === 'game' && looked.length > 0;
  if (came || seated) layout.mark('layout');
  frames.mark(table);
}

function refresh(): void {
  const { words } = app;
  document.title = [words.wall, app.eventName].filter(Boolean).join(' · ');
  find.placeholder = words.search;
  setAttribute(find, 'aria-label', words.search);
  if (app.settled) results.settle();
  arrange();
  tiles.forEach((_, table) => frames.mark(table));
}

function wantedTables(): TableId[] {
  const all = app.halls.tableIds().filter(choices.tables);
  // Those that came since they were put in order are the last; a set keeps the first place of each.
  const there = new Set(all);
  const listed = new Set([...order.filter((table) => there.has(table)), ...all]);
  const found = (table: TableId) => isLookedFor(looked, table, app.halls.tables.get(table) ?? {});
  return [...listed].filter(found);
}

/** The address keeps what is looked for: it may be sent to somebody. */
function look(typed: string): void {
  looked = readPlayers(typed);
  const address = new URL(location.href);
  if (typed.trim() === '') address.searchParams.delete('player');
  else address.searchParams.set('player', typed);
  history.replaceState(null, '', address);
  page = 0;
  refresh();
}

function decided(): Decided[] {
  return results.latest().flatMap((table) => {
    const game = app.halls.tables.get(table)?.game;
    return game === undefined ? [] : { table, game };
  });
}

/** The next page. Before the first one the tables are put in order anew. */
function goOn(): void {
  const { halls, words } = app;
  if (ticker !== null) ticker.turn(decided(), words);
  const atLast = page === pages.length - 1;
  if (atLast && choices.liveFirst) order = liveFirst(halls.tableIds(), halls, results, Date.now());
  if (pages.length > 1) turn(1);
  else if (choices.liveFirst) arrange();
}

/** What is shown, and how large; then the tiles are brought into that order. */
function arrange(): void {
  const wanted = wantedTables();
  known = new Set(app.halls.tables.keys());
  const chosen = wanted.filter(app.screens.featured);
  // Where all would be larger than others, none is.
  featured = chosen.length === wanted.length ? [] : chosen;
  const others = wanted.filter((table) => !featured.includes(table));
  const room = roomForTiles();
  const paging = (kiosk || largeScreen.matches) && (kiosk || storedPaging());
  const most = choices.boards ?? wanted.length;
  const fits = most >= wanted.length && gridFitting(wanted.length, featured.length, room) !== null;
  const size = paging && !fits ? Math.min(most, pageSize(featured.length, room)) : wanted.length;
  pages = pagesOf(others, Math.max(1, size - featured.length));
  page = Math.min(page, pages.length - 1);
  const longest = Math.max(...pages.map(({ length }) => length));
  setGrid(gridFor(featured.length + longest, room, featured.length));
  showPage();
  const none = looked.length > 0 ? app.words.nobodyFound : app.words.noTables;
  setText(empty, wanted.length === 0 ? app.whereNothingIs(none) : '');
  pager.draw(app.words, {
    offered: !fits && largeScreen.matches && !kiosk,
    paging,
    page,
    pages: pages.length,
    // Out of order they have no span.
    tables: choices.liveFirst ? null : spanOfTables(pages[page] ?? []),
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

function addTile(table: TableId): Tile {
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
  const line = ticker === null ? 0 : ticker.element.offsetHeight;
  const height = window.innerHeight - main.offsetTop - vertical - line;
  return { width, height, gap, scale, letters: choices.letters };
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

function measureTile({ element }: Tile, table: TableId): void {
  const large = featured.includes(table) ? featuredTile : null;
  element.classList.toggle('is-featured', large !== null);
  if (large !== null) setMeasures(element, large);
  else element.removeAttribute('style');
}

function tilingOf(table: TableId): Tiling | null {
  return featured.includes(table) ? featuredTile : grid;
}

function drawTile(table: TableId): void {
  const tile = tiles.get(table);
  const tiling = tilingOf(table);
  if (tile === undefined || tile.hidden || tiling === null) return;
  tile.draw(app.halls.tables.get(table) ?? {}, app, tiling);
}

function tick(): void {
  for (const [table, tile] of tiles) {
    const state = app.halls.tables.get(table);
    if (!tile.hidden && state?.clock?.running) tile.tick(state, app);
  }
}

function noteSight(entries: readonly IntersectionObserverEntry[]): void {
  for (const entry of entries) {
    const table = (entry.target as HTMLElement).dataset['table'] ?? '';
    const tile = tiles.get(table);
    if (tile === undefined) continue;
    tile.hidden = !entry.isIntersecting;
    if (!tile.hidden) frames.mark(table);
  }
}
