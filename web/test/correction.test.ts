/** What a passage of a scoresheet does to the moves after it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movesIn, tried } from '../src/pure/correction';
import { readGame, type Game } from '../src/pure/payloads';

function game(...ucis: string[]): Game {
  return readGame({ moves: ucis.map((uci, index) => ({ ply: index + 1, san: uci, uci })) });
}

const OPENING = game('e2e4', 'e7e5', 'f1c4', 'b8c6');

test('moves are read as they stand on a sheet', () => {
  assert.deepEqual(movesIn('2. Nf3 Nc6 3.Bb5, a6'), ['Nf3', 'Nc6', 'Bb5', 'a6']);
  assert.deepEqual(movesIn(' 12… Nf6 '), ['Nf6']);
  assert.deepEqual(movesIn('12... 0-0'), ['0-0']);
  assert.deepEqual(movesIn(''), []);
});

test('a missed pair is inserted and the rest can still be made', () => {
  const outcome = tried(OPENING, 2, 0, ['g1f3', 'd6']);
  assert.ok(outcome?.fits);
  assert.deepEqual(outcome.moves, ['Nf3', 'd6']);
  assert.match(outcome.fen, /^rnbqkbnr\/ppp2ppp\/3p4\/4p3\/4P3\/5N2/);
});

test('what cannot be made is named', () => {
  assert.deepEqual(tried(OPENING, 2, 1, ['Nf4']), { fits: false, written: 'Nf4' });
  assert.deepEqual(tried(OPENING, 0, 1, ['d4']), { fits: false, ply: 3, moves: ['d4'] });
  const castled = game('e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4', 'f8c5');
  const outcome = tried(castled, 6, 0, ['0-0']);
  assert.deepEqual(outcome?.fits && outcome.moves, ['O-O']);
});

test('where the score does not go on by legal moves nothing is claimed', () => {
  assert.equal(tried(game('e2e4', 'e7e5', 'e1e3', 'b8c6'), 4, 0, ['a3']), null);
});
