// What is looked at on a page, and how long one may wait for it.

import assert from 'node:assert/strict';
import { shoot } from './browser.mjs';

/** How long anything may take, in ms. */
export const PATIENCE = Number(process.env.ADOUBED_PATIENCE_MS ?? 30_000);

/** How long it may take in a demonstration until a player does something irregular. */
export const INCIDENT = 4 * PATIENCE;

export async function boardsDrawn(page) {
  await page.locator('.tile piece').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** How far a clock that is read late may be corrected, in s: src/pure/clock.ts. */
const REAL_JUMP = 2;

/**
 * Watches the clocks for 3.5 s: while one runs it goes down by seconds and never up. On a busy
 * machine a board may be read late by so much that its clock is corrected: then they are watched
 * once more.
 */
export async function clocksCount(page) {
  let spent;
  await until(async () => {
    spent = await secondsSpent(page);
    assert.ok(
      spent.every((s) => s >= 0 || s <= -REAL_JUMP),
      'a running clock went up',
    );
    return spent.every((s) => s >= 0);
  }, 'running clocks go up by much, again and again');
  assert.ok(spent.reduce((total, s) => total + s, 0) >= 2, 'no clock counts');
}

async function secondsSpent(page) {
  const seen = await page.evaluate(async () => {
    const faces = [...document.querySelectorAll('.clock')];
    const series = faces.map(() => []);
    for (let step = 0; step < 35; step += 1) {
      faces.forEach((face, i) => {
        series[i].push(face.hasAttribute('data-running') ? face.textContent : null);
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return series;
  });
  return seen.flatMap((series) => steps(series.map((face) => face && toSeconds(face))));
}

/** Seconds spent between neighbouring samples of a clock that ran at both. */
function steps(series) {
  return series.slice(1).flatMap((value, i) => {
    const before = series[i];
    return value === null || before === null ? [] : [before - value];
  });
}

export async function noneNegative(page) {
  const faces = await page.locator('.clock').allTextContents();
  faces.forEach((face) => assert.match(face, /^(\d+:\d\d(:\d\d)?)?$/));
}

export async function gravityOrder(page) {
  const found = await page
    .locator('.alerts:not(.is-settled) .alert')
    .evaluateAll((cards) => cards.map((card) => card.dataset.gravity));
  const rank = found.map((gravity) => ['summon', 'look', 'note'].indexOf(gravity));
  assert.deepEqual(
    rank,
    [...rank].sort((a, b) => a - b),
    'not sorted by gravity',
  );
}

export async function smallTargets(page) {
  const small = await page
    .locator('button:visible, .tool:visible, summary:visible')
    .evaluateAll((items) =>
      items
        // What has been drawn anew since it was found has no size any more.
        .filter((item) => item.isConnected)
        .map((item) => [item.outerHTML.slice(0, 60), item.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 44 || height < 44)
        .map(([html]) => html),
    );
  assert.deepEqual(small, [], 'targets under 44 px');
}

export function background(page) {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

export function framesFor(page, ms) {
  return page.evaluate(async (span) => {
    const start = performance.now();
    let [frames, longest, previous] = [0, 0, start];
    while (performance.now() - start < span) {
      const now = await new Promise((resolve) => requestAnimationFrame(resolve));
      frames += 1;
      longest = Math.max(longest, now - previous);
      previous = now;
    }
    return { frames, longest: Math.round(longest) };
  }, ms);
}

/** Whether the page has said this: it says things for a moment only. */
export function said(page, text) {
  return page.evaluate(
    ([source, flags]) => window.saidSoFar.some((it) => new RegExp(source, flags).test(it)),
    [text.source, text.flags],
  );
}

export async function appears(locator, timeout = PATIENCE) {
  return locator.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

/** A row once it has rested: a tap on one that has only just come is meant for what stood there. */
export async function restedRow(page, id) {
  const row = page.locator(`.alert[data-id="${id}"]`);
  await row.waitFor();
  await page.waitForTimeout(600);
  return row.locator('.alert-link');
}

/** By keyboard, as a finger may meet another row: they move whenever an alert comes. */
export async function openAlert(page, id) {
  await page.locator(`.alert[data-id="${id}"] .alert-link`).press('Enter');
}

export async function until(condition, complaint, patience = PATIENCE) {
  const deadline = Date.now() + patience;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(complaint);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What it says: an answer may be on the page before the state that it brings about. */
export async function reads(locator, pattern, complaint) {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const text = await locator.innerText();
    if (pattern.test(text) || Date.now() > deadline) return assert.match(text, pattern, complaint);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export function changed(before, after) {
  return after.filter((text, index) => text !== before[index]).length;
}

export function lastMoves(page) {
  return page.locator('.tile-state').allTextContents();
}

export function toSeconds(face) {
  return face.split(':').reduce((total, part) => total * 60 + Number(part), 0);
}

export function picture(name, ready = '.board piece') {
  return async (page) => {
    await page.locator(ready).first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(2500);
    await shoot(page, name);
  };
}
