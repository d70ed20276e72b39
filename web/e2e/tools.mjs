// The tools of a table, of the round and of the ledger, against the development server.

import assert from 'node:assert/strict';
import { shoot } from './browser.mjs';
import { smallTargets, until } from './checks.mjs';

/** The dialogs of a table, by the request they end in. */
export const TOOLS = ['set_position', 'take_back', 'set_time', 'set_pairing', 'adjourn'];

export async function openTool(page, table, verb) {
  await page.goto(`${page.url().split('#')[0]}#/table/${table}`);
  await page.locator('.table-view piece').first().waitFor();
  const open = page.locator('.table-tools .editor .confirm .is-quiet');
  if ((await open.count()) > 0) await open.click();
  await page.locator(`[data-verb=${verb}]`).click();
  await page.locator('.table-tools .editor').waitFor();
}

const send = (page) => page.locator('.editor .confirm .button').first();

async function said(page, text) {
  await until(async () => text.test(await page.locator('.said').innerText()), `${text} not said`);
}

/** The last three moves go; the position before them is shown first. */
export async function movesTakenBack(page) {
  await openTool(page, 6, 'take_back');
  const moves = page.locator('.editor .tool-row .choice');
  const count = await moves.count();
  await moves.nth(count - 3).click();
  assert.equal(await page.locator('.editor [aria-pressed=true]').count(), 3);
  const wanted = await board(page, '.editor .board');
  await smallTargets(page);
  await shoot(page, 'tool-take-back');
  await send(page).click();
  await said(page, /Table 6/);
  await until(async () => (await board(page, '.table-view .board')) === wanted, 'moves stay');
}

export async function clockWasSet(page) {
  await openTool(page, 9, 'set_time');
  const [white, black] = await page.locator('.editor input').all();
  await white.fill('0:61:00');
  assert.ok(await send(page).isDisabled(), 'no clock shows 61 minutes so');
  await white.fill('0:14:37');
  await black.fill('0:10:00');
  await page.locator('.editor .choices').nth(1).locator('button').nth(1).click();
  assert.equal(await black.inputValue(), '0:12:00');
  await shoot(page, 'tool-clock');
  await smallTargets(page);
  await send(page).click();
  await said(page, /0:14:37.*0:12:00/);
  const clocks = page.locator('.table-view .clock');
  const shown = async () => (await clocks.allTextContents()).join() === '12:00,14:37';
  await until(shown, 'the clock is not shown so');
}

export async function coloursExchanged(page) {
  await openTool(page, 4, 'set_pairing');
  const names = () => page.locator('.table-view .player-name').allTextContents();
  const before = await names();
  await page.locator('.editor > .tool-row button').click();
  await shoot(page, 'tool-pairing');
  await smallTargets(page);
  await send(page).click();
  await until(async () => (await names()).join() === before.reverse().join(), 'same colours');
}

/** Adjourned, and resumed with what is not as on the sheet. */
export async function adjournedAndResumed(page) {
  await openTool(page, 7, 'adjourn');
  assert.equal(await page.locator('[data-verb=resume]').count(), 0);
  await page.locator('.editor input').first().fill('21.11., 10:00');
  await shoot(page, 'tool-adjourn');
  await smallTargets(page);
  await send(page).click();
  await page.locator('[data-verb=resume]').click();
  assert.match(await page.locator('.editor').innerText(), /21\.11\., 10:00/);
  await page.evaluate(() => (window.print = () => (window.printed = true)));
  await page.locator('.editor > .tool-row button').click();
  await until(() => page.evaluate(() => window.printed === true), 'no sheet is printed');
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.locator('.paper h1', { hasText: 'sheet 7' }).isVisible());
  assert.equal(await page.locator('.table-view').isVisible(), false);
  await page.emulateMedia({ media: 'screen' });
  await send(page).click();
  await page.locator('.editor .claim', { hasText: 'e4' }).waitFor();
  await shoot(page, 'tool-resume');
  await page.locator('.editor .confirm .is-quiet').click();
  await page.locator('[data-verb=adjourn]').waitFor();
}

/** One tap on what is to be set: it is written down, and the clock expected to show it. */
export async function timeGiven(page) {
  const sent = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => sent.push(payload.toString('latin1')));
  });
  await page.reload();
  await page.goto(`${page.url().split('#')[0]}#/alert/3-1-7`);
  await page.locator('.setting .button').click();
  await until(() => /request\/set_time/.test(sent.join()), 'the times are not told');
  const wire = sent.join();
  assert.match(wire, /request\/penalty_given.*"side":"white","seconds":120/s);
  assert.match(wire, /"table":3,"white_ms":4900000,"black_ms":4862000/);
}

export async function roundStarts(page) {
  await page.goto(`${page.url().split('#')[0]}#/tables`);
  await page.locator('.papers button').first().click();
  const tables = page.locator('.editor input').nth(1);
  await tables.fill('nonsense');
  assert.ok(await send(page).isDisabled());
  await tables.fill('1-6');
  await shoot(page, 'tool-round');
  await smallTargets(page);
  await send(page).click();
  await said(page, /Ronde/);
  assert.equal(await page.locator('.editor').count(), 0);
}

export async function penaltiesListed(page) {
  await page.goto(`${page.url().split('#')[0]}#/penalties`);
  const lines = page.locator('.ledgers > li');
  await lines.first().waitFor();
  assert.equal(await lines.count(), 1, 'a clean page is listed');
  assert.match(await lines.first().innerText(), /7\.5\.3/);
  await smallTargets(page);
  await lines.locator('a').click();
  await page.locator('.table-ledger .ledger-page').waitFor();
}

function board(page, place) {
  const each = (all) => all.map((it) => it.className).sort().join();
  return page.locator(`${place} piece`).evaluateAll(each);
}
