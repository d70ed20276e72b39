// The arbiter's page where the server is out of reach: as it was last, so that it can say so and go
// on trying instead of leaving the tablet with the browser's own error. The server comes first.

const KEPT = 'adoubed';
/* global FILES: what the page consists of, by build.mjs */

self.addEventListener('install', (event) => event.waitUntil(keepAll()));
self.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== self.location.origin || !FILES.includes(pathname)) return;
  event.respondWith(fromServer(event.request, pathname));
});

async function keepAll() {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES);
  await self.skipWaiting();
}

async function dropOthers() {
  const cache = await caches.open(KEPT);
  const kept = await cache.keys();
  const others = kept.filter(({ url }) => !FILES.includes(new URL(url).pathname));
  await Promise.all(others.map((request) => cache.delete(request)));
  await self.clients.claim();
}

async function fromServer(request, pathname) {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) await cache.put(pathname, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(pathname);
    if (kept === undefined) throw error;
    return kept;
  }
}
