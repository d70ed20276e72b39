/** The bar above every page: event, how fresh the picture is, and the reader's switches. */

import { nameOf, type Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import type { BridgeInfo } from '../pure/payloads';
import { localSan, type Reader } from '../pure/san';
import { h, icon, setAttribute, setText } from './dom';
import { ICONS } from './icons';
import type { Notice } from './notice';
import { chooseTheme, theme } from './preferences';

export interface HeaderActions {
  onFlip: (() => void) | null;
  onLetters(): void;
  onLanguage(): void;
}

export class Header {
  readonly element: HTMLElement;
  readonly tools = h('div', { class: 'bar-tools' });
  /** Links that belong to one page stand before the title. */
  readonly lead = h('nav', { class: 'bar-lead' });
  private readonly title = h('h1', {});
  private readonly subtitle = h('p', {});
  private readonly statusText = h('span', {});
  private readonly status = h('p', { class: 'status', role: 'status' }, this.statusText);
  private readonly flip: HTMLButtonElement | null;
  private readonly letters: HTMLButtonElement;
  private readonly language: HTMLButtonElement;
  private readonly theme: HTMLButtonElement;
  private words: Words;

  constructor(actions: HeaderActions, words: Words) {
    this.words = words;
    const { onFlip } = actions;
    this.flip = onFlip === null ? null : toolButton(icon(ICONS.flip), onFlip);
    this.letters = toolButton('', () => actions.onLetters());
    this.language = toolButton('', () => actions.onLanguage());
    this.theme = toolButton('', () => this.switchTheme());
    const tools = [this.flip, this.letters, this.language, this.theme];
    this.tools.append(...tools.filter((tool) => tool !== null));
    const title = h('div', { class: 'bar-title' }, this.title, this.subtitle);
    this.element = h('header', { class: 'bar' }, this.lead, title, this.status, this.tools);
  }

  drawTitle(title: string, subtitle: string): void {
    setText(this.title, title);
    setText(this.subtitle, subtitle);
  }

  drawNotice(notice: Notice): void {
    setText(this.statusText, notice.text);
    setAttribute(this.status, 'data-mood', notice.mood);
  }

  /** The buttons show what a press brings. */
  drawTools(
    { words, language, letters }: Reader & { words: Words },
    flipWords: string,
    other: Language,
  ): void {
    if (this.flip !== null) label(this.flip, flipWords);
    const spelled = letters === 'figurines' ? language : 'figurines';
    setText(this.letters, localSan('N', spelled));
    label(this.letters, spelled === 'figurines' ? words.figurines : words.pieceLetters);
    this.language.hidden = other === language;
    setText(this.language, other.toUpperCase());
    setAttribute(this.language, 'lang', other);
    label(this.language, `${other.toUpperCase()} · ${nameOf(other)}`);
    this.words = words;
    this.drawTheme();
  }

  private drawTheme(): void {
    const dark = theme() === 'dark';
    this.theme.replaceChildren(icon(dark ? ICONS.sun : ICONS.moon));
    label(this.theme, dark ? this.words.light : this.words.dark);
  }

  private switchTheme(): void {
    chooseTheme(theme() === 'dark' ? 'light' : 'dark');
    this.drawTheme();
  }
}

/** "Round 3 · Liège" as far as it is known. */
export function eventLine(info: BridgeInfo | null, words: Words): string {
  const round = info?.round ? words.round(info.round) : null;
  return [round, info?.site].filter(Boolean).join(' · ');
}

export function toolButton(face: Node | string, onPress: () => void): HTMLButtonElement {
  return h('button', { class: 'tool', type: 'button', onclick: onPress }, face);
}

function label(button: HTMLElement, words: string): void {
  setAttribute(button, 'aria-label', words);
  setAttribute(button, 'title', words);
}
