/** What calls the arbiter while he looks at something else: over the bar, on every place. */

import { openAlerts, type Alert } from '../pure/alerts';
import { alertAddress, type Place } from '../pure/place';
import { byTable } from '../pure/table_id';
import { Unseen } from '../pure/unseen';
import { sentence } from '../view/alert_row';
import type { Bell } from '../view/bell';
import { h, icon, setAttribute, setText } from '../view/dom';
import { ICONS } from '../view/icons';
import type { Desk } from './desk';

/** Where the queue stands beside what is opened: as in `stage.css`. */
const BESIDE = '(min-width: 62.5em) and (min-height: 45em)';

export class Newcomers {
  readonly element: HTMLElement;
  private readonly unseen = new Unseen();
  private readonly beside = window.matchMedia(BESIDE);
  private readonly count = h('b', {});
  private readonly what = h('span', {});
  private readonly link = h('a', {}, this.count, this.what);
  private readonly ring: HTMLButtonElement;

  constructor(
    private readonly desk: Desk,
    private readonly bell: Bell,
    onRing: () => void,
  ) {
    const face = icon(ICONS.bellOff);
    this.ring = h('button', { class: 'tool', type: 'button', onclick: onRing }, face);
    this.element = h('div', { class: 'newcomers', hidden: true }, this.link, this.ring);
  }

  draw(place: Place): void {
    const { words, halls } = this.desk.app;
    const queue = place.at === 'queue' || (place.at === 'alert' && this.beside.matches);
    const opened = place.at === 'alert' ? place.id : null;
    const open = openAlerts(halls.alerts.values()).filter((it) => this.desk.sector.owns(it));
    const waiting = this.unseen.of(open, queue ? 'queue' : { opened });
    this.element.hidden = waiting.length === 0;
    const [first] = waiting;
    if (first === undefined) return;
    const told = words.newSummonses(waiting.length);
    setText(this.count, this.bell.on ? told : `${told} · ${words.bellIsOff}`);
    setText(this.what, this.about(waiting));
    // One is opened at once; among several the arbiter chooses.
    setAttribute(this.link, 'href', waiting.length === 1 ? alertAddress(first.id) : '#/');
    this.ring.hidden = this.bell.on;
    setAttribute(this.ring, 'aria-label', words.soundOn);
    setAttribute(this.ring, 'title', words.soundOn);
  }

  /** "Table 7: the rook …", or "Tables 7, 12". */
  private about(waiting: readonly Alert[]): string {
    const { app } = this.desk;
    const { words } = app;
    const [first] = waiting;
    if (first !== undefined && waiting.length === 1) {
      const told = sentence(first, app);
      return first.table === null ? told : words.about(words.table(first.table), told);
    }
    const tables = new Set(waiting.flatMap(({ table }) => table ?? []));
    return `${words.tables} ${[...tables].sort(byTable).join(', ')}`;
  }
}
