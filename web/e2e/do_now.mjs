// From the queue to a settled alert: how many taps, and that nothing has to be scrolled for it.

import assert from 'node:assert/strict';
import { alertOf } from './alerts.mjs';
import { shoot } from './browser.mjs';
import { restedRow, smallTargets, until } from './checks.mjs';

/** What is tapped in the whole scenario. */
async function tap(page, selector) {
  page.taps = (page.taps ?? 0) + 1;
  await page.locator(selector).click();
}

const FEN = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';
const EVIDENCE = [
  { t_ms: -2000, what: 'lift', square: 'f1', piece: 'B' },
  { t_ms: -400, what: 'put', square: 'f6', piece: 'B' },
  { t_ms: 0, what: 'press', square: null, piece: null, side: 'white' },
];
const FACTS = {
  fen: FEN,
  surface: 'r1bqkbnr/pppp1ppp/2n2B2/4p3/4P3/5N2/PPPP1PPP/RNBQK2R',
  clocks_ms: { white: 5_425_000, black: 5_427_000 },
  move: 'f1f6',
  obliged: ['Be2', 'Bd3', 'Bc4', 'Bb5', 'Ba6'],
  offence: 1,
  penalty_s: 120,
};

/** One tap to know all, two to settle it: given, upheld and written down, and no keyboard. */
export async function settledInThreeTaps(page, { own }) {
  const { width } = page.viewportSize();
  const players = {
    white: { name: 'Nepomniachtchi, Ian' },
    black: { name: 'Praggnanandhaa, Rameshbabu' },
  };
  const told = {
    en: 'White played bishop f1–f6 and pressed: a bishop does not move so.',
    fr: 'Les Blancs ont joué le fou f1–f6 et appuyé : le fou ne va pas ainsi.',
  };
  const seen = { facts: FACTS, evidence: EVIDENCE, text: told };
  own.hall.raise(alertOf('2-1-9', 2, { ...seen, players }));
  // The last that comes by itself: nothing moves under the first tap.
  await page.locator('.alert[data-id="5-1-31"]').waitFor();
  await restedRow(page, '2-1-9');
  await tap(page, '.alert[data-id="2-1-9"] .alert-link');
  const card = page.locator('.do-now');
  await card.waitFor();
  await page.locator('.replay cg-board piece').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  assert.equal(page.taps, 1);
  await inSight(page);
  const lines = (await card.innerText()).replaceAll(/\s+/g, ' ');
  // Both clocks and whose runs; the piece and its squares; what is said.
  assert.match(lines, /1:30:25.*1:32:27.*(temps des Blancs court|White’s time runs)/);
  assert.match(lines, /f6 (vide|empty).*f1.*e2, d3, c4, b5, a6/);
  assert.match(lines, /(Dire aux deux|Tell both).*2 min.*(Noirs|Black)/);
  const edges = await page.evaluate(() => {
    const right = (it) => document.querySelector(it).getBoundingClientRect().right;
    return right('.do-now') - right('.setting .button');
  });
  assert.ok(edges >= 10, `${edges} px from the button to the edge of its card`);
  await shoot(page, `do-now-${width}`);
  await tap(page, '.setting .button');
  await page.locator('.is-settling').waitFor();
  await smallTargets(page);
  await shoot(page, `do-now-settling-${width}`);
  const focused = await page.evaluate(() => document.activeElement.tagName);
  assert.equal(focused, 'BUTTON', 'the keyboard would open');
  await tap(page, '.is-settling .button >> nth=0');
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  assert.equal(page.taps, 3);
  const verbs = own.hall.asked.filter(({ alert }) => alert === '2-1-9');
  const sent = verbs.map(({ verb, ruling = null, seconds = null }) => [verb, ruling, seconds]);
  const expected = [
    ['penalty_given', null, 120],
    ['rule', 'upheld', null],
  ];
  assert.deepEqual(sent, expected);
  // Hands are still at the board: what is to be done stays in sight.
  await until(async () => /c4/.test(await card.innerText()), 'the card is gone');
  assert.ok(await card.isVisible());
}

/** What could not be written down is not upheld by the same tap. */
export async function notSettledByHalf(page, { own, url }) {
  const facts = { ...FACTS, obliged: [] };
  own.hall.raise(alertOf('2-1-9', 2, { facts }));
  await page.goto(`${url}/arbiter#/alert/2-1-9`);
  await tap(page, '.setting .button');
  own.hall.refuse('penalty_given');
  await tap(page, '.is-settling .button >> nth=0');
  await page.locator('.alert-sheet .error').waitFor();
  assert.equal(own.hall.asked.filter(({ verb }) => verb === 'rule').length, 0, 'it was upheld');
  // Given alone, then dismissed: both are still to be had.
  await tap(page, '.confirm .button >> nth=2');
  await page.locator('.is-settling').waitFor({ state: 'detached' });
  await page.locator('.decision .choice').nth(1).waitFor();
}

/** All of the card stands above the buttons, at the top of the page. */
async function inSight(page) {
  const [scrolled, bar, ...parts] = await page.evaluate(() => {
    const bottom = (it) => it.getBoundingClientRect().bottom;
    const acts = document.querySelector('.sheet-acts').getBoundingClientRect().top;
    const shown = [...document.querySelectorAll('.do-now, .do-now > *')];
    return [scrollY, Math.min(acts, innerHeight), ...shown.map(bottom)];
  });
  assert.equal(scrolled, 0);
  assert.ok(parts.length >= 4, `${parts.length} parts`);
  assert.ok(
    parts.every((bottom) => bottom <= bar + 1),
    `below ${bar}: ${parts}`,
  );
}
