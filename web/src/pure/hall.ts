/** What the pages know of the hall: the latest payload of every topic. It draws nothing. */

import { readAlert, type Alert } from './alerts';
import { moment, parseObject, type Fields } from './json';
import {
  readBridgeInfo,
  readBridgeState,
  readClock,
  readDevice,
  readGame,
  readPosition,
  readSquares,
  type BridgeInfo,
  type BridgeState,
  type ClockReading,
  type Device,
  type Game,
  type Position,
  type Squares,
} from './payloads';
import { readLedger, type Ledger } from './ledger';
import { readTimeSheet, type Kept } from './time_sheet';
import { readUnseated, type Unseated } from './unseated';
import { readWatchList, type Watched } from './watch';
import { subjectOf, type Subject, type TableKind } from './topics';

export interface TableState {
  readonly device?: Device;
  readonly position?: Position;
  readonly game?: Game;
  readonly clock?: ClockReading;
  readonly board?: Squares;
}

/** What a message has changed, and when the daemon sent it (ms since 1970). */
export interface Change {
  readonly subject: Subject;
  readonly sentAt: number | null;
  readonly payload: Fields | null;
}

export class Hall {
  bridge: BridgeState | null = null;
  info: BridgeInfo | null = null;
  readonly tables = new Map<number, TableState>();
  readonly alerts = new Map<string, Alert>();
  /** What stands against the players, by table. */
  readonly ledgers = new Map<number, Ledger>();
  /** What was written down of the clocks, by table. */
  readonly timeSheets = new Map<number, readonly Kept[]>();
  /** Who is short of time. */
  watched: readonly Watched[] = [];
  /** Boards that have no table. */
  unseated: readonly Unseated[] = [];
  private readonly base: string;
  private unconfirmed = new Set<string>();
  private readonly held = new Set<string>();

  constructor(base: string) {
    this.base = base;
  }

  /** An empty payload takes the topic back; a malformed one changes nothing. */
  apply(topic: string, raw: string): Change | null {
    const subject = subjectOf(this.base, topic);
    if (subject === null) return null;
    const payload = raw === '' ? null : parseObject(raw);
    if (raw !== '' && (payload === null || foreignVersion(payload))) return null;
    if (!this.store(subject, payload)) return null;
    this.remember(topic, subject, payload !== null);
    return { subject, payload, sentAt: moment(payload?.['at']) };
  }

  /** A new connection begins: nothing known so far is confirmed any more. */
  beginConfirmation(): void {
    this.unconfirmed = new Set(this.held);
  }

  /** Forgets what the broker did not repeat since `beginConfirmation`. */
  forgetUnconfirmed(): Change[] {
    const gone = [...this.unconfirmed];
    this.unconfirmed.clear();
    return gone.flatMap((topic) => this.apply(topic, '') ?? []);
  }

  /** The tables to show, in order of their numbers. */
  tableNumbers(): number[] {
    const numbers = this.info?.tables ?? [...this.tables.keys()];
    return [...new Set(numbers)].sort((a, b) => a - b);
  }

  private remember(topic: string, subject: Subject, present: boolean): void {
    this.unconfirmed.delete(topic);
    if (subject.about === 'response' || subject.about === 'setup_lift') return;
    if (present) this.held.add(topic);
    else this.held.delete(topic);
  }

  private store(subject: Subject, payload: Fields | null): boolean {
    switch (subject.about) {
      case 'bridge_state':
        return this.storeBridgeState(payload);
      case 'bridge_info':
        this.info = payload === null ? null : readBridgeInfo(payload);
        return true;
      case 'table':
        return this.storeTable(subject.table, subject.kind, payload);
      case 'watch_list':
        this.watched = payload === null ? [] : readWatchList(payload);
        return true;
      case 'unseated':
        this.unseated = payload === null ? [] : readUnseated(payload);
        return true;
      case 'ledger':
        return this.storeLedger(subject.table, payload);
      case 'time_sheet':
        if (payload === null) return this.timeSheets.delete(subject.table);
        this.timeSheets.set(subject.table, readTimeSheet(payload));
        return true;
      case 'alert':
        return this.storeAlert(subject.id, payload);
      case 'setup_boards':
        return true;
      case 'setup_lift':
      case 'response':
        return payload !== null;
    }
  }

  private storeBridgeState(payload: Fields | null): boolean {
    const state = payload === null ? null : readBridgeState(payload);
    if (payload !== null && state === null) return false;
    this.bridge = state;
    return true;
  }

  private storeTable(table: number, kind: TableKind, payload: Fields | null): boolean {
    const value = payload === null ? null : readTable(kind, payload);
    if (payload !== null && value === null) return false;
    const { [kind]: _, ...others } = this.tables.get(table) ?? {};
    const next = value === null ? others : { ...others, [kind]: value };
    if (Object.keys(next).length === 0) this.tables.delete(table);
    else this.tables.set(table, next);
    return true;
  }

  private storeLedger(table: number, payload: Fields | null): boolean {
    const ledger = payload === null ? null : readLedger(payload);
    if (ledger === null) return payload === null && this.ledgers.delete(table);
    this.ledgers.set(table, ledger);
    return true;
  }

  private storeAlert(id: string, payload: Fields | null): boolean {
    if (payload === null) return this.alerts.delete(id);
    const alert = readAlert(id, payload);
    if (alert === null) return false;
    this.alerts.set(id, alert);
    return true;
  }
}

function readTable(kind: TableKind, payload: Fields): TableState[TableKind] | null {
  switch (kind) {
    case 'device':
      return readDevice(payload);
    case 'position':
      return readPosition(payload);
    case 'game':
      return readGame(payload);
    case 'clock':
      return readClock(payload);
    case 'board':
      return readSquares(payload);
  }
}

function foreignVersion(payload: Fields): boolean {
  return payload['v'] !== undefined && payload['v'] !== 1;
}
