// What the daemon says of its tables while the pages are tried: a client of the feed beside them.

import mqtt from 'mqtt';
import { PATIENCE, until } from './checks.mjs';

/** Reads what guests may read at the server of these pages. */
export async function observe(url) {
  const { base } = await (await fetch(`${url}/config.json`)).json();
  const client = mqtt.connect(`${url.replace(/^http/, 'ws')}/mqtt`, { reconnectPeriod: 500 });
  const tables = new Map();
  const waiting = new Set();
  client.on('message', (topic, payload) => {
    const [, number, kind] = /\/table\/(\d+)\/(\w+)$/.exec(topic) ?? [];
    if (kind === undefined || kind === 'pgn') return;
    // A table that is no more takes its topics back.
    if (payload.length === 0) return void tables.delete(Number(number));
    const value = JSON.parse(payload.toString());
    tables.set(Number(number), { ...tables.get(Number(number)), [kind]: value });
    waiting.forEach((waiter) => waiter(Number(number), kind, value));
  });
  client.subscribe(['position', 'game', 'clock'].map((kind) => `${base}/v1/table/+/${kind}`));

  /** The first table of which this is true, as soon as there is one. */
  const find = async (wanted, complaint, patience = PATIENCE) => {
    let found = null;
    await until(
      () => {
        const numbers = [...tables.keys()].sort((a, b) => a - b);
        found = numbers.find((number) => wanted(complete(tables.get(number)))) ?? null;
        return found !== null;
      },
      complaint,
      patience,
    );
    return found;
  };

  /** Resolves when a table says this, be it for a moment only; also if it has just said it. */
  const says = (table, kind, wanted) => {
    const known = tables.get(table)?.[kind];
    if (known !== undefined && wanted(known)) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const none = new Error(`table ${table}: no such ${kind}`);
      const late = setTimeout(() => end(reject, none), PATIENCE);
      const waiter = (number, told, value) => {
        if (number === table && told === kind && wanted(value)) end(resolve, value);
      };
      const end = (settle, value) => {
        clearTimeout(late);
        waiting.delete(waiter);
        settle(value);
      };
      waiting.add(waiter);
    });
  };
  const of = (table) => complete(tables.get(table));
  return { find, says, of, stop: () => client.endAsync(true) };
}

function complete(table) {
  const { position = {}, game = {}, clock = {} } = table ?? {};
  return { position, clock, game: { moves: [], players: {}, ...game } };
}

/** A game goes on there, and its clock runs. */
export function plays({ position, game, clock }) {
  return position.phase === 'in_play' && game.result === '*' && Boolean(clock.running);
}

/**
 * The hands have come to the end of their script: a move would withdraw a result, or take a form
 * away.
 */
export function thinks(it) {
  return plays(it) && it.game.moves.length >= 7;
}
