// A hall that is looked after: boards are dragged onto each other, what is wrong is told in words
// with its remedy, and the record goes home without names.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { until } from './checks.mjs';
import { setKey } from './settings.mjs';
import { firstAccount, keep, kept, looked, pgn, place, tablesIn } from './setup.mjs';

const THINKS = '~ +36000\n';

/** `name`: of the device, for the screenshots. */
export function hallCaredFor(name) {
  return async (page, { own, watch }) => {
    await firstAccount(page, watch, own.code, `care-${name}`);
    await page.locator('.event-form').waitFor();
    await page.locator('.bar-tools [lang=en]').click();
    await paired(page);
    await dragged(page, own, name);
    await told(page, own, name);
    await nameless(page, name);
  };
}

async function paired(page) {
  await place(page, 'pairings');
  const buffer = pgn([[['Doe, Jane', 'Roe, Max']]]);
  const file = { name: 'round.pgn', mimeType: 'text/plain', buffer };
  await page.locator('.pairings-drop input').setInputFiles(file);
  await page.locator('.pairings-game').first().waitFor();
  await keep(page, '.pairings-form');
  await kept(page, '.pairings-form');
}

const rows = (page) => page.locator('.setup-list li');
const boardAt = (page, serial) => rows(page).filter({ hasText: serial });
const tableOf = (page, serial) => boardAt(page, serial).locator('input').first().inputValue();

async function typed(page, own, serial, table) {
  const field = boardAt(page, serial).locator('input').first();
  await field.waitFor();
  await field.fill(String(table));
  await field.press('Tab');
  await until(async () => (await tablesIn(own)).includes(table), `table ${table}`);
}

/** Takes a board by its name with the mouse, and lets it go over another one. */
async function drag(page, from, onto) {
  await boardAt(page, from).locator('b').dragTo(boardAt(page, onto).locator('b'));
}

/** Two with tables exchange them; one without a table takes that of the board it is put on. */
async function dragged(page, own, name) {
  await place(page, 'seat');
  for (let board = 0; board < 3; board += 1) await own.plug(THINKS);
  await until(async () => (await rows(page).count()) === 3, 'three boards');
  await typed(page, own, '26001', 1);
  await typed(page, own, '26002', 2);
  await drag(page, '26001', '26002');
  const are = async (...tables) => {
    const now = await Promise.all(['26001', '26002', '26003'].map((it) => tableOf(page, it)));
    return now.join() === tables.join();
  };
  await until(() => are('2', '1', ''), 'they exchange their tables');
  const text = await readFile(own.config, 'utf8');
  assert.match(text, /number = 1\nserial = "26002"/);
  assert.match(text, /number = 2\nserial = "26001"/);
  await drag(page, '26003', '26002');
  await until(() => are('2', '', '1'), 'the one without a table has it now');
  assert.deepEqual(await tablesIn(own), [1, 2]);
  // Put on itself it stays where it is.
  const before = await readFile(own.config, 'utf8');
  await drag(page, '26003', '26003');
  assert.equal(await readFile(own.config, 'utf8'), before);
  await looked(page, `setup-dragged-${name}`);
  await typed(page, own, '26002', 3);
}

/** A board goes, a way out fails, and both come back: each sentence says what to do. */
async function told(page, own, name) {
  await place(page, 'health');
  const sum = page.locator('.condition .check-sum');
  await until(async () => /^All is well\.$/.test(await sum.innerText()), 'all is well at first');
  const blocked = join(dirname(own.config), 'no-folder');
  await writeFile(blocked, '');
  await setKey(page, 'pgn.directory', join(blocked, 'games'));
  await own.boards[0].stop();
  await place(page, 'health');
  const wrong = page.locator('.condition-list:visible li');
  const all = async () => (await wrong.allInnerTexts()).join('\n');
  const at = '\\d{1,2}:\\d{2}:\\d{2}';
  const says = (pattern) => until(async () => pattern.test(await all()), `${pattern}`);
  await says(new RegExp(`The board of table 2 is missing since ${at}: look at its cable`));
  await says(new RegExp(`PGN.* fails since ${at}\\. Give the program the right .*\\(.+\\)`));
  await until(async () => /^To look at: 2$/.test(await sum.innerText()), 'their number');
  await looked(page, `setup-health-wrong-${name}`);
  await page.locator('.bar-tools [lang=fr]').click();
  await says(new RegExp(`échiquier de la table 2 .* depuis ${at}`));
  await page.locator('.bar-tools [lang=en]').click();
  // It is plugged in again, and the folder can be written.
  await own.plug(THINKS, { serial: ['--serial', '26001'] });
  await setKey(page, 'pgn.directory', join(dirname(own.config), 'games'));
  await place(page, 'health');
  await until(async () => /^All is well\.$/.test(await sum.innerText()), 'all is well again');
}

/** The files of an archive: their names and texts. */
function untarred(bytes) {
  const files = new Map();
  const text = (from, length) => {
    return bytes
      .subarray(from, from + length)
      .toString('latin1')
      .replace(/\0.*$/s, '');
  };
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    files.set(text(at, 100), bytes.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

async function takenHome(page) {
  const download = page.waitForEvent('download');
  await page.locator('.take-home .button').click();
  return untarred(gunzipSync(await readFile(await (await download).path())));
}

/** With the tick nobody is named, and without it everybody is. */
async function nameless(page, name) {
  await place(page, 'after');
  const whole = await takenHome(page);
  const has = (files, word) => [...files.values()].some((it) => it.includes(word));
  assert.ok(has(whole, 'Doe, Jane'), [...whole.keys()].join());
  assert.ok(
    [...whole.keys()].some((it) => it.endsWith('.pgn')),
    [...whole.keys()].join(),
  );
  await page.locator('.take-home input[name=nameless]').check();
  await looked(page, `setup-after-nameless-${name}`);
  const record = await takenHome(page);
  const files = [...record.keys()];
  assert.ok(files.length > 0 && files.every((it) => /journal-.*\.log$|\.cap$/.test(it)), files);
  for (const word of ['Doe', 'Jane', 'Roe', 'Olga', 'argon2']) {
    assert.ok(!has(record, word), `${word} is in the record without names`);
  }
  assert.ok(has(record, 'Person '), 'everybody is a number');
}
