// The score beside the board of a table, as an arbiter reads it.

import assert from 'node:assert/strict';
import { accessible } from './access.mjs';
import { shoot } from './browser.mjs';
import { INCIDENT, restedRow, smallTargets, until } from './checks.mjs';
import { thinks } from './observer.mjs';
import { go } from './tools.mjs';

/** From an alert one tap to its table; there what happened stands at its move, and leads back. */
export async function alertAndScore(page) {
  const illegal = page.locator('.alert', { hasText: /7\.5\.1/ }).first();
  await illegal.waitFor({ timeout: INCIDENT });
  const id = await illegal.getAttribute('data-id');
  await (await restedRow(page, id)).click();
  const toTable = page.locator('.alert-sheet .to-table');
  await toTable.waitFor();
  await smallTargets(page);
  await toTable.click();
  await until(() => page.url().endsWith(`#/table/${id.split('-')[0]}`), 'it leads elsewhere');
  const remark = page.locator(`.score .remark a[href="#/alert/${id}"]`);
  await remark.waitFor();
  await page.locator('.score .move b').first().waitFor();
  await smallTargets(page);
  await accessible(page);
  await shoot(page, `table-score-${page.viewportSize().width}`);
  await remark.click();
  await page.locator('.alert-sheet').waitFor();
  assert.ok(page.url().endsWith(`#/alert/${id}`));
}

/** Moves and times as they come; an earlier position stays while others are made. */
export async function scoreFollows(page, { hall }) {
  const table = await hall.find(thinks, 'nobody plays');
  await go(page, `table/${table}`);
  const moves = page.locator('.score .moves button.move');
  await moves.first().waitFor();
  const before = await moves.count();
  await until(async () => (await moves.count()) > before, 'no move comes');
  assert.match(await moves.first().locator('small').innerText(), /^\d+:\d\d/);
  const board = page.locator('.table-view .board');
  await page.locator('.score .walk button').first().click();
  await page.locator('.score .earlier:not(:empty)').waitFor();
  await board.and(page.locator('[data-earlier]')).waitFor();
  const later = await moves.count();
  await until(async () => (await moves.count()) > later, 'no move comes meanwhile');
  assert.ok(await board.and(page.locator('[data-earlier]')).isVisible(), 'the position went on');
  await moves.nth(2).click();
  await until(
    async () => /2\./.test(await page.locator('.score .earlier').innerText()),
    'no move can be chosen',
  );
  await smallTargets(page);
  await page.locator('.score .walk button').last().click();
  await board.and(page.locator(':not([data-earlier])')).waitFor();
}
