// WCAG 2.2 AA as far as axe can judge it, on every page and dialog, light and dark, both languages.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { shoot } from './browser.mjs';
import { openTool, TOOLS } from './tools.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * All of a page, or a part of it. Evaluated, not added as a script: the content security policy of
 * the pages stays in force.
 */
export async function accessible(page, within = null) {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    ([values, part]) => {
      const about = part === null ? document : { include: [part] };
      return window.axe.run(about, { runOnly: { type: 'tag', values } });
    },
    [TAGS, within],
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

/** Where colours are the reader's, squares, marks and buttons are still to be seen. */
export async function ownColours(page) {
  await page.goto(`${page.url().split('#')[0]}#/alert/3-1-7`);
  await page.locator('.replay cg-board piece').first().waitFor();
  await page.locator('cg-board square.mark-illegal').waitFor();
  await shoot(page, 'own-colours');
  const style = (what, of) =>
    page
      .locator(what)
      .first()
      .evaluate((it, key) => {
        return getComputedStyle(it)[key];
      }, of);
  assert.match(await style('.replay cg-board', 'backgroundImage'), /conic/, 'no squares');
  assert.match(await style('.mark-illegal', 'backgroundImage'), /linear/, 'no mark');
  const bare = await page.locator('button:visible').evaluateAll((all) => {
    const framed = ({ borderTopWidth, outlineStyle }) => {
      return parseFloat(borderTopWidth) > 0 || outlineStyle !== 'none';
    };
    const written = all.filter((it) => it.closest('.evidence') === null);
    return written.filter((it) => !framed(getComputedStyle(it))).map((it) => it.textContent);
  });
  assert.deepEqual(bare, [], 'buttons without a frame');
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
    ['#/results', '.results td'],
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
    assert.deepEqual(await tooWide(page), [], `${place} scrolls sideways`);
  });
}

/** What stands out on the right, where the page can be scrolled there. */
function tooWide(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth === clientWidth) return [];
    return [...document.body.querySelectorAll('*')]
      .filter((it) => it.getBoundingClientRect().right > clientWidth + 1)
      .map((it) => it.className || it.tagName)
      .concat(`${scrollWidth - clientWidth} px`);
  });
}

/** A reader who has doubled the letters gets letters of twice the size, all of them (1.4.4). */
export async function lettersDoubled(page) {
  await page.locator('.alert-link').first().waitFor();
  const usual = await lettersOf(page, '.alert-text');
  await doubled(page);
  await page.locator('.alert-link').first().waitFor();
  assert.equal(await lettersOf(page, '.alert-text'), 2 * usual, 'the letters stay small');
  const wrong = [];
  await everywhere(page, async (place) => {
    await page.waitForTimeout(400);
    await shoot(page, `letters-${page.viewportSize().width}-${place.replace(/\W+/g, '-')}`);
    const told = [...(await tooWide(page)), ...(await cutWords(page)), ...(await torn(page))];
    wrong.push(...told.map((what) => `${place}: ${what}`));
  });
  assert.deepEqual(wrong, [], 'something sticks out');
}

/** The same on the screens of the hall. */
export async function lettersDoubledInTheHall(page) {
  await page.locator('.board piece').first().waitFor();
  const name = '.player-name';
  const usual = await lettersOf(page, name);
  await doubled(page);
  await page.locator('.board piece').first().waitFor();
  await page.waitForTimeout(1500);
  const place = new URL(page.url()).pathname;
  await shoot(page, `letters-${page.viewportSize().width}${place.replace(/\W+/g, '-')}`);
  const now = await lettersOf(page, name);
  assert.ok(now >= 1.6 * usual, `${place}: ${usual} px became ${now} px`);
  assert.deepEqual(await tooWide(page), [], `${place} scrolls sideways`);
  assert.deepEqual(await cutWords(page), [], `${place}: words stick out`);
  assert.deepEqual(await torn(page), [], `${place}: names are torn`);
}

/** As in the settings of the browser. */
async function doubled(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await page.reload();
}

/** In one go: what has been found may be drawn anew. */
function lettersOf(page, what) {
  return page.evaluate((of) => {
    return parseFloat(getComputedStyle(document.querySelector(of)).fontSize);
  }, what);
}

/** What is written on a button, or in a line, and does not stay within it. */
function cutWords(page) {
  return page.evaluate(() => {
    const written = document.querySelectorAll('button, a, h2, h3, label, summary, .sheet-head b');
    return [...written]
      .filter((it) => it.offsetParent !== null && it.closest('.tile, .visually-hidden') === null)
      .filter((it) => it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0)
      .map((it) => `${it.className || it.tagName}: ${it.textContent.slice(0, 40)}`);
  });
}

/** Names that go on in the next line in the middle of a word. */
function torn(page) {
  return page.evaluate(() => {
    const names = document.querySelectorAll('.player-name, .alert-player span');
    return [...names].flatMap(({ firstChild: text }) => {
      const words = [...(text?.nodeType === 3 ? text.data : '').matchAll(/[^\s-]+/g)];
      const range = document.createRange();
      return words.flatMap(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1 ? [`${word} is torn`] : [];
      });
    });
  });
}
