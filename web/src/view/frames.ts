/** Draws what has changed, once per animation frame, however many messages came between. */

export class Frames<Key> {
  private readonly draw: (key: Key) => void;
  private readonly changed = new Set<Key>();
  private scheduled = false;

  constructor(draw: (key: Key) => void) {
    this.draw = draw;
  }

  mark(key: Key): void {
    this.changed.add(key);
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => this.flush());
  }

  private flush(): void {
    this.scheduled = false;
    const keys = [...this.changed];
    this.changed.clear();
    keys.forEach((key) => this.draw(key));
  }
}
