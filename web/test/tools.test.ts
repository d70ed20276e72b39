/** Watch list and position editor. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDecisions, worthTelling } from '../src/pure/decisions';
import { draftOf, fenOf, isPlayable, withRight } from '../src/pure/editing';
import type { TableState } from '../src/pure/hall';
import { readClock, readGame, readPosition } from '../src/pure/payloads';
import { movesToGo, periodsOf } from '../src/pure/time_control';
import { timeSheet } from '../src/pure/time_sheet';
import { watchList } from '../src/pure/watch';

const AT = '2026-11-20T16:00:00.000Z';
const NOW = Date.parse(AT);

function table(control: string, clock: object, plies = 0, phase = 'in_play'): TableState {
  const moves = Array.from({ length: plies }, (_, i) => ({ ply: i + 1, san: 'Nf3', uci: 'g1f3' }));
  const position = readPosition({ phase });
  const reading = readClock({ sampled_at: AT, running: null, ...clock });
  assert.ok(position && reading);
  const game = readGame({ event: { time_control: control }, moves });
  return { position, clock: reading, game };
}

test('time controls are taken apart as far as needed', () => {
  assert.deepEqual(periodsOf('40/5400+30:1800+30'), [
    { moves: 40, incrementS: 30 },
    { moves: null, incrementS: 30 },
  ]);
  assert.deepEqual(periodsOf('300+d3'), [{ moves: null, incrementS: 0 }]);
  assert.deepEqual(periodsOf('?'), []);
});

test('moves to the control are counted over all periods', () => {
  const periods = periodsOf('40/5400:20/3600:900');
  assert.equal(movesToGo(periods, 1, 38), 2);
  assert.equal(movesToGo(periods, 2, 45), 15);
  assert.equal(movesToGo(periods, 3, 70), null);
  assert.equal(movesToGo(periods, 1, 44), 0);
});

test('the least time per move comes first, and only who is short of time', () => {
  const tables = new Map([
    [1, table('40/5400:1800', { white_ms: 240_000, black_ms: 4_000_000 }, 40)],
    [2, table('300', { white_ms: 100_000, black_ms: 299_000, running: 'white' }, 20)],
    [3, table('5400+30', { white_ms: 20_000, black_ms: 20_000 }, 60)],
    [4, table('300', { white_ms: 10_000, black_ms: 10_000 }, 60, 'ended')],
    [5, table('300', { white_ms: 0, black_ms: 900_000 }, 60)],
  ]);
  const seen = watchList(tables, NOW + 40_000).map((it) => [it.table, it.side, it.leftMs, it.toGo]);
  assert.deepEqual(seen, [
    [1, 'white', 240_000, 20],
    [2, 'white', 60_000, null],
    [2, 'black', 299_000, null],
  ]);
});

test('a draft keeps turn, rights and move number, and forgets what no longer holds', () => {
  const draft = draftOf('r3k2r/8/8/8/8/8/8/R3K2R b Kq e3 5 31');
  assert.deepEqual(draft, {
    placement: 'r3k2r/8/8/8/8/8/8/R3K2R', turn: 'black', castling: 'Kq', moveNumber: 31,
  });
  assert.equal(fenOf(draft), 'r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 31');
  assert.equal(fenOf({ ...draft, castling: '' }).split(' ')[2], '-');
  assert.equal(withRight('Kq', 'Q', true), 'KQq');
  assert.equal(withRight('Kq', 'K', false), 'q');
});

test('only positions that can be played on are sent', () => {
  assert.ok(isPlayable('4k3/8/8/8/8/8/8/4K3 w - - 0 1'));
  assert.ok(!isPlayable('8/8/8/8/8/8/8/4K3 w - - 0 1'), 'no black king');
  assert.ok(!isPlayable('4k3/8/8/8/8/8/4q3/4K3 b - - 0 1'), 'the king could be captured');
  assert.ok(!isPlayable('nonsense'));
});

test('the journal keeps what people said and leaves out what was only noted', () => {
  const text = { en: 'Illegal', fr: 'Illégal' };
  const raw = JSON.stringify([
    { what: 'raised', at: AT, table: 3, alert: { article: '7.5.1', gravity: 'summon', text } },
    { what: 'raised', at: AT, table: 4, alert: { gravity: 'note' } },
    { what: 'request', table: 3, by: 'Ann', verb: 'rule', request: { note: 'x' }, error: null },
    { what: 'dance' },
    7,
  ]);
  const told = worthTelling(readDecisions(raw) ?? []);
  assert.deepEqual(told.map(({ what, table, by }) => [what, table, by]), [
    ['raised', 3, null],
    ['request', 3, 'Ann'],
  ]);
  assert.deepEqual([told[0]?.at, told[0]?.text, told[1]?.request], [NOW, text, { note: 'x' }]);
  assert.equal(readDecisions('nonsense'), null);
  assert.equal(readDecisions('{}'), null);
});

test('a time sheet has every table, and no time where no clock was heard', () => {
  const row = { table: 7, white: 'Doe', black: 'Roe', moves: 31, whiteMs: 877_999, blackMs: null };
  const sheet = timeSheet([{ ...row, result: '1/2-1/2' }], ['Table']);
  assert.deepEqual(sheet, [['Table'], ['7', 'Doe', 'Roe', '31', '0:14:37', '', '½–½']]);
});
