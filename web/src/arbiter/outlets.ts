/** Whether the games leave the hall: every outlet, since when it works or fails, and why. */

import { askPaper } from '../data/session';
import { timeOfDay } from '../pure/format';
import { readOutlets, type Outlet } from '../pure/outlets';
import { h } from '../view/dom';
import type { Desk } from './desk';

/** How often it is asked for while it is looked at, in ms. */
const RENEW_MS = 10_000;

export class Outlets {
  readonly element = h('section', { class: 'outlets', hidden: true });
  private told: readonly Outlet[] = [];
  private asked = 0;
  private drawn = '';

  constructor(private readonly desk: Desk) {}

  async renew(): Promise<void> {
    this.asked = performance.now();
    const { credentials } = this.desk;
    const body = credentials === null ? null : await askPaper('outlets', credentials, {});
    // While it cannot be had, what was told last stays: the bar says that nobody answers.
    if (body !== null) this.told = readOutlets(body);
    this.draw();
  }

  tick(): void {
    if (performance.now() - this.asked >= RENEW_MS) void this.renew();
  }

  draw(): void {
    const { words, language } = this.desk.app;
    const key = JSON.stringify([language, this.told]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.element.hidden = this.told.length === 0;
    const line = ({ name, works, since, last }: Outlet) => {
      const at = timeOfDay(since);
      const state = works ? words.outletWorks(name, at) : words.outletFails(name, at);
      const mood = works ? 'works' : 'fails';
      return h('li', { class: `outlet is-${mood}` }, h('strong', {}, state), ` ${last}`);
    };
    const list = h('ul', { class: 'remarks' }, ...this.told.map(line));
    this.element.replaceChildren(h('h3', {}, words.outlets), list);
  }
}
