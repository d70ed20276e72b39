// Every key of the file from the page: rules and boards of one table, penalties, rounds of Lichess,
// addresses. What disturbs asks first, what cannot be meant is refused in words, and what no page
// can set says why and where. The file is then read by `adoubed check`.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { reads, until } from './checks.mjs';
import { firstAccount, looked, place } from './setup.mjs';

const file = (own) => readFile(own.config, 'utf8');
const form = (page) => page.locator('.keys-form');
const input = (page, key) => form(page).locator(`[name="${key}"]`);
const refused = (page) => form(page).locator('.error').innerText();
const keepButton = (page) => form(page).locator('.confirm .button:not(.is-quiet)');

async function keep(page) {
  await keepButton(page).click();
}

/** Looks for a key as a person would, by its name. */
async function find(page, words) {
  await form(page).locator('input[name=find-setting]').fill(words);
}

async function kept(page, own, pattern) {
  await until(async () => pattern.test(await file(own)), `${pattern}`).catch(async (error) => {
    throw new Error(`${error.message}: ${await refused(page)}\n${await file(own)}`);
  });
}

/** `name`: of the device, for the screenshots. */
export function everySetting(name, program) {
  return async (page, { own, watch }) => {
    const byHand = `# Our hall.\n${await file(own)}`;
    await writeFile(own.config, byHand);
    await firstAccount(page, watch, own.code, `settings-${name}`);
    await page.locator('.event-form').waitFor();
    await page.locator('.bar-tools [lang=en]').click();
    await place(page, 'keys');
    await form(page).locator('details').first().waitFor();
    await looked(page, `setup-keys-closed-${name}`);
    assert.equal(await keepButton(page).isVisible(), false, 'there is nothing to keep yet');
    await found(page, name);
    await oneTable(page, own, name);
    await asWritten(page, own);
    await wrong(page, own);
    await elsewhere(page, own, name);
    await notFromHere(page);
    await editedByHand(page, own);
    await inEveryLanguage(page, own, name);
    assert.match(await file(own), /^# Our hall\.$/m, 'remarks stay');
    const checked = await promisify(execFile)(program, ['check', own.config]);
    assert.equal(checked.stderr, '');
  };
}

/** Words of the sentence or of the key find it, and a word that nobody uses finds nothing. */
async function found(page, name) {
  await find(page, 'checkpoint');
  const rows = form(page).locator('.key-row:visible');
  assert.equal(await rows.count(), 1);
  const about = await rows.first().innerText();
  assert.match(about, /Records between two checkpoints/);
  assert.match(about, /journal\.checkpoint_records .* 0 to 10000000 .* 60000 .*next start/s);
  await looked(page, `setup-keys-found-${name}`);
  await find(page, 'xyzzy');
  await until(async () => /Nothing is called so/.test(await form(page).innerText()), 'nothing');
  await find(page, '');
}

/** Table 7 gets a board, rules of its own, a second board and a clock. */
async function oneTable(page, own, name) {
  await form(page).locator('[data-section=table] > summary').click();
  await input(page, 'table-of-keys').fill('7');
  await input(page, 'table-of-keys').press('Tab');
  await input(page, '7/table.laws').selectOption('2018');
  await keep(page);
  await until(async () => /where its board is/.test(await refused(page)), 'a table has a board');
  assert.doesNotMatch(await file(own), /\[\[table\]\]/, 'nothing of it is kept');
  await input(page, '7/table.serial').fill('26003');
  await input(page, '7/table.time_control').fill('180+2');
  await input(page, '7/table.second_board.player').selectOption('black');
  await input(page, '7/table.second_board.serial').fill('26016');
  await input(page, '7/table.clock.port').fill('/dev/serial/by-path/a-clock');
  await input(page, '7/table.clock.driver').selectOption('chessnutclock');
  await looked(page, `setup-keys-table-${name}`);
  await keep(page);
  await kept(page, own, /second_board = \{ player = "black", serial = "26016" \}/);
  const text = await file(own);
  assert.match(text, /number = 7\n(.*\n)*laws = "2018"/);
  assert.match(text, /clock = \{ port = "\/dev\/serial\/by-path\/a-clock", driver = "chessnut/);
  await input(page, '7/table.second_board.player').selectOption('');
  await input(page, '7/table.second_board.serial').fill('');
  await keep(page);
  await until(async () => !/second_board/.test(await file(own)), 'no second board');
}

async function asWritten(page, own) {
  await find(page, 'penalties');
  await input(page, 'laws.penalties.2023.blitz').fill('1, loss');
  await find(page, 'gravity');
  const gravity = form(page).locator('fieldset:visible select');
  await gravity.nth(0).selectOption('touched_out_of_turn');
  await gravity.nth(1).selectOption('note');
  await keep(page);
  await kept(page, own, /blitz = \[1, "loss"\]/);
  await until(async () => !(await keepButton(page).isVisible()), 'nothing more is to be kept');
  assert.match(await file(own), /\[laws\.gravity\]\ntouched_out_of_turn = "note"/);
}

/** Beyond its range, and half of what belongs together: the refusal names the key. */
async function wrong(page, own) {
  await find(page, 'journal');
  await input(page, 'journal.flush_ms').fill('99999');
  await keep(page);
  await until(async () => /flush_ms: .*10,?000/.test(await refused(page)), 'too long');
  await input(page, 'journal.flush_ms').fill('soon');
  await keep(page);
  await until(async () => /flush_ms: .*number/.test(await refused(page)), 'no number');
  await input(page, 'journal.flush_ms').fill('150');
  await keep(page);
  await kept(page, own, /flush_ms = 150/);
  const waits = page.locator('.stage > .round-about');
  await until(
    async () => /next start .*: .*journal\.flush_ms/.test(await waits.innerText()),
    'why',
  );
  await find(page, 'lichess.rounds');
  const rounds = form(page).locator('fieldset:visible input');
  await rounds.nth(0).fill('1');
  await rounds.nth(1).fill('Xw2Kq9Pt');
  await keep(page);
  await until(async () => /token/.test(await refused(page)), 'a token first');
  const token = join(dirname(own.config), 'own.token');
  await writeFile(token, 'lip_secret\n', { mode: 0o600 });
  // Nothing leaves this machine.
  await find(page, 'lichess.url');
  await input(page, 'lichess.url').fill('https://127.0.0.1:9');
  await find(page, 'lichess.token_file');
  await input(page, 'lichess.token_file').fill(token);
  await keep(page);
  await kept(page, own, /\[lichess\.rounds\]\n1 = "Xw2Kq9Pt"/);
}

/** Another address is asked for twice, and one that is not this machine's is refused. */
async function elsewhere(page, own, name) {
  await find(page, 'web.listen');
  await input(page, 'web.listen_tls').fill('192.0.2.7:8443');
  await keep(page);
  const asked = async () => /are elsewhere: web\.listen_tls/.test(await refused(page));
  await until(asked, 'it is asked first');
  assert.doesNotMatch(await file(own), /192\.0\.2\.7/);
  await looked(page, `setup-keys-elsewhere-${name}`);
  await reads(keepButton(page), /all the same/);
  await keep(page);
  await until(async () => /no address that this machine can open/.test(await refused(page)), 'no');
  await input(page, 'web.listen_tls').fill('127.0.0.1:0');
  await keep(page);
  await until(asked, 'and again');
  await keep(page);
  await kept(page, own, /listen_tls = "127\.0\.0\.1:0"/);
}

/** What this page depends on is shown with its value and the reason, and has no field. */
async function notFromHere(page) {
  await find(page, 'mqtt.broker');
  const row = form(page).locator('.key-row.is-fixed:visible');
  await reads(row, /embedded[\s\S]*could change nothing any more/);
  assert.equal(await row.locator('input, select').count(), 0);
  await find(page, 'web.organizers');
  const people = await form(page).locator('.key-row.is-fixed:visible').innerText();
  assert.match(people, /At the place People/);
  assert.doesNotMatch(people, /argon2/, 'no hash of a password is shown');
}

/** Somebody edits the file meanwhile: it is told, what is typed stays, and then it is kept. */
async function editedByHand(page, own) {
  await find(page, 'event.site');
  await input(page, 'event.site').fill('Liège');
  await writeFile(own.config, `${await file(own)}\n# By hand, meanwhile.\n`);
  await keep(page);
  await until(async () => /somebody else has changed/i.test(await refused(page)), 'it is told');
  assert.equal(await input(page, 'event.site').inputValue(), 'Liège');
  await until(async () => {
    if (/site = "Liège"/.test(await file(own))) return true;
    // Once it is kept there is nothing more to keep.
    await keepButton(page)
      .click({ timeout: 1000 })
      .catch(() => {});
    return false;
  }, 'and then it is kept');
  assert.match(await file(own), /# By hand, meanwhile\./);
}

async function inEveryLanguage(page, own, name) {
  await place(page, 'event');
  await page.locator('.setup-ticks label', { hasText: 'Español' }).locator('input').check();
  await page.locator('.event-form > .confirm .button:not(.is-quiet)').click();
  await until(async () => /"es"/.test(await file(own)), 'Spanish');
  await page.reload();
  await page.locator('.tabs').waitFor();
  await place(page, 'keys');
  for (const [language, title, choices] of [
    ['es', 'Todos los ajustes', ['Suficiente (adequate)', 'Insuficiente (inadequate)']],
    ['fr', 'Tous les réglages', ['Suffisante (adequate)', 'Insuffisante (inadequate)']],
    ['en', 'Every setting', ['Adequate', 'Inadequate']],
  ]) {
    const shown = form(page).locator('h2', { hasText: title });
    await until(async () => {
      if ((await shown.count()) > 0) return true;
      const button = page.locator(`.bar-tools [lang=${language}]`);
      await button.or(page.locator('.bar-tools [lang]')).first().click();
      return (await shown.count()) > 0;
    }, language);
    const supervision = input(page, 'event.supervision').locator('option');
    assert.deepEqual((await supervision.allTextContents()).slice(1), choices);
    await form(page).locator('[data-section=mqtt] > summary').click();
    await looked(page, `setup-keys-${language}-${name}`);
    await form(page).locator('[data-section=mqtt] > summary').click();
  }
}

/** For scenarios that need one key of the file. */
export async function setKey(page, key, value) {
  await place(page, 'keys');
  await find(page, key);
  await input(page, key).fill(value);
  await keep(page);
  await form(page).locator('.setup-said:not(:empty)').waitFor();
}
