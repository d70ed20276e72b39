/** What browsers allow over https only; without it the page works all the same. */

/** Keeps the screen on while the page is in sight. */
export function stayAwake(): void {
  if (!('wakeLock' in navigator)) return;
  // Refused where the battery is low.
  const ask = () => navigator.wakeLock.request('screen').catch(() => null);
  document.addEventListener('visibilitychange', () => document.hidden || void ask());
  void ask();
}

/** Lets the page start where the server is out of reach, and say so. */
export function startWithoutServer(): void {
  if (!('serviceWorker' in navigator)) return;
  const scope = { scope: '/arbiter' };
  void navigator.serviceWorker.register('/service-worker.js', scope).catch(() => null);
}
