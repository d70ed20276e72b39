/** How a table stands, in a few words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../src/i18n/en';
import { fr } from '../src/i18n/fr';
import type { TableState } from '../src/pure/hall';
import { readDevice, readGame, readPosition } from '../src/pure/payloads';
import { stateLine } from '../src/view/state_line';

const SHEET = { sealed_by: 'white', white_ms: 1, black_ms: 1, resumption: '', place: '' };

function standing(phase: string, more: { adjournment?: object; result?: string; device?: string }) {
  const { adjournment = null, result = '*', device = 'online' } = more;
  const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  return {
    position: readPosition({ fen, ply: 0, phase, status: 'completed', turn: 'white', result }),
    game: readGame({ moves: [], result, adjournment }),
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
