// The arbiter's page without mouse or finger: where the focus is, and that it stays there.

import assert from 'node:assert/strict';
import { until } from './checks.mjs';
import { go, TOOLS } from './tools.mjs';

/** The alert of the development server whose gestures are replayed. */
const NEEDED = '3-1-7';

/** From the top of the page to a ruling, and nothing on the way is without a frame. */
export async function ruledByKeyboard(page) {
  await page.locator('.alert-link').first().waitFor();
  // The first stop leads past the bar and the tabs.
  await page.keyboard.press('Tab');
  assert.equal(await page.locator('.skip-link').evaluate(isFocused), true);
  await page.keyboard.press('Enter');
  await until(() => page.locator('.queue').evaluate(isFocused), 'it leads nowhere');
  assert.equal(await page.evaluate(() => location.hash), '');
  await page.evaluate(() => document.activeElement.blur());
  await page.locator('.skip-link').focus();
  const seen = [];
  while (!seen.some(({ id }) => id === NEEDED)) {
    assert.ok(seen.length < 40, 'the keyboard does not come to the alert');
    await page.keyboard.press('Tab');
    seen.push(await focused(page));
  }
  assert.deepEqual(
    seen.filter(({ frame }) => !frame),
    [],
    'the focus is not to be seen',
  );
  const places = seen.map(({ place }) => ['bar', 'tabs', 'queue'].indexOf(place));
  assert.deepEqual(places, [...places].sort(), 'not in the order in which it is read');
  await page.keyboard.press('Enter');
  await until(async () => (await focused(page)).name === 'H2', 'the alert is not gone to');

  const acknowledge = page.locator('.sheet-acts > .button');
  await acknowledge.focus();
  await page.keyboard.press('Enter');
  await page.locator('.alert-sheet[data-state=acknowledged]').waitFor();
  await until(async () => (await focused(page)).place === 'acts', 'the focus is lost');
  await page.locator('.choice').nth(1).focus();
  await page.keyboard.press('Enter');
  assert.equal((await focused(page)).name, 'BUTTON', 'a tablet would open its keyboard');
  await page.keyboard.press('Shift+Tab');
  assert.equal((await focused(page)).name, 'TEXTAREA');
  await page.keyboard.type('Two ');
  await gameGoesOn(page);
  await page.keyboard.type('minutes');
  assert.equal(await page.locator('.decision textarea').inputValue(), 'Two minutes');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.confirm').count(), 0);
  assert.equal(await page.locator('.choice').nth(1).evaluate(isFocused), true);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  await until(async () => (await focused(page)).name === 'H2', 'the focus is lost');
}

/** Every tool opens, is left with Escape, and gives the focus back to its button. */
export async function toolsByKeyboard(page) {
  await go(page, 'table/2');
  await page.locator('.table-view piece').first().waitFor();
  for (const tool of TOOLS) {
    const button = page.locator(`[data-verb=${tool}]`);
    // Some make sense only once the clock has been heard.
    await button.waitFor();
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('.table-tools .editor').waitFor();
    await page.keyboard.press('Tab');
    const at = await focused(page);
    assert.ok(at.place === 'editor' && at.frame, `${tool}: ${JSON.stringify(at)}`);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.editor').count(), 0, `${tool} stays open`);
    assert.equal(await button.evaluate(isFocused), true, `${tool}: the focus is lost`);
  }
  const draw = page.locator('.table-tools .choice').nth(1);
  await draw.focus();
  await page.keyboard.press('Enter');
  assert.equal((await focused(page)).name, 'BUTTON');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await draw.evaluate(isFocused), true, 'the result is not gone back to');
  await go(page, 'tables');
  const link = page.locator('.table-list a').nth(4);
  await link.focus();
  await gameGoesOn(page);
  assert.equal(await link.evaluate(isFocused), true, 'a move elsewhere takes the focus');
}

/** What is drawn is told: the board, the gestures, what is marked, what has come. */
export async function heard(page) {
  await go(page, `alert/${NEEDED}`);
  await page.locator('.replay cg-board piece').first().waitFor();
  const replay = page.locator('.replay');
  assert.match(await replay.ariaSnapshot(), /img "Blancs.: roi e1.*cavalier e5/);
  assert.match(await replay.ariaSnapshot(), /slider "Gestes"/);
  await page.locator('.replay-buttons button').first().click();
  const told = page.locator('.replay [aria-live]');
  assert.match(await told.textContent(), /Cavalier blanc posé sur e5/);
  await go(page, 'table/3');
  await page.locator('.table-view piece').first().waitFor();
  assert.match(await page.locator('.table-view').ariaSnapshot(), /img "Blancs.: roi /);
}

/** Runs in the page. */
function isFocused(element) {
  return element === document.activeElement;
}

function focused(page) {
  return page.evaluate(() => {
    const at = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const places = {
      '.bar': 'bar',
      '.tabs': 'tabs',
      '.queue': 'queue',
      '.sheet-acts': 'acts',
      '.editor': 'editor',
    };
    const place = Object.entries(places).find(([within]) => at.closest(within) !== null);
    return {
      name: at.tagName,
      id: at.closest('.alert')?.dataset.id ?? null,
      frame: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      place: place?.[1] ?? null,
    };
  });
}

/** Moves are made at several tables meanwhile, and told to the page. */
async function gameGoesOn(page) {
  const network = await page.context().newCDPSession(page);
  const tables = new Set();
  network.on('Network.webSocketFrameReceived', ({ response }) => {
    const text = Buffer.from(response.payloadData, 'base64').toString('latin1');
    for (const [, table] of text.matchAll(/table\/(\d+)\/position/g)) tables.add(table);
  });
  await network.send('Network.enable');
  await until(async () => tables.size >= 3, 'no moves are told');
  await network.detach();
}
