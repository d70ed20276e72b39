/** Taps that nobody can have meant: what has only just come under a finger has not been seen. */

/** Who taps within this time (ms) after something has come or moved has not seen it. */
export const REACTION_MS = 400;

/**
 * Buttons that wait, once they have come, for as long as a hand needs to see them. Of two quick
 * taps the second one does nothing, whether it falls on what the first has called up or on the same
 * button. The keyboard's Enter has no place and means what has the focus, but a key that is held
 * down presses once.
 */
export class SeenFirst {
  private waits = false;
  private tapped: { readonly on: Element | null; readonly at: number } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What something else holds back is not set free here. */
  private held: readonly Element[] = [];

  constructor(private readonly element: HTMLElement) {
    element.addEventListener('click', (event) => this.judge(event), { capture: true });
    element.addEventListener('keydown', (event) => {
      if (event.repeat && event.key === 'Enter') event.preventDefault();
    });
  }

  /** Its buttons have only just come. */
  appears(): void {
    clearTimeout(this.timer);
    this.free();
    this.waits = true;
    this.held = [...this.element.querySelectorAll('button:not([aria-disabled])')];
    this.held.forEach((button) => button.setAttribute('aria-disabled', 'true'));
    this.timer = setTimeout(() => this.free(), REACTION_MS);
  }

  private free(): void {
    this.held.forEach((button) => button.removeAttribute('aria-disabled'));
    this.held = [];
    this.waits = false;
  }

  private judge(event: MouseEvent): void {
    if (event.detail === 0) return;
    const now = performance.now();
    const on = (event.target as Element).closest('button');
    const again = this.tapped?.on === on && now - this.tapped.at < REACTION_MS;
    if (!again && !this.waits) {
      this.tapped = { on, at: now };
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
