/** The arbiter's page: the queue of alerts, the one that is open, tables, decisions. */

import '../style/arbiter.css';
import { complaint, type Desk, type View } from '../arbiter/desk';
import { OneTable } from '../arbiter/one_table';
import { JournalOfDecisions } from '../arbiter/journal';
import { Opened } from '../arbiter/opened';
import { Penalties } from '../arbiter/penalties';
import { Queue } from '../arbiter/queue';
import { Tables } from '../arbiter/tables';
import { Results } from '../arbiter/results';
import { TimeSheets } from '../arbiter/time_sheets';
import { loadConfig } from '../data/config';
import type { Opened as Session } from '../data/session';
import { openAlerts, tableOf, type Alert } from '../pure/alerts';
import type { Change } from '../pure/hall';
import { News } from '../pure/news';
import { text } from '../pure/json';
import { tableNumber, type Side } from '../pure/payloads';
import { readPlace, type Place } from '../pure/place';
import { arbiterFilters, requestTopic } from '../pure/topics';
import { sentence } from '../view/alert_row';
import { Afterwards } from '../view/afterwards';
import { startWithoutServer, stayAwake } from '../view/awake';
import { Bell } from '../view/bell';
import { byId, h, icon, setAttribute, setText } from '../view/dom';
import { Frames } from '../view/frames';
import { toolButton } from '../view/header';
import { ICONS } from '../view/icons';
import { App } from './app';
import { Requests, type Outcome, type Sent } from './requests';
import { SignIn } from './sign_in';

const TICK_MS = 1000;
/** How often a list of the whole hall is drawn at most, in ms. */
const LIST_MS = 250;
/** How long it is said that something was done, in ms. */
const SAID_MS = 5000;

const main = byId('main');
/** A summons interrupts whoever listens to the page, the others wait. */
const announcers = {
  summon: h('div', { class: 'visually-hidden', 'aria-live': 'assertive' }),
  look: h('div', { class: 'visually-hidden', 'aria-live': 'polite' }),
};
const said = h('p', { class: 'said', role: 'status' });
/** Busy until it is known what there is: what is there at first is no news. */
const stage = h('div', { class: 'stage', hidden: true, 'aria-busy': 'true' });
main.append(announcers.summon, announcers.look, stage, said);

const frames = new Frames<'stage'>(draw);
const bell = new Bell();
const news = new News();
let place: Place = readPlace(location.hash);
let silence: ReturnType<typeof setTimeout> | undefined;
/** Until a list of the whole hall is drawn again. */
let waiting: ReturnType<typeof setTimeout> | undefined;

const app = new App(await loadConfig(), {
  filters: arbiterFilters,
  qos: 1,
  flippable: 'no',
  tellsRecord: true,
  onChange,
  onRefresh: redrawAll,
  onSettled: () => {
    stage.removeAttribute('aria-busy');
    announce();
    frames.mark('stage');
  },
  onRefused: () => void signIn.begin(),
});
const afterwards = new Afterwards();
main.append(afterwards.element);
const requests = new Requests({
  send: (verb, payload) => app.link?.publish(requestTopic(app.config.base, verb), payload) ?? false,
  now: () => app.daemonNow(),
  onAfterwards,
});
let spelling = spellingOf();
let session: Session | null = null;
const desk: Desk = {
  app,
  requests,
  get credentials() {
    return session?.credentials ?? null;
  },
  get signedIn() {
    return session?.arbiter ?? null;
  },
  signOut: () => void (session && signIn.end(session.credentials)),
  playerName,
  say,
};
const queue = new Queue(desk);
const opened = new Opened(desk);
const tables = new Tables(desk);
const oneTable = new OneTable(desk);
const penalties = new Penalties(desk);
const times = new TimeSheets(desk);
const results = new Results(desk);
const journal = new JournalOfDecisions(desk);
/** What stands where. What is not in sight is not drawn: a hall has hundreds of tables. */
const views: readonly (readonly [View, ...Place['at'][]])[] = [
  [queue, 'queue', 'alert'],
  [opened, 'queue', 'alert'],
  [tables, 'tables'],
  [oneTable, 'table'],
  [times, 'times'],
  [results, 'results'],
  [penalties, 'penalties'],
  [journal, 'journal'],
];
const tabs = [
  { place: 'queue', link: h('a', { href: '#/' }) },
  { place: 'tables', link: h('a', { href: '#/tables' }) },
  { place: 'penalties', link: h('a', { href: '#/penalties' }) },
  { place: 'journal', link: h('a', { href: '#/journal' }) },
] as const;
const nav = h('nav', { class: 'tabs' }, ...tabs.map(({ link }) => link));
stage.append(nav, ...views.map(([{ element }]) => element));
const bellButton = toolButton('', () => ringBell());
const wall = h('a', { class: 'tool', href: '/' }, icon(ICONS.grid));
app.header.lead.append(wall);
app.header.tools.prepend(bellButton);
const signIn = new SignIn(main, app, (given) => {
  stage.hidden = false;
  if (session?.arbiter !== given.arbiter) requests.forget();
  session = given;
  app.connect(given.credentials);
  go();
});
window.addEventListener('hashchange', go);
setInterval(tick, TICK_MS);
stayAwake();
startWithoutServer();
go();
redrawAll();
await signIn.start();

function go(): void {
  place = readPlace(location.hash);
  setAttribute(main, 'data-place', place.at);
  const alert = place.at === 'alert' ? place.id : null;
  queue.open(alert);
  opened.open(alert);
  if (place.at === 'journal' && session !== null) void journal.open();
  if (place.at === 'times') times.open();
  if (place.at === 'results' && session !== null) void results.open();
  views.forEach(([{ element }, ...places]) => (element.hidden = !places.includes(place.at)));
  oneTable.open(place.at === 'table' ? place.table : null);
  if (place.at !== 'queue') window.scrollTo(0, 0);
  frames.mark('stage');
}

function onChange({ subject, payload }: Change): void {
  if (subject.about === 'alert') {
    // At once, and not with the page: out of sight that is not drawn.
    drawTitle();
    announce();
  }
  if (subject.about === 'response' && payload !== null) {
    requests.answer(payload);
    opened.heard(payload);
    if (place.at === 'results') results.heard();
  }
  if (subject.about === 'table' && subject.kind === 'game') queue.forget(subject.table);
  if (subject.about !== 'table') return frames.mark('stage');
  const when = concerns(subject);
  if (when === 'now') frames.mark('stage');
  if (when === 'soon') drawSoon();
}

/** Whether what is in sight may look otherwise now: a large hall has hundreds of moves a second. */
function concerns(heard: { readonly table: number; readonly kind: string }): 'now' | 'soon' | 'no' {
  const { table, kind } = heard;
  switch (place.at) {
    case 'queue':
    case 'alert':
      return kind === 'game' ? 'now' : 'no';
    case 'table':
      return table === place.table ? 'now' : 'no';
    case 'tables':
      return kind === 'clock' || kind === 'board' ? 'no' : 'soon';
    default:
      return 'soon';
  }
}

/** What lists the whole hall: as often as anybody can read it. */
function drawSoon(): void {
  waiting ??= setTimeout(() => {
    waiting = undefined;
    frames.mark('stage');
  }, LIST_MS);
}

function spellingOf(): string {
  return `${app.language} ${app.letters}`;
}

/** What is being written in an opened alert outlives a broken connection, not another language. */
function redrawAll(): void {
  queue.forget();
  if (spellingOf() !== spelling) opened.rebuild();
  spelling = spellingOf();
  signIn.draw();
  frames.mark('stage');
}

function draw(): void {
  const { words } = app;
  shown().forEach((view) => view.draw());
  drawTitle();
  label(wall, words.wall);
  drawTabs(calling().length);
  drawBell();
  tick();
}

function drawTabs(open: number): void {
  const { words } = app;
  const within = { alert: 'queue', table: 'tables', times: 'tables', results: 'tables' };
  const own = (within as Record<string, string>)[place.at] ?? place.at;
  setAttribute(nav, 'aria-label', words.sections);
  const { alerts, tables, journal } = words;
  const names = { queue: alerts, tables, penalties: words.penaltiesTitle, journal };
  for (const { place: where, link } of tabs) {
    const count = where === 'queue' && open > 0 ? ` ${open}` : '';
    setText(link, `${names[where]}${count}`);
    setAttribute(link, 'aria-current', where === own ? 'page' : null);
  }
}

function drawBell(): void {
  bellButton.replaceChildren(icon(bell.on ? ICONS.bell : ICONS.bellOff));
  setAttribute(bellButton, 'aria-label', app.words.bell);
  setAttribute(bellButton, 'title', bell.on ? app.words.soundOff : app.words.soundOn);
  setAttribute(bellButton, 'aria-pressed', String(bell.on));
}

function ringBell(): void {
  bell.toggle();
  drawBell();
}

/** The open alerts that call somebody. */
function calling(): Alert[] {
  return calls(openAlerts(app.hall.alerts.values()));
}

function calls(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ gravity }) => gravity !== 'note');
}

function drawTitle(): void {
  const { words } = app;
  const open = calling().length;
  document.title = open === 0 ? words.arbiter : `(${open}) ${words.arbiter}`;
}

function announce(): void {
  if (!app.settled) return;
  const fresh = calls(news.of(openAlerts(app.hall.alerts.values())));
  const summons = fresh.filter(({ gravity }) => gravity === 'summon');
  tell(announcers.summon, summons);
  tell(announcers.look, fresh.filter((alert) => !summons.includes(alert)));
  if (summons.length > 0) bell.ring();
}

function tell(where: HTMLElement, alerts: readonly Alert[]): void {
  if (alerts.length === 0) return;
  const { words } = app;
  const lines = alerts.map((alert) => {
    const told = sentence(alert, app);
    return h('p', {}, alert.table === null ? told : words.about(words.table(alert.table), told));
  });
  where.replaceChildren(...lines);
}

function shown(): readonly View[] {
  return views.filter(([, ...places]) => places.includes(place.at)).map(([view]) => view);
}

function playerName(table: number, side: Side): string {
  return app.hall.tables.get(table)?.game?.[side]?.name ?? app.words[side];
}

function say(text: string): void {
  setText(said, text);
  clearTimeout(silence);
  silence = setTimeout(() => setText(said, ''), SAID_MS);
}

/** The tool that sent it may be closed by now: what it was about is said with it. */
function onAfterwards({ verb, body }: Sent, outcome: Outcome): void {
  const { words } = app;
  const order = words.orders[verb] ?? words.verbs[verb] ?? words.order;
  const table = tableNumber(body['table']) ?? tableOf(text(body['alert']) ?? '');
  const about = table === null ? order : `${words.table(table)}, ${order}`;
  const told = outcome.kind === 'done' ? words.doneAfterAll : complaint(outcome, desk);
  afterwards.tell(words.about(about, told ?? ''), words);
}

function tick(): void {
  const now = app.daemonNow();
  shown().forEach((view) => view.tick(now));
}

function label(element: HTMLElement, words: string): void {
  setAttribute(element, 'aria-label', words);
  setAttribute(element, 'title', words);
}
