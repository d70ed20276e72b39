/** The pairings: a file is dropped, looked at beside the tables, mended, and kept. */

import { askSetup, type Credentials, type Told } from '../data/session';
import { upload } from '../data/upload';
import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import type { EventSetup } from '../pure/event';
import { text } from '../pure/json';
import {
  changedTables,
  exchanged,
  faults,
  merged,
  nameIn,
  nextName,
  readRounds,
  renamed,
  roundAfter,
  sent,
  type Fault,
  type Pairing,
  type Round,
  type Seat,
} from '../pure/pairings';
import { runsOf } from '../pure/round_end';
import type { FileChange, Setup } from '../pure/setup';
import { h, setText } from '../view/dom';
import { act, choiceGroup, quiet } from '../view/form';
import { numberInput } from './seat_hall';

/** The longest file that the daemon takes: it would refuse a longer one before it has come. */
const UPLOAD_MB = 8;

export interface PairingsFormOptions {
  words(): Words;
  language(): Language;
  credentials(): Credentials | null;
  setup(): Setup;
  /** `revision`: the one that the file has by now, if it is newer than what was heard. */
  change(
    changes: readonly FileChange[],
    disturb: boolean,
    revision?: string | null,
  ): Promise<string | null>;
}

/** A report as it came: as long as nobody mends anything it is kept byte for byte. */
interface Report {
  readonly bytes: ArrayBuffer;
  readonly rounds: readonly Round[];
}

export class PairingsForm {
  readonly element = h('section', { class: 'pairings-form' });
  private readonly title = h('h2', {});
  private readonly drop = h('label', { class: 'pairings-drop' });
  private readonly picked = h('input', { type: 'file', accept: '.pgn,.trf,.trfx,.txt' });
  private readonly dropText = h('span', {});
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly said = h('p', { class: 'setup-said', role: 'status' });
  private readonly rounds = h('div', {});
  private readonly games = h('ol', { class: 'pairings-games' });
  private readonly notes = h('ul', { class: 'pairings-notes', role: 'status' });
  private readonly waits = h('p', { class: 'round-about', role: 'status' });
  private readonly more = h('div', { class: 'seat-buttons' });
  private readonly keep = act('', () => void this.tapped());
  private readonly leave = quiet('', () => void this.renew());
  private event: EventSetup | null = null;
  /** What is in force. */
  private inForce: readonly Round[] = [];
  private draft: readonly Round[] = [];
  private report: Report | null = null;
  private shown: string | null = null;
  /** The round that is to be on; null: the one that is. */
  private chosen: string | null = null;
  /** What the buttons were made for. */
  private made = '';
  private sure = false;
  private busy = false;
  private revision: string | null = null;

  constructor(private readonly options: PairingsFormOptions) {
    this.drop.append(this.dropText, this.picked);
    this.picked.addEventListener('change', () => {
      const [file] = this.picked.files ?? [];
      if (file !== undefined) void this.take(file);
      // The same file, mended, is chosen again.
      this.picked.value = '';
    });
    this.drop.addEventListener('dragover', (event) => event.preventDefault());
    this.drop.addEventListener('drop', (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined) void this.take(file);
    });
    this.element.append(
      this.title,
      this.drop,
      this.refused,
      this.rounds,
      this.games,
      this.more,
      this.notes,
      this.waits,
      this.said,
      h('p', { class: 'confirm' }, this.keep, this.leave),
    );
  }

  heard(event: EventSetup | null): void {
    this.event = event;
    if (event === null || event.revision === this.revision) return;
    // What somebody mends here stays, whoever else changes the file.
    if (this.isTouched()) return void this.beside(event.revision);
    void this.renew();
  }

  /** Somebody else has changed the file while pairings are mended here. These too: he is told. */
  private async beside(revision: string | null): Promise<void> {
    this.draw();
    const credentials = this.options.credentials();
    const told = credentials === null ? null : await askSetup('pairings/now', credentials, {});
    if (told?.kind !== 'told') return;
    const now = readRounds(told.value['rounds']);
    this.revision = revision;
    if (JSON.stringify(now) === JSON.stringify(this.inForce)) return;
    this.inForce = now;
    setText(this.refused, this.options.words().setUp.editedMeanwhile);
    this.draw();
  }

  /** What is in force, asked for anew. */
  async renew(): Promise<void> {
    const credentials = this.options.credentials();
    const told = credentials === null ? null : await askSetup('pairings/now', credentials, {});
    if (told?.kind !== 'told') return;
    this.revision = this.event?.revision ?? null;
    this.inForce = readRounds(told.value['rounds']);
    this.draft = this.inForce;
    this.report = null;
    this.chosen = null;
    this.show(text(told.value['round']) || this.on);
    setText(this.refused, '');
    this.draw();
  }

  draw(): void {
    const words = this.options.words().setUp;
    setText(this.title, words.pairings);
    setText(this.dropText, words.pairingsDrop);
    this.drawRounds();
    if (!this.games.contains(document.activeElement)) this.drawGames();
    this.judge();
  }

  private get on(): string {
    return this.chosen ?? this.roundInForce();
  }

  private isTouched(): boolean {
    return this.draft !== this.inForce || this.on !== this.roundInForce();
  }

  private roundInForce(): string {
    return this.event?.keys.round || (this.inForce[0]?.name ?? '');
  }

  private async take(file: File): Promise<void> {
    const credentials = this.options.credentials();
    if (credentials === null) return;
    setText(this.said, '');
    if (file.size > UPLOAD_MB << 20) {
      const why = this.options.words().setUp.fileTooLong(UPLOAD_MB);
      return setText(this.refused, `${file.name}: ${why}`);
    }
    const bytes = await file.arrayBuffer();
    const told = await upload('pairings/read', credentials, bytes);
    const why = this.complaint(told);
    // Where it is refused, everything stays as it was.
    setText(this.refused, why === null ? '' : `${file.name}: ${why}`);
    if (why !== null || told?.kind !== 'told') return;
    const rounds = readRounds(told.value['rounds']);
    this.draft = merged(this.draft, rounds);
    const whole = this.draft.length === rounds.length;
    const isReport = text(told.value['form']) === 'trf' && whole;
    this.report = isReport ? { bytes, rounds: this.draft } : null;
    const known = rounds.some(({ name }) => name === this.on);
    // A file with one round more is about that round.
    const shown = known && rounds.length > 1 ? this.on : (rounds[0]?.name ?? this.on);
    if (!this.draft.some(({ name }) => name === this.on)) this.chosen = shown;
    this.show(shown);
    this.sure = false;
    setText(this.said, this.options.words().setUp.pairingsRead(file.name, rounds.length));
    this.draw();
  }

  private show(name: string): void {
    const there = this.draft.some((it) => it.name === name);
    this.shown = there ? name : (this.draft[0]?.name ?? null);
  }

  private complaint(told: Told | null): string | null {
    const words = this.options.words();
    if (told === null) return words.sessionFailed;
    if (told.kind === 'told') return null;
    return told.why?.[this.options.language()] ?? told.why?.en ?? words.sessionFailed;
  }

  /** Buttons stay while they say the same: one that is replaced under a finger is not pressed. */
  private drawRounds(): void {
    const words = this.options.words();
    const names = this.draft.map(({ name }) => name);
    const now = JSON.stringify([this.options.language(), names, this.on, this.shown]);
    if (now === this.made) return;
    this.made = now;
    const choices = this.draft.map(({ name }) => {
      const on = name === this.on ? ` · ${words.setUp.roundOn}` : '';
      return { value: name, name: `${words.round(name)}${on}` };
    });
    const group = choiceGroup(choices, {
      label: words.setUp.eventRound,
      across: 'is-four',
      chosen: this.shown,
      onChoose: (name) => {
        this.show(name);
        this.draw();
      },
    });
    this.rounds.replaceChildren(...(choices.length === 0 ? [] : [group]));
    const next = roundAfter(this.draft, this.on);
    const play = quiet(words.setUp.playRound(next ?? ''), () => this.play(next ?? this.on));
    const own = this.shown;
    const here = own === null || own === this.on || own === next;
    const playShown = quiet(words.setUp.playRound(own ?? ''), () => this.play(own ?? this.on));
    this.more.replaceChildren(
      quiet(words.setUp.addGame, () => this.add()),
      quiet(words.setUp.addRound, () => this.addRound()),
      ...(next === null ? [] : [play]),
      ...(here ? [] : [playShown]),
    );
  }

  private drawGames(): void {
    const games = this.round()?.pairings ?? [];
    this.games.replaceChildren(...games.map((pairing, index) => this.row(pairing, index)));
  }

  private row(pairing: Pairing, index: number): HTMLElement {
    const words = this.options.words();
    const table = numberInput(String(pairing.table));
    table.setAttribute('aria-label', words.tableWord);
    table.addEventListener('change', () => {
      const number = Number(table.value);
      if (Number.isInteger(number) && number >= 1)
        this.mend(index, (it) => ({ ...it, table: number }));
      else table.value = String(pairing.table);
    });
    const name = (seat: Seat) => {
      const about = { type: 'text', autocomplete: 'off', spellcheck: 'false', dir: 'auto' };
      const input = h('input', about);
      input.value = nameIn(pairing, seat);
      input.placeholder = words[seat];
      input.setAttribute('aria-label', `${words.table(String(pairing.table))}: ${words[seat]}`);
      // Judged as it is typed: a remark that goes only when somebody presses the next button moves
      // the page, and the button with it, from under the finger.
      input.addEventListener('input', () => {
        this.mend(index, (it) => renamed(it, seat, input.value.trim()));
      });
      return input;
    };
    const colours = quiet('⇄', () => {
      this.mend(index, exchanged);
      this.drawGames();
      this.games.children[index]?.querySelector<HTMLElement>('.button')?.focus();
    });
    colours.setAttribute('aria-label', words.setUp.exchangeColours);
    const remove = quiet('×', () => {
      this.mend(index, () => null);
      this.drawGames();
    });
    remove.setAttribute('aria-label', words.setUp.removeGame);
    const state = this.stateOf(pairing.table);
    return h(
      'li',
      { class: 'pairings-game' },
      table,
      name('white'),
      colours,
      name('black'),
      remove,
      state === '' ? null : h('p', { class: 'pairings-state' }, state),
    );
  }

  private stateOf(table: number): string {
    const words = this.options.words();
    const there = this.options.setup().tables.find((it) => it.table === table);
    if (there?.inPlay === true) return words.phase.in_play;
    return there?.board === true ? '' : words.setUp.noBoard;
  }

  private round(): Round | undefined {
    return this.draft.find(({ name }) => name === this.shown);
  }

  /** The rows stay as they are: somebody goes from field to field. Null: the game is removed. */
  private mend(index: number, how: (pairing: Pairing) => Pairing | null): void {
    const change = (round: Round): Round => ({
      ...round,
      pairings: round.pairings.flatMap((it, at) => (at === index ? (how(it) ?? []) : [it])),
    });
    this.draft = this.draft.map((it) => (it.name === this.shown ? change(it) : it));
    this.sure = false;
    setText(this.said, '');
    this.judge();
  }

  private add(): void {
    if (this.round() === undefined) this.addRound();
    const games = this.round()?.pairings ?? [];
    const table = Math.max(0, ...games.map((it) => it.table)) + 1;
    const game = { table, white: { name: '' }, black: { name: '' }, rest: {} };
    this.draft = this.draft.map((it) => {
      return it.name === this.shown ? { ...it, pairings: [...it.pairings, game] } : it;
    });
    this.touched();
    this.games.lastElementChild?.querySelectorAll('input')[1]?.focus();
  }

  private addRound(): void {
    const name = nextName(this.draft);
    this.draft = [...this.draft, { name, pairings: [] }];
    if (this.draft.length === 1) this.chosen = name;
    this.shown = name;
    this.touched();
  }

  private play(round: string): void {
    this.chosen = round;
    this.show(round);
    this.touched();
  }

  private touched(): void {
    this.sure = false;
    setText(this.said, '');
    this.draw();
  }

  private judge(): void {
    const words = this.options.words().setUp;
    const round = this.round();
    const found = round === undefined ? [] : faults(round);
    const bad = this.draft.some((it) => faults(it).some(({ kind }) => kind === 'table_twice'));
    this.notes.replaceChildren(...found.slice(0, 20).map((it) => h('li', {}, this.told(it))));
    const playing = this.playing();
    setText(this.waits, playing.length === 0 ? '' : words.pairingsPlaying(runsOf(playing)));
    this.waits.toggleAttribute('data-playing', playing.length > 0);
    setText(this.keep, this.sure ? words.keepSure : words.keep);
    setText(this.leave, words.discard);
    const touched = this.isTouched();
    this.keep.disabled = this.busy || bad || !touched;
    this.leave.disabled = this.busy || !touched;
  }

  /** Tables in play whose players would be others. */
  private playing(): number[] {
    const of = (rounds: readonly Round[]) => rounds.find((it) => it.name === this.roundInForce());
    const others = changedTables(of(this.inForce), of(this.draft));
    const plays = this.options.setup().tables.filter((it) => it.inPlay);
    return plays.map(({ table }) => table).filter((it) => others.includes(it));
  }

  private told(fault: Fault): HTMLElement | string {
    const words = this.options.words().setUp;
    if (fault.kind === 'table_twice') return words.tableTwice(fault.table);
    if (fault.kind === 'no_name') return words.noName(fault.table);
    if (fault.kind === 'long') return words.longName(fault.table);
    return h('span', {}, h('bdi', {}, fault.name), ` ${words.playerTwice(fault.tables)}`);
  }

  /** Where games are in play it is asked first. */
  private async tapped(): Promise<void> {
    const credentials = this.options.credentials();
    if (credentials === null) return;
    if (!this.sure && this.playing().length > 0) {
      this.sure = true;
      return this.judge();
    }
    this.busy = true;
    this.judge();
    const why = await this.send(credentials);
    [this.busy, this.sure] = [false, false];
    setText(this.refused, why ?? '');
    if (why !== null) return this.judge();
    await this.renew();
    setText(this.said, this.options.words().setUp.kept);
  }

  /** Null: it is done. */
  private async send(credentials: Credentials): Promise<string | null> {
    const { revision } = this;
    const round = this.on === '' ? null : this.on;
    if (this.report === null || this.report.rounds !== this.draft) {
      const made = JSON.stringify({ rounds: sent(this.draft), round, revision });
      return this.complaint(await upload('pairings', credentials, made));
    }
    const told = await upload('pairings/report', credentials, this.report.bytes, revision);
    const why = this.complaint(told);
    if (why !== null || told?.kind !== 'told' || this.on === this.event?.keys.round) return why;
    const change = { change: 'set', key: 'round', value: this.on } as const;
    return this.options.change([change], false, text(told.value['revision']));
  }
}
