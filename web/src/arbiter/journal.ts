/** The journal of decisions, to read and to print for an appeals committee. */

import { askPaper } from '../data/session';
import type { App } from '../pages/app';
import { filtered } from '../pure/decision_filter';
import { byPeople, readDecisions, worthTelling, type Decision } from '../pure/decisions';
import { clockSetting, dayAndMinute, timeOfDay } from '../pure/format';
import { fields, finite, text, type Fields } from '../pure/json';
import { readSide } from '../pure/payloads';
import { localSan, toldTo } from '../pure/san';
import { decidedText } from '../view/decided_text';
import { h, setText } from '../view/dom';
import { choiceGroup, quiet } from '../view/form';
import { personOf } from '../view/person';
import type { Desk, View } from './desk';
import { JournalFilter } from './journal_filter';

/** More rows than are in sight on any screen; others come as one goes on. */
const AT_ONCE = 150;

type Whose = 'people' | 'all';

export class JournalOfDecisions implements View {
  readonly element = h('div', { class: 'journal' });
  private readonly title = h('h2', {});
  private readonly print = h('button', { class: 'button is-quiet', type: 'button' });
  private readonly about = h('p', { class: 'journal-about' });
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly body = h('tbody', {});
  private readonly head = h('tr', {});
  private readonly choices = h('div', { class: 'journal-choices' });
  private readonly filter = new JournalFilter(() => this.draw());
  /** On paper only. */
  private readonly signature = h('p', { class: 'journal-signature' });
  private readonly more = quiet('', () => this.drawMore());
  /** Null until they have been read; the newest first. */
  private decisions: readonly Decision[] | null = null;
  private whose: Whose = 'people';
  /** Those of them that are told, and how many of these are drawn. */
  private told: readonly Decision[] = [];
  private count = 0;
  private days = new Intl.DateTimeFormat();
  /** What was drawn last: drawing a long journal again takes time. */
  private drawn: readonly unknown[] = [];

  constructor(private readonly desk: Desk) {
    const { title, print, about, error, head, body, choices, more } = this;
    print.addEventListener('click', () => window.print());
    // On paper there is nothing to go on to.
    window.addEventListener('beforeprint', () => this.drawMore(Infinity));
    new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) this.drawMore();
    }).observe(more);
    const table = h('table', {}, h('thead', {}, head), body);
    const top = h('div', { class: 'tables-head' }, title, print);
    const { signature, filter } = this;
    this.element.append(top, choices, filter.element, about, error, table, more, signature);
  }

  /** Asked anew each time it is looked at: it is made from the whole record. */
  async open(): Promise<void> {
    const { words } = this.desk.app;
    setText(this.about, words.journalReading);
    const decisions = await this.ask();
    this.error.hidden = decisions !== null;
    setText(this.error, decisions === null ? words.journalUnread : '');
    this.decisions = decisions === null ? null : worthTelling(decisions);
    this.draw();
  }

  draw(): void {
    const { words, halls, language, letters } = this.desk.app;
    const event = this.desk.app.eventName;
    const { decisions, whose } = this;
    const { asked } = this.filter;
    const wanted = [decisions, whose, asked, this.error.hidden, event, language, letters];
    if (wanted.every((part, index) => part === this.drawn[index])) return;
    this.drawn = wanted;
    const now = this.desk.app.daemonNow() ?? Date.now();
    setText(this.title, words.journal);
    setText(this.print, words.print);
    const round = halls.info?.round ? words.round(halls.info.round) : null;
    const who = personOf(this.desk.signedIn, words);
    const about = [event, round, dayAndMinute(now, language), who].filter(Boolean).join(' · ');
    this.drawSignature();
    const reading = decisions === null && this.error.hidden;
    setText(this.about, reading ? words.journalReading : about);
    this.head.replaceChildren(...words.journalColumns.map((name) => h('th', {}, name)));
    this.days = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
    setText(this.more, words.journalMore);
    this.drawChoices();
    this.filter.draw(decisions, words);
    const all = whose === 'people' ? byPeople(decisions ?? []) : (decisions ?? []);
    this.told = filtered(all, asked);
    this.count = 0;
    const none = h('tr', {}, h('td', { colspan: '4' }, words.noDecisions));
    this.body.replaceChildren(...(decisions !== null && this.told.length === 0 ? [none] : []));
    this.drawMore();
  }

  private drawSignature(): void {
    const { words } = this.desk.app;
    const lines = words.journalSign.map((name) => h('span', {}, `${name}:`));
    this.signature.replaceChildren(...lines);
  }

  private drawChoices(): void {
    const { words } = this.desk.app;
    const all = this.decisions ?? [];
    const counted = { people: byPeople(all).length, all: all.length };
    const choices = (['people', 'all'] as const).map((value) => {
      return { value, name: words.journalOf(words.journalWhose[value], counted[value]) };
    });
    const onChoose = (whose: Whose) => {
      this.whose = whose;
      this.draw();
      this.choices.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
    };
    const about = { label: words.journal, across: 'is-two', chosen: this.whose } as const;
    const group = choiceGroup(choices, { ...about, onChoose });
    this.choices.replaceChildren(...(this.decisions === null ? [] : [group]));
  }

  /** A journal of thousands of rows is not drawn for the few that are looked at. */
  private drawMore(many = AT_ONCE): void {
    const until = Math.min(this.told.length, this.count + many);
    const lines: HTMLElement[] = [];
    for (; this.count < until; this.count += 1) lines.push(...this.lines(this.count));
    this.body.append(...lines);
    this.more.hidden = this.count === this.told.length;
  }

  tick(): void {
    return;
  }

  private async ask(): Promise<Decision[] | null> {
    const { credentials } = this.desk;
    const raw = credentials === null ? null : await askPaper('decisions', credentials, {});
    return raw === null ? null : readDecisions(raw);
  }

  /** The line of one decision, below its day where that is another one. */
  private lines(index: number): HTMLElement[] {
    const decision = this.told[index];
    if (decision === undefined) return [];
    const day = this.dayOf(decision);
    const before = index === 0 ? null : this.dayOf(this.told[index - 1]);
    const line = this.line(decision);
    if (day === null || day === before) return [line];
    const heading = h('th', { colspan: '4', scope: 'rowgroup' }, day);
    return [h('tr', { class: 'journal-day' }, heading), line];
  }

  private dayOf(decision: Decision | undefined): string | null {
    const at = decision?.at ?? null;
    return at === null ? null : this.days.format(at);
  }

  /** "Doe, Jane – Roe, Max · move 7" */
  private game({ players, moveNumber }: Decision): HTMLElement | null {
    const { words } = this.desk.app;
    const { white, black } = players;
    const both =
      white === null && black === null
        ? null
        : `${white?.name ?? words.white} – ${black?.name ?? words.black}`;
    const move = moveNumber === null ? null : words.moveNumber(moveNumber);
    const told = [both, move].filter((part) => part !== null).join(' · ');
    return told === '' ? null : h('small', { class: 'journal-whose' }, told);
  }

  private line(decision: Decision): HTMLElement {
    const { at, table, what, by, refusal } = decision;
    const { app } = this.desk;
    const { words } = app;
    const who = what === 'request' ? personOf(by ?? '', words) : words.bySystem;
    const why = refusal === null ? null : words.refusedBecause(toldTo(app, refusal));
    const sentence = this.sentence(decision);
    // What was refused was not done: on paper, too, that is read first.
    const told = why === null ? sentence : [h('b', {}, why), h('p', {}, ...sentence)];
    return h(
      'tr',
      { 'data-what': what, 'data-refused': why !== null },
      h('td', {}, at === null ? '' : timeOfDay(at)),
      h('td', {}, table === null ? '' : String(table)),
      h('td', {}, ...told, this.game(decision)),
      h('td', {}, who),
    );
  }

  /** "Upheld: White played … (7.5.1). “Two minutes”" */
  private sentence(decision: Decision): (HTMLElement | string)[] {
    const { app } = this.desk;
    const { words } = app;
    const { what, verb, alert, article, request } = decision;
    const spelled = decision.text === null ? null : toldTo(app, decision.text);
    const about = spelled ?? alert ?? '';
    const rule = article === null ? '' : ` (${article})`;
    if (what === 'raised') return [`${about}${rule}`];
    if (what === 'set_aside') return [words.about(words.setAside, `${about}${rule}`)];
    if (what === 'closed') return [words.about(words.clearedUp, `${about}${rule}`)];
    const note = text(request['note']) ?? '';
    const subject = about === '' ? '' : words.about('', `${about}${rule}`);
    const told = [h('b', {}, this.act(verb ?? '', decision)), subject];
    return note === '' ? told : [...told, ` ${words.quoted(note)}`];
  }

  private act(verb: string, { request }: Decision): string {
    const { app } = this.desk;
    const did = decidedText(verb, request, app.words);
    return [did, subjectOf(verb, request, app)].filter(Boolean).join(' ');
  }
}

/** What was set, given or written, in a few words. */
function subjectOf(verb: string, request: Fields, { words, letters }: App): string {
  const [side, seconds] = [readSide(request['side']), finite(request['seconds'])];
  const time = (key: string) => clockSetting(finite(request[key]) ?? 0);
  const name = (key: string) => text(fields(request[key])?.['name']) ?? text(request[key]) ?? '';
  switch (verb) {
    case 'set_position':
      return text(request['fen']) ?? '';
    case 'set_time':
      return `${time('white_ms')} – ${time('black_ms')}`;
    case 'set_pairing':
      return `${name('white')} – ${name('black')}`;
    case 'take_back':
      return `(${finite(request['plies']) ?? 1})`;
    case 'claim_check': {
      const claims: Readonly<Record<string, string>> = words.claims;
      const kind = claims[text(request['kind']) ?? ''];
      const move = localSan(text(request['move']) ?? '', letters);
      return `(${[kind, move].filter(Boolean).join(', ')})`;
    }
    case 'penalty_given':
      return side === null ? '' : `(${words[side]}, ${words.timeGiven((seconds ?? 0) / 60)})`;
    default:
      return '';
  }
}
