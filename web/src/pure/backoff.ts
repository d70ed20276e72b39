/** How long to wait before the next attempt to connect. */

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Doubles from half a second to fifteen; `random` (0 to 1) spreads a hall full of screens so that
 * they do not all knock at once when the daemon returns.
 */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return full * (0.5 + random / 2);
}
