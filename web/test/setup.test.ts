import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disturbed, exchanging, nextTable, readSetup, seating, undoing } from '../src/pure/setup';

const board = (line: string, table: number | null) => ({ line, port: line, station: null, table });
const table = (number: number, configured: boolean) => ({
  table: number,
  configured,
  board: true,
  in_play: false,
});
const hall = readSetup({
  file: '/etc/adoubed/adoubed.toml',
  revision: '00',
  boards: [board('a', 1), board('b', 2), board('c', 5), { nonsense: true }],
  tables: [table(1, true), table(2, true), table(5, false)],
});
const lift = (line: string, at: number | null) => {
  return { line, table: at, station: null, driver: null, serial: null };
};
const seat = (number: number, line: string) => {
  return { change: 'seat', table: number, line, station: null };
};

test('the next table is the first one that the file gives no board', () => {
  assert.equal(hall.boards.length, 3);
  assert.deepEqual(
    [1, 2, 3, 9].map((from) => nextTable(hall, from)),
    [3, 3, 3, 9],
  );
  assert.equal(nextTable(hall, 5), 5, 'a board is there, but the file does not say so');
});

test('a board leaves the table that the file gave it, and no other', () => {
  assert.deepEqual(seating(hall, lift('c', 5), 3), [seat(3, 'c')]);
  assert.deepEqual(seating(hall, lift('a', 1), 1), [seat(1, 'a')]);
  const moved = seating(hall, lift('b', 2), 3);
  assert.deepEqual(moved, [{ change: 'unseat', table: 2 }, seat(3, 'b')]);
});

test('what is taken back leaves everybody where he was', () => {
  assert.deepEqual(undoing(hall, lift('c', 5), 3), [{ change: 'unseat', table: 3 }]);
  const moved = undoing(hall, lift('b', 2), 3);
  assert.deepEqual(moved, [{ change: 'unseat', table: 3 }, seat(2, 'b')]);
  assert.deepEqual(undoing(hall, lift('c', 5), 1), [seat(1, 'a')]);
});

test('a board that is dragged onto another one exchanges its table with it', () => {
  const [a, b, c] = hall.boards;
  assert.ok(a && b && c);
  assert.deepEqual(exchanging(hall, a, b), [{ change: 'swap', tables: [1, 2] }]);
  assert.deepEqual(exchanging(hall, c, a), [seat(1, 'c')], 'the file gives c no table');
  assert.deepEqual(exchanging(hall, a, c), [seat(1, 'c')]);
  assert.deepEqual(exchanging(hall, a, a), []);
  assert.deepEqual(exchanging(hall, c, c), []);
});

test('it is asked before a game loses its board, and which one is said', () => {
  const tables = [
    { ...table(1, true), in_play: true },
    { ...table(2, true), in_play: true },
    table(5, false),
  ];
  const boards = [board('a', 1), board('b', 2), board('c', 5)];
  const playing = readSetup({ revision: '00', boards, tables });
  const seats = (...changes: Parameters<typeof disturbed>[1]) => disturbed(playing, changes);
  assert.deepEqual(seats({ change: 'swap', tables: [1, 5] }), [1]);
  assert.deepEqual(seats({ change: 'seat', table: 3, line: 'b', station: null }), [2]);
  assert.deepEqual(seats({ change: 'seat', table: 1, line: 'b', station: null }), [1, 2]);
  assert.deepEqual(seats({ change: 'seat', table: 1, line: 'a', station: null }), []);
  assert.deepEqual(seats({ change: 'seat', table: 3, line: 'c', station: null }), []);
  assert.deepEqual(seats({ change: 'set', key: 'name', value: 'Open' }), []);
});
