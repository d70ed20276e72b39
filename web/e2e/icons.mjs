// The icons of the installed page, drawn from assets/icon.svg: `npm run icons`, after it has
// changed.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';

const ASSETS = join(import.meta.dirname, '../assets');
const svg = await readFile(join(ASSETS, 'icon.svg'), 'utf8');
/** Systems cut these to their own shape: the squares go to the edge. */
const whole = svg
  .replace(' rx="5"', '')
  .replace(/ d="M16 0h11[^"]*"/, ' d="M16 0h16v16H16zM0 16h16v16H0z"');
const browser = await openBrowser();
try {
  for (const size of [192, 512]) await draw(`icon-${size}.png`, size, svg);
  await draw('icon-maskable-512.png', 512, whole);
  await draw('apple-touch-icon.png', 180, whole);
} finally {
  await browser.close();
}

async function draw(name, size, drawing) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const image = `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`;
  await page.setContent(`<body style="margin:0"><img src="${image}" width="${size}"></body>`);
  await page.locator('img').evaluate((it) => it.decode());
  await page.screenshot({ path: join(ASSETS, name), omitBackground: true });
  await page.close();
}
