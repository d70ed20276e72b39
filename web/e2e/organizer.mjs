// What an organizer sets besides event, pairings and tables: screens, parts of the hall, people,
// ways out. Nobody touches the file, and what cannot be meant is refused beside the field.

import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { until } from './checks.mjs';
import { firstAccount, looked, PASSWORD, place, refusalIsNoFault } from './setup.mjs';

const file = (own) => readFile(own.config, 'utf8');
const field = (page, key) => page.locator(`.settings-form input[name="${key}"]:visible`);

async function keep(page, which = '.settings-form:visible') {
  await page.locator(which).first().locator('.confirm .button:not(.is-quiet)').click();
}

/** `name`: of the device, for the screenshots. */
export function theRestOfTheHall(name) {
  return async (page, { own, watch, another, url }) => {
    await firstAccount(page, watch, own.code, `rest-${name}`);
    await page.locator('.event-form').waitFor();
    await page.locator('.bar-tools [lang=en]').click();
    await screens(page, own, watch, name);
    await people(page, { own, watch, another, url }, name);
    await waysOut(page, own, watch, name);
    await everyPlaceInEveryLanguage(page, own, name);
  };
}

const PLACES = [
  'event',
  'pairings',
  'seat',
  'check',
  'screens',
  'people',
  'ways',
  'health',
  'after',
  'keys',
];

/** Spanish is offered once the event has it; nowhere is a form too wide or without its name. */
async function everyPlaceInEveryLanguage(page, own, name) {
  await place(page, 'event');
  await page.locator('.setup-ticks label', { hasText: 'Español' }).locator('input').check();
  await keep(page, '.event-form');
  await until(async () => /"es"/.test(await file(own)), 'Spanish');
  await page.reload();
  await page.locator('.tabs').waitFor();
  for (const language of ['es', 'fr', 'en']) {
    await chosen(page, language);
    for (const at of PLACES) {
      await place(page, at);
      await looked(page, `setup-${at}-${language}-${name}`);
    }
  }
  await page.evaluate(() => {
    location.hash = '#/check-screen';
  });
  await until(async () => !(await page.locator('.tabs').isVisible()), 'nothing to press');
  await looked(page, `setup-check-screen-${name}`);
  await page.locator('.leave-screen').click();
  await page.locator('.tabs').waitFor();
}

async function chosen(page, language) {
  const button = page.locator(`.bar-tools [lang=${language}]`);
  const now = () => page.evaluate(() => document.documentElement.lang);
  await until(async () => {
    if ((await now()) === language) return true;
    await button.or(page.locator('.bar-tools [lang]')).first().click();
    return (await now()) === language;
  }, language);
}

async function screens(page, own, watch, name) {
  await place(page, 'screens');
  await field(page, 'web.screens.featured').fill('3-1');
  await keep(page);
  const refused = page.locator('.settings-form .error:visible');
  await until(async () => /featured: "3-1" names no tables/.test(await refused.innerText()), 'no');
  refusalIsNoFault(watch, /422/);
  await field(page, 'web.screens.featured').fill('1-3');
  await field(page, 'web.screens.clocks').uncheck();
  await keep(page);
  await until(async () => /featured = "1-3"/.test(await file(own)), 'featured');
  assert.match(await file(own), /clocks = false/);
  const parts = page.locator('.settings-form:has(.settings-parts)');
  const inputs = parts.locator('input');
  await inputs.nth(0).fill('Salle Émeraude');
  await inputs.nth(1).fill('1-20');
  await inputs.nth(2).fill('קומה ב');
  await inputs.nth(3).fill('21-40');
  await parts.locator('.confirm .button:not(.is-quiet)').click();
  await until(async () => /"קומה ב" = "21-40"/.test(await file(own)), 'parts');
  await looked(page, `setup-screens-set-${name}`);
}

/** An arbiter is named here, signs in at once, and is put out again. */
async function people(page, { own, watch, another, url }, name) {
  await place(page, 'people');
  const form = page.locator('.people-form');
  const give = form.locator('.confirm .button');
  await form.locator('input[name=person]').fill('Zoë Žarko');
  await form.locator('input[name=person-password]').fill('short');
  await give.click();
  await until(async () => /8 characters/.test(await form.locator('.error').innerText()), 'short');
  await form.locator('input[name=person-password]').fill(PASSWORD);
  await give.click();
  const row = form.locator('li', { hasText: 'Zoë Žarko' });
  await row.waitFor();
  assert.match(await file(own), /\[web\.arbiters\]\n"Zoë Žarko" = "\$argon2id/);
  assert.ok(!(await file(own)).includes(PASSWORD), 'a password in the file');
  await looked(page, `setup-people-${name}`);

  const other = await another(`${url}/setup`);
  await other.locator('.sign-in:visible input[name=name]').fill('Zoë Žarko');
  await other.locator('.sign-in:visible input[name=password]').fill(PASSWORD);
  await other.locator('.sign-in:visible button').click();
  await until(
    async () => /Zoë Žarko/.test(await other.locator('#main').innerText()),
    'no organizer',
  );
  assert.equal(await other.locator('.tabs:visible').count(), 0, 'an arbiter sets nothing up');

  await row.locator('button').click();
  await row.locator('button').click();
  await until(async () => (await row.count()) === 0, 'removed');
  assert.ok(!(await file(own)).includes('Žarko'));
  const olga = form.locator('li', { hasText: 'Olga' }).locator('button');
  await olga.click();
  await olga.click();
  const refused = form.locator('.error');
  await until(async () => /last organizer/.test(await refused.innerText()), 'somebody must stay');
  refusalIsNoFault(watch, /409/);
}

/** What waits for a start is said, and a token is never shown. */
async function waysOut(page, own, watch, name) {
  await place(page, 'ways');
  await field(page, 'notify.url').fill('hall');
  await keep(page);
  const refused = page.locator('.settings-form .error:visible');
  await until(async () => /is no address of the web/.test(await refused.innerText()), 'no address');
  refusalIsNoFault(watch, /422/);
  await field(page, 'notify.url').fill('http://127.0.0.1:9/hall-of-nobody');
  await field(page, 'public.delay_s').fill('900');
  await keep(page);
  await until(async () => /delay_s = 900/.test(await file(own)), 'a delay');
  const waits = page.locator('.stage > .round-about');
  await until(async () => /next start .*: public\./.test(await waits.innerText()), 'it says so');

  // A folder is written at once, and its button says so.
  const folder = join(dirname(own.config), 'games');
  await field(page, 'pgn.directory').fill(folder);
  await keep(page);
  const way = page.locator('.ways-out .condition-list li', { hasText: 'PGN' });
  await way.getByRole('button').click();
  await until(async () => /a file was written/i.test(await way.innerText()), 'it works');
  await stat(join(folder, 'tournament.json'));

  await page.locator('input[name=lichess-token]').fill('lip_abc def');
  await page.locator('.ways-out > .setup-group .confirm .button').click();
  const token = page.locator('.ways-out > .setup-group');
  await until(async () => /one word/.test(await token.innerText()), 'no token');
  refusalIsNoFault(watch, /400/);
  await page.locator('input[name=lichess-token]').fill('lip_abcdef');
  await page.locator('.ways-out > .setup-group .confirm .button').click();
  await until(async () => /A token is there/.test(await token.innerText()), 'it is there');
  const kept = join(dirname(own.config), 'lichess.token');
  assert.equal((await readFile(kept, 'utf8')).trim(), 'lip_abcdef');
  assert.equal((await stat(kept)).mode & 0o777, 0o600);
  assert.ok(!(await file(own)).includes('lip_abcdef') && !(await page.content()).includes('lip_a'));
  await field(page, 'lichess.round').fill('Xw2Kq9Pt');
  await field(page, 'public.delay_s').fill('');
  await keep(page);
  await until(async () => /round = "Xw2Kq9Pt"/.test(await file(own)), 'a round');
  assert.ok(!(await file(own)).includes('delay_s'), 'and no delay again');
  await looked(page, `setup-ways-${name}`);
}
