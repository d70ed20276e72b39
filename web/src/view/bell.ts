/** A sound and a shake for a new summons: off until it is tapped on. Browsers want that tap. */

import { storedBell, storeBell } from './preferences';

export class Bell {
  on = false;
  /** Whether somebody has said how it is to be: until then it is off because nobody was asked. */
  chosen = false;
  private audio: AudioContext | null = null;

  /** As it was on this device; on, it waits for a first touch of the page. */
  constructor() {
    this.chosen = storedBell() === false;
  }

  /** Somebody has touched the page: it may sound, if it was on when the page was left. */
  wake(): void {
    if (this.chosen || storedBell() !== true) return;
    [this.on, this.chosen] = [true, true];
    this.audio ??= new AudioContext();
  }

  /** The tap that switches it on is also what lets the browser make sounds. */
  toggle(): void {
    this.on = !this.on;
    this.chosen = true;
    storeBell(this.on);
    if (!this.on) return;
    this.audio ??= new AudioContext();
    this.ring();
  }

  /** It stays off, and nobody need be told of it any more. */
  leaveOff(): void {
    this.chosen = true;
    storeBell(false);
  }

  /** Two notes, a third apart; where there is no loudspeaker the device shakes. */
  ring(): void {
    if (!this.on) return;
    // Devices silence a page that was out of sight.
    void this.audio?.resume();
    this.note(880, 0);
    this.note(1108, 0.18);
    if ('vibrate' in navigator) navigator.vibrate([180, 90, 180]);
  }

  private note(frequency: number, delayS: number): void {
    if (this.audio === null) return;
    const start = this.audio.currentTime + delayS;
    const [tone, volume] = [this.audio.createOscillator(), this.audio.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.35, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.5);
    tone.connect(volume).connect(this.audio.destination);
    tone.start(start);
    tone.stop(start + 0.55);
  }
}
