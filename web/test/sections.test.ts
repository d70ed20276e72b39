/** Alerts sorted into the parts of the hall. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped, readSections } from '../src/pure/sections';

const sections = readSections([
  { name: 'Open A', tables: '1-20' },
  { name: 'Open B', tables: '21-40,99' },
  { name: 'nameless' },
]);

test('groups stand in the order of their gravest alert and keep the order within', () => {
  const alerts = ['30', '3', '21', '7', '500'].map((table) => ({ table }));
  const groups = grouped(alerts, sections);
  assert.deepEqual(
    groups.map(({ name, items }) => [name, items.map(({ table }) => table)]),
    [
      ['Open B', ['30', '21']],
      ['Open A', ['3', '7']],
      [null, ['500']],
    ],
  );
});

test('without sections there is one group without a name', () => {
  assert.deepEqual(
    grouped([{ table: '1' }, { table: null }], []).map(({ name }) => name),
    [null],
  );
  assert.deepEqual(readSections('A'), []);
});
