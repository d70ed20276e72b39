/** An alert, open or closed, as a paper for an appeals committee: to read, and to print. */

import { articlesIn } from '../i18n/load';
import { askPaper } from '../data/session';
import { rulesOf } from '../pure/articles';
import { readDossier, type Became, type Dossier } from '../pure/dossier';
import { clockSetting, signedSeconds, timeOfDay } from '../pure/format';
import { alertAddress } from '../pure/place';
import { replayOf, type Step } from '../pure/replay';
import { localText, toldTo } from '../pure/san';
import { sentence } from '../view/alert_row';
import { Board } from '../view/board';
import { h, icon, onceLaidOut, setAttribute, setText } from '../view/dom';
import { act } from '../view/form';
import { ICONS } from '../view/icons';
import { personOf } from '../view/person';
import type { Desk, View } from './desk';

/** More diagrams than fit on two sheets show nothing better; what is earlier stands in words. */
const DIAGRAMS_MAX = 12;

export class DossierPage implements View {
  readonly element = h('div', { class: 'dossier' });
  private readonly back = h('a', { class: 'tool sheet-back' });
  private readonly print: HTMLButtonElement;
  private readonly note = h('p', { class: 'dossier-note', role: 'status' });
  private readonly sheet = h('article', { class: 'dossier-sheet', hidden: true });
  private id: string | null = null;
  private told: Dossier | null = null;
  private drawn = '';

  constructor(private readonly desk: Desk) {
    this.print = act('', () => window.print());
    this.back.append(icon(ICONS.back));
    const head = h('p', { class: 'dossier-head' }, this.back, this.note, this.print);
    this.element.append(head, this.sheet);
  }

  /** Asked anew each time it is looked at: it is made from the record. */
  async open(id: string): Promise<void> {
    [this.id, this.told, this.drawn] = [id, null, ''];
    const { credentials } = this.desk;
    const { words } = this.desk.app;
    this.draw();
    setText(this.note, words.dossierReading);
    const raw = credentials === null ? null : await askPaper('alerts', credentials, { alert: id });
    if (this.id !== id) return;
    this.told = raw === null ? null : readDossier(raw);
    setText(this.note, this.told === null ? words.dossierUnread : '');
    this.draw();
  }

  draw(): void {
    const { app } = this.desk;
    const { words, language, letters } = app;
    setAttribute(this.back, 'aria-label', words.openQueue);
    setAttribute(this.back, 'title', words.openQueue);
    const open = this.id !== null && app.halls.alerts.has(this.id);
    const table = this.told?.alert.table ?? null;
    const place = table === null ? '#/' : `#/table/${table}`;
    this.back.href = open && this.id !== null ? alertAddress(this.id) : place;
    setText(this.print, words.print);
    this.print.hidden = this.told === null;
    this.sheet.hidden = this.told === null;
    const key = JSON.stringify([language, letters, this.id, this.told !== null]);
    if (key === this.drawn) return;
    this.drawn = key;
    if (this.told === null) return this.sheet.replaceChildren();
    this.sheet.replaceChildren(...this.parts(this.told));
  }

  tick(): void {
    return;
  }

  private parts(told: Dossier): HTMLElement[] {
    const { words } = this.desk.app;
    const { alert } = told;
    const steps = replayOf(alert);
    const parts = [
      this.heading(told),
      h('p', { class: 'dossier-sentence' }, sentence(alert, this.desk.app)),
      this.article(told),
      this.clocks(told),
      section(words.evidence, this.diagrams(steps, told), this.gestures(told)),
      this.legal(told),
      alert.advice.length === 0 ? null : section(words.advice, this.advice(told)),
      section(words.dossierBecame, this.became(told)),
      this.record(told),
      this.signatures(),
    ];
    return parts.filter((part) => part !== null);
  }

  /** "Open de Liège · Round 3 · Table 7" and who plays whom. */
  private heading({ alert, round }: Dossier): HTMLElement {
    const { app } = this.desk;
    const { words, language } = app;
    const event = this.desk.app.eventName;
    const table = alert.table === null ? null : words.table(alert.table);
    const about = [event, round ? words.round(round) : null, table].filter(Boolean).join(' · ');
    const { white, black } = alert.players;
    const names = `${white?.name || words.white} – ${black?.name || words.black}`;
    const move = alert.moveNumber === null ? null : words.moveNumber(alert.moveNumber);
    const opened = alert.openedAt === null ? null : new Date(alert.openedAt);
    const day = opened?.toLocaleDateString(language, { dateStyle: 'long' });
    const when = alert.openedAt === null ? null : timeOfDay(alert.openedAt);
    const line = [words.dossierAlert(alert.id), move, day, when].filter(Boolean).join(' · ');
    const title = h('h2', { tabindex: '-1' }, names);
    return h('header', {}, h('p', {}, about), title, h('p', {}, line));
  }

  /** Its number, and what it says in our own words. */
  private article({ alert }: Dossier): HTMLElement | null {
    const { words, language } = this.desk.app;
    const { article, edition } = alert;
    if (article === null) return null;
    const number = [words.article(article), edition && words.edition(edition)];
    const texts = h('div', {});
    const fill = async () => {
      const rules = edition === null ? [] : rulesOf(article, edition);
      const say = await articlesIn(language).catch(() => null);
      if (say === null || rules.length === 0) return;
      const lines = rules.map((it) => h('p', {}, h('b', {}, it.number), ` ${say(it.name)}`));
      texts.replaceChildren(...lines, h('small', {}, words.ownWords));
    };
    void fill();
    return section(number.filter(Boolean).join(' · '), texts);
  }

  private clocks({ alert, turn }: Dossier): HTMLElement {
    const { words } = this.desk.app;
    const { clocks } = alert.facts;
    const time = (side: 'white' | 'black') =>
      h(
        'li',
        {},
        `${words[side]} `,
        h('b', {}, clocks === null ? '–' : clockSetting(clocks[side])),
      );
    const toMove = turn === 'white' ? words.whiteToMove : words.blackToMove;
    const list = h(
      'ul',
      { class: 'dossier-clocks' },
      time('white'),
      time('black'),
      h('li', {}, toMove),
    );
    return section(words.clocksThen, list);
  }

  /** How the board looked after each gesture; the number is that of its line. */
  private diagrams(steps: readonly Step[], { alert }: Dossier): HTMLElement | null {
    const { words } = this.desk.app;
    // A press changes nothing on the squares.
    const seen = steps.filter(({ gesture }) => gesture === null || gesture.square !== null);
    const figures = seen.slice(-DIAGRAMS_MAX).map(({ gesture, placement }) => {
      const number = gesture === null ? 0 : alert.evidence.indexOf(gesture) + 1;
      const element = h('div', { class: 'board' });
      const marked = gesture?.square == null ? [] : [gesture.square];
      const orientation = alert.side ?? 'white';
      const picture = { fen: placement, lastUci: null, check: null, orientation, marked };
      onceLaidOut(element, () => new Board(element, false).draw(picture, words));
      const caption = number === 0 ? words.before : String(number);
      return h('figure', {}, element, h('figcaption', {}, caption));
    });
    return figures.length === 0 ? null : h('div', { class: 'dossier-diagrams' }, ...figures);
  }

  private gestures({ alert }: Dossier): HTMLElement {
    const { app } = this.desk;
    const { words } = app;
    const lines = alert.evidence.map(({ offsetMs, text, clocks }) => {
      const when = offsetMs === null ? '' : signedSeconds(offsetMs, words.decimalMark);
      const face = clocks && `${clockSetting(clocks.white)} – ${clockSetting(clocks.black)}`;
      const told = face ?? (text === null ? '' : toldTo(app, text));
      return h('li', {}, h('time', {}, when), ` ${told}`);
    });
    return h('ol', { class: 'dossier-gestures' }, ...lines);
  }

  private legal({ alert, legal }: Dossier): HTMLElement | null {
    const { words, letters } = this.desk.app;
    const told = (sans: readonly string[]) =>
      sans.map((san) => localText(san, 'en', letters)).join(', ');
    const { obliged } = alert.facts;
    const bound = obliged.length === 0 ? null : h('p', {}, words.obliged(told(obliged)));
    return section(words.dossierLegal(legal.length), h('p', {}, told(legal)), bound);
  }

  private advice({ alert }: Dossier): HTMLElement {
    const lines = alert.advice.map((it) => h('li', {}, toldTo(this.desk.app, it)));
    return h('ul', {}, ...lines);
  }

  private became({ became }: Dossier): HTMLElement {
    const { words } = this.desk.app;
    if (became.length === 0) return h('p', {}, words.notRuled);
    return h('ul', {}, ...became.map((it) => h('li', {}, becameText(it, this.desk))));
  }

  private record({ record }: Dossier): HTMLElement {
    const { words } = this.desk.app;
    const [from, to] = [record.from, record.to].map((at) => (at === null ? '' : timeOfDay(at)));
    const told = words.dossierRecord(record.records, from ?? '', to ?? '');
    return section(words.dossierRecordTitle, h('p', {}, told), h('code', {}, record.sha256));
  }

  private signatures(): HTMLElement {
    const { words } = this.desk.app;
    const lines = words.journalSign.map((name) => h('span', {}, `${name}:`));
    return h('p', { class: 'dossier-signatures' }, ...lines);
  }
}

/** "14:03:20 · dismissed by Ann: “not so”" */
export function becameText({ at, what, by, note }: Became, { app }: Desk): string {
  const { words } = app;
  const done = words.became[what];
  const who = by === null ? done : words.becameBy(done, personOf(by, words));
  const when = at === null ? null : timeOfDay(at);
  const told = [when, who].filter((part) => part !== null).join(' · ');
  return note === null ? told : `${told} ${words.quoted(note)}`;
}

function section(title: string, ...parts: (HTMLElement | null)[]): HTMLElement {
  return h('section', {}, h('h3', {}, title), ...parts);
}
