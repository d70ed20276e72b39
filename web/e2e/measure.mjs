// How smooth the wall is: `npm run measure -- --tables 300 --minutes 2`. The main thread's work per
// second, the memory over time, and the time from an MQTT message to the pixels, in Chromium.

import { parseArgs } from 'node:util';
import { startDevelopment } from '../dev/serve.mjs';
import { openBrowser } from './browser.mjs';

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '2' },
    speed: { type: 'string', default: '1' },
    path: { type: 'string', default: '/' },
  },
});
const TV = { viewport: { width: 1920, height: 1080 } };
/** Probes of the time to the pixels. */
const PROBES = 60;

const tables = Number(values.tables);
const server = await startDevelopment({ tables, speed: Number(values.speed) });
const browser = await openBrowser();
try {
  const page = await (await browser.newContext(TV)).newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(server.url + values.path);
  await page.locator('.tile piece, .alert-link, .table-list a').first().waitFor();
  const all = page.getByText(/Tout voir|Show all/);
  if (values.path === '/' && (await all.isVisible())) await all.click();
  await page.waitForTimeout(5000);
  const first = await figures(session);
  const samples = [];
  for (let minute = 0; minute < Number(values.minutes); minute += 1) {
    await page.waitForTimeout(60_000);
    samples.push(await figures(session));
    console.log(`minute ${minute + 1}: ${told(samples[minute - 1] ?? first, samples[minute])}`);
  }
  console.log(`all: ${told(first, samples.at(-1))}`);
  // A page that turns may not show the table that is asked for.
  if (values.path === '/') report(await pixels(page, server.hall));
} finally {
  await browser.close();
  await server.stop();
}

function report(times) {
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  console.log(`message to pixels, ms: p50 ${at(0.5)}, p95 ${at(0.95)}, max ${times.at(-1)}`);
}

async function figures(session) {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

function told(before, after) {
  const seconds = after.Timestamp - before.Timestamp;
  const share = (name) => Math.round(((after[name] - before[name]) / seconds) * 1000);
  const heap = (after.JSHeapUsedSize / 2 ** 20).toFixed(1);
  const work =
    `main thread ${share('TaskDuration')} ms/s (script ${share('ScriptDuration')}, ` +
    `layout ${share('LayoutDuration')}, style ${share('RecalcStyleDuration')})`;
  return `${work}; heap ${heap} MiB, ${after.Nodes} nodes`;
}

/** A position nobody else shows is published; the page says when it has been painted. */
async function pixels(page, hall) {
  const times = [];
  for (let probe = 0; probe < PROBES; probe += 1) {
    const san = `N${'abcdefgh'[probe % 8]}${(probe % 6) + 1}`;
    const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
    const painted = page.evaluate(
      (wanted) => {
        const place = document.querySelector('[data-table="12"] .tile-state');
        return new Promise((resolve) => {
          const look = () => {
            if (!place.textContent.includes(wanted)) return requestAnimationFrame(look);
            requestAnimationFrame(() => resolve(Date.now()));
          };
          look();
        });
      },
      `${1000 + probe}`,
    );
    await page.waitForTimeout(150 + Math.random() * 100);
    const sent = Date.now();
    hall.publish('table/12/position', {
      fen,
      ply: 2 * (1000 + probe) - 1,
      last: { san, uci: 'g1f3' },
      status: 'completed',
      turn: 'black',
      check: false,
      phase: 'in_play',
      result: '*',
    });
    times.push((await painted) - sent);
  }
  return times.sort((a, b) => a - b);
}
