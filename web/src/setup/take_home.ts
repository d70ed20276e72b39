/** After the round: all that it leaves behind, as one file. */

import type { Credentials } from '../data/session';
import { fetchFile } from '../data/upload';
import type { Words } from '../i18n/words';
import { h, setText } from '../view/dom';
import { act, tick } from '../view/form';
import { saveFile } from '../view/save_file';

export interface TakeHomeOptions {
  words(): Words;
  language(): string;
  credentials(): Credentials | null;
}

export class TakeHome {
  readonly element = h('section', { class: 'take-home' });
  private readonly title = h('h2', {});
  private readonly hint = h('p', {});
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly nameless = tick('');
  private readonly namelessName = h('span', {});
  private readonly take = act('', () => void this.fetch());

  constructor(private readonly options: TakeHomeOptions) {
    const { title, hint, nameless, take, refused } = this;
    nameless.input.name = 'nameless';
    nameless.label.replaceChildren(nameless.input, this.namelessName);
    this.element.append(title, hint, nameless.label, take, refused);
  }

  draw(): void {
    const words = this.options.words().setUp;
    setText(this.title, words.takeHome);
    setText(this.hint, words.takeHomeHint);
    setText(this.namelessName, words.takeHomeNameless);
    setText(this.take, words.takeHomeDo);
  }

  private async fetch(): Promise<void> {
    const credentials = this.options.credentials();
    if (credentials === null) return;
    this.take.disabled = true;
    const names = !this.nameless.input.checked;
    const wanted = { language: this.options.language(), names };
    const file = await fetchFile('archive', credentials, wanted);
    this.take.disabled = false;
    setText(this.refused, file === null ? this.options.words().setUp.takeHomeFails : '');
    if (file === null) return;
    const day = new Date().toISOString().slice(0, 10);
    saveFile(file, `adoubed-${day}.tar.gz`);
  }
}
