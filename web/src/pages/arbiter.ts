/** The arbiter's page: the queue of alerts, the one that is open, tables, decisions. */

import '../style/arbiter.css';
import { complaint, type Desk, type View } from '../arbiter/desk';
import { Newcomers } from '../arbiter/newcomers';
import { OneTable } from '../arbiter/one_table';
import { DossierPage } from '../arbiter/dossier';
import { JournalOfDecisions } from '../arbiter/journal';
import { Opened } from '../arbiter/opened';
import { PapersElsewhere } from '../arbiter/papers_elsewhere';
import { Penalties } from '../arbiter/penalties';
import { Queue } from '../arbiter/queue';
import { Sector } from '../arbiter/sector';
import { Tables } from '../arbiter/tables';
import { Results } from '../arbiter/results';
import { TimeSheets } from '../arbiter/time_sheets';
import { Trouble } from '../arbiter/trouble';
import { UndoLine } from '../arbiter/undo_line';
import { loadConfig, type Config } from '../data/config';
import type { Opened as Session } from '../data/session';
import { openAlerts, tableOf, type Alert } from '../pure/alerts';
import type { Change } from '../pure/halls';
import { News } from '../pure/news';
import { text } from '../pure/json';
import type { Side } from '../pure/payloads';
import { placeOfPath, readPlace, type Place } from '../pure/place';
import type { TableId } from '../pure/table_id';
import { arbiterFilters } from '../pure/topics';
import { sentence } from '../view/alert_row';
import { Afterwards } from '../view/afterwards';
import { startWithoutServer, stayAwake } from '../view/awake';
import { Bell } from '../view/bell';
import { BellLine } from '../view/bell_line';
import { byId, h, icon, setAttribute, setText } from '../view/dom';
import { Frames } from '../view/frames';
import { toolButton } from '../view/header';
import { ICONS } from '../view/icons';
import { App } from './app';
import { Requests, type Outcome, type Sent } from './requests';
import { SignIn } from './sign_in';

/** The place of a screen that has no other. */
const FIXED = placeOfPath(location.pathname);

const TICK_MS = 1000;
/** How often a list of the whole hall is drawn at most, in ms. */
const LIST_MS = 250;
/** How long it is said that something was done, in ms. */
const SAID_MS = 5000;

interface HeardOfTable {
  readonly table: TableId;
  readonly kind: string;
}

/** All that stands on the page, and what of it is in sight. */
class ArbiterPage implements Desk {
  readonly app: App;
  readonly requests: Requests;
  readonly sector: Sector;
  private readonly main = byId('main');
  /** A summons interrupts whoever listens to the page, the others wait. */
  private readonly announcers = {
    summon: h('div', { class: 'visually-hidden', 'aria-live': 'assertive' }),
    look: h('div', { class: 'visually-hidden', 'aria-live': 'polite' }),
  };
  private readonly said = h('p', { class: 'said', role: 'status' });
  /** Busy until it is known what there is: what is there at first is no news. */
  private readonly stage = h('div', { class: 'stage', hidden: true, 'aria-busy': 'true' });
  private readonly frames = new Frames<'stage'>(() => this.draw());
  private readonly bell = new Bell();
  private readonly bellLine = new BellLine(
    this.bell,
    () => this.ringBell(),
    () => this.leaveOff(),
  );
  private readonly newcomers: Newcomers;
  private readonly undoLine: UndoLine;
  private readonly news = new News();
  private readonly afterwards = new Afterwards();
  private readonly queue: Queue;
  private readonly opened: Opened;
  private readonly oneTable: OneTable;
  private readonly times: TimeSheets;
  private readonly results: Results | PapersElsewhere;
  private readonly journal: JournalOfDecisions | PapersElsewhere;
  private readonly dossier: DossierPage;
  /** What stands where. What is not in sight is not drawn: a hall has hundreds of tables. */
  private readonly views: readonly (readonly [View, ...Place['at'][]])[];
  private readonly tabs = [
    { place: 'queue', link: h('a', { href: '#/', accesskey: '1' }) },
    { place: 'tables', link: h('a', { href: '#/tables', accesskey: '2' }) },
    { place: 'penalties', link: h('a', { href: '#/penalties', accesskey: '3' }) },
    { place: 'journal', link: h('a', { href: '#/journal', accesskey: '4' }) },
  ] as const;
  private readonly nav = h('nav', { class: 'tabs' }, ...this.tabs.map(({ link }) => link));
  private readonly skip = h('a', { class: 'skip-link', href: '#main' });
  private readonly bellButton = toolButton('', () => this.ringBell());
  private readonly wall = h('a', { class: 'tool', href: '/' }, icon(ICONS.grid));
  private readonly signIn: SignIn;
  private place: Place = FIXED ?? readPlace(location.hash);
  private spelling: string;
  private session: Session | null = null;
  /** How many alerts called this tablet when that was looked at last. */
  private called = 0;
  private silence: ReturnType<typeof setTimeout> | undefined;
  /** What is said is what *Undo* will say, too. */
  private saidOfDecision = false;
  /** Until a list of the whole hall is drawn again. */
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(config: Config) {
    this.main.append(this.announcers.summon, this.announcers.look, this.stage);
    this.app = new App(config, {
      filters: arbiterFilters,
      qos: 1,
      flippable: 'no',
      tellsRecord: true,
      onChange: (change) => this.onChange(change),
      onRefresh: () => this.redrawAll(),
      onSettled: () => this.onSettled(),
      onRefused: () => void this.signIn.begin(),
      onReboot: () => FIXED !== null && location.reload(),
      pulse: true,
    });
    this.sector = new Sector(this.app, () => this.changeSector());
    this.newcomers = new Newcomers(this, this.bell, () => this.ringBell());
    this.undoLine = new UndoLine(this, () => this.onUndoOffered());
    const { said, afterwards, undoLine } = this;
    this.main.append(this.newcomers.element, said, afterwards.element, undoLine.element);
    this.requests = new Requests({
      send: (sent, onRefused) => this.app.send(sent, onRefused),
      now: (body) => this.app.nowWhere(body),
      onAfterwards: (sent, outcome) => this.onAfterwards(sent, outcome),
    });
    this.spelling = this.spellingOf();
    this.queue = new Queue(this);
    this.queue.element.prepend(this.bellLine.element);
    this.opened = new Opened(this);
    this.oneTable = new OneTable(this);
    this.times = new TimeSheets(this);
    const { hasPapers } = this.app;
    const elsewhere = (place: 'journal' | 'results') =>
      new PapersElsewhere(this, place, (words) => words[place]);
    this.results = hasPapers ? new Results(this) : elsewhere('results');
    this.journal = hasPapers ? new JournalOfDecisions(this) : elsewhere('journal');
    this.dossier = new DossierPage(this);
    this.views = [
      [this.queue, 'queue', 'alert'],
      [this.opened, 'queue', 'alert'],
      [new Tables(this), 'tables'],
      [this.oneTable, 'table'],
      [new Trouble(this), 'trouble'],
      [this.times, 'times'],
      [this.results, 'results'],
      [new Penalties(this), 'penalties'],
      [this.journal, 'journal'],
      [this.dossier, 'dossier'],
    ];
    this.stage.append(this.nav, ...this.views.map(([{ element }]) => element));
    document.body.classList.toggle('is-kiosk', FIXED !== null);
    this.app.header.lead.append(this.wall);
    this.app.header.tools.prepend(this.bellButton);
    this.wakeBell();
    this.skip.addEventListener('click', (event) => this.skipTo(event));
    document.body.prepend(this.skip);
    this.signIn = new SignIn(this.main, this.app, (given) => this.enter(given));
  }

  /** Asks for a name and a password where the hall wants them. */
  async start(): Promise<void> {
    window.addEventListener('hashchange', () => this.go());
    setInterval(() => this.tick(), TICK_MS);
    stayAwake();
    startWithoutServer();
    this.go();
    this.redrawAll();
    await this.signIn.start();
  }

  get credentials(): Session['credentials'] | null {
    return this.session?.credentials ?? null;
  }

  get signedIn(): Session['arbiter'] | null {
    return this.session?.arbiter ?? null;
  }

  signOut(): void {
    if (this.session !== null) void this.signIn.end(this.session.credentials);
  }

  playerName(table: TableId, side: Side): string {
    return this.app.halls.tables.get(table)?.game?.[side]?.name ?? this.app.words[side];
  }

  say(text: string): void {
    this.saidOfDecision = false;
    setText(this.said, text);
    clearTimeout(this.silence);
    this.silence = setTimeout(() => setText(this.said, ''), SAID_MS);
  }

  decided(table: TableId | null, text: string): void {
    const told = table === null ? text : this.app.words.about(this.app.words.table(table), text);
    if (this.undoLine.tells(table)) return this.say('');
    this.say(told);
    this.saidOfDecision = true;
  }

  /** The answer to an order and what can be taken back may come in either order. */
  private onUndoOffered(): void {
    if (this.saidOfDecision) this.say('');
  }

  private enter(given: Session): void {
    this.stage.hidden = false;
    if (this.session?.arbiter !== given.arbiter) this.forgetArbiter();
    this.session = given;
    this.app.connect(given.credentials);
    this.go();
  }

  /** What one arbiter has begun to decide or to write is not another's to send. */
  private forgetArbiter(): void {
    this.requests.forget();
    this.opened.forget();
    this.oneTable.forget();
    this.afterwards.forget();
    this.say('');
  }

  private onSettled(): void {
    this.stage.removeAttribute('aria-busy');
    this.announce();
    this.frames.mark('stage');
  }

  private go(): void {
    this.place = FIXED ?? readPlace(location.hash);
    setAttribute(this.main, 'data-place', this.place.at);
    const alert = this.place.at === 'alert' ? this.place.id : null;
    this.queue.open(alert);
    this.opened.open(alert);
    if (this.place.at === 'times') this.times.open();
    if (this.session !== null && this.app.hasPapers) this.readPapers();
    const { at } = this.place;
    this.views.forEach(([{ element }, ...places]) => (element.hidden = !places.includes(at)));
    this.oneTable.open(this.place.at === 'table' ? this.place.table : null);
    if (this.place.at !== 'queue') window.scrollTo(0, 0);
    this.frames.mark('stage');
  }

  /** Asked of the daemon anew each time they are looked at. */
  private readPapers(): void {
    const { place, journal, results } = this;
    if (place.at === 'journal' && journal instanceof JournalOfDecisions) void journal.open();
    if (place.at === 'dossier') void this.dossier.open(place.id);
    if (place.at === 'results' && results instanceof Results) void results.open();
  }

  private onChange({ hall, subject, payload }: Change): void {
    if (subject.about === 'alert') {
      // At once, and not with the page: out of sight that is not drawn.
      this.drawTitle();
      this.announce();
    }
    if (subject.about === 'response' && payload !== null) {
      this.requests.answer(payload);
      this.opened.heard(payload, hall);
      if (this.place.at === 'results' && this.results instanceof Results) this.results.heard();
    }
    if (subject.about === 'table' && subject.kind === 'game') {
      this.queue.forgetPlayers(subject.table);
    }
    if (subject.about === 'ledger') this.undoLine.draw();
    if (subject.about !== 'table') return this.frames.mark('stage');
    const when = this.concerns(subject);
    if (when === 'now') this.frames.mark('stage');
    if (when === 'soon') this.drawSoon();
  }

  /**
   * Whether what is in sight may look otherwise now: a large hall has hundreds of moves a second.
   */
  private concerns(heard: HeardOfTable): 'now' | 'soon' | 'no' {
    const { table, kind } = heard;
    switch (this.place.at) {
      case 'queue':
      case 'alert':
        return kind === 'game' ? 'now' : 'no';
      case 'table':
        return table === this.place.table ? 'now' : 'no';
      case 'tables':
        return kind === 'clock' || kind === 'board' ? 'no' : 'soon';
      default:
        return 'soon';
    }
  }

  /** What lists the whole hall: as often as anybody can read it. */
  private drawSoon(): void {
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      this.frames.mark('stage');
    }, LIST_MS);
  }

  private spellingOf(): string {
    return `${this.app.language} ${this.app.letters}`;
  }

  /** What is tapped is not made anew because a connection was slow: hands are on it. */
  private redrawAll(): void {
    if (this.spellingOf() !== this.spelling) {
      this.queue.forget();
      this.opened.rebuild();
    }
    this.spelling = this.spellingOf();
    this.signIn.draw();
    this.frames.mark('stage');
  }

  private draw(): void {
    const { words } = this.app;
    this.shown().forEach((view) => view.draw());
    this.drawTitle();
    label(this.wall, words.wall);
    setText(this.skip, words.skipLink);
    this.drawTabs(this.calling().length);
    this.drawBell();
    this.tick();
  }

  private drawTabs(open: number): void {
    const { words } = this.app;
    const within = {
      alert: 'queue',
      dossier: 'queue',
      table: 'tables',
      times: 'tables',
      results: 'tables',
      trouble: 'tables',
    };
    const own = (within as Record<string, string>)[this.place.at] ?? this.place.at;
    setAttribute(this.nav, 'aria-label', words.sections);
    const { alerts, tables, journal } = words;
    const names = { queue: alerts, tables, penalties: words.penaltiesTitle, journal };
    for (const { place: where, link } of this.tabs) {
      const count = where === 'queue' && open > 0 ? ` ${open}` : '';
      setText(link, `${names[where]}${count}`);
      setAttribute(link, 'aria-current', where === own ? 'page' : null);
    }
  }

  private drawBell(): void {
    const { words } = this.app;
    this.bellButton.replaceChildren(icon(this.bell.on ? ICONS.bell : ICONS.bellOff));
    setAttribute(this.bellButton, 'aria-label', words.bell);
    setAttribute(this.bellButton, 'title', this.bell.on ? words.soundOff : words.soundOn);
    setAttribute(this.bellButton, 'aria-pressed', String(this.bell.on));
    this.bellLine.draw(words);
    this.newcomers.draw(this.place);
  }

  /** The first touch of the page lets it sound again; one at the bell says itself what it wants. */
  private wakeBell(): void {
    const touched = (event: Event) => {
      const { target } = event;
      const own = target instanceof Node && this.bellButton.contains(target);
      if (own || this.bellLine.contains(target)) return;
      this.bell.wake();
      this.drawBell();
      for (const kind of ['pointerdown', 'keydown']) {
        document.removeEventListener(kind, touched, true);
      }
    };
    for (const kind of ['pointerdown', 'keydown']) document.addEventListener(kind, touched, true);
  }

  /** Past the bar and the tabs, to what is in sight. */
  private skipTo(event: Event): void {
    event.preventDefault();
    const first = this.shown()[0]?.element;
    first?.setAttribute('tabindex', '-1');
    first?.focus();
  }

  private ringBell(): void {
    const held = this.bellLine.holdsFocus();
    this.bell.toggle();
    this.drawBell();
    if (held) this.bellButton.focus();
  }

  private leaveOff(): void {
    this.bell.leaveOff();
    this.drawBell();
    this.bellButton.focus();
  }

  /** The open alerts that call somebody. */
  private calling(): Alert[] {
    return calls(this.own());
  }

  /** The open alerts of this tablet's tables, and what nobody has gone to elsewhere. */
  private own(): Alert[] {
    return openAlerts(this.app.halls.alerts.values()).filter((it) => this.sector.owns(it));
  }

  /** What was there before is no news. */
  private changeSector(): void {
    this.news.of(this.own());
    this.frames.mark('stage');
  }

  private drawTitle(): void {
    const { words } = this.app;
    const open = this.calling().length;
    document.title = open === 0 ? words.arbiter : `(${open}) ${words.arbiter}`;
  }

  private announce(): void {
    if (!this.app.settled) return;
    const fresh = calls(this.news.of(this.own()));
    const summons = fresh.filter(({ gravity }) => gravity === 'summon');
    this.tell(this.announcers.summon, summons);
    this.tell(
      this.announcers.look,
      fresh.filter((alert) => !summons.includes(alert)),
    );
    if (summons.length > 0) this.bell.ring();
  }

  private noteLeftAlone(): void {
    const calling = this.calling().length;
    if (calling === this.called) return;
    this.called = calling;
    this.frames.mark('stage');
  }

  private tell(where: HTMLElement, alerts: readonly Alert[]): void {
    if (alerts.length === 0) return;
    const { words } = this.app;
    const lines = alerts.map((alert) => {
      const told = sentence(alert, this.app);
      return h('p', {}, alert.table === null ? told : words.about(words.table(alert.table), told));
    });
    where.replaceChildren(...lines);
  }

  private shown(): readonly View[] {
    const { at } = this.place;
    return this.views.filter(([, ...places]) => places.includes(at)).map(([view]) => view);
  }

  /** The tool that sent it may be closed by now: what it was about is said with it. */
  private onAfterwards({ verb, body }: Sent, outcome: Outcome): void {
    const { words } = this.app;
    const order = words.orders[verb] ?? words.verbs[verb] ?? words.order;
    const table = text(body['table']) ?? tableOf(text(body['alert']) ?? '');
    const about = table === null ? order : `${words.table(table)}, ${order}`;
    const told = outcome.kind === 'done' ? words.doneAfterAll : complaint(outcome, this);
    this.afterwards.tell(words.about(about, told ?? ''), words);
  }

  private tick(): void {
    // A summons that nobody has gone to becomes everybody's while nothing is told.
    this.announce();
    this.noteLeftAlone();
    this.shown().forEach((view) => view.tick());
  }
}

function calls(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ gravity }) => gravity !== 'note');
}

function label(element: HTMLElement, words: string): void {
  setAttribute(element, 'aria-label', words);
  setAttribute(element, 'title', words);
}

await new ArbiterPage(await loadConfig(navigator.languages)).start();
