// `npm run dev -- --tables 12 --port 8381`: the pages against a Mosquitto playing fixture games.

import { parseArgs } from 'node:util';
import { startBroker } from './broker.mjs';
import { startHall } from './hall.mjs';
import { startSite } from './site.mjs';

const EVENT = {
  name: 'Open de Liège',
  site: 'Liège',
  round: '3',
  laws: '2023',
  time_control: '40/5400+30:1800+30',
};

/** What the hall of the development server answers. */
const REQUESTS = [
  'acknowledge',
  'adjourn',
  'correct_score',
  'flip',
  'grant_time',
  'penalty_given',
  'penalty_withdrawn',
  'resume',
  'rule',
  'score_shown',
  'sealed_move',
  'claim_check',
  'set_pairing',
  'set_position',
  'set_result',
  'set_time',
  'start_round',
  'take_back',
];

export async function startDevelopment(options = {}) {
  const { tables = 12, port = 0, speed = 1, language = 'fr', login = null } = options;
  const { sections = [], screens = {} } = options;
  const base = 'adoubed';
  const broker = await startBroker([base]);
  const hall = await startHall({ broker, base, tables, speed, event: EVENT });
  const config = {
    base,
    language,
    languages: ['en', 'fr'],
    event: EVENT.name,
    version: '0.1.0',
    requests: REQUESTS,
    sections,
    screens,
  };
  const session = { username: 'arbiter', password: broker.users.arbiter };
  const site = await startSite({ port, websocket: broker.websocket, config, session, login });
  const stop = async () => {
    await site.stop();
    await hall.stop();
    await broker.stop();
  };
  return { url: site.url, hall, site, stop };
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      tables: { type: 'string', default: '12' },
      port: { type: 'string', default: '8381' },
      speed: { type: 'string', default: '1' },
      language: { type: 'string', default: 'fr' },
      login: { type: 'boolean', default: false },
    },
  });
  const development = await startDevelopment({
    tables: Number(values.tables),
    port: Number(values.port),
    speed: Number(values.speed),
    language: values.language,
    login: values.login ? { name: 'arbiter', password: 'arbiter' } : null,
  });
  console.log(development.url);
  process.once('SIGINT', () => development.stop());
  process.once('SIGTERM', () => development.stop());
}
