// The real daemon in demo mode: emulated boards on pseudo-terminals, read by the program itself.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How long the program may take to serve its pages, in ms. */
const START_MS = 30_000;

/** Starts `program demo` on free addresses; gives its address and a way to end it. */
export async function startDaemon(program) {
  const free = ['--web', '127.0.0.1:0', '--mqtt', '127.0.0.1:0'];
  const venue = ['demo', '--tables', '12', '--speed', '4', '--incidents', '--language', 'fr'];
  const daemon = spawn(program, [...venue, ...free], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => daemon.once('exit', resolve));
  const url = await address(daemon, ended);
  const stop = async () => {
    daemon.kill('SIGTERM');
    await ended;
  };
  return { url, stop };
}

function address(daemon, ended) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the daemon serves no pages')), START_MS);
    ended.then((code) => reject(new Error(`the daemon ended with ${code}`)));
    createInterface({ input: daemon.stdout }).on('line', (line) => {
      const found = /http:\/\/[^/\s]+/.exec(line);
      if (!found) return;
      clearTimeout(late);
      resolve(found[0]);
    });
  });
}
