/** What is written down when an arbiter gives time, from what the daemon says the Laws provide. */

import type { Fields } from './json';
import type { Alert, Times } from './alerts';
import type { TableState } from './halls';
import { turnOf } from './moves';
import type { Side } from './payloads';

/** Both times as they are to be set, and whose runs then. */
export interface Setting {
  readonly before: Times;
  readonly after: Times;
  readonly running: Side | null;
}

export interface Gift {
  /** The player who was penalized. */
  readonly offender: Side;
  /** Who gets the time. */
  readonly to: Side;
  readonly seconds: number;
  readonly clock: Setting;
}

/** Time added to the opponent of the player concerned; null where none is due. */
export function giftOf({ side, facts }: Alert): Gift | null {
  const { clocks, penaltyS, fen } = facts;
  if (side === null || clocks === null || penaltyS === null || penaltyS <= 0) return null;
  const to = side === 'white' ? 'black' : 'white';
  const before = { white: asShown(clocks.white), black: asShown(clocks.black) };
  const after = { ...before, [to]: before[to] + penaltyS * 1000 };
  const running = fen === null ? null : turnOf(fen);
  return { offender: side, to, seconds: penaltyS, clock: { before, after, running } };
}

/** Whether the times of a clock can be written down: nobody sets one that runs. */
export function takesTimes({ clock, position }: TableState): boolean {
  const played = position === undefined || !['unset', 'ready', 'ended'].includes(position.phase);
  return played && clock?.current === true && clock.running === null;
}

/** What is asked of the daemon: nothing but what was shown. */
export function giftAsked(alert: Alert, gift: Gift, withTimes: boolean): Fields {
  const { offender: side, seconds, clock } = gift;
  const asked = { table: alert.table, side, seconds, alert: alert.id };
  return withTimes ? { ...asked, clock: timesAsked(clock) } : asked;
}

/** Times as a request has them. */
export function timesAsked({ after, running }: Pick<Setting, 'after' | 'running'>): Fields {
  return { white_ms: after.white, black_ms: after.black, running };
}

/**
 * What is to be set where time was given for an alert that was then dismissed; `shown` is what the
 * clock stands at. Null where it shows that the time was never added, or is off it again.
 */
export function takenBack(
  { to, seconds, clock }: Gift,
  shown: Times,
): Pick<Setting, 'before' | 'after'> | null {
  const before = { white: asShown(shown.white), black: asShown(shown.black) };
  if (before[to] <= clock.before[to]) return null;
  const less = Math.max(0, before[to] - seconds * 1000);
  return { before, after: { ...before, [to]: less } };
}

/** To the second that a chess clock shows and is set to. */
function asShown(ms: number): number {
  return Math.ceil(ms / 1000) * 1000;
}
