/** The addresses of the screens, to be typed or to be photographed. */

import type { TableId } from '../pure/table_id';
import { askSetup, type Credentials } from '../data/session';
import type { Words } from '../i18n/words';
import { finite, text } from '../pure/json';
import { h, setText, svg } from '../view/dom';
import { quiet } from '../view/form';
import { numberInput } from './seat_hall';
import { TableCards } from './table_cards';

export interface ScreensOptions {
  words(): Words;
  credentials(): Credentials | null;
  /** The tables of the hall. */
  tables(): readonly TableId[];
}

interface Screen {
  readonly name: string;
  readonly path: string;
}

export class Screens {
  readonly element = h('section', { class: 'screens' });
  private readonly title = h('h2', {});
  private readonly note = h('p', { class: 'round-about' });
  private readonly list = h('ul', { class: 'screens-list' });
  private readonly table = numberInput('1');
  private readonly tableName = h('span', {});
  private readonly print = quiet('', () => window.print());
  private readonly cards: TableCards;
  private drawn = '';

  constructor(private readonly options: ScreensOptions) {
    const { words, tables } = options;
    this.cards = new TableCards({ words, tables, code: (url, name) => this.code(url, name) });
    this.table.addEventListener('change', () => this.draw());
    const label = h('label', { class: 'seat-number' }, this.tableName, this.table);
    const { title, note, list, print, cards } = this;
    this.element.append(title, note, label, list, print, cards.element, cards.paper);
  }

  draw(): void {
    const words = this.options.words();
    setText(this.title, words.setUp.screens);
    setText(this.tableName, words.tableWord);
    setText(this.print, words.print);
    this.cards.draw();
    // What is only here no tablet can open.
    const here = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
    setText(this.note, here ? words.setUp.screensHere : '');
    const screens = this.screens(words);
    const now = JSON.stringify(screens);
    if (now === this.drawn) return;
    this.drawn = now;
    this.list.replaceChildren(...screens.map((it) => this.one(it)));
  }

  private screens(words: Words): Screen[] {
    const table = Math.max(1, Math.trunc(Number(this.table.value)) || 1);
    const { setUp } = words;
    return [
      { name: words.wall, path: '/' },
      { name: setUp.kiosk, path: '/kiosk' },
      { name: words.table(String(table)), path: `/table/${table}` },
      { name: words.arbiter, path: '/arbiter' },
      { name: words.setup, path: '/setup' },
    ];
  }

  private one({ name, path }: Screen): HTMLElement {
    const url = new URL(path, location.origin).href;
    const picture = h('div', { class: 'screens-code' });
    void this.code(url, name).then((code) => {
      if (code !== null) picture.append(code);
    });
    const link = h('a', { href: path, target: '_blank', rel: 'noopener' }, url);
    return h('li', {}, picture, h('b', {}, name), link);
  }

  private async code(url: string, name: string): Promise<SVGElement | null> {
    const credentials = this.options.credentials();
    const told = credentials === null ? null : await askSetup('qr', credentials, { text: url });
    if (told?.kind !== 'told') return null;
    const [size, path] = [finite(told.value['size']), text(told.value['path'])];
    if (size === null || path === null) return null;
    return svg(size, path, name);
  }
}
