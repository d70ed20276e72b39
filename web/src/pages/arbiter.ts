/** The arbiter's page: open alerts, the gravest first, each with its evidence. */

import '../style/arbiter.css';
import { loadConfig } from '../data/config';
import { openAlerts, settledAlerts, type Alert } from '../pure/alerts';
import type { Change } from '../pure/hall';
import { arbiterFilters, requestTopic } from '../pure/topics';
import { AlertCard, type CardContext } from '../view/alert_card';
import { byId, h, icon, setText } from '../view/dom';
import { Frames } from '../view/frames';
import { ICONS } from '../view/icons';
import { Acknowledgements, type Failure } from './acknowledgements';
import { App } from './app';
import { SignIn } from './sign_in';

const AGE_TICK_MS = 1000;

const main = byId('main');
const announcer = h('p', { class: 'visually-hidden', 'aria-live': 'assertive' });
const openTitle = h('h2', { tabindex: '-1' });
const openList = h('ul', { class: 'alerts' });
const none = h('div', { class: 'none' });
const settledTitle = h('h2', {});
const settledList = h('ul', { class: 'alerts is-settled' });
const desk = h('div', { class: 'desk', hidden: true });
desk.append(openTitle, none, openList, settledTitle, settledList);
main.append(announcer, desk);

const cards = new Map<string, AlertCard>();
const unfolded = new Map<string, boolean>();
const announced = new Set<string>();
const frames = new Frames<'desk'>(draw);

const app = new App(await loadConfig(), {
  filters: arbiterFilters,
  qos: 1,
  flippable: 'no',
  onChange,
  onRefresh: redrawAll,
  onSettled: () => frames.mark('desk'),
  onRefused: () => void signIn.begin(),
});
const acknowledgements = new Acknowledgements(
  (payload) => app.link?.publish(requestTopic(app.config.base, 'acknowledge'), payload) ?? false,
  () => redrawAll(),
);
const signIn = new SignIn(main, app, (credentials) => {
  desk.hidden = false;
  app.connect(credentials);
});
const wall = h('a', { class: 'tool', href: '/' }, icon(ICONS.grid));
app.header.lead.append(wall);
setInterval(tick, AGE_TICK_MS);
redrawAll();
await signIn.begin();

function onChange({ subject, payload }: Change): void {
  if (subject.about === 'response' && payload !== null) acknowledgements.answer(payload);
  if (subject.about === 'alert') cards.delete(subject.id);
  if (subject.about === 'table' && subject.kind === 'game') forgetCardsOf(subject.table);
  if (subject.about !== 'table' || subject.kind === 'game') frames.mark('desk');
}

function forgetCardsOf(table: number): void {
  for (const [id, { alert }] of cards) if (alert.table === table) cards.delete(id);
}

function redrawAll(): void {
  cards.clear();
  signIn?.draw();
  frames.mark('desk');
}

function draw(): void {
  const { words, hall } = app;
  const open = openAlerts(hall.alerts.values());
  const settled = settledAlerts(hall.alerts.values());
  const focusedHere = openList.contains(document.activeElement);
  place(openList, open);
  place(settledList, settled);
  if (focusedHere && !openList.contains(document.activeElement)) openTitle.focus();
  setText(openTitle, open.length === 0 ? words.arbiter : words.openAlerts(open.length));
  setText(settledTitle, settled.length === 0 ? '' : words.settled);
  drawNone(open.length === 0 && app.settled);
  wall.setAttribute('aria-label', words.allTables);
  wall.setAttribute('title', words.allTables);
  document.title = open.length === 0 ? words.arbiter : `(${open.length}) ${words.arbiter}`;
  announce(open);
  tick();
}

function place(list: HTMLElement, alerts: readonly Alert[]): void {
  const wanted = alerts.map((alert) => cardFor(alert).element);
  const present = [...list.children];
  const same = wanted.length === present.length && wanted.every((card, i) => card === present[i]);
  if (!same) list.replaceChildren(...wanted);
}

function cardFor(alert: Alert): AlertCard {
  const known = cards.get(alert.id);
  if (known?.alert === alert) return known;
  const card = new AlertCard(alert, cardContext(alert));
  cards.set(alert.id, card);
  return card;
}

function cardContext(alert: Alert): CardContext {
  const failure = acknowledgements.failure(alert.id);
  const grave = alert.gravity === 'summon' && alert.state === 'open';
  return {
    words: app.words,
    language: app.language,
    game: alert.table === null ? undefined : app.hall.tables.get(alert.table)?.game,
    open: unfolded.get(alert.id) ?? grave,
    sending: acknowledgements.sending(alert.id),
    error: failure === null || alert.state !== 'open' ? null : failureText(failure),
    onToggle: (isOpen) => unfolded.set(alert.id, isOpen),
    onAcknowledge: () => acknowledgements.request(alert.id),
  };
}

function failureText({ kind, text }: Failure): string {
  if (kind === 'not_connected') return app.words.notConnected;
  return kind === 'no_answer' || text === '' ? app.words.noAnswer : text;
}

function drawNone(visible: boolean): void {
  const { noAlerts, noAlertsMore } = app.words;
  none.replaceChildren(...(visible ? [h('p', {}, noAlerts), h('p', {}, noAlertsMore)] : []));
}

/** Only what comes after the first picture is news. */
function announce(open: readonly Alert[]): void {
  const fresh = open.filter((alert) => !announced.has(alert.id));
  fresh.forEach((alert) => announced.add(alert.id));
  const first = fresh[0];
  if (!app.settled || first === undefined) return;
  const where = first.table === null ? '' : `${app.words.table(first.table)}: `;
  setText(announcer, `${where}${first.text?.[app.language] ?? first.kind}`);
}

function tick(): void {
  const now = app.daemonNow();
  cards.forEach((card) => card.tick(now));
}
