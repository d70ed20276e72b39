// Serves dist/ the way the daemon does, and passes /mqtt on to the broker.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { extname, join } from 'node:path';
import { DECISIONS } from './fixtures/decisions.mjs';
import { OUTLETS, RESULTS } from './fixtures/results.mjs';

const DIST = join(import.meta.dirname, '../dist');
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * `config`: what /config.json says. `session`: credentials for the arbiter's page.
 * `login`: name and password it asks for first, or null to hand them out at once.
 */
export async function startSite({ port, websocket, config, session, login }) {
  const sockets = new Set();
  const server = createServer((request, response) => {
    answer(request, response, { config, session, login }).catch(() => {
      response.writeHead(404).end();
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let severed = false;
  const tunnels = new Set();
  server.on('upgrade', (request, socket, head) => {
    if (severed) return socket.destroy();
    tunnels.add(socket);
    passOn(request, socket, head, websocket);
  });
  /** Breaks the way to the broker, as bad air does, and mends it again. */
  const cut = (broken) => {
    severed = broken;
    if (broken) tunnels.forEach((socket) => socket.destroy());
  };
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      sockets.forEach((socket) => socket.destroy());
    });
  return { url: `http://127.0.0.1:${server.address().port}`, stop, cut };
}

async function answer(request, response, { config, session, login }) {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/config.json') return json(response, 200, config);
  if (pathname === '/arbiter/session' && request.method === 'POST') {
    const given = await body(request);
    const matches = given?.name === login?.name && given?.password === login?.password;
    const again = given?.username === session.username && given.password === session.password;
    const admitted = login === null || matches || again;
    const granted = { ...session, arbiter: login?.name ?? null };
    return admitted ? json(response, 200, granted) : json(response, 401, {});
  }
  if (pathname === '/arbiter/session' && request.method === 'DELETE') {
    response.writeHead(204);
    return response.end();
  }
  const lists = {
    '/arbiter/decisions': DECISIONS,
    '/arbiter/outlets': OUTLETS,
    '/arbiter/results': RESULTS,
  };
  if (pathname in lists && request.method === 'POST') {
    const given = await body(request);
    const known = given?.password === session.password;
    return known ? json(response, 200, lists[pathname]) : json(response, 401, {});
  }
  if (pathname === '/arbiter/adjournment' && request.method === 'POST') {
    const { table } = (await body(request)) ?? {};
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    return response.end(`<style>h1{color:red}</style><h1>Adjournment sheet ${table}</h1>`);
  }
  const file = fileOf(pathname);
  const content = await readFile(join(DIST, file));
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
  });
  response.end(content);
}

function fileOf(pathname) {
  if (pathname === '/' || pathname === '/kiosk') return 'index.html';
  if (pathname === '/kiosk/time') return 'arbiter.html';
  if (/^\/table\/\d+\/?$/.test(pathname)) return 'table.html';
  if (/^\/embed\/\d+\/?$/.test(pathname)) return 'embed.html';
  if (/^\/arbiter\/?$/.test(pathname)) return 'arbiter.html';
  if (pathname === '/service-worker.js') return pathname.slice(1);
  if (/^\/assets\/[\w.-]+$/.test(pathname)) return pathname.slice(1);
  throw new Error('no such page');
}

function json(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

async function body(request) {
  let raw = '';
  for await (const part of request) raw += part;
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

function passOn(request, socket, head, websocket) {
  if (request.url !== '/mqtt') return socket.destroy();
  const broker = connect(websocket, '127.0.0.1', () => {
    const headers = request.rawHeaders.reduce(
      (text, part, index) => text + part + (index % 2 === 0 ? ': ' : '\r\n'),
      '',
    );
    broker.write(`GET /mqtt HTTP/1.1\r\n${headers}\r\n`);
    broker.write(head);
    socket.pipe(broker).pipe(socket);
  });
  const end = () => {
    socket.destroy();
    broker.destroy();
  };
  broker.on('error', end).on('close', end);
  socket.on('error', end).on('close', end);
}
