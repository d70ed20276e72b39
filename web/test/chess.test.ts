/** Score sheets, notation, results and placements. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveLabel, moveRows } from '../src/pure/moves';
import type { Game, Move } from '../src/pure/payloads';
import { differingSquares, squaresOf, turned } from '../src/pure/placement';
import { pointsOf, resultText, writtenAs, writtenText } from '../src/pure/result';
import { readResults } from '../src/pure/round_results';
import { localSan, localText, toldTo } from '../src/pure/san';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

function game(startFen: string | null, ...sans: string[]): Game {
  const moves = sans.map((san, index): Move => {
    return { ply: index + 1, san, uci: null, clockMs: null, status: null, inferred: false };
  });
  const about = { number: null, startFen, chess960: false, timeControl: null };
  return {
    ...about,
    white: null,
    black: null,
    moves,
    adjournment: null,
    envelope: null,
    result: '*',
    termination: null,
  };
}

function sheet(played: Game): string[] {
  return moveRows(played).map(({ number, white, black }) =>
    `${number}. ${white?.san ?? '…'} ${black?.san ?? ''}`.trim(),
  );
}

test('two moves to a line', () => {
  assert.deepEqual(sheet(game(null, 'e4', 'e5', 'Nf3')), ['1. e4 e5', '2. Nf3']);
});

test('a game that Black begins at move 40', () => {
  const fen = '8/8/4k3/8/8/4K3/8/8 b - - 0 40';
  assert.deepEqual(sheet(game(fen, 'Kd6', 'Kd4')), ['40. … Kd6', '41. Kd4']);
  assert.equal(moveLabel(1, fen), '40…');
  assert.equal(moveLabel(2, fen), '41.');
});

test('French letters for pieces, promotions and disambiguation', () => {
  assert.equal(localSan('Nbd7', 'fr'), 'Cbd7');
  assert.equal(localSan('Qxb5+', 'fr'), 'Dxb5+');
  assert.equal(localSan('exd8=R#', 'fr'), 'exd8=T#');
  assert.equal(localSan('Kb1', 'fr'), 'Rb1');
  assert.equal(localSan('Bb5', 'fr'), 'Fb5');
  assert.equal(localSan('O-O-O', 'fr'), 'O-O-O');
  assert.equal(localSan('Nbd7', 'en'), 'Nbd7');
});

test('results are shared out', () => {
  assert.equal(pointsOf('1-0', 'white'), '1');
  assert.equal(pointsOf('1-0', 'black'), '0');
  assert.equal(pointsOf('1/2-1/2', 'black'), '½');
  assert.equal(pointsOf('*', 'white'), null);
  assert.equal(resultText('0-1'), '0–1');
  assert.equal(resultText('*'), null);
  assert.equal(resultText('won'), null);
  assert.equal(resultText('1/2-0'), '½–0');
  assert.equal(writtenText('0-1/2'), '0–½');
  assert.equal(writtenText('+/-'), '+/−');
  const entered = ['1-0', '0-1', '0-0'].map((it) => writtenAs(it, 'forfeit'));
  assert.deepEqual(entered, ['+/-', '-/+', '-/-']);
  assert.equal(writtenAs('1-0', 'arbiter'), '1-0');
});

test('the starting position has its pieces where they belong', () => {
  const squares = squaresOf(START);
  assert.equal(squares?.size, 32);
  assert.equal(squares?.get('a8'), 'r');
  assert.equal(squares?.get('e1'), 'K');
  assert.equal(squares?.get('e4'), undefined);
});

test('a board is looked at from the other side', () => {
  assert.equal(turned('7k/8/8/8/8/8/P7/1Q6'), '6Q1/7P/8/8/8/8/8/k7');
  assert.equal(turned('nonsense'), null);
});

test('broken placements are refused', () => {
  const seven = '/8/8/8/8/8/8/8';
  for (const broken of ['', '8/8', `9${seven}`, `x7${seven}`, `ppppppppp${seven}`, `7${seven}`]) {
    assert.equal(squaresOf(broken), null, broken);
  }
});

test('1. e4 differs from the start on e4 and e2', () => {
  const after = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
  assert.deepEqual(differingSquares(START, after), ['e4', 'e2']);
  assert.deepEqual(differingSquares(START, 'nonsense'), []);
});

test('figurines stand for the letters of any language, and only in moves', () => {
  assert.equal(localSan('Nbd7', 'figurines'), '♘bd7');
  assert.equal(localSan('exd8=R#', 'figurines'), 'exd8=♖#');
  const text = { en: 'Rd1 or Kb1: Roe may castle.', fr: 'Td1 ou Rb1 : Roe peut roquer, Fou d1.' };
  const english = '♖d1 or ♔b1: Roe may castle.';
  assert.equal(toldTo({ language: 'en', letters: 'figurines' }, text), english);
  const french = '♖d1 ou ♔b1 : Roe peut roquer, Fou d1.';
  assert.equal(toldTo({ language: 'fr', letters: 'figurines' }, text), french);
  assert.equal(toldTo({ language: 'fr', letters: 'fr' }, text), text.fr);
  assert.equal(localText('Nf3 Nc6', 'en', 'fr'), 'Cf3 Cc6');
});

test('the results of a round are read, and nothing is made of what is none', () => {
  const row = { table: 3, white: 'A', black: 'B', result: '-/-' };
  const open = { ...row, result: null };
  const rows = [row, { ...open, earlier_game: 2 }, { ...open, next_game: 3 }, { white: 'C' }];
  const remarks = [{ en: 'x', fr: 'y' }];
  const body = { round: '2', rounds: ['1', '2'], report: null, rows, remarks };
  const told = readResults(JSON.stringify(body));
  const none = { earlierGame: null, nextGame: null };
  const entered = [
    { ...open, ...none, earlierGame: 2 },
    { ...open, ...none, nextGame: 3 },
  ];
  const named = [{ ...row, ...none }, ...entered].map((it) => ({ ...it, table: '3' }));
  assert.deepEqual(told?.rows, named);
  assert.deepEqual([told?.rounds, told?.report, told?.remarks.length], [['1', '2'], null, 1]);
  for (const bad of ['', '[]', '{}', 'for arbiters']) assert.equal(readResults(bad), null);
});
