/** The place of the opened alert. It outlives the alert: who closed it is told there. */

import type { Words } from '../i18n/words';
import type { Alert, Mend, Times } from '../pure/alerts';
import { takesTimes } from '../pure/consequences';
import { timeOfDay } from '../pure/format';
import type { Hall } from '../pure/hall';
import { fields, type Fields } from '../pure/json';
import { readRuled, type Ruled } from '../pure/rulings';
import { dismissedFor, givenFor, readAccount, type Given } from '../pure/ledger';
import type { Side } from '../pure/payloads';
import { writtenText } from '../pure/result';
import type { TableId } from '../pure/table_id';
import { AlertSheet, type Draft, type Ruling } from '../view/alert_sheet';
import type { Due } from '../view/setting';
import { h } from '../view/dom';
import { quiet } from '../view/form';
import { personOf } from '../view/person';
import { SeenFirst } from '../view/reaction';
import type { Outcome } from '../pages/requests';
import { complaint, offers, type Desk, type View } from './desk';

export class Opened implements View {
  readonly element = h('div', { class: 'opened' });
  private id: string | null = null;
  private sheet: AlertSheet | null = null;
  /** A ruling that has no answer yet: only that tells whether this or another tablet closed it. */
  private pending: string | null = null;
  /** Rulings without an answer: whether they closed their alerts is not known here. */
  private readonly unanswered = new Set<string>();

  /** How the one that is shown was closed, and by whom, where that was heard. */
  private ruled: Ruled | null = null;

  /** What puts it right with one tap. */
  private readonly mends = h('div', { class: 'mends' });
  private readonly mendsSeen = new SeenFirst(this.mends);
  private mended = '';
  /** The last that was known of the alert that is opened, and in which game. */
  private last: { readonly alert: Alert; readonly game: number | null } | null = null;
  /** What is half decided, by alert: another one may be more urgent meanwhile. */
  private readonly drafts = new Map<string, Draft>();
  /** What was tapped here in an alert: that is why it is over. */
  private done: { readonly alert: string; readonly mend: Mend } | null = null;

  constructor(private readonly desk: Desk) {}

  /** An answer to whoever has ruled: all tablets are told who it was. */
  heard(response: Fields, hall: Hall): void {
    const ruled = readRuled(response, hall);
    if (ruled === null || ruled.alert !== this.id) return;
    this.ruled = ruled;
    this.closeAs(ruled.alert, this.closed(this.desk.app.words));
    if (!this.desk.app.halls.alerts.has(ruled.alert)) this.draw();
  }

  /** More is known of how it was closed, if it is. */
  private closeAs(alert: string, told: string): void {
    if (this.desk.app.halls.alerts.has(alert)) return;
    this.sheetOf(alert)?.close(told);
    this.sheetOf(alert)?.retell(told);
  }

  /** Shows this alert from its beginning; null: none. */
  open(id: string | null): void {
    if (id === this.id) return;
    this.id = id;
    this.ruled = null;
    this.last = null;
    this.rebuild();
    this.sheet?.heading.focus({ preventScroll: true });
  }

  /** Another arbiter has signed in: what the one before has half decided is not his. */
  forget(): void {
    this.drafts.clear();
    this.rebuild();
  }

  /** The language has changed. */
  rebuild(): void {
    this.sheet = null;
    this.draw();
  }

  draw(): void {
    const { words, halls, settled } = this.desk.app;
    const alert = this.id === null ? undefined : halls.alerts.get(this.id);
    if (alert === undefined) {
      if (this.sheet === null) this.element.replaceChildren(this.nothing());
      else if (settled && this.id !== this.pending) this.sheet.close(this.closed(words));
      this.drawMends(this.leftToEnter());
      return;
    }
    const game = alert.table === null ? undefined : halls.tables.get(alert.table)?.game;
    this.last = { alert, game: game?.number ?? null };
    this.drawMends(alert);
    if (this.sheet?.shows(alert) === true) return this.sheet.update(alert, game);
    this.sheet = new AlertSheet(alert, {
      words,
      language: this.desk.app.language,
      letters: this.desk.app.letters,
      game,
      requests: this.desk.app.config.requests,
      dossier: this.desk.app.dossierAddress(alert.id),
      mends: this.mends,
      draft: this.draft(alert.id),
      given: () => this.given(alert),
      dismissed: () => this.dismissed(alert),
      takesTimes: () => this.takesTimes(alert),
      standing: () => this.standing(alert),
      onAcknowledge: () => void this.acknowledge(alert.id),
      onGive: (due) => void this.give(alert, due),
      onSettle: (due) => void this.settle(alert, due),
      onSet: (asked) => void this.set(alert, asked),
      onRule: (ruling, note) => void this.rule(alert, ruling, note),
    });
    this.element.replaceChildren(this.sheet.element);
    this.tick();
  }

  private draft(alert: string): Draft {
    const draft = this.drafts.get(alert) ?? { ruling: null, note: '' };
    this.drafts.set(alert, draft);
    return draft;
  }

  /** They stay while they are the same: a finger may be on one. */
  private drawMends(alert: Alert | null): void {
    const { language } = this.desk.app;
    const { id = null, mends = [] } = alert ?? {};
    const offered = mends.filter(({ verb }) => offers(this.desk, verb));
    const key = JSON.stringify([language, id, offered]);
    if (key === this.mended) return;
    this.mended = key;
    const buttons = offered.map((mend) =>
      quiet(this.offered(mend), () => alert && void this.mend(alert.id, mend)),
    );
    this.mends.replaceChildren(...buttons);
    this.mendsSeen.appears();
  }

  /** What ends a game was upheld, and nothing is entered by itself: its result stays offered. */
  private leftToEnter(): Alert | null {
    const { last, ruled } = this;
    if (last === null || last.alert.id !== this.id || ruled?.ruling !== 'upheld') return null;
    const { table, mends } = last.alert;
    const game = table === null ? undefined : this.desk.app.halls.tables.get(table)?.game;
    if (game?.result !== '*' || game.number !== last.game) return null;
    return { ...last.alert, mends: mends.filter(({ verb }) => verb === 'set_result') };
  }

  private offered({ verb, table, told }: Mend): string {
    const { words } = this.desk.app;
    if (verb === 'set_result') return words.enterResult(writtenText(told));
    return words.about(words.table(table), told);
  }

  private whatWasDone({ verb, told }: Mend): string {
    const { words } = this.desk.app;
    return verb === 'set_result' ? words.resultSet(writtenText(told)) : told;
  }

  private async mend(alert: string, mend: Mend): Promise<void> {
    const { words } = this.desk.app;
    this.pending = alert;
    const outcome = await this.desk.requests.ask(mend.verb, mend.body);
    this.pending = null;
    const failed = complaint(outcome, this.desk);
    if (failed === null) this.done = { alert, mend };
    this.draw();
    const result = mend.verb === 'set_result';
    if (failed === null && result) return this.desk.decided(mend.table, this.whatWasDone(mend));
    this.desk.say(words.about(words.table(mend.table), failed ?? this.whatWasDone(mend)));
  }

  tick(): void {
    this.sheet?.tick(this.desk.app.daemonNow(this.id ?? undefined));
  }

  /** It may have been drawn anew, or another one been opened, while an answer was awaited. */
  private sheetOf(alert: string): AlertSheet | null {
    return this.id === alert ? this.sheet : null;
  }

  private closed(words: Words): string {
    if (this.ruled !== null) {
      const { ruling, by, at } = this.ruled;
      const who = personOf(by, words);
      return words.ruledBy(words.ruled[ruling], who, at === null ? '' : timeOfDay(at));
    }
    if (this.done !== null && this.done.alert === this.id) {
      return words.ruledHere(this.whatWasDone(this.done.mend));
    }
    const unanswered = this.id !== null && this.unanswered.has(this.id);
    return unanswered ? words.closedUnanswered : words.closedElsewhere;
  }

  /** As the answer says it; without its words, what was tapped. */
  private ruledBy(ruling: Ruling): string {
    const { words } = this.desk.app;
    return this.ruled === null ? words.ruledHere(words.ruled[ruling]) : this.closed(words);
  }

  private nothing(): HTMLElement {
    const { app } = this.desk;
    const { words } = app;
    if (this.id === null) return h('p', { class: 'none' }, words.nothingOpened);
    const back = h('p', {}, h('a', { href: '#/' }, words.openQueue));
    const href = this.desk.app.dossierAddress(this.id);
    const paper = href === null ? null : h('p', {}, h('a', { href }, words.dossier));
    return h(
      'div',
      { class: 'none' },
      h('p', {}, app.whereNothingIs(words.closedElsewhere)),
      paper,
      back,
    );
  }

  private async acknowledge(alert: string): Promise<void> {
    this.sheet?.busy(true);
    const outcome = await this.desk.requests.ask('acknowledge', { alert });
    this.sheetOf(alert)?.fail(complaint(outcome, this.desk));
    this.hearLater(alert, outcome);
  }

  /** That no answer came stands there only until one has come. */
  private hearLater(alert: string, outcome: Outcome): void {
    if (outcome.kind !== 'no_answer') return;
    void outcome.later.then((late) => {
      // It was not carried out: whoever has closed the alert, it was not this tablet.
      if (late.kind !== 'done') this.unanswered.delete(alert);
      this.sheetOf(alert)?.answered(complaint(late, this.desk));
      this.draw();
    });
  }

  /** From the retained ledger: what was given on another tablet, or before a reload, is there. */
  private given({ table, id }: Alert): Given | null {
    return table === null ? null : givenFor(this.desk.app.halls.ledgers.get(table), id);
  }

  private dismissed({ table, id }: Alert): Given | null {
    return table === null ? null : dismissedFor(this.desk.app.halls.ledgers.get(table), id);
  }

  private standing({ table }: Alert): { times: Times; running: Side | null } | null {
    const state = table === null ? undefined : this.desk.app.halls.tables.get(table);
    const { white = null, black = null, current = false, running = null } = state?.clock ?? {};
    if (white === null || black === null || !current || running !== null) return null;
    const { position } = state ?? {};
    const known = position !== undefined && position.phase !== 'adrift';
    return { times: { white, black }, running: known ? position.turn : null };
  }

  /** Time that was given for nothing is off the clock again. */
  private async set({ id, table }: Alert, asked: Fields): Promise<void> {
    const { words } = this.desk.app;
    this.sheet?.busy(true);
    const failed = complaint(await this.desk.requests.ask('set_time', asked), this.desk);
    this.sheetOf(id)?.busy(false);
    this.tell(table, failed, words.verbs['set_time'] ?? '');
  }

  /** On a clock that runs again the daemon finds what was due by itself. */
  private takesTimes({ table }: Alert): boolean {
    const state = table === null ? undefined : this.desk.app.halls.tables.get(table);
    return offers(this.desk, 'set_time') && state !== undefined && takesTimes(state);
  }

  /** That it was given is written down once, and what the clock shows when it goes on. */
  private async give({ id }: Alert, { asked, offender }: Due, group?: string): Promise<boolean> {
    const { words } = this.desk.app;
    this.sheet?.busy(true);
    const outcome = await this.desk.requests.ask('penalty_given', asked, group);
    this.sheetOf(id)?.fail(complaint(outcome, this.desk));
    this.hearLater(id, outcome);
    if (outcome.kind !== 'done') return false;
    const account = readAccount(fields(outcome.data)?.[offender]);
    const told = account === null ? '' : words.ledger(account.illegalMoves, account.givenS);
    this.desk.say(words.about(words[offender], told));
    return true;
  }

  /** What could not be written down is not upheld either: it is told, and the alert stays. */
  private async settle(alert: Alert, due: Due): Promise<void> {
    await this.desk.requests.together(async (group) => {
      if (await this.give(alert, due, group)) await this.rule(alert, 'upheld', '', group);
    });
  }

  private async rule(
    { id: alert, table }: Alert,
    ruling: Ruling,
    note: string,
    group?: string,
  ): Promise<void> {
    const { words } = this.desk.app;
    this.sheet?.busy(true);
    this.pending = alert;
    const outcome = await this.desk.requests.ask('rule', { alert, ruling, note }, group);
    this.pending = null;
    if (outcome.kind === 'no_answer') this.unanswered.add(alert);
    this.hearLater(alert, outcome);
    const failed = complaint(outcome, this.desk);
    const sheet = this.sheetOf(alert);
    sheet?.fail(failed);
    if (failed === null) this.drafts.delete(alert);
    if (failed === null) sheet?.close(this.ruledBy(ruling));
    // If another tablet was quicker, the sheet is closed now, and says who ruled what and when.
    else this.draw();
    if (outcome.kind === 'refused' && failed !== null) this.closeAs(alert, failed);
    this.tell(table, failed, words.ruled[ruling]);
  }

  /** What was done, or why it was not. */
  private tell(table: TableId | null, failed: string | null, done: string): void {
    const { words } = this.desk.app;
    if (failed === null) return this.desk.decided(table, done);
    this.desk.say(table === null ? failed : words.about(words.table(table), failed));
  }
}
