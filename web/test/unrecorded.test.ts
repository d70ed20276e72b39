/** Moves beside a clock that nobody has started. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TableState } from '../src/pure/halls';
import { isUnrecorded } from '../src/pure/unrecorded';

const SET_UP = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const MOVED = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR';
const LIFTED = 'rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR';

interface Beside {
  phase?: string;
  placement?: string;
  running?: string | null;
  current?: boolean;
  left?: number;
}

function table(it: Beside): TableState {
  const { phase = 'ready', placement = MOVED, running = null, current = true, left = 300000 } = it;
  return {
    position: { phase, fen: `${SET_UP} w KQkq - 0 1` },
    board: { placement },
    clock: { white: left, black: left, running, current },
  } as unknown as TableState;
}

test('a move beside a clock that stands is told, and nothing else is', () => {
  assert.equal(isUnrecorded(table({})), true);
  assert.equal(isUnrecorded(table({ placement: SET_UP })), false);
  assert.equal(isUnrecorded(table({ placement: LIFTED })), false, 'a piece that is put straight');
  assert.equal(isUnrecorded(table({ running: 'white' })), false);
  assert.equal(isUnrecorded(table({ current: false })), false, 'the clock is not heard');
  assert.equal(isUnrecorded(table({ left: 0 })), false, 'a clock that is not used');
  assert.equal(isUnrecorded(table({ phase: 'in_play' })), false, 'it is recorded');
  assert.equal(isUnrecorded(table({ phase: 'ended' })), false, 'an analysis after the game');
});
