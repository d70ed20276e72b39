// The pages in a real Chromium. With ADOUBED_BIN against that program in demo mode, with
// ADOUBED_URL against that server, else against the development server and its Mosquitto.
// Writes screenshots into e2e/shots.

import assert from 'node:assert/strict';
import { startDevelopment } from '../dev/serve.mjs';
import { arbiterAccessible, hallAccessible, nothingSticksOut } from './access.mjs';
import {
  allInSight, arbiterActs, arbiterInTheDark, claimChecked, gesturesReplay, journalOfDecisions,
  replayInOneLine, restarted, signingIn, staleAlert, toolsOfATable, withoutPowers,
} from './arbiter.mjs';
import { NAMED, openBrowser, severable, shoot, watchedPage } from './browser.mjs';
import { PATIENCE, picture } from './checks.mjs';
import { startDaemon, startTables } from './daemon.mjs';
import {
  earlierPositions, hiddenByConfiguration, kioskTurns, lostServer, manyTables, namesAreWhole,
  noAlertInTheHall, oneTable, overlay, playersBeside, switches,
  tableInSight, wallMoves, wallOnPhone,
} from './hall.mjs';
import { observe } from './observer.mjs';
import {
  adjournedAndResumed, clockWasSet, coloursExchanged, movesTakenBack, penaltiesListed, roundStarts,
  runningClock, timeGiven, timeSheets,
} from './tools.mjs';

const TV = { viewport: { width: 1920, height: 1080 }, colorScheme: 'light' };
const UHD = { viewport: { width: 3840, height: 2160 }, colorScheme: 'light' };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, colorScheme: 'light' };
const TABLET = { viewport: { width: 600, height: 1024 }, colorScheme: 'light' };
const SIDE = { viewport: { width: 1024, height: 600 }, colorScheme: 'light' };
const SMALL = { viewport: { width: 320, height: 640 }, colorScheme: 'light' };
const OVERLAY = { viewport: { width: 500, height: 580 } };
const dark = (device) => ({ ...device, colorScheme: 'dark' });
/** Somebody thinks for as long as the pages are tried: no game ends meanwhile. */
const QUIET = 'e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v | f1^ b5v | a7^ a6v | b5^ a4v | +36000\n';
/** White's knight has gone nowhere lawful, and has been pressed for. */
const ILLEGAL = 'e2^ e4v | e7^ e5v | g1^ g3v |';
const RUNNING = [QUIET, QUIET, `${ILLEGAL} +36000\n`, QUIET, QUIET, QUIET];
const STOPPED = [`${QUIET.replace('+36000', '~ +36000')}`, `${ILLEGAL} ~ +36000\n`];

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
  await inQuiet(tools);
  if (own === null) console.log('SKIP  closed alerts, signing in, 300 tables: own server only');
  else await onlyWithOwnServer();
  if (program) await stoppedClocks();
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

/** Where it can be had, a hall in which nobody moves while an arbiter fills in his forms. */
async function inQuiet(check) {
  if (!program) return check(own?.url ?? external);
  const hall = await startTables(program, RUNNING);
  try {
    await check(hall.url);
  } finally {
    await hall.stop();
  }
}

async function tools(url) {
  const each = {
    'the tools of a table': toolsOfATable,
    'a claim of a draw is checked': claimChecked,
    'moves are taken back': movesTakenBack,
    'colours are exchanged': coloursExchanged,
    'an adjournment': adjournedAndResumed,
    'the time sheet': timeSheets,
    'penalties are listed': penaltiesListed,
    'a round starts': roundStarts,
  };
  for (const [name, check] of Object.entries(each)) {
    await scenario(name, url, TABLET, '/arbiter', check);
  }
  // The development server refuses nothing, and has clocks that stand.
  if (own === null) await scenario('a clock that runs', url, TABLET, '/arbiter', runningClock);
  else await scenario('a clock was set', url, TABLET, '/arbiter', clockWasSet);
  await scenario('time is given', url, TABLET, '/arbiter', timeGiven);
}

/** In a hall of the real program where clocks stand. */
async function stoppedClocks() {
  const names = ['a clock that stands was set', 'time is given while the clock stands'];
  if (only !== null && !names.some((name) => only.test(name))) return;
  const hall = await startTables(program, STOPPED);
  try {
    await scenario(names[1], hall.url, TABLET, '/arbiter', timeGiven);
    await scenario(names[0], hall.url, TABLET, '/arbiter', clockWasSet);
  } finally {
    await hall.stop();
  }
}

async function onlyWithOwnServer() {
  for (const language of ['fr', 'en']) await withAxe(language);
  await scenario('a small phone', own.url, SMALL, '/arbiter', nothingSticksOut);
  await scenario('a small tablet', own.url, TABLET, '/arbiter', nothingSticksOut);
  for (const [name, device] of Object.entries({ television: TV, '4K': UHD, phone: PHONE })) {
    for (const path of ['/', '/kiosk', '/table/7', '/embed/7']) {
      await scenario(`names on ${path}, ${name}`, own.url, device, path, namesAreWhole);
    }
  }
  for (const [name, device] of Object.entries({ television: TV, '4K': UHD })) {
    await scenario(`all of a table, ${name}`, own.url, device, '/table/7', tableInSight);
  }
  await elsewhere({ tables: 15 }, (url) =>
    scenario('players beside their boards', url, TV, '/', playersBeside),
  );
  for (const language of ['fr', 'en']) {
    const side = { ...SIDE, language };
    await scenario(`a tablet on its side, ${language}`, own.url, side, '/arbiter', allInSight);
  }
  const named = own.url.replace('127.0.0.1', NAMED);
  await scenario('over plain http', named, TABLET, '/arbiter', withoutPowers);
  for (const language of ['fr', 'en']) {
    const phone = { ...PHONE, viewport: { width: 390, height: 844 }, language };
    await scenario(`replay on a phone, ${language}`, own.url, phone, '/arbiter', replayInOneLine);
  }
  await scenario('gestures are replayed', own.url, TABLET, '/arbiter', gesturesReplay);
  const stale = 'an alert closed while away disappears';
  await scenario(stale, own.url, TABLET, '/arbiter', staleAlert);
  await elsewhere({ login: { name: 'Jane', password: 'kibitz' } }, (url) =>
    scenario('signing in', url, TABLET, '/arbiter', signingIn),
  );
  await restarting((url, restart) =>
    scenario('a server that was started again', url, TABLET, '/arbiter', (page, tools) =>
      restarted(page, { ...tools, restart }),
    ),
  );
  const screens = { featured: '1-2', page_s: 5 };
  await elsewhere({ tables: 120, screens }, (url) =>
    scenario('a kiosk turns its pages', url, TV, '/kiosk', kioskTurns),
  );
  await elsewhere({ screens: { clocks: false, moves: false } }, (url) =>
    scenario('clocks and moves are hidden if so configured', url, TV, '/', hiddenByConfiguration),
  );
  await elsewhere({ tables: 300 }, (url) => scenario('300 tables', url, TV, '/', manyTables));
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

async function elsewhere(options, check) {
  const server = await startDevelopment(options);
  try {
    await check(server.url);
  } finally {
    await server.stop();
  }
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
async function scenario(name, url, device, path, check) {
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
    const tools = { watch, own, daemon, line, url, another, external, hall };
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
