/** A page the server has made, printed from this one: with its own looks, and nothing of ours. */

import { h } from './dom';

const STYLE = /<style>([^<]*)<\/style>/g;

/**
 * Shown on paper only, with what stands `below` it. Its styles are taken out beforehand and given
 * to a tree of its own: our content security policy lets no document bring styles along.
 */
export function printPage(host: HTMLElement, html: string, ...below: HTMLElement[]): void {
  const page = new DOMParser().parseFromString(html.replace(STYLE, ''), 'text/html');
  const paper = h('div', {});
  const shadow = paper.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [...html.matchAll(STYLE)].map(([, styles]) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles ?? '');
    return sheet;
  });
  shadow.replaceChildren(...page.body.children);
  host.replaceChildren(paper, ...below);
  window.print();
}
