// The real daemon: in demo mode, or with tables at which hands do what a script says.

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** How long a program may take to say where it is, in ms. */
const START_MS = 60_000;

/** What it tells of games is of no use here, and what goes wrong is. */
const QUIET = { ADOUBED_LOG: 'warn,adoubed::verbs::run=info' };

/** Starts `program demo` on free addresses; gives its address and a way to end it. */
export async function startDaemon(program, { language = 'fr', tables = 12, speed = 4 } = {}) {
  const free = ['--web', '127.0.0.1:0', '--mqtt', '127.0.0.1:0'];
  const venue = ['demo', '--tables', String(tables), '--speed', String(speed), '--incidents'];
  const stdio = ['ignore', 'pipe', 'inherit'];
  const daemon = start(program, [...venue, '--language', language, ...free], { stdio });
  const [url] = await said(daemon, daemon.child.stdout, /http:\/\/[^/\s]+/);
  return { url, stop: daemon.stop };
}

/**
 * Starts `program run` with a table for each script (docs/gestures.md), on virtual boards.
 * `rounds`: who plays whom at which table in each round, else everybody is named by his table.
 * `absent`: so many tables more, whose boards are not there.
 */
export async function startTables(program, scripts, how = {}) {
  const house = await mkdtemp(join(tmpdir(), 'adoubed-house-'));
  const lines = scripts.map((script, index) => board(program, house, script, index, how));
  const boards = await Promise.all(lines);
  const { rounds, absent = 0 } = how;
  const away = Array.from({ length: absent }, () => ({ line: join(house, 'nowhere') }));
  const tables = [...boards, ...away].map(({ line }, index) => {
    const number = index + 1;
    const named = `white = "White ${number}"\nblack = "Black ${number}"\n`;
    const players = rounds === undefined ? named : '';
    const driver = `driver = "${how.family ?? 'dgt'}"\n`;
    return `[[table]]\nnumber = ${number}\nport = "${line}"\n${driver}${players}`;
  });
  const config = join(house, 'adoubed.toml');
  const free = 'listen = "127.0.0.1:0"\n';
  const control = how.control ? `time_control = "${how.control}"\n` : '';
  const pairings = rounds === undefined ? '' : 'pairings = "pairings.pgn"\n';
  if (rounds !== undefined) await writeFile(join(house, 'pairings.pgn'), pairingsOf(rounds));
  const event = `[event]\nlanguage = "fr"\n${control}${pairings}`;
  await writeFile(
    config,
    `${event}[mqtt]\n${free}[web]\n${free}[journal]
directory = "${join(house, 'state')}"\n[ports]\ndirectory = "${house}"\n${tables.join('')}`,
  );
  const stdio = ['ignore', 'ignore', 'pipe'];
  const daemon = start(program, ['run', '--config', config], { stdio });
  const [, address] = await said(daemon, daemon.child.stderr, /pages http:\/\/(\S+:\d+)/);
  const stop = async () => {
    await daemon.stop();
    await Promise.all(boards.map((it) => it.stop()));
    await rm(house, { recursive: true });
  };
  return { url: `http://${address}`, stop, boards, house };
}

/**
 * Starts `program run` on a fresh machine: no table, nobody named; boards are plugged in, and each
 * has a script. Gives the code for the first account, and where the file will be.
 */
export async function startFresh(program, scripts) {
  const house = await mkdtemp(join(tmpdir(), 'adoubed-house-'));
  const lines = join(house, 'lines');
  await mkdir(lines);
  const families = [{}, { family: 'chesslink', serial: [] }, { family: 'tabutronic', serial: [] }];
  const boards = await Promise.all(
    scripts.map((script, index) => board(program, lines, script, index, families[index % 3])),
  );
  // Only what keeps it apart from other programs on this machine.
  const config = join(house, 'adoubed.toml');
  const free = 'listen = "127.0.0.1:0"\n';
  const record = `[journal]\ndirectory = "${join(house, 'state')}"\n`;
  const where = `[mqtt]\n${free}[web]\n${free}${record}[ports]\ndirectory = "${lines}"\n`;
  await writeFile(config, where);
  const stdio = ['ignore', 'ignore', 'pipe'];
  const daemon = start(program, ['run', '--config', config], { stdio });
  const told = /to set up this hall: (http:\/\/\S+)\/setup, code (\S+)/;
  const [, url, code] = await said(daemon, daemon.child.stderr, told);
  const stop = async () => {
    await daemon.stop();
    await Promise.all(boards.map((it) => it.stop()));
    await rm(house, { recursive: true });
  };
  return { url, stop, boards, house, config, code };
}

function pairingsOf(rounds) {
  const games = rounds.flatMap((tables, index) =>
    Object.entries(tables).map(([table, [white, black]]) => {
      const place = `[Event "Open"]\n[Round "${index + 1}.${table}"]\n`;
      return `${place}[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`;
    }),
  );
  return games.join('\n');
}

/** Starts `program run` with boards without a number, and a way to break the first one's port. */
export async function startBrokenPort(program, scripts) {
  const without = { family: 'chesslink', serial: [] };
  const hall = await startTables(program, scripts, without);
  const [first] = hall.boards;
  const portBreaks = async () => {
    // Before the other ends: else its far end may have the very same device file.
    const spare = { ...without, line: 'spare' };
    hall.boards[0] = await board(program, hall.house, scripts[0], 0, spare);
    await first.stop();
  };
  return { ...hall, portBreaks };
}

async function board(program, house, script, index, how = {}) {
  const { family = 'dgt', serial = ['--serial', String(26001 + index)] } = how;
  const file = join(house, `${index + 1}.gestures`);
  const line = join(house, how.line ?? `board-${index + 1}`);
  await writeFile(file, how.control ? `# time_control: ${how.control}\n${script}` : script);
  const named = ['--script', file, '--link', line, ...serial];
  const stdio = ['ignore', 'pipe', 'inherit'];
  const emulator = start(program, ['emulate', family, ...named], { stdio });
  await said(emulator, emulator.child.stdout, /./);
  return { line, stop: emulator.stop };
}

function start(program, options, how) {
  const child = spawn(program, options, { ...how, env: { ...QUIET, ...process.env } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { child, ended, stop };
}

/** The first of its lines that is like this; the others are read and forgotten. */
function said({ ended }, stream, pattern) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`it never says ${pattern}`)), START_MS);
    ended.then((code) => reject(new Error(`it ended with ${code}`)));
    createInterface({ input: stream }).on('line', (line) => {
      const found = pattern.exec(line);
      if (!found) return;
      clearTimeout(late);
      resolve(found);
    });
  });
}
