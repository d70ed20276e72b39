// A tablet with tables of its own, where time is shortest, and a network that is dead.

import assert from 'node:assert/strict';
import { accessible } from './access.mjs';
import { alertOf } from './alerts.mjs';
import { shoot } from './browser.mjs';
import { reads, smallTargets, until } from './checks.mjs';

const LEFT_ALONE_MS = 30_000;
const DEAD_MS = 3000;

/** It shows its own and folds the rest; what nobody has gone to becomes everybody's. */
export function ownTables(name) {
  return async (page, { own }) => {
    await page.locator('.alert[data-id="5-1-31"]').waitFor();
    // One tap opens the line, a second one keeps what is written.
    await page.locator('.sector summary').click();
    await page.locator('.sector input').fill('1-4');
    await page.locator('.sector-do .button').first().click();
    const lists = page.locator('.queue-lists > div, .queue-lists > .alerts').first();
    await lists.locator('.alert[data-id="5-1-31"]').waitFor({ state: 'detached' });
    own.hall.raise(alertOf('2-1-9', 2));
    await lists.locator('.alert[data-id="2-1-9"]').waitFor();
    const title = await page.title();
    own.hall.raise(alertOf('6-1-9', 6));
    const folded = page.locator('details.notes', { has: page.locator('[data-id="6-1-9"]') });
    await folded.waitFor({ state: 'attached' });
    await reads(folded.locator('summary'), /\(\d+\)$/);
    assert.equal(await lists.locator('.alert[data-id="6-1-9"]').count(), 0);
    assert.equal(await page.title(), title, 'it calls for a table that is another arbiter’s');
    await accessible(page);
    await smallTargets(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    await shoot(page, `sector-${name}`);
    // It was raised almost half a minute ago, and nobody is on the way.
    const opened_at = new Date(Date.now() - LEFT_ALONE_MS + 4000).toISOString();
    own.hall.raise(alertOf('7-1-9', 7, { opened_at }));
    assert.equal(await lists.locator('.alert[data-id="7-1-9"]').count(), 0, 'at once');
    await lists.locator('.alert[data-id="7-1-9"]').waitFor();
    assert.notEqual(await page.title(), title, 'it does not call');
    await page.reload();
    await lists.locator('.alert[data-id="2-1-9"]').waitFor();
    await reads(page.locator('.sector summary'), /1-4/, 'it is forgotten');
  };
}

function shortOfTime(table, index) {
  const [white, black] = ['white', 'black'];
  const left_ms = 20_000 + 7000 * index;
  return {
    table,
    side: index % 2 ? black : white,
    left_ms,
    counting: false,
    moves_to_make: 3 + index,
  };
}

/** Eight boards with big clocks; on a screen of the arbiters without anything to press. */
export function worstTables(name) {
  return async (page, { own }) => {
    const players = [3, 8, 1, 12, 5, 7, 2, 10, 4, 6].map(shortOfTime);
    own.hall.publish('arbiter/watch_list', { players });
    if (!name.startsWith('screen')) {
      await page.locator('.tabs a').nth(1).click();
      await page.locator('.papers a[href="#/time"]').click();
    }
    const tiles = page.locator('.trouble-list li');
    await until(async () => (await tiles.count()) === 8, 'not eight tables');
    const order = () => tiles.evaluateAll((all) => all.map((it) => it.dataset.table));
    assert.deepEqual(await order(), ['3', '8', '1', '12', '5', '7', '2', '10']);
    await page.locator('.trouble-list .board piece').first().waitFor();
    await accessible(page);
    await page.waitForTimeout(600);
    await shoot(page, `time-${name}`);
    own.hall.publish('arbiter/watch_list', { players: players.slice(1, 9).reverse() });
    await until(async () => !(await order()).includes('3'), 'who is out of trouble stays');
    const after = await order();
    const rest = ['8', '1', '12', '5', '7', '2', '10'];
    assert.deepEqual(after, ['4', ...rest], 'a board has changed its place');
    own.hall.publish('arbiter/watch_list', { players: [] });
    await until(async () => (await tiles.count()) === 0, 'they stay');
    // The page says so once it has heard of all tables.
    await until(async () => (await page.locator('.trouble .none').innerText()) !== '', 'nobody');
  };
}

/** The connection stays open, and nothing comes any more. */
export async function deadNetwork(page, { watch }) {
  let dead = false;
  await page.routeWebSocket(/\/mqtt$/, (route) => {
    const server = route.connectToServer();
    server.onMessage((message) => dead || route.send(message));
    route.onMessage((message) => dead || server.send(message));
  });
  await page.reload();
  await page.locator('.alert-link').first().waitFor();
  await page.locator('.status:not([data-mood=stale])').waitFor();
  watch.tolerant = true;
  const begun = Date.now();
  dead = true;
  await page.locator('.status[data-mood=stale]').waitFor();
  const took = Date.now() - begun;
  assert.ok(took <= DEAD_MS, `it says so after ${took} ms`);
  await reads(page.locator('.status'), /\d:\d\d/);
  dead = false;
  await page.locator('.status:not([data-mood=stale])').waitFor();
  return `${took} ms`;
}
