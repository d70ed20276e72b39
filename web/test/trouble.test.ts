/** The view of the tables where time is shortest. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPlace, worstTables } from '../src/pure/trouble';
import { readWatchList } from '../src/pure/watch';
import { HALL } from './one_hall';

test('the worst tables are those of the daemon’s order, each once, and no more than fit', () => {
  const players = [7, 3, 7, 9, 1, 2].map((table, index) => ({
    table,
    side: index % 2 === 0 ? 'white' : 'black',
    left_ms: 1000 * (index + 1),
  }));
  const watched = readWatchList({ players }, HALL);
  assert.deepEqual(worstTables(watched), ['7', '3', '9', '1', '2']);
  assert.deepEqual(worstTables(watched, 3), ['7', '3', '9']);
  assert.deepEqual(worstTables([]), []);
});

test('a board stays where it is while another one becomes worse', () => {
  assert.deepEqual(inPlace([], ['4', '5']), ['4', '5']);
  assert.deepEqual(inPlace(['4', '5', '6'], ['6', '5', '4']), ['4', '5', '6']);
  assert.deepEqual(
    inPlace(['4', '5', '6'], ['9', '6', '4']),
    ['4', '9', '6'],
    'who comes takes the free place',
  );
  assert.deepEqual(inPlace(['4', '5', '6'], ['6']), ['6']);
});
