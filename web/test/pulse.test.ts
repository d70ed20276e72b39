/** A dead network is noticed within three seconds, and a page that slept accuses nobody. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pulse } from '../src/pure/pulse';

const BEAT = Pulse.BEAT_MS;

/** The time of the beat at which it is said to be silent; null: never. */
function silentAt(pulse: Pulse, from: number, beats: number, answers: boolean): number | null {
  for (let index = 1; index <= beats; index += 1) {
    const now = from + index * BEAT;
    const { ask, changed } = pulse.beat(now, true);
    if (changed) return now;
    if (ask && answers) pulse.heard(now + 20);
  }
  return null;
}

test('silence is told within three seconds of the last word', () => {
  const pulse = new Pulse();
  pulse.beat(0, true);
  pulse.heard(0);
  const at = silentAt(pulse, 0, 10, false);
  assert.ok(at !== null && at <= 3000, `${at}`);
  assert.equal(pulse.silent, true);
  assert.equal(pulse.heard(at + 1), true, 'it ends with the first word');
  assert.equal(pulse.heard(at + 2), false);
});

test('who answers is never silent, also where nobody moves', () => {
  const pulse = new Pulse();
  pulse.beat(0, true);
  pulse.heard(0);
  assert.equal(silentAt(pulse, 0, 200, true), null);
});

test('after a sleep the other end gets its time to answer', () => {
  const pulse = new Pulse();
  pulse.beat(0, true);
  pulse.heard(0);
  const { ask, changed } = pulse.beat(60_000, true);
  assert.deepEqual([ask, changed, pulse.silent], [true, false, false]);
});

test('without a connection there is nothing to be silent', () => {
  const pulse = new Pulse();
  for (let now = 0; now < 20 * BEAT; now += BEAT) {
    assert.deepEqual(pulse.beat(now, false), { ask: false, changed: false });
  }
});
