import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOutlets } from '../src/pure/outlets';

test('the ways out of the hall are read, and nothing is made of what is none', () => {
  const since = '2026-11-20T15:10:03.120Z';
  const told = { name: 'lichess', works: false, since, last: '401: No such token' };
  const all = [told, { ...told, since: 'today' }, { works: true, since }, 7];
  const at = Date.UTC(2026, 10, 20, 15, 10, 3, 120);
  assert.deepEqual(readOutlets(JSON.stringify(all)), [{ ...told, since: at }]);
  for (const bad of ['', '{}', 'for arbiters']) assert.deepEqual(readOutlets(bad), []);
});
