// A board without a number whose port broke: the arbiter says with one tap which table it is.

import assert from 'node:assert/strict';
import { shoot } from './browser.mjs';
import { said, smallTargets, until } from './checks.mjs';

export function boardGivenItsTable(name) {
  return async (page, { own, hall }) => {
    await hall.find(({ position }) => position.ply === 4, 'no game of four half moves');
    await own.portBreaks();
    const card = page.locator('.which-card');
    await card.locator('.button:not(.is-quiet)').waitFor();
    // The pieces are set up and played anew on the spare line, up to where the game stands.
    await card.locator('.board piece').first().waitFor();
    const names = await card.locator('.button').allInnerTexts();
    assert.match(names[0], /Table 1/);
    assert.ok(!names.some((it) => /Table 2/.test(it)), 'a table that has its board is offered');
    await smallTargets(page);
    await shoot(page, `which-table-${name}`);
    await card.locator('.button').first().click();
    await until(() => said(page, /table 1/i), 'not said');
    await until(async () => (await card.count()) === 0, 'it is still asked for');
    assert.equal(hall.of(1).position.ply, 4, 'the game is another one');
    return names[0].replaceAll('\n', ', ');
  };
}
