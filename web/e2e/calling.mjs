// How an alert calls the arbiter: bell and shake, what is read out, the time that runs out.

import assert from 'node:assert/strict';
import { alertOf } from './alerts.mjs';
import { shoot } from './browser.mjs';
import { reads, until } from './checks.mjs';

/** Off until it is tapped; then for each new summons, also for one that came while away. */
export async function bellRings(page, { watch, own }) {
  await page.addInitScript(listenToBell);
  await page.reload();
  const summons = page.locator('.alert[data-gravity=summon]');
  await until(async () => (await summons.count()) === 2, 'not the summons of the hall');
  await page.locator('.stage:not([aria-busy])').waitFor();
  await raised(page, own, alert('1-1-9', 1, 'summon'));
  assert.deepEqual(await heard(page), { notes: 0, shakes: 0 }, 'it rings though nobody wants it');
  assert.match(await readOut(page, 'assertive'), /Table 1.*Coup illégal/, 'it is not read out');

  const bell = page.locator('.bar-tools button').first();
  await until(async () => (await bell.getAttribute('aria-pressed')) === 'false', 'it is on');
  await bell.click();
  assert.equal(await bell.getAttribute('aria-pressed'), 'true');
  const tried = await heard(page);
  assert.ok(tried.notes > 0 && tried.shakes === 1, 'whoever switches it on does not hear it');

  await raised(page, own, alert('2-1-9', 2, 'summon'));
  const rung = await heard(page);
  assert.ok(rung.notes > tried.notes && rung.shakes === 2, `a summons does not ring: ${rung}`);
  await raised(page, own, alert('4-1-9', 4, 'look'));
  assert.match(await readOut(page, 'polite'), /Table 4/);
  assert.deepEqual(await heard(page), rung, 'it rings for what is no summons');
  own.hall.publish('alert/2-1-9', alert('2-1-9', 2, 'look'));
  await page.locator('.alert[data-id="2-1-9"][data-gravity=look]').waitFor();
  assert.match(await readOut(page, 'polite'), /^Table 4/, 'what is less grave is read out');

  watch.tolerant = true;
  own.site.cut(true);
  await page.locator('.status[data-mood=stale]').waitFor();
  own.hall.publish('alert/7-1-9', alert('7-1-9', 7, 'summon'));
  own.site.cut(false);
  await page.locator('.alert[data-id="7-1-9"]').waitFor();
  await until(async () => (await heard(page)).shakes === 3, 'what came meanwhile does not ring');
  const said = await readOut(page, 'assertive');
  assert.match(said, /^Table 7/);
  assert.doesNotMatch(said, /Table [^7]/, 'others are read out again');

  await bell.click();
  await raised(page, own, alert('6-1-9', 6, 'summon'));
  assert.equal((await heard(page)).shakes, 3, 'it rings though it was switched off');
  await bell.click();
  // A page out of sight is given no frames to draw.
  await page.evaluate(() => (window.requestAnimationFrame = () => 0));
  const title = await page.title();
  own.hall.publish('alert/10-1-9', alert('10-1-9', 10, 'summon'));
  await until(async () => (await heard(page)).shakes === 5, 'out of sight it does not ring');
  assert.notEqual(await page.title(), title);
  await page.reload();
  const silent = async () => (await bell.getAttribute('aria-pressed')) === 'false';
  await until(silent, 'a page needs a tap of its own');
  // It was on when the page was left: any touch will do, and it is on again.
  await page.locator('.queue h2').first().click();
  await until(async () => !(await silent()), 'it has forgotten that it was on');
  await bell.click();
  await page.reload();
  await bell.waitFor();
  await page.locator('.queue h2').first().click();
  assert.ok(await silent(), 'it has forgotten that it was switched off');
  assert.equal(
    await page.locator('.bell-off').isVisible(),
    false,
    'who left it off is asked again',
  );
}

/** Runs in the page: what sounds and shakes. */
function listenToBell() {
  window.bellHeard = { notes: 0, shakes: 0 };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.bellHeard.notes += 1;
    return start.apply(this, when);
  };
  navigator.vibrate = () => {
    window.bellHeard.shakes += 1;
    return true;
  };
}

function heard(page) {
  return page.evaluate(() => window.bellHeard);
}

function readOut(page, politeness) {
  return page.locator(`main > [aria-live=${politeness}]`).innerText();
}

async function raised(page, own, told) {
  own.hall.publish(`alert/${told.id}`, told);
  await page.locator(`.alert[data-id="${told.id}"]`).waitFor();
}

/** Where the queue has no room beside it: a summons that comes while something else is open. */
export async function summonsWhileOpen(page, { own }) {
  // The last of those that the hall itself raises.
  await page.locator('.alert[data-id="5-1-31"]').waitFor();
  await page.locator('.stage:not([aria-busy])').waitFor();
  const silent = page.locator('.bell-off');
  await reads(silent, /sonnerie.*coupée|bell is off/i, 'nothing says it is off');
  await page.evaluate(() => (location.hash = '#/alert/3-1-7'));
  const heading = page.locator('.alert-sheet h2');
  await heading.waitFor();
  const strip = page.locator('.newcomers');
  assert.equal(await strip.isVisible(), false, 'what was in the queue is told as new');
  const before = await heading.boundingBox();

  own.hall.publish('alert/7-1-9', alert('7-1-9', 7, 'summon'));
  await strip.waitFor();
  const told = await strip.innerText();
  assert.match(told, /^1 (nouvelle intervention|new summons) · (sonnerie coupée|bell off)/);
  assert.match(told, /Table 7\s*:\s*(Coup illégal|Illegal move)/);
  assert.match(await readOut(page, 'assertive'), /Table 7/, 'it is not read out');
  assert.deepEqual(await heading.boundingBox(), before, 'what is under the finger has moved');
  await page.mouse.wheel(0, 600);
  const { y } = await strip.boundingBox();
  assert.ok(y >= 0 && y < 20, `scrolled out of sight, to ${y}`);
  await shoot(page, `summons-while-open-${page.viewportSize().width}`);
  await strip.locator('a').click();
  await until(async () => page.url().endsWith('#/alert/7-1-9'), 'it does not lead there');
  await strip.waitFor({ state: 'hidden' });

  own.hall.publish('alert/1-1-9', alert('1-1-9', 1, 'summon'));
  own.hall.publish('alert/2-1-9', alert('2-1-9', 2, 'look'));
  own.hall.publish('alert/12-1-9', alert('12-1-9', 12, 'summon'));
  const both = /^2 (nouvelles interventions|new summonses).*Tables 1, 12$/s;
  await until(async () => both.test(await strip.innerText()), 'two are not counted');
  await page.evaluate(() => (location.hash = '#/tables'));
  await page.locator('.table-list').first().waitFor();
  await reads(strip, both, 'other places do not tell of them');
  const language = await page.locator('.bar-tools [lang]').boundingBox();
  const { x, width } = await strip.boundingBox();
  const wide = page.viewportSize().width >= 600;
  assert.ok(!wide || x + width < language.x - 88, 'it stands over the tools of the bar');
  await strip.locator('button').click();
  const bell = page.locator('.bar-tools button').first();
  assert.equal(await bell.getAttribute('aria-pressed'), 'true', 'the bell is still off');
  assert.equal(await strip.locator('button').isVisible(), false);
  assert.doesNotMatch(await strip.innerText(), /coupée|bell off/);
  // Another arbiter rules on one of them.
  own.hall.publish('alert/12-1-9', null);
  await until(async () => /^1 .*Table 1\b/s.test(await strip.innerText()), 'a closed one is told');
  await page.evaluate(() => (location.hash = '#/'));
  await strip.waitFor({ state: 'hidden' });
  assert.equal(await silent.isVisible(), false, 'it is on, and said to be off');
  await page.evaluate(() => (location.hash = '#/alert/3-1-7'));
  await heading.waitFor();
  assert.equal(await strip.isVisible(), false, 'what was seen in the queue is told again');
}

/** The time in which can be acted is told, and drawn as a bar that gets shorter. */
export async function windowCloses(page, { own }) {
  await page.locator('.alert').first().waitFor();
  const opened = Date.now() - 8000;
  const lapses_at = new Date(opened + 20_000).toISOString();
  const opened_at = new Date(opened).toISOString();
  await raised(page, own, { ...alert('9-1-9', 9, 'look'), opened_at, lapses_at });
  const row = page.locator('.alert[data-id="9-1-9"]');
  const told = async () => Number(/expire dans 0:(\d\d)/.exec(await row.innerText())?.[1]);
  const share = () =>
    row.locator('.alert-window').evaluate((bar) => {
      return parseFloat(getComputedStyle(bar, '::before').width) / bar.clientWidth;
    });
  const [seconds, left] = [await told(), await share()];
  assert.ok(seconds > 6 && seconds <= 12, `lapses in ${seconds} s`);
  assert.ok(Math.abs(left - seconds / 20) < 0.1, `${left} of the bar for ${seconds} s of 20`);
  await shoot(page, 'alert-window');
  await until(async () => (await told()) <= seconds - 3, 'the seconds do not run');
  const less = await share();
  assert.ok(less < left - 0.1 && less > 0, `the bar went from ${left} to ${less}`);
  own.hall.publish('alert/9-1-9', { ...alert('9-1-9', 9, 'look', 'lapsed'), opened_at, lapses_at });
  await page.locator('.is-settled .alert[data-id="9-1-9"][data-state=lapsed]').waitFor();
  assert.equal(await row.locator('.alert-window').isVisible(), false, 'a bar of no time');
  const endless = page.locator('.alert[data-id="3-1-7"] .alert-window');
  assert.equal(await endless.isVisible(), false, 'a bar though nothing runs out');
}

function alert(id, table, gravity, state = 'open') {
  const text = { en: 'Illegal move: the rook.', fr: 'Coup illégal : la tour.' };
  return alertOf(id, table, { gravity, state, text });
}
