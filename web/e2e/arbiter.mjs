// What the arbiter's page must do.

import assert from 'node:assert/strict';
import { shoot } from './browser.mjs';
import { appears, gravityOrder, smallTargets, until } from './checks.mjs';

export async function arbiterAcknowledges(page, { external }) {
  await page.locator('.desk h2').first().waitFor();
  const open = page.locator('.alert[data-state=open]');
  if (!(await appears(open.first()))) {
    assert.ok(external, 'no open alert');
    return 'SKIPPED: this server has no open alert';
  }
  await page.waitForTimeout(2000);
  await gravityOrder(page);
  await smallTargets(page);
  await shoot(page, 'arbiter-tablet');
  const settled = page.locator('.is-settled .alert');
  const before = await settled.count();
  await open.last().locator('.button').click();
  await until(async () => (await settled.count()) > before, 'not acknowledged');
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await shoot(page, 'arbiter-acknowledged');
}

export async function arbiterInTheDark(page) {
  await page.locator('.desk h2').first().waitFor();
  await page.waitForTimeout(1500);
  await shoot(page, 'arbiter-dark');
}

/** While the page has no connection one alert is closed: it must not come back to life. */
export async function staleAlert(page, { watch, own }) {
  const illegal = page.locator('.alert h3', { hasText: /illég|illeg/ });
  await illegal.first().waitFor();
  const before = await page.locator('.alert').count();
  watch.tolerant = true;
  own.site.cut(true);
  await page.locator('.status[data-mood=stale]').waitFor();
  own.hall.publish('alert/illegal-3-7', null);
  own.site.cut(false);
  await page.locator('.status[data-mood=live]').waitFor();
  await until(async () => (await page.locator('.alert').count()) === before - 1, 'it stays');
}

/** The form appears, refuses a wrong password, keeps the name and lets the arbiter in. */
export async function signingIn(page, { watch }) {
  watch.tolerant = true;
  await page.fill('input[name=name]', 'Jane');
  await page.fill('input[name=password]', 'wrong');
  await page.click('button[type=submit]');
  await page.locator('.sign-in .error').waitFor();
  await shoot(page, 'sign-in');
  await page.fill('input[name=password]', 'kibitz');
  await page.click('button[type=submit]');
  await page.locator('.alert').first().waitFor();
}
