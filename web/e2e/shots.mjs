// The pictures of the README: `ADOUBED_BIN=../target/debug/adoubed npm run shots` writes docs/img
// from the program in demo mode, and a morning at /setup. ADOUBED_ONLY='setup' makes some of them.
// Look at each one before it is committed.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';
import { until } from './checks.mjs';
import { startDaemon, startFresh } from './daemon.mjs';
import { observe } from './observer.mjs';
import { firstAccount, place, tablesIn } from './setup.mjs';

const IMAGES = join(import.meta.dirname, '../../docs/img');
const TV = { viewport: { width: 1920, height: 1080 } };
const TABLET = { viewport: { width: 600, height: 1024 } };
const SIDE = { viewport: { width: 1024, height: 600 } };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 };
/** Time for the page to have heard of the hall, in ms. */
const HEARD_MS = 4000;
/** Time for players to do something irregular, in ms: they play no faster than people do. */
const INCIDENT_MS = 1_800_000;
/** As many as fill a television, and as many half moves as make a picture. */
const TABLES = 12;
const MOVES = 16;

const program = process.env.ADOUBED_BIN;
if (!program) throw new Error('say which program to take pictures of: ADOUBED_BIN=…');
await mkdir(IMAGES, { recursive: true });
const browser = await openBrowser();
try {
  const all = {
    english: () => demonstration('en', english),
    french: () => demonstration('fr', french),
  };
  const wanted = new RegExp(process.env.ADOUBED_ONLY ?? '');
  const chosen = Object.entries({ ...all, setup: morning }).filter(([name]) => wanted.test(name));
  await Promise.all(chosen.map(([, take]) => take()));
} finally {
  await browser.close();
}

async function demonstration(language, pictures) {
  // Faster hands would leave times in the pictures that no hall has.
  const daemon = await startDaemon(program, { language, tables: TABLES, speed: 1 });
  const hall = await observe(daemon.url);
  try {
    const begun = ({ game }) => game.moves.length > MOVES;
    await hall.find(begun, 'no game has begun', INCIDENT_MS);
    await pictures((name, path, device, colorScheme, act) =>
      shoot(daemon.url + path, name, { ...device, colorScheme }, act),
    );
  } finally {
    await hall.stop();
    await daemon.stop();
  }
}

/** A hall is seated: two kings have been lifted, and the third is asked for. */
async function morning() {
  const lift = (index) => `~ +${20 + 4 * index} e1^ +2 e1v +36000\n`;
  const own = await startFresh(
    program,
    Array.from({ length: 6 }, (_, index) => lift(index)),
  );
  const context = await browser.newContext({ ...TABLET, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.goto(`${own.url}/setup`);
    await firstAccount(page, { errors: ['401'] }, own.code, 'picture');
    await page.locator('.event-form').waitFor();
    await place(page, 'seat');
    await page.locator('.seat-buttons:visible .button:not(.is-quiet)').click();
    await until(async () => (await tablesIn(own)).length === 2, 'two tables');
    await page.waitForTimeout(500);
    // What is below has paths of this machine.
    const clip = { x: 0, y: 0, width: 600, height: 462 };
    await page.screenshot({ path: join(IMAGES, 'setup.png'), clip });
    console.log('setup');
  } finally {
    await context.close();
    await own.stop();
  }
}

async function english(look) {
  await look('wall', '/', TV, 'light');
  await look('wall-dark', '/', TV, 'dark');
  await look('wall-phone', '/', PHONE, 'light');
  await look('table', '/table/1', TV, 'light');
  await look('tablet-replay', '/arbiter', TABLET, 'light', replay);
  await look('tablet-queue', '/arbiter', TABLET, 'light');
  await look('tablet-tables', '/arbiter#/tables', TABLET, 'dark');
  await look('tablet-table', '/arbiter#/table/3', TABLET, 'light');
  await look('tablet-editor', '/arbiter#/table/4', TABLET, 'light', edit);
  await look('tablet-times', '/arbiter#/times', TABLET, 'light');
}

async function french(look) {
  await look('arbiter', '/arbiter', TABLET, 'light', openIllegal);
  await look('arbiter-side', '/arbiter', SIDE, 'light', openIllegal);
  await look('arbiter-desk', '/arbiter', TV, 'light', openIllegal);
  await look('arbiter-phone', '/arbiter', PHONE, 'dark', openIllegal);
}

/** An illegal move: it stays until it is ruled on. */
async function openIllegal(page) {
  const illegal = page.locator('.alert', { hasText: /7\.5\.1/ });
  await illegal.first().locator('.alert-link').click({ timeout: INCIDENT_MS });
  await page.locator('.replay cg-board piece').first().waitFor();
}

/** Seen in the middle of its gestures: the last moment with a piece in the air. */
async function replay(page) {
  await openIllegal(page);
  const back = page.locator('.replay-buttons button').first();
  while ((await page.locator('.sky piece').count()) === 0) await back.click();
}

async function edit(page) {
  await page.locator('[data-verb=set_position]').click();
  await page.locator('.editor .tray').first().scrollIntoViewIfNeeded();
}

async function shoot(url, name, device, act) {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForTimeout(HEARD_MS);
  await page.evaluate(() => document.fonts.ready);
  await act?.(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  await context.close();
  console.log(name);
}
