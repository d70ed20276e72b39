// WCAG 2.2 AA as far as axe can judge it, on every page and dialog, light and dark, both languages.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { openTool, TOOLS } from './tools.mjs';

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

/** Goes through every place of the arbiter's page and every dialog in it. */
async function everywhere(page, check) {
  const base = page.url().split('#')[0];
  await page.locator('.alert-link').first().waitFor();
  await check('#/');
  const places = [
    ['#/alert/3-1-7', '.alert-sheet .replay piece'],
    ['#/tables', '.table-list a'],
    ['#/times', '.time-sheet td'],
    ['#/penalties', '.ledgers a'],
    ['#/journal', '.journal tr[data-what]'],
    ['#/table/3', '.table-view piece'],
  ];
  for (const [place, ready] of places) {
    await page.goto(base + place);
    await page.locator(ready).first().waitFor();
    await page.waitForTimeout(800);
    await check(place);
  }
  await page.goto(`${base}#/alert/3-1-7`);
  await page.locator('.choice').first().click();
  await check('a ruling');
  for (const tool of TOOLS) {
    await openTool(page, 2, tool);
    await check(tool);
  }
  await page.goto(`${base}#/tables`);
  await page.locator('.papers button').first().click();
  await page.locator('.tables .editor').waitFor();
  await check('start_round');
}

export function arbiterAccessible(page) {
  return everywhere(page, () => accessible(page));
}

/** Nothing is wider than the screen, not even on the smallest phone (1.4.10). */
export function nothingSticksOut(page) {
  return everywhere(page, async (place) => {
    await page.waitForTimeout(400);
    const wide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    assert.equal(wide, 0, `${place} scrolls sideways`);
  });
}
