// What a hand does without meaning it: it taps twice, or taps where something has only just come.

import assert from 'node:assert/strict';
import { alertOf } from './alerts.mjs';
import { shoot } from './browser.mjs';
import { restedRow, until } from './checks.mjs';
import { go } from './tools.mjs';

/** A name of sixty letters without a gap, and one that has more words than a line. */
const LONG = { white: { name: 'W'.repeat(60) }, black: { name: `Black ${'long '.repeat(18)}` } };

/** Two taps as quick as a nervous thumb: nothing is ruled, entered or started by them. */
export async function tappedTwice(page, { own, url }) {
  own.hall.raise(alertOf('2-1-9', 2));
  const before = own.hall.asked.length;
  const sent = () => own.hall.asked.slice(before).map(({ verb }) => verb);
  for (const choice of [0, 1, 2]) {
    await page.goto(`${url}/arbiter#/alert/2-1-9`);
    await twice(page, page.locator('.decision .choice').nth(choice));
    await page.locator('.confirm .button').first().waitFor();
    await page.keyboard.press('Escape');
  }
  await go(page, 'table/1');
  await twice(page, page.locator('.table-tools [data-result="1-0"]'));
  await go(page, 'tables');
  await page.locator('.tables .papers button').first().click();
  await page.locator('.editor .confirm .button').first().waitFor();
  await twice(page, page.locator('.editor .confirm .button').first());
  // A second tap that is meant comes later, and is heard.
  await page.goto(`${url}/arbiter#/alert/2-1-9`);
  await page.locator('.decision .choice').nth(1).click();
  assert.deepEqual(sent(), [], 'a double tap has decided');
  await page.locator('.confirm .button').first().click();
  await until(() => sent().includes('rule'), 'a tap that was meant is not heard');
  assert.deepEqual(sent(), ['rule']);
}

/** Where it stands, whatever comes under the finger after the first tap. */
async function twice(page, target) {
  await target.waitFor();
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await target.boundingBox();
  await page.mouse.dblclick(x + width / 2, y + height / 2);
}

/** *Undo* stands on no button of the next alert, and says alone what was decided. */
export async function undoStandsAbove(page) {
  const illegal = page.locator('.alert', { hasText: /7\.5\./ });
  await illegal.nth(1).waitFor();
  const ids = await illegal.evaluateAll((rows) => rows.map((row) => row.dataset.id));
  await (await restedRow(page, ids[0])).click();
  await page.locator('.decision .choice').nth(1).click();
  await page.locator('.confirm .button').first().click();
  const line = page.locator('.undo');
  await line.waitFor();
  await until(async () => !(await page.locator('.said').isVisible()), 'it is said twice');
  await page.evaluate((id) => (location.hash = `#/alert/${id}`), ids[1]);
  await page.locator('.decision .choice').nth(1).waitFor();
  await until(() => clear(page), 'Undo stands on the buttons');
  await page.locator('.decision .choice').nth(1).click();
  await page.locator('.confirm .button').first().waitFor();
  await until(() => clear(page), 'Undo stands on the confirmation');
  assert.ok(await line.isVisible(), 'it is gone before that was seen');
  assert.equal(await page.evaluate(() => scrollY), 0, 'what is to be done is scrolled away');
  await shoot(page, `undo-above-${page.viewportSize().width}`);
  await page.keyboard.press('Escape');
}

/** Every button at the foot of the alert is what a tap in its middle would meet. */
function clear(page) {
  return page.locator('.sheet-acts button:visible').evaluateAll((buttons) =>
    buttons.every((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }),
  );
}

/** The browser's way back, and an alert that says more than before, drop nothing half written. */
export async function halfWritten(page, { own }) {
  own.hall.raise(alertOf('2-1-9', 2));
  await page.locator('.alert[data-id="2-1-9"]').waitFor();
  await page.evaluate(() => (location.hash = '#/alert/2-1-9'));
  await page.locator('.decision .choice').nth(1).click();
  const note = page.locator('.decision textarea');
  await note.fill('half a note');
  await page.goBack();
  await note.waitFor({ state: 'detached' });
  await page.goForward();
  await note.waitFor();
  assert.equal(await note.inputValue(), 'half a note', 'it is gone');
  own.hall.publish('alert/2-1-9', alertOf('2-1-9', 2, { text: { fr: 'Plus.', en: 'More.' } }));
  await page.locator('.alert-sheet h2', { hasText: 'Plus.' }).waitFor();
  assert.equal(await note.inputValue(), 'half a note', 'what came later has dropped it');
  await page.locator('.confirm .button').first().click();
  await until(() => own.hall.asked.some(({ verb }) => verb === 'rule'), 'it is not ruled');
  const { ruling, note: sent } = own.hall.asked.find(({ verb }) => verb === 'rule');
  assert.deepEqual([ruling, sent], ['dismissed', 'half a note']);
}

/** What one arbiter has begun is not the next one's to send. */
export async function anotherSignsIn(page, { own, watch }) {
  watch.tolerant = true;
  await signIn(page, 'Claire', own.passwords.Claire);
  const alert = page.locator('.alert', { hasText: /7\.5\./ }).first();
  await (await restedRow(page, await alert.getAttribute('data-id'))).click();
  await page.locator('.decision .choice').nth(1).click();
  await page.locator('.decision textarea').fill('half a note of Claire');
  await own.dismiss('Claire');
  await signIn(page, 'Bruno', own.passwords.Bruno);
  await page.locator('.decision .choice').first().waitFor();
  assert.equal(await page.locator('.decision textarea').count(), 0, 'his, though hers');
  await page.locator('.decision .choice').nth(1).click();
  assert.equal(await page.locator('.decision textarea').inputValue(), '');
}

async function signIn(page, name, password) {
  await page.locator('.sign-in form').waitFor();
  await page.fill('input[name=name]', name);
  await page.fill('input[name=password]', password);
  await page.click('.sign-in button[type=submit]');
  await page.locator('.sign-in form').waitFor({ state: 'hidden' });
}

/** No name cuts off a sentence or pushes a time out of sight. */
export async function namesBreak(page, { own, url }) {
  own.hall.seats(2, LONG);
  own.hall.raise(
    alertOf('2-1-9', 2, {
      players: LONG,
      facts: { clocks_ms: { white: 5_425_000, black: 5_427_000 } },
    }),
  );
  await page.locator('.alert[data-id="2-1-9"]').waitFor();
  await inside(page, '.alert[data-id="2-1-9"]', '.alert-body *');
  await page.goto(`${url}/arbiter#/alert/2-1-9`);
  await page.locator('.alert-player time').first().waitFor();
  await inside(page, '.alert-sheet', '.alert-player *');
  await go(page, 'table/2');
  await page.locator('.player-name', { hasText: 'WWW' }).first().waitFor();
  await inside(page, '.table-view', '.player *');
}

async function inside(page, around, parts) {
  const out = await page.locator(around).evaluateAll((all, selector) => {
    return all.flatMap((box) => {
      const { right } = box.getBoundingClientRect();
      const within = [...box.querySelectorAll(selector)];
      return within
        .filter((it) => it.getBoundingClientRect().right > right + 1)
        .map((it) => `${it.tagName} ${it.textContent.slice(0, 20)}`);
    });
  }, parts);
  assert.deepEqual(out, [], `beyond ${around}`);
}
