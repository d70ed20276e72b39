/** What stands at which move of the score that an arbiter reads. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAlert, type Alert } from '../src/pure/alerts';
import { scoreRows } from '../src/pure/arbiter_score';
import { readLedger } from '../src/pure/ledger';
import { readGame } from '../src/pure/payloads';
import { HALL } from './one_hall';

const SANS = ['e4', 'e5', 'Nf3'];
const game = readGame({ moves: SANS.map((san, index) => ({ ply: index + 1, san })) });

function illegal(id: string, move_number: number | null): Alert {
  const about = { kind: 'illegal_move', state: 'open', gravity: 'summon', side: 'black' };
  const read = readAlert(id, { ...about, move_number }, HALL);
  assert.ok(read);
  return read;
}

function ledger(...alerts: string[]) {
  const clean = { illegal_moves: 0, penalties: 0, given_s: 0, faults: [], given: [] };
  const faults = alerts.map((alert, index) => {
    return { number: index + 1, alert, kind: 'illegal_move', article: '7.5.1', move_number: 1 };
  });
  return readLedger({ white: clean, black: { ...clean, faults } }, HALL) ?? undefined;
}

test('what happened stands at its move, one that was not made too', () => {
  const rows = scoreRows(game, [illegal('1-1-2', 3), illegal('1-1-3', null)], ledger('1-1-1'));
  const told = rows.map(({ number, white, black, remarks }) => {
    return [number, white?.san, black?.san, remarks.map(({ about }) => about)];
  });
  assert.deepEqual(told, [
    [1, 'e4', 'e5', ['fault']],
    [2, 'Nf3', undefined, []],
    [3, undefined, undefined, ['alert']],
  ]);
});

test('an alert that is open is not told by the ledger once more', () => {
  const [first] = scoreRows(game, [illegal('1-1-1', 1)], ledger('1-1-1', '1-1-2'));
  assert.deepEqual(
    first?.remarks.map(({ about }) => about),
    ['alert', 'fault'],
  );
});
