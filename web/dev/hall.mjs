// Plays the fixture games on MQTT as the daemon would publish them, and answers arbiters.

import mqtt from 'mqtt';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alerts, pressedWithoutMove } from './fixtures/alerts.mjs';
import { clean, give, withdraw, written } from './fixtures/ledger.mjs';
import { timeSheet } from './fixtures/time_sheets.mjs';
import { Game } from './game.mjs';

const GAMES = join(import.meta.dirname, 'fixtures/games.json');

const RULED = { upheld: 'confirmé', dismissed: 'rejeté', noted: 'noté' };

/** `speed`: how many times faster than a move every six seconds the games go. */
export async function startHall({ broker, base, tables, speed, event }) {
  const games = JSON.parse(await readFile(GAMES, 'utf8'));
  const hall = new Publisher({ broker, base, event });
  await hall.connected;
  const numbers = Array.from({ length: tables }, (_, index) => index + 1);
  const players = numbers.map((n) => new Game(n, games[(n - 1) % games.length], hall, speed));
  const at = (table) => players[table - 1];
  const ledgers = numbers.map((n) => (n === 3 ? written(Date.now()) : clean(n)));
  const orders = {
    set_result: (table, { result }) => at(table).end(result),
    set_position: (table, { fen }) => at(table).set(fen),
    take_back: (table, { plies }) => at(table).takeBack(plies),
    correct_score: (table, passage) => at(table).correct(passage),
    set_time: (table, { white_ms, black_ms }) => at(table)?.setClock(white_ms, black_ms) ?? null,
    set_pairing: (table, { white, black }) => at(table).seat({ white, black }),
    adjourn: (table, sheet) => at(table).adjourn(sheet),
    resume: (table) => at(table).resume(),
    sealed_move: (table, { move }) => at(table).sealed(move),
    grant_time: (table, { white_s, black_s }) => at(table).grant(white_s, black_s),
    score_shown: (table, { side }) => {
      const ledger = ledgers[table - 1];
      ledger.score_shown[side] += 1;
      hall.publish(`arbiter/ledger/${table}`, ledger);
      return ledger.score_shown;
    },
    start_round: (_, { tables: named = [] }) => {
      const unknown = named.filter((table) => at(table) === undefined);
      return unknown.length === 0 ? null : `no such table: ${unknown.join(', ')}`;
    },
    penalty_given: (table, penalty) => {
      const ledger = ledgers[table - 1];
      const said = give(ledger, penalty);
      hall.publish(`arbiter/ledger/${table}`, ledger);
      return said;
    },
    penalty_withdrawn: (table, withdrawal) => {
      const ledger = ledgers[table - 1];
      const said = withdraw(ledger, withdrawal);
      hall.publish(`arbiter/ledger/${table}`, ledger);
      return said;
    },
  };
  Object.entries(orders).forEach(([verb, act]) => hall.orders.set(verb, act));
  hall.online(numbers);
  players.forEach((game) => game.begin());
  alerts(Date.now()).forEach((alert) => hall.alert(alert));
  ledgers.forEach((it) => hall.publish(`arbiter/ledger/${it.table}`, it));
  numbers.forEach((n) => hall.publish(`arbiter/time_sheet/${n}`, timeSheet(n, Date.now())));
  const late = setTimeout(() => hall.alert(pressedWithoutMove(Date.now())), 6000);
  const pace = setInterval(() => players.forEach((game) => game.tick(Date.now())), 250);
  const stop = async () => {
    clearTimeout(late);
    clearInterval(pace);
    await hall.stop();
  };
  const { asked } = hall;
  return {
    stop,
    asked,
    publish: (topic, payload) => hall.publish(topic, payload),
    /** An alert that can be ruled on. */
    raise: (alert) => hall.alert(alert),
    /** The same once more, as with each move. */
    again: (topic) => hall.publish(topic, hall.last.get(topic)),
    ends: (table, result) => at(table).end(result),
    /** Gives who sat there. */
    seats: (table, players) => at(table).seats(players),
    /** From now on this verb is answered so. */
    answer: (verb, data) => hall.orders.set(verb, () => data),
    /** From now on this verb is refused. */
    refuse: (verb) => hall.orders.set(verb, () => 'refused'),
  };
}

class Publisher {
  /** Every order, as it came. */
  asked = [];
  #seq = 0;
  /** What was published last, by topic. */
  last = new Map();
  #alerts = new Map();
  /** By transaction: whoever asks again is answered as before. */
  #answered = new Map();
  /** How those that are closed were closed, in words. */
  #closed = new Map();
  /** What tables do when they are told to, by verb. */
  orders = new Map();

  constructor({ broker, base, event }) {
    Object.assign(this, { base, event });
    const will = {
      topic: `${base}/v1/bridge/state`,
      payload: JSON.stringify({ v: 1, seq: 0, state: 'offline' }),
      qos: 1,
      retain: true,
    };
    const url = `mqtt://127.0.0.1:${broker.tcp}`;
    this.client = mqtt.connect(url, {
      username: 'daemon',
      password: broker.users.daemon,
      will,
      reconnectPeriod: 0,
    });
    this.connected = new Promise((resolve) => this.client.once('connect', resolve));
    this.client.on('message', (topic, payload) => this.#answer(topic, payload));
    this.client.subscribe(`${base}/v1/request/+`, { qos: 1 });
  }

  publish(topic, payload) {
    this.last.set(topic, payload);
    const text = payload === null ? '' : JSON.stringify(this.#stamped(payload));
    this.client.publish(`${this.base}/v1/${topic}`, text, { qos: 1, retain: true });
  }

  online(tables) {
    this.publish('bridge/state', { state: 'online', version: '0.1.0', boot: 'dev' });
    this.publish('bridge/info', { event: this.event, tables, uptime_s: 0 });
  }

  close(id) {
    this.#alerts.delete(id);
    this.publish(`alert/${id}`, null);
  }

  alert(alert) {
    this.#alerts.set(alert.id, alert);
    this.publish(`alert/${alert.id}`, alert);
  }

  async stop() {
    this.publish('bridge/state', { state: 'offline', version: '0.1.0', boot: 'dev' });
    await this.client.endAsync();
  }

  #stamped(payload) {
    this.#seq += 1;
    return { v: 1, seq: this.#seq, at: new Date().toISOString(), ...payload };
  }

  #answer(topic, payload) {
    const verb = topic.split('/').pop();
    const { transaction, expires_at, ...body } = JSON.parse(payload.toString());
    const late = expires_at !== undefined && Date.now() > Date.parse(expires_at);
    const before = this.#answered.get(transaction);
    if (before) return this.client.publish(`${this.base}/v1/response/${verb}`, before, { qos: 1 });
    this.asked.push({ verb, ...body });
    const outcome = late ? 'trop tard, rien n’a été fait' : this.#obey(verb, body);
    const error = typeof outcome === 'string' ? outcome : null;
    const [status, data] = error === null ? ['ok', outcome] : ['error', null];
    const text = error === null ? null : { en: error, fr: error };
    const at = new Date().toISOString();
    const answer = { at, transaction, status, data, error, text };
    this.#answered.set(transaction, JSON.stringify(answer));
    this.client.publish(`${this.base}/v1/response/${verb}`, JSON.stringify(answer), { qos: 1 });
  }

  /** What there is to say when it was done; a text: why not. */
  #obey(verb, { alert: id, table, ...body }) {
    if (verb === 'acknowledge' || verb === 'rule') {
      const alert = this.#alerts.get(id);
      if (alert === undefined) return this.#closed.get(id) ?? 'no such alert';
      if (verb === 'acknowledge') this.alert({ ...alert, state: 'acknowledged', by: 'arbiter' });
      else {
        const { ruling } = body;
        this.#closed.set(id, `Un arbitre a ${RULED[ruling]} cette alerte il y a 0 s`);
        this.close(id);
        return { alert: id, ruling, by: 'arbiter' };
      }
      return null;
    }
    return this.orders.get(verb)?.(table, { alert: id, ...body }) ?? null;
  }
}
