/** How topics and payloads become the state of the hall. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hall } from '../src/pure/hall';
import { subjectOf } from '../src/pure/topics';
import { HALL, hallOf } from './one_hall';

const POSITION = '{"v":1,"fen":"8/8/8/8/8/8/8/8 w - - 0 1","ply":0,"phase":"ready"}';
const ALERT = '{"v":1,"kind":"illegal_move","state":"open","gravity":"summon","news":1}';

test('topics are understood under any base', () => {
  assert.deepEqual(subjectOf(new Hall('liege/hall1', ''), 'liege/hall1/v1/table/12/clock'), {
    about: 'table',
    table: '12',
    kind: 'clock',
  });
  assert.deepEqual(subjectOf(HALL, 'adoubed/v1/alert/3-7'), { about: 'alert', id: '3-7' });
  assert.deepEqual(subjectOf(HALL, 'adoubed/v1/response/acknowledge'), {
    about: 'response',
    verb: 'acknowledge',
  });
});

test('other topics are nobody’s business', () => {
  const strange = [
    'other/v1/table/1/clock',
    'adoubed/v2/table/1/clock',
    'adoubed/v1/table/0/clock',
    'adoubed/v1/table/-1/clock',
    'adoubed/v1/table/1e3/clock',
    'adoubed/v1/table/1',
    'adoubed/v1/table/1/pgn',
    'adoubed/v1/table/1/clock/more',
    'adoubed/v1/alert/a/b',
    'adoubed/v1/bridge',
    'adoubed/v1/',
    '',
  ];
  for (const topic of strange) assert.equal(subjectOf(HALL, topic), null, topic);
});

test('malformed payloads change nothing', () => {
  const hall = hallOf('adoubed');
  hall.apply('adoubed/v1/table/1/position', POSITION);
  const before = hall.tables.get('1');
  const broken = ['{', '[]', '7', 'null', '"x"', '{"phase":"dancing"}'];
  for (const raw of [...broken, '{"v":2,"phase":"ready"}']) {
    assert.equal(hall.apply('adoubed/v1/table/1/position', raw), null, raw);
  }
  assert.equal(hall.tables.get('1'), before);
  assert.equal(hall.apply('adoubed/v1/table/1/clock', '{"white_ms":1}'), null);
  assert.equal(hall.apply('adoubed/v1/table/1/device', '{"state":[]}'), null);
});

test('values of the wrong kind inside a payload become unknown', () => {
  const hall = hallOf('adoubed');
  const clock = '{"white_ms":"3","black_ms":5,"running":7,"sampled_at":"2026-11-20T14:00:00.250Z"}';
  hall.apply('adoubed/v1/table/1/clock', clock);
  assert.deepEqual(hall.tables.get('1')?.clock, {
    white: null,
    black: 5,
    running: null,
    flag: null,
    period: { white: 1, black: 1 },
    sampledAt: Date.UTC(2026, 10, 20, 14, 0, 0, 250),
    flagDueAt: null,
    current: true,
    lowBattery: false,
  });
  const players = '"players":{"white":{"name":""},"black":[]}';
  const game = `{${players},"moves":[null,{"ply":1,"san":"e4"},{}]}`;
  hall.apply('adoubed/v1/table/1/game', game);
  assert.equal(hall.tables.get('1')?.game?.white, null);
  assert.deepEqual(
    hall.tables.get('1')?.game?.moves.map((move) => move.san),
    ['e4'],
  );
});

test('an empty payload closes an alert', () => {
  const hall = hallOf('adoubed');
  hall.apply('adoubed/v1/alert/a', ALERT);
  assert.equal(hall.alerts.get('a')?.gravity, 'summon');
  assert.ok(hall.apply('adoubed/v1/alert/a', ''));
  assert.equal(hall.alerts.size, 0);
});

test('what the broker does not repeat after a reconnection is forgotten', () => {
  const hall = hallOf('adoubed');
  hall.apply('adoubed/v1/alert/stays', ALERT);
  hall.apply('adoubed/v1/alert/vanished', ALERT);
  hall.apply('adoubed/v1/table/1/position', POSITION);
  hall.beginConfirmation();
  assert.equal(hall.alerts.size, 2, 'nothing flickers while the answers come in');
  hall.apply('adoubed/v1/alert/stays', ALERT);
  hall.apply('adoubed/v1/alert/new', ALERT);
  const gone = hall.forgetUnconfirmed();
  assert.deepEqual([...hall.alerts.keys()].sort(), ['new', 'stays']);
  assert.deepEqual(gone.map(({ subject }) => subject.about).sort(), ['alert', 'table']);
  assert.deepEqual(hall.forgetUnconfirmed(), []);
});

test('the daemon’s list of tables decides which are shown, in order', () => {
  const hall = hallOf('adoubed');
  hall.apply('adoubed/v1/table/10/position', POSITION);
  hall.apply('adoubed/v1/table/9/position', POSITION);
  assert.deepEqual(hall.tableIds(), ['9', '10']);
  hall.apply('adoubed/v1/bridge/info', '{"tables":[11,2,2,"x",0,1.5]}');
  assert.deepEqual(hall.tableIds(), ['2', '11']);
});

test('the moment of sending comes along', () => {
  const hall = hallOf('adoubed');
  const raw = '{"state":"online","at":"2026-11-20T14:00:00.000+01:00"}';
  const change = hall.apply('adoubed/v1/bridge/state', raw);
  assert.equal(change?.sentAt, Date.UTC(2026, 10, 20, 13));
  assert.equal(change?.hall.bridge?.online, true);
});
