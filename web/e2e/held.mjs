// The queue under a hand: what is tapped is what was meant, however fast alerts come.

import assert from 'node:assert/strict';
import { alertOf } from './alerts.mjs';
import { shoot } from './browser.mjs';
import { reads, smallTargets, until } from './checks.mjs';

const TAPS = 25;
/** How long an alert is waited for that must not come into the list, in ms. */
const MEANWHILE_MS = 600;

function raise(own, number) {
  // The later ones stand above, also where they come within the same millisecond.
  const opened_at = new Date(Date.now() + number * 10).toISOString();
  own.hall.raise(alertOf(`9-1-${number}`, 9, { opened_at }));
  return `9-1-${number}`;
}

const row = (page, id) => page.locator(`.alert[data-id="${id}"]`);

async function top(page, id) {
  return Math.round((await row(page, id).boundingBox()).y);
}

/** A finger that rests, and a list that is scrolled: nothing moves, and what came is counted. */
export async function queueHeld(page, { own }) {
  // The last of those that the hall itself raises.
  await page.locator('.alert[data-id="5-1-31"]').waitFor();
  const before = Array.from({ length: 8 }, (_, index) => raise(own, index + 1));
  await row(page, before.at(-1)).waitFor();
  const news = page.locator('.queue-news button');
  const target = before[6];
  const { x, y, width, height } = await row(page, target).boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  const came = [21, 22, 23].map((number) => raise(own, number));
  await until(async () => /^3 (nouvelles|new) ↑$/.test(await news.innerText()), 'not counted');
  own.hall.publish(`alert/${before[7]}`, null);
  await row(page, before[7]).and(page.locator('[data-gone]')).waitFor();
  assert.equal(await top(page, target), Math.round(y), 'it has moved under the finger');
  // A move is made at its table meanwhile: the row that is pressed stays the same one.
  await row(page, target).evaluate((it) => (it.pressed = true));
  own.hall.again('table/9/game');
  await page.waitForTimeout(MEANWHILE_MS);
  assert.ok(await row(page, target).evaluate((it) => it.pressed), 'it was drawn anew');
  await shoot(page, 'queue-held');
  await smallTargets(page);
  await page.mouse.up();
  await until(async () => page.url().endsWith(`#/alert/${target}`), 'another one was opened');

  await page.evaluate(() => (location.hash = '#/'));
  await row(page, came[2]).waitFor();
  await page.mouse.move(1, 1);
  await page.mouse.wheel(0, 400);
  await until(() => page.evaluate(() => scrollY > 100), 'there is nothing to scroll');
  await page.waitForTimeout(MEANWHILE_MS);
  const at = await top(page, target);
  const last = raise(own, 31);
  await news.waitFor();
  await reads(news, /^1 (nouvelle|new) ↑$/);
  assert.equal(await top(page, target), at, 'it moved though the list is scrolled');
  assert.equal(await row(page, last).count(), 0);
  await news.click();
  await row(page, last).waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.equal(await news.isVisible(), false);
}

/** Taps that set out just before another alert came in above: each opens what it was meant for. */
export async function tapsAreMeant(page, { own }) {
  await page.locator('.alert[data-id="5-1-31"]').waitFor();
  Array.from({ length: 6 }, (_, index) => raise(own, index + 1));
  await row(page, '9-1-6').waitFor();
  const wrong = [];
  for (let tap = 0; tap < TAPS; tap += 1) {
    await page.evaluate(tapOnceMoved, 1 + (tap % 3));
    raise(own, 100 + tap);
    const [id, opened] = await page.evaluate(() => window.tapped);
    if (opened !== `#/alert/${id}`) wrong.push([id, opened]);
    await page.evaluate(() => (location.hash = '#/'));
    await row(page, `9-1-${100 + tap}`).waitFor();
  }
  assert.deepEqual(wrong, [], `${wrong.length} of ${TAPS} taps opened another table`);
}

/** Runs in the page: where this row stands now, it is tapped as soon as another has come above. */
function tapOnceMoved(index) {
  const rows = () => [...document.querySelectorAll('.queue .alert')];
  const { id } = rows()[index].dataset;
  const { x, y, width, height } = rows()[index].getBoundingClientRect();
  const [clientX, clientY] = [x + width / 2, y + height / 2];
  const first = rows()[0].dataset.id;
  window.tapped = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (rows()[0].dataset.id === first) return;
      observer.disconnect();
      const target = document.elementFromPoint(clientX, clientY);
      const about = { bubbles: true, cancelable: true, detail: 1, clientX, clientY };
      target.dispatchEvent(new MouseEvent('click', about));
      setTimeout(() => resolve([id, location.hash]), 50);
    });
    observer.observe(document.querySelector('.queue'), { subtree: true, childList: true });
  });
}

/** Alerts whose players are gone are folded, and cleared together by two taps. */
export async function earlierCleared(page, { own }) {
  await page.locator('.alert[data-id="5-1-31"]').waitFor();
  const past = [1, 2, 3];
  past.forEach((n) => own.hall.raise(alertOf(`9-1-${n}`, 9, { earlier_game: true })));
  // A result that is missing can still be entered: that one stays in sight.
  const mend = [{ verb: 'set_result', body: { table: 9, game: 1, result: '1-0' } }];
  own.hall.raise(alertOf('9-1-4', 9, { earlier_game: true, mend }));
  await row(page, '9-1-4').waitFor();
  const folded = page.locator('details.notes:not(.is-elsewhere)').first();
  await until(async () => /\(3\)/.test(await folded.locator('summary').innerText()), 'not folded');
  assert.equal(await row(page, '9-1-1').isVisible(), false);
  await folded.locator('summary').click();
  await row(page, '9-1-1').waitFor();
  await smallTargets(page);
  await shoot(page, 'earlier-folded');
  // As on a low screen: the list is scrolled, and so held in its order.
  await page.setViewportSize({ width: 600, height: 500 });
  await folded.locator('.clear-together button').click();
  assert.ok(await page.evaluate(() => scrollY > 100), 'there is nothing to scroll');
  await folded.locator('.confirm .button').first().click();
  await folded.waitFor({ state: 'hidden' });
  const ruled = own.hall.asked.map(({ alert, ruling }) => [alert, ruling]);
  assert.deepEqual(
    ruled.sort(),
    past.map((n) => [`9-1-${n}`, 'noted']),
  );
  assert.ok(await row(page, '9-1-4').isVisible());
}
