/** An alert as the arbiter's page reads it, and the order alerts are listed in. */

import { each, fields, finite, moment, oneOf, text, type Fields } from './json';
import { readPlayers, readSide, tableNumber } from './payloads';
import type { Game, Players, Side } from './payloads';
import { hallIn, idIn, withoutHall, type TableId } from './table_id';
import type { Naming } from './topics';

export type Gravity = 'summon' | 'look' | 'note';
export type AlertState = 'open' | 'acknowledged' | 'lapsed';

const GRAVITIES = ['summon', 'look', 'note'] as const;
const STATES = ['open', 'acknowledged', 'lapsed'] as const;

export interface Texts {
  readonly en: string;
  readonly [language: string]: string | undefined;
}

export interface Evidence {
  /** Relative to the incident, in ms; negative before it. */
  readonly offsetMs: number | null;
  readonly what: string;
  readonly square: string | null;
  readonly piece: string | null;
  /** Whose lever went down. */
  readonly side: Side | null;
  /** What the clock showed. */
  readonly clocks: Times | null;
  readonly text: Texts | null;
}

/** Both times in ms. */
export interface Times {
  readonly white: number;
  readonly black: number;
}

/** What machines are told; null or empty where it does not apply. */
export interface Facts {
  readonly fen: string | null;
  readonly surface: string | null;
  readonly clocks: Times | null;
  /** From- and to-square. */
  readonly move: string | null;
  readonly reason: string | null;
  readonly attackers: readonly string[];
  readonly squares: readonly string[];
  readonly candidates: readonly string[];
  /** Moves in SAN, one of which the Laws oblige to. */
  readonly obliged: readonly string[];
  /** Plies after which a position stood. */
  readonly occurrences: readonly number[];
  /** Which illegal move of this player it is. */
  readonly offence: number | null;
  /** Time the Laws add to the opponent's, in s. */
  readonly penaltyS: number | null;
}

export interface Alert {
  readonly id: string;
  readonly kind: string;
  readonly article: string | null;
  readonly edition: string | null;
  readonly table: TableId | null;
  readonly players: Players;
  /** Another game is played at its table by now. */
  readonly earlierGame: boolean;
  readonly side: Side | null;
  readonly moveNumber: number | null;
  readonly gravity: Gravity;
  readonly state: AlertState;
  /** One more each time a ruling on it was taken back. */
  readonly revision: number;
  readonly openedAt: number | null;
  readonly lapsesAt: number | null;
  readonly text: Texts | null;
  /** Who acknowledged it. */
  readonly by: string | null;
  readonly facts: Facts;
  readonly evidence: readonly Evidence[];
  readonly advice: readonly Texts[];
  /** What would put it right with one tap. */
  readonly mends: readonly Mend[];
}

/** A request that is sent as it is, and what a person has to know of it. */
export interface Mend {
  readonly verb: 'set_result' | 'set_pairing';
  readonly body: Fields;
  readonly table: TableId;
  /** A result, or White and Black. */
  readonly told: string;
}

/** `id` is the topic's last level; an unknown gravity is listed as `look`, not lost. */
export function readAlert(id: string, value: Fields, hall: Naming): Alert | null {
  const state = oneOf(value['state'], STATES);
  const kind = text(value['kind']);
  if (state === null || kind === null) return null;
  return {
    id,
    kind,
    article: text(value['article']),
    edition: text(value['edition']),
    table: tableIn(hall, value['table']),
    players: readPlayers(value['players']),
    earlierGame: value['earlier_game'] === true,
    side: readSide(value['side']),
    moveNumber: finite(value['move_number']),
    gravity: oneOf(value['gravity'], GRAVITIES) ?? 'look',
    state,
    revision: finite(value['revision']) ?? 1,
    openedAt: moment(value['opened_at']) ?? moment(value['at']),
    lapsesAt: moment(value['lapses_at']),
    text: readTexts(value['text']),
    by: text(value['by']),
    facts: readFacts(fields(value['facts']) ?? {}),
    evidence: each(value['evidence'], readEvidence),
    advice: each(value['advice'], readTexts),
    mends: each(value['mend'], (it) => readMend(it, hall)),
  };
}

/** The game at its table, counted from 1: an id is table, game and number. */
export function gameOf(id: string): number | null {
  const game = /^\d+-(\d+)-\d+$/.exec(withoutHall(id))?.[1];
  return game === undefined ? null : Number(game);
}

/** The table of an alert. */
export function tableOf(id: string): TableId | null {
  const table = /^(\d+)-\d+-\d+$/.exec(withoutHall(id))?.[1];
  return table === undefined ? null : idIn(hallIn(id), table);
}

export function graver(a: Gravity, b: Gravity): boolean {
  return GRAVITIES.indexOf(a) < GRAVITIES.indexOf(b);
}

/** Who played when it was raised; `game`: what is played at its table now. */
export function playersThen(alert: Alert, game: Game | undefined): Players | undefined {
  return alert.earlierGame ? alert.players : game;
}

/** Nobody sits there any more whom it concerned, and nothing of it can be put right with a tap. */
export function isPast({ earlierGame, mends }: Alert): boolean {
  return earlierGame && mends.length === 0;
}

/** Summon before look before note, then the newest first; the id keeps equals steady. */
export function byGravityThenNewest(a: Alert, b: Alert): number {
  return (
    GRAVITIES.indexOf(a.gravity) - GRAVITIES.indexOf(b.gravity) ||
    (b.openedAt ?? 0) - (a.openedAt ?? 0) ||
    (a.id < b.id ? -1 : 1)
  );
}

export function openAlerts(alerts: Iterable<Alert>): Alert[] {
  return [...alerts].filter((alert) => alert.state === 'open').sort(byGravityThenNewest);
}

/** Acknowledged or lapsed, not yet closed by a ruling. */
export function settledAlerts(alerts: Iterable<Alert>): Alert[] {
  return [...alerts].filter((alert) => alert.state !== 'open').sort(byGravityThenNewest);
}

/** A table of this hall. */
export function tableIn(hall: Naming, value: unknown): TableId | null {
  const number = tableNumber(value);
  return number === null ? null : hall.idOf(number);
}

function readFacts(value: Fields): Facts {
  return {
    fen: text(value['fen']),
    surface: text(value['surface']),
    clocks: readTimes(value['clocks_ms']),
    move: text(value['move']),
    reason: text(value['reason']),
    attackers: each(value['attackers'], text),
    squares: each(value['squares'], text),
    candidates: each(value['candidates'], text),
    obliged: each(value['obliged'], text),
    occurrences: each(value['occurrences'], finite),
    offence: finite(value['offence']),
    penaltyS: finite(value['penalty_s']),
  };
}

/** Of the requests that are offered, those that are known here. */
function readMend(value: unknown, hall: Naming): Mend | null {
  const mend = fields(value);
  const verb = oneOf(mend?.['verb'], ['set_result', 'set_pairing'] as const);
  const own = fields(mend?.['body']);
  const table = tableIn(hall, own?.['table']);
  if (verb === null || own === null || table === null) return null;
  const body: Fields = { ...own, table };
  const { white, black } = readPlayers(body);
  const names = white?.name && black?.name ? `${white.name} – ${black.name}` : null;
  const told = verb === 'set_result' ? text(body['result']) : names;
  return told === null ? null : { verb, body, table, told };
}

function readTimes(value: unknown): Times | null {
  const both = fields(value);
  const white = finite(both?.['white']);
  const black = finite(both?.['black']);
  return white === null || black === null ? null : { white, black };
}

/** A text in one language may stand in for English; better than silence. */
export function readTexts(value: unknown): Texts | null {
  const all = Object.entries(fields(value) ?? {}).flatMap(([language, told]) => {
    const known = text(told);
    return known === null ? [] : [[language, known] as const];
  });
  const any = all.find(([language]) => language === 'en') ?? all[0];
  return any === undefined ? null : { ...Object.fromEntries(all), en: any[1] };
}

function readEvidence(value: unknown): Evidence | null {
  const item = fields(value);
  const what = text(item?.['what']);
  if (item === null || what === null) return null;
  return {
    offsetMs: finite(item['t_ms']),
    what,
    square: text(item['square']),
    piece: text(item['piece']),
    side: readSide(item['side']),
    clocks: readTimes(item['clocks_ms']),
    text: readTexts(item['text']),
  };
}
