// What an arbiter does at a table, counted: how often a finger taps, and how often it scrolls.

import assert from 'node:assert/strict';
import { said, until } from './checks.mjs';
import { thinks } from './observer.mjs';
import { go } from './tools.mjs';

/** From the page of a table: the claim, what is claimed, the check, and what follows from it. */
const CLAIM = { taps: 4, scrolls: 1 };
/** The result, and that it is meant. */
const RESULT = { taps: 2, scrolls: 1 };

/** A claim of a draw that is right, and the result of another game, on what arbiters carry. */
export async function fewTaps(page, { hall, own }) {
  const before = own.hall.asked.length;
  own.hall.answer('claim_check', {
    right: true,
    by: 'white',
    article: '9.3.2',
    text: { en: 'Fifty moves without a capture.', fr: 'Cinquante coups sans prise.' },
    occurrences: [],
    touched: [],
    penalty_s: null,
  });
  const claims = await hall.find(thinks, 'nobody thinks');
  const claim = new Finger(page);
  await atTable(page, claims);
  await claim.tap('[data-verb=claim_check]');
  await claim.tap('.editor .choices .choice >> nth=1');
  await claim.tap('.editor .confirm .button >> nth=0');
  await page.locator('.claim[data-right]').waitFor();
  await claim.tap('.tool-answer .button');
  await until(() => said(page, /½–½/), 'the draw is not entered');
  claim.within(CLAIM);

  const wins = await hall.find(thinks, 'nobody else thinks');
  assert.notEqual(wins, claims, 'the draw has ended its game');
  const result = new Finger(page);
  await atTable(page, wins);
  await result.tap('.table-tools [data-result="1-0"]');
  await result.tap('.table-tools .confirm .button >> nth=0');
  await until(() => said(page, /1–0/), 'the result is not entered');
  result.within(RESULT);
  const asked = own.hall.asked.slice(before);
  const entered = asked.filter(({ verb }) => verb === 'set_result');
  assert.deepEqual(
    entered.map(({ table, result }) => [table, result]),
    [
      [claims, '1/2-1/2'],
      [wins, '1-0'],
    ],
  );
  // Others play on there.
  for (const table of [claims, wins]) own.hall.ends(table, '*');
  const told = ({ taps, scrolls }) => `${taps} taps, ${scrolls} scrolls`;
  return `a claim ${told(claim)}; a result ${told(result)}`;
}

async function atTable(page, table) {
  await go(page, `table/${table}`);
  await page.locator('.table-view piece').first().waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => window.scrollTo(0, 0)));
}

class Finger {
  taps = 0;
  scrolls = 0;

  constructor(page) {
    this.page = page;
  }

  async tap(selector) {
    const target = this.page.locator(selector);
    await target.waitFor();
    this.taps += 1;
    if (!(await target.evaluate(isInSight))) this.scrolls += 1;
    await target.click();
  }

  within({ taps, scrolls }) {
    assert.ok(this.taps <= taps, `${this.taps} taps`);
    assert.ok(this.scrolls <= scrolls, `${this.scrolls} scrolls`);
  }
}

/** Its middle can be touched where it stands. */
function isInSight(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there !== null && (node === there || node.contains(there));
}
