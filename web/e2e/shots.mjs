// The pictures of the README: `npm run shots` writes docs/img from the program in demo mode
// (ADOUBED_BIN), with the development server for halls and names the demonstration has not.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startDevelopment } from '../dev/serve.mjs';
import { openBrowser } from './browser.mjs';
import { startDaemon } from './daemon.mjs';

const IMAGES = join(import.meta.dirname, '../../docs/img');
const TV = { viewport: { width: 1920, height: 1080 } };
const TABLET = { viewport: { width: 600, height: 1024 } };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 };
/** Time for the hall to be heard and for an incident to happen, in ms. */
const HEARD_MS = 4000;
const INCIDENT_MS = 120_000;

await mkdir(IMAGES, { recursive: true });
const browser = await openBrowser();
try {
  await invented();
  if (process.env.ADOUBED_BIN) await real(process.env.ADOUBED_BIN);
} finally {
  await browser.close();
}

async function invented() {
  const screens = { featured: '1-2' };
  const hall = await startDevelopment({ tables: 60, language: 'en', screens });
  try {
    const look = (name, path, device, colorScheme, act) =>
      shoot(hall.url + path, name, { ...device, colorScheme }, act);
    await look('wall', '/?tables=1-17', TV, 'light');
    await look('wall-dark', '/?tables=1-17', TV, 'dark');
    await look('wall-phone', '/', PHONE, 'light');
    await look('table', '/table/1', TV, 'light');
    await look('tablet-tables', '/arbiter#/tables', TABLET, 'dark');
    await look('tablet-queue', '/arbiter', TABLET, 'light');
    await look('tablet-replay', '/arbiter#/alert/3-1-7', TABLET, 'light', replay);
    await look('tablet-table', '/arbiter#/table/3', TABLET, 'light');
    await look('tablet-editor', '/arbiter#/table/4', TABLET, 'light', edit);
  } finally {
    await hall.stop();
  }
}

/** A demonstration in French, and the first alert in it. */
async function real(program) {
  const daemon = await startDaemon(program);
  try {
    const device = { ...TABLET, colorScheme: 'light' };
    await shoot(`${daemon.url}/arbiter`, 'arbiter', device, async (page) => {
      const summons = page.locator('.alert[data-gravity=summon] .alert-link').first();
      await summons.click({ timeout: INCIDENT_MS });
      await page.locator('.replay cg-board piece').first().waitFor();
    });
    const phone = { ...PHONE, colorScheme: 'dark' };
    await shoot(`${daemon.url}/arbiter`, 'arbiter-phone', phone, async (page) => {
      await page.locator('.alert[data-gravity=summon] .alert-link').first().click();
      await page.locator('.replay cg-board piece').first().waitFor();
    });
  } finally {
    await daemon.stop();
  }
}

async function replay(page) {
  const [, play, , slow] = await page.locator('.replay-buttons button').all();
  await slow.click();
  await play.click();
  await page.locator('.sky piece.knight').waitFor();
  await page.waitForTimeout(1500);
}

async function edit(page) {
  await page.locator('.tool-row button').first().click();
  await page.locator('.editor .tray').first().scrollIntoViewIfNeeded();
}

async function shoot(url, name, device, act) {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForTimeout(HEARD_MS);
  await page.evaluate(() => document.fonts.ready);
  await act?.(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  await context.close();
  console.log(name);
}
