// A slip of the finger is taken back with one tap, and after a while no longer.

import assert from 'node:assert/strict';
import { accessible } from './access.mjs';
import { shoot } from './browser.mjs';
import { reads, restedRow, smallTargets, until } from './checks.mjs';

/** What the line says, and what the decisions say afterwards. */
const WORDS = {
  en: { dismissed: /^Table \d+: dismissed/i, undo: 'Undo', undone: /undone/ },
  fr: { dismissed: /^Table \d+\s: rejetée/i, undo: 'Annuler', undone: /annulé/ },
  es: { dismissed: /^Mesa \d+: descartada/i, undo: 'Deshacer', undone: /deshecho/ },
};
/** An alert is opened, ruled on with two taps, and that is taken back with one. */
const TAPS = 4;
const OFFERED_MS = 10_000;

/** On a device with a language, by light or in the dark. */
export function ruledByMistake(name, language) {
  return async (page, { url, another }) => {
    let taps = 0;
    const tap = async (where) => {
      taps += 1;
      await where.click();
    };
    const words = WORDS[language];
    const line = page.locator('.undo');
    const id = await page
      .locator('.alert', { hasText: /7\.5\./ })
      .first()
      .getAttribute('data-id');
    const other = await another(`${url}/arbiter`);
    await other.locator(`.alert[data-id="${id}"]`).waitFor();
    await tap(await restedRow(page, id));
    await tap(page.locator('.decision .choice').nth(1));
    await tap(page.locator('.confirm .button').first());
    await page.locator('.alert-sheet[data-state=closed]').waitFor();
    await line.waitFor();
    await reads(line.locator('span'), words.dismissed);
    assert.equal(await line.locator('button').innerText(), words.undo);
    await shoot(page, `undo-${name}`);
    // Whoever is signed in elsewhere by the same name sees it too.
    await other.locator('.undo').waitFor();
    await tap(line.locator('button'));
    await line.waitFor({ state: 'hidden' });
    await page.locator('.alert-sheet:not([data-state=closed]) .decision .choice').first().waitFor();
    assert.equal(taps, TAPS, 'taps from the queue to a ruling that was taken back');
    await other.locator('.undo').waitFor({ state: 'hidden' });
    await other.locator(`.alert[data-id="${id}"]`).waitFor();

    await page.locator('.decision .choice').nth(2).click();
    await page.locator('.confirm .button').first().click();
    await line.waitFor();
    const since = Date.now();
    await accessible(page, '.undo');
    await smallTargets(page);
    await line.waitFor({ state: 'hidden' });
    const offered = Date.now() - since;
    assert.ok(offered > OFFERED_MS - 2500 && offered < OFFERED_MS + 1500, `${offered} ms`);
    await page.goto(`${url}/arbiter#/journal`);
    const told = page.locator('.journal tr', { hasText: words.undone });
    await until(async () => (await told.count()) > 0, 'the decisions do not say it');
    return `${taps} taps, offered for ${(offered / 1000).toFixed(1)} s`;
  };
}

/** So long is each message of the page on its way to the daemon, in ms. */
const SLOW_MS = 2500;

/** However slow the network, what one tap has given and upheld is taken back with one tap. */
export async function undoneOnASlowNetwork(page, { another, url }) {
  await page.routeWebSocket(/\/mqtt$/, (route) => {
    const server = route.connectToServer();
    route.onMessage((message) => setTimeout(() => server.send(message), SLOW_MS));
  });
  await page.reload();
  const row = page.locator('.alert', { hasText: /7\.5\./ }).first();
  const id = await row.getAttribute('data-id');
  const other = await another(`${url}/arbiter#/alert/${id}`);
  await (await restedRow(page, id)).click();
  await page.locator('.setting .button').click();
  await page.locator('.is-settling .button').first().click();
  // The time is written down, and the ruling on its way: nothing of it is offered yet.
  await other.locator('.undo').waitFor();
  assert.equal(await page.locator('.undo').isVisible(), false, 'half of it is offered');
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  const undo = page.locator('.undo');
  await undo.waitFor();
  assert.equal((await undo.locator('span').innerText()).split(', ').length, 2, 'not both');
  await undo.locator('button').click();
  await page.locator('.alert-sheet:not([data-state=closed]) .setting .button').waitFor();
  await until(async () => !(await undo.isVisible()), 'a second tap is asked for');
  await other.locator('.undo').waitFor({ state: 'hidden' });
}
