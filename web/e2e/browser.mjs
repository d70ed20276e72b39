// A Chromium whose pages are watched: what they log as errors, and whom they ask for anything.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { clicksAsHandsDo } from './hand.mjs';

const SHOTS = join(import.meta.dirname, 'shots');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** This machine by a name that does not say so: there plain http is no secure context. */
export const NAMED = 'hall.test';
const RULES = `--host-resolver-rules=MAP ${NAMED} 127.0.0.1`;
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', RULES];

export async function openBrowser(env = process.env) {
  await mkdir(SHOTS, { recursive: true });
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS, env });
}

/** A browser that keeps what is in it: nothing can be installed from private windows. */
export function openProfile(folder, env, context) {
  return chromium.launchPersistentContext(folder, {
    executablePath: CHROMIUM,
    args: ARGUMENTS,
    env,
    locale: 'fr-BE',
    ...context,
  });
}

/**
 * Playwright's options (viewport, colour scheme, touch), the reader's language, and whether the
 * hall is asked for by its name.
 */
export async function watchedPage(browser, url, { language = null, named, ...context }) {
  // As on most tablets here; a scenario that is about the browser's language says another.
  const session = await browser.newContext({ locale: 'fr-BE', ...context });
  const choose = (chosen) => localStorage.setItem('adoubed.language', chosen);
  if (language !== null) await session.addInitScript(choose, language);
  await session.addInitScript(keepWhatIsSaid);
  const page = await session.newPage();
  await clicksAsHandsDo(page);
  const watch = { errors: [], strangers: [], tolerant: false };
  const host = new URL(url).host;
  const note = (text) => watch.tolerant || watch.errors.push(text);
  page.on('console', (message) => message.type() === 'error' && note(message.text()));
  page.on('pageerror', (error) => note(String(error)));
  const meet = (address) => {
    const { protocol, host: asked } = new URL(address);
    const local = protocol === 'blob:' || protocol === 'data:';
    if (!local && asked !== host) watch.strangers.push(address);
  };
  page.on('request', (request) => meet(request.url()));
  page.on('websocket', (socket) => meet(socket.url()));
  return { page, watch, close: () => session.close() };
}

/** Runs in the page: what it says, alone or beside *Undo*, is gone after some seconds. */
function keepWhatIsSaid() {
  window.saidSoFar = [];
  const last = new Map();
  const keep = (where) => {
    const text = document.querySelector(where)?.textContent ?? '';
    if (text !== '' && last.get(where) !== text) window.saidSoFar.push(text);
    last.set(where, text);
  };
  new MutationObserver(() => ['.said', '.undo > span'].forEach(keep)).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
  });
}

export async function shoot(page, name) {
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Puts a switch into the page's way to the broker, for a server that may not be stopped. */
export async function severable(page) {
  let open = true;
  const routes = [];
  await page.routeWebSocket(/\/mqtt$/, (route) => {
    if (!open) return void route.close();
    routes.push(route);
    route.connectToServer();
  });
  const cut = () => {
    open = false;
    routes.forEach((route) => route.close());
  };
  return { cut };
}
