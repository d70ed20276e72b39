// The pages in a real Chromium. With ADOUBED_BIN against that program in demo mode, with
// ADOUBED_URL against that server, else against the development server and its Mosquitto.
// Writes screenshots into e2e/shots.

import assert from 'node:assert/strict';
import { startDevelopment } from '../dev/serve.mjs';
import {
  arbiterAccessible, hallAccessible, lettersDoubled, lettersDoubledInTheHall, nothingSticksOut,
  ownColours,
} from './access.mjs';
import {
  alertOfEarlierGame, allInSight, arbiterActs, arbiterInTheDark, claimChecked, gesturesReplay,
  answerLost, journalOfDecisions, orderTooLate, recordNotKept, replayInOneLine, restarted,
  ruledAtOnce, rulingUnanswered, signingIn,
  staleAlert, toolsOfATable, unknownTable, withoutPowers,
} from './arbiter.mjs';
import { NAMED, openBrowser, severable, shoot, watchedPage } from './browser.mjs';
import { bellRings, windowCloses } from './calling.mjs';
import { PATIENCE, picture } from './checks.mjs';
import { startBrokenPort, startDaemon, startTables } from './daemon.mjs';
import {
  earlierPositions, hiddenByConfiguration, kioskTurns, lostServer, manyTables, namesAreWhole,
  noAlertInTheHall, oneTable, overlay, screenFilled, switches,
  tableInSight, wallMoves, wallOnPhone,
} from './hall.mjs';
import { heard, ruledByKeyboard, toolsByKeyboard } from './keyboard.mjs';
import { observe } from './observer.mjs';
import { resultWithOneTap } from './results.mjs';
import {
  adjournedAndResumed, clockWasSet, coloursExchanged, fingerRests, languageSwitched,
  movesTakenBack, penaltiesListed, resultsOfTheRound, roundStarts, runningClock,
  scoreShownCounted, timeGiven, timeGranted, timeSheets,
} from './tools.mjs';
import { boardGivenItsTable } from './which.mjs';

const TV = { viewport: { width: 1920, height: 1080 }, colorScheme: 'light' };
const UHD = { viewport: { width: 3840, height: 2160 }, colorScheme: 'light' };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, colorScheme: 'light' };
const PHONE_ASIDE = { viewport: { width: 740, height: 360 }, colorScheme: 'light' };
const TABLET = { viewport: { width: 600, height: 1024 }, colorScheme: 'light' };
const SIDE = { viewport: { width: 1024, height: 600 }, colorScheme: 'light' };
const LAPTOP = { viewport: { width: 1366, height: 768 }, colorScheme: 'light' };
const SMALL = { viewport: { width: 320, height: 640 }, colorScheme: 'light' };
const OVERLAY = { viewport: { width: 500, height: 580 } };
const dark = (device) => ({ ...device, colorScheme: 'dark' });
const thinking = (moves) => `${moves} ${THINKS}`;
const PORTRAIT_TV = { viewport: { width: 1080, height: 1920 }, colorScheme: 'light' };
/** Somebody thinks for as long as the pages are tried: no game ends meanwhile. */
const THINKS = '+36000\n';
const OPENING = 'e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v | f1^ b5v | a7^ a6v | b5^ a4v |';
/** White's knight has gone nowhere lawful, and has been pressed for. */
const ILLEGAL = 'e2^ e4v | e7^ e5v | g1^ g3v |';
const RUNNING = [OPENING, OPENING, ILLEGAL, OPENING, OPENING, OPENING].map(thinking);
const BROKEN = ['e2^ e4v e7^ e5v g1^ f3v b8^ c6v', 'd2^ d4v g8^ f6v'].map(thinking);
const STOPPED = [OPENING, ILLEGAL].map((moves) => thinking(`${moves} ~`));

/** Scenarios whose names match. */
const only = process.env.ADOUBED_ONLY ? new RegExp(process.env.ADOUBED_ONLY) : null;
const program = process.env.ADOUBED_BIN;
const daemon = program ? await startDaemon(program) : null;
const external = daemon?.url ?? process.env.ADOUBED_URL?.replace(/\/$/, '') ?? null;
const own = external === null ? await startDevelopment({ speed: 2 }) : null;
const browser = await openBrowser();
let failed = 0;

try {
  await hallAndArbiter(own?.url ?? external);
  // Where it can be had, in a hall in which nobody moves while an arbiter fills in his forms.
  await inHall(program ? () => startTables(program, RUNNING) : here, tools());
  if (own === null) console.log('SKIP  closed alerts, signing in, 300 tables: own server only');
  else await onlyWithOwnServer();
  if (program) await inHall(() => startTables(program, STOPPED), stoppedClocks());
  for (const [name, device, language] of [['tablet', TABLET, 'fr'], ['phone', PHONE, 'en']]) {
    if (!program) break;
    await inHall(() => startBrokenPort(program, BROKEN), [
      [`which table, ${name}`, { ...device, language }, '/arbiter', boardGivenItsTable(name)],
    ]);
  }
  await scenario('a lost server is said plainly', own?.url ?? external, TV, '/', lostServer);
} finally {
  await browser.close();
  await own?.stop();
  await daemon?.stop();
}
process.exitCode = failed === 0 ? 0 : 1;

async function hallAndArbiter(url) {
  await scenario('the wall moves and its clocks count', url, TV, '/', wallMoves);
  await scenario('the wall in the dark', url, dark(TV), '/', picture('wall-dark'));
  await scenario('the wall on a phone', url, PHONE, '/', wallOnPhone);
  await scenario('language, colours and side can be switched', url, TV, '/', switches);
  await scenario('one table', url, TV, '/table/1', oneTable);
  await scenario('one table in the dark', url, dark(TV), '/table/1', picture('table-dark'));
  await scenario('one table on a phone', url, PHONE, '/table/1', picture('table-phone'));
  await scenario('earlier positions', url, TV, '/table/2', earlierPositions);
  await scenario('a board for overlays', url, OVERLAY, '/embed/1', overlay);
  await scenario('hall pages show no alert', url, TV, '/', noAlertInTheHall);
  await scenario('two arbiters act on an alert', url, TABLET, '/arbiter', arbiterActs);
  await scenario('the journal of decisions', url, TABLET, '/arbiter', journalOfDecisions);
  await scenario('the arbiter in the dark', url, dark(TABLET), '/arbiter', arbiterInTheDark);
  const phone = picture('arbiter-phone', '.queue h2');
  await scenario('the arbiter on a phone', url, PHONE, '/arbiter', phone);
}

function tools() {
  const standing = {
    'a clock was set': clockWasSet,
    'time is granted': timeGranted,
    'the score is shown five times': scoreShownCounted,
  };
  const each = {
    'the tools of a table': toolsOfATable,
    'a table that is not there': unknownTable,
    'a claim of a draw is checked': claimChecked,
    'moves are taken back': movesTakenBack,
    'colours are exchanged': coloursExchanged,
    'an adjournment': adjournedAndResumed,
    'the time sheet': timeSheets,
    'the results of the round': resultsOfTheRound,
    'penalties are listed': penaltiesListed,
    'a round starts': roundStarts,
    // The development server refuses nothing, and has clocks that stand.
    ...(own === null ? { 'a clock that runs': runningClock } : standing),
    'time is given': timeGiven,
  };
  return Object.entries(each).map(([name, check]) => [name, TABLET, '/arbiter', check]);
}

/** In a hall of the real program where clocks stand. */
function stoppedClocks() {
  return [
    ['time is given while the clock stands', TABLET, '/arbiter', timeGiven],
    ['a clock that stands was set', TABLET, '/arbiter', clockWasSet],
    ['time is granted while the clock stands', TABLET, '/arbiter', timeGranted],
    ['two arbiters rule at once', TABLET, '/arbiter', ruledAtOnce],
    ['a result with one tap', TABLET, '/arbiter', resultWithOneTap],
  ];
}

async function onlyWithOwnServer() {
  for (const language of ['fr', 'en']) await withAxe(language);
  await scenario('a small phone', own.url, SMALL, '/arbiter', nothingSticksOut);
  await scenario('a small tablet', own.url, TABLET, '/arbiter', nothingSticksOut);
  const colours = { ...TABLET, forcedColors: 'active' };
  await scenario('the reader’s own colours', own.url, colours, '/arbiter', ownColours);
  for (const [name, device] of Object.entries({ phone: PHONE, tablet: TABLET, laptop: LAPTOP })) {
    const how = { ...device, language: 'fr' };
    await scenario(`letters doubled, ${name}`, own.url, how, '/arbiter', lettersDoubled);
    for (const path of ['/', '/table/7']) {
      const title = `letters doubled on ${path}, ${name}`;
      await scenario(title, own.url, how, path, lettersDoubledInTheHall);
    }
  }
  for (const [name, device] of Object.entries({ television: TV, '4K': UHD, phone: PHONE })) {
    for (const path of ['/', '/kiosk', '/table/7', '/embed/7']) {
      await scenario(`names on ${path}, ${name}`, own.url, device, path, namesAreWhole);
    }
  }
  const wide = { television: TV, '4K': UHD, 'phone on its side': PHONE_ASIDE };
  for (const [name, device] of Object.entries(wide)) {
    await scenario(`all of a table, ${name}`, own.url, device, '/table/7', tableInSight);
  }
  for (const [tables, featured, device] of [[8, '', TV], [16, '', TV], [12, '1-2', TV],
    [8, '', PORTRAIT_TV], [20, '', UHD]]) {
    const { width } = device.viewport;
    const name = `${tables} tables${featured && `, ${featured} featured`} on ${width} px`;
    const hall = () => startDevelopment({ tables, screens: { featured } });
    await inHall(hall, [[name, device, '/', screenFilled]]);
  }
  const across = { 'a tablet on its side': SIDE, 'a laptop': LAPTOP, 'a large screen': TV };
  for (const [name, device] of Object.entries(across)) {
    for (const language of ['fr', 'en']) {
      const how = { ...device, language };
      await scenario(`an alert on ${name}, ${language}`, own.url, how, '/arbiter', allInSight);
    }
  }
  const named = own.url.replace('127.0.0.1', NAMED);
  await scenario('over plain http', named, TABLET, '/arbiter', withoutPowers);
  for (const language of ['fr', 'en']) {
    for (const [width, height] of [[360, 740], [390, 844]]) {
      const phone = { ...PHONE, viewport: { width, height }, language };
      const name = `replay on a phone of ${width} px, ${language}`;
      await scenario(name, own.url, phone, '/arbiter', replayInOneLine);
    }
  }
  await scenario('gestures are replayed', own.url, TABLET, '/arbiter', gesturesReplay);
  const stale = 'an alert closed while away disappears';
  await scenario(stale, own.url, TABLET, '/arbiter', staleAlert);
  // Each with alerts of its own: what one leaves undone must not fail another.
  for (const alone of [
    ['what is drawn is told', { ...TABLET, language: 'fr' }, '/arbiter', heard],
    ['the tools by keyboard', TABLET, '/arbiter', toolsByKeyboard],
    ['another language', { ...TABLET, language: 'fr' }, '/arbiter', languageSwitched],
    ['two arbiters rule at once', { ...TABLET, language: 'fr' }, '/arbiter', ruledAtOnce],
    ['a ruling without an answer', { ...TABLET, language: 'fr' }, '/arbiter', rulingUnanswered],
    ['an alert of an earlier game', { ...TABLET, language: 'fr' }, '/arbiter', alertOfEarlierGame],
    ['an order that comes too late', { ...TABLET, language: 'fr' }, '/arbiter', orderTooLate],
    ['an answer that was lost', { ...TABLET, language: 'fr' }, '/arbiter', answerLost],
    ['the record is not kept', TABLET, '/arbiter', recordNotKept],
    ['a ruling by keyboard', TV, '/arbiter', ruledByKeyboard],
    ['the bell rings for a summons', TABLET, '/arbiter', bellRings],
    ['the time to act runs out', TABLET, '/arbiter', windowCloses],
  ]) {
    await inHall(() => startDevelopment(), [alone]);
  }
  const login = { name: 'Jane', password: 'kibitz' };
  await inHall(() => startDevelopment({ login }), [['signing in', TABLET, '/arbiter', signingIn]]);
  await restarting((url, restart) =>
    scenario('a server that was started again', url, TABLET, '/arbiter', (page, tools) =>
      restarted(page, { ...tools, restart }),
    ),
  );
  const turning = { tables: 120, screens: { featured: '1-2', page_s: 5 } };
  await inHall(() => startDevelopment(turning), [
    ['a kiosk turns its pages', TV, '/kiosk', kioskTurns],
  ]);
  await inHall(() => startDevelopment({ tables: 60, speed: 8 }), [
    ['a finger that rests', TABLET, '/arbiter', fingerRests],
  ]);
  const screens = { clocks: false, moves: false };
  await inHall(() => startDevelopment({ screens }), [
    ['clocks and moves are hidden if so configured', TV, '/', hiddenByConfiguration],
  ]);
  await inHall(() => startDevelopment({ tables: 300 }), [['300 tables', TV, '/', manyTables]]);
}

async function withAxe(language) {
  for (const device of [TABLET, dark(TABLET)]) {
    const how = `${device.colorScheme}, ${language}`;
    const spoken = { ...device, language };
    const screen = { ...TV, colorScheme: device.colorScheme, language };
    await scenario(`the arbiter with axe, ${how}`, own.url, spoken, '/arbiter', arbiterAccessible);
    for (const path of ['/', '/table/1', '/embed/1', '/kiosk']) {
      await scenario(`${path} with axe, ${how}`, own.url, screen, path, hallAccessible);
    }
  }
}

/** The hall is opened for its scenarios, and not where none of them is wanted. */
async function inHall(open, scenarios) {
  if (only !== null && !scenarios.some(([name]) => only.test(name))) return;
  const hall = await open();
  try {
    for (const [name, device, path, check] of scenarios) {
      await scenario(name, hall.url, device, path, check, hall);
    }
  } finally {
    await hall.stop();
  }
}

async function here() {
  return { url: own?.url ?? external, stop: async () => {} };
}

/** A server that can be stopped and started again at the same address. */
async function restarting(check) {
  let server = await startDevelopment();
  const restart = async (meanwhile) => {
    await server.stop();
    await meanwhile();
    server = await startDevelopment({ port: Number(new URL(server.url).port) });
  };
  try {
    await check(server.url, restart);
  } finally {
    await server.stop();
  }
}

/** Runs one check on one page; console errors and foreign requests fail it too. */
async function scenario(name, url, device, path, check, server = null) {
  if (only !== null && !only.test(name)) return;
  const { page, watch, close } = await watchedPage(browser, url, device);
  const others = [];
  const another = async (address) => {
    const other = await watchedPage(browser, url, device);
    others.push(other);
    other.page.setDefaultTimeout(PATIENCE);
    await other.page.goto(address);
    return other.page;
  };
  page.setDefaultTimeout(PATIENCE);
  const hall = await observe(url.replace(NAMED, '127.0.0.1'));
  try {
    const cut = own === null && daemon === null && check === lostServer;
    const line = cut ? await severable(page) : null;
    await page.goto(url + path);
    const external = own === null;
    const site = external ? null : (server ?? own);
    const tools = { watch, server, own: site, daemon, line, url, another, external, hall };
    const remark = await check(page, tools);
    assert.deepEqual(watch.errors, [], 'errors on the console');
    assert.deepEqual(watch.strangers, [], 'requests to other hosts');
    console.log(`ok    ${name}${remark ? ` (${remark})` : ''}`);
  } catch (error) {
    failed += 1;
    console.error(`FAIL  ${name}\n${error.stack}`);
    await shoot(page, `failed-${failed}`);
  } finally {
    await Promise.all([close(), hall.stop(), ...others.map((other) => other.close())]);
  }
}
