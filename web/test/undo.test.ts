/** What an arbiter can take back with one tap. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dismissedFor, readLedger } from '../src/pure/ledger';
import { lastTap, readUndoable, type Undoable } from '../src/pure/undo';
import { HALL } from './one_hall';

const SECOND = 1000;

function decided(act: number, at: number, other: Partial<Undoable> = {}): Undoable {
  const own = { act, by: 'Ann', at, until: at + 10 * SECOND, verb: 'rule', body: {}, group: null };
  return { ...own, ...other };
}

function acts(tables: Record<number, Undoable[]>, by: string, now: number): string[] {
  const all = Object.entries(tables).map(([table, undo]) => [table, { undo }] as const);
  return lastTap(all, by, () => now).map(({ table, act }) => `${table}:${act}`);
}

test('what came of one tap is taken back together, however far apart it came', () => {
  const group = 'w8';
  const settled = [decided(4, 1000, { verb: 'penalty_given', group }), decided(5, 6400, { group })];
  assert.deepEqual(acts({ 3: settled }, 'Ann', 7000), ['3:5', '3:4']);
  assert.deepEqual(acts({ 3: settled }, 'Ann', 11_500), ['3:5'], 'the first one is too old');
  const cleared = {
    1: [decided(1, 2000, { group })],
    2: [decided(1, 5200, { group }), decided(2, 5300)],
    9: [decided(7, 5900, { group })],
  };
  assert.deepEqual(acts(cleared, 'Ann', 6000), ['9:7', '1:1'], 'on one of them something rests');
});

test('what was decided by two taps, or by two people at once, is not taken back together', () => {
  const both = { 1: [decided(1, 5000)], 2: [decided(1, 5200)] };
  assert.deepEqual(acts(both, 'Ann', 6000), ['2:1']);
  assert.deepEqual(acts({ 3: [decided(4, 5000), decided(5, 5100)] }, 'Ann', 6000), ['3:5']);
  const groups = ['w8', 'x9'].map((group) => [decided(1, 5000, { group })]);
  const two = { 1: groups[0] ?? [], 2: groups[1] ?? [] };
  assert.deepEqual(acts(two, 'Ann', 6000), ['1:1']);
});

test('what somebody else has decided on since is not offered: it would be refused', () => {
  const since = [decided(4, 5000), decided(5, 5800, { by: 'Bob' })];
  assert.deepEqual(acts({ 3: since }, 'Ann', 6000), []);
  assert.deepEqual(acts({ 3: since }, 'Bob', 6000), ['3:5']);
  assert.deepEqual(acts({ 3: [...since, decided(6, 5900)] }, 'Ann', 6000), ['3:6']);
});

test('what was decided before it stays', () => {
  const two = { 1: [decided(1, 2000)], 2: [decided(1, 5000)] };
  assert.deepEqual(acts(two, 'Ann', 6000), ['2:1']);
});

test('what others decided, and what is too old, is not offered', () => {
  const one = { 1: [decided(1, 5000, { by: 'Bob' })], 2: [decided(1, 5100)] };
  assert.deepEqual(acts(one, 'Ann', 6000), ['2:1']);
  assert.deepEqual(acts(one, 'Bob', 6000), ['1:1']);
  assert.deepEqual(acts(one, 'Ann', 15_100), []);
});

test('it is read as the daemon tells it, or not at all', () => {
  const told = {
    act: 3,
    by: 'Ann',
    at: '2026-11-20T14:05:16.200Z',
    until: '2026-11-20T14:05:26.200Z',
    verb: 'rule',
    body: { alert: '7-1-1', ruling: 'upheld' },
  };
  const read = readUndoable(told);
  assert.equal(read?.until, Date.UTC(2026, 10, 20, 14, 5, 26, 200));
  assert.equal(read.body['ruling'], 'upheld');
  assert.equal(read.group, null);
  assert.equal(readUndoable({ ...told, group: 'w8' })?.group, 'w8');
  for (const key of Object.keys(told).filter((key) => key !== 'body')) {
    assert.equal(readUndoable({ ...told, [key]: null }), null, key);
  }
});

test('time that was taken back at once is no penalty of a dismissed alert', () => {
  const withdrawn = { at: '2026-11-20T14:05:16.200Z', by: 'Ann', reason: null };
  const page = (undone: boolean) => ({
    illegal_moves: 0,
    penalties: 0,
    given_s: 0,
    given: [{ seconds: 120, by: 'Ann', alert: '7-1-1', withdrawn: { ...withdrawn, undone } }],
  });
  const empty = { illegal_moves: 0, penalties: 0, given_s: 0 };
  const ledger = (undone: boolean) => readLedger({ white: page(undone), black: empty }, HALL);
  assert.notEqual(dismissedFor(ledger(false) ?? undefined, '7-1-1'), null);
  assert.equal(dismissedFor(ledger(true) ?? undefined, '7-1-1'), null);
});
