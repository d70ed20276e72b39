/** The payloads the hall screens read, and how they are understood; unknown keys are ignored. */

import { each, fields, finite, moment, oneOf, text, type Fields } from './json';

export type Side = 'white' | 'black';
export type Phase = 'unset' | 'ready' | 'in_play' | 'paused' | 'adrift' | 'ended';
export type DeviceState = 'online' | 'silent' | 'absent' | 'unidentified';
export type MoveStatus = 'released' | 'completed';

const SIDES = ['white', 'black'] as const;
const PHASES = ['unset', 'ready', 'in_play', 'paused', 'adrift', 'ended'] as const;
const DEVICE_STATES = ['online', 'silent', 'absent', 'unidentified'] as const;
const STATUSES = ['released', 'completed'] as const;

export interface BridgeState {
  readonly online: boolean;
  /** Another one at every start of the daemon; not known when it has gone. */
  readonly boot: string | null;
}

export interface BridgeInfo {
  readonly event: string | null;
  readonly site: string | null;
  readonly round: string | null;
  /** Null when the daemon does not list its tables. */
  readonly tables: readonly number[] | null;
  /** The disk is full or broken: nothing is kept. */
  readonly recordFailed: boolean;
  /** How many seconds later the public is told; null where it is the hall itself. */
  readonly delayS: number | null;
}

export interface Device {
  readonly state: DeviceState;
  /** The language of its board. */
  readonly driver: string | null;
  /** Percent; null: it does not tell. */
  readonly battery: number | null;
  /** It lies the other way round than its squares are named. */
  readonly turned: boolean;
  /** Messages on its line that made no sense. */
  readonly noise: number;
}

export interface Position {
  readonly fen: string | null;
  readonly ply: number;
  readonly last: { readonly san: string; readonly uci: string } | null;
  readonly status: MoveStatus | null;
  readonly turn: Side;
  readonly check: boolean;
  readonly phase: Phase;
  /** Since when squares and score have disagreed, in ms since 1970; null where they do not. */
  readonly adriftSince: number | null;
  readonly result: string;
  /** A result that was published and is none any more. */
  readonly withdrawn: string | null;
}

/** The physical squares. */
export interface Squares {
  /** Null where the board knows no pieces. */
  readonly placement: string | null;
  readonly agrees: boolean;
}

export interface Player {
  readonly name: string;
  readonly title: string | null;
  readonly rating: number | null;
  readonly federation: string | null;
  readonly fideId: number | null;
}

export interface Move {
  readonly ply: number;
  readonly san: string;
  readonly uci: string | null;
  readonly clockMs: number | null;
  readonly status: MoveStatus | null;
  readonly inferred: boolean;
}

/** What stands on the sheet of an adjourned game. */
export interface Adjournment {
  readonly sealedBy: Side;
  /** What each player had left, in ms. */
  readonly times: Readonly<Record<Side, number>> | null;
  readonly resumption: string;
  readonly place: string;
}

/** An envelope that waits to be opened. */
export interface Envelope {
  readonly by: Side;
  readonly moveNumber: number | null;
}

/** Null where they are not known. */
export interface Players {
  readonly white: Player | null;
  readonly black: Player | null;
}

export interface Game extends Players {
  /** Which game at its table, counted from 1; null where nobody tells. */
  readonly number: number | null;
  readonly startFen: string | null;
  readonly chess960: boolean;
  readonly timeControl: string | null;
  readonly moves: readonly Move[];
  readonly result: string;
  /** How it ended; `forfeit`: it was not played. */
  readonly termination: string | null;
  readonly adjournment: Adjournment | null;
  readonly envelope: Envelope | null;
}

export interface ClockReading {
  readonly white: number | null;
  readonly black: number | null;
  readonly running: Side | null;
  readonly flag: Side | null;
  /** Which period of the time control, counted from 1. */
  readonly period: Readonly<Record<Side, number>>;
  /** The daemon's ms since 1970. */
  readonly sampledAt: number;
  /** When the time that counts is used up if nobody presses; the same clock. */
  readonly flagDueAt: number | null;
  /** Whether it is heard; else these are the last times that were read. */
  readonly current: boolean;
  /** It shows its sign for a low battery. */
  readonly lowBattery: boolean;
}

export function readBridgeState(value: Fields): BridgeState | null {
  const state = oneOf(value['state'], ['online', 'offline'] as const);
  if (state === null) return null;
  return { online: state === 'online', boot: state === 'online' ? text(value['boot']) : null };
}

export function readBridgeInfo(value: Fields): BridgeInfo {
  const event = fields(value['event']);
  const tables = value['tables'];
  return {
    event: text(event?.['name']),
    site: text(event?.['site']),
    round: text(event?.['round']),
    tables: Array.isArray(tables) ? each(tables, tableNumber) : null,
    recordFailed: value['journal'] === 'failed',
    delayS: finite(value['delay_s']),
  };
}

export function readDevice(value: Fields): Device | null {
  const state = oneOf(value['state'], DEVICE_STATES);
  if (state === null) return null;
  return {
    state,
    driver: text(value['driver']),
    battery: finite(value['battery']),
    turned: value['turned'] === true,
    noise: finite(value['noise']) ?? 0,
  };
}

export function readPosition(value: Fields): Position | null {
  const phase = oneOf(value['phase'], PHASES);
  if (phase === null) return null;
  const last = fields(value['last']);
  const san = text(last?.['san']);
  const uci = text(last?.['uci']);
  return {
    fen: text(value['fen']),
    ply: finite(value['ply']) ?? 0,
    last: san !== null && uci !== null ? { san, uci } : null,
    status: oneOf(value['status'], STATUSES),
    turn: oneOf(value['turn'], SIDES) ?? 'white',
    check: value['check'] === true,
    phase,
    adriftSince: moment(value['adrift_since']),
    result: text(value['result']) ?? '*',
    withdrawn: text(value['withdrawn']),
  };
}

export function readSquares(value: Fields): Squares {
  return { placement: text(value['placement']), agrees: value['agrees'] === true };
}

export function readGame(value: Fields): Game {
  return {
    ...readPlayers(value['players']),
    number: finite(value['game']),
    startFen: text(value['start_fen']),
    chess960: value['chess960'] === true,
    timeControl: text(fields(value['event'])?.['time_control']),
    moves: each(value['moves'], readMove),
    result: text(value['result']) ?? '*',
    termination: text(value['termination']),
    adjournment: readAdjournment(value['adjournment']),
    envelope: readEnvelope(value['envelope']),
  };
}

export function readPlayers(value: unknown): Players {
  const players = fields(value);
  return { white: readPlayer(players?.['white']), black: readPlayer(players?.['black']) };
}

export function readClock(value: Fields): ClockReading | null {
  const sampledAt = moment(value['sampled_at']) ?? moment(value['at']);
  if (sampledAt === null) return null;
  const period = fields(value['period']);
  return {
    white: finite(value['white_ms']),
    black: finite(value['black_ms']),
    running: oneOf(value['running'], SIDES),
    flag: oneOf(value['flag'], SIDES),
    period: { white: finite(period?.['white']) ?? 1, black: finite(period?.['black']) ?? 1 },
    sampledAt,
    flagDueAt: moment(value['flag_due_at']),
    current: value['current'] !== false,
    lowBattery: value['low_battery'] === true,
  };
}

export function readSide(value: unknown): Side | null {
  return oneOf(value, SIDES);
}

/** A table's number: a whole number from 1 up. */
export function tableNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function readPlayer(value: unknown): Player | null {
  const player = fields(value);
  const name = text(player?.['name']);
  if (player === null || name === null || name.trim() === '') return null;
  return {
    name: name.trim(),
    title: text(player['title']),
    rating: finite(player['rating']),
    federation: text(player['federation']),
    fideId: finite(player['fide_id']),
  };
}

function readAdjournment(value: unknown): Adjournment | null {
  const sheet = fields(value);
  const sealedBy = readSide(sheet?.['sealed_by']);
  if (sheet === null || sealedBy === null) return null;
  const [white, black] = [finite(sheet['white_ms']), finite(sheet['black_ms'])];
  return {
    sealedBy,
    times: white === null || black === null ? null : { white, black },
    resumption: text(sheet['resumption']) ?? '',
    place: text(sheet['place']) ?? '',
  };
}

function readEnvelope(value: unknown): Envelope | null {
  const envelope = fields(value);
  const by = readSide(envelope?.['by']);
  return by === null ? null : { by, moveNumber: finite(envelope?.['move_number']) };
}

function readMove(value: unknown): Move | null {
  const move = fields(value);
  const ply = finite(move?.['ply']);
  const san = text(move?.['san']);
  if (move === null || ply === null || san === null) return null;
  return {
    ply,
    san,
    uci: text(move['uci']),
    clockMs: finite(move['clk_ms']),
    status: oneOf(move['status'], STATUSES),
    inferred: move['confidence'] === 'inferred',
  };
}
