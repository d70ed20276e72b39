// The paper of an alert for an appeals committee, while it is open and when it is closed.

import assert from 'node:assert/strict';
import { accessible } from './access.mjs';
import { shoot } from './browser.mjs';
import { openAlert, smallTargets, until } from './checks.mjs';

const WORDS = {
  en: { legal: /29 legal moves/, dismissed: /dismissed: the arbiter/i, records: /\d entries/ },
  fr: { legal: /29 coups légaux/, dismissed: /rejetée\s: l’arbitre/i, records: /\d entrées/ },
  es: { legal: /29 jugadas legales/, dismissed: /descartada: el árbitro/i, records: /\d entradas/ },
};
/** Of an alert that is opened one tap; of one that is closed, from its table, two. */
const TAPS_OPEN = 1;
const TAPS_CLOSED = 2;
const NOTE = 'He put it back at once.';

export function dossierOf(name, language) {
  return async (page, { url }) => {
    let taps = 0;
    const tap = async (where) => {
      taps += 1;
      await where.click();
    };
    const words = WORDS[language];
    const sheet = page.locator('.dossier-sheet');
    const id = await page
      .locator('.alert', { hasText: /7\.5\./ })
      .first()
      .getAttribute('data-id');
    await openAlert(page, id);
    await tap(page.locator('.sheet-head a[href^="#/dossier/"]'));
    await sheet.waitFor();
    assert.equal(taps, TAPS_OPEN, 'taps from an alert to its dossier');
    await page.locator('.dossier-diagrams .board piece').first().waitFor();
    const text = await sheet.innerText();
    assert.match(text, /White \d.* – .*Black \d/, 'who plays whom');
    assert.match(text, /7\.5\.1/);
    assert.match(text, words.legal);
    assert.match(text, words.records);
    assert.match(text, /\b[0-9a-f]{64}\b/, 'what identifies the piece of the record');
    // How it stood before, the knight in the air, and where it was put.
    const captions = await page.locator('.dossier-diagrams figcaption').allInnerTexts();
    assert.equal(captions.length, 3, `${captions}`);
    const lines = await page.locator('.dossier-gestures li').allInnerTexts();
    const [, lifted, put] = captions.map((it) => lines[Number(it) - 1]);
    assert.match(`${lifted} ${put}`, /g1.*g3/);
    await accessible(page);
    await smallTargets(page);
    await shoot(page, `dossier-${name}`);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.dossier-head').isVisible(), false, 'it prints its buttons');
    const line = page.locator('.dossier-gestures li').first();
    const numbered = await line.evaluate((it) => getComputedStyle(it).listStyleType);
    assert.equal(numbered, 'decimal', 'the diagrams name lines that have no numbers');
    const beyond = await page
      .locator('.dossier-diagrams .board')
      .evaluateAll((boards) =>
        boards.map((it) => it.clientWidth - it.querySelector('cg-board').clientWidth),
      );
    assert.ok(Math.max(...beyond) < 1, `squares end before their board: ${beyond} px`);
    await shoot(page, `dossier-printed-${name}`);
    await page.emulateMedia({ media: null });

    await page.goto(`${url}/arbiter#/alert/${id}`);
    await page.locator('.decision .choice').nth(1).click();
    await page.locator('.decision textarea').fill(NOTE);
    await page.locator('.confirm .button').first().click();
    await page.locator('.alert-sheet[data-state=closed]').waitFor();
    await page.goto(`${url}/arbiter#/table/${id.split('-')[0]}`);
    await page.locator('.score .moves button').first().waitFor();
    taps = 0;
    await tap(page.locator('.score > .button'));
    const link = page.locator(`.remark.is-closed a[href="#/dossier/${id}"]`);
    await link.waitFor();
    await until(async () => words.dismissed.test(await link.innerText()), 'not what became of it');
    await tap(link);
    await sheet.waitFor();
    assert.equal(taps, TAPS_CLOSED, 'taps from the table to the dossier of a closed alert');
    const closed = await sheet.innerText();
    assert.match(closed, words.dismissed);
    assert.ok(closed.includes(NOTE), 'the note is missing');
    return `${captions.length} diagrams`;
  };
}
