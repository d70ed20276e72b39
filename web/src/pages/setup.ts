/** The organizer's page: the first account, and the hall seated by its kings. */

import '../style/setup.css';
import { loadConfig, type Config } from '../data/config';
import { keepSession, keptSession } from '../data/kept';
import type { Opened as Session } from '../data/session';
import type { Change } from '../pure/hall';
import { readLift, readSetup, type FileChange, type Setup } from '../pure/setup';
import { requestTopic, setupFilters } from '../pure/topics';
import { Boards } from '../setup/boards';
import { FirstAccount } from '../setup/first_account';
import { SeatHall } from '../setup/seat_hall';
import { stayAwake } from '../view/awake';
import { byId, h, icon, setAttribute, setText } from '../view/dom';
import { ICONS } from '../view/icons';
import { App } from './app';
import { Requests } from './requests';
import { SignIn } from './sign_in';

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
  private readonly seatHall: SeatHall;
  private readonly boards: Boards;
  private setup: Setup = NOTHING;
  private session: Session | null = null;

  constructor(private readonly config: Config) {
    this.app = new App(config, {
      filters: setupFilters,
      qos: 1,
      flippable: 'no',
      tellsRecord: true,
      onChange: (change) => this.onChange(change),
      onRefresh: () => this.draw(),
      onRefused: () => void this.signIn.begin(),
    });
    this.requests = new Requests({
      send: (verb, payload) =>
        this.app.link?.publish(requestTopic(config.base, verb), payload) ?? false,
      now: () => this.app.daemonNow(),
      onAfterwards: () => this.draw(),
    });
    const words = () => this.app.words;
    const shared = {
      words,
      setup: () => this.setup,
      change: (changes: readonly FileChange[], disturb: boolean) => this.change(changes, disturb),
    };
    this.seatHall = new SeatHall(shared);
    this.boards = new Boards({ ...shared, language: () => this.app.language });
    const language = () => ({ words: this.app.words, code: this.app.language });
    this.account = new FirstAccount(language, (session) => {
      keepSession(session.credentials);
      this.enter(session);
    });
    this.stage.append(this.seatHall.element, this.boards.element, this.round);
    this.main.append(this.account.element, this.closed, this.stage);
    this.app.header.lead.append(this.wall);
    this.signIn = new SignIn(this.main, this.app, (given) => this.enter(given));
  }

  async start(): Promise<void> {
    stayAwake();
    this.draw();
    if (this.config.firstOrganizer && keptSession() === null) return this.account.show();
    await this.signIn.start();
  }

  private enter(given: Session): void {
    this.session = given;
    this.closed.hidden = given.organizer;
    this.stage.hidden = !given.organizer;
    if (given.organizer) this.app.connect(given.credentials);
    else if (this.config.firstOrganizer) this.account.show();
    this.draw();
  }

  private onChange({ subject, payload }: Change): void {
    if (subject.about === 'setup_boards') {
      const before = this.setup;
      this.setup = payload === null ? NOTHING : readSetup(payload);
      // At first nothing was known of the hall.
      if (before.revision !== null) this.seatHall.heard(before);
      this.draw();
    }
    if (subject.about === 'setup_lift' && payload !== null) {
      const lift = readLift(payload);
      if (lift !== null) this.seatHall.lifted(lift);
    }
    if (subject.about === 'response' && payload !== null) this.requests.answer(payload);
  }

  /** Null: the file is changed, and the hall is seated so. */
  private async change(changes: readonly FileChange[], disturb: boolean): Promise<string | null> {
    const { revision } = this.setup;
    const outcome = await this.requests.ask('configure', { changes, revision, disturb });
    const { words, language } = this.app;
    if (outcome.kind === 'done') return null;
    if (outcome.kind === 'refused') return outcome.why?.[language] ?? outcome.why?.en ?? '';
    return words.sessionFailed;
  }

  private draw(): void {
    const { words } = this.app;
    document.title = words.setup;
    setAttribute(this.wall, 'aria-label', words.wall);
    setText(this.round, words.setupGoOn);
    setText(this.closed, words.setupClosed(this.session?.arbiter ?? words.anArbiter));
    this.account.draw();
    this.signIn.draw();
    if (this.stage.hidden) return;
    this.seatHall.draw();
    this.boards.draw();
  }
}

await new SetupPage(await loadConfig(navigator.languages)).start();
