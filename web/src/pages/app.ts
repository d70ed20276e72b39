/** What the three pages share: configuration, connection, state of the hall, header. */

import type { Config } from '../data/config';
import { brokerUrl, Link, type LinkState } from '../data/connection';
import type { Credentials } from '../data/session';
import type { Language } from '../i18n/language';
import { wordsIn } from '../i18n/load';
import type { Words } from '../i18n/words';
import { feedOf } from '../pure/feed';
import type { Hall } from '../pure/hall';
import { Halls, isWanted, type Change, type Shown } from '../pure/halls';
import type { Fields } from '../pure/json';
import type { Side } from '../pure/payloads';
import { dossierAddress } from '../pure/place';
import type { Letters } from '../pure/san';
import type { Screens } from '../pure/screens';
import type { Section } from '../pure/sections';
import { hallIn, withoutHall, type TableId } from '../pure/table_id';
import { requestTopic } from '../pure/topics';
import type { Context } from '../view/context';
import type { Elsewhere } from '../view/elsewhere';
import { eventLine, Header } from '../view/header';
import { noticeOf, type HallFreshness } from '../view/notice';
import {
  storedFigurines,
  storedFlip,
  storeFigurines,
  storeFlip,
  storeLanguage,
} from '../view/preferences';
import type { Sent } from './requests';

export interface AppOptions {
  readonly filters: (base: string) => string[];
  readonly qos: 0 | 1;
  readonly flippable: 'one' | 'all' | 'no';
  /** The names of the halls that are wanted; none: all. */
  readonly halls?: readonly string[];
  /** Whether the reader is to know that the record is not kept. */
  readonly tellsRecord?: boolean;
  /** Whether the other end is asked again and again if it is still there. */
  readonly pulse?: boolean;
  /** Without the bar: for a board in somebody else's picture. */
  readonly bare?: boolean;
  onChange(change: Change): void;
  /** Language, orientation or freshness has changed: everything is to be drawn again. */
  onRefresh(): void;
  /** The retained messages have come. */
  onSettled?(): void;
  onRefused?(): void;
  /** Another start of the daemon: what it serves may be another version. */
  onReboot?(): void;
}

const NAMELESS = { name: '', pages: '' };

export class App implements Context {
  readonly halls: Halls;
  readonly header: Header;
  language: Language;
  words: Words;
  orientation: Side = storedFlip() ? 'black' : 'white';
  link: Link | null = null;
  settled = false;
  readonly screens: Screens;
  private figurines: boolean;
  private linkState: LinkState = 'idle';
  /** The connection is open, and nothing answers. */
  private silent = false;
  private lastNews: number | null = null;
  /** Of each hall, by its base. */
  private readonly boots = new Map<string, string>();
  /** What is subscribed to: the bases of the halls that are shown. */
  private readonly bases: readonly string[];
  /** Those of which not everything may be read here. */
  private readonly barred = new Set<string>();
  private readonly isPublic = feedOf(location.pathname) === 'public';

  constructor(
    readonly config: Config,
    private readonly options: AppOptions,
  ) {
    const shown = config.halls.length > 0 ? config.halls : [{ ...NAMELESS, base: config.base }];
    this.halls = new Halls(shown, options.halls);
    // What gets its name only when it is heard of may be any.
    const wanted = ({ name }: Shown) => name === '' || isWanted(name, options.halls ?? []);
    this.bases = shown.filter(wanted).map(({ base }) => base);
    this.screens = config.screens;
    this.language = config.language;
    this.figurines = storedFigurines() ?? config.screens.figurines;
    this.words = config.words;
    const onFlip = options.flippable === 'no' ? null : () => this.flip();
    const onLanguage = () => void this.speak(this.otherLanguage());
    const onLetters = () => this.switchLetters();
    this.header = new Header({ onFlip, onLetters, onLanguage }, this.words);
    if (options.bare !== true) document.body.prepend(this.header.element);
    this.drawHeader();
  }

  get letters(): Letters {
    return this.figurines ? 'figurines' : this.language;
  }

  connect(credentials: Credentials | null): void {
    this.link?.close();
    this.setLinkState('connecting');
    this.link = new Link({
      url: brokerUrl(location),
      filters: this.bases.map(this.options.filters),
      version: this.halls.several ? 5 : 4,
      qos: this.options.qos,
      credentials,
      pulse: this.options.pulse === true,
      onState: (state) => this.setLinkState(state),
      onSilent: (silent) => this.setSilent(silent),
      onFresh: () => this.freshen(),
      onBarred: (index) => this.barred.add(this.bases[index] ?? ''),
      onMessage: (topic, payload) => this.receive(topic, payload),
      onSettled: () => this.settle(),
    });
  }

  nowFor(table: TableId): number | null {
    const device = this.halls.tables.get(table)?.device;
    const boardHeard = device === undefined || device.state === 'online';
    return this.liveAt(table) && boardHeard ? this.daemonNow(table) : null;
  }

  staleAt(table: TableId): boolean {
    // Where there is one hall, the whole page says so.
    return this.halls.several && this.begun() && !this.liveAt(table);
  }

  disconnect(): void {
    this.link?.close();
    this.setLinkState('idle');
  }

  /**
   * The time of day of the daemon whose table or alert this is, in ms since 1970; null before its
   * first message.
   */
  daemonNow(id?: string): number | null {
    const now = performance.now();
    if (id !== undefined) return this.halls.hallOf(id)?.time.at(now) ?? null;
    return this.halls.all.map(({ time }) => time.at(now)).find((it) => it !== null) ?? null;
  }

  /** What to say where nothing is: that there is nothing is known only once all has come. */
  whereNothingIs(told: string): string {
    if (this.settled) return told;
    return this.linkState === 'lost' ? '' : this.words.reading;
  }

  /** Whether what is shown of any hall is what stands on the boards now. */
  live(): boolean {
    return this.linked() && (this.halls.all.some((it) => this.isOnline(it)) || !this.settled);
  }

  /** The parts of the hall; where there are several halls, each is one. */
  get sections(): readonly Section[] {
    if (!this.halls.several) return this.config.sections;
    return this.halls.all.map(({ name }) => {
      return { name: this.words.hall(name), holds: (table: TableId) => hallIn(table) === name };
    });
  }

  /** As its daemon says it; pages of other daemons' halls have a name of their own. */
  get eventName(): string {
    const [said, own] = [this.halls.info?.event ?? '', this.config.event];
    return this.hasPapers ? said || own : own || said;
  }

  /** Whether what is made of the record can be had here: else the pages of each hall have it. */
  get hasPapers(): boolean {
    return this.config.halls.length === 0;
  }

  /** The halls, and where the pages of each are. */
  get elsewhere(): readonly Elsewhere[] {
    return this.halls.all.map((hall) => [hall, this.pagesOf(hall)] as const);
  }

  /** Where all of an alert can be read; null: nobody has said where the pages of its hall are. */
  dossierAddress(id: string): string | null {
    if (this.hasPapers) return dossierAddress(id);
    const hall = this.halls.hallOf(id);
    const pages = hall === undefined ? '' : this.pagesOf(hall);
    return pages === '' ? null : `${pages}/arbiter${dossierAddress(withoutHall(id))}`;
  }

  private pagesOf(hall: Hall): string {
    return this.config.halls.find(({ base }) => base === hall.base)?.pages ?? '';
  }

  /** To the hall whose table or alert it is about. False: there is no way to send it. */
  send({ verb, body }: Sent, onRefused: () => void): boolean {
    const to = this.halls.addressed(body);
    if (to === null || this.link === null) return false;
    return this.link.publish(requestTopic(to.hall.base, verb), to.body, onRefused);
  }

  /** The time of day of the daemon to which an order goes. */
  nowWhere(body: Fields): number | null {
    return this.halls.addressed(body)?.hall.time.at(performance.now()) ?? null;
  }

  /** Whether what is shown of this table is what stands there now, as far as its hall can say. */
  liveAt(id: string): boolean {
    const hall = this.halls.hallOf(id);
    return this.linked() && hall !== undefined && this.isOnline(hall);
  }

  private linked(): boolean {
    return this.linkState === 'online' && !this.silent;
  }

  private begun(): boolean {
    return this.linkState !== 'idle' && this.linkState !== 'connecting';
  }

  /** Before the retained messages have come, silence about a daemon means nothing. */
  private isOnline({ bridge }: Hall): boolean {
    return bridge?.online ?? !this.settled;
  }

  private freshen(): void {
    this.barred.clear();
    this.halls.beginConfirmation();
  }

  drawHeader(): void {
    const { header, words, halls } = this;
    document.documentElement.lang = this.language;
    const stale = this.begun() && !this.live();
    document.documentElement.toggleAttribute('data-stale', stale);
    header.drawTitle(this.eventName, eventLine(halls.info, words));
    header.drawTools(this, this.flipWords(), this.otherLanguage());
    this.drawNotice();
  }

  private flipWords(): string {
    return this.options.flippable === 'one' ? this.words.flipOne : this.words.flip;
  }

  private drawNotice(): void {
    const { lastNews, words } = this;
    const link = this.silent && this.linkState === 'online' ? 'lost' : this.linkState;
    const fresh = { link, lastNews, halls: this.halls.all.map((it) => this.freshnessOf(it)) };
    const later = this.isPublic ? { delayS: this.halls.info?.delayS ?? null } : {};
    const told = { nameless: [...this.halls.nameless], settled: this.settled };
    this.header.drawNotice(noticeOf({ ...fresh, ...told, ...later }, words));
  }

  private freshnessOf(hall: Hall): HallFreshness {
    const { name, heardAt: since, record, time } = hall;
    const told = this.options.tellsRecord === true;
    const barred = this.barred.has(hall.base);
    const fresh = { name, since, online: this.isOnline(hall), barred };
    return { ...fresh, ...(told && { record: record.at(time.at(performance.now())) }) };
  }

  private setSilent(silent: boolean): void {
    this.silent = silent;
    this.refresh();
  }

  private setLinkState(state: LinkState): void {
    this.silent = false;
    this.linkState = state;
    if (state !== 'online') this.settled = false;
    this.refresh();
    if (state === 'refused') this.options.onRefused?.();
  }

  private receive(topic: string, payload: string): void {
    this.lastNews = Date.now();
    const change = this.halls.apply(topic, payload);
    if (change === null) return;
    // Where everything else is late, the clocks are counted by that.
    const isOfNow = this.isPublic && change.subject.about === 'bridge_state';
    if (change.sentAt !== null && !isOfNow)
      change.hall.time.observe(performance.now(), change.sentAt);
    this.announce(change);
  }

  private settle(): void {
    this.settled = true;
    this.halls.forgetUnconfirmed().forEach((change) => this.announce(change));
    this.refresh();
    this.options.onSettled?.();
  }

  private announce(change: Change): void {
    const { about } = change.subject;
    const { hall } = change;
    if (about === 'bridge_state') this.noteBoot(hall);
    if (about === 'bridge_info' && change.sentAt !== null) {
      hall.record.note(hall.info?.recordFailed === true, change.sentAt);
    }
    if (about === 'bridge_state' || about === 'bridge_info') this.refresh();
    else this.options.onChange(change);
  }

  private noteBoot({ base, bridge }: Hall): void {
    const [boot, before] = [bridge?.boot ?? null, this.boots.get(base)];
    if (boot === null) return;
    if (before !== undefined && boot !== before) this.options.onReboot?.();
    this.boots.set(base, boot);
  }

  private flip(): void {
    this.orientation = this.orientation === 'white' ? 'black' : 'white';
    storeFlip(this.orientation === 'black');
    this.refresh();
  }

  private switchLetters(): void {
    this.figurines = !this.figurines;
    storeFigurines(this.figurines);
    this.refresh();
  }

  /** The one after this, of those that the event offers. */
  private otherLanguage(): Language {
    const { languages } = this.config;
    return languages[(languages.indexOf(this.language) + 1) % languages.length] ?? this.language;
  }

  /** Where its words cannot be fetched, the page stays as it is. */
  private async speak(language: Language): Promise<void> {
    const words = await wordsIn(language).catch(() => null);
    if (words === null) return;
    [this.language, this.words] = [language, words];
    storeLanguage(language);
    this.refresh();
  }

  private refresh(): void {
    this.drawHeader();
    this.options.onRefresh();
  }
}
