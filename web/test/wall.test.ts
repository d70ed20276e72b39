/** What a wall is asked for, and which tables come first. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridFor, pageSize } from '../src/pure/grid';
import type { Halls } from '../src/pure/halls';
import { wallChoices } from '../src/pure/wall_choices';
import { isLookedFor, liveFirst, Results } from '../src/pure/wall_order';
import { hallOf } from './one_hall';

const MINUTE = 60_000;

function choices(query: string) {
  return wallChoices(new URLSearchParams(query));
}

test('an address is read, and what is not understood is left out', () => {
  const { tables, ...all } = choices(
    'tables=3&player=doe;Roe, M&boards=12&letters=24&first=live&ticker',
  );
  assert.ok(tables('3') && !tables('4'));
  assert.deepEqual(all, {
    halls: [],
    players: ['doe', 'Roe, M'],
    boards: 12,
    letters: 24,
    liveFirst: true,
    ticker: true,
  });
  const none = choices('boards=0&letters=big&first=&ticker=0&player=;');
  assert.deepEqual(
    [none.boards, none.letters, none.liveFirst, none.ticker],
    [null, null, false, false],
  );
  assert.deepEqual(none.players, []);
  assert.deepEqual(choices('hall=A,%20B').halls, ['A', 'B']);
  assert.equal(choices('letters=9999').letters, 120);
});

test('letters are no smaller than what was asked for', () => {
  const room = { width: 1920, height: 1000, gap: 16 };
  assert.ok(gridFor(24, room).text < 30);
  const large = gridFor(24, { ...room, letters: 30 });
  assert.ok(large.text >= 30, `${large.text}`);
});

test('letters that were asked for leave room for a long name, in fewer columns', () => {
  for (const [width, height] of [
    [1024, 700],
    [600, 900],
    [1920, 1000],
  ] as const) {
    const room = { width, height, gap: 16, letters: 28 };
    for (const tables of [pageSize(0, room), 12]) {
      const { layout, board, side, columns, columnGap, text } = gridFor(tables, room);
      // Of a player's line beside the board the clock is no part.
      const line = layout === 'beside' ? side / 12 : (board + side) / 15;
      const wide = columns * (board + side) + (columns - 1) * columnGap;
      assert.ok(line >= 28 && text >= 28, `${width} px, ${tables}: ${layout} ${line} ${text}`);
      assert.ok(wide <= width, `${width} px, ${tables}: ${wide}`);
    }
  }
});

/** A hall of tables with a phase, a result and what is left on White's clock. */
function hall(tables: Record<number, [string, string, number?]>): Halls {
  const made = hallOf('adoubed');
  for (const [table, [phase, result, left]] of Object.entries(tables)) {
    const say = (topic: string, value: object) => {
      made.apply(`adoubed/v1/table/${table}/${topic}`, JSON.stringify({ v: 1, ...value }));
    };
    const at = '2026-11-26T12:00:00.000Z';
    say('position', { at, ply: 0, turn: 'white', check: false, phase, result });
    if (left === undefined) continue;
    say('clock', {
      at,
      sampled_at: at,
      white_ms: left,
      black_ms: 60 * MINUTE,
      running: 'white',
      current: true,
    });
  }
  return made;
}

function noted(of: Halls, results: Results, now: number): Results {
  of.tables.forEach((state, table) => results.note(table, state, now));
  return results;
}

test('who is short of time comes first, then what was just decided, then what is in play', () => {
  const results = new Results();
  const before = hall({ 1: ['ended', '1-0'], 4: ['in_play', '*'] });
  noted(before, results, 0);
  results.settle();
  const now = hall({
    1: ['ended', '1-0'],
    2: ['in_play', '*', 30 * MINUTE],
    3: ['in_play', '*', 4 * MINUTE],
    4: ['ended', '1/2-1/2'],
    5: ['ready', '*', 4 * MINUTE],
  });
  noted(now, results, 10 * MINUTE);
  const order = (at: number) => liveFirst(['1', '2', '3', '4', '5'], now, results, at);
  assert.deepEqual(order(11 * MINUTE), ['3', '4', '2', '1', '5']);
  // A result is news for three minutes; the one that was there before never was.
  assert.deepEqual(order(14 * MINUTE), ['3', '2', '1', '4', '5']);
  assert.deepEqual(results.latest(), ['4', '1']);
  // A result that is withdrawn is none.
  noted(hall({ 4: ['in_play', '*'] }), results, 15 * MINUTE);
  assert.deepEqual(results.latest(), ['1']);
});

test('a player is followed by any part of a name, and a table by its number', () => {
  const player = (name: string) => ({ name, title: null, rating: null, federation: null });
  const of = hallOf('adoubed');
  const players = { white: player('Đorđević, Milica'), black: player('Roe, Max') };
  const game = { v: 1, players, moves: [], result: '*' };
  of.apply('adoubed/v1/table/7/game', JSON.stringify(game));
  const state = of.tables.get('7') ?? {};
  for (const looked of [[], ['dordevic'], ['nobody', 'roe'], ['7']]) {
    assert.ok(isLookedFor(looked, '7', state), `${looked}`);
  }
  assert.ok(!isLookedFor(['nobody'], '7', state));
  assert.ok(!isLookedFor(['doe'], '8', {}));
});
