/** What is still to be done before a round can be closed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAlert, type Alert } from '../src/pure/alerts';
import { roundEnd, runsOf } from '../src/pure/round_end';
import { readResults } from '../src/pure/round_results';
import { HALL } from './one_hall';

function alert(table: number, kind: string, gravity = 'look'): Alert {
  const read = readAlert(`${table}-1-1`, { kind, gravity, state: 'open', table }, HALL);
  assert.ok(read);
  return read;
}

test('games without a result, contradictions and what waits for a ruling are told apart', () => {
  const rows = [1, 2, 3].map((table) => ({ table, result: table === 2 ? null : '1-0' }));
  const told = readResults(JSON.stringify({ round: '1', rounds: ['1'], rows }));
  const alerts = [
    alert(3, 'result_mismatch'),
    alert(2, 'no_result'),
    alert(1, 'illegal_move', 'summon'),
    alert(1, 'adjusted', 'note'),
  ];
  assert.deepEqual(roundEnd(told?.rows ?? [], alerts), {
    finished: 2,
    games: 3,
    missing: ['2'],
    contradicting: ['3'],
    undecided: ['1'],
  });
});

test('tables in a row are told as one', () => {
  assert.equal(runsOf([3, 7, 8, 9, 12]), '3, 7–9, 12');
  assert.equal(runsOf([]), '');
});
