/** Estimates the daemon's time of day from the moments its messages arrive; owns no clock. */

/** Span of one bucket in ms; an estimate rests on the present and the previous bucket. */
const BUCKET_MS = 60_000;

/**
 * Every message carries the daemon's time `at` when it was sent. Arrival minus `at` is the
 * difference of the two clocks plus the delay, so the smallest difference seen lately is the
 * best estimate; a retained message is merely one with a long delay.
 */
export class DaemonTime {
  private bucketStart: number | null = null;
  private current = Infinity;
  private previous = Infinity;

  /** `arrived`: the browser's monotonic ms; `at`: the daemon's ms since 1970. */
  observe(arrived: number, at: number): void {
    this.turnBuckets(arrived);
    this.current = Math.min(this.current, arrived - at);
  }

  /** The daemon's ms since 1970 at the browser's moment `now`, or null before any message. */
  at(now: number): number | null {
    const difference = Math.min(this.current, this.previous);
    return Number.isFinite(difference) ? now - difference : null;
  }

  private turnBuckets(arrived: number): void {
    if (this.bucketStart === null) this.bucketStart = arrived;
    if (arrived - this.bucketStart < BUCKET_MS) return;
    this.previous = this.current;
    this.current = Infinity;
    this.bucketStart = arrived;
  }
}
