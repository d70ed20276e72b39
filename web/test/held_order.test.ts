/** Nothing in the queue changes its place under a hand. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAlert, type Alert } from '../src/pure/alerts';
import { HeldOrder, type Lists } from '../src/pure/held_order';
import { HALL } from './one_hall';

function alert(id: string, state = 'open'): Alert {
  const read = readAlert(id, { kind: 'illegal_move', gravity: 'summon', state }, HALL);
  assert.ok(read);
  return read;
}

const lists = (open: Alert[], settled: Alert[] = []): Lists => ({
  open,
  settled,
  elsewhere: [],
  earlier: [],
  notes: [],
});
const ids = (alerts: readonly Alert[]) => alerts.map(({ id }) => id);

test('while a hand is there what comes waits, and what was shown stays in its place', () => {
  const order = new HeldOrder();
  order.arrange(lists([alert('b'), alert('c')]), false);
  const held = order.arrange(lists([alert('a'), alert('b'), alert('c')]), true);
  assert.deepEqual([ids(held.lists.open), ids(held.waiting)], [['b', 'c'], ['a']]);
  const gone = order.arrange(lists([alert('a'), alert('b'), alert('c')]), false);
  assert.deepEqual([ids(gone.lists.open), ids(gone.waiting)], [['a', 'b', 'c'], []]);
});

test('what is closed or acknowledged meanwhile keeps its place, and says what became of it', () => {
  const order = new HeldOrder();
  order.arrange(lists([alert('a'), alert('b'), alert('c')]), false);
  const { lists: held, waiting } = order.arrange(
    lists([alert('c')], [alert('b', 'acknowledged')]),
    true,
  );
  assert.deepEqual(ids(held.open), ['a', 'b', 'c']);
  assert.equal(held.open[1]?.state, 'acknowledged');
  assert.deepEqual([ids(held.settled), ids(waiting)], [[], []]);
  assert.deepEqual(ids(order.arrange(lists([alert('c')]), false).lists.open), ['c']);
});

test('in an empty list nothing can be missed: what comes is shown at once', () => {
  const order = new HeldOrder();
  order.arrange(lists([]), false);
  const { lists: shown, waiting } = order.arrange(lists([alert('a')]), true);
  assert.deepEqual([ids(shown.open), ids(waiting)], [['a'], []]);
});
