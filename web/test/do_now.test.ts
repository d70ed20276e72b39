/** What is to be done now, on the board and by voice, as the Laws have it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAlert, type Alert } from '../src/pure/alerts';
import { doNow } from '../src/pure/do_now';
import { HALL } from './one_hall';

const BEFORE = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';
const AFTER = 'r1bqkbnr/pppp1ppp/2n2B2/4p3/4P3/5N2/PPPP1PPP/RNBQK2R';
const CLOCKS = { white: 5_425_000, black: 5_427_000 };

function alert(kind: string, facts: object, more: object = {}): Alert {
  const read = readAlert('7-1-1', { kind, state: 'open', side: 'white', facts, ...more }, HALL);
  assert.ok(read);
  return read;
}

const bishop = { fen: BEFORE, surface: AFTER, clocks_ms: CLOCKS, offence: 1, penalty_s: 120 };

test('after an illegal move the position before is put back, and the piece has its squares', () => {
  const obliged = ['Be2', 'Bd3', 'Bc4', 'Bb5', 'Ba6'];
  const { put, ways, told } = doNow(alert('illegal_move', { ...bishop, obliged }));
  assert.deepEqual(put, [
    { square: 'f6', piece: null },
    { square: 'f1', piece: 'B' },
  ]);
  assert.deepEqual(ways, [{ piece: 'B', from: 'f1', to: ['e2', 'd3', 'c4', 'b5', 'a6'] }]);
  assert.deepEqual(told?.gift, { to: 'black', seconds: 120 });
  assert.equal(told?.mover, 'white');
  assert.deepEqual(told?.moves, [], 'five moves are not said one by one');
});

test('captures of one piece by several are told piece by piece, castling by its sign', () => {
  const fen = 'r2qk2r/ppp2ppp/2n1bn2/3pp3/1b1P4/2N1PN2/PPPB1PPP/R2QKB1R w KQkq - 2 7';
  const captured = doNow(alert('illegal_move', { ...bishop, fen, obliged: ['Nxe5', 'dxe5'] }));
  assert.deepEqual(captured.ways, [
    { piece: 'N', from: 'f3', to: ['e5'] },
    { piece: 'P', from: 'd4', to: ['e5'] },
  ]);
  assert.deepEqual(captured.told?.moves, ['Nxe5', 'dxe5']);
  const rights = '4k3/8/8/8/8/8/P7/4K2R w K - 0 1';
  const castling = doNow(alert('must_castle', { fen: rights, obliged: ['O-O'] }));
  assert.deepEqual(castling.ways, [{ piece: 'K', from: 'e1', to: ['O-O'] }]);
  const promoted = doNow(
    alert('released', { fen: '4k3/P7/8/8/8/8/8/4K3 w - - 0 1', obliged: ['a8=Q+', 'a8=N'] }),
  );
  assert.deepEqual(promoted.ways, [{ piece: 'P', from: 'a7', to: ['a8'] }]);
});

test('a pawn that was not replaced becomes a queen: nothing is put back', () => {
  const facts = { ...bishop, fen: '4k3/P7/8/8/8/8/8/4K3 w - - 0 1' };
  assert.deepEqual(doNow(alert('pawn_not_promoted', facts)).put, []);
});

test('where no penalty is due nobody is told anything, and the board is left alone', () => {
  // A.4.4 and B.4.4: without enough arbiters it is for the opponent to claim it.
  const { put, told } = doNow(alert('illegal_move', { ...bishop, penalty_s: null, offence: null }));
  assert.deepEqual(put, []);
  assert.equal(told, null);
});

test('a second illegal move ends the game by its one result; of two none is said', () => {
  const facts = { ...bishop, penalty_s: null, offence: 2 };
  const enter = (result: string) => ({ verb: 'set_result', body: { table: 7, result } });
  const lost = doNow(alert('illegal_move', facts, { mend: [enter('0-1')] }));
  assert.deepEqual([lost.put, lost.told?.result], [[], '0-1']);
  const open = doNow(alert('illegal_move', facts, { mend: [enter('0-1'), enter('1/2-1/2')] }));
  assert.equal(open.told, null);
});

test('facts that make no sense say nothing', () => {
  const { put, ways } = doNow(alert('illegal_move', { ...bishop, fen: 'x', obliged: ['Be2'] }));
  assert.deepEqual([put, ways], [[], []]);
});
