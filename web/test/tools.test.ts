/** Watch list and position editor. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giftOfClaim, readClaim, readSealed } from '../src/pure/claims';
import { byPeople, readDecisions, worthTelling } from '../src/pure/decisions';
import { clockSetting, readClockSetting } from '../src/pure/format';
import { givenFor, isWritten, readAccount, readLedger } from '../src/pure/ledger';
import { draftOf, fenOf, isPlayable, withRight } from '../src/pure/editing';
import { readClock } from '../src/pure/payloads';
import { englishSan, localSan } from '../src/pure/san';
import { tablesOf } from '../src/pure/selection';
import { cellsOf, hoursOf, readTimeSheet, standing } from '../src/pure/time_sheet';
import { readUnseated } from '../src/pure/unseated';
import { leftOf, readWatchList } from '../src/pure/watch';
import { HALL, hallOf } from './one_hall';

const AT = '2026-11-20T16:00:00.000Z';
const NOW = Date.parse(AT);

test('the watch list keeps the daemon’s order and counts down between two of them', () => {
  const players = [
    { table: 7, side: 'white', left_ms: 90_000, moves_to_make: 3, counting: true, flag_due_at: AT },
    { table: 2, side: 'black', left_ms: 50_000, moves_to_make: null, counting: false },
    { table: 0, side: 'black', left_ms: 50_000 },
  ];
  const [first, second, ...others] = readWatchList({ players }, HALL);
  assert.ok(first && second && others.length === 0);
  assert.deepEqual([first.table, first.toGo, second.toGo], ['7', 3, null]);
  assert.equal(leftOf(first, NOW - 88_000), 88_000);
  assert.equal(leftOf(first, NOW + 5_000), 0);
  assert.equal(leftOf(second, NOW + 99_000), 50_000);
});

test('boards without a table are read with the tables they may be', () => {
  const whole = {
    line: '/dev/adoubed/at-a',
    port: '/dev/ttyUSB1',
    station: 3,
    driver: 'dgtbus',
    serial: '01025',
    placement: null,
    occupied: ['e2', 7, 'e4'],
    text: { en: 'say which', fr: 'dire laquelle' },
    tables: [
      { table: 7, in_play: true, agrees: true },
      { table: 0, in_play: true },
      { table: 8, agrees: 'yes' },
      9,
    ],
    new_table: true,
  };
  const boards = [whole, { line: 'b' }, { port: 'c' }, null];
  const [first, second, ...others] = readUnseated({ boards }, HALL);
  assert.deepEqual(first, {
    hall: '',
    line: '/dev/adoubed/at-a',
    port: '/dev/ttyUSB1',
    station: 3,
    driver: 'dgtbus',
    serial: '01025',
    placement: null,
    occupied: ['e2', 'e4'],
    why: { en: 'say which', fr: 'dire laquelle' },
    tables: [
      { table: '7', inPlay: true, agrees: true },
      { table: '8', inPlay: false, agrees: false },
    ],
    newTable: true,
  });
  assert.deepEqual(second, {
    hall: '',
    line: 'b',
    port: 'b',
    station: null,
    driver: null,
    serial: null,
    placement: null,
    occupied: null,
    why: null,
    tables: [],
    newTable: false,
  });
  assert.deepEqual([others, readUnseated({}, HALL)], [[], []]);
});

test('the answer to a claim is read with the places where the position stood', () => {
  const answer = readClaim({
    right: true,
    article: '9.2',
    penalty_s: 120,
    touched: [],
    text: { en: 'The claim is right' },
    occurrences: [{ ply: 0 }, { ply: 4, move_number: 2, side: 'black' }, { ply: 8 }],
  });
  assert.deepEqual([answer?.right, answer?.occurrences], [true, [0, 4, 8]]);
  assert.deepEqual(answer?.text, { en: 'The claim is right' });
  assert.equal(readClaim({ right: 'yes' }), null);
});

test('what is said of a sealed move is read with its verdict, or not at all', () => {
  const text = { en: 'White loses', fr: 'Les Blancs perdent' };
  assert.deepEqual(readSealed({ verdict: 'ambiguous', text }), { verdict: 'ambiguous', text });
  assert.equal(readSealed({ verdict: 'legal' })?.text, null);
  assert.equal(readSealed({ verdict: 'splendid', text }), null);
});

test('how often the score was shown is read with the ledger', () => {
  const page = { illegal_moves: 0, penalties: 0, given_s: 0 };
  const read = (shown: unknown) => {
    return readLedger({ white: page, black: page, score_shown: shown }, HALL)?.scoreShown;
  };
  assert.deepEqual(read({ white: 2, black: 0, of: 5 }), { white: 2, black: 0, of: 5 });
  assert.deepEqual(read({ white: 2, black: 0, of: null }), { white: 2, black: 0, of: null });
  assert.equal(read(undefined), null, 'a daemon that does not count');
});

test('what was given for an alert is read with who gave it, until it is withdrawn', () => {
  const page = { illegal_moves: 1, penalties: 1, given_s: 120 };
  const given = { at: AT, seconds: 120, by: 'Ann', alert: '7-1-1' };
  const read = (...all: object[]) => {
    return readLedger({ white: { ...page, given: all }, black: page }, HALL) ?? undefined;
  };
  const found = givenFor(read({ at: AT, seconds: 60 }, given), '7-1-1');
  assert.deepEqual([found?.by, found?.at, found?.withdrawn], ['Ann', NOW, null]);
  assert.equal(givenFor(read(given), '7-1-2'), null);
  assert.equal(givenFor(undefined, '7-1-1'), null);
  const withdrawn = { at: AT, by: 'Bob', reason: 'not to him', undone: false };
  const ledger = read({ ...given, withdrawn });
  assert.equal(givenFor(ledger, '7-1-1'), null);
  assert.deepEqual(ledger?.white.given[0]?.withdrawn, { ...withdrawn, at: NOW });
});

test('the ledger of a table is read with what comes next, or not at all', () => {
  const fault = {
    number: 1,
    alert: '7-1-1',
    kind: 'illegal_move',
    article: '7.5.1',
    move_number: 3,
    at: AT,
    penalty: 'time',
    penalty_s: 120,
    ruling: 'upheld',
  };
  const next = { penalty: 'loss', penalty_s: null };
  const white = { illegal_moves: 1, penalties: 1, given_s: 120, next, faults: [fault, {}] };
  const clean = { illegal_moves: 0, penalties: 0, given_s: 0 };
  const black = { ...clean, next: { penalty: 'time', penalty_s: 120 }, faults: [], given: [] };
  const ledger = readLedger({ white, black }, HALL);
  assert.deepEqual(ledger?.white.next, { penalty: 'loss', seconds: null });
  const [first, ...others] = ledger?.white.faults ?? [];
  assert.deepEqual(
    [first?.provided, first?.ruling, first?.at],
    [{ penalty: 'time', seconds: 120 }, 'upheld', NOW],
  );
  assert.deepEqual([others.length, ledger && isWritten(ledger.black)], [0, false]);
  assert.equal(readLedger({ white }, HALL), null);
  assert.deepEqual(readAccount(white), { illegalMoves: 1, penalties: 1, givenS: 120 });
});

test('who has acknowledged an alert is told what it said when he did', () => {
  const alert = (en: string) => ({ id: '3-1-7', article: '7.5.1', text: { en } });
  const seen = { what: 'request', verb: 'acknowledge', request: { alert: '3-1-7' } };
  const raw = [
    seen,
    { what: 'raised', alert: alert('first') },
    seen,
    { what: 'raised', alert: alert('second') },
    seen,
  ];
  const told = readDecisions(JSON.stringify(raw))?.map(({ text, article }) => [text?.en, article]);
  const [before, , first, , second] = told ?? [];
  assert.deepEqual(
    [before, first, second],
    [
      [undefined, null],
      ['first', '7.5.1'],
      ['second', '7.5.1'],
    ],
  );
});

test('a clock time is read as clocks show it, and nothing else is', () => {
  assert.equal(readClockSetting(' 1:02:03 '), 3_723_000);
  assert.equal(clockSetting(readClockSetting('0:14:37') ?? 0), '0:14:37');
  assert.equal(clockSetting(62_001), '0:01:03', 'as the clock shows it, and the printed sheet');
  for (const wrong of ['', '14:37', '0:60:00', '0:14:37.5', '-0:00:01', 'x']) {
    assert.equal(readClockSetting(wrong), null, wrong);
  }
});

test('tables are named by numbers and spans, or the round does not start', () => {
  assert.deepEqual(tablesOf('1-3,7', ['1', '2', '3', '7', '9']), ['1', '2', '3', '7']);
  assert.deepEqual(tablesOf('7-1', ['1', '2', '7', '9']), ['1', '2', '7']);
  for (const wrong of ['x', '1,', '-4', '']) assert.equal(tablesOf(wrong, ['1', '2']), null, wrong);
});

test('a number that is written is kept though there is no such table, a gap is not', () => {
  assert.deepEqual(tablesOf('1-22', ['1', '2', '21', '22']), ['1', '2', '21', '22']);
  assert.deepEqual(tablesOf('1-4,40', ['1', '2']), ['1', '2', '4', '40']);
});

test('a French reader types French letters', () => {
  assert.equal(englishSan('Cxf6+', 'fr'), 'Nxf6+');
  assert.equal(englishSan('a8=D', 'fr'), 'a8=Q');
  assert.equal(englishSan('Rd1', 'en'), 'Rd1');
  assert.equal(englishSan('♘f3', 'fr'), 'Nf3');
  assert.equal(englishSan(localSan('Rad1', 'fr'), 'fr'), 'Rad1');
});

test('a draft keeps turn, rights and move number, and forgets what no longer holds', () => {
  const draft = draftOf('r3k2r/8/8/8/8/8/8/R3K2R b Kq e3 5 31');
  assert.deepEqual(draft, {
    placement: 'r3k2r/8/8/8/8/8/8/R3K2R',
    turn: 'black',
    castling: 'Kq',
    moveNumber: 31,
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
  assert.deepEqual(
    told.map(({ what, table, by }) => [what, table, by]),
    [
      ['request', 3, 'Ann'],
      ['raised', 3, null],
    ],
    'the newest stands first',
  );
  assert.deepEqual([told[1]?.at, told[1]?.text, told[0]?.request], [NOW, text, { note: 'x' }]);
  assert.deepEqual(byPeople(told), [told[0]]);
  assert.equal(readDecisions('nonsense'), null);
  assert.equal(readDecisions('{}'), null);
});

const HALF_PAST = Date.parse('2026-11-20T15:30:00.000Z');

test('a time sheet is read as it was kept, and no time stands where no clock was heard', () => {
  const row = {
    at: '2026-11-20T15:30:00.000Z',
    cause: 'hour',
    white_ms: 877_999,
    black_ms: null,
    white_moves: 14,
    black_moves: 13,
    white_period: 1,
    black_period: 1,
    turn: 'black',
  };
  const kept = readTimeSheet({ rows: [row, { ...row, at: null }, { ...row, cause: 'whim' }, 7] });
  assert.equal(kept.length, 1);
  const [first] = kept;
  assert.ok(first);
  const line = { ...first, table: '7', names: { white: 'Doe', black: 'Roe' } };
  assert.deepEqual(cellsOf(line), ['7', 'Doe', 'Roe', '14', '13', '0:14:38', '']);
  const result = { ...first, cause: 'result', at: first.at + 1 } as const;
  const earlier = { ...first, at: HALF_PAST - 1_800_000 };
  assert.deepEqual(
    hoursOf([
      [earlier, first],
      [first, result],
    ]),
    [HALF_PAST, earlier.at],
  );
});

test('what stands there now counts the running clock and the completed moves only', () => {
  const hall = hallOf('adoubed');
  const of = (kind: string, payload: object) =>
    hall.apply(`adoubed/v1/table/1/${kind}`, JSON.stringify(payload));
  const status = (ply: number) => (ply < 3 ? 'completed' : 'released');
  const moves = [1, 2, 3].map((ply) => ({ ply, san: 'e4', status: status(ply) }));
  of('game', { start_fen: '4k3/8/8/8/8/8/8/4K3 b - - 0 1', moves });
  const sampled_at = '2026-11-20T15:30:00.000Z';
  of('clock', { white_ms: 60_000, black_ms: 90_000, running: 'white', sampled_at });
  const now = standing(hall.tables.get('1') ?? {}, HALF_PAST + 5000);
  assert.deepEqual(now.moves, { white: 1, black: 1 });
  assert.deepEqual(now.times, { white: 55_000, black: 90_000 });
  of('clock', { white_ms: 60_000, black_ms: 90_000, running: null, sampled_at, current: false });
  const unheard = standing(hall.tables.get('1') ?? {}, HALF_PAST + 5000);
  assert.deepEqual(unheard.times, { white: null, black: null }, 'the last times are not of now');
});

test('a wrong claim gives the opponent of who claimed time; nobody sets a clock that runs', () => {
  const wrong = { right: false, by: 'white', article: '9.2', penalty_s: 120 };
  const clock = { white_ms: 60_000, black_ms: 30_000, sampled_at: '2026-11-20T14:00:00.000Z' };
  const gift = (answer: object, running: string | null) => {
    const [read, face] = [readClaim(answer), readClock({ ...clock, running })];
    assert.ok(read && face);
    return giftOfClaim(read, face);
  };
  const given = { side: 'white', seconds: 120 };
  const set = { white_ms: 60_000, black_ms: 150_000, running: 'white' };
  assert.deepEqual(gift(wrong, null)?.asked, { ...given, clock: set });
  assert.deepEqual(gift(wrong, 'white')?.asked, given);
  assert.equal(gift(wrong, null)?.to, 'black');
  assert.equal(gift({ ...wrong, right: true }, null), null);
  assert.equal(gift({ ...wrong, penalty_s: null }, null), null);
});
