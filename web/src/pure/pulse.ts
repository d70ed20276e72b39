/** Whether the other end still answers, long before the network says that it is gone. */

export class Pulse {
  /** How often to feel it, in ms. */
  static readonly BEAT_MS = 500;
  /** After so long (ms) without a word nothing is known of the present. */
  private static readonly SILENT_MS = 1500;
  /** A beat that comes so late (ms) comes after a sleep. */
  private static readonly ASLEEP_MS = 3000;

  silent = false;
  private lastHeard = 0;
  private lastBeat = 0;

  /** Something came. True if that ends a silence. */
  heard(now: number): boolean {
    this.lastHeard = now;
    const ends = this.silent;
    this.silent = false;
    return ends;
  }

  /** Whether to ask if somebody is there, and whether the silence has begun. */
  beat(now: number, connected: boolean): { readonly ask: boolean; readonly changed: boolean } {
    // A page that was asleep has heard nothing because it did not listen.
    const asleep = now - this.lastBeat > Pulse.ASLEEP_MS;
    this.lastBeat = now;
    if (!connected || asleep) this.lastHeard = Math.max(this.lastHeard, now - Pulse.BEAT_MS);
    const quiet = now - this.lastHeard;
    const begins = connected && !this.silent && quiet > Pulse.SILENT_MS;
    this.silent ||= begins;
    return { ask: connected && quiet >= Pulse.BEAT_MS, changed: begins };
  }
}
