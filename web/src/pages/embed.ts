/**
 * One board for other people's pictures: transparent, without a bar. In the address: `flip`,
 * `clocks=0`, `names=0`, `coordinates=1`.
 */

import '../style/embed.css';
import { loadConfig } from '../data/config';
import { feedOf } from '../pure/feed';
import type { TableState } from '../pure/halls';
import { embedChoices, tableOfPath } from '../pure/selection';
import { hallIn } from '../pure/table_id';
import { screenFilters } from '../pure/topics';
import { Board, pictureOf } from '../view/board';
import { byId, h, setAttribute } from '../view/dom';
import { Frames } from '../view/frames';
import { nameMeasure } from '../view/name_measure';
import { PlayerRow, seated } from '../view/player_row';
import { rawResult } from '../view/state_line';
import { App } from './app';

const TICK_MS = 100;
/** Width of a name in parts of the board's. */
const NAME_PART = 0.62;

const feed = feedOf(location.pathname);
const table = tableOfPath(location.pathname) ?? '';
const choices = embedChoices(new URLSearchParams(location.search));
const [top, bottom] = [new PlayerRow(), new PlayerRow()];
const boardElement = h('div', { class: 'board' });
const board = new Board(boardElement, choices.coordinates);
const page = byId('main');
const frames = new Frames<'board'>(draw);
page.toggleAttribute('data-bare', !choices.names && !choices.clocks);
page.append(top.element, boardElement, bottom.element);

const app = new App(await loadConfig(), {
  filters: screenFilters(feed),
  qos: 0,
  halls: hallIn(table) === '' ? [] : [hallIn(table)],
  flippable: 'no',
  bare: true,
  onChange: ({ subject }) => {
    if (subject.about === 'table' && subject.table === table) frames.mark('board');
  },
  onRefresh: () => frames.mark('board'),
});
app.orientation = choices.flip ? 'black' : 'white';
app.connect(null);
setInterval(tick, TICK_MS);
new ResizeObserver(() => frames.mark('board')).observe(page);
void document.fonts.ready.then(() => frames.mark('board'));

function draw(): void {
  const state = app.halls.tables.get(table) ?? {};
  const size = parseFloat(getComputedStyle(page).fontSize);
  const room = { width: boardElement.clientWidth * NAME_PART, measure: nameMeasure(size) };
  rows().forEach(([row, side]) => {
    const player = choices.names ? (state.game?.[side] ?? null) : null;
    row.draw({ player, side, result: rawResult(state), words: app.words }, room);
  });
  drawBoard(state);
  tick();
}

function drawBoard({ position, device }: TableState): void {
  const heard = device === undefined || device.state === 'online';
  setAttribute(page, 'data-stale', app.liveAt(table) && heard ? null : '');
  board.draw(pictureOf(position, app.orientation));
}

function tick(): void {
  const state = app.halls.tables.get(table);
  const now = state === undefined ? null : app.nowFor(table);
  const clock = choices.clocks && app.screens.clocks ? state?.clock : undefined;
  rows().forEach(([row, side]) => row.tick(clock, side, now));
}

function rows() {
  return seated(top, bottom, app.orientation);
}
