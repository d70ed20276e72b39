import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changedTables,
  exchanged,
  faults,
  merged,
  nameIn,
  nextName,
  readRounds,
  renamed,
  roundAfter,
  sent,
} from '../src/pure/pairings';

const game = (table: number, white: string, black: string, more = {}) => ({
  table,
  white: { name: white, title: 'GM', rating: 2500 },
  black: { name: black },
  chess960: false,
  ...more,
});
const FILE = [
  { name: '1', pairings: [game(1, 'Ann', 'Bob', { start_fen: 'x' }), game(2, 'Cy', 'Di')] },
  { name: '2', pairings: [game(1, 'Cy', 'Ann')] },
];

test('what is read and not touched is sent as it was', () => {
  assert.deepEqual(sent(readRounds(FILE)), FILE);
  assert.deepEqual(readRounds([{ name: '1', pairings: [{ table: 0 }, null] }, 7]), [
    { name: '1', pairings: [] },
  ]);
});

test('a name that is spelled otherwise keeps its title, and another player does not', () => {
  const [first] = readRounds(FILE)[0]?.pairings ?? [];
  assert.ok(first !== undefined);
  const spelled = renamed(first, 'white', 'Anne');
  assert.deepEqual(spelled.white, { name: 'Anne', title: 'GM', rating: 2500 });
  assert.deepEqual(renamed(first, 'white', 'Eve').white, { name: 'Eve' });
  assert.deepEqual(
    [nameIn(exchanged(first), 'white'), nameIn(exchanged(first), 'black')],
    ['Bob', 'Ann'],
  );
});

test('a file with one more round leaves the others', () => {
  const before = readRounds(FILE);
  const third = readRounds([{ name: '3', pairings: [] }]);
  const names = (rounds: readonly { name: string }[]) => rounds.map(({ name }) => name);
  assert.deepEqual(names(merged(before, third)), ['1', '2', '3']);
  assert.deepEqual(names(merged(third, before)), ['1', '2', '3'], 'numbers are in order');
  const again = merged(before, readRounds([{ name: '2', pairings: [game(4, 'X', 'Y')] }]));
  assert.deepEqual(
    again[1]?.pairings.map(({ table }) => table),
    [4],
  );
  assert.equal(again[0], before[0]);
  assert.equal(roundAfter(before, '1'), '2');
  assert.equal(roundAfter(before, '2'), null);
  assert.deepEqual([nextName(before), nextName([])], ['3', '1']);
});

test('what is twice, empty or too long is named', () => {
  const long = 'ü'.repeat(100);
  const [round, nobody] = readRounds([
    { name: '1', pairings: [game(1, 'Ann', 'Bob'), game(1, 'Ann', ''), game(3, long, 'Di')] },
    { name: '2', pairings: [game(4, '', ' ')] },
  ]);
  assert.ok(round !== undefined && nobody !== undefined);
  assert.deepEqual(faults(round), [
    { kind: 'table_twice', table: 1 },
    { kind: 'no_name', table: 1 },
    { kind: 'player_twice', name: 'Ann', tables: '1, 1' },
    { kind: 'long', table: 3 },
  ]);
  assert.deepEqual(faults(nobody), [{ kind: 'no_name', table: 4 }], 'said once');
});

test('of a round that is on, the tables that get other players are named', () => {
  const [one, two] = readRounds(FILE);
  assert.deepEqual(changedTables(one, two), [1, 2]);
  assert.deepEqual(changedTables(one, one), []);
  assert.deepEqual(changedTables(undefined, one), [], 'nobody was named there before');
});
