/** What the screens show: pages, featured tables, names, earlier positions, choices. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridFor, pageGrid, placesFor, type Grid } from '../src/pure/grid';
import { personForms, spelled } from '../src/pure/names';
import { pagesOf, spanOfTables } from '../src/pure/pages';
import { readGame } from '../src/pure/payloads';
import { readPlace } from '../src/pure/place';
import { positionsOf } from '../src/pure/positions';
import { readScreens } from '../src/pure/screens';
import { embedChoices } from '../src/pure/selection';

const TV = { width: 1880, height: 980, gap: 16 };

test('pages are filled evenly and lose no table', () => {
  const tables = Array.from({ length: 50 }, (_, index) => index + 1);
  const pages = pagesOf(tables, 24);
  assert.deepEqual(pages.map(({ length }) => length), [17, 17, 16]);
  assert.deepEqual(pages.flat(), tables);
  assert.deepEqual(pagesOf([], 24), [[]]);
  assert.deepEqual(pages.map(spanOfTables), ['1–17', '18–34', '35–50']);
});

test('a page fits the screen and holds as many tables as can be read', () => {
  for (const featured of [0, 1, 3]) {
    const { tables, grid } = pageGrid(featured, TV);
    const { high, wide } = measured(grid);
    assert.ok(high <= TV.height && wide <= TV.width, `${featured}: ${high} × ${wide}`);
    assert.ok(grid.board >= 200, `${grid.board}`);
    assert.ok(grid.columns * grid.rows >= placesFor(tables, featured));
    assert.ok(tables >= 12, `${tables} tables with ${featured} featured`);
  }
});

function measured({ columns, rows, board, side, text }: Grid) {
  const rowHigh = side > 0 ? board : board + 6.1 * text;
  const high = rows * rowHigh + (rows - 1) * TV.gap;
  return { high, wide: columns * (board + side) + (columns - 1) * TV.gap };
}

test('where width is to spare, players stand beside boards that are no smaller for it', () => {
  // Above and below, 15 boards of three rows have (980 - 32) / 3 px each, less five lines of text.
  for (const [tables, stacked] of [[15, 232], [1, 720]] as const) {
    const grid = gridFor(tables, TV);
    const { high, wide } = measured(grid);
    assert.ok(grid.side >= 0.6 * grid.board, `${tables}: ${grid.side}`);
    assert.ok(grid.board >= stacked && high <= TV.height, `${tables}: ${grid.board}, ${high}`);
    assert.ok(wide <= TV.width && wide > 0.9 * TV.width, `${tables}: ${wide}`);
    assert.ok(grid.columns * grid.rows >= tables);
  }
  assert.equal(gridFor(8, TV).side, 0);
  assert.equal(gridFor(1, { width: 374, height: 760, gap: 8 }).side, 0);
});

test('featured tables make the others smaller, not fewer, where there is room', () => {
  assert.ok(gridFor(12, TV, 2).board < gridFor(12, TV).board);
});

test('a title and a federation are shown as long as there is room', () => {
  const player = { name: 'Nepomniachtchi, Ian', title: 'GM', federation: 'FID' };
  const forms = personForms(player).map(spelled);
  assert.equal(forms[0], 'GM Nepomniachtchi, Ian FID');
  assert.ok(forms.indexOf('GM Nepomniachtchi') < forms.indexOf('Nepomniachtchi'));
  assert.equal(forms[forms.length - 1], 'Nepomniachtchi');
  const plain = personForms({ name: 'Doe, Jane', title: null, federation: null }).map(spelled);
  assert.equal(plain[0], 'Doe, Jane');
});

test('the positions of a game follow from its moves, castling and promotion too', () => {
  const moves = 'e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1'.split(' ');
  const game = readGame({ moves: moves.map((uci, i) => ({ ply: i + 1, san: '?', uci })) });
  const shown = positionsOf(game);
  assert.equal(shown.length, 8);
  assert.match(shown[7]?.fen ?? '', /RNBQ1RK1 b kq/);
  const start_fen = '8/P6k/8/8/8/8/8/K7 w - - 0 1';
  const promotion = readGame({ start_fen, moves: [{ ply: 1, san: 'a8=Q', uci: 'a7a8q' }] });
  assert.match(positionsOf(promotion)[1]?.fen ?? '', /^Q7/);
});

test('Chess960 castling is written as king takes rook', () => {
  const start_fen = '1k6/8/8/8/8/8/8/1KR5 w C - 0 1';
  const moves = [{ ply: 1, san: 'O-O', uci: 'b1c1' }];
  const game = readGame({ start_fen, chess960: true, moves });
  assert.match(positionsOf(game)[1]?.fen ?? '', /5RK1 b/);
});

test('positions end before a move that play does not know', () => {
  const moves = [{ ply: 1, san: 'e4', uci: 'e2e4' }, { ply: 2, san: '?', uci: 'e7e2' }];
  assert.equal(positionsOf(readGame({ moves })).length, 2);
  assert.deepEqual(positionsOf(readGame({ start_fen: 'nonsense', moves })), []);
});

test('players are not told of presses unless the organizer says so', () => {
  assert.deepEqual(
    [readScreens(undefined).presses, readScreens({ presses: true }).presses],
    [false, true],
  );
  const screens = readScreens({ clocks: false, featured: '1-3', page_s: 1 });
  assert.deepEqual([screens.clocks, screens.moves, screens.pageS], [false, true, 5]);
  assert.deepEqual([1, 4].map(screens.featured), [true, false]);
  assert.equal(readScreens({ featured: '' }).featured(1), false);
});

test('addresses of overlays and of places are understood, others lead home', () => {
  const choices = embedChoices(new URLSearchParams('flip&clocks=0'));
  assert.deepEqual(choices, { flip: true, clocks: false, names: true, coordinates: false });
  assert.deepEqual(readPlace('#/alert/3-1-2'), { at: 'alert', id: '3-1-2' });
  assert.deepEqual(readPlace('#/table/7'), { at: 'table', table: 7 });
  for (const strange of ['', '#', '#/table/0', '#/alert', '#/x']) {
    assert.deepEqual(readPlace(strange), { at: 'queue' });
  }
  assert.deepEqual(readPlace('#/alert/%E0'), { at: 'alert', id: '%E0' });
});
