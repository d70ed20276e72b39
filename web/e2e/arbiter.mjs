// What the arbiter's page must do.

import assert from 'node:assert/strict';
import { alertOf } from './alerts.mjs';
import { shoot } from './browser.mjs';
import {
  INCIDENT,
  PATIENCE,
  appears,
  gravityOrder,
  openAlert,
  reads,
  said,
  smallTargets,
  until,
} from './checks.mjs';
import { plays, thinks } from './observer.mjs';

/** The alert of the development server whose gestures are replayed. */
const NEEDED = '3-1-7';

/** Within this time both tablets have been told when to press, in ms. */
const TOGETHER_MS = 1000;

/** Two tablets: what is done on one is seen on the other at once. */
export async function arbiterActs(page, { url, own, another }) {
  // Where play goes on doubts clear up by themselves; illegal moves do not.
  const lasting = own.foreign ? /./ : /7\.5\./;
  const open = page.locator('.alerts:not(.is-settled) .alert', { hasText: lasting });
  await page.locator('.queue h2').first().waitFor();
  if (!(await appears(open.first(), own.foreign ? PATIENCE : INCIDENT))) {
    assert.ok(own.foreign, 'no open alert');
    return 'SKIPPED: this server has no open alert';
  }
  await gravityOrder(page);
  await smallTargets(page);
  await shoot(page, 'arbiter-tablet');
  const id = await open.first().getAttribute('data-id');
  await page.locator(`.alert[data-id="${id}"] .alert-link`).focus();
  await page.keyboard.press('Enter');
  await opened(page);
  const other = await another(`${url}/arbiter#/alert/${id}`);
  await opened(other);
  await page.locator('.sheet-acts > .button').click();
  for (const tablet of [page, other]) {
    await tablet.locator('.alert-sheet[data-state=acknowledged] .sheet-state').waitFor();
  }
  const given = page.locator('.setting .button');
  if ((await given.count()) > 0) {
    // Refused while the clock runs: it is stopped soon, and then the time is given again.
    const give = async () => {
      if (await given.isVisible()) await given.click();
      const only = page.locator('.is-settling .button').nth(1);
      if (await only.isVisible()) await only.click();
    };
    await give();
    let asked = Date.now();
    // The sum: against the player of the first alert there may be minutes already.
    const noted = async () => {
      if (await said(page, /[1-9]\smin/)) return true;
      if (Date.now() > asked + 5_000) {
        asked = Date.now();
        await give();
      }
      return false;
    };
    await until(noted, 'no ledger');
  }
  await rules(other);
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  const state = page.locator('.sheet-state');
  const byWhom = async () => /^(Close|Closed).*\d\d:\d\d:\d\d/.test(await state.innerText());
  await until(byWhom, 'who ruled is not told');
  await page.locator('.opened .sheet-back').click();
  const left = page.locator(`.alert[data-id="${id}"]`);
  await until(async () => (await left.count()) === 0, 'it is still in the queue');
}

/** One sentence, Article, players; the board replays and can be stepped through. */
async function opened(page) {
  await page.locator('.alert-sheet h2').waitFor();
  await reads(page.locator('.alert-article'), /Article \d/);
  assert.equal(await page.locator('.alert-player').count(), 2);
  await page.evaluate(() => document.fonts.ready);
  await shoot(page, 'arbiter-opened');
  await smallTargets(page);
}

async function rules(page) {
  await page.locator('.choice').first().click();
  await page.fill('.decision textarea', 'Deux minutes');
  await shoot(page, 'arbiter-ruling');
  await page.locator('.confirm .button').first().click();
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  await until(() => said(page, /./), 'nothing is said');
}

/** On a phone too what plays the gestures stands in one line, in sight, and covers no square. */
export async function replayInOneLine(page) {
  await page.goto(`${page.url().split('#')[0]}#/alert/${NEEDED}`);
  await page.locator('.replay cg-board piece').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  await shoot(page, `arbiter-phone-opened-${page.viewportSize().width}`);
  // All at once: while the gestures play, the caption has one line or two.
  const { places, caption, acts } = await page.evaluate(() => {
    const place = (it) => it.getBoundingClientRect();
    const buttons = [...document.querySelectorAll('.replay-buttons > *')].map(place);
    return {
      places: buttons.map(({ top, bottom }) => ({ top, bottom })),
      caption: place(document.querySelector('.replay-caption')).bottom,
      acts: place(document.querySelector('.sheet-acts')).top,
    };
  });
  const middles = places.map(({ top, bottom }) => (top + bottom) / 2);
  const [lowest, highest] = [Math.min(...middles), Math.max(...middles)];
  assert.ok(middles.length === 5 && highest - lowest <= 1, `not in one line: ${middles}`);
  assert.equal(await page.evaluate(() => scrollY), 0);
  for (const { top, bottom } of places) {
    assert.ok(caption <= top && bottom <= acts, `${caption} ${top}–${bottom} ${acts}`);
  }
}

/** The knight that was lifted hovers over the board, slowly, and comes down. */
export async function gesturesReplay(page) {
  await page.goto(`${page.url().split('#')[0]}#/alert/${NEEDED}`);
  await page.locator('.replay cg-board piece').first().waitFor();
  await page.locator('cg-board square.mark-illegal').waitFor();
  await reads(page.locator('.setting'), /1:19:02 → 1:21:02/);
  const [back, play, on, slow] = await page.locator('.replay-buttons button').all();
  await slow.click();
  await play.click();
  await page.locator('.sky piece.knight').waitFor();
  await shoot(page, 'arbiter-replay');
  // It stops, wherever it was, and is gone through by hand.
  await back.click();
  const pressed = page.locator('.replay-clock [data-pressed]');
  const range = page.locator('.replay input[type=range]');
  while ((await range.inputValue()) !== (await range.getAttribute('max'))) await on.click();
  assert.equal(await pressed.count(), 1);
  await back.click();
  assert.equal(await pressed.count(), 0);
  await page.locator('.evidence button').first().click();
  const current = page.locator('.evidence li[aria-current]');
  await reads(current, /e5/);
}

/** A result is entered and taken back; a position is set and stands on the board. */
export async function toolsOfATable(page, { hall }) {
  const table = await hall.find(thinks, 'nobody thinks');
  await page.goto(`${page.url().split('#')[0]}#/tables`);
  await page.fill('.tables-head input', String(table));
  await page.locator('.table-list a').first().click();
  await page.locator('.table-view piece').first().waitFor();
  await smallTargets(page);
  await page.locator('.table-tools .choice').first().click();
  await page.locator('.confirm .button').first().click();
  const state = page.locator('.one-table .sheet-head .tile-state');
  await until(async () => (await state.innerText()) === '1–0', 'no result');
  await page.locator('.table-tools [data-result="*"]').click();
  await page.locator('.confirm .button').first().click();
  await until(async () => (await state.innerText()) !== '1–0', 'the result stays');
  await page.locator('.tool-row button').first().click();
  const fen = page.locator('.editor input');
  await fen.fill('8/8/8/8/8/8/8/4K3 w - - 0 1');
  await page.locator('.editor .error').waitFor();
  assert.ok(await page.locator('.editor .confirm .button').first().isDisabled());
  await fen.fill('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  await page.locator('.tray button').nth(7).click();
  const square = await page.locator('.editor cg-board').boundingBox();
  await page.mouse.click(square.x + square.width * 0.06, square.y + square.height * 0.94);
  await until(async () => /Q3K3 w/.test(await fen.inputValue()), 'no queen on a1');
  await shoot(page, 'arbiter-editor');
  await smallTargets(page);
  await page.locator('.editor .confirm .button').first().click();
  await until(async () => (await page.locator('.editor').count()) === 0, 'the editor stays');
  const pieces = page.locator('.table-view .board piece');
  await until(async () => (await pieces.count()) === 4, 'the position was not set');
}

/** A quicker tablet has ruled: the other one does not believe that it was itself. */
export async function ruledAtOnce(page, { url, another }) {
  const alerts = page.locator('.alert', { hasText: /7\.5\./ });
  const id = await alerts.first().getAttribute('data-id');
  const row = page.locator(`.alert[data-id="${id}"]`);
  const other = await another(`${url}/arbiter#/alert/${id}`);
  await row.locator('.alert-link').click();
  const choices = [
    [page, 0, /confirmée/],
    [other, 1, /rejetée/],
  ];
  for (const [tablet, at] of choices) await tablet.locator('.decision .choice').nth(at).click();
  const confirm = choices.map(([tablet]) => tablet.locator('.confirm .button').first());
  await Promise.all(confirm.map((button) => button.waitFor()));
  // Both hands come down by themselves: the first ruling takes the button away from the other.
  const at = Date.now() + TOGETHER_MS;
  await Promise.all(confirm.map((button) => button.evaluate(pressAt, at)));
  for (const [tablet] of choices) await tablet.locator('[data-state=closed] h2').waitFor();
  const told = await Promise.all(choices.map(([it]) => it.locator('.sheet-state').innerText()));
  const own = choices.map(([, , ruling], at) => ruling.test(told[at]));
  assert.equal(own.filter(Boolean).length, 1, `both have ruled: ${told}`);
  const loser = own.indexOf(false);
  const state = () => choices[loser][0].locator('.sheet-state').innerText();
  const whoAndWhat = /^\S.* a (confirmé|rejeté) cette alerte il y a \d/;
  await until(async () => whoAndWhat.test(await state()), 'who ruled what is not told');
  await until(() => said(choices[loser][0], /^Table \d/), 'the refusal is not told');
  return `${told.map((it) => it.split(',')[0]).join(' / ')}`;
}

/** It is closed, but no answer comes: the page does not say that somebody else has ruled. */
export async function rulingUnanswered(page) {
  await page.routeWebSocket(/\/mqtt$/, (route) => {
    const server = route.connectToServer();
    const answers = (message) => Buffer.from(message).includes('/response/rule');
    server.onMessage((message) => answers(message) || route.send(message));
  });
  await page.reload();
  await openAlert(page, NEEDED);
  await page.locator('.decision .choice').first().click();
  await page.locator('.confirm .button').first().click();
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  await reads(page.locator('.sheet-state'), /sans réponse.*Décisions/);
  await until(() => said(page, /n’a pas répondu/), 'that no answer came is not told');
}

/** Others play there by now: who played then is named, and no clock is set. */
export async function alertOfEarlierGame(page, { url, own }) {
  const before = { white: { name: 'Doe, Jane' }, black: { name: 'Roe, Max' } };
  const now = { white: { name: 'Poe, Ann' }, black: { name: 'Moe, Tim' } };
  const facts = { penalty_s: 120, clocks_ms: { white: 60_000, black: 60_000 } };
  const raise = (id, players, earlier_game) =>
    own.hall.publish(`alert/${id}`, alertOf(id, 99, { players, earlier_game, facts }));
  const row = (id) => page.locator(`.alert[data-id="${id}"]`);
  const sheet = page.locator('.alert-sheet');
  const sit = (game, players) => {
    own.hall.publish('table/99/game', { game, players, moves: [], result: '*' });
  };
  sit(1, before);
  raise('99-1-1', before, false);
  await until(async () => /Doe/.test(await row('99-1-1').innerText()), 'nobody is named');
  await page.goto(`${url}/arbiter#/alert/99-1-1`);
  await sheet.locator('.alert-player', { hasText: 'Roe, Max' }).waitFor();
  assert.ok(await page.locator('.setting').isVisible());
  sit(2, now);
  raise('99-1-1', before, true);
  raise('99-2-1', now, false);
  await page.locator('.alert-article', { hasText: 'partie précédente' }).waitFor();
  await reads(sheet, /Doe, Jane.*Roe, Max/s);
  assert.doesNotMatch(await sheet.innerText(), /Poe|Moe/);
  assert.equal(await page.locator('.setting').isVisible(), false);
  await page.goto(`${url}/arbiter#/`);
  assert.match(await row('99-1-1').textContent(), /Doe – Roe.*partie précédente/s);
  await reads(row('99-2-1'), /Poe – Moe/);
  // The page of the table accuses nobody of what others did there.
  await page.goto(`${url}/arbiter#/table/99`);
  const now99 = page.locator('.table-alerts:not(.is-earlier) a');
  const earlier = page.locator('.table-alerts.is-earlier a');
  await earlier.waitFor();
  const addresses = async (links) => links.evaluateAll((all) => all.map((it) => it.hash));
  assert.deepEqual(await addresses(now99), ['#/alert/99-2-1']);
  assert.deepEqual(await addresses(earlier), ['#/alert/99-1-1']);
  await reads(earlier, /^Partie 1 · Doe – Roe\s/);
  await shoot(page, 'table-earlier-games');
  await smallTargets(page);
}

/** Runs in the page. */
function pressAt(button, at) {
  setTimeout(() => button.click(), at - Date.now());
}

/** Nothing is offered at a table that is not there. */
export async function unknownTable(page) {
  await page.goto(`${page.url().split('#')[0]}#/table/9999`);
  await page.locator('.one-table .tile-state', { hasText: '9999' }).waitFor();
  assert.equal(await page.locator('.one-table button:visible').count(), 0);
  assert.equal(await page.locator('.one-table .board').isVisible(), false);
}

/** The daemon says whether a claim is right, and why. */
export async function claimChecked(page, { hall }) {
  await claimMade(page, hall);
  await page.locator('.claim').waitFor();
  await reads(page.locator('.claim'), /\(9\.\d/);
  await smallTargets(page);
  await shoot(page, 'arbiter-claim');
  // Who claimed, and what it gives to the other: written down with one tap.
  const answer = page.locator('.tool-answer');
  await reads(answer, /Réclamée par\s: (Noirs, Black|Blancs, White) \d/);
  await reads(answer.locator('.claim-times'), /\d:\d\d:\d\d → \d:\d\d:\d\d/);
  const give = answer.locator('.claim-gift .button');
  await give.click();
  await until(() => said(page, /2\smin à l’adversaire/), 'not said');
  await page.locator('.table-ledger .ledger-given').waitFor();
  assert.equal(await page.locator('.ledger-given li').count(), 1);
  await page.fill('.editor input', 'Ta5');
  await page.locator('.editor .confirm .button').first().click();
  await page.locator('.editor .error').waitFor();
  await reads(page.locator('.editor .error'), /a5/);
  assert.equal(await page.locator('.claim').count(), 0, 'an answer to something else stays');
}

async function claimMade(page, hall) {
  // Nothing is claimed while something illegal stands.
  const table = await hall.find(thinks, 'nobody thinks');
  await page.goto(`${page.url().split('#')[0]}#/table/${table}`);
  await page.locator('.table-view piece').first().waitFor();
  await page.locator('[data-verb=claim_check]').click();
  await page.locator('.editor .confirm .button').first().click();
}

/** The first answer is lost: it is asked for again, and stands where it was wanted. */
export async function claimAnsweredLate(page, { hall }) {
  let lost = false;
  await page.routeWebSocket(/\/mqtt$/, (route) => {
    const server = route.connectToServer();
    server.onMessage((message) => {
      if (lost || !Buffer.from(message).includes('/response/claim_check')) route.send(message);
      else lost = true;
    });
  });
  await page.reload();
  await claimMade(page, hall);
  await page.locator('.editor .error:visible').waitFor();
  assert.ok(lost, 'it was answered');
  await page.locator('.claim').waitFor();
  await reads(page.locator('.claim'), /\(9\.\d/);
  const complaint = page.locator('.editor .error');
  assert.equal(await complaint.isVisible(), false, 'it is still complained of');
}

/** What was decided is told, by whom, and fits on paper. */
export async function journalOfDecisions(page) {
  let read;
  const asked = new Promise((resolve) => (read = resolve));
  await page.route('**/arbiter/decisions', async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(`${page.url().split('#')[0]}#/journal`);
  await page.locator('.journal th').first().waitFor();
  const unread = await page.locator('.journal tbody tr').count();
  assert.equal(unread, 0, 'it tells of decisions it has not read');
  read();
  const lines = page.locator('.journal tbody tr[data-what=request]');
  await lines.first().waitFor();
  await shoot(page, 'arbiter-journal');
  await page.emulateMedia({ media: 'print' });
  for (const ours of ['.bar', '.tabs', '.journal button']) {
    assert.equal(await page.locator(`${ours}:visible`).count(), 0, `${ours} is printed`);
  }
  await page.emulateMedia({ media: 'screen' });
}

/** In the reader's language: what was raised, of whom, what was ruled, by whom, on which day. */
export async function journalInWords(page) {
  await page.goto(`${page.url().split('#')[0]}#/journal`);
  const lines = page.locator('.journal tbody tr[data-what=request]');
  await lines.first().waitFor();
  await reads(lines.first(), /14:40:00|½–½/, 'the newest does not stand first');
  await reads(lines.last(), /cavalier.*7\.5\.1.*Vandenbroucke.*Claire/s);
  const day = page.locator('.journal-day');
  await reads(day.first(), /20 novembre 2026/, 'of which day is not told');
  assert.equal(await day.count(), 1, 'one day is told once');
  await reads(lines.nth(1), /7\.5\.1.*Two minutes.*Claire/s);
}

/** All of an alert is in sight, nothing has to be scrolled for, and no line is covered. */
export async function allInSight(page, { url }) {
  await page.goto(`${url}/arbiter#/alert/${NEEDED}`);
  await page.reload();
  await page.locator('.replay cg-board piece').first().waitFor();
  await page.locator('.alert-player', { hasText: 'Vandenbroucke' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  await shoot(page, `arbiter-${page.viewportSize().width}`);
  const ends = await page
    .locator('.setting > :is(.setting-times, .button)')
    .evaluateAll((all) =>
      all.map((it) => it.getBoundingClientRect()).map(({ left, right }) => [left, right]),
    );
  const [[, told], [given]] = ends;
  const times = page.locator('.setting-times');
  const wide = await times.evaluate((p) => p.scrollWidth - p.clientWidth);
  assert.ok(told <= given && wide <= 0, 'the time to set is covered');
  const beyond = await page.evaluate(() => {
    // The queue beside it is as long as there are alerts, and lines in it wrap as ages grow.
    const sheet = document.querySelector('.alert-sheet').getBoundingClientRect();
    const cut = Math.max(0, sheet.bottom - document.documentElement.clientHeight);
    const hidden = [...document.querySelectorAll('.alert-sheet :is(h2, li, button, cg-board)')];
    const lowest = hidden.filter((it) => !it.closest('.sheet-acts'));
    const bar = document.querySelector('.sheet-acts').getBoundingClientRect().top;
    const below = lowest.filter((it) => it.getBoundingClientRect().bottom > bar + 1);
    return [cut, below.map((it) => it.textContent)];
  });
  assert.deepEqual(beyond, [0, []]);
  await smallTargets(page);
}

/** Where browsers withhold what they give over https only, nothing is missing but that. */
export async function withoutPowers(page, tools) {
  const powers = await page.evaluate(() => [
    isSecureContext,
    'serviceWorker' in navigator,
    'wakeLock' in navigator,
    'randomUUID' in crypto,
  ]);
  assert.deepEqual(powers, [false, false, false, false]);
  await arbiterActs(page, tools);
}

export async function arbiterInTheDark(page) {
  await page.locator('.queue h2').first().waitFor();
  await page.waitForTimeout(1500);
  await shoot(page, 'arbiter-dark');
}

/** While the page has no connection one alert is closed: it must not come back to life. */
export async function staleAlert(page, { watch, own }) {
  const illegal = page.locator(`.alert[data-id="${NEEDED}"]`);
  const others = page.locator(`.alert:not([data-id="${NEEDED}"])`);
  await illegal.waitFor();
  await others.first().waitFor({ state: 'attached' });
  watch.tolerant = true;
  own.site.cut(true);
  await page.locator('.status[data-mood=stale]').waitFor();
  own.hall.publish(`alert/${NEEDED}`, null);
  own.site.cut(false);
  await page.locator('.status[data-mood=live]').waitFor();
  await until(async () => (await illegal.count()) === 0, 'it stays');
  assert.notEqual(await others.count(), 0, 'the others went away with it');
}

/** The form appears, refuses a wrong password, keeps the name and lets the arbiter in. */
export async function signingIn(page, { watch, url, another }) {
  watch.tolerant = true;
  await page.fill('input[name=name]', 'Jane');
  await page.fill('input[name=password]', 'wrong');
  await page.click('button[type=submit]');
  await page.locator('.sign-in .error').waitFor();
  await shoot(page, 'sign-in');
  await enter(page);
  const other = await another(`${url}/arbiter#/alert/${NEEDED}`);
  await enter(other);
  await openAlert(page, NEEDED);
  await page.locator('.sheet-acts > .button').click();
  await other.locator('.alert-sheet[data-state=acknowledged]').waitFor();
  await keptInItsTab(page, url);
}

/** Loaded again the page asks for nothing; another tab does, and other pages are guests. */
async function keptInItsTab(page, url) {
  const form = page.locator('.sign-in form');
  const alerts = page.locator('.alert');
  await page.goto(`${url}/arbiter`);
  await page.reload();
  await alerts.first().waitFor();
  assert.equal(await form.isVisible(), false, 'it asks though it was only loaded again');
  const tab = await page.context().newPage();
  await tab.goto(`${url}/arbiter`);
  await tab.locator('.sign-in form').waitFor();
  assert.equal(await tab.locator('.alert').count(), 0, 'another tab is let in');
  await tab.close();
  const said = [];
  page.once('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => said.push(Buffer.from(payload)));
  });
  await page.goto(url);
  await until(() => said.length > 0, 'the wall says nothing');
  // CONNECT of MQTT 3.1.1: the flags stand behind the name of the protocol; neither user nor word.
  assert.equal(said[0][0] >> 4, 1);
  const named = said[0].indexOf('MQTT') + 5;
  assert.equal(said[0][named] & 0b1100_0000, 0, 'the wall is no guest');
  await page.goBack();
  await alerts.first().waitFor();
  await reads(page.locator('.signed-in'), /Jane/);
  await smallTargets(page);
  await shoot(page, 'signed-in');
  await page.locator('.signed-in .button').click();
  await form.waitFor();
  await page.reload();
  await form.waitFor();
  assert.equal(await alerts.count(), 0, 'whoever finds the form sees alerts');
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
}

/** The same name on a second tablet is let in as well. */
async function enter(page) {
  await page.fill('input[name=name]', 'Jane');
  await page.fill('input[name=password]', 'kibitz');
  await page.click('button[type=submit]');
  await page.locator('.sign-in').waitFor({ state: 'hidden' });
}

/** The server goes and comes back with other passwords: the page finds its way in by itself. */
export async function restarted(page, { watch, own }) {
  const open = page.locator('.alert');
  await until(async () => (await open.count()) === 4, 'not all alerts');
  watch.tolerant = true;
  const ids = () =>
    open.evaluateAll((all) =>
      all
        .map((it) => it.dataset.id)
        .sort()
        .join(),
    );
  const before = await ids();
  await own.restart(() => page.locator('.status[data-mood=stale]').waitFor());
  await page.locator('.status[data-mood=live]').waitFor();
  await until(async () => (await ids()) === before, 'other alerts than before');
  await openAlert(page, NEEDED);
  await page.locator('.sheet-acts > .button').click();
  await page.locator('.alert-sheet[data-state=acknowledged]').waitFor();
}

/** The disk is full, and has room again. */
export async function recordNotKept(page, { own, url, another }) {
  const hall = await another(`${url}/`);
  const say = (journal) => own.hall.publish('bridge/info', { event: {}, journal });
  const status = page.locator('.bar .status');
  for (const it of [page, hall]) await it.locator('.status[data-mood=live]').waitFor();
  say('failed');
  await until(async () => /journal ne peut être écrit/.test(await status.innerText()), 'not said');
  assert.equal(await status.getAttribute('data-mood'), 'stale');
  assert.equal(await page.locator('html[data-stale]').count(), 0, 'the boards are live');
  assert.equal(await hall.locator('.status').getAttribute('data-mood'), 'live', 'guests are told');
  await shoot(page, 'record-failed');
  await smallTargets(page);
  say('kept');
  await until(async () => /de nouveau tenu/.test(await status.innerText()), 'not said that it is');
  await shoot(page, 'record-again');
}

/** A request that is on its way for too long is not carried out, and the tablet learns so. */
export async function orderTooLate(page, { hall }) {
  const held = [];
  let holding = true;
  await page.routeWebSocket(/\/mqtt$/, (route) => {
    const server = route.connectToServer();
    const give = (message) => server.send(message);
    page.letGo = () => {
      holding = false;
      held.forEach(give);
    };
    route.onMessage((message) => {
      if (holding && Buffer.from(message).includes('/request/set_result')) held.push(message);
      else give(message);
    });
  });
  await page.reload();
  const table = await hall.find(plays, 'no game is in play');
  await setResult(page, table);
  await page.locator('.one-table .error:visible').waitFor();
  page.letGo();
  const told = page.locator('.afterwards p');
  await told.first().waitFor();
  await reads(told.first(), /Table \d+, résultat\s:\strop tard, rien n’a été/);
  assert.notEqual(hall.of(table).game.result, '1-0', 'it was carried out late');
  await shoot(page, 'order-too-late');
  await told.first().locator('button').click();
  assert.equal(await told.count(), 0);
}

/** It was carried out, and its answer was lost: the tablet learns that it was, and once. */
export async function answerLost(page, { hall }) {
  let deaf = true;
  await page.routeWebSocket(/\/mqtt$/, (route) => {
    const server = route.connectToServer();
    const lost = (message) => deaf && Buffer.from(message).includes('/response/set_result');
    server.onMessage((message) => lost(message) || route.send(message));
  });
  await page.reload();
  const table = await hall.find(plays, 'no game is in play');
  await setResult(page, table);
  await page.locator('.one-table .error:visible').waitFor();
  deaf = false;
  const told = page.locator('.afterwards p');
  await told.first().waitFor();
  await reads(told.first(), /Table \d+, résultat\s:\sexécutée/);
  assert.equal(hall.of(table).game.result, '1-0');
}

async function setResult(page, table) {
  await page.goto(`${page.url().split('#')[0]}#/table/${table}`);
  await page.locator('.table-view piece').first().waitFor();
  await page.locator('.table-tools .choice').first().click();
  await page.locator('.confirm .button').first().click();
}

/** The page of one reader begins in his browser's language; the wall in that of the event. */
export async function ownLanguage(page, { url, another }) {
  await page.locator('.queue h2', { hasText: /open alert/ }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  const wall = await another(`${url}/`);
  await wall.locator('.tile').first().waitFor();
  assert.equal(await wall.evaluate(() => document.documentElement.lang), 'fr');
}
