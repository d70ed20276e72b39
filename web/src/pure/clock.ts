/** How much time a chess clock shows now, between two readings; it reads no clock itself. */

import type { ClockReading, Side } from './payloads';

/** A correction larger than this (ms) is the clock being set, not two computers disagreeing. */
export const REAL_JUMP_MS = 2000;

/**
 * Time left for `side` in ms, never negative. `daemonNow` is the daemon's own time of day in ms
 * since 1970, as `DaemonTime` estimates it.
 */
export function remaining(reading: ClockReading, side: Side, daemonNow: number): number | null {
  const sampled = reading[side];
  if (sampled === null) return null;
  if (reading.running !== side) return Math.max(0, sampled);
  // What is left of a delay is not counted: the flag is due later by that much.
  const dueAt = reading.flagDueAt ?? reading.sampledAt + sampled;
  return Math.max(0, Math.min(sampled, dueAt - daemonNow));
}

export interface Shown {
  readonly ms: number;
  readonly running: boolean;
}

/**
 * What to show next: a running clock holds its value rather than gain the fraction of a second
 * by which a late message or a better estimate of the daemon's time would raise it.
 */
export function nextShown(previous: Shown | null, target: number, running: boolean): Shown {
  const held =
    previous?.running === true &&
    running &&
    target > previous.ms &&
    target - previous.ms < REAL_JUMP_MS;
  return { ms: held ? previous.ms : target, running };
}

/** `1:29:05`, `9:59`, `0:00`: a started second counts as whole, as chess clocks show it. */
export function formatClock(ms: number): string {
  const total = Math.max(0, Math.ceil(ms / 1000));
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = pad(total % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
