/** How alerts are read and ordered. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gameOf,
  openAlerts,
  playersThen,
  readAlert,
  settledAlerts,
  type Alert,
} from '../src/pure/alerts';
import { News } from '../src/pure/news';
import { readGame } from '../src/pure/payloads';
import { readRuled } from '../src/pure/rulings';
import { HALL } from './one_hall';

function alert(id: string, gravity: string, minute: number, state = 'open'): Alert {
  const opened_at = `2026-11-20T14:${String(minute).padStart(2, '0')}:00.000Z`;
  const read = readAlert(id, { kind: 'illegal_move', state, gravity, opened_at }, HALL);
  assert.ok(read);
  return read;
}

test('summon before look before note, the newest of each first', () => {
  const alerts = [
    alert('a', 'note', 9),
    alert('b', 'summon', 1),
    alert('c', 'look', 5),
    alert('d', 'summon', 3),
    alert('e', 'look', 7),
  ];
  assert.deepEqual(
    openAlerts(alerts).map(({ id }) => id),
    ['d', 'b', 'e', 'c', 'a'],
  );
});

test('acknowledged and lapsed ones stand apart', () => {
  const alerts = [alert('a', 'note', 1), alert('b', 'summon', 2, 'lapsed')];
  assert.deepEqual(
    openAlerts(alerts).map(({ id }) => id),
    ['a'],
  );
  assert.deepEqual(
    settledAlerts(alerts).map(({ id }) => id),
    ['b'],
  );
});

test('an unknown gravity is looked at rather than lost', () => {
  assert.equal(alert('a', 'earthquake', 1).gravity, 'look');
});

test('a text in one language stands in for the other', () => {
  const read = readAlert(
    'a',
    { kind: 'k', state: 'open', text: { fr: 'Bonjour' }, advice: [{}] },
    HALL,
  );
  assert.deepEqual(read?.text, { en: 'Bonjour', fr: 'Bonjour' });
  assert.deepEqual(read?.advice, []);
});

test('an alert without a state or a kind is none', () => {
  assert.equal(readAlert('a', { kind: 'k', state: 'odd' }, HALL), null);
  assert.equal(readAlert('a', { state: 'open' }, HALL), null);
});

test('an alert of an earlier game names who played then, any other who plays now', () => {
  const player = (name: string) => ({ name });
  const then = { white: player('Doe'), black: player('Roe') };
  const game = readGame({ moves: [], players: { white: player('Poe'), black: player('Moe') } });
  const named = (earlier: boolean) => {
    const value = { kind: 'k', state: 'open', players: then, earlier_game: earlier };
    const read = readAlert('3-1-7', value, HALL);
    return read && playersThen(read, game)?.white?.name;
  };
  assert.deepEqual([named(true), named(false)], ['Doe', 'Poe']);
});

test('evidence keeps its order and its times', () => {
  const lift = { t_ms: -2400, what: 'lift', square: 'e2', piece: 'P' };
  const evidence = [lift, 'x', { what: 'press' }];
  const read = readAlert('a', { kind: 'k', state: 'open', evidence }, HALL);
  assert.deepEqual(
    read?.evidence.map(({ what, offsetMs }) => [what, offsetMs]),
    [
      ['lift', -2400],
      ['press', null],
    ],
  );
});

test('news is what was not there at first, once, and again when it has become graver', () => {
  const news = new News();
  const ids = (...alerts: Alert[]) => news.of(alerts).map(({ id }) => id);
  const [a, b] = [alert('a', 'summon', 1), alert('b', 'look', 2)];
  assert.deepEqual(ids(a), []);
  assert.deepEqual(ids(a, b), ['b']);
  assert.deepEqual(ids(b), []);
  assert.deepEqual(ids(a, b), [], 'it comes back after a broken connection');
  assert.deepEqual(ids(a, alert('b', 'summon', 2)), ['b']);
  assert.deepEqual(ids(a, alert('b', 'look', 2)), [], 'less grave');
  assert.deepEqual(ids(a, alert('b', 'note', 2)), [], 'less grave still');
  assert.deepEqual(ids(a, alert('b', 'look', 2)), ['b'], 'graver than it was last');
});

test('an alert names its game', () => {
  assert.deepEqual(['7-2-11', '12-1-1', 'seven'].map(gameOf), [2, 1, null]);
});

test('who has ruled is read from the answer that everybody hears', () => {
  const data = { alert: '7-1-1', ruling: 'dismissed', by: 'Ann' };
  const at = '2026-11-20T14:03:00.000Z';
  const ruled = readRuled({ status: 'ok', at, data }, HALL);
  assert.deepEqual(ruled, { ...data, at: Date.parse(at) });
  assert.equal(readRuled({ status: 'error', at, data }, HALL), null);
  assert.equal(readRuled({ status: 'ok', at, data: null }, HALL), null);
  assert.equal(readRuled({ status: 'ok', at, data: { ...data, ruling: 'perhaps' } }, HALL), null);
});

test('what mends an alert is sent as it came, and only what is known here is offered', () => {
  const body = { table: 7, round: '3', white: { name: 'Doe, Ann' }, black: { name: 'Roe, Bob' } };
  const read = readAlert(
    '7-1-1',
    {
      kind: 'no_pairing',
      state: 'open',
      mend: [
        { verb: 'set_pairing', body },
        { verb: 'set_pairing', body: { ...body, white: { name: '' } } },
        { verb: 'set_result', body: { table: 7, result: '1-0' } },
        { verb: 'dance', body: { table: 7 } },
      ],
    },
    HALL,
  );
  assert.deepEqual(read?.mends, [
    { verb: 'set_pairing', body: { ...body, table: '7' }, table: '7', told: 'Doe, Ann – Roe, Bob' },
    { verb: 'set_result', body: { table: '7', result: '1-0' }, table: '7', told: '1-0' },
  ]);
});
