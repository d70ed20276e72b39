/** What became of orders that had got no answer; it stays until somebody has read it. */

import type { Words } from '../i18n/words';
import { h } from './dom';
import { quiet } from './form';

export class Afterwards {
  readonly element = h('div', { class: 'afterwards', role: 'status' });

  /** Another arbiter reads this tablet now. */
  forget(): void {
    this.element.replaceChildren();
  }

  tell(text: string, words: Words): void {
    const line = h('p', {}, h('span', {}, text));
    line.append(quiet(words.close, () => line.remove()));
    this.element.append(line);
  }
}
