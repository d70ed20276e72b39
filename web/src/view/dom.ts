/** Building elements. Text only ever becomes text: no payload can bring markup with it. */

type Child = Node | string | null | false;
type Attributes = Readonly<Record<string, string | boolean | EventListener>>;

const SVG = 'http://www.w3.org/2000/svg';

/** Functions become listeners (`onclick`), `true` an empty attribute, `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/** A decorative line drawing on a 24 by 24 field. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}

/** A drawing that says something, on a square field. */
export function svg(size: number, path: string, label: string): SVGSVGElement {
  const drawing = document.createElementNS(SVG, 'svg');
  drawing.setAttribute('viewBox', `0 0 ${size} ${size}`);
  drawing.setAttribute('role', 'img');
  drawing.setAttribute('aria-label', label);
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  drawing.append(shape);
  return drawing;
}

/** Whoever works with the keyboard is not thrown back to the top when `change` takes his place. */
export function keepingFocus(
  within: Element,
  change: () => void,
  next: () => HTMLElement | null | undefined,
): void {
  const held = within.contains(document.activeElement);
  change();
  if (held && !within.contains(document.activeElement)) next()?.focus({ preventScroll: true });
}

/** Whoever types while `change` makes the fields anew types on, in the field of the same name. */
export function typingOn(within: Element, change: () => void): void {
  const held = within.contains(document.activeElement) ? document.activeElement : null;
  const name = held instanceof HTMLInputElement ? held.name : '';
  const from = held instanceof HTMLInputElement ? held.selectionStart : null;
  const to = held instanceof HTMLInputElement ? held.selectionEnd : null;
  change();
  // What was not made anew keeps its cursor, and what somebody has marked in it.
  if (name === '' || document.activeElement === held) return;
  const same = within.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`);
  same?.focus({ preventScroll: true });
  if (from !== null) same?.setSelectionRange(from, to);
}

/** Other elements in the same place: whoever was at a link stays at it. */
export function refill(list: Element, wanted: readonly Node[]): void {
  const held = list.contains(document.activeElement) ? document.activeElement : null;
  list.replaceChildren(...wanted);
  const address = held?.getAttribute('href');
  if (!address) return;
  const same = list.querySelector<HTMLElement>(`a[href="${CSS.escape(address)}"]`);
  same?.focus({ preventScroll: true });
}

/** Moves nothing that is in its place: a finger may be on it. */
export function place(list: Element, wanted: readonly HTMLElement[]): void {
  const present = list.children;
  const same = wanted.length === present.length && wanted.every((it, i) => it === present[i]);
  if (!same) refill(list, wanted);
}

/** As soon as it has a width: a board has no squares before. */
export function onceLaidOut(element: HTMLElement, then: () => void): void {
  new ResizeObserver((_, observer) => {
    if (element.clientWidth === 0) return;
    observer.disconnect();
    then();
  }).observe(element);
}

/** Touches the document only when something changes. */
export function setText(element: Element, value: string): void {
  if (element.textContent !== value) element.textContent = value;
}

export function setAttribute(element: Element, name: string, value: string | null): void {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page lacks #${id}`);
  return element;
}
