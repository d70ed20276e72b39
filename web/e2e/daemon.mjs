// The real daemon: in demo mode, or with tables at which hands do what a script says.

import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import mqtt from 'mqtt';
import { startBroker } from '../dev/broker.mjs';

/** How long a program may take to say where it is, in ms. */
const START_MS = 60_000;

/** What it tells of games is of no use here, and what goes wrong is. */
const QUIET = { ADOUBED_LOG: 'warn,adoubed::verbs::run=info,adoubed::verbs::serve=info' };

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
 * `absent`: so many tables more, whose boards are not there. `arbiters`: passwords by name, for
 * those who sign in; `dismiss` takes one of them out of the configuration.
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
  const languages = how.languages ? `languages = ${JSON.stringify(how.languages)}\n` : '';
  const event = `[event]\nlanguage = "fr"\n${languages}${control}${pairings}`;
  const { arbiters: passwords = {} } = how;
  const admits = admission(program, passwords);
  const record = `[journal]\ndirectory = "${join(house, 'state')}"\n`;
  const rest = `${record}[ports]\ndirectory = "${house}"\n${tables.join('')}`;
  const write = (but) =>
    writeFile(config, `${event}[mqtt]\n${free}[web]\n${free}${admits(but)}${rest}`);
  await write(null);
  const stdio = ['ignore', 'ignore', 'pipe'];
  const daemon = start(program, ['run', '--config', config], { stdio });
  const [, address] = await said(daemon, daemon.child.stderr, /pages http:\/\/(\S+:\d+)/);
  const stop = async () => {
    await daemon.stop();
    await Promise.all(boards.map((it) => it.stop()));
    await rm(house, { recursive: true });
  };
  const dismiss = async (name) => {
    await write(name);
    daemon.child.kill('SIGHUP');
  };
  return { url: `http://${address}`, stop, boards, house, passwords, dismiss };
}

/** Gives what the configuration says of arbiters, but for one of them. */
function admission(program, passwords) {
  const lines = Object.entries(passwords).map(([name, password]) => {
    const line = execFileSync(program, ['passwd', name], { input: password, encoding: 'utf8' });
    return [name, line.trimEnd()];
  });
  return (but) => {
    const named = lines.filter(([name]) => name !== but).map(([, line]) => line);
    return named.length === 0 ? '' : `[web.arbiters]\n${named.join('\n')}\n`;
  };
}

const FAMILIES = [{}, { family: 'chesslink', serial: [] }, { family: 'tabutronic', serial: [] }];

/**
 * Starts `program run` on a fresh machine: no table, nobody named; boards are plugged in, and each
 * has a script. Gives the code for the first account, and where the file will be.
 */
export async function startFresh(program, scripts, kinds = FAMILIES) {
  const house = await mkdtemp(join(tmpdir(), 'adoubed-house-'));
  const lines = join(house, 'lines');
  await mkdir(lines);
  const boards = await Promise.all(
    scripts.map((script, index) => {
      return board(program, lines, script, index, kinds[index % kinds.length]);
    }),
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
  /** One more board; `dumb`: nobody answers on its line. */
  const plug = async (script, { dumb = false, ...how } = {}) => {
    const more = await board(program, lines, script, boards.length, how);
    if (dumb) more.freeze();
    const at = boards.push(more) - 1;
    const offAndOn = async () => {
      await boards[at].stop();
      boards[at] = await board(program, lines, script, at, how);
    };
    return { line: more.line, offAndOn };
  };
  return { url, stop, boards, house, config, code, plug };
}

/** Starts `program run` with a broker of somebody else's, which is not there. */
export async function startElsewhere(program) {
  const house = await mkdtemp(join(tmpdir(), 'adoubed-house-'));
  const config = join(house, 'adoubed.toml');
  const broker = '[mqtt]\nbroker = "external"\nurl = "mqtt://127.0.0.1:1"\n';
  const state = `[journal]\ndirectory = "${join(house, 'state')}"\n`;
  const record = `${state}[ports]\ndirectory = "${house}"\n`;
  await writeFile(config, `${broker}[web]\nlisten = "127.0.0.1:0"\n${record}`);
  const stdio = ['ignore', 'ignore', 'pipe'];
  const daemon = start(program, ['run', '--config', config], { stdio });
  const [, address] = await said(daemon, daemon.child.stderr, /pages http:\/\/(\S+:\d+)/);
  const stop = async () => {
    await daemon.stop();
    await rm(house, { recursive: true });
  };
  return { url: `http://${address}`, stop };
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
  const freeze = () => emulator.child.kill('SIGSTOP');
  return { line, stop: emulator.stop, freeze };
}

function start(program, options, how) {
  const child = spawn(program, options, { ...how, env: { ...QUIET, ...process.env } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    // Whoever stands still does not hear that it is to end.
    child.kill('SIGCONT');
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

/**
 * Starts a Mosquitto, a daemon at it for each hall with a table for each of its scripts, and
 * `program serve` before them. `names`: who may give orders; `of_a` in hall A only.
 */
export async function startHalls(program, halls, names) {
  const bases = Object.keys(halls).map((hall) => `liege/${hall}`);
  const may = (name) => (name.startsWith('of_') ? [`liege/${name.slice(3)}`] : bases);
  const broker = await startBroker(bases, Object.fromEntries(names.map((it) => [it, may(it)])));
  const { users: passwords, tcp } = broker;
  const house = await mkdtemp(join(tmpdir(), 'adoubed-house-'));
  await writeFile(join(house, 'password'), passwords.daemon);
  const mqtt = `[mqtt]\nbroker = "external"\nurl = "mqtt://127.0.0.1:${tcp}"\n`;
  const login = `username = "daemon"\npassword_file = "${join(house, 'password')}"\n`;
  const opened = await Promise.all(
    Object.entries(halls).map(async ([hall, scripts]) => {
      const one = await startHall(program, { hall, mqtt: mqtt + login }, scripts);
      return [hall, one];
    }),
  );
  const shown = opened.map(([hall, { url }]) => `{ base = "liege/${hall}", pages = "${url}" }`);
  const config = join(house, 'serve.toml');
  await writeFile(
    config,
    `[event]\nname = "Open de Liège"\nlanguage = "fr"\n${mqtt}[web]\nlisten = "127.0.0.1:0"\n` +
      `halls = [${shown.join(', ')}]\n`,
  );
  const stdio = ['ignore', 'ignore', 'pipe'];
  const serving = start(program, ['serve', '--config', config], { stdio });
  const [, address] = await said(serving, serving.child.stderr, /pages http:\/\/(\S+:\d+)/);
  const stop = async () => {
    await serving.stop();
    await Promise.all(opened.map(([, one]) => one.stop()));
    await broker.stop();
    await rm(house, { recursive: true });
  };
  const requestsTo = (hall) => listen(tcp, passwords.daemon, `liege/${hall}/v1/request/#`);
  return {
    url: `http://${address}`,
    halls: Object.fromEntries(opened),
    passwords,
    requestsTo,
    stop,
  };
}

async function startHall(program, { hall, mqtt }, scripts) {
  const house = await mkdtemp(join(tmpdir(), 'adoubed-house-'));
  const boards = await Promise.all(scripts.map((it, index) => board(program, house, it, index)));
  const name = hall.toUpperCase();
  const tables = boards.map(({ line }, index) => {
    const number = index + 1;
    const whose = `of ${name} ${number}`;
    const players = `white = "White ${whose}"\nblack = "Black ${whose}"\n`;
    return `[[table]]\nnumber = ${number}\nport = "${line}"\ndriver = "dgt"\n${players}`;
  });
  const config = join(house, 'adoubed.toml');
  await writeFile(
    config,
    `[event]\nlanguage = "fr"\n${mqtt}base = "liege/${hall}"\n[web]\nlisten = "127.0.0.1:0"\n` +
      `[journal]\ndirectory = "${join(house, 'state')}"\n[ports]\ndirectory = "${house}"\n` +
      tables.join(''),
  );
  const begin = async () => {
    const stdio = ['ignore', 'ignore', 'pipe'];
    const daemon = start(program, ['run', '--config', config], { stdio });
    const [, address] = await said(daemon, daemon.child.stderr, /pages http:\/\/(\S+:\d+)/);
    return { daemon, url: `http://${address}` };
  };
  let { daemon, url } = await begin();
  const kill = async () => {
    daemon.child.kill('SIGKILL');
    await daemon.ended;
  };
  const again = async () => ({ daemon } = await begin());
  const stop = async () => {
    await daemon.stop();
    await Promise.all(boards.map((it) => it.stop()));
    await rm(house, { recursive: true });
  };
  return { url, kill, again, stop };
}

/** What comes there until it is stopped: verb and body of each order. */
function listen(tcp, password, filter) {
  const heard = [];
  const client = mqtt.connect(`mqtt://127.0.0.1:${tcp}`, { username: 'daemon', password });
  client.on('message', (topic, payload) => {
    heard.push({ verb: topic.split('/').at(-1), body: JSON.parse(payload.toString()) });
  });
  const ready = new Promise((resolve) => client.subscribe(filter, resolve));
  const stop = async () => {
    await ready;
    await client.endAsync();
    return heard;
  };
  return { ready, stop };
}
