/** Whether the daemon can write its record, and since when, as it says of itself. */

/** How long (ms) it is said that the record is kept again. */
const SAID_MS = 600_000;

export type Recorded =
  | { readonly state: 'kept' }
  /** Ms since 1970, when the daemon has said so. */
  | { readonly state: 'failed'; readonly since: number }
  | { readonly state: 'again'; readonly from: number; readonly since: number };

export class RecordWatch {
  private failedAt: number | null = null;
  private gap: { readonly from: number; readonly since: number } | null = null;

  /** `at`: when the daemon said it, in its ms since 1970. */
  note(failed: boolean, at: number): void {
    if (failed) this.failedAt ??= at;
    else if (this.failedAt !== null) {
      this.gap = { from: this.failedAt, since: at };
      this.failedAt = null;
    }
  }

  at(now: number | null): Recorded {
    if (this.failedAt !== null) return { state: 'failed', since: this.failedAt };
    if (this.gap === null) return { state: 'kept' };
    if (now !== null && now - this.gap.since > SAID_MS) return { state: 'kept' };
    return { state: 'again', ...this.gap };
  }
}
