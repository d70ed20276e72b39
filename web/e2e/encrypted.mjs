// The real daemon over TLS, in a Chromium that has been told once to trust the hall's authority, as
// /trust says, and in one that has not. Needs certutil (Debian: libnss3-tools).

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { accessible } from './access.mjs';
import { openBrowser, openProfile, shoot, watchedPage } from './browser.mjs';

const START_MS = 30_000;
const TABLET = { viewport: { width: 600, height: 960 } };

/** Its scenarios open browsers of their own; without certutil there are none. */
export function encrypted(program) {
  if (spawnSync('certutil', ['-H']).error) {
    console.log('SKIP  TLS in a browser: needs certutil (package libnss3-tools)');
    return [];
  }
  const scenarios = [
    ['a browser that trusts nobody is not deceived', strangerRefused],
    ['the page that helps to trust, in both languages', trustPage],
    ['a tablet that trusts the hall has all of its browser', trustingTablet],
    ['there the page can be installed, and starts without the server', installed],
  ];
  return [{ open: () => openHouse(program), scenarios }];
}

async function openHouse(program) {
  const house = await mkdtemp(join(tmpdir(), 'adoubed-tls-'));
  const daemon = await startDaemon(program, house);
  const stop = async () => {
    await daemon.stop();
    await rm(house, { recursive: true });
  };
  return { house, daemon, stop };
}

async function startDaemon(program, house) {
  const config = join(house, 'adoubed.toml');
  const listen = 'listen = "0.0.0.0:0"\nlisten_tls = "0.0.0.0:0"\n';
  const text = `[mqtt]\nlisten = "127.0.0.1:0"\nhall = "open"\n[web]\n${listen}
[journal]\ndirectory = "${join(house, 'state')}"\n[ports]\ndirectory = "${house}"\n`;
  await writeFile(config, text);
  const stdio = ['ignore', 'ignore', 'pipe'];
  const child = spawn(program, ['run', '--config', config], { stdio });
  const said = await heard(child, [/pages http:\/\/\S+:(\d+)/, /encrypted at https:\/\/\S+:(\d+)/]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  const [plain, encrypted] = said.map((match) => match[1]);
  return {
    plain: `http://127.0.0.1:${plain}`,
    encrypted: `https://localhost:${encrypted}`,
    stop,
  };
}

/** What the log says to each of these patterns. */
function heard(child, patterns) {
  const found = patterns.map(() => null);
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the daemon serves no pages')), START_MS).unref();
    child.once('exit', (code) => reject(new Error(`the daemon ended with ${code}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      patterns.forEach((pattern, index) => (found[index] ??= pattern.exec(line)));
      if (found.every((match) => match !== null)) resolve(found);
    });
  });
}

async function strangerRefused({ house, daemon }) {
  const browser = await browserOf(house, 'stranger');
  try {
    const page = await browser.newPage();
    const opened = page.goto(`${daemon.encrypted}/arbiter`);
    await assert.rejects(opened, /ERR_CERT_AUTHORITY_INVALID/);
  } finally {
    await browser.close();
  }
}

async function trustPage({ house, daemon }) {
  const browser = await browserOf(house, 'stranger');
  try {
    for (const [language, colorScheme] of [
      ['en', 'light'],
      ['fr', 'dark'],
    ]) {
      const context = { ...TABLET, colorScheme };
      const { page, watch } = await watchedPage(browser, daemon.plain, context);
      await page.goto(`${daemon.plain}/trust/${language}`);
      await page.locator('summary').first().click();
      await page.locator('figure svg').first().waitFor();
      await accessible(page);
      const wide = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      assert.equal(wide, 0, 'scrolls sideways');
      assert.deepEqual([watch.errors, watch.strangers], [[], []]);
      await shoot(page, `trust-${language}`);
    }
  } finally {
    await browser.close();
  }
}

async function trustingTablet({ house, daemon }) {
  const download = await fetch(`${daemon.plain}/trust/adoubed.pem`);
  const file = join(house, 'adoubed.pem');
  await writeFile(file, await download.text());
  const store = `sql:${join(house, 'tablet/.pki/nssdb')}`;
  await mkdir(join(house, 'tablet/.pki/nssdb'), { recursive: true });
  certutil('-d', store, '-N', '--empty-password');
  certutil('-d', store, '-A', '-t', 'C,,', '-n', 'adoubed', '-i', file);
  const browser = await browserOf(house, 'tablet');
  try {
    const { page, watch } = await watchedPage(browser, daemon.encrypted, TABLET);
    await page.goto(`${daemon.encrypted}/arbiter`);
    await page.locator('[data-mood=live]').waitFor();
    const powers = await page.evaluate(async () => ({
      secure: window.isSecureContext,
      serviceWorker: 'serviceWorker' in navigator,
      wakeLock: await navigator.wakeLock.request('screen').then((lock) => lock.type),
      notifications: typeof Notification.requestPermission,
      randomUUID: crypto.randomUUID().length,
    }));
    const all = { secure: true, serviceWorker: true, wakeLock: 'screen' };
    assert.deepEqual(powers, { ...all, notifications: 'function', randomUUID: 36 });
    assert.deepEqual([watch.errors, watch.strangers], [[], []]);
    await shoot(page, 'arbiter-encrypted');
  } finally {
    await browser.close();
  }
}

/** What the browser itself says; then the server goes away and the tablet is started again. */
async function installed({ house, daemon }) {
  const env = { ...process.env, HOME: join(house, 'tablet') };
  const context = await openProfile(join(house, 'profile'), env, TABLET);
  try {
    const [page] = context.pages();
    await page.goto(`${daemon.encrypted}/arbiter`);
    await page.locator('[data-mood=live]').waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(({ scope }) => scope));
    const devtools = await context.newCDPSession(page);
    const { errors: faults, data } = await devtools.send('Page.getAppManifest');
    assert.deepEqual(faults, []);
    assert.equal(JSON.parse(data).start_url, '/arbiter');
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors, []);
    await daemon.stop();
    await page.reload();
    await page.locator('.sign-in .error').waitFor();
    await shoot(page, 'arbiter-without-server');
  } finally {
    await context.close();
  }
}

function certutil(...options) {
  const outcome = spawnSync('certutil', options, { encoding: 'utf8' });
  assert.equal(outcome.status, 0, outcome.stderr);
}

/** A browser of somebody with a home of his own: what he trusts is kept there. */
async function browserOf(house, name) {
  const home = join(house, name);
  await mkdir(home, { recursive: true });
  return openBrowser({ ...process.env, HOME: home });
}
