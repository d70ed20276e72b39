/** What the screens show: pages, featured tables, names, earlier positions, choices. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  featuredIn,
  gridFitting,
  gridFor,
  pageSize,
  placesFor,
  type Grid,
  type Room,
} from '../src/pure/grid';
import { personForms, spelled } from '../src/pure/names';
import { pagesOf, spanOfTables } from '../src/pure/pages';
import { readGame } from '../src/pure/payloads';
import { readPlace } from '../src/pure/place';
import { positionsOf } from '../src/pure/positions';
import { readScreens } from '../src/pure/screens';
import { embedChoices } from '../src/pure/selection';

const TV = { width: 1880, height: 980, gap: 16 };
const PORTRAIT = { width: 1040, height: 1820, gap: 16 };
const SMALL_TV = { width: 1240, height: 620, gap: 16 };
/** As many pixels again, seen from as far. */
const UHD = { width: 3768, height: 1978, gap: 28.8, scale: 1.8 };

test('pages are filled evenly and lose no table', () => {
  const tables = Array.from({ length: 50 }, (_, index) => String(index + 1));
  const pages = pagesOf(tables, 24);
  assert.deepEqual(
    pages.map(({ length }) => length),
    [17, 17, 16],
  );
  assert.deepEqual(pages.flat(), tables);
  assert.deepEqual(pagesOf([], 24), [[]]);
  assert.deepEqual(pages.map(spanOfTables), ['1–17', '18–34', '35–50']);
});

test('a page holds as many tables as can be read', () => {
  for (const featured of [0, 1, 3]) {
    const tables = pageSize(featured, TV);
    assert.ok(tables >= 12, `${tables} tables with ${featured} featured`);
    assert.ok(gridFor(tables, TV, featured).board >= 200);
  }
});

test('whatever stands on a screen fits it, can be read, and leaves no broad stripes', () => {
  let checked = 0;
  for (const room of [TV, PORTRAIT, SMALL_TV, UHD]) {
    for (const featured of [0, 1, 2, 3]) {
      for (let tables = featured + 1; tables <= 40; tables += 1) {
        const grid = gridFitting(tables, featured, room);
        if (grid === null) continue;
        checked += 1;
        fits(grid, room, `${tables} tables, ${featured} featured, ${room.width} px`);
        assert.ok(grid.columns * grid.rows >= placesFor(tables, featured));
      }
    }
  }
  assert.ok(checked > 200, `${checked} grids`);
});

function fits(grid: Grid, room: Room, what: string) {
  const { columns, rows, columnGap, rowGap, layout, board, side, height, text } = grid;
  const wide = columns * (board + side) + (columns - 1) * columnGap;
  const high = rows * height + (rows - 1) * rowGap;
  assert.ok(wide <= room.width + 0.01 && high <= room.height + 0.01, `${what}: ${wide} × ${high}`);
  assert.ok(text >= 13 * (room.scale ?? 1), `${what}: text of ${text}`);
  assert.ok(columnGap <= room.gap + 0.16 * room.width, `${what}: ${columnGap} px between tables`);
  // Two or three lines of text besides the board, each of at least one and a half of its sizes.
  const lines = { stacked: 6, flanked: 4, beside: 0 }[layout];
  assert.ok(height >= board + lines * text, `${what}: a tile is too low`);
  const large = featuredIn(grid);
  assert.ok(large.board >= 2 * board - 8 && large.board + large.side <= 2 * wideOf(grid), what);
  assert.ok(large.height >= large.board + lines * large.text - 0.01, `${what}: featured too low`);
}

function wideOf({ board, side, columnGap }: Grid): number {
  return board + side + columnGap / 2;
}

test('what stands beside boards makes use of the width, and the boards no smaller', () => {
  // With all above and below, eight boards of two rows have (980 - 16) / 2 px each, less 6.1 lines
  // of text, which is 0.058 of the board; sixteen of four rows the same of (980 - 48) / 4.
  for (const [tables, layout, stacked] of [
    [16, 'beside', 168],
    [8, 'flanked', 352],
  ] as const) {
    const grid = gridFor(tables, TV);
    assert.equal(grid.layout, layout);
    assert.ok(grid.board >= stacked, `${tables}: ${grid.board}`);
    assert.ok(grid.columnGap <= 2 * TV.gap, `${tables}: ${grid.columnGap}`);
  }
  assert.equal(gridFor(1, TV).layout, 'beside');
  assert.equal(gridFor(1, { width: 374, height: 760, gap: 8 }).layout, 'stacked');
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
  const moves = [
    { ply: 1, san: 'e4', uci: 'e2e4' },
    { ply: 2, san: '?', uci: 'e7e2' },
  ];
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
  assert.deepEqual(['1', '4'].map(screens.featured), [true, false]);
  assert.equal(readScreens({ featured: '' }).featured('1'), false);
});

test('addresses of overlays and of places are understood, others lead home', () => {
  const choices = embedChoices(new URLSearchParams('flip&clocks=0'));
  assert.deepEqual(choices, { flip: true, clocks: false, names: true, coordinates: false });
  assert.deepEqual(readPlace('#/alert/3-1-2'), { at: 'alert', id: '3-1-2' });
  assert.deepEqual(readPlace('#/table/7'), { at: 'table', table: '7' });
  for (const strange of ['', '#', '#/table/0', '#/alert', '#/x']) {
    assert.deepEqual(readPlace(strange), { at: 'queue' });
  }
  assert.deepEqual(readPlace('#/alert/%E0'), { at: 'alert', id: '%E0' });
});
