// A Mosquitto for development: two loopback ports, users and rights as the daemon grants them.

import { spawn, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MOSQUITTO = process.env.MOSQUITTO ?? '/usr/sbin/mosquitto';

/**
 * Starts it and waits until it listens; `stop()` ends it and removes its files. `arbiters`: by name
 * the bases at which each has his rights.
 */
export async function startBroker(bases, arbiters = { arbiter: bases }) {
  const folder = await mkdtemp(join(tmpdir(), 'adoubed-web-'));
  await chmod(folder, 0o755);
  const [tcp, websocket] = [await freePort(), await freePort()];
  const names = ['daemon', ...Object.keys(arbiters)];
  const users = Object.fromEntries(names.map((name) => [name, password()]));
  await writeUsers(join(folder, 'users'), users);
  await writeFile(join(folder, 'rights'), rights(bases, arbiters));
  await writeFile(join(folder, 'mosquitto.conf'), settings(folder, tcp, websocket));
  const child = spawn(MOSQUITTO, ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' });
  await Promise.all([listening(tcp), listening(websocket)]);
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { tcp, websocket, users, stop };
}

function settings(folder, tcp, websocket) {
  return `persistence false
max_queued_messages 0
set_tcp_nodelay true
allow_anonymous true
password_file ${join(folder, 'users')}
acl_file ${join(folder, 'rights')}
listener ${tcp} 127.0.0.1
listener ${websocket} 127.0.0.1
protocol websockets
`;
}

function rights(bases, arbiters) {
  const guests = bases.flatMap((it) => [
    `topic read ${it}/v1/bridge/#`,
    `topic read ${it}/v1/table/#`,
  ]);
  const own = Object.entries(arbiters).flatMap(([name, where]) => [
    `user ${name}`,
    ...guests,
    ...where.flatMap((it) => [`topic read ${it}/v1/#`, `topic write ${it}/v1/request/#`]),
  ]);
  return [...guests, ...own, 'user daemon', 'topic readwrite #', ''].join('\n');
}

async function writeUsers(path, users) {
  await writeFile(path, '', { mode: 0o644 });
  for (const [name, secret] of Object.entries(users)) {
    await run('mosquitto_passwd', ['-b', path, name, secret]);
  }
}

function password() {
  return randomBytes(12).toString('hex');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function listening(port, deadline = Date.now() + 5000) {
  while (!(await answers(port))) {
    if (Date.now() > deadline) throw new Error('mosquitto does not listen');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
