/** What is found by what is typed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { means, plain } from '../src/pure/search';

test('names are found without their marks, and with them', () => {
  const names = plain('Đorđević, Milica Ó Súilleabháin, Caoimhe Łuczyńska Sæther, Øystein');
  const meant = ['dordevic', 'Đorđ', 'suill', 'Súill', 'lucz', 'ø', 'saether', ' oyst ', ''];
  for (const typed of meant) {
    assert.ok(means(typed, '4', names), typed);
  }
  for (const typed of ['nobody', '41', 'luez']) assert.ok(!means(typed, '4', names), typed);
});

test('a number is that of one table', () => {
  assert.ok(means('12', '12', 'doe, jane'));
  assert.ok(!means('1', '12', 'doe, jane'));
});
