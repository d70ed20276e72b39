import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checked, differing, kindsWithClocks, walkingOrder } from '../src/pure/check';
import { readClock, readDevice, readGame, readPosition, readSquares } from '../src/pure/payloads';
import { readSections } from '../src/pure/sections';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const PLAYERS = { white: { name: 'Ann' }, black: { name: 'Bob' } };

function table(over: Readonly<Record<string, object>> = {}) {
  const game = { players: PLAYERS, event: { time_control: '5400+30' }, ...over['game'] };
  const clock = { white_ms: 5_430_000, black_ms: 5_430_000, running: null, ...over['clock'] };
  const device = readDevice({ state: 'online', driver: 'dgt', noise: 0, ...over['device'] });
  const position = readPosition({ phase: 'ready', ...over['position'] });
  const read = readClock({ sampled_at: '2026-11-20T14:00:00.000Z', ...clock });
  assert.ok(device !== null && position !== null && read !== null);
  const board = readSquares({ placement: START, ...over['board'] });
  return { device, position, clock: read, game: readGame(game), board };
}

const kinds = (over: Readonly<Record<string, object>>) => {
  return checked('7', table(over)).findings.map(({ kind }) => kind);
};

test('a table at which all is as it has to be is ready', () => {
  const told = checked('7', table());
  assert.deepEqual([told.ready, told.findings, told.turned], [true, [], false]);
  assert.deepEqual(told.names, { white: 'Ann', black: 'Bob' });
});

test('each thing that is not right is named, and alone makes the table not ready', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, object>>])[] = [
    ['no_board', { device: { state: 'absent' } }],
    ['silent', { device: { state: 'silent' } }],
    ['over', { position: { phase: 'ended' } }],
    ['pieces', { position: { phase: 'unset' } }],
    ['battery', { device: { battery: 12 } }],
    ['noise', { device: { noise: 40 } }],
    ['clock_unheard', { clock: { current: false } }],
    ['clock_low', { clock: { low_battery: true } }],
    ['clock_runs', { clock: { running: 'white' } }],
    ['clock_set', { clock: { white_ms: 5_400_000 } }],
  ];
  for (const [kind, over] of cases) {
    assert.deepEqual(kinds(over), [kind], kind);
    assert.equal(checked('7', table(over)).ready, false, kind);
  }
  assert.deepEqual(kinds({ position: { phase: 'in_play' } }), ['plays']);
});

test('a clock is missed where boards of this kind tell of theirs', () => {
  const without = table({ clock: { white_ms: null, black_ms: null } });
  const alone = checked('7', without, kindsWithClocks([without]));
  assert.deepEqual([alone.findings, alone.ready], [[{ kind: 'clock_unseen' }], true]);
  const beside = checked('7', without, kindsWithClocks([without, table()]));
  assert.deepEqual([beside.findings, beside.ready], [[{ kind: 'clock_unheard' }], false]);
  const other = table({ device: { driver: 'chesslink' } });
  assert.equal(checked('7', without, kindsWithClocks([other])).ready, true);
});

test('times on the wrong sides are told from times that are wrong', () => {
  const armageddon = { event: { time_control: '300+3@61|240+3@61' } };
  const right = { white_ms: 300_000, black_ms: 240_000 };
  assert.deepEqual(kinds({ game: armageddon, clock: right }), []);
  const exchanged = { white_ms: 240_000, black_ms: 300_000 };
  assert.deepEqual(kinds({ game: armageddon, clock: exchanged }), ['clock_exchanged']);
});

test('what nobody can know does not keep a table from being ready', () => {
  const game = { event: { time_control: '' }, players: {} };
  const told = checked('7', table({ game }));
  assert.deepEqual(told.findings, [{ kind: 'clock_unknown' }, { kind: 'no_names' }]);
  assert.equal(told.ready, true);
  assert.deepEqual(
    kinds({ game: { event: { time_control: '-' } }, clock: { white_ms: null } }),
    [],
  );
  assert.equal(checked('7', {}).turned, null);
});

test('the squares are named on which something else stands', () => {
  const swapped = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR';
  assert.deepEqual(differing(swapped, `${START} w KQkq - 0 1`), ['b1', 'c1']);
  assert.deepEqual(differing(null, START), []);
  assert.deepEqual(differing('8/8', START), []);
});

test('the hall is walked part by part', () => {
  const sections = readSections([
    { name: 'Stage', tables: '21-22' },
    { name: 'Hall', tables: '1-20' },
  ]);
  assert.deepEqual(walkingOrder(['1', '30', '22', '3', '21'], sections), [
    '21',
    '22',
    '1',
    '3',
    '30',
  ]);
});
