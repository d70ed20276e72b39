// A fresh machine to a running round of forty boards by the page alone, timed: DGT, ChessLink,
// iChessOne and Tabutronic on lines of their own, two with one number, three in a chain on one
// cable, and a line on which nobody answers. Nobody touches the file, and nothing is restarted;
// then `adoubed check` reads it.
//
// It takes some minutes, so that it is no part of the suite: npm run forty

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openBrowser, shoot, watchedPage } from './browser.mjs';
import { reads, until } from './checks.mjs';
import { startFresh } from './daemon.mjs';
import { LAPTOP } from './devices.mjs';
import { event, firstAccount, keep, pgn, place, started, tablesIn } from './setup.mjs';

const PROGRAM = process.env.ADOUBED_BIN ?? join(import.meta.dirname, '../../target/debug/adoubed');
const CHAIN = ['11001', '11002', '11003'];
const SINGLE = 37;
const BOARDS = SINGLE + CHAIN.length;
/** Somebody lifts a king every so many seconds. */
const SLOT_S = 2;
const CYCLES = 3;
const LONG = 10 * 60_000;

const others = ['chesslink', 'tabutronic', 'ichessone'].map((family) => ({ family, serial: [] }));
/** One in two is a DGT board. The first two have the same number. */
const KINDS = Array.from({ length: SINGLE }, (_, index) => {
  if (index < 2) return { serial: ['--serial', '26001'] };
  return index % 2 === 0 ? {} : others[((index - 1) / 2) % 3];
});
/** The kings are lifted in turn, and afterwards everybody plays two moves. */
const lifts = (slot, slots, cycles = CYCLES) => {
  const before = SLOT_S * slot + 1;
  const cycle = `+${before} e1^ +1 e1v +${SLOT_S * slots - before}`;
  const moves = 'e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v |';
  return `~ ${Array(cycles).fill(cycle).join(' ')} ! ${moves} +36000\n`;
};

const begun = Date.now();
const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
const tell = (what) => console.log(`${seconds().padStart(6)}  ${what}`);

async function main(page, own, watch) {
  await firstAccount(page, watch, own.code, 'forty');
  await page.locator('.event-form').waitFor();
  await page.locator('.bar-tools [lang=en]').click();
  tell('the first organizer has an account');
  await event(page, own, watch, 'forty');
  tell('the event is named, with its time control');
  await pair(page, own);
  tell(`${BOARDS} pairings are read from a file`);
  await chained(page, own);
  tell('the chain is named by the number of one of its boards');
  await seated(page, own);
  await walked(page);
  await until(async () => (await playing(own)) >= BOARDS, 'games at all boards', LONG);
  tell(`games are on at ${BOARDS} boards`);
  await checked(own);
}

async function pair(page, own) {
  await place(page, 'pairings');
  const games = Array.from({ length: BOARDS }, (_, at) => [`White, ${at + 1}`, `Black, ${at + 1}`]);
  games[0] = ['Doe, Jane', 'Roe, Max'];
  const round = { name: 'round.pgn', mimeType: 'text/plain', buffer: pgn([games]) };
  await page.locator('.pairings-drop input').setInputFiles(round);
  await page
    .locator('.pairings-game')
    .nth(BOARDS - 1)
    .waitFor();
  await keep(page, '.pairings-form');
  const file = () => readFile(own.config, 'utf8');
  await until(async () => /pairings = "pairings.pgn"/.test(await file()), 'the pairings are kept');
}

/** Two lines answer nobody: the one is the chain, and the other is dead. */
async function chained(page, own) {
  const slots = 8;
  const how = { family: 'dgtbus', line: 'chain', serial: ['--serial', CHAIN.join(',')] };
  const chain = await own.plug(lifts(0, slots, Math.ceil((SINGLE * CYCLES) / slots)), how);
  await own.plug('~ +36000\n', { dumb: true, line: 'dead' });
  await place(page, 'seat');
  const row = page.locator('.setup-list li', { hasText: '/chain' });
  await row.locator('details summary').click();
  await row.locator('details input').fill(CHAIN[0]);
  await row.locator('details button').click();
  await until(async () => (await tablesIn(own)).length === 1, 'table 1 is in the chain');
  // As the page says: off and on.
  await chain.offAndOn();
  await until(
    async () => {
      const rows = await page.locator('.setup-list li', { hasText: 'dgtbus' }).count();
      return rows === CHAIN.length;
    },
    'the others of the chain are found',
    LONG,
  );
}

async function seated(page, own) {
  const from = Date.now();
  await page.locator('.seat-number input').first().fill('2');
  await page.locator('.seat-hall .seat-buttons .button:not(.is-quiet)').click();
  await until(async () => (await tablesIn(own)).length >= BOARDS, 'forty tables', LONG).catch(
    async (error) => {
      await shoot(page, 'forty-failed');
      throw new Error(`${error.message}: ${(await tablesIn(own)).join()}`);
    },
  );
  const took = Math.round((Date.now() - from) / 1000);
  tell(`${BOARDS - 1} boards are seated by their kings in ${took} s, one lifted every ${SLOT_S} s`);
  const dead = page.locator('.setup-list li', { hasText: '/dead' });
  await reads(dead, /nobody answers/);
  const twins = page.locator('.setup-list .is-wrong', { hasText: 'same number' });
  assert.equal(await twins.count(), 2, 'two boards with one number');
  await shoot(page, 'forty-seated');
}

/** What is not ready is told; then the round is started all the same. */
async function walked(page) {
  await place(page, 'check');
  const rows = page.locator('.check-row');
  await until(async () => (await rows.count()) === BOARDS, 'a row for each table');
  const sum = page.locator('.round-check .check-sum');
  // Kings are still lifted here and there: such a board is set up again two seconds later.
  const most = () => page.locator('.check-row.is-ready').count();
  await until(async () => (await most()) >= BOARDS - CHAIN.length - 1, 'ready', LONG).catch(
    async (error) => {
      await shoot(page, 'forty-failed');
      throw new Error(`${error.message}: ${await page.locator('.check-list').innerText()}`);
    },
  );
  tell(`before the round: ${await sum.innerText()}`);
  const wrong = page.locator('.check-row.is-wrong');
  for (const text of await wrong.allInnerTexts())
    console.log(`        ${text.replace(/\s+/g, ' ')}`);
  await shoot(page, 'forty-check');
  await started(page);
  tell('the round has started');
}

async function playing(own) {
  const response = await fetch(`${own.url}/pgn/games.pgn`);
  return ((await response.text()).match(/^1\. e4/gm) ?? []).length;
}

/** The file is read by the program, as a person would have it read. */
async function checked(own) {
  const { stdout } = await promisify(execFile)(PROGRAM, ['check', own.config]);
  const text = await readFile(own.config, 'utf8');
  assert.equal(text.match(/\[\[table\]\]/g)?.length, BOARDS);
  tell(`adoubed check: ${stdout.trim().split('\n')[0]}`);
  console.log(text.replace(/\$argon2\S+/g, '$argon2…'));
}

const kings = KINDS.map((_, index) => lifts(index, SINGLE));
const own = await startFresh(PROGRAM, kings, KINDS);
const browser = await openBrowser();
try {
  const { page, watch } = await watchedPage(browser, `${own.url}/setup`, LAPTOP);
  await page.goto(`${own.url}/setup`);
  await main(page, own, watch);
  assert.deepEqual([watch.errors, watch.strangers], [[], []]);
} finally {
  await browser.close();
  await own.stop();
}
