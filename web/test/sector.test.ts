/** What a tablet with tables of its own shows and rings for. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAlert, type Alert } from '../src/pure/alerts';
import { isOwn, readSector } from '../src/pure/sector';
import { HALL } from './one_hall';

const OPENED = Date.UTC(2026, 10, 20, 14, 0, 0);
const SECOND = 1000;

function alert(table: number | null, other: object = {}): Alert {
  const opened_at = new Date(OPENED).toISOString();
  const told = { kind: 'illegal_move', gravity: 'summon', state: 'open', opened_at };
  const read = readAlert('7-1-1', { ...told, table, ...other }, HALL);
  assert.ok(read);
  return read;
}

test('a sector is read as it is written, and nothing else is one', () => {
  const sector = readSector('1-20, 30');
  assert.deepEqual(
    ['1', '20', '21', '30'].map((table) => sector?.(table)),
    [true, true, false, true],
  );
  for (const wrong of ['', 'all', '1-', '3,x']) assert.equal(readSector(wrong), null, wrong);
});

test('alerts elsewhere are the others’, until a summons was left alone for half a minute', () => {
  const sector = readSector('1-20');
  const own = (it: Alert, seconds: number) => isOwn(it, sector, OPENED + seconds * SECOND);
  assert.equal(own(alert(7), 0), true);
  assert.equal(own(alert(null), 0), true, 'of no table');
  assert.deepEqual(
    [0, 29, 30].map((seconds) => own(alert(21), seconds)),
    [false, false, true],
  );
  assert.equal(own(alert(21, { gravity: 'look' }), 60), false);
  assert.equal(own(alert(21, { state: 'acknowledged' }), 60), false, 'somebody is on the way');
  assert.equal(isOwn(alert(21), null, OPENED), true, 'no sector');
});
