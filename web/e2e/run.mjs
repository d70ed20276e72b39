// The pages in a real Chromium: what the program shows against the program, in its demonstration
// and at tables whose hands follow scripts; what it cannot show at will (300 tables, an order that
// comes too late, an answer that is lost) against the development server and its Mosquitto.
// ADOUBED_BIN is the program, ADOUBED_URL another server. Writes screenshots into e2e/shots.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';
import { ofDevelopment } from './development.mjs';
import { encrypted } from './encrypted.mjs';
import { severalHalls } from './halls.mjs';
import { elsewhere, ofProgram } from './program.mjs';
import { play } from './stage.mjs';

const BUILT = join(import.meta.dirname, '../../target/debug/adoubed');
/** Much of a scenario is waiting: one hall more than there are cores. */
const LANES = availableParallelism() + 1;

const only = process.env.ADOUBED_ONLY ? new RegExp(process.env.ADOUBED_ONLY) : null;
const lanes = Number(process.env.ADOUBED_LANES ?? LANES);
const halls = chosenHalls();
const names = halls.flatMap(({ scenarios }) => scenarios.map(([name]) => name));
const twice = names.filter((name, index) => names.indexOf(name) !== index);
if (twice.length > 0) throw new Error(`tried twice: ${twice.join(', ')}`);
if (process.argv.includes('--list')) {
  names.forEach((name) => console.log(name));
  process.exit(0);
}

const browser = await openBrowser();
const begun = Date.now();
try {
  const wanted = (name) => only === null || only.test(name);
  const { passed, failed } = await play(browser, halls, { lanes, wanted });
  const seconds = Math.round((Date.now() - begun) / 1000);
  console.log(`${names.length} scenarios, ${lanes} halls at once, ${seconds} s`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} finally {
  await browser.close();
}

function chosenHalls() {
  const url = process.env.ADOUBED_URL?.replace(/\/$/, '');
  if (url) return elsewhere(url);
  const program = process.env.ADOUBED_BIN ?? BUILT;
  if (!existsSync(program)) {
    throw new Error(`no program at ${program}: run cargo build, or say where it is by ADOUBED_BIN`);
  }
  // Those that wait longest come first.
  return [
    ...ofProgram(program),
    ...encrypted(program),
    ...severalHalls(program),
    ...ofDevelopment(),
  ];
}
