/** Browsers want a tap before a page may sound: until then that is said where alerts stand. */

import type { Words } from '../i18n/words';
import type { Bell } from './bell';
import { h, setText } from './dom';
import { quiet } from './form';

export class BellLine {
  readonly element: HTMLElement;
  private readonly text = h('span', {});
  private readonly on: HTMLElement;
  private readonly off: HTMLElement;

  constructor(
    private readonly bell: Bell,
    onRing: () => void,
    onLeave: () => void,
  ) {
    this.on = quiet('', onRing);
    this.off = quiet('', onLeave);
    this.element = h('p', { class: 'bell-off' }, this.text, this.on, this.off);
  }

  holdsFocus(): boolean {
    return this.element.contains(document.activeElement);
  }

  contains(target: EventTarget | null): boolean {
    return target instanceof Node && this.element.contains(target);
  }

  draw(words: Words): void {
    this.element.hidden = this.bell.chosen;
    setText(this.text, words.bellWaits);
    setText(this.on, words.soundOn);
    setText(this.off, words.leaveOff);
  }
}
