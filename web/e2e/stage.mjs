// Runs scenarios: several halls side by side, and in a hall one scenario after another, as they
// share what is in it.

import assert from 'node:assert/strict';
import { NAMED, severable, shoot, watchedPage } from './browser.mjs';
import { PATIENCE } from './checks.mjs';
import { observe } from './observer.mjs';

/** What a failed scenario had in sight that may say why. */
const SIGNS = '.status, .error, .said, .afterwards, .tool-answer, [role=alert]';

/**
 * `halls`: each with `open`, which gives `{ url, stop }` and whatever its scenarios need, and its
 * `scenarios`: a name, a device, a path and a check of the page there; or, where they open pages
 * of their own, a name and a check of the hall. `wanted`: whether a name is to be tried.
 */
export async function play(browser, halls, { lanes, wanted }) {
  const count = { passed: 0, failed: 0 };
  const left = halls
    .map(({ open, scenarios }) => ({ open, chosen: scenarios.filter(([name]) => wanted(name)) }))
    .filter(({ chosen }) => chosen.length > 0);
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      await playHall(browser, next, count);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return count;
}

async function playHall(browser, { open, chosen }, count) {
  let hall = null;
  try {
    hall = await open();
  } catch (error) {
    count.failed += chosen.length;
    chosen.forEach(([name]) => console.error(`FAIL  ${name}: its hall did not open`));
    console.error(error.stack);
    return;
  }
  try {
    for (const scenario of chosen) await playOne(browser, hall, scenario, count);
  } finally {
    await hall.stop();
  }
}

async function playOne(browser, hall, [name, ...scenario], count) {
  const begun = Date.now();
  const took = () => `${((Date.now() - begun) / 1000).toFixed(1)} s`;
  try {
    const [first] = scenario;
    const pages = scenario.length > 1;
    const remark = await (pages ? onPage(browser, hall, scenario) : first(hall));
    count.passed += 1;
    console.log(`ok    ${name}, ${took()}${remark ? ` (${remark})` : ''}`);
  } catch (error) {
    count.failed += 1;
    console.error(`FAIL  ${name}, ${took()}\n${error.stack}`);
    if (error.page) await tellOf(error.page, `failed-${count.failed}`);
  } finally {
    // A failed page is kept until it has been looked at.
    await Promise.all(hall.pages?.splice(0).map((close) => close()) ?? []);
  }
}

/** Console errors and foreign requests fail a check too. */
async function onPage(browser, hall, [device, path, check]) {
  const url = device.named ? hall.url.replace('127.0.0.1', NAMED) : hall.url;
  hall.pages ??= [];
  const open = async () => {
    const opened = await watchedPage(browser, url, device);
    hall.pages.push(opened.close);
    opened.page.setDefaultTimeout(PATIENCE);
    return opened;
  };
  const { page, watch } = await open();
  const heard = await observe(hall.url);
  hall.pages.push(heard.stop);
  const another = async (address) => {
    const other = await open();
    await other.page.goto(address);
    return other.page;
  };
  try {
    const line = hall.foreign ? await severable(page) : null;
    await page.goto(url + path);
    const remark = await check(page, { watch, own: hall, line, url, another, hall: heard });
    assert.deepEqual(watch.errors, [], 'errors on the console');
    assert.deepEqual(watch.strangers, [], 'requests to other hosts');
    return remark;
  } catch (error) {
    throw Object.assign(error, { page });
  }
}

async function tellOf(page, name) {
  try {
    const told = await page.locator(SIGNS).locator('visible=true').allInnerTexts();
    console.error(`  at ${page.url()} it says: ${told.filter(Boolean).join(' | ')}`);
    await shoot(page, name);
  } catch (error) {
    console.error(`  no picture: ${error.message}`);
  }
}
