import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, readCondition, unseatedBoards } from '../src/pure/condition';
import { readSetup } from '../src/pure/setup';

test('what is wrong stands in the lines of the daemon', () => {
  const told = readCondition(`degraded
tables: 11 online, 1 silent
broker: away
refused: hall/v1/bridge/info since 2026-11-20T14:00:12Z: publishing: not authorised (reason 135)
refused: hall/v1/record/part/a/0 since 2026-11-20T14:00:12Z: too long (reason 149)
refused: 12 more topics
machine: the spare goes on with the games of first since 2026-11-20T14:00:12Z
journal: failed
lichess: fails since 2026-11-20T14:00:12Z
record: damaged places: 2 (adoubed verify says where)
flood: table 3: /dev/ttyUSB2 says more than any board can
flood: /dev/ttyUSB4 says more than any board can
`);
  assert.deepEqual(
    [told.stalled, told.broker, told.journal, told.damaged],
    [false, false, 'failed', 2],
  );
  assert.deepEqual(told.refused, ['hall/v1/bridge/info']);
  assert.deepEqual(told.tooLong, ['hall/v1/record/part/a/0']);
  assert.deepEqual(told.handed, {
    to: 'the spare',
    from: 'first',
    since: Date.parse('2026-11-20T14:00:12Z'),
  });
  assert.equal(told.floods.length, 2);
  assert.match(told.floods[0] ?? '', /^table 3: /);
});

test('where all is well nothing is, and who hangs says so first', () => {
  const well = readCondition('ok\ntables: 12 online\nbroker: connected\njournal: kept\n');
  assert.deepEqual(well, {
    stalled: false,
    broker: true,
    refused: [],
    tooLong: [],
    handed: null,
    journal: 'kept',
    damaged: 0,
    floods: [],
  });
  assert.equal(readCondition('stalled: nothing has been understood for 31 s\n').stalled, true);
});

test('boards that are missing and boards that sit nowhere are counted', () => {
  const board = (line: string, table: number | null) => {
    return { line, port: line, driver: 'dgt', table };
  };
  const setup = readSetup({
    boards: [board('a', 1), board('b', 3), { line: 'c', port: 'c', driver: null, table: null }],
    tables: [
      { table: 1, configured: true, board: true },
      { table: 2, configured: true, board: false },
      { table: 3, configured: false, board: true },
    ],
  });
  assert.deepEqual(missing(setup), [2]);
  assert.equal(unseatedBoards(setup), 1, 'a table that came with its board is not in the file');
});
