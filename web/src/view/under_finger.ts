/**
 * Whether a hand is at a list: it is touched, or scrolled away from its beginning. A hand that is
 * on its way cannot be seen: what it meant is what stood there when it set out.
 */

import type { Alert } from '../pure/alerts';
import { REACTION_MS } from './reaction';

/** So long after the last touch a hand is still there, in ms: as between two flicks of a thumb. */
const LIFTED_MS = 1500;
/** So far a page moves by itself, in px. */
const AT_TOP = 16;

interface Stood {
  readonly id: string;
  readonly box: DOMRect;
}

export class UnderFinger {
  private down = false;
  private on: string | null = null;
  private lastTouch = -Infinity;
  private released = false;
  private wait: ReturnType<typeof setTimeout> | undefined;
  private stood: readonly Stood[] = [];
  private movedAt = -Infinity;

  /** `onChange`: the hand has come or gone; `onMeant`: a tap that was meant for this alert. */
  constructor(
    private readonly list: HTMLElement,
    private readonly onChange: () => void,
    onMeant: (id: string) => void,
  ) {
    const touched = () => this.touched();
    const passive = { passive: true };
    for (const kind of ['pointerdown', 'pointermove', 'wheel']) {
      list.addEventListener(kind, touched, passive);
    }
    list.addEventListener('pointerdown', (event) => this.pressed(event), passive);
    for (const kind of ['pointerup', 'pointercancel']) {
      window.addEventListener(kind, () => this.lifted(), passive);
    }
    window.addEventListener('scroll', () => this.scrolled(), passive);
    list.addEventListener('click', (event) => this.redirect(event, onMeant), { capture: true });
  }

  get holds(): boolean {
    if (this.list.offsetParent === null) return false;
    const near = this.down || performance.now() - this.lastTouch < LIFTED_MS;
    return !this.released && (near || window.scrollY > AT_TOP);
  }

  /** Whether this alert is pressed: another row in its place would hear of no click. */
  isOn(id: string): boolean {
    return this.on === id;
  }

  /** All is to be shown, whatever the hand does; until the list is touched again. */
  release(): void {
    this.down = false;
    this.on = null;
    this.lastTouch = -Infinity;
    this.released = true;
    window.scrollTo(0, 0);
    this.onChange();
  }

  /** Remembers where the rows stand, before others come between them. */
  aboutToMove(): void {
    this.movedAt = performance.now();
    this.stood = [...this.list.querySelectorAll<HTMLElement>('.alert')].flatMap((row) => {
      const [box, id] = [row.getBoundingClientRect(), row.dataset['id']];
      // What is folded may have a place on the page, and cannot be tapped.
      const shown = row.closest('details:not([open])') === null && box.height > 0;
      const inSight = shown && box.bottom > 0 && box.top < window.innerHeight;
      return inSight && id !== undefined ? [{ id, box }] : [];
    });
  }

  private pressed({ target }: PointerEvent): void {
    this.down = true;
    this.on = (target as Element).closest<HTMLElement>('.alert')?.dataset['id'] ?? null;
  }

  private touched(): void {
    this.released = false;
    this.lastTouch = performance.now();
    clearTimeout(this.wait);
    this.wait = setTimeout(() => this.onChange(), LIFTED_MS + 50);
  }

  private lifted(): void {
    if (!this.down) return;
    this.down = false;
    this.on = null;
    this.touched();
  }

  private scrolled(): void {
    // What came while it was scrolled comes in as soon as the beginning is in sight again.
    if (window.scrollY <= AT_TOP) this.onChange();
    else this.released = false;
  }

  private redirect(event: MouseEvent, onMeant: (id: string) => void): void {
    // The keyboard's Enter has no place, and means what has the focus.
    if (performance.now() - this.movedAt > REACTION_MS || event.detail === 0) return;
    const { clientX: x, clientY: y } = event;
    const meant = this.stood.find(({ box }) => {
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
    const hit = (event.target as Element).closest<HTMLElement>('.alert')?.dataset['id'];
    if (meant === undefined || meant.id === hit) return;
    event.preventDefault();
    onMeant(meant.id);
  }
}

/** Whether these alerts stand otherwise than those. */
export function movesRows(before: readonly Alert[], after: readonly Alert[]): boolean {
  return before.some(({ id }, index) => after[index]?.id !== id);
}
