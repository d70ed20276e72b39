/** The ledger of a table: illegal moves of both players, penalties given, and what comes next. */

import { each, fields, finite, moment, oneOf, text, type Fields } from './json';
import type { Side } from './payloads';
import type { Naming } from './topics';
import { readUndoable, type Undoable } from './undo';

const PENALTIES = ['time', 'loss', 'draw'] as const;
const RULINGS = ['upheld', 'noted'] as const;

/** What the Laws provide for an illegal move. */
export interface Provided {
  readonly penalty: (typeof PENALTIES)[number];
  /** Given to the opponent, in s. */
  readonly seconds: number | null;
}

export interface Fault {
  /** Two faults in one move share a number: they count once. */
  readonly number: number;
  /** The alert it was told by. */
  readonly alert: string | null;
  readonly kind: string;
  readonly article: string;
  readonly moveNumber: number | null;
  /** Ms since 1970. */
  readonly at: number | null;
  readonly provided: Provided | null;
  readonly ruling: (typeof RULINGS)[number] | null;
}

export interface Account {
  readonly illegalMoves: number;
  readonly penalties: number;
  readonly givenS: number;
}

export interface LedgerPage extends Account {
  readonly next: Provided | null;
  readonly faults: readonly Fault[];
  readonly given: readonly Given[];
}

/** A penalty as it was given; what was withdrawn stays. */
export interface Given {
  /** Ms since 1970. */
  readonly at: number | null;
  /** To the opponent; 0 is a warning. */
  readonly seconds: number;
  readonly by: string | null;
  /** The alert it was given for. */
  readonly alert: string | null;
  readonly withdrawn: Withdrawal | null;
}

export interface Withdrawal {
  /** Ms since 1970. */
  readonly at: number | null;
  readonly by: string | null;
  /** Null where its alert was dismissed, or it was taken back at once. */
  readonly reason: string | null;
  /** It was taken back at once by who had given it. */
  readonly undone: boolean;
}

/** How often each player was shown the arbiter's score. */
export interface ScoreShown extends Readonly<Record<Side, number>> {
  /** How often each may ask; null: there is no such rule here. */
  readonly of: number | null;
}

export interface Ledger extends Readonly<Record<Side, LedgerPage>> {
  readonly scoreShown: ScoreShown | null;
  /** What was decided here a moment ago. */
  readonly undo: readonly Undoable[];
}

export function readLedger(value: Fields, hall: Naming): Ledger | null {
  const [white, black] = [readPage(value['white'], hall), readPage(value['black'], hall)];
  const scoreShown = readScoreShown(value['score_shown']);
  const undo = each(value['undo'], readUndoable);
  return white === null || black === null ? null : { white, black, scoreShown, undo };
}

export function readScoreShown(value: unknown): ScoreShown | null {
  const shown = fields(value);
  const [white, black] = [finite(shown?.['white']), finite(shown?.['black'])];
  if (shown === null || white === null || black === null) return null;
  return { white, black, of: finite(shown['of']) };
}

/** Whether anything stands on the page. */
export function isWritten({ illegalMoves, penalties, faults, given }: LedgerPage): boolean {
  return illegalMoves > 0 || penalties > 0 || faults.length > 0 || given.length > 0;
}

/** What was given for this alert, and was not withdrawn. */
export function givenFor(ledger: Ledger | undefined, alert: string): Given | null {
  const all = ledger === undefined ? [] : [...ledger.white.given, ...ledger.black.given];
  return all.find((it) => it.alert === alert && it.withdrawn === null) ?? null;
}

/** What was given for this alert, and counts no more because the alert was dismissed. */
export function dismissedFor(ledger: Ledger | undefined, alert: string): Given | null {
  const all = ledger === undefined ? [] : [...ledger.white.given, ...ledger.black.given];
  const lapsed = ({ withdrawn }: Given) =>
    withdrawn !== null && withdrawn.reason === null && !withdrawn.undone;
  return all.filter((it) => it.alert === alert && lapsed(it)).at(-1) ?? null;
}

/** The sums alone, as a request about penalties is answered. */
export function readAccount(value: unknown): Account | null {
  const account = fields(value);
  const illegalMoves = finite(account?.['illegal_moves']);
  const penalties = finite(account?.['penalties']);
  const givenS = finite(account?.['given_s']);
  if (illegalMoves === null || penalties === null || givenS === null) return null;
  return { illegalMoves, penalties, givenS };
}

function readPage(value: unknown, hall: Naming): LedgerPage | null {
  const page = fields(value);
  const account = readAccount(page);
  if (page === null || account === null) return null;
  const next = readProvided(fields(page['next']));
  const faults = each(page['faults'], (it) => readFault(it, hall));
  const given = each(page['given'], (it) => readGiven(it, hall));
  return { ...account, next, faults, given };
}

function readGiven(value: unknown, hall: Naming): Given | null {
  const given = fields(value);
  const seconds = finite(given?.['seconds']);
  if (given === null || seconds === null) return null;
  const { at, by } = given;
  const withdrawn = readWithdrawal(fields(given['withdrawn']));
  return { at: moment(at), seconds, by: text(by), alert: alertIn(hall, given['alert']), withdrawn };
}

function readWithdrawal(value: Fields | null): Withdrawal | null {
  if (value === null) return null;
  const { at, by, reason, undone } = value;
  return { at: moment(at), by: text(by), reason: text(reason), undone: undone === true };
}

function alertIn(hall: Naming, value: unknown): string | null {
  const id = text(value);
  return id === null ? null : hall.idOf(id);
}

function readFault(value: unknown, hall: Naming): Fault | null {
  const fault = fields(value);
  const [number, kind] = [finite(fault?.['number']), text(fault?.['kind'])];
  if (fault === null || number === null || kind === null) return null;
  return {
    number,
    alert: alertIn(hall, fault['alert']),
    kind,
    article: text(fault['article']) ?? '',
    moveNumber: finite(fault['move_number']),
    at: moment(fault['at']),
    provided: readProvided(fault),
    ruling: oneOf(fault['ruling'], RULINGS),
  };
}

function readProvided(value: Fields | null): Provided | null {
  const penalty = oneOf(value?.['penalty'], PENALTIES);
  return penalty === null ? null : { penalty, seconds: finite(value?.['penalty_s']) };
}
