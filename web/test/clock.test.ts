/** How clocks count down and how the daemon’s time is estimated. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatClock, nextShown, remaining } from '../src/pure/clock';
import { DaemonTime } from '../src/pure/daemon_time';
import type { ClockReading } from '../src/pure/payloads';

const READING: ClockReading = {
  white: 180_000,
  black: 90_000,
  running: 'white',
  flag: null,
  period: { white: 1, black: 1 },
  sampledAt: 1_000_000,
  flagDueAt: null,
  current: true,
  lowBattery: false,
};

test('only the running side loses time', () => {
  assert.equal(remaining(READING, 'white', 1_002_500), 177_500);
  assert.equal(remaining(READING, 'black', 1_002_500), 90_000);
});

test('what is left of a delay is not counted', () => {
  const delayed = { ...READING, flagDueAt: 1_000_000 + 180_000 + 5_000 };
  assert.equal(remaining(delayed, 'white', 1_004_000), 180_000);
  assert.equal(remaining(delayed, 'white', 1_007_000), 178_000);
  assert.equal(remaining(delayed, 'black', 1_007_000), 90_000);
});

test('time never goes below zero, nor up when the estimate lies before the sample', () => {
  assert.equal(remaining(READING, 'white', 1_000_000 + 500_000), 0);
  assert.equal(remaining(READING, 'white', 999_000), 180_000);
  assert.equal(remaining({ ...READING, black: -300 }, 'black', 1_000_000), 0);
});

test('a side without a reading has no time', () => {
  assert.equal(remaining({ ...READING, white: null }, 'white', 1_000_000), null);
});

test('a running clock does not jump up by a late message', () => {
  assert.deepEqual(nextShown({ ms: 9_800, running: true }, 10_000, true), {
    ms: 9_800,
    running: true,
  });
});

test('an increment, a correction by the arbiter and a stopped clock are shown at once', () => {
  assert.equal(nextShown({ ms: 9_800, running: true }, 39_800, true).ms, 39_800);
  assert.equal(nextShown({ ms: 9_800, running: true }, 10_000, false).ms, 10_000);
  assert.equal(nextShown({ ms: 9_800, running: false }, 10_000, true).ms, 10_000);
  assert.equal(nextShown(null, 10_000, true).ms, 10_000);
});

test('clocks read as on the table', () => {
  assert.equal(formatClock(5_400_000), '1:30:00');
  assert.equal(formatClock(3_600_000), '1:00:00');
  assert.equal(formatClock(3_599_000), '59:59');
  assert.equal(formatClock(65_000), '1:05');
  assert.equal(formatClock(9_001), '0:10');
  assert.equal(formatClock(0), '0:00');
  assert.equal(formatClock(-40), '0:00');
});

test('the daemon’s time is taken from the quickest message', () => {
  const time = new DaemonTime();
  assert.equal(time.at(5), null);
  time.observe(1_000, 50_000 - 700);
  time.observe(1_100, 50_100 - 20);
  time.observe(1_200, 50_200 - 300);
  assert.equal(time.at(1_200), 50_200 - 20);
});

test('an old estimate gives way, so that drifting clocks are followed', () => {
  const time = new DaemonTime();
  time.observe(0, 10_000);
  for (let now = 30_000; now <= 180_000; now += 30_000) time.observe(now, now + 9_500);
  assert.equal(time.at(180_000), 189_500);
});
