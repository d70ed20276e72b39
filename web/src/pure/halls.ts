/**
 * What the pages know of all the halls they show: the latest payload of every topic. It draws
 * nothing. Tables and alerts of all halls stand together, each under a name of its own.
 */

import { readAlert, type Alert } from './alerts';
import { Hall } from './hall';
import { fields, moment, parseObject, text, type Fields } from './json';
import { readLedger, type Ledger } from './ledger';
import {
  readBridgeInfo,
  readBridgeState,
  readClock,
  readDevice,
  readGame,
  readPosition,
  readSquares,
  type BridgeInfo,
  type ClockReading,
  type Device,
  type Game,
  type Position,
  type Squares,
} from './payloads';
import { byName, byTable, hallIn, isHallName, withoutHall, type TableId } from './table_id';
import { readTimeSheet, type Kept } from './time_sheet';
import { baseBelow, isBelow, subjectOf, type Subject, type TableKind } from './topics';
import { readUnseated, type Unseated } from './unseated';
import { readWatchList, type Watched } from './watch';

export interface TableState {
  readonly device?: Device;
  readonly position?: Position;
  readonly game?: Game;
  readonly clock?: ClockReading;
  readonly board?: Squares;
}

/** What a message has changed, in which hall, and when that sent it (ms since 1970). */
export interface Change {
  readonly hall: Hall;
  readonly subject: Subject;
  readonly sentAt: number | null;
  readonly payload: Fields | null;
}

/** A hall as the configuration names it; `base` may end in `+`: whatever is found there. */
export interface Shown {
  readonly base: string;
  /** Empty where halls are only found: they have the last part of their base in capitals. */
  readonly name: string;
  /** Where its own pages are; empty: nobody has said. */
  readonly pages: string;
}

export function readShown(value: unknown): Shown | null {
  const hall = fields(value);
  const base = text(hall?.['base']);
  if (base === null) return null;
  return { base, name: text(hall?.['name']) ?? '', pages: text(hall?.['pages']) ?? '' };
}

/** An order as the hall itself understands it. */
export interface Addressed {
  readonly hall: Hall;
  readonly body: Fields;
}

export class Halls {
  readonly tables = new Map<TableId, TableState>();
  readonly alerts = new Map<string, Alert>();
  /** What stands against the players, by table. */
  readonly ledgers = new Map<TableId, Ledger>();
  /** What was written down of the clocks, by table. */
  readonly timeSheets = new Map<TableId, readonly Kept[]>();
  /** In the order of their names. */
  all: readonly Hall[] = [];
  /** Bases that were heard of, and whose halls cannot be told from others by a name. */
  readonly nameless = new Set<string>();
  /** Whether tables have the name of their hall before them. */
  readonly several: boolean;
  /** For each base that stands for many: which of these a topic is of. */
  private readonly open: readonly ((topic: string) => string | null)[];
  /** Halls that nobody has named. */
  private readonly found = new Set<Hall>();
  private unconfirmed = new Set<string>();
  private readonly held = new Set<string>();

  /** A single one needs no name. `only`: the names of those that are wanted. */
  constructor(
    named: readonly Shown[],
    private readonly only: readonly string[] = [],
  ) {
    this.several = named.length > 1 || named.some(isOpen);
    this.open = named.filter(isOpen).map(({ base }) => baseBelow(base));
    for (const { base, name } of named.filter((it) => !isOpen(it))) this.add(base, name);
  }

  /** An empty payload takes the topic back; a malformed one changes nothing. */
  apply(topic: string, raw: string): Change | null {
    const hall = this.hallOfTopic(topic);
    const subject = hall === null ? null : subjectOf(hall, topic);
    if (hall === null || subject === null) return null;
    const payload = raw === '' ? null : parseObject(raw);
    if (raw !== '' && (payload === null || foreignVersion(payload))) return null;
    if (!this.store(hall, subject, payload)) return null;
    this.remember(topic, subject, payload !== null);
    const sentAt = moment(payload?.['at']);
    if (sentAt !== null) hall.heardAt = Math.max(hall.heardAt ?? sentAt, sentAt);
    return { hall, subject, payload, sentAt };
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

  /** The tables to show, hall by hall and in order of their numbers. */
  tableIds(): TableId[] {
    const known = this.several ? undefined : [...this.tables.keys()];
    const ids = this.all.flatMap((hall) => {
      const listed = hall.info?.tables?.map((number) => hall.idOf(number));
      return listed ?? known ?? [...this.tables.keys()].filter((id) => hallIn(id) === hall.name);
    });
    return [...new Set(ids)].sort(byTable);
  }

  /** The hall of a table or an alert. */
  hallOf(id: string): Hall | undefined {
    return this.several ? this.all.find(({ name }) => name === hallIn(id)) : this.all[0];
  }

  /** An order goes to the hall whose table or alert it is about. Null: there is no such hall. */
  addressed(body: Fields): Addressed | null {
    const hall = this.hallAsked(body);
    if (hall === undefined) return null;
    const own = { ...body };
    for (const key of ['table', 'alert'] as const) {
      const id = body[key];
      if (typeof id === 'string') own[key] = withoutHall(id);
    }
    if (typeof own['table'] === 'string') own['table'] = Number(own['table']);
    delete own['hall'];
    return { hall, body: own };
  }

  /** Who is short of time, in the order of each hall. */
  get watched(): readonly Watched[] {
    const [first, ...others] = this.all;
    return others.reduce((all, { watched }) => merged(all, watched), first?.watched ?? []);
  }

  get unseated(): readonly Unseated[] {
    return this.all.flatMap(({ unseated }) => unseated);
  }

  /** What they have in common: of one hall all that it says. */
  get info(): BridgeInfo | null {
    const infos = this.all.flatMap(({ info }) => info ?? []);
    const [first] = infos;
    if (first === undefined || infos.length === 1) return first ?? null;
    const common = <K extends 'event' | 'site' | 'round' | 'delayS'>(key: K) =>
      infos.every((info) => info[key] === first[key]) ? first[key] : null;
    return {
      event: common('event'),
      site: common('site'),
      round: common('round'),
      tables: null,
      recordFailed: infos.some(({ recordFailed }) => recordFailed),
      delayS: common('delayS'),
    };
  }

  private hallAsked(body: Fields): Hall | undefined {
    const id = body['table'] ?? body['alert'];
    if (typeof id === 'string') return this.hallOf(id);
    return this.several ? this.all.find(({ name }) => name === body['hall']) : this.all[0];
  }

  private hallOfTopic(topic: string): Hall | null {
    const known = this.all.find(({ base }) => isBelow(base, topic));
    if (known !== undefined) return known;
    const base = this.open.map((it) => it(topic)).find((it) => it !== null) ?? null;
    return base === null ? null : this.find(base);
  }

  private add(base: string, name: string): Hall | null {
    if (!isWanted(name, this.only)) return null;
    const hall = new Hall(base, this.several ? name : '');
    this.all = [...this.all, hall].sort((a, b) => byName(a.name, b.name));
    return hall;
  }

  /** One that was only found. If it cannot be told from another by its name, it is not shown. */
  private find(base: string): Hall | null {
    const name = (base.split('/').at(-1) ?? '').toUpperCase();
    const other = this.all.find((it) => it.name.toUpperCase() === name);
    if (isHallName(name) && other === undefined && !this.nameless.has(base)) {
      const hall = this.add(base, name);
      if (hall !== null) this.found.add(hall);
      return hall;
    }
    this.nameless.add(base);
    // Whichever was heard first would be another one on another screen.
    if (other !== undefined && this.found.has(other)) this.drop(other);
    return null;
  }

  private drop(hall: Hall): void {
    this.nameless.add(hall.base);
    this.all = this.all.filter((it) => it !== hall);
    for (const known of [this.tables, this.alerts, this.ledgers, this.timeSheets]) {
      [...known.keys()].filter((id) => hallIn(id) === hall.name).forEach((id) => known.delete(id));
    }
  }

  private remember(topic: string, subject: Subject, present: boolean): void {
    this.unconfirmed.delete(topic);
    if (subject.about === 'response' || subject.about === 'setup_lift') return;
    if (present) this.held.add(topic);
    else this.held.delete(topic);
  }

  private store(hall: Hall, subject: Subject, payload: Fields | null): boolean {
    switch (subject.about) {
      case 'bridge_state':
        return storeBridgeState(hall, payload);
      case 'bridge_info':
        hall.info = payload === null ? null : readBridgeInfo(payload);
        return true;
      case 'table':
        return this.storeTable(subject.table, subject.kind, payload);
      case 'watch_list':
        hall.watched = payload === null ? [] : readWatchList(payload, hall);
        return true;
      case 'unseated':
        hall.unseated = payload === null ? [] : readUnseated(payload, hall);
        return true;
      case 'ledger':
        return this.storeLedger(hall, subject.table, payload);
      case 'time_sheet':
        if (payload === null) return this.timeSheets.delete(subject.table);
        this.timeSheets.set(subject.table, readTimeSheet(payload));
        return true;
      case 'alert':
        return this.storeAlert(hall, subject.id, payload);
      case 'setup_boards':
      case 'setup_event':
        return true;
      case 'setup_lift':
      case 'response':
        return payload !== null;
    }
  }

  private storeTable(table: TableId, kind: TableKind, payload: Fields | null): boolean {
    const value = payload === null ? null : readTable(kind, payload);
    if (payload !== null && value === null) return false;
    const { [kind]: _, ...others } = this.tables.get(table) ?? {};
    const next = value === null ? others : { ...others, [kind]: value };
    if (Object.keys(next).length === 0) this.tables.delete(table);
    else this.tables.set(table, next);
    return true;
  }

  private storeLedger(hall: Hall, table: TableId, payload: Fields | null): boolean {
    const ledger = payload === null ? null : readLedger(payload, hall);
    if (ledger === null) return payload === null && this.ledgers.delete(table);
    this.ledgers.set(table, ledger);
    return true;
  }

  private storeAlert(hall: Hall, id: string, payload: Fields | null): boolean {
    if (payload === null) return this.alerts.delete(id);
    const alert = readAlert(id, payload, hall);
    if (alert === null) return false;
    this.alerts.set(id, alert);
    return true;
  }
}

function storeBridgeState(hall: Hall, payload: Fields | null): boolean {
  const state = payload === null ? null : readBridgeState(payload);
  if (payload !== null && state === null) return false;
  hall.bridge = state;
  return true;
}

/** `wanted`: names, in letters of any size; none: every hall is. */
export function isWanted(name: string, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((it) => it.toLowerCase() === name.toLowerCase());
}

function isOpen({ base }: Shown): boolean {
  return base.endsWith('/+');
}

/** Two lists, each in its own order: of the next ones the shorter time comes first. */
function merged(some: readonly Watched[], others: readonly Watched[]): Watched[] {
  const [left, right] = [[...some], [...others]];
  const all: Watched[] = [];
  for (;;) {
    const [a, b] = [left[0], right[0]];
    if (a === undefined || b === undefined) return [...all, ...left, ...right];
    const side = a.leftMs <= b.leftMs ? left : right;
    all.push(...side.splice(0, 1));
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
