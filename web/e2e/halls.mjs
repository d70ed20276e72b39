// Two halls on one Mosquitto, each with a daemon and boards of its own, and `adoubed serve` before
// them: what belongs to which hall, who may do what in it, and what is said when one is gone.

import assert from 'node:assert/strict';
import { accessible } from './access.mjs';
import { shoot } from './browser.mjs';
import { boardsDrawn, openAlert, reads, smallTargets, until } from './checks.mjs';
import { startHalls } from './daemon.mjs';
import { dark, PHONE, TABLET, TV } from './devices.mjs';

/** Somebody thinks for as long as the pages are tried. */
const thinking = (moves) => `${moves} +36000\n`;
const OPENING = thinking('e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v |');
const ILLEGAL = thinking('e2^ e4v | e7^ e5v | g1^ g3v |');

export function severalHalls(program) {
  const halls = { a: [OPENING, ILLEGAL], b: [ILLEGAL, OPENING, OPENING] };
  const open = () => startHalls(program, halls, ['chief', 'of_a']);
  return [
    {
      open,
      scenarios: [
        ['the wall of two halls', TV, '/', wallOfTwo],
        ['the wall of two halls in the dark', dark(TV), '/kiosk', wallInTheDark],
        ['the wall of two halls on a phone', PHONE, '/', wallOnPhone],
        ['one hall of two', TV, '/?hall=B', oneOfTwo],
        ['a table of one of two halls', TV, '/table/B-2', oneTable],
        ['the page to set up several halls', TABLET, '/setup', setUpElsewhere],
        ['a name of one hall gives no orders in the other', TABLET, '/arbiter', rightsPerHall],
        ['an order goes to the hall whose table it is', TABLET, '/arbiter', orderOfB],
        ['papers of several halls', PHONE, '/arbiter#/journal', papersElsewhere],
        ['a round begins in one hall', TABLET, '/arbiter', roundOfA],
        // The last: nobody starts it again.
        ['a hall that is killed is silent since then', TV, '/', killed],
      ],
    },
  ];
}

const tiles = (page) =>
  page.locator('.wall > li').evaluateAll((all) => all.map((it) => it.dataset.table));

async function wallOfTwo(page) {
  await boardsDrawn(page);
  await until(async () => (await tiles(page)).length === 5, 'not all tables');
  assert.deepEqual(await tiles(page), ['A-1', 'A-2', 'B-1', 'B-2', 'B-3']);
  const names = await page.locator('.wall > li').last().innerText();
  assert.match(names, /B-3[\s\S]*of B 3/, 'the players of another hall');
  await page.locator('.status[data-mood=live]').waitFor();
  await page.locator('.find').fill('White of B');
  await until(async () => (await tiles(page)).join() === 'B-1,B-2,B-3', 'not those of B');
  await page.locator('.find').fill('2');
  await until(async () => (await tiles(page)).join() === 'A-2,B-2', 'not table 2 of each');
  await page.locator('.find').fill('');
  await accessible(page);
  await shoot(page, 'halls-wall');
}

async function wallInTheDark(page) {
  await boardsDrawn(page);
  await until(async () => (await tiles(page)).length === 5, 'not all tables');
  await shoot(page, 'halls-wall-dark');
}

async function wallOnPhone(page) {
  await boardsDrawn(page);
  await until(async () => (await tiles(page)).length === 5, 'not all tables');
  await smallTargets(page);
  await shoot(page, 'halls-wall-phone');
}

async function oneOfTwo(page, { url, another }) {
  await boardsDrawn(page);
  await until(async () => (await tiles(page)).join() === 'B-1,B-2,B-3', 'not those of B');
  const kiosk = await another(`${url}/kiosk?tables=A-2,B-2-3`);
  await until(async () => (await tiles(kiosk)).join() === 'A-2,B-2,B-3', 'not those asked for');
  const overlay = await another(`${url}/embed/B-3`);
  await overlay.getByText('White of B 3').waitFor();
}

async function oneTable(page) {
  await page.locator('.moves').getByText('Cc6').waitFor();
  await reads(page.locator('h2'), /B-2$/);
  await reads(page.locator('main'), /White of B 2/);
  await page.locator('.table-head a').last().click();
  await page.waitForURL('**/table/B-3');
  await shoot(page, 'halls-table');
}

async function setUpElsewhere(page, { own }) {
  const links = page.locator('.elsewhere a');
  await until(async () => (await links.count()) === 2, 'not both halls');
  const hrefs = await links.evaluateAll((all) => all.map((it) => it.href));
  assert.deepEqual(hrefs, [`${own.halls.a.url}/setup`, `${own.halls.b.url}/setup`]);
  assert.equal(await page.locator('.sign-in:visible').count(), 0, 'nobody signs in here');
  await smallTargets(page);
  await accessible(page);
  await shoot(page, 'halls-setup');
}

async function signIn(page, { own, watch }, name) {
  await page.locator('input[name=name]').waitFor();
  // The browser complains that nobody was let in without a name.
  assert.ok(watch.errors.splice(0).every((it) => /401/.test(it)));
  await page.fill('input[name=name]', name);
  await page.fill('input[name=password]', own.passwords[name]);
  await page.click('button[type=submit]');
  await page.locator('.stage:not([hidden])').waitFor();
}

const open = (page) =>
  page
    .locator('.alerts:not(.is-settled) .alert')
    .evaluateAll((all) => all.map((it) => it.dataset.id));

/** An open alert of a table, as soon as there is one. */
async function alertOf(page, table) {
  const found = async () => (await open(page)).find((id) => id.startsWith(`${table}-`));
  await until(async () => (await found()) !== undefined, `no alert of ${table}`);
  return found();
}

/** He sees alerts of his own hall only, and his orders hold there only. */
async function rightsPerHall(page, scene) {
  const { own } = scene;
  await signIn(page, scene, 'of_a');
  await alertOf(page, 'A-2');
  // Then it has been told all that it may read.
  await page.locator('.stage:not([aria-busy])').waitFor();
  assert.ok(!(await open(page)).some((id) => id.startsWith('B-')), 'alerts of B');
  const sent = own.requestsTo('b');
  await page.goto(`${page.url().split('#')[0]}#/table/B-3`);
  await page.locator('[data-result="1-0"]').click();
  await page.locator('.confirm .button').first().click();
  const error = page.locator('.one-table .error:visible');
  await error.waitFor();
  await reads(error, /courtier ne laisse pas votre nom donner d’ordres/);
  assert.equal((await sent.stop()).length, 0, 'the broker let it pass');
  await shoot(page, 'halls-refused');
}

/** An alert of B is settled: B is asked, A is not, and its alert of the same table stays. */
async function orderOfB(page, scene) {
  const { own } = scene;
  await signIn(page, scene, 'chief');
  const [ofA, ofB] = [await alertOf(page, 'A-2'), await alertOf(page, 'B-1')];
  await smallTargets(page);
  await accessible(page);
  await shoot(page, 'halls-queue');
  const [toA, toB] = [own.requestsTo('a'), own.requestsTo('b')];
  await openAlert(page, ofB);
  await page.locator('.sheet-acts > .button').click();
  await page.locator('.alert-sheet[data-state=acknowledged]').waitFor();
  await shoot(page, 'halls-opened');
  // All of it is made from the record of B, and that is there.
  const paper = await page.locator('.alert-sheet .sheet-head a').last().getAttribute('href');
  assert.equal(paper, `${own.halls.b.url}/arbiter#/dossier/${ofB.slice(2)}`);
  await page.locator('.choices .choice').nth(1).click();
  await page.locator('.confirm .button').first().click();
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  await reads(page.locator('.sheet-state'), /\d\d:\d\d:\d\d/);
  const [inA, inB] = [await toA.stop(), await toB.stop()];
  assert.deepEqual(inA, [], 'A was asked');
  assert.deepEqual(
    inB.map(({ verb, body }) => [verb, body.alert]),
    [
      ['acknowledge', ofB.slice(2)],
      ['rule', ofB.slice(2)],
    ],
  );
  await page.locator('.opened .sheet-back').click();
  await until(async () => (await open(page)).includes(ofA), 'the alert of A is gone');
  assert.ok(!(await open(page)).includes(ofB), 'the alert of B is still there');
}

async function papersElsewhere(page, scene) {
  const { own } = scene;
  await signIn(page, scene, 'chief');
  const links = page.locator('.elsewhere:visible a');
  await until(async () => (await links.count()) === 2, 'not both halls');
  const hrefs = await links.evaluateAll((all) => all.map((it) => it.href));
  assert.deepEqual(
    hrefs,
    ['a', 'b'].map((hall) => `${own.halls[hall].url}/arbiter#/journal`),
  );
  await smallTargets(page);
  await accessible(page);
  await shoot(page, 'halls-journal');
}

async function roundOfA(page, scene) {
  const { own } = scene;
  await signIn(page, scene, 'chief');
  await page.goto(`${page.url().split('#')[0]}#/tables`);
  const [toA, toB] = [own.requestsTo('a'), own.requestsTo('b')];
  await page.getByRole('button', { name: /salle A/ }).click();
  await page.locator('.editor input').last().fill('2');
  await shoot(page, 'halls-round');
  const send = page.locator('.editor .confirm .button').first();
  await send.click();
  await send.click();
  await page.locator('.editor').waitFor({ state: 'detached' });
  const [inA, inB] = [await toA.stop(), await toB.stop()];
  assert.deepEqual(
    inA.map(({ verb, body }) => [verb, body.tables]),
    [['start_round', [2]]],
  );
  assert.deepEqual(inB, []);
}

/** Nothing says goodbye: the broker's word for it is the last will. */
async function killed(page, { own, another }) {
  await until(async () => (await tiles(page)).length === 5, 'not all tables');
  const status = page.locator('.status');
  await page.locator('.status[data-mood=live]').waitFor();
  await own.halls.b.kill();
  await page.locator('.status[data-mood=stale]').waitFor();
  const told = /^La salle B est muette depuis \d\d:\d\d:\d\d$/;
  await reads(status, told);
  const stale = page.locator('.wall > li:has(.tile[data-stale])');
  const gone = await stale.evaluateAll((all) => all.map((it) => it.dataset.table));
  assert.deepEqual(gone, ['B-1', 'B-2', 'B-3'], 'A is as it was');
  await shoot(page, 'halls-silent');
  // Whoever comes now is told the same.
  const late = await another(page.url());
  await late.locator('.status[data-mood=stale]').waitFor();
  assert.equal(await late.locator('.status').innerText(), await status.innerText());
  await own.halls.b.again();
  await page.locator('.status[data-mood=live]').waitFor();
  await until(async () => (await stale.count()) === 0, 'B is still grey');
}
