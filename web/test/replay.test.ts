/** The gestures of an alert played on a small board, what is marked there, and clock times. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAlert, type Alert } from '../src/pure/alerts';
import { giftAsked, giftOf } from '../src/pure/consequences';
import { marksOf } from '../src/pure/marks';
import { squaresOf } from '../src/pure/placement';
import { pathsOf, replayOf } from '../src/pure/replay';
import { HALL } from './one_hall';

const BEFORE = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';
const AFTER = 'r1bqkbnr/pppp1ppp/2n2B2/4p3/4P3/5N2/PPPP1PPP/RNBQK2R';

function alert(kind: string, more: object, evidence: object[] = []): Alert {
  const read = readAlert('7-1-1', { kind, state: 'open', ...more, evidence }, HALL);
  assert.ok(read);
  return read;
}

function lift(t_ms: number, square: string, piece: string) {
  return { t_ms, what: 'lift', square, piece };
}

function put(t_ms: number, square: string, piece: string) {
  return { t_ms, what: 'put', square, piece };
}

const press = { t_ms: 0, what: 'press', square: null, piece: null, side: 'white' };
const bishop = [lift(-2000, 'f1', 'B'), put(-400, 'f6', 'B'), press];

test('a replay begins before the first gesture and ends with what stands there', () => {
  const steps = replayOf(alert('illegal_move', { facts: { fen: BEFORE, surface: AFTER } }, bishop));
  const before = BEFORE.split(' ')[0] ?? '';
  assert.equal(steps[0]?.placement, before);
  assert.equal(steps[0]?.ms, -2000);
  assert.equal(steps[3]?.placement, AFTER);
  assert.deepEqual(
    steps.map(({ pressed }) => pressed),
    [null, null, null, 'white'],
  );
});

test('between lift and put a piece is in the air, and it is known where it goes', () => {
  const steps = replayOf(alert('illegal_move', { facts: { fen: BEFORE, surface: AFTER } }, bishop));
  assert.equal(squaresOf(steps[1]?.placement ?? '')?.get('f1'), undefined);
  const [flight, ...others] = steps[1]?.air ?? [];
  assert.deepEqual([flight?.piece, flight?.from, flight?.to, others.length], ['B', 'f1', 'f6', 0]);
  assert.deepEqual(steps[2]?.air, []);
});

test('where the evidence begins after the agreed position, what stands there decides', () => {
  const facts = { fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1', surface: AFTER };
  const steps = replayOf(alert('illegal_move', { facts }, bishop));
  assert.equal(steps[0]?.placement, BEFORE.split(' ')[0]);
});

test('a capture takes back to both pieces, and the captured one does not come down', () => {
  const evidence = [lift(-3, 'e5', 'p'), lift(-2, 'f3', 'N'), put(-1, 'e5', 'N'), press];
  const surface = 'r1bqkbnr/pppp1ppp/2n5/4N3/4P3/8/PPPP1PPP/RNBQKB1R';
  const steps = replayOf(alert('touched_both', { facts: { surface } }, evidence));
  assert.equal(squaresOf(steps[0]?.placement ?? '')?.get('e5'), 'p');
  assert.deepEqual(
    steps[4]?.air.map(({ piece, to }) => [piece, to]),
    [['p', null]],
  );
});

test('the way of a piece is one path; what is captured or put back has none', () => {
  const back = [lift(-9, 'g1', 'N'), put(-8, 'g1', 'N')];
  const taken = [lift(-3, 'e5', 'p'), lift(-2, 'f3', 'N'), put(-1, 'e5', 'N')];
  const surface = 'r1bqkbnr/pppp1ppp/2n5/4N3/4P3/8/PPPP1PPP/RNBQKB1R';
  const steps = replayOf(alert('touched_both', { facts: { surface } }, [...back, ...taken]));
  assert.deepEqual(pathsOf(steps), [['f3', 'e5']]);
});

test('gestures of one scan stay in their order', () => {
  const evidence = [lift(0, 'f1', 'B'), put(0, 'f6', 'B')];
  const steps = replayOf(alert('illegal_move', { facts: { surface: AFTER } }, evidence));
  assert.deepEqual(
    steps.map(({ air }) => air.length),
    [0, 1, 0],
  );
});

test('readings of the clock hold until the next one', () => {
  const clocks_ms = { white: 5000, black: 7000 };
  const evidence = [{ t_ms: -9, what: 'clock', clocks_ms }, ...bishop];
  const steps = replayOf(alert('illegal_move', { facts: { surface: AFTER } }, evidence));
  const shown = steps.map(({ clocks }) => clocks?.white ?? null);
  assert.deepEqual(shown, [null, 5000, 5000, 5000, 5000]);
});

test('without a board or without gestures there is nothing to replay', () => {
  assert.deepEqual(replayOf(alert('flag_fall', { facts: {} }, bishop)), []);
  assert.deepEqual(replayOf(alert('flag_fall', { facts: { fen: BEFORE } })), []);
});

test('illegal square, obliged piece and attacker are told apart', () => {
  const facts = { fen: BEFORE, surface: AFTER, move: 'f1f6', obliged: ['Bb5', 'Be2'] };
  const marks = marksOf(alert('illegal_move', { facts, side: 'white' }));
  assert.deepEqual(
    [...marks.squares],
    [
      ['f1', 'obliged'],
      ['f6', 'illegal'],
    ],
  );
  assert.deepEqual(marks.arrows, []);
  const check = { surface: 'rnbqkbnr/ppppp2p/5p2/6pQ/4P3/8/PPPP1PPP/RNB1KBNR', attackers: ['h5'] };
  const attacked = marksOf(alert('illegal_move', { facts: check, side: 'black' }));
  assert.deepEqual(attacked.arrows, [['h5', 'e8']]);
  assert.equal(attacked.squares.get('h5'), 'attacker');
  const free = { fen: BEFORE, surface: AFTER, move: 'f1f6' };
  const moved = marksOf(alert('illegal_move', { facts: free, side: 'white' }));
  assert.equal(moved.squares.get('f1'), 'from');
});

test('what cannot be understood is not marked', () => {
  const facts = { fen: 'nonsense', obliged: ['Qz9'], move: 'castles', attackers: [] };
  assert.equal(marksOf(alert('illegal_move', { facts })).squares.size, 0);
});

test('two minutes go to the opponent, and only where they are due', () => {
  const facts = { fen: BEFORE, clocks_ms: { white: 61_500, black: 877_400 }, penalty_s: 120 };
  const offence = alert('illegal_move', { facts, side: 'white', table: 7 });
  const gift = giftOf(offence);
  assert.ok(gift);
  assert.deepEqual([gift.offender, gift.to, gift.seconds], ['white', 'black', 120]);
  // To the second that a clock shows and is set to, both, and whose runs then.
  assert.deepEqual(gift.clock.before, { white: 62_000, black: 878_000 });
  assert.deepEqual(gift.clock.after, { white: 62_000, black: 998_000 });
  assert.equal(gift.clock.running, 'white');
  const asked = { table: '7', side: 'white', seconds: 120, alert: '7-1-1' };
  assert.deepEqual(giftAsked(offence, gift, false), asked);
  const clock = { white_ms: 62_000, black_ms: 998_000, running: 'white' };
  assert.deepEqual(giftAsked(offence, gift, true), { ...asked, clock });
  const none = { clocks_ms: facts.clocks_ms, penalty_s: null };
  assert.equal(giftOf(alert('illegal_move', { facts: none, side: 'white' })), null);
  assert.equal(giftOf(alert('illegal_move', { facts, side: null })), null);
});
