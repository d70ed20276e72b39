/** Alerts of games that are over at their tables: folded, and cleared together. */

import type { Alert } from '../pure/alerts';
import { h, setText } from '../view/dom';
import { act, confirmation, leavesOnEscape, quiet } from '../view/form';
import { complaint, offers, type Desk } from './desk';

export class EarlierGames {
  readonly list = h('ul', { class: 'alerts is-settled' });
  private readonly title = h('summary', {});
  private readonly clear = h('div', { class: 'clear-together' });
  readonly element = h('details', { class: 'notes' }, this.title, this.clear, this.list);
  private alerts: readonly Alert[] = [];
  private asking = false;
  private busy = false;
  private drawn = '';

  constructor(private readonly desk: Desk) {
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
    const asked = alerts.map((alert) => {
      return requests.ask('rule', { alert, ruling: 'noted', note: '' });
    });
    const told = (await Promise.all(asked)).map((outcome) => complaint(outcome, this.desk));
    this.busy = false;
    this.asking = false;
    const failed = told.find((why) => why !== null);
    this.desk.say(failed ?? app.words.ruled.noted);
    this.draw(this.alerts);
  }
}
