// A fresh machine: the code, the first account, the event, its pairings, six boards seated by their
// kings, and the walk before the round. Nobody touches a file, and nothing is restarted.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { accessible } from './access.mjs';
import { shoot } from './browser.mjs';
import { PATIENCE, reads, smallTargets, until } from './checks.mjs';

export const PASSWORD = 'a long password';
const seated = (page) => page.locator('.seat-told').innerText();
export async function place(page, name) {
  await page.locator(`.tabs a[href="#/${name}"]`).click();
  await page.locator(`.tabs a[href="#/${name}"][aria-current]`).waitFor();
}
export const kept = (page, form) => page.locator(`${form} > .setup-said:not(:empty)`).waitFor();
export const keep = (page, form) =>
  page.locator(`${form} > .confirm .button:not(.is-quiet)`).click();

export const tablesIn = async (own) => {
  const text = await readFile(own.config, 'utf8');
  return [...text.matchAll(/^number = (\d+)/gm)].map(([, number]) => Number(number)).sort();
};

/** A wrong code first; then the account. */
export async function firstAccount(page, watch, code, name) {
  const [codeField, nameField, password] = ['code', 'name', 'password'].map((it) => {
    return page.locator(`.sign-in:visible input[name=${it}]`);
  });
  await codeField.fill('ABCDE-FGHJK');
  await nameField.fill('Olga');
  await password.fill(PASSWORD);
  await accessible(page);
  await shoot(page, `setup-account-${name}`);
  await page.locator('.sign-in:visible button').click();
  await page.locator('.sign-in:visible .error').waitFor();
  refusalIsNoFault(watch, /401/);
  await codeField.fill(code.toLowerCase());
  await page.locator('.sign-in:visible button').click();
}

/** The browser complains of a refusal, which is what was wanted. */
export function refusalIsNoFault(watch, status) {
  const complaints = watch.errors.splice(0);
  assert.ok(
    complaints.every((it) => status.test(it)),
    complaints.join(),
  );
}

export async function looked(page, name) {
  await smallTargets(page);
  await accessible(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
  await shoot(page, name);
}

/** What is typed by hand is read back; what nobody can mean is said, and nothing is kept of it. */
export async function event(page, own, watch, name) {
  const means = page.locator('.control-means');
  const says = (text) => until(async () => text.test(await means.innerText()), `${text}`);
  await page.locator('.event-form input[name=name]').fill('Open de Liège');
  await page.locator('.event-form input[name=round]').fill('1');
  await page.locator('[data-control="900+10"]').click();
  await says(/^15 minutes with 10 seconds added for each move \(rapid\)\.$/i);
  await page.locator('.control-own summary').click();
  await page.locator('input[name=minutes-1]').fill('90');
  await page.locator('input[name=seconds]').fill('30');
  await says(/^90 minutes with 30 seconds added for each move \(standard chess\)\.$/i);
  await page.locator('input[name=control]').fill('90m');
  await says(/90m/);
  refusalIsNoFault(watch, /422/);
  await page.locator('input[name=control]').fill('40/5400+30:1800+30');
  await says(/^90 minutes for 40 moves .* then 30 minutes/i);
  await page.locator('.event-form input[name=default]').fill('30');
  await looked(page, `setup-event-${name}`);
  await keep(page, '.event-form');
  await kept(page, '.event-form');
  const text = await readFile(own.config, 'utf8');
  for (const line of ['name = "Open de Liège"', '"40/5400+30:1800+30"', 'default_time_s = 1800']) {
    assert.ok(text.includes(line), `${line} is not in\n${text}`);
  }
  await until(
    async () => /Open de Liège/.test(await page.locator('.bar-title').innerText()),
    'bar',
  );
  await typesOn(page);
}

/** The fields are made anew while somebody types: he goes on where he was. */
async function typesOn(page) {
  const site = page.locator('.event-form input[name=site]');
  await site.fill('Liè');
  for (const [language, title] of [
    ['fr', /^Tournoi/],
    ['en', /^Event/],
  ]) {
    await page.evaluate(
      (it) => document.querySelector(`.bar-tools [lang=${it}]`).click(),
      language,
    );
    await page.locator('.event-form > h2', { hasText: title }).waitFor();
  }
  await page.keyboard.type('ge');
  assert.equal(await site.inputValue(), 'Liège');
  await site.fill('');
}

export function pgn(rounds) {
  const games = rounds.flatMap((games, index) =>
    games.map(([white, black], at) => {
      return `[Round "${index + 1}.${at + 1}"]\n[White "${white}"]\n[Black "${black}"]\n\n*\n`;
    }),
  );
  return Buffer.from(games.join('\n'));
}

/** Five megabytes of games with their moves: they are read, shown, and put aside again. */
async function wholeSeason(page, give) {
  const moves = Array.from({ length: 90 }, (_, at) => `${at + 1}. Nf3 Nf6 `).join('');
  const rounds = Array.from({ length: 8 }, (_, round) => {
    return Array.from({ length: 600 }, (_, at) => {
      const tags = `[Round "${round + 1}.${at + 1}"]\n[White "W${at}"]\n[Black "B${at}"]\n`;
      return `${tags}[Result "1-0"]\n\n${moves}1-0\n`;
    }).join('\n');
  });
  const file = Buffer.from(rounds.join('\n'));
  assert.ok(file.length > 4_900_000, `${file.length} bytes`);
  await give('season.pgn', file);
  await page.locator('.pairings-game').nth(599).waitFor();
  assert.equal(await page.locator('.pairings-form .choice').count(), 8, 'rounds');
  await page.locator('.pairings-form > .confirm .button.is-quiet').click();
  await until(async () => (await page.locator('.pairings-game').count()) === 0, 'put aside');
}

/** A game after the other, each by one press on the button below the last; and put aside again. */
async function byHand(page) {
  const games = page.locator('.pairings-game');
  for (let game = 0; game < 6; game += 1) {
    await page.locator('.pairings-form > .seat-buttons .button').first().click();
    await until(async () => (await games.count()) === game + 1, `game ${game + 1}`);
    const [, white, black] = await games.nth(game).locator('input').all();
    await white.fill(`White ${game}`);
    await black.fill(`Black ${game}`);
  }
  await page.locator('.pairings-form > .confirm .button.is-quiet').click();
  await until(async () => (await games.count()) === 0, 'put aside');
}

/** Files that cannot be meant are refused with their line, and what was there stays. */
async function pairings(page, own, watch, name) {
  await place(page, 'pairings');
  await byHand(page);
  const file = page.locator('.pairings-drop input');
  const refused = page.locator('.pairings-form > .error');
  const give = (called, buffer) => {
    return file.setInputFiles({ name: called, mimeType: 'text/plain', buffer });
  };
  await give('wrong.trf', Buffer.from('012 Open\n001      m    Nobody\n'));
  await until(async () => /wrong\.trf: .*line 2, 001/i.test(await refused.innerText()), 'its line');
  await give('huge.pgn', Buffer.alloc(9 << 20, '['));
  await until(async () => /huge\.pgn: .*8/i.test(await refused.innerText()), 'too long');
  refusalIsNoFault(watch, /413|422/);
  if (name === 'laptop') await wholeSeason(page, give);
  const long = 'Ü'.repeat(200);
  const first = [
    ['Doe, Jane', 'Roe, Max'],
    ['כהן, דוד', 'Rodríguez Ñíguez, María de los Ángeles'],
    [long, 'Cy'],
  ];
  await give('round.pgn', pgn([first, [['Cy', 'Doe, Jane']]]));
  await page.locator('.pairings-game').nth(2).waitFor();
  await reads(page.locator('.pairings-notes'), /3/, 'a name that is too long');
  const whites = page.locator('.pairings-game input[type=text]');
  await whites.nth(7).fill('Lang, Ü.');
  await whites.nth(8).fill('Di');
  await whites.nth(8).press('Tab');
  await until(async () => (await page.locator('.pairings-notes li').count()) === 0, 'no remark');
  await looked(page, `setup-pairings-${name}`);
  await keep(page, '.pairings-form');
  await kept(page, '.pairings-form');
  const text = await readFile(join(dirname(own.config), 'pairings.pgn'), 'utf8');
  for (const player of ['כהן, דוד', 'Lang, Ü.', 'Di']) assert.ok(text.includes(player), text);
  assert.ok(!text.includes('ÜÜ'));
  assert.match(await readFile(own.config, 'utf8'), /pairings = "pairings.pgn"/);
  assert.ok(
    (await readdir(dirname(own.config))).every((it) => !it.endsWith('.new')),
    'left over',
  );
}

/** Kings are lifted in turn, by boards that stand in an order of their own. */
async function seats(page, own, boards, name) {
  await place(page, 'seat');
  await page.locator('.seat-hall').waitFor();
  await until(async () => (await page.locator('.setup-list li').count()) === boards, 'boards');
  await smallTargets(page);
  await shoot(page, `setup-boards-${name}`);
  await page.locator('.seat-buttons:visible .button:not(.is-quiet)').click();
  const begun = Date.now();
  for (let table = 1; table <= boards; table += 1) {
    // What the page says of one king it may say of the next a moment later; the file stays.
    await until(async () => (await tablesIn(own)).length >= table, `table ${table}`);
    if (table === 2) {
      await accessible(page);
      await shoot(page, `setup-seating-${name}`);
    }
    // What stands on the screen outlives the page.
    if (table === 3) await page.reload();
  }
  const took = Math.round((Date.now() - begun) / 1000);
  await shoot(page, `setup-seated-${name}`);
  const text = await readFile(own.config, 'utf8');
  assert.equal(text.match(/\[\[table\]\]/g)?.length, boards, text);
  assert.ok(!text.includes(PASSWORD), 'a password in the file');
  return took;
}

/** Every table is in the list, its players are named, and the round is started from there. */
export async function walked(page, boards, name) {
  await place(page, 'check');
  const rows = page.locator('.check-row');
  await until(async () => (await rows.count()) === boards, 'a row for each table');
  assert.equal(await page.locator('.leave-screen').isVisible(), false, 'nothing to leave here');
  // Kings are still lifted here and there: each board is set up again after a while.
  const ready = async () => /is-ready/.test(await rows.first().getAttribute('class'));
  await until(ready, 'table 1 is not ready', 3 * PATIENCE);
  await reads(rows.first(), /Doe, Jane\s*–\s*Roe, Max/);
  await looked(page, `setup-check-${name}`);
  await started(page);
}

/** The round is started from the walk, as often as it is asked whether that is meant. */
export async function started(page) {
  const begin = page.locator('.round-check .confirm .button:not(.is-quiet)');
  const said = page.locator('.round-check .setup-said');
  await until(async () => {
    await begin.click();
    return (await said.innerText()) !== '';
  }, 'the round starts');
}

/** Health in words, the screens' addresses as codes, and the archive. */
export async function lookedAfter(page, name) {
  await place(page, 'health');
  await page.locator('.condition .check-sum[data-ready]').waitFor();
  await looked(page, `setup-health-${name}`);
  await place(page, 'screens');
  await until(async () => (await page.locator('.screens-code svg').count()) === 5, 'five codes');
  await looked(page, `setup-screens-${name}`);
  await cardsForTables(page, name);
  await place(page, 'after');
  const download = page.waitForEvent('download');
  await page.locator('.take-home .button').click();
  const file = await download;
  assert.match(file.suggestedFilename(), /^adoubed-.*\.tar\.gz$/);
  const begin = (await readFile(await file.path())).subarray(0, 2);
  assert.deepEqual([...begin], [0x1f, 0x8b], 'compressed');
  await looked(page, `setup-after-${name}`);
}

/** One for each table that is named, on paper, each with a code of its own. */
async function cardsForTables(page, name) {
  const cards = page.locator('.card-sheet article');
  await page.fill('.table-cards input', '3-1x');
  await page.locator('.table-cards .button').click();
  await page.locator('.table-cards .error').waitFor();
  assert.equal(await cards.count(), 0);
  await page.fill('.table-cards input', '1-8,12');
  await page.locator('.table-cards .button').click();
  await until(async () => (await cards.count()) === 9, 'nine cards');
  assert.equal(await page.locator('.table-cards .error').isVisible(), false);
  await page.emulateMedia({ media: 'print' });
  await reads(cards.last(), /Table 12\b.*\/table\/12$/s);
  assert.equal(
    await page.locator('.screens-list').isVisible(),
    false,
    'only the cards are printed',
  );
  const drawn = await cards
    .locator('path')
    .evaluateAll((all) => all.map((it) => it.getAttribute('d')));
  assert.equal(new Set(drawn).size, 9, 'a code for each');
  await shoot(page, `setup-cards-${name}`);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  assert.equal(await cards.count(), 0);
}

/** All of it by one person, with what is in sight and nothing else. */
export function freshMachine(name, boards) {
  return async (page, { own, watch }) => {
    await firstAccount(page, watch, own.code, name);
    await page.locator('.event-form').waitFor();
    await page.locator('.bar-tools [lang=en]').click();
    await event(page, own, watch, name);
    await pairings(page, own, watch, name);
    const took = await seats(page, own, boards, name);
    await walked(page, boards, name);
    await lookedAfter(page, name);
    // The hall is there, and who has made the account decides in it.
    await page.locator('.page-setup .stage > .button').click();
    await page.waitForURL(/\/arbiter/);
    await until(async () => (await page.locator('.tabs').count()) > 0, 'the arbiter page');
    return `${boards} boards in ${took} s, as their hands lifted them`;
  };
}

/** The king is lifted a few times, as by somebody who was not heard at first. */
const KING = `~ ${Array(4).fill('+5 e1^ +1 e1v').join(' ')} +36000\n`;

async function secondOrganizer(another, url) {
  const other = await another(`${url}/setup#/seat`);
  await other.locator('.sign-in:visible input[name=name]').fill('Olga');
  await other.locator('.sign-in:visible input[name=password]').fill(PASSWORD);
  await other.locator('.sign-in:visible button').click();
  await other.locator('.seat-hall').waitFor();
  return other;
}

/** Both write the players of one table: the second is told, and what he has written stays. */
async function mendedByTwo(page, other, own) {
  const kept = () => readFile(join(dirname(own.config), 'pairings.pgn'), 'utf8').catch(() => '');
  const mended = [
    [page, 'Ann', 'Bob'],
    [other, 'Cy', 'Di'],
  ];
  for (const [it, white, black] of mended) {
    await place(it, 'pairings');
    await it.locator('.pairings-form .seat-buttons .button').first().click();
    const names = it.locator('.pairings-game input[dir=auto]');
    await names.nth(0).fill(white);
    await names.nth(1).fill(black);
    await names.nth(1).press('Tab');
  }
  await keep(page, '.pairings-form');
  await until(async () => /Ann/.test(await kept()), 'the first is kept');
  const told = other.locator('.pairings-form > .error');
  await until(async () => /Somebody else has changed/.test(await told.innerText()), 'he is told');
  const written = other.locator('.pairings-game input[dir=auto]');
  assert.deepEqual(await written.evaluateAll((all) => all.map((it) => it.value)), ['Cy', 'Di']);
  assert.ok(!/Cy/.test(await kept()), 'nobody is written over unasked');
  await keep(other, '.pairings-form');
  await until(async () => /Cy/.test(await kept()), 'he keeps his all the same');
}

/** A king that is lifted again is told beside what was seated last, and not in its place. */
async function liftedAgain(pages) {
  for (const page of pages) {
    const remark = async () => page.locator('.seat-moving').innerText();
    await until(async () => /is the board of table 1/.test(await remark()), 'it has a table');
    assert.match(await seated(page), /\b1:/);
  }
}

/**
 * Two people follow the same number; one of them undoes, types a number and swaps. Two boards have
 * the same serial number, and on one line nobody answers.
 */
export async function seatedByTwo(page, { own, watch, another, url }) {
  await firstAccount(page, watch, own.code, 'two');
  await page.locator('.event-form').waitFor();
  await place(page, 'seat');
  const other = await secondOrganizer(another, url);
  const both = [page, other];
  for (const it of both) await it.locator('.bar-tools [lang=en]').click();
  for (const it of both) await it.locator('.seat-buttons .button:not(.is-quiet)').click();
  const twins = { serial: ['--serial', '26001'] };
  for (const table of [1, 2]) {
    await own.plug(KING, twins);
    for (const it of both) {
      const told = async () => new RegExp(`\\b${table}:`).test(await seated(it));
      await until(told, `table ${table} is told to both`);
      const asked = async () => it.locator('.seat-prompt').innerText();
      await until(async () => new RegExp(`\\b${table + 1}\\b`).test(await asked()), 'the next one');
    }
    if (table === 1) await liftedAgain(both);
  }
  assert.deepEqual(await tablesIn(own), [1, 2], 'each board once');
  const rows = page.locator('.setup-list li');
  await until(async () => (await page.locator('.setup-list .is-wrong').count()) === 2, 'twins');
  await reads(rows.first(), /26001/);
  await reads(rows.first(), /line without faults/);

  const seatedBy = (await page.locator('.seat-hall .seat-buttons .button').nth(2).isEnabled())
    ? page
    : other;
  await seatedBy.locator('.seat-hall .seat-buttons .button').nth(2).click();
  await until(async () => (await tablesIn(own)).length === 1, 'the last one is undone');
  for (const it of both) await it.locator('.seat-hall .seat-buttons .button').nth(3).click();
  // Each takes back what he has seated himself, and either may have been the first. Its king may
  // have been lifted once more before both had stopped.
  const free = rows.nth(1).locator('input');
  const here = async () => {
    const values = await rows.locator('input').evaluateAll((all) => all.map((it) => it.value));
    return values.filter(Boolean).join() === (await tablesIn(own)).join();
  };
  await until(here, 'what the other has undone is known here too');
  const [left] = await tablesIn(own);
  await free.fill('7');
  await free.press('Tab');
  const typed = async () => (await tablesIn(own)).join() === `${left},7`;
  await until(typed, 'a number is typed').catch(async (error) => {
    throw new Error(`${error.message}: ${await page.locator('.setup-boards').innerText()}`);
  });
  const port = (nth) => rows.nth(nth).locator('.setup-port').innerText();
  const [first, second] = [await port(0), await port(1)];
  await page.locator('.setup-swap input').nth(0).fill(String(left));
  await page.locator('.setup-swap input').nth(1).fill('7');
  await page.locator('.setup-swap .button').click();
  await until(async () => (await port(0)) === second && (await port(1)) === first, 'swapped');

  await mendedByTwo(page, other, own);
  await place(page, 'seat');

  await own.plug(KING, { dumb: true });
  const wrong = page.locator('.setup-list .is-wrong p');
  const silent = async () => (await wrong.allInnerTexts()).some((it) => /nobody answers/.test(it));
  await until(silent, 'a line on which nobody answers');
  await accessible(page);
  await shoot(page, 'setup-by-two');
}

/** Nobody stands before a form that cannot help: each language says where it is done. */
export async function notFromHere(page) {
  const told = page.locator('#main .error:visible');
  for (const language of ['fr', 'en']) {
    // The page begins in the browser's language, which is not offered again.
    if (language !== 'fr') await page.locator(`.bar-tools [lang=${language}]`).click();
    await until(async () => /adoubed check adoubed\.toml/.test(await told.innerText()), language);
    assert.equal(await page.locator('.sign-in:visible').count(), 0, 'no form');
    await looked(page, `setup-not-from-here-${language}`);
  }
}
