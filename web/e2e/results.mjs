// Results that are entered on one tablet, and seen on another that has the list open.

import assert from 'node:assert/strict';
import { INCIDENT, until } from './checks.mjs';

/** Both times stand: the alert offers the three results, and one tap enters one of them. */
export async function resultWithOneTap(page, { url, another }) {
  const alert = page.locator('.alert', { hasText: /6\.11/ }).last();
  await alert.waitFor({ timeout: INCIDENT });
  const id = await alert.getAttribute('data-id');
  const table = id.split('-')[0];
  const results = await another(`${url}/arbiter#/results`);
  const number = results.locator(`a[href="#/table/${table}"]`);
  const row = results.locator('.results tbody tr', { has: number });
  await row.waitFor();
  assert.equal(await row.locator('.is-result').innerText(), '', 'it has a result already');
  await page.locator(`.alert[data-id="${id}"] .alert-link`).click();
  const offered = page.locator('.mends button');
  await offered.nth(2).waitFor();
  assert.deepEqual(await offered.allInnerTexts(), ['Saisir 1–0', 'Saisir ½–½', 'Saisir 0–1']);
  await offered.nth(1).click();
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  assert.match(await page.locator('.sheet-state').innerText(), /½–½/);
  const told = async () => (await row.locator('.is-result').innerText()) === '½–½';
  await until(told, 'the open list does not follow');
  return `table ${table}`;
}
