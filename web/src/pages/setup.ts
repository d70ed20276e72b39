/** The organizer's page: the first account, and one place for each thing there is to set up. */

import '../style/setup.css';
import { loadConfig, type Config } from '../data/config';
import { keepSession, keptSession } from '../data/kept';
import type { Opened as Session } from '../data/session';
import { allLanguages } from '../i18n/language';
import { readEvent } from '../pure/event';
import { each, fields, text, type Fields } from '../pure/json';
import { readPeople, readSettings } from '../pure/settings';
import type { Change } from '../pure/halls';
import type { Outlet } from '../pure/outlets';
import type { Words } from '../i18n/words';
import { readLift, readSetup, type FileChange, type Setup } from '../pure/setup';
import { setupFilters, stateFilters, walkFilter } from '../pure/topics';
import { Boards } from '../setup/boards';
import { ConditionView } from '../setup/condition_view';
import { EventForm } from '../setup/event_form';
import { FirstAccount } from '../setup/first_account';
import { KeysForm } from '../setup/keys_form';
import { PairingsForm } from '../setup/pairings_form';
import { PeopleForm } from '../setup/people_form';
import { RoundCheck } from '../setup/round_check';
import { Screens } from '../setup/screens';
import { SeatHall } from '../setup/seat_hall';
import { SettingsForm, type SettingField } from '../setup/settings_form';
import { TakeHome } from '../setup/take_home';
import { WaysOut } from '../setup/ways_out';
import { stayAwake } from '../view/awake';
import { byId, h, icon, setAttribute, setText } from '../view/dom';
import { elsewhere } from '../view/elsewhere';
import { Frames } from '../view/frames';
import { ICONS } from '../view/icons';
import { App } from './app';
import { Requests } from './requests';
import { SignIn } from './sign_in';

/** What there is to set up, in the order in which it is done. */
const PLACES = [
  'event',
  'pairings',
  'seat',
  'check',
  'screens',
  'people',
  'ways',
  'health',
  'after',
  'keys',
] as const;
type Place = (typeof PLACES)[number];
type SetUpWords = Words['setUp'];

const SCREENS: readonly SettingField[] = [
  { key: 'web.screens.featured', kind: 'text', name: (words) => words.featured },
  { key: 'web.screens.page_s', kind: 'number', name: (words) => words.pageStays },
  { key: 'web.screens.clocks', kind: 'tick', name: (words) => words.showClocks },
  { key: 'web.screens.moves', kind: 'tick', name: (words) => words.showMoves },
  { key: 'web.screens.figurines', kind: 'tick', name: (words) => words.showFigurines },
  { key: 'web.screens.presses', kind: 'tick', name: (words) => words.showPresses },
];
const PARTS: readonly SettingField[] = [
  { key: 'web.sections', kind: 'parts', name: (words) => words.partTables },
];

const NOTHING: Setup = { file: null, revision: null, boards: [], tables: [] };

class SetupPage {
  private readonly app: App;
  private readonly requests: Requests;
  private readonly main = byId('main');
  private readonly stage = h('div', { class: 'stage', hidden: true });
  private readonly closed = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly round = h('a', { class: 'button', href: '/arbiter' });
  private readonly wall = h('a', { class: 'tool', href: '/' }, icon(ICONS.grid));
  private readonly signIn: SignIn;
  private readonly account: FirstAccount;
  private readonly event: EventForm;
  private readonly pairings: PairingsForm;
  private readonly seatHall: SeatHall;
  private readonly boards: Boards;
  private readonly check: RoundCheck;
  private readonly health: ConditionView;
  private readonly screens: Screens;
  private readonly shows: SettingsForm;
  private readonly parts: SettingsForm;
  private readonly people: PeopleForm;
  private readonly ways: WaysOut;
  private readonly keys: KeysForm;
  /** What is in the file and holds only after the next start. */
  private readonly waits = h('p', { class: 'round-about', role: 'status' });
  private waiting: readonly string[] = [];
  private readonly takeHome: TakeHome;
  /** Draws at most once in a frame: before a round every table says a lot at once. */
  private readonly frames = new Frames<'check'>(() => this.check.draw());
  private readonly tabs = PLACES.map((place) => ({ place, link: h('a', { href: `#/${place}` }) }));
  private readonly nav = h('nav', { class: 'tabs' }, ...this.tabs.map(({ link }) => link));
  /** What stands at each place. */
  private readonly views: Readonly<Record<Place, readonly HTMLElement[]>>;
  private place: Place = placeOf(location.hash);
  private setup: Setup = NOTHING;
  private session: Session | null = null;
  /** Why nobody can set the hall up from here. */
  private elsewhere: 'other_broker' | 'no_file' | null = null;

  constructor(private readonly config: Config) {
    this.app = new App(config, {
      filters: config.halls.length > 0 ? stateFilters : setupFilters,
      qos: 1,
      flippable: 'no',
      tellsRecord: true,
      onChange: (change) => this.onChange(change),
      onRefresh: () => this.draw(),
      onRefused: () => void this.signIn.begin(),
    });
    this.requests = new Requests({
      send: (sent, onRefused) => this.app.send(sent, onRefused),
      now: (body) => this.app.nowWhere(body),
      onAfterwards: () => this.draw(),
    });
    const words = () => this.app.words;
    const shared = {
      words,
      setup: () => this.setup,
      change: (changes: readonly FileChange[], disturb: boolean, revision?: string | null) =>
        this.change(changes, disturb, revision),
      kept: () => (this.waiting.length === 0 ? this.app.words.setUp.kept : this.restart()),
    };
    const reader = { language: () => this.app.language, languages: allLanguages() };
    const credentials = () => this.session?.credentials ?? null;
    this.pairings = new PairingsForm({ ...shared, ...reader, credentials });
    this.event = new EventForm({ ...shared, ...reader, credentials });
    this.seatHall = new SeatHall(shared);
    this.boards = new Boards({ ...shared, language: () => this.app.language });
    this.check = new RoundCheck({
      words,
      setup: () => this.setup,
      halls: this.app.halls,
      sections: config.sections,
      start: () => this.ask('start_round', {}),
    });
    this.ways = new WaysOut({ ...shared, ...reader, credentials });
    this.keys = new KeysForm({ ...shared, ...reader, credentials });
    this.people = new PeopleForm({ words, language: reader.language, credentials });
    this.shows = new SettingsForm({ ...shared, title: (it) => it.screensShow, fields: SCREENS });
    const hint = { title: (it: SetUpWords) => it.parts, hint: (it: SetUpWords) => it.partsHint };
    this.parts = new SettingsForm({ ...shared, ...hint, fields: PARTS });
    const onOutlets = (outlets: readonly Outlet[]) => this.ways.show(outlets);
    this.health = new ConditionView({ ...shared, ...reader, credentials, onOutlets });
    this.screens = new Screens({ words, credentials, tables: () => this.app.halls.tableIds() });
    this.takeHome = new TakeHome({ words, credentials, language: reader.language });
    const language = () => ({ words: this.app.words, code: this.app.language });
    this.account = new FirstAccount(language, (session) => {
      keepSession(session.credentials);
      this.enter(session);
    });
    this.views = {
      event: [this.event.element],
      pairings: [this.pairings.element],
      seat: [this.seatHall.element, this.boards.element],
      check: [this.check.element],
      health: [this.health.element],
      screens: [this.screens.element, this.shows.element, this.parts.element],
      people: [this.people.element],
      ways: [this.ways.element],
      after: [this.takeHome.element],
      keys: [this.keys.element],
    };
    this.stage.append(this.nav, this.waits, ...Object.values(this.views).flat(), this.round);
    this.main.append(this.account.element, this.closed, this.stage);
    this.app.header.lead.append(this.wall);
    this.signIn = new SignIn(this.main, this.app, (given) => this.enter(given));
  }

  async start(): Promise<void> {
    if (this.config.halls.length > 0) return this.app.connect(null);
    stayAwake();
    window.addEventListener('hashchange', () => this.go());
    this.go();
    const { setUp } = this.config;
    if (setUp === 'other_broker' || setUp === 'no_file') return this.closedFor(setUp);
    if (setUp === 'first_organizer' && keptSession() === null) return this.account.show();
    await this.signIn.start();
  }

  private enter(given: Session): void {
    this.session = given;
    this.closed.hidden = given.organizer;
    this.stage.hidden = !given.organizer;
    if (given.organizer) {
      this.app.connect(given.credentials);
      this.watch();
      this.health.open(this.asksHealth());
    } else if (this.config.setUp === 'first_organizer') this.account.show();
    this.draw();
  }

  /** No name would help: the page says where it is done instead. */
  private closedFor(why: 'other_broker' | 'no_file'): void {
    this.closed.hidden = false;
    this.elsewhere = why;
    this.draw();
  }

  private go(): void {
    this.place = placeOf(location.hash);
    document.body.classList.toggle('is-screen', location.hash === SCREEN);
    for (const place of PLACES) {
      for (const element of this.views[place]) element.hidden = place !== this.place;
    }
    this.watch();
    this.health.open(this.asksHealth() && this.session !== null);
    this.draw();
  }

  private asksHealth(): boolean {
    return this.place === 'health' || this.place === 'ways';
  }

  /** Of the tables it is only heard where somebody looks at them: they say a lot. */
  private watch(): void {
    this.app.link?.watch(this.place === 'check' ? walkFilter(this.config.base) : null);
  }

  private onChange({ subject, payload }: Change): void {
    if (subject.about === 'setup_boards') {
      const before = this.setup;
      this.setup = payload === null ? NOTHING : readSetup(payload);
      // At first nothing was known of the hall.
      if (before.revision !== null) this.seatHall.heard(before);
      this.draw();
    }
    if (subject.about === 'setup_event') {
      const event = payload === null ? null : readEvent(payload);
      this.event.heard(event);
      this.pairings.heard(event);
      const settings = payload === null ? null : readSettings(payload);
      for (const form of [this.shows, this.parts, this.ways]) form.heard(settings);
      this.people.heard(payload === null ? null : readPeople(payload));
    }
    if (subject.about === 'setup_lift' && payload !== null) {
      const lift = readLift(payload);
      if (lift !== null) this.seatHall.lifted(lift);
    }
    if (subject.about === 'table' && this.place === 'check') this.frames.mark('check');
    if (subject.about === 'response' && payload !== null) this.requests.answer(payload);
  }

  /** Null: the file is changed, and the hall is seated so. */
  private async change(
    changes: readonly FileChange[],
    disturb: boolean,
    newer?: string | null,
  ): Promise<string | null> {
    const revision = newer ?? this.setup.revision;
    return this.ask('configure', { changes, revision, disturb });
  }

  /** Null: it is done; else why not, for the reader. */
  private async ask(verb: string, body: Fields): Promise<string | null> {
    const outcome = await this.requests.ask(verb, body);
    const { words, language } = this.app;
    if (outcome.kind === 'done') {
      this.waiting = each(fields(outcome.data)?.['restart'], text);
      this.draw();
      return null;
    }
    if (outcome.kind === 'refused') return outcome.why?.[language] ?? outcome.why?.en ?? '';
    return words.sessionFailed;
  }

  private draw(): void {
    const { words } = this.app;
    document.title = words.setup;
    setAttribute(this.wall, 'aria-label', words.wall);
    if (this.config.halls.length > 0) return this.drawElsewhere();
    setText(this.round, words.setupGoOn);
    const noOrganizer = words.setupClosed(this.session?.arbiter ?? words.anArbiter);
    setText(this.closed, this.elsewhere === null ? noOrganizer : words.setupOf[this.elsewhere]);
    this.account.draw();
    this.signIn.draw();
    if (this.stage.hidden) return;
    this.drawTabs();
    if (this.place === 'event') this.event.draw();
    if (this.place === 'pairings') this.pairings.draw();
    if (this.place === 'check') this.check.draw();
    if (this.place === 'health') this.health.draw();
    setText(this.waits, this.waiting.length === 0 ? '' : this.restart());
    if (this.place === 'screens') {
      this.screens.draw();
      this.shows.draw();
      this.parts.draw();
    }
    if (this.place === 'people') this.people.draw();
    if (this.place === 'ways') this.ways.draw();
    if (this.place === 'after') this.takeHome.draw();
    if (this.place === 'keys') this.keys.draw();
    if (this.place !== 'seat') return;
    this.seatHall.draw();
    this.boards.draw();
  }

  /** An order to change a file goes to the daemon that has it. */
  private drawElsewhere(): void {
    const { words, elsewhere: halls } = this.app;
    const title = h('h2', {}, words.setup);
    const about = h('p', {}, words.setupElsewhere);
    const stage = h('div', { class: 'stage' }, title, about, elsewhere(halls, '/setup', words));
    this.main.replaceChildren(stage);
  }

  private restart(): string {
    return this.app.words.setUp.startAgain(this.waiting.join(', '));
  }

  private drawTabs(): void {
    const { words } = this.app;
    const { event, pairings, check, health, screens, takeHome: after, people } = words.setUp;
    const { seatHall: seat } = words;
    const { waysOut: ways, everySetting: keys } = words.setUp;
    const names = { event, pairings, seat, check, screens, people, ways, health, after, keys };
    setAttribute(this.nav, 'aria-label', words.setup);
    for (const { place, link } of this.tabs) {
      setText(link, names[place]);
      setAttribute(link, 'aria-current', place === this.place ? 'page' : null);
    }
  }
}

/** The walk before the round, on a screen of the hall. */
const SCREEN = '#/check-screen';

/** Whatever is not understood leads to the first. */
function placeOf(hash: string): Place {
  if (hash === SCREEN) return 'check';
  const name = hash.replace(/^#\/?/, '');
  return PLACES.find((place) => place === name) ?? 'event';
}

await new SetupPage(await loadConfig(navigator.languages)).start();
