/** Boards without a table, and why: where one may have it, the arbiter says with one tap which. */

import { toldTo } from '../pure/san';
import type { TableId } from '../pure/table_id';
import type { Offer, Unseated } from '../pure/unseated';
import { Board } from '../view/board';
import { h, onceLaidOut, place } from '../view/dom';
import { complaint, offers, type Desk } from './desk';

/** As many as are looked through at a glance; the others are behind a tap. */
const AT_ONCE = 6;

export class WhichTable {
  readonly element = h('div', { class: 'which' });
  private readonly cards = new Map<string, Card>();
  private spelling = '';

  constructor(private readonly desk: Desk) {}

  draw(): void {
    const { app } = this.desk;
    const spelling = `${app.language} ${app.letters}`;
    if (spelling !== this.spelling) this.cards.clear();
    this.spelling = spelling;
    const boards = offers(this.desk, 'seat') ? app.halls.unseated : [];
    const keys = boards.map(keyOf);
    for (const key of this.cards.keys()) if (!keys.includes(key)) this.cards.delete(key);
    place(
      this.element,
      boards.map((board) => this.card(board).element),
    );
  }

  private card(board: Unseated): Card {
    const key = keyOf(board);
    const card = this.cards.get(key) ?? new Card(this.desk);
    this.cards.set(key, card);
    card.draw(board);
    return card;
  }
}

function keyOf({ hall, line, station }: Unseated): string {
  return `${hall} ${line} ${station ?? ''}`;
}

/** One board: what stands on it, where it is, and the tables it may be. */
class Card {
  readonly element = h('section', { class: 'which-card' });
  private readonly picture = h('div', { class: 'board' });
  private readonly board = new Board(this.picture, true);
  private readonly told = h('div', { class: 'which-told' });
  private readonly error = h('p', { class: 'error', role: 'alert', hidden: true });
  private shown: Unseated | null = null;
  private drawn = '';

  constructor(private readonly desk: Desk) {
    this.element.append(this.picture, this.told);
    onceLaidOut(this.picture, () => this.drawPicture());
  }

  draw(unseated: Unseated): void {
    this.shown = unseated;
    this.drawPicture();
    const names = unseated.tables.map(({ table }) => this.names(table));
    const key = JSON.stringify([unseated.tables, unseated.why, unseated.newTable, names]);
    // What is about to be pressed stays where it is.
    if (key === this.drawn) return;
    this.drawn = key;
    this.drawTold(unseated);
  }

  private drawTold(unseated: Unseated): void {
    const { app } = this.desk;
    const { words } = app;
    const { hall, tables, newTable, port, station, driver, serial, why } = unseated;
    const who = [driver, serial].filter(Boolean).join(' ');
    const where = station === null ? port : `${port} (${station})`;
    const told = words.pluggedIn(who, where);
    const choices = tables.map((offer) => this.choice(offer));
    const others = choices.slice(AT_ONCE);
    const more = h('details', {}, h('summary', {}, words.otherTables(others.length)));
    more.append(h('div', { class: 'which-tables' }, ...others));
    const fresh = newTable ? this.button(words.newTable, null, false) : null;
    this.told.replaceChildren(
      ...(choices.length > 0 || newTable ? [h('h2', {}, words.whichTable)] : []),
      h('p', { class: 'which-where' }, hall === '' ? told : words.about(words.hall(hall), told)),
      h('div', { class: 'which-tables' }, ...choices.slice(0, AT_ONCE), fresh),
      ...(others.length > 0 ? [more] : []),
      this.error,
      h('p', { class: 'which-why' }, why === null ? '' : `${toldTo(app, why)}.`),
    );
  }

  private drawPicture(): void {
    const { shown, picture } = this;
    const known = shown !== null && (shown.placement !== null || shown.occupied !== null);
    picture.hidden = !known;
    if (shown === null || !known || picture.clientWidth === 0) return;
    const { placement: fen, occupied } = shown;
    const marked = occupied ?? [];
    const other = { lastUci: null, check: null, orientation: 'white' } as const;
    this.board.draw({ fen, marked, ...other }, this.desk.app.words);
  }

  private choice({ table, agrees }: Offer): HTMLElement {
    const { words } = this.desk.app;
    const told = [this.names(table), agrees ? words.gameStandsThere : ''].filter(Boolean);
    const button = this.button(words.table(table), table, agrees);
    button.append(...told.map((it) => h('small', {}, it)));
    return button;
  }

  private names(table: TableId): string {
    const { halls } = this.desk.app;
    const game = halls.tables.get(table)?.game;
    const names = [game?.white?.name, game?.black?.name].filter(Boolean);
    return names.join(' – ');
  }

  private button(name: string, table: TableId | null, likely: boolean): HTMLButtonElement {
    const kind = likely ? 'button' : 'button is-quiet';
    const about = { class: kind, type: 'button', onclick: () => void this.answer(table) };
    return h('button', about, h('span', {}, name));
  }

  private async answer(table: TableId | null): Promise<void> {
    const { desk, shown } = this;
    if (shown === null) return;
    const { hall, line, station } = shown;
    const buttons = [...this.told.querySelectorAll('button')];
    buttons.forEach((button) => (button.disabled = true));
    const outcome = await desk.requests.ask('seat', { hall, line, station, table });
    buttons.forEach((button) => (button.disabled = false));
    const failed = complaint(outcome, desk);
    this.error.textContent = failed ?? '';
    this.error.hidden = failed === null;
    if (failed === null) desk.say(desk.app.words.boardGiven(table));
  }
}
