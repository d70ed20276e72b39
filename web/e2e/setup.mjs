// A fresh machine: the code, the first account, and six boards seated by their kings. Nobody
// touches a file, and nothing is restarted.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { accessible } from './access.mjs';
import { shoot } from './browser.mjs';
import { smallTargets, until } from './checks.mjs';

const PASSWORD = 'a long password';
const seated = (page) => page.locator('.seat-told').innerText();

/** A wrong code first; then the account. */
async function firstAccount(page, watch, code, name) {
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
  // The browser complains of the refusal, which is what was wanted.
  const complaints = watch.errors.splice(0);
  assert.ok(
    complaints.every((it) => /401/.test(it)),
    complaints.join(),
  );
  await codeField.fill(code.toLowerCase());
  await page.locator('.sign-in:visible button').click();
}

/** Kings are lifted in turn, by boards that stand in an order of their own. */
export function freshMachine(name, boards) {
  return async (page, { own, watch }) => {
    await firstAccount(page, watch, own.code, name);
    await page.locator('.seat-hall').waitFor();
    await until(async () => (await page.locator('.setup-list li').count()) === boards, 'boards');
    await smallTargets(page);
    await shoot(page, `setup-boards-${name}`);
    await page.locator('.seat-buttons .button:not(.is-quiet)').click();
    const begun = Date.now();
    for (let table = 1; table <= boards; table += 1) {
      await until(
        async () => new RegExp(`\\b${table}\\b`).test(await seated(page)),
        `table ${table}`,
      );
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
    // The hall is there, and who has made the account decides in it.
    await page.locator('.page-setup .stage > .button').click();
    await page.waitForURL(/\/arbiter/);
    await until(async () => (await page.locator('.tabs').count()) > 0, 'the arbiter page');
    return `${boards} boards in ${took} s, as their hands lifted them`;
  };
}
