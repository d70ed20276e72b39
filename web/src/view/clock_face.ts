/** One side's clock on the screen. It is told the time; it never asks for it. */

import { formatClock, nextShown, remaining, type Shown } from '../pure/clock';
import type { ClockReading, Side } from '../pure/payloads';
import { h, setAttribute, setText } from './dom';

/** From here on (ms) a running clock is drawn as short of time. */
const SHORT_MS = 60_000;

export class ClockFace {
  readonly element = h('span', { class: 'clock' });
  private shown: Shown | null = null;
  private reading: ClockReading | undefined;

  /** Without `daemonNow` nothing is known of the present: the clock stands where it stood. */
  draw(reading: ClockReading | undefined, side: Side, daemonNow: number | null): void {
    const fresh = reading !== this.reading;
    this.reading = reading;
    if (reading === undefined || reading[side] === null) return this.clear();
    const running = reading.running === side;
    if (daemonNow !== null || fresh || this.shown === null) {
      const target = remaining(reading, side, daemonNow ?? reading.sampledAt) ?? 0;
      this.shown = nextShown(this.shown, target, running);
    }
    this.paint(this.shown, reading.flag === side);
    setAttribute(this.element, 'data-past', reading.current ? null : '');
  }

  private paint({ ms, running }: Shown, flag: boolean): void {
    setText(this.element, formatClock(ms));
    setAttribute(this.element, 'data-running', running ? '' : null);
    setAttribute(this.element, 'data-short', running && ms < SHORT_MS ? '' : null);
    setAttribute(this.element, 'data-flag', flag ? '' : null);
  }

  private clear(): void {
    this.shown = null;
    setText(this.element, '');
    ['data-running', 'data-short', 'data-flag', 'data-past'].forEach((name) =>
      setAttribute(this.element, name, null),
    );
  }
}
