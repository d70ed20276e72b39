// The score beside the board of a table, as an arbiter reads it.

import assert from 'node:assert/strict';
import { accessible } from './access.mjs';
import { shoot } from './browser.mjs';
import { INCIDENT, openAlert, reads, said, smallTargets, until } from './checks.mjs';
import { thinks } from './observer.mjs';
import { go, openTool, send } from './tools.mjs';

/** From an alert one tap to its table; there what happened stands at its move, and leads back. */
export async function alertAndScore(page) {
  const illegal = page.locator('.alert', { hasText: /7\.5\.1/ }).first();
  await illegal.waitFor({ timeout: INCIDENT });
  const id = await illegal.getAttribute('data-id');
  await openAlert(page, id);
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
  await reads(moves.first().locator('small'), /^\d+:\d\d/);
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

const verdict = (page) => page.locator('.editor .claim');
const right = (page) => page.locator('.editor .claim[data-right]');

/** A move that was taken for another one is replaced; what follows is checked, and stays. */
export async function comparedWithTheSheet(page, { hall }) {
  const ruyLopez = ({ game }) => game.moves[5]?.uci === 'a7a6';
  const rests = (it) => thinks(it) && ruyLopez(it);
  const table = await hall.find(rests, 'no such opening');
  const before = hall.of(table).game;
  await openTool(page, table, 'correct_score');
  const move = page.locator('.editor .sheet-moves [data-index="5"]');
  await move.click();
  const written = page.locator('.editor input');
  await reads(page.locator('.editor label'), /3… a6/);
  await written.fill('Cz9');
  await until(async () => /Cz9/.test(await verdict(page).innerText()), 'nonsense is accepted');
  assert.ok(await send(page).isDisabled());
  // The knight stands on c6: it cannot have gone to c6 now.
  await written.fill('Cc6');
  await until(
    async () => /Cc6/.test(await verdict(page).innerText()),
    'an illegal move is accepted',
  );
  await written.fill('3… d6');
  await right(page).waitFor();
  await page.locator('.editor .board piece').first().waitFor();
  await smallTargets(page);
  await accessible(page);
  await shoot(page, `tool-correct-${page.viewportSize().width}`);
  const { rev } = before;
  const changed = hall.says(table, 'game', (it) => it.rev !== rev && it.moves[5]?.uci === 'd7d6');
  await send(page).click();
  await until(() => said(page, new RegExp(`Table ${table}.*corrigée`)), 'not said');
  const after = await changed;
  assert.equal(after.moves[5].confidence, 'inferred');
  assert.equal(after.moves[5].clk_ms, before.moves[5].clk_ms);
  assert.deepEqual(
    after.moves.filter(({ ply }) => ply !== 6).map(({ uci }) => uci),
    before.moves.filter(({ ply }) => ply !== 6).map(({ uci }) => uci),
  );
  return `table ${table}`;
}
