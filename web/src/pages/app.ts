/** What the three pages share: configuration, connection, state of the hall, header. */

import type { Config } from '../data/config';
import { brokerUrl, Link, type LinkState } from '../data/connection';
import type { Credentials } from '../data/session';
import type { Language } from '../i18n/language';
import { wordsIn } from '../i18n/load';
import type { Words } from '../i18n/words';
import { DaemonTime } from '../pure/daemon_time';
import { feedOf } from '../pure/feed';
import { Hall, type Change, type TableState } from '../pure/hall';
import type { Side } from '../pure/payloads';
import { RecordWatch } from '../pure/record';
import type { Letters } from '../pure/san';
import type { Screens } from '../pure/screens';
import type { Context } from '../view/context';
import { eventLine, Header } from '../view/header';
import { noticeOf } from '../view/notice';
import {
  storedFigurines,
  storedFlip,
  storeFigurines,
  storeFlip,
  storeLanguage,
} from '../view/preferences';

export interface AppOptions {
  readonly filters: (base: string) => string[];
  readonly qos: 0 | 1;
  readonly flippable: 'one' | 'all' | 'no';
  /** Whether the reader is to know that the record is not kept. */
  readonly tellsRecord?: boolean;
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

export class App implements Context {
  readonly hall: Hall;
  readonly header: Header;
  language: Language;
  words: Words;
  orientation: Side = storedFlip() ? 'black' : 'white';
  link: Link | null = null;
  settled = false;
  readonly screens: Screens;
  private figurines: boolean;
  private linkState: LinkState = 'idle';
  private lastNews: number | null = null;
  private boot: string | null = null;
  private readonly time = new DaemonTime();
  private readonly isPublic = feedOf(location.pathname) === 'public';
  private readonly record = new RecordWatch();

  constructor(
    readonly config: Config,
    private readonly options: AppOptions,
  ) {
    this.hall = new Hall(config.base);
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
      filters: this.options.filters(this.config.base),
      qos: this.options.qos,
      credentials,
      onState: (state) => this.setLinkState(state),
      onFresh: () => this.hall.beginConfirmation(),
      onMessage: (topic, payload) => this.receive(topic, payload),
      onSettled: () => this.settle(),
    });
  }

  nowFor(state: TableState): number | null {
    const boardHeard = state.device === undefined || state.device.state === 'online';
    return this.live() && boardHeard ? this.daemonNow() : null;
  }

  disconnect(): void {
    this.link?.close();
    this.setLinkState('idle');
  }

  /** The daemon's time of day in ms since 1970, or null before its first message. */
  daemonNow(): number | null {
    return this.time.at(performance.now());
  }

  /** Whether what is shown is what stands on the boards now. */
  live(): boolean {
    return this.linkState === 'online' && this.daemonOnline();
  }

  drawHeader(): void {
    const { header, words, hall } = this;
    document.documentElement.lang = this.language;
    const begun = this.linkState !== 'idle' && this.linkState !== 'connecting';
    const stale = begun && !this.live();
    document.documentElement.toggleAttribute('data-stale', stale);
    header.drawTitle(hall.info?.event || this.config.event, eventLine(hall.info, words));
    header.drawTools(this, this.flipWords(), this.otherLanguage());
    this.drawNotice();
  }

  private flipWords(): string {
    return this.options.flippable === 'one' ? this.words.flipOne : this.words.flip;
  }

  private drawNotice(): void {
    const { linkState: link, lastNews, words } = this;
    const fresh = { link, lastNews, daemonOnline: this.daemonOnline() };
    const told = this.options.tellsRecord === true;
    const record = told ? { record: this.record.at(this.daemonNow()) } : {};
    const later = this.isPublic ? { delayS: this.hall.info?.delayS ?? null } : {};
    this.header.drawNotice(noticeOf({ ...fresh, ...record, ...later }, words));
  }

  /** Before the retained messages have come, silence about the daemon means nothing. */
  private daemonOnline(): boolean {
    return this.hall.bridge?.online ?? !this.settled;
  }

  private setLinkState(state: LinkState): void {
    this.linkState = state;
    if (state !== 'online') this.settled = false;
    this.refresh();
    if (state === 'refused') this.options.onRefused?.();
  }

  private receive(topic: string, payload: string): void {
    this.lastNews = Date.now();
    const change = this.hall.apply(topic, payload);
    if (change === null) return;
    // Where everything else is late, the clocks are counted by that.
    const isOfNow = this.isPublic && change.subject.about === 'bridge_state';
    if (change.sentAt !== null && !isOfNow) this.time.observe(performance.now(), change.sentAt);
    this.announce(change);
  }

  private settle(): void {
    this.settled = true;
    this.hall.forgetUnconfirmed().forEach((change) => this.announce(change));
    this.refresh();
    this.options.onSettled?.();
  }

  private announce(change: Change): void {
    const { about } = change.subject;
    if (about === 'bridge_state') this.noteBoot();
    if (about === 'bridge_info' && change.sentAt !== null) {
      this.record.note(this.hall.info?.recordFailed === true, change.sentAt);
    }
    if (about === 'bridge_state' || about === 'bridge_info') this.refresh();
    else this.options.onChange(change);
  }

  private noteBoot(): void {
    const boot = this.hall.bridge?.boot ?? null;
    if (boot !== null && this.boot !== null && boot !== this.boot) this.options.onReboot?.();
    this.boot = boot ?? this.boot;
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
