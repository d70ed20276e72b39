/** The wall: every table of the hall at a glance. */

import '../style/wall.css';
import { loadConfig } from '../data/config';
import { gridFor, type Grid } from '../pure/grid';
import type { Change } from '../pure/hall';
import { parseSelection } from '../pure/selection';
import { hallFilters } from '../pure/topics';
import { byId, h, setText } from '../view/dom';
import { Frames } from '../view/frames';
import { Tile } from '../view/tile';
import { App } from './app';

/** Often enough that no shown second is noticeably late. */
const TICK_MS = 100;

const selected = parseSelection(new URLSearchParams(location.search).get('tables'));
const list = h('ul', { class: 'wall' });
const empty = h('p', { class: 'empty' });
const main = byId('main');
const tiles = new Map<number, Tile>();
const frames = new Frames<number>(drawTile);
const sight = new IntersectionObserver(noteSight, { rootMargin: '200px' });
let grid: Grid = { columns: 1, board: 0, text: 0 };

main.append(empty, list);
const app = new App(await loadConfig(), {
  filters: hallFilters,
  qos: 0,
  flippable: 'all',
  onChange,
  onRefresh: refresh,
});
app.connect(null);
new ResizeObserver(layOut).observe(main);
setInterval(tick, TICK_MS);
void document.fonts.ready.then(refresh);
refresh();

function onChange({ subject }: Change): void {
  if (subject.about !== 'table') return;
  if (tiles.has(subject.table) !== app.hall.tables.has(subject.table)) syncTiles();
  frames.mark(subject.table);
}

function refresh(): void {
  const { words, hall, config } = app;
  document.title = [words.wall, hall.info?.event || config.event].filter(Boolean).join(' · ');
  syncTiles();
  tiles.forEach((_, table) => frames.mark(table));
}

function syncTiles(): void {
  const wanted = app.hall.tableNumbers().filter(selected);
  for (const [table, tile] of tiles) {
    if (wanted.includes(table)) continue;
    sight.unobserve(tile.element);
    tile.element.remove();
    tiles.delete(table);
  }
  const known = tiles.size;
  wanted.filter((table) => !tiles.has(table)).forEach(addTile);
  setText(empty, wanted.length === 0 && app.settled ? app.words.noTables : '');
  if (tiles.size !== known || list.dataset['count'] !== String(tiles.size)) layOut();
}

function addTile(table: number): void {
  const tile = new Tile(table);
  const next = [...tiles.keys()].filter((other) => other > table).sort((a, b) => a - b)[0];
  const before = next === undefined ? null : (tiles.get(next)?.element ?? null);
  tiles.set(table, tile);
  list.insertBefore(tile.element, before);
  sight.observe(tile.element);
  frames.mark(table);
}

function layOut(): void {
  const style = getComputedStyle(main);
  const width = main.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const vertical = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  const height = window.innerHeight - main.offsetTop - vertical;
  const gap = parseFloat(getComputedStyle(list).columnGap) || 0;
  const next = gridFor(tiles.size, { width, height, gap });
  list.dataset['count'] = String(tiles.size);
  list.style.setProperty('--columns', String(next.columns));
  list.style.setProperty('--board', `${next.board}px`);
  list.style.setProperty('--text', `${next.text}px`);
  if (next.board === grid.board && next.text === grid.text) return;
  grid = next;
  tiles.forEach((_, table) => frames.mark(table));
}

function drawTile(table: number): void {
  const tile = tiles.get(table);
  if (tile === undefined || tile.hidden || grid.board === 0) return;
  tile.draw(app.hall.tables.get(table) ?? {}, app, grid);
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
