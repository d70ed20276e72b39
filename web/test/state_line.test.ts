/** How a table stands, in a few words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en, fr } from './languages';
import type { TableState } from '../src/pure/halls';
import { readDevice, readGame, readPosition } from '../src/pure/payloads';
import { stateLine } from '../src/view/state_line';

const SHEET = { sealed_by: 'white', white_ms: 1, black_ms: 1, resumption: '', place: '' };

interface More {
  adjournment?: object;
  result?: string;
  device?: string;
  withdrawn?: string;
  last?: object;
  termination?: string;
}

function standing(phase: string, more: More) {
  const { adjournment = null, result = '*', device = 'online', withdrawn, last } = more;
  const { termination = null } = more;
  const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  return {
    position: readPosition({
      ...{ fen, ply: last ? 1 : 0, phase, status: 'completed', turn: 'white' },
      ...{ result, withdrawn, last },
    }),
    game: readGame({ moves: [], result, adjournment, termination }),
    device: readDevice({ state: device }),
  } as TableState;
}

test('a game that is adjourned is not merely stopped, also when its board was put away', () => {
  const told = (state: TableState) => [en, fr].map((words) => stateLine(state, words, 'en').text);
  assert.deepEqual(told(standing('paused', {})), ['Paused', 'Arrêtée']);
  const away = { adjournment: SHEET };
  assert.deepEqual(told(standing('paused', away)), ['Adjourned', 'Ajournée']);
  const cleared = { ...away, device: 'absent' };
  assert.deepEqual(told(standing('paused', cleared)), ['Adjourned', 'Ajournée']);
  assert.deepEqual(told(standing('paused', { device: 'absent' })), ['No board', 'Pas d’échiquier']);
  assert.deepEqual(told(standing('ended', { ...away, result: '1-0' })), ['1–0', '1–0']);
});

test('a result that is none any more is named as withdrawn until there is another one', () => {
  const told = (state: TableState) => [en, fr].map((words) => stateLine(state, words, 'en').text);
  assert.deepEqual(told(standing('ended', { result: '1-0' })), ['1–0', '1–0']);
  const withdrawn = { withdrawn: '1-0' };
  assert.deepEqual(told(standing('in_play', withdrawn)), ['1–0 withdrawn', '1–0 retiré']);
  const moved = { ...withdrawn, last: { san: 'e4', uci: 'e2e4' } };
  assert.deepEqual(told(standing('in_play', moved)), [
    '1–0 withdrawn · 1. e4',
    '1–0 retiré · 1. e4',
  ]);
  assert.equal(stateLine(standing('in_play', moved), en, 'en').mood, 'adrift');
  assert.deepEqual(told(standing('ended', { result: '0-1' })), ['0–1', '0–1']);
});

test('a game that was not played is written with signs', () => {
  const told = (result: string, termination: string) =>
    stateLine(standing('ended', { result, termination }), en, 'en').text;
  const forfeits = ['1-0', '0-1', '0-0'].map((result) => told(result, 'forfeit'));
  assert.deepEqual(forfeits, ['+/−', '−/+', '−/−']);
  assert.deepEqual(
    ['1-0', '0-0', '1/2-0'].map((it) => told(it, 'normal')),
    ['1–0', '0–0', '½–0'],
  );
});
