/** Several halls on one broker: what belongs to which. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gameOf, tableOf } from '../src/pure/alerts';
import { Halls } from '../src/pure/halls';
import { readPlace } from '../src/pure/place';
import { runsOf } from '../src/pure/round_end';
import { means } from '../src/pure/search';
import { parseSelection, tableOfPath, tablesOf } from '../src/pure/selection';
import { byTable, isHallName } from '../src/pure/table_id';
import { noticeOf, type HallFreshness } from '../src/view/notice';
import { en } from './languages';

const POSITION = '{"v":1,"fen":"8/8/8/8/8/8/8/8 w - - 0 1","ply":0,"phase":"ready"}';
const ALERT = {
  v: 1,
  kind: 'result_mismatch',
  state: 'open',
  gravity: 'look',
  table: 7,
  mend: [{ verb: 'set_result', body: { table: 7, result: '1-0' } }],
};

function shown(base: string, name = '') {
  return { base, name, pages: '' };
}

function twoHalls(): Halls {
  return new Halls([shown('liege/a', 'A'), shown('liege/b', 'B')]);
}

test('tables and alerts of two halls with the same numbers are told apart', () => {
  const halls = twoHalls();
  for (const base of ['liege/b', 'liege/a']) {
    halls.apply(`${base}/v1/table/7/position`, POSITION);
    halls.apply(`${base}/v1/alert/7-1-2`, JSON.stringify(ALERT));
  }
  assert.deepEqual(halls.tableIds(), ['A-7', 'B-7']);
  assert.deepEqual([...halls.alerts.keys()].sort(), ['A-7-1-2', 'B-7-1-2']);
  assert.equal(halls.alerts.get('B-7-1-2')?.table, 'B-7');
  halls.apply('liege/b/v1/alert/7-1-2', '');
  assert.deepEqual([...halls.alerts.keys()], ['A-7-1-2']);
  assert.equal(halls.apply('liege/c/v1/table/7/position', POSITION), null, 'nobody asked for C');
});

test('a list of tables counts for its own hall', () => {
  const halls = twoHalls();
  halls.apply('liege/b/v1/bridge/info', '{"tables":[2,1]}');
  halls.apply('liege/b/v1/table/9/position', POSITION);
  halls.apply('liege/a/v1/table/10/position', POSITION);
  halls.apply('liege/a/v1/table/9/position', POSITION);
  assert.deepEqual(halls.tableIds(), ['A-9', 'A-10', 'B-1', 'B-2']);
});

test('an order goes to the hall whose table or alert it is about, in that hall’s own words', () => {
  const halls = twoHalls();
  const to = (body: object) => {
    const addressed = halls.addressed({ ...body });
    return addressed === null ? null : [addressed.hall.base, addressed.body];
  };
  assert.deepEqual(to({ alert: 'B-7-1-2', ruling: 'noted' }), [
    'liege/b',
    { alert: '7-1-2', ruling: 'noted' },
  ]);
  assert.deepEqual(to({ table: 'A-12', result: '1-0' }), ['liege/a', { table: 12, result: '1-0' }]);
  assert.deepEqual(to({ hall: 'B', table: null, line: 'x' }), [
    'liege/b',
    { table: null, line: 'x' },
  ]);
  assert.deepEqual(to({ hall: 'A', round: '2' }), ['liege/a', { round: '2' }]);
  assert.equal(to({ round: '2' }), null, 'of no hall: it is not guessed which is meant');
  assert.equal(to({ table: 'C-1' }), null);
  const one = new Halls([shown('adoubed')]);
  assert.deepEqual(one.addressed({ table: '12' })?.body, { table: 12 });
  assert.equal(one.addressed({ round: '2' })?.hall.base, 'adoubed');
});

test('what mends an alert is asked of the hall that offers it', () => {
  const halls = twoHalls();
  halls.apply('liege/b/v1/alert/7-1-2', JSON.stringify(ALERT));
  const [mend] = halls.alerts.get('B-7-1-2')?.mends ?? [];
  const to = halls.addressed(mend?.body ?? {});
  assert.deepEqual([to?.hall.base, to?.body], ['liege/b', { table: 7, result: '1-0' }]);
});

test('halls below a prefix come as they are heard, under the last part of their base', () => {
  const halls = new Halls([shown('liege/+')]);
  assert.ok(halls.several);
  for (const base of ['liege/b', 'liege/a', 'liege/hall-c', 'other/d', 'liege/x/y']) {
    halls.apply(`${base}/v1/table/1/position`, POSITION);
  }
  assert.deepEqual(halls.tableIds(), ['A-1', 'B-1']);
  assert.deepEqual([...halls.nameless], ['liege/hall-c']);
});

test('two halls that would have one name are not mixed up', () => {
  const halls = new Halls([shown('liege/+')]);
  halls.apply('liege/a/v1/table/1/position', POSITION);
  halls.apply('liege/A/v1/table/1/position', POSITION);
  halls.apply('liege/a/v1/table/1/position', POSITION);
  assert.deepEqual([halls.tableIds(), halls.tables.size], [[], 0], 'each screen would choose one');
  assert.deepEqual([...halls.nameless].sort(), ['liege/A', 'liege/a']);
  const named = new Halls([shown('liege/hall-a', 'A'), shown('liege/+')]);
  named.apply('liege/a/v1/table/1/position', POSITION);
  named.apply('liege/hall-a/v1/table/2/position', POSITION);
  assert.deepEqual(named.tableIds(), ['A-2'], 'the one that was named keeps its name');
});

test('only the halls that are wanted are shown', () => {
  const halls = new Halls([shown('liege/+')], ['b']);
  halls.apply('liege/a/v1/table/1/position', POSITION);
  halls.apply('liege/b/v1/table/1/position', POSITION);
  assert.deepEqual(halls.tableIds(), ['B-1']);
  assert.deepEqual([...halls.nameless], []);
});

test('one hall alone has no name before its tables', () => {
  const halls = new Halls([shown('liege/a', 'A')]);
  halls.apply('liege/a/v1/table/7/position', POSITION);
  assert.deepEqual(halls.tableIds(), ['7']);
});

test('each hall is silent since its own last message, and has a clock of its own', () => {
  const halls = twoHalls();
  const state = (base: string, value: string, at: string) =>
    halls.apply(`${base}/v1/bridge/state`, JSON.stringify({ v: 1, state: value, at }));
  state('liege/a', 'online', '2026-11-20T14:00:00.000Z');
  state('liege/b', 'online', '2026-11-20T13:00:00.000Z');
  halls.apply(
    'liege/b/v1/table/1/position',
    JSON.stringify({ ...JSON.parse(POSITION), at: '2026-11-20T14:03:20.000Z' }),
  );
  // A last will is written when the daemon connects: it says when that was, not when it went.
  state('liege/b', 'offline', '2026-11-20T13:00:00.000Z');
  const [a, b] = halls.all;
  assert.deepEqual([a?.bridge?.online, b?.bridge?.online], [true, false]);
  assert.equal(b?.heardAt, Date.UTC(2026, 10, 20, 14, 3, 20));
});

test('which hall is silent, since when, and which may not be read', () => {
  const since = new Date(2026, 10, 20, 14, 3, 20).getTime();
  const hall = { name: 'A', online: true, since, barred: false };
  const told = (...halls: HallFreshness[]) =>
    noticeOf({ link: 'online', lastNews: since, halls, settled: true }, en);
  assert.equal(told(hall, { ...hall, name: 'B' }).text, 'Live');
  assert.deepEqual(told(hall, { ...hall, name: 'B', online: false }), {
    mood: 'stale',
    text: 'Hall B has been silent since 14:03:20',
  });
  const unheard = { ...hall, name: 'B', online: false, since: null };
  assert.match(told(hall, unheard).text, /hall B$/);
  const coming = { link: 'online', lastNews: since, halls: [unheard], settled: false } as const;
  assert.equal(noticeOf(coming, en).mood, 'waiting', 'more may come');
  assert.match(told(hall, { ...hall, name: 'B', barred: true }).text, /^Hall B: your name may not/);
  assert.match(told().text, /No hall has been heard/);
});

test('who is short of time is listed over all halls, the shortest time first', () => {
  const halls = twoHalls();
  const list = (base: string, players: readonly (readonly [number, number])[]) =>
    halls.apply(
      `${base}/v1/arbiter/watch_list`,
      JSON.stringify({
        v: 1,
        players: players.map(([table, left_ms]) => ({ table, side: 'white', left_ms })),
      }),
    );
  list('liege/a', [
    [1, 10_000],
    [2, 40_000],
  ]);
  list('liege/b', [
    [1, 20_000],
    [9, 50_000],
  ]);
  assert.deepEqual(
    halls.watched.map(({ table }) => table),
    ['A-1', 'B-1', 'A-2', 'B-9'],
  );
});

test('addresses and selections name tables of one hall, or the same numbers in all', () => {
  assert.equal(tableOfPath('/table/A-12'), 'A-12');
  assert.equal(tableOfPath('/public/embed/Main-3/'), 'Main-3');
  for (const wrong of ['/table/A-', '/table/A-0', '/table/1-2', '/table/Toolongname-1']) {
    assert.equal(tableOfPath(wrong), null, wrong);
  }
  assert.deepEqual(readPlace('#/table/A-12'), { at: 'table', table: 'A-12' });
  const tables = ['A-1', 'A-3', 'B-1', 'B-3'];
  const chosen = (text: string) => tables.filter(parseSelection(text));
  assert.deepEqual(chosen('A-1-2'), ['A-1']);
  assert.deepEqual(chosen('a-3,B-1'), ['A-3', 'B-1']);
  assert.deepEqual(chosen('3'), ['A-3', 'B-3']);
  assert.deepEqual(chosen('B-*'), ['B-1', 'B-3']);
  assert.deepEqual(tablesOf('A-1,A-9', ['A-1', 'B-1']), ['A-1', 'A-9']);
});

test('tables are found by their whole name, and by their number in any hall', () => {
  assert.ok(means('a-12', 'A-12', '') && means('12', 'A-12', ''));
  assert.ok(!means('b-12', 'A-12', '') && !means('2', 'A-12', ''));
});

test('tables stand by hall and then by number, and those in a row are told as one', () => {
  const tables = ['B-1', 'A-10', 'A-9', 'H10-1', 'H2-1'].sort(byTable);
  assert.deepEqual(tables, ['A-9', 'A-10', 'B-1', 'H2-1', 'H10-1']);
  assert.equal(runsOf(['A-9', 'A-10', 'B-11']), 'A-9–A-10, B-11');
});

test('the id of an alert says its hall, its table and its game', () => {
  assert.deepEqual([tableOf('A-12-3-1'), gameOf('A-12-3-1')], ['A-12', 3]);
  assert.deepEqual([tableOf('12-3-1'), gameOf('12-3-1')], ['12', 3]);
});

test('a name is short, and no number', () => {
  for (const name of ['A', 'h2', 'Main']) assert.ok(isHallName(name), name);
  for (const name of ['', '1', 'hall-a', 'é', 'Toolongname']) assert.ok(!isHallName(name), name);
});
