/** Alerts of games that are over at their tables: folded, and cleared together. */

import type { Alert } from '../pure/alerts';
import { h, setText } from '../view/dom';
import { act, confirmation, leavesOnEscape, quiet } from '../view/form';
import { complaint, offers, type Desk } from './desk';

/** Orders under way at once: a hall may have thousands, and each holds for seconds only. */
const TOGETHER = 20;

export class EarlierGames {
  readonly list = h('ul', { class: 'alerts is-settled' });
  private readonly title = h('summary', {});
  private readonly clear = h('div', { class: 'clear-together' });
  readonly element = h('details', { class: 'notes' }, this.title, this.clear, this.list);
  private alerts: readonly Alert[] = [];
  private asking = false;
  private busy = false;
  private drawn = '';

  /** `onCleared`: what is closed now need not keep its place under the hand that closed it. */
  constructor(
    private readonly desk: Desk,
    private readonly onCleared: () => void,
  ) {
    leavesOnEscape(this.clear, () => this.ask(false));
  }

  draw(alerts: readonly Alert[]): void {
    const { words, language } = this.desk.app;
    this.alerts = alerts;
    this.element.hidden = alerts.length === 0;
    setText(this.title, words.earlierAlerts(alerts.length));
    const key = JSON.stringify([language, alerts.length, this.asking, this.busy]);
    // A finger may be on it while games go on.
    if (key === this.drawn) return;
    this.drawn = key;
    const offered = offers(this.desk, 'rule') && alerts.length > 0;
    this.clear.replaceChildren(...(offered ? [this.buttons()] : []));
  }

  private buttons(): HTMLElement {
    const { words } = this.desk.app;
    if (!this.asking) return quiet(words.clearEarlier, () => this.ask(true));
    const doing = act(words.clearEarlierDo(this.alerts.length), () => void this.clearAll());
    if (this.busy) doing.setAttribute('aria-disabled', 'true');
    return confirmation(
      doing,
      quiet(words.cancel, () => this.ask(false)),
    );
  }

  private ask(asking: boolean): void {
    if (this.busy) return;
    this.asking = asking;
    this.draw(this.alerts);
    this.clear.querySelector('button')?.focus({ preventScroll: true });
  }

  /** One ruling each, so that the record has every one; what is refused stays, with its reason. */
  private async clearAll(): Promise<void> {
    if (this.busy) return;
    const { app, requests } = this.desk;
    const alerts = this.alerts.map(({ id }) => id);
    this.busy = true;
    this.draw(this.alerts);
    let failed: string | null = null;
    await requests.together(async (group) => {
      const order = (alert: string) =>
        requests.ask('rule', { alert, ruling: 'noted', note: '' }, group);
      for (let at = 0; at < alerts.length && failed === null; at += TOGETHER) {
        const outcomes = await Promise.all(alerts.slice(at, at + TOGETHER).map(order));
        failed = outcomes.map((it) => complaint(it, this.desk)).find((why) => why !== null) ?? null;
      }
    });
    this.busy = false;
    this.asking = false;
    this.desk.say(failed ?? app.words.ruled.noted);
    this.draw(this.alerts);
    this.onCleared();
  }
}
