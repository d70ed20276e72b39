// WCAG 2.2 AA as far as axe can judge it, on every page, light and dark.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Evaluated, not added as a script: the content security policy of the pages stays in force. */
export async function accessible(page) {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (values) => window.axe.run(document, { runOnly: { type: 'tag', values } }),
    TAGS,
  );
  const told = violations.map(({ id, nodes }) => {
    const each = ({ html, failureSummary }) => `  ${html.slice(0, 160)}\n  ${failureSummary}`;
    return `${id} (${nodes.length})\n${nodes.slice(0, 3).map(each).join('\n')}`;
  });
  assert.deepEqual(told, [], `not accessible: ${page.url()}`);
}

export async function hallAccessible(page) {
  await page.locator('.board piece').first().waitFor();
  await page.waitForTimeout(2000);
  await accessible(page);
}

/** Every place of the arbiter's page. */
export async function arbiterAccessible(page) {
  const base = page.url().split('#')[0];
  await page.locator('.alert-link').first().waitFor();
  await accessible(page);
  const alert = await page.locator('.alert-link').first().getAttribute('href');
  const places = [
    [alert, '.alert-sheet'],
    ['#/tables', '.table-list a'],
    ['#/journal', '.journal tr[data-what]'],
    ['#/table/2', '.table-view piece'],
  ];
  for (const [place, ready] of places) {
    await page.goto(base + place);
    await page.locator(ready).first().waitFor();
    await page.waitForTimeout(800);
    await accessible(page);
  }
  await page.locator('.tool-row button').first().click();
  await page.locator('.editor piece').first().waitFor();
  await accessible(page);
}

/** Nothing is wider than the screen, not even on the smallest phone (1.4.10). */
export async function nothingSticksOut(page) {
  const base = page.url().split('#')[0];
  await page.locator('.alert-link').first().waitFor();
  const alert = await page.locator('.alert-link').first().getAttribute('href');
  for (const place of ['#/', alert, '#/tables', '#/table/2', '#/journal']) {
    await page.goto(base + place);
    await page.waitForTimeout(1200);
    const wide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    assert.equal(wide, 0, `${place} scrolls sideways`);
  }
}
