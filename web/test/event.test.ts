import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asLocal, readEvent, settings, waitsForNextGame, withOffset } from '../src/pure/event';
import { byHand, PRESETS, startMs, written } from '../src/pure/time_control';

const EVENT = {
  revision: '00',
  event: {
    name: 'Open',
    site: '',
    round: '3',
    laws: '2023',
    time_control: '5400+30',
    language: 'fr',
    languages: ['en', 'fr'],
    supervision: null,
    default_time_s: 1800,
    min_draw_move: null,
    quickplay_finish: false,
    result_after_min: 15,
    start: null,
    pairings: 'pairings.pgn',
  },
  time_control: { en: '90 minutes', fr: '90 minutes' },
  rounds: ['3', '4'],
  own: [7, 0],
};

function event() {
  const read = readEvent(EVENT);
  assert.ok(read !== null);
  return read;
}

test('only what differs from the file is written, and what is emptied is removed', () => {
  const { keys, own } = event();
  assert.deepEqual(own, [7]);
  const draft = { name: 'Open', site: 'Liège', round: '', languages: ['en', 'fr'] };
  assert.deepEqual(settings(keys, draft), [
    { change: 'set', key: 'site', value: 'Liège' },
    { change: 'set', key: 'round', value: null },
  ]);
  const languages = settings(keys, { languages: ['fr'], default_time_s: null });
  assert.deepEqual(languages, [
    { change: 'set', key: 'languages', value: ['fr'] },
    { change: 'set', key: 'default_time_s', value: null },
  ]);
});

test('a game keeps its rules, whatever the event is called meanwhile', () => {
  const { keys } = event();
  assert.equal(waitsForNextGame(keys, { name: 'Open A', time_control: '5400+30' }), false);
  assert.equal(waitsForNextGame(keys, { time_control: '900+10' }), true);
});

test('a start is kept with the offset of this place, and comes back as it was typed', () => {
  const start = withOffset('2026-11-20T14:05') ?? '';
  assert.match(start, /^2026-11-20T14:05:00[+-]\d\d:\d\d$/);
  assert.equal(asLocal(start), '2026-11-20T14:05');
  assert.equal(Date.parse(start), new Date('2026-11-20T14:05').getTime());
  assert.equal(withOffset(''), null);
  assert.equal(asLocal('soon'), '');
});

test('minutes become the seconds of the notation', () => {
  const hand = { periods: [{ moves: '', minutes: '90' }], extra: 'increment', seconds: '30' };
  assert.equal(written({ ...hand, extra: 'increment' }), '5400+30');
  const two = [
    { moves: '40', minutes: '90' },
    { moves: '', minutes: '30' },
  ];
  assert.equal(written({ periods: two, extra: 'increment', seconds: '30' }), '40/5400+30:1800+30');
  assert.equal(written({ periods: two, extra: 'delay', seconds: '5' }), '40/5400+d5:1800+d5');
  const short = {
    periods: [{ moves: '', minutes: '1,5' }],
    extra: 'bronstein',
    seconds: '',
  } as const;
  assert.equal(written(short), '90');
  const wrong = [
    { ...short, periods: [{ moves: '', minutes: '' }] },
    { ...short, periods: [{ moves: 'all', minutes: '5' }] },
    { ...short, periods: [...short.periods, ...two] },
    { ...short, seconds: 'some' },
  ];
  wrong.forEach((it) => assert.equal(written(it), null, JSON.stringify(it)));
});

test('what stands in the file fills the form, unless the form cannot say it', () => {
  for (const control of ['5400+30', '40/5400+30:1800+30', '300+d3', '300+b3', '300', '90+2']) {
    const hand = byHand(control);
    assert.ok(hand !== null, control);
    assert.equal(written(hand), control);
  }
  for (const control of ['', '-', '?', '*60', '300+3@61|240+3@61', '40/5400+30:1800+10']) {
    assert.equal(byHand(control), null, control);
  }
  assert.equal(new Set(PRESETS.map(([, control]) => control)).size, PRESETS.length);
});

test('before the game a clock shows the first period, with what its first move is given', () => {
  const both = (seconds: number) => ({ white: seconds * 1000, black: seconds * 1000 });
  assert.deepEqual(startMs('5400+30'), both(5430));
  assert.deepEqual(startMs('40/5400+30:1800+30'), both(5430));
  assert.deepEqual(startMs('300'), both(300));
  assert.deepEqual(startMs('300+d3'), both(300));
  assert.deepEqual(startMs('300+b3'), both(303));
  assert.deepEqual(startMs('*60'), both(60));
  assert.deepEqual(startMs('300+3@61|240+3@61'), { white: 300_000, black: 240_000 });
  for (const control of ['', '?', '-', '1500+5x60', '3600+25/600']) {
    assert.equal(startMs(control), null, control);
  }
});
