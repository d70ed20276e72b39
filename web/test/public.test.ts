/** The pages of the delayed copy: they know its topics and addresses, and no others. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en, fr } from './languages';
import { feedOf, tablePath, wallOf } from '../src/pure/feed';
import { tableOfPath } from '../src/pure/selection';
import { screenFilters } from '../src/pure/topics';
import { noticeOf } from '../src/view/notice';
import { hallOf, THERE } from './one_hall';

test('an address says which feed its page shows', () => {
  const paths = ['/public', '/public/table/7', '/public/embed/7', '/', '/table/7', '/publicly'];
  assert.deepEqual(paths.map(feedOf), ['public', 'public', 'public', 'hall', 'hall', 'hall']);
  assert.equal(tableOfPath('/public/table/7'), '7');
  assert.equal(tableOfPath('/public/embed/7/'), '7');
  assert.equal(tablePath('public', '7'), '/public/table/7');
  assert.equal(tablePath('hall', '7'), '/table/7');
  assert.deepEqual([wallOf('public'), wallOf('hall')], ['/public', '/']);
});

test('a public page asks for nothing of the present but whether the daemon is there', () => {
  const filters = screenFilters('public')('adoubed');
  assert.deepEqual(filters, ['adoubed/v1/bridge/state', 'adoubed/v1/public/#']);
  assert.ok(!screenFilters('hall')('adoubed').some((filter) => filter.includes('public')));
});

test('the public topics are understood as those of the hall are', () => {
  const hall = hallOf('adoubed');
  const info = { v: 1, at: '2026-11-20T14:00:00.000Z', tables: [7], delay_s: 900, event: {} };
  const told = hall.apply('adoubed/v1/public/info', JSON.stringify(info));
  assert.equal(told?.subject.about, 'bridge_info');
  assert.equal(hall.info?.delayS, 900);
  const device = { v: 1, at: '2026-11-20T14:00:00.000Z', state: 'online' };
  hall.apply('adoubed/v1/public/table/7/device', JSON.stringify(device));
  assert.equal(hall.tables.get('7')?.device?.state, 'online');
  assert.equal(hall.apply('adoubed/v1/public/alert/1-1-1', '{"v":1}'), null);
  assert.equal(hall.apply('adoubed/v1/public/state', '{"v":1,"state":"offline"}'), null);
});

test('a public page says how much later it is, and never that it is live', () => {
  const fresh = { link: 'online', halls: [THERE], lastNews: null } as const;
  assert.equal(noticeOf({ ...fresh, delayS: 900 }, en).text, '15 min behind the hall');
  assert.equal(noticeOf({ ...fresh, delayS: 45 }, en).text, '45 s behind the hall');
  assert.equal(noticeOf({ ...fresh, delayS: 900 }, fr).text, '15 min après la salle');
  assert.equal(noticeOf({ ...fresh, delayS: null }, en).text, 'Behind the hall');
  assert.equal(noticeOf(fresh, en).text, 'Live');
});
